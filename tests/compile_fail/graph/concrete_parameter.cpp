// guardjit: tests/compile_fail/graph/concrete_parameter.cpp: a parameter that is not auto
// SPDX-License-Identifier: BSL-1.0
// expect-error: guardjit: compile.f.: f cannot be called with symbols: each parameter must be auto
// errors: 1
#include "graph/traces.hpp"

#include <guardjit/graph/paths.hpp>

namespace gj = guardjit;
using gj::dtype, gj::dyn;
using namespace traces;

#ifdef GUARDJIT_ACCEPT
constexpr auto f = [](auto x, auto k) { return x * k; };
#else
constexpr auto f = [](auto x, int k) { return x * k; };
#endif
using given = gj::call_signature<of(4), scalar<dtype::i64>()>;
template void gj::require_paths<std::remove_cvref_t<decltype(f)>, given>();
#ifdef GUARDJIT_ACCEPT
static_assert(gj::paths<std::remove_cvref_t<decltype(f)>, given>::fine);
#endif
