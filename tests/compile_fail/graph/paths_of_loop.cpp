// guardjit: tests/compile_fail/graph/paths_of_loop.cpp: a loop over a run-time extent
// SPDX-License-Identifier: BSL-1.0
// expect-error: guardjit: too many branches on run-time values; use where or opaque
// expect-error: too_many_paths<40, .*use_where_or_opaque, .*at<16, 'p', 'a', 't', 'h', 's', '_', 'o', 'f', '_', 'l', 'o', 'o', 'p', '.', 'c', 'p', 'p'>
// errors: 1
#include "graph/traces.hpp"

#include <guardjit/graph/paths.hpp>

namespace gj = guardjit;
using gj::dtype, gj::dyn;
using namespace traces;

constexpr auto f = [](auto x) {
  auto y = x;
  for (int i = 0; x.extent(0) > i; ++i)
    y = y + x;
  return y;
};
#ifdef GUARDJIT_ACCEPT
using given = gj::call_signature<of(8)>;
#else
using given = gj::call_signature<of(dyn)>;
#endif
template void gj::require_paths<std::remove_cvref_t<decltype(f)>, given>();
#ifdef GUARDJIT_ACCEPT
static_assert(gj::paths<std::remove_cvref_t<decltype(f)>, given>::fine);
#endif
