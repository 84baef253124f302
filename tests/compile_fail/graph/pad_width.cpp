// guardjit: tests/compile_fail/graph/pad_width.cpp: more reflected elements than there are
// SPDX-License-Identifier: BSL-1.0
// expect-error: guardjit: there must be elements enough to pad with
// expect-error: padding_too_wide<.*op::concat, 8, 0, 8, .*.*at<21, 'p', 'a', 'd', '_', 'w', 'i', 'd', 't', 'h', '.', 'c', 'p', 'p'>
// errors: 1
#include "graph/traces.hpp"

#include <guardjit/expr/composite/pad.hpp>
#include <guardjit/graph/paths.hpp>

namespace gj = guardjit;
using gj::dtype, gj::dyn;
using namespace traces;

#ifdef GUARDJIT_ACCEPT
constexpr int width = 7;
#else
constexpr int width = 8;
#endif
constexpr auto f = [](auto x) {
  return gj::pad(x, {{width, 0}}, gj::reflect);
};
using given = gj::call_signature<of(8)>;
template void gj::require_paths<std::remove_cvref_t<decltype(f)>, given>();
#ifdef GUARDJIT_ACCEPT
static_assert(gj::paths<std::remove_cvref_t<decltype(f)>, given>::fine);
#endif
