// guardjit: tests/compile_fail/graph/rank_too_high.cpp: an expand to fewer axes
// SPDX-License-Identifier: BSL-1.0
// expect-error: guardjit: the rank is too high
// expect-error: rank_too_high<.*op::expand, 2, 1, .*at<15, 'r', 'a', 'n', 'k', '_', 't', 'o', 'o', '_', 'h', 'i', 'g', 'h', '.', 'c', 'p', 'p'>
// errors: 1
#include "graph/traces.hpp"

#include <guardjit/graph/paths.hpp>

namespace gj = guardjit;
using gj::dtype, gj::dyn;
using namespace traces;

constexpr auto f = [](auto x) {
  return gj::expand(x, {8});
};
#ifdef GUARDJIT_ACCEPT
using given = gj::call_signature<of(8)>;
#else
using given = gj::call_signature<of(6, 8)>;
#endif
template void gj::require_paths<std::remove_cvref_t<decltype(f)>, given>();
#ifdef GUARDJIT_ACCEPT
static_assert(gj::paths<std::remove_cvref_t<decltype(f)>, given>::fine);
#endif
