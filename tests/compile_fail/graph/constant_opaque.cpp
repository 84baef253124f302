// guardjit: tests/compile_fail/graph/constant_opaque.cpp: a callable of real tensors where the compiler evaluates
// SPDX-License-Identifier: BSL-1.0
// Rules: G97, GRD-144
// expect-error: guardjit: evaluate_constant\(f, values\): f must not call opaque
// expect-error: break_in_constant<.*at<19
// errors: 1
#include <guardjit/graph/evaluate_constant.hpp>
#include <guardjit/transforms/opaque.hpp>

namespace gj = guardjit;
using matrix = gj::literal_tensor<float, 2, 2>;

constexpr auto f = [](auto const& x) {
  auto const y = x + 1.0f;
#ifdef GUARDJIT_ACCEPT
  return y;
#else
  using result = gj::tensor<float, 2, 2>;
  return gj::opaque<result>([](gj::any_tensor const& z) { return z; })(y);
#endif
};
static_assert(gj::evaluate_constant(f, matrix{{1, 2, 3, 4}}) == matrix{{2, 3, 4, 5}});
