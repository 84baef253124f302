// guardjit: tests/compile_fail/graph/branch_on_data.cpp: a branch on an element
// SPDX-License-Identifier: BSL-1.0
// expect-error: guardjit: a branch must not depend on elements; use where
// expect-error: branch_on_data<.*use_where, .*at<15, 'b', 'r', 'a', 'n', 'c', 'h', '_', 'o', 'n', '_', 'd', 'a', 't', 'a', '.', 'c', 'p', 'p'>
// errors: 1
#include "graph/traces.hpp"

#include <guardjit/graph/paths.hpp>

namespace gj = guardjit;
using gj::dtype, gj::dyn;
using namespace traces;

constexpr auto f = [](auto x) {
  if (x > 0)
    return x * 2.0f;
  return -x;
};
#ifdef GUARDJIT_ACCEPT
using given = gj::call_signature<scalar()>;
#else
using given = gj::call_signature<of()>;
#endif
template void gj::require_paths<std::remove_cvref_t<decltype(f)>, given>();
#ifdef GUARDJIT_ACCEPT
static_assert(gj::paths<std::remove_cvref_t<decltype(f)>, given>::fine);
#endif
