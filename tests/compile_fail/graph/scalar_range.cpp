// guardjit: tests/compile_fail/graph/scalar_range.cpp: an integer scalar that is no value of the elements' dtype
// SPDX-License-Identifier: BSL-1.0
// expect-error: guardjit: the scalar must be in the range of the dtype
// expect-error: scalar_out_of_range<.*op::add, 300, .*dtype::u8, .*at<15, 's', 'c', 'a', 'l', 'a', 'r', '_', 'r', 'a', 'n', 'g', 'e', '.', 'c', 'p', 'p'>
// errors: 1
#include "graph/traces.hpp"

#include <guardjit/graph/paths.hpp>

namespace gj = guardjit;
using gj::dtype, gj::dyn;
using namespace traces;

constexpr auto f = [](auto x) {
  return x + 300;
};
#ifdef GUARDJIT_ACCEPT
using given = gj::call_signature<of<dtype::f32>(4)>;
#else
using given = gj::call_signature<of<dtype::u8>(4)>;
#endif
template void gj::require_paths<std::remove_cvref_t<decltype(f)>, given>();
#ifdef GUARDJIT_ACCEPT
static_assert(gj::paths<std::remove_cvref_t<decltype(f)>, given>::fine);
#endif
