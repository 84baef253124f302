// guardjit: tests/compile_fail/graph/paths_in_number.cpp: more than 64 paths
// SPDX-License-Identifier: BSL-1.0
// expect-error: guardjit: too many branches on run-time values; use where or opaque
// expect-error: too_many_paths<64, .*use_where_or_opaque, .*at<16, 'p', 'a', 't', 'h', 's', '_', 'i', 'n', '_', 'n', 'u', 'm', 'b', 'e', 'r', '.', 'c', 'p', 'p'>
// errors: 1
#include "graph/traces.hpp"

#include <guardjit/graph/paths.hpp>

namespace gj = guardjit;
using gj::dtype, gj::dyn;
using namespace traces;

constexpr auto f = [](auto x) {
  for (int d = 0; d < x.rank(); ++d)
    if (x.extent(d) > 3)
      x = x + d;
  return x;
};
#ifdef GUARDJIT_ACCEPT
using given = gj::call_signature<of(dyn, dyn, dyn, dyn, dyn, dyn, 7)>;
#else
using given = gj::call_signature<of(dyn, dyn, dyn, dyn, dyn, dyn, dyn)>;
#endif
template void gj::require_paths<std::remove_cvref_t<decltype(f)>, given>();
#ifdef GUARDJIT_ACCEPT
static_assert(gj::paths<std::remove_cvref_t<decltype(f)>, given>::fine);
#endif
