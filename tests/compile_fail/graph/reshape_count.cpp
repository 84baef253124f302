// guardjit: tests/compile_fail/graph/reshape_count.cpp: a reshape that changes the number of elements
// SPDX-License-Identifier: BSL-1.0
// expect-error: guardjit: the number of elements must stay
// expect-error: count_differs<.*op::reshape, 48, 50, .*at<15, 'r', 'e', 's', 'h', 'a', 'p', 'e', '_', 'c', 'o', 'u', 'n', 't', '.', 'c', 'p', 'p'>
// errors: 1
#include "graph/traces.hpp"

#include <guardjit/graph/paths.hpp>

namespace gj = guardjit;
using gj::dtype, gj::dyn;
using namespace traces;

constexpr auto f = [](auto x) {
  return gj::reshape(x, {5, 10});
};
#ifdef GUARDJIT_ACCEPT
using given = gj::call_signature<of(25, 2)>;
#else
using given = gj::call_signature<of(6, 8)>;
#endif
template void gj::require_paths<std::remove_cvref_t<decltype(f)>, given>();
#ifdef GUARDJIT_ACCEPT
static_assert(gj::paths<std::remove_cvref_t<decltype(f)>, given>::fine);
#endif
