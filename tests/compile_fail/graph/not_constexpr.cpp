// guardjit: tests/compile_fail/graph/not_constexpr.cpp: a helper that is not constexpr
// SPDX-License-Identifier: BSL-1.0
// expect-error: guardjit: compile.f.: the compiler must be able to evaluate f: no static or global variables
// expect-error: non-.?constexpr.? function.*helper
#include "graph/traces.hpp"

#include <guardjit/graph/paths.hpp>

namespace gj = guardjit;
using gj::dtype, gj::dyn;
using namespace traces;

#ifdef GUARDJIT_ACCEPT
constexpr
#endif
float helper();
#ifdef GUARDJIT_ACCEPT
constexpr float helper() { return 2; }
#endif
constexpr auto f = [](auto x) { return x * helper(); };
using given = gj::call_signature<of(4)>;
template void gj::require_paths<std::remove_cvref_t<decltype(f)>, given>();
#ifdef GUARDJIT_ACCEPT
static_assert(gj::paths<std::remove_cvref_t<decltype(f)>, given>::fine);
#endif
