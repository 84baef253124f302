// guardjit: tests/compile_fail/graph/concat_extents.cpp: parts of a concat that do not fit beside each other
// SPDX-License-Identifier: BSL-1.0
// expect-error: guardjit: the other extents must be equal
// expect-error: other_extents_differ<.*op::concat, 3, 4, 1, .*.*at<21, 'c', 'o', 'n', 'c', 'a', 't', '_', 'e', 'x', 't', 'e', 'n', 't', 's', '.', 'c', 'p', 'p'>
// errors: 1
#include "graph/traces.hpp"

#include <guardjit/expr/composite/concat.hpp>
#include <guardjit/graph/paths.hpp>

namespace gj = guardjit;
using gj::dtype, gj::dyn;
using namespace traces;

#ifdef GUARDJIT_ACCEPT
constexpr int columns = 3;
#else
constexpr int columns = 4;
#endif
constexpr auto f = [](auto a, auto b) {
  return gj::concat(a, b, 0);
};
using given = gj::call_signature<of(2, 3), of(2, columns)>;
template void gj::require_paths<std::remove_cvref_t<decltype(f)>, given>();
#ifdef GUARDJIT_ACCEPT
static_assert(gj::paths<std::remove_cvref_t<decltype(f)>, given>::fine);
#endif
