// guardjit: tests/compile_fail/graph/where_condition.cpp: a condition that is no bool
// SPDX-License-Identifier: BSL-1.0
// expect-error: guardjit: the condition must be bool
// expect-error: dtype_is_no_bool<.*op::where, .*dtype::u8, .*at<15, 'w', 'h', 'e', 'r', 'e', '_', 'c', 'o', 'n', 'd', 'i', 't', 'i', 'o', 'n', '.', 'c', 'p', 'p'>
// errors: 1
#include "graph/traces.hpp"

#include <guardjit/graph/paths.hpp>

namespace gj = guardjit;
using gj::dtype, gj::dyn;
using namespace traces;

constexpr auto f = [](auto c, auto x) {
  return gj::where(c, x, 0);
};
#ifdef GUARDJIT_ACCEPT
using given = gj::call_signature<of<dtype::boolean>(4), of(4)>;
#else
using given = gj::call_signature<of<dtype::u8>(4), of(4)>;
#endif
template void gj::require_paths<std::remove_cvref_t<decltype(f)>, given>();
#ifdef GUARDJIT_ACCEPT
static_assert(gj::paths<std::remove_cvref_t<decltype(f)>, given>::fine);
#endif
