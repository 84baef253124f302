// guardjit: tests/compile_fail/graph/select_index.cpp: an index that the axis does not have
// SPDX-License-Identifier: BSL-1.0
// expect-error: guardjit: the index must be within the extent
// expect-error: index_out_of_range<.*op::select, -9, 0, 8, .*.*at<21, 's', 'e', 'l', 'e', 'c', 't', '_', 'i', 'n', 'd', 'e', 'x', '.', 'c', 'p', 'p'>
// errors: 1
#include "graph/traces.hpp"

#include <guardjit/expr/composite/index.hpp>
#include <guardjit/graph/paths.hpp>

namespace gj = guardjit;
using gj::dtype, gj::dyn;
using namespace traces;

#ifdef GUARDJIT_ACCEPT
constexpr int place = -8;
#else
constexpr int place = -9;
#endif
constexpr auto f = [](auto x) {
  return x(place);
};
using given = gj::call_signature<of(8)>;
template void gj::require_paths<std::remove_cvref_t<decltype(f)>, given>();
#ifdef GUARDJIT_ACCEPT
static_assert(gj::paths<std::remove_cvref_t<decltype(f)>, given>::fine);
#endif
