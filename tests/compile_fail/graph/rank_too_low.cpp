// guardjit: tests/compile_fail/graph/rank_too_low.cpp: a product of a number
// SPDX-License-Identifier: BSL-1.0
// expect-error: guardjit: the rank is too low
// expect-error: rank_too_low<.*op::matmul, 0, 1, .*at<15, 'r', 'a', 'n', 'k', '_', 't', 'o', 'o', '_', 'l', 'o', 'w', '.', 'c', 'p', 'p'>
// errors: 1
#include "graph/traces.hpp"

#include <guardjit/graph/paths.hpp>

namespace gj = guardjit;
using gj::dtype, gj::dyn;
using namespace traces;

constexpr auto f = [](auto x, auto y) {
  return gj::matmul(x, y);
};
#ifdef GUARDJIT_ACCEPT
using given = gj::call_signature<of(6, 8), of(8)>;
#else
using given = gj::call_signature<of(6, 8), of()>;
#endif
template void gj::require_paths<std::remove_cvref_t<decltype(f)>, given>();
#ifdef GUARDJIT_ACCEPT
static_assert(gj::paths<std::remove_cvref_t<decltype(f)>, given>::fine);
#endif
