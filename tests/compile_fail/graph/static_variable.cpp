// guardjit: tests/compile_fail/graph/static_variable.cpp: a function that reads a variable
// SPDX-License-Identifier: BSL-1.0
// expect-error: guardjit: compile.f.: the compiler must be able to evaluate f: no static or global variables
// expect-error: factor
#include "graph/traces.hpp"

#include <guardjit/graph/paths.hpp>

namespace gj = guardjit;
using gj::dtype, gj::dyn;
using namespace traces;

#ifdef GUARDJIT_ACCEPT
constexpr
#endif
float factor = 2;
constexpr auto f = [](auto x) { return x * factor; };
using given = gj::call_signature<of(4)>;
template void gj::require_paths<std::remove_cvref_t<decltype(f)>, given>();
#ifdef GUARDJIT_ACCEPT
static_assert(gj::paths<std::remove_cvref_t<decltype(f)>, given>::fine);
#endif
