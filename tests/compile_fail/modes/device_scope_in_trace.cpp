// guardjit: tests/compile_fail/modes/device_scope_in_trace.cpp: a default device is not set in a traced function
// SPDX-License-Identifier: BSL-1.0
// Rules: M85
// expect-error: non-.?(constexpr|literal).*default_device_scope
#include "graph/traces.hpp"

#include <guardjit/graph/paths.hpp>
#include <guardjit/modes/default_device.hpp>

namespace gj = guardjit;
using gj::dtype, gj::dyn;
using namespace traces;

struct f {
  constexpr auto operator()(auto x) const {
#ifndef GUARDJIT_ACCEPT
    gj::default_device_scope const scope(gj::device{gj::device_kind::cpu, 1});
#endif
    return x * 2;
  }
};
using given = gj::call_signature<of(4)>;
template void gj::require_paths<f, given>();
#ifdef GUARDJIT_ACCEPT
static_assert(gj::paths<f, given>::fine);
#endif
