// guardjit: tests/compile_fail/graph/dtype.cpp: a difference of bools
// SPDX-License-Identifier: BSL-1.0
// expect-error: guardjit: the dtype is not allowed
// expect-error: dtype_is_refused<.*op::sub, .*dtype::boolean, .*at<15, 'd', 't', 'y', 'p', 'e', '.', 'c', 'p', 'p'>
// errors: 1
#include "graph/traces.hpp"

#include <guardjit/graph/paths.hpp>

namespace gj = guardjit;
using gj::dtype, gj::dyn;
using namespace traces;

constexpr auto f = [](auto x, auto y) {
  return x - y;
};
#ifdef GUARDJIT_ACCEPT
using given = gj::call_signature<of<dtype::boolean>(4), of<dtype::u8>(4)>;
#else
using given = gj::call_signature<of<dtype::boolean>(4), of<dtype::boolean>(4)>;
#endif
template void gj::require_paths<std::remove_cvref_t<decltype(f)>, given>();
#ifdef GUARDJIT_ACCEPT
static_assert(gj::paths<std::remove_cvref_t<decltype(f)>, given>::fine);
#endif
