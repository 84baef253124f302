// guardjit: tests/compile_fail/graph/matmul_inner_extents.cpp: static inner extents that differ on one path only
// SPDX-License-Identifier: BSL-1.0
// expect-error: guardjit: inner extents must be equal
// expect-error: matmul_inner_extents_differ<64, 32, .*at<16, 'm', 'a', 't', 'm', 'u', 'l', '_', 'i', 'n', 'n', 'e', 'r', '_', 'e', 'x', 't', 'e', 'n', 't', 's', '.', 'c', 'p', 'p'>
// errors: 1
#include "graph/traces.hpp"

#include <guardjit/graph/paths.hpp>

namespace gj = guardjit;
using gj::dtype, gj::dyn;
using namespace traces;

constexpr auto f = [](auto x, auto w) {
  if (x.extent(0) > 16)
    return gj::matmul(x, w);
  return gj::matmul(gj::slice(x, 1, 0, 32), gj::slice(w, 0, 0, 32));
};
#ifdef GUARDJIT_ACCEPT
using given = gj::call_signature<of(dyn, 64), of(64, 8)>;
#else
using given = gj::call_signature<of(dyn, 64), of(32, 8)>;
#endif
template void gj::require_paths<std::remove_cvref_t<decltype(f)>, given>();
#ifdef GUARDJIT_ACCEPT
static_assert(gj::paths<std::remove_cvref_t<decltype(f)>, given>::fine);
#endif
