// guardjit: tests/compile_fail/graph/axis_repeated.cpp: one axis named twice
// SPDX-License-Identifier: BSL-1.0
// expect-error: guardjit: an axis may be named once
// expect-error: axis_repeated<.*op::mean, -1, .*at<15, 'a', 'x', 'i', 's', '_', 'r', 'e', 'p', 'e', 'a', 't', 'e', 'd', '.', 'c', 'p', 'p'>
// errors: 1
#include "graph/traces.hpp"

#include <guardjit/graph/paths.hpp>

namespace gj = guardjit;
using gj::dtype, gj::dyn;
using namespace traces;

constexpr auto f = [](auto x) {
  return gj::mean(x, gj::axes(1, -1));
};
#ifdef GUARDJIT_ACCEPT
using given = gj::call_signature<of(dyn, 64, 2)>;
#else
using given = gj::call_signature<of(dyn, 64)>;
#endif
template void gj::require_paths<std::remove_cvref_t<decltype(f)>, given>();
#ifdef GUARDJIT_ACCEPT
static_assert(gj::paths<std::remove_cvref_t<decltype(f)>, given>::fine);
#endif
