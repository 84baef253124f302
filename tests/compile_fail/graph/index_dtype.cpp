// guardjit: tests/compile_fail/graph/index_dtype.cpp: indices that are floats
// SPDX-License-Identifier: BSL-1.0
// expect-error: guardjit: indices must be i32 or i64
// expect-error: dtype_is_no_index<.*op::take, .*.*at<20, 'i', 'n', 'd', 'e', 'x', '_', 'd', 't', 'y', 'p', 'e', '.', 'c', 'p', 'p'>
// errors: 1
#include "graph/traces.hpp"

#include <guardjit/graph/paths.hpp>

namespace gj = guardjit;
using gj::dtype, gj::dyn;
using namespace traces;

#ifdef GUARDJIT_ACCEPT
constexpr auto indices = gj::argument_type{dtype::i32, false, {3}};
#else
constexpr auto indices = gj::argument_type{dtype::f32, false, {3}};
#endif
constexpr auto f = [](auto x, auto i) {
  return gj::take(x, i, 0);
};
using given = gj::call_signature<of(8), indices>;
template void gj::require_paths<std::remove_cvref_t<decltype(f)>, given>();
#ifdef GUARDJIT_ACCEPT
static_assert(gj::paths<std::remove_cvref_t<decltype(f)>, given>::fine);
#endif
