// guardjit: tests/compile_fail/graph/squeeze_extent.cpp: a squeezed axis with elements side by side
// SPDX-License-Identifier: BSL-1.0
// expect-error: guardjit: a squeezed extent must be 1
// expect-error: extent_is_not_one<.*op::reshape, 8, 0, .*.*at<21, 's', 'q', 'u', 'e', 'e', 'z', 'e', '_', 'e', 'x', 't', 'e', 'n', 't', '.', 'c', 'p', 'p'>
// errors: 1
#include "graph/traces.hpp"

#include <guardjit/expr/composite/unsqueeze.hpp>
#include <guardjit/graph/paths.hpp>

namespace gj = guardjit;
using gj::dtype, gj::dyn;
using namespace traces;

#ifdef GUARDJIT_ACCEPT
constexpr int extent = 1;
#else
constexpr int extent = 8;
#endif
constexpr auto f = [](auto x) {
  return gj::squeeze(x, gj::axes(0));
};
using given = gj::call_signature<of(extent, 2)>;
template void gj::require_paths<std::remove_cvref_t<decltype(f)>, given>();
#ifdef GUARDJIT_ACCEPT
static_assert(gj::paths<std::remove_cvref_t<decltype(f)>, given>::fine);
#endif
