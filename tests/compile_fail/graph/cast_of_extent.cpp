// guardjit: tests/compile_fail/graph/cast_of_extent.cpp: a C++ cast of an extent
// SPDX-License-Identifier: BSL-1.0
// expect-error: cast from type .*extent_sym|cannot convert .extent_sym. to .float.
// expect-error: to<T>.n. converts extents and scalars, no C.. cast
// errors: 2
#include "graph/traces.hpp"

#include <guardjit/graph/paths.hpp>

namespace gj = guardjit;
using gj::dtype, gj::dyn;
using namespace traces;

#ifdef GUARDJIT_ACCEPT
constexpr auto f = [](auto x) { return x * x.extent(0) * gj::to<float>(x.extent(0)); };
#else
constexpr auto f = [](auto x) { return x * float(x.extent(0)); };
#endif
using given = gj::call_signature<of(dyn)>;
template void gj::require_paths<std::remove_cvref_t<decltype(f)>, given>();
#ifdef GUARDJIT_ACCEPT
static_assert(gj::paths<std::remove_cvref_t<decltype(f)>, given>::fine);
#endif
