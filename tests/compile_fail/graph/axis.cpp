// guardjit: tests/compile_fail/graph/axis.cpp: an axis beyond the rank
// SPDX-License-Identifier: BSL-1.0
// expect-error: guardjit: the axis must be within the rank
// expect-error: axis_out_of_range<.*op::sum, -3, 2, .*at<15, 'a', 'x', 'i', 's', '.', 'c', 'p', 'p'>
// errors: 1
#include "graph/traces.hpp"

#include <guardjit/graph/paths.hpp>

namespace gj = guardjit;
using gj::dtype, gj::dyn;
using namespace traces;

constexpr auto f = [](auto x) {
  return gj::sum(x, gj::axes(-3));
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
