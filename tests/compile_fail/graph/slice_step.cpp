// guardjit: tests/compile_fail/graph/slice_step.cpp: a slice that stands still
// SPDX-License-Identifier: BSL-1.0
// expect-error: guardjit: the step must not be 0
// expect-error: step_is_zero<.*op::slice, .*at<20, 's', 'l', 'i', 'c', 'e', '_', 's', 't', 'e', 'p', '.', 'c', 'p', 'p'>
// errors: 1
#include "graph/traces.hpp"

#include <guardjit/graph/paths.hpp>

namespace gj = guardjit;
using gj::dtype, gj::dyn;
using namespace traces;

#ifdef GUARDJIT_ACCEPT
constexpr int step = 1;
#else
constexpr int step = 0;
#endif
constexpr auto f = [](auto x) {
  return gj::slice(x, 0, 0, 4, step);
};
using given = gj::call_signature<of(8)>;
template void gj::require_paths<std::remove_cvref_t<decltype(f)>, given>();
#ifdef GUARDJIT_ACCEPT
static_assert(gj::paths<std::remove_cvref_t<decltype(f)>, given>::fine);
#endif
