// guardjit: tests/compile_fail/graph/bits_of_floats.cpp: bits of a float operand
// SPDX-License-Identifier: BSL-1.0
// expect-error: guardjit: the dtype is not allowed
// expect-error: dtype_is_refused<.*op::bitwise_and, .*dtype::f32, .*at<14, 'b', 'i', 't', 's', '_', 'o', 'f', '_', 'f',
// errors: 1
#include "graph/traces.hpp"

#include <guardjit/graph/paths.hpp>

namespace gj = guardjit;
using gj::dtype, gj::dyn;
using namespace traces;

constexpr auto f = [](auto x, auto y) { return x & y; };
#ifdef GUARDJIT_ACCEPT
using given = gj::call_signature<of<dtype::i32>(4), of<dtype::u8>(4)>;
#else
using given = gj::call_signature<of<dtype::i32>(4), of<dtype::f32>(4)>;
#endif
template void gj::require_paths<std::remove_cvref_t<decltype(f)>, given>();
#ifdef GUARDJIT_ACCEPT
static_assert(gj::paths<std::remove_cvref_t<decltype(f)>, given>::fine);
#endif
