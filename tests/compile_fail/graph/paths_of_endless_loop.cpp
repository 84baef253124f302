// guardjit: tests/compile_fail/graph/paths_of_endless_loop.cpp: a loop that no path leaves
// SPDX-License-Identifier: BSL-1.0
// expect-error: guardjit: too many branches on run-time values; use where or opaque
// expect-error: too_many_paths<4096, .*use_where_or_opaque, .*at<15, 'p', 'a', 't', 'h', 's', '_', 'o', 'f', '_', 'e', 'n', 'd', 'l', 'e', 's', 's', '_', 'l', 'o', 'o', 'p', '.', 'c', 'p', 'p'>
// errors: 1
#include "graph/traces.hpp"

#include <guardjit/graph/paths.hpp>

namespace gj = guardjit;
using gj::dtype, gj::dyn;
using namespace traces;

constexpr auto f = [](auto x) {
  while (!(x.extent(0) == 4))
    x = x + x;
  return x;
};
#ifdef GUARDJIT_ACCEPT
using given = gj::call_signature<of(4)>;
#else
using given = gj::call_signature<of(dyn)>;
#endif
template void gj::require_paths<std::remove_cvref_t<decltype(f)>, given>();
#ifdef GUARDJIT_ACCEPT
static_assert(gj::paths<std::remove_cvref_t<decltype(f)>, given>::fine);
#endif
