// guardjit: tests/compile_fail/graph/split_sizes.cpp: pieces that are not the whole
// SPDX-License-Identifier: BSL-1.0
// expect-error: guardjit: the pieces must add up to the extent
// expect-error: pieces_miss_extent<.*op::slice, 7, 8, 0, .*.*at<21, 's', 'p', 'l', 'i', 't', '_', 's', 'i', 'z', 'e', 's', '.', 'c', 'p', 'p'>
// errors: 1
#include "graph/traces.hpp"

#include <guardjit/expr/composite/split.hpp>
#include <guardjit/graph/paths.hpp>

namespace gj = guardjit;
using gj::dtype, gj::dyn;
using namespace traces;

#ifdef GUARDJIT_ACCEPT
constexpr int last = 5;
#else
constexpr int last = 4;
#endif
constexpr auto f = [](auto x) {
  return gj::split(x, gj::sizes(3, last))[1];
};
using given = gj::call_signature<of(8)>;
template void gj::require_paths<std::remove_cvref_t<decltype(f)>, given>();
#ifdef GUARDJIT_ACCEPT
static_assert(gj::paths<std::remove_cvref_t<decltype(f)>, given>::fine);
#endif
