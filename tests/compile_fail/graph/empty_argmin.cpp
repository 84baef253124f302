// guardjit: tests/compile_fail/graph/empty_argmin.cpp: where the smallest element of none is
// SPDX-License-Identifier: BSL-1.0
// expect-error: guardjit: a reduced extent must not be 0
// expect-error: reduced_extent_is_zero<.*op::argmin, 1, .*at<15, 'e', 'm', 'p', 't', 'y', '_', 'a', 'r', 'g', 'm', 'i', 'n'
// errors: 1
#include "graph/traces.hpp"

#include <guardjit/graph/paths.hpp>

namespace gj = guardjit;
using gj::dtype, gj::dyn;
using namespace traces;

constexpr auto f = [](auto x) {
  return gj::argmin(x, 1, gj::keepdims);
};
#ifdef GUARDJIT_ACCEPT
using given = gj::call_signature<of(0, 6)>;
#else
using given = gj::call_signature<of(6, 0)>;
#endif
template void gj::require_paths<std::remove_cvref_t<decltype(f)>, given>();
#ifdef GUARDJIT_ACCEPT
static_assert(gj::paths<std::remove_cvref_t<decltype(f)>, given>::fine);
#endif
