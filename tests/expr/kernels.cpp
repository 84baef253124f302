// guardjit: tests/expr/kernels.cpp: kernels of one op as op calls carry them, and beside fused ones
// SPDX-License-Identifier: BSL-1.0
#include "layouts.hpp"

using namespace eager;
using gj::dtype;
using gj::op;

namespace {

any_tensor call(gj::op_kernel kernel, op id, std::vector<gj::operand> const& operands,
                gj::attributes const& extra = {}) {
  return kernel(gj::op_call(
      {.id = id, .operands = operands, .attribute = &extra, .kernel = kernel, .where = here}));
}

}  // namespace

TEST_CASE_TEMPLATE("a kernel for known dtypes converts operands and takes scalars", Backend,
                   gj::backends::reference, gj::backends::eigen) {
  auto const add = &gj::op_kernel_of<Backend, op::add, dtype::f32, dtype::f32>;
  any_tensor const x = gj::tensor<float, 3>{1, 2, 3}, bytes = gj::tensor<std::uint8_t, 1>{4};
  check_elements<float>(call(add, op::add, {x, bytes}), {3}, {5, 6, 7});
  check_elements<float>(call(add, op::add, {0.5, x}), {3}, {1.5f, 2.5f, 3.5f});
  check_elements<double>(call(add, op::add, {x, any_tensor(gj::tensor<double>(0.5))}), {3},
                         {1.5, 2.5, 3.5});
  check_elements<std::uint8_t>(call(add, op::add, {bytes, 3}), {1}, {7});
  CHECK_THROWS_AS(call(add, op::add, {x, any_tensor(gj::tensor<float, 2>())}), gj::shape_error);

  gj::attributes extra;
  extra.axes = 1;
  auto const sum = &gj::op_kernel_of<Backend, op::sum, dtype::u8, dtype::i64>;
  check_elements<std::int64_t>(
      call(sum, op::sum, {any_tensor(gj::tensor<std::uint8_t, 2>{200, 100})}, extra), shape{},
      {300});
  extra.type = dtype::boolean;
  auto const to = &gj::op_kernel_of<Backend, op::to, dtype::f32, dtype::boolean>;
  check_elements<bool>(call(to, op::to, {x}, extra), {3}, {true, true, true});
  extra.target = {3, 1};
  auto const reshape = &gj::op_kernel_of<Backend, op::reshape, dtype::f32, dtype::f32>;
  CHECK(call(reshape, op::reshape, {x}, extra).storage() == x.storage());
  extra.type = dtype::f32;
  auto const full = &gj::op_kernel_of<Backend, op::full, dtype::f32, dtype::f32>;
  check_elements<float>(call(full, op::full, {2}, extra), {3, 1}, {2, 2, 2});
  CHECK_THROWS_AS(call(full, op::full, {x}, extra), gj::dtype_error);
  CHECK_THROWS_AS(call(reshape, op::reshape, {2}, extra), gj::dtype_error);
}

TEST_CASE_TEMPLATE("ops one by one give the bits of the fused formula", Backend,
                   gj::backends::reference, gj::backends::eigen) {
  using gj::formula_node;
  constexpr auto f32 = dtype::f32;
  // tanh(x * y + y)
  using fused = gj::numbers<
      2, 5, formula_node{op::input, f32, 0, 0, 0}.word(),
      formula_node{op::input, f32, 1, 0, 0}.word(), formula_node{op::mul, f32, 0, 1, 0}.word(),
      formula_node{op::add, f32, 2, 1, 0}.word(), formula_node{op::tanh, f32, 3, 0, 0}.word()>;
  for (index_t n : {1, 3, 4, 7, 8, 15, 16, 17, 31, 33, 100}) {
    gj::tensor<float, dyn> x(n), y(n), out(n);
    for (index_t k = 0; k < n; ++k) {
      x(k) = 1.0f + static_cast<float>(k) * 0x1p-23f * 1e5f;
      y(k) = -1.0f - static_cast<float>(k * k) * 3e-4f;
    }
    void const* const in[] = {std::as_const(x).data(), std::as_const(y).data()};
    Backend::template elementwise<fused>(
        gj::elementwise_nest<3>(out.shape(),
                                {out.layout().view(), x.layout().view(), y.layout().view()}),
        out.data(), in);
    auto const product = run<Backend, op::mul>({}, x, y);
    auto const steps = run<Backend, op::tanh>({}, run<Backend, op::add>({}, product, y));
    check_elements<float>(steps, {n}, elements<float>(out));
    check_elements<float>(
        run<Backend, op::tanh>({}, run<Backend, op::add>({}, any_tensor(product), y)), {n},
        elements<float>(out));
  }
}
