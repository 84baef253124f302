// guardjit: tests/compile_fail/graph/broadcast.cpp: static extents that do not broadcast
// SPDX-License-Identifier: BSL-1.0
// expect-error: guardjit: extents must be equal or 1
// expect-error: extents_differ<.*op::add, 64, 32, 1, .*at<16, 'b', 'r', 'o', 'a', 'd', 'c', 'a', 's', 't', '.', 'c', 'p', 'p'>
// errors: 1
#include "graph/traces.hpp"

#include <guardjit/graph/paths.hpp>

namespace gj = guardjit;
using gj::dtype, gj::dyn;
using namespace traces;

constexpr auto f = [](auto x, auto b) {
  auto y = x * 2.0f;
  return y + b;
};
#ifdef GUARDJIT_ACCEPT
using given = gj::call_signature<of(dyn, 64), of(64)>;
#else
using given = gj::call_signature<of(dyn, 64), of(32)>;
#endif
template void gj::require_paths<std::remove_cvref_t<decltype(f)>, given>();
#ifdef GUARDJIT_ACCEPT
static_assert(gj::paths<std::remove_cvref_t<decltype(f)>, given>::fine);
#endif
