// guardjit: tests/static/expr/eager.cpp: types of eager results
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/compile/evaluator.hpp>
#include <guardjit/kernels/eigen.hpp>
#include <guardjit/kernels/reference.hpp>

using namespace guardjit;

namespace {

template <op Id, int Dims = 0, class To = void, class... Operands>
auto result(Operands const&... in) {
  return eval(detail::run_eager<backends::reference>(op_tag<Id, Dims, To>{}, {}, {}, in...));
}
template <op Id, int Dims, class... Operands> using result_t =
    decltype(result<Id, Dims>(std::declval<Operands const&>()...));

template <class... Types> constexpr bool same = false;
template <class Type> constexpr bool same<Type, Type> = true;

// Extents of both sides are merged; 1 and unknown ones give way.
static_assert(
    same<result_t<op::add, 0, tensor<float, 3, dyn>, tensor<float, dyn, 4>>, tensor<float, 3, 4>>);
static_assert(same<result_t<op::add, 0, tensor<float, dyn>, tensor<float, 1>>, tensor<float, dyn>>);
static_assert(same<result_t<op::add, 0, tensor<float, 2, 3>, tensor<float>>, tensor<float, 2, 3>>);
static_assert(same<result_t<op::add, 0, tensor<float, 1>, tensor<float, 7>>, tensor<float, 7>>);
static_assert(same<result_t<op::add, 0, tensor<float, 1>, any_tensor>, any_tensor>);
static_assert(same<result_t<op::add, 0, any_tensor, double>, any_tensor>);

// Dtypes: promotion, weak scalars, comparisons, floats of integers.
static_assert(same<result_t<op::mul, 0, tensor<std::uint8_t, 3>, tensor<std::int64_t, 3>>,
                   tensor<std::int64_t, 3>>);
static_assert(same<result_t<op::mul, 0, tensor<std::uint8_t, 3>, int>, tensor<std::uint8_t, 3>>);
static_assert(same<result_t<op::mul, 0, tensor<std::uint8_t, 3>, float>, tensor<float, 3>>);
static_assert(same<result_t<op::mul, 0, tensor<float, 3>, double>, tensor<float, 3>>);
static_assert(same<result_t<op::div, 0, tensor<std::uint8_t, 3>, int>, tensor<double, 3>>);
static_assert(same<result_t<op::lt, 0, tensor<double, 3>, tensor<float, 1>>, tensor<bool, 3>>);
static_assert(same<result_t<op::exp, 0, tensor<bool, 3>>, tensor<double, 3>>);
static_assert(same<result_t<op::where, 0, tensor<bool, 3>, float, tensor<std::uint8_t, dyn>>,
                   tensor<float, 3>>);

// Reductions, products, views: the rank is known, extents as far as types tell.
static_assert(same<result_t<op::sum, -1, tensor<std::uint8_t, 2, 3>>, tensor<std::int64_t>>);
static_assert(same<result_t<op::sum, 1, tensor<float, 2, 3>>, tensor<float, dyn>>);
static_assert(same<result_t<op::mean, 0, tensor<bool, 2, 3>>, tensor<double, dyn, dyn>>);
static_assert(same<result_t<op::matmul, 0, tensor<float, dyn, 784>, tensor<float, 784, 10>>,
                   tensor<float, dyn, 10>>);
static_assert(same<result_t<op::matmul, 0, tensor<float, 3>, tensor<float, 3>>, tensor<float>>);
static_assert(same<result_t<op::matmul, 0, tensor<float, 5, 1, 2, 3>, tensor<float, 7, 3, 4>>,
                   tensor<float, 5, 7, 2, 4>>);
static_assert(same<result_t<op::permute, 0, tensor<float, 2, 3>>, tensor<float, dyn, dyn>>);
static_assert(same<result_t<op::reshape, 3, tensor<float, 2, 3>>, tensor<float, dyn, dyn, dyn>>);

// Mistakes that types show.
template <op Id, int Dims, class... Operands>
constexpr mistake_kind wrong = detail::infer_static<Id, Dims, void, Operands...>().wrong.kind;
static_assert(wrong<op::add, 0, tensor<float, 3>, tensor<float, 4>> ==
              mistake_kind::extents_differ);
static_assert(wrong<op::matmul, 0, tensor<float, 2, 32>, tensor<float, 64, dyn>> ==
              mistake_kind::inner_extents_differ);
static_assert(wrong<op::matmul, 0, tensor<float>, tensor<float, 2>> == mistake_kind::rank_too_low);
static_assert(wrong<op::neg, 0, tensor<bool, 3>> == mistake_kind::dtype_is_refused);
static_assert(wrong<op::where, 0, tensor<float, 3>, tensor<float, 3>, int> ==
              mistake_kind::dtype_is_no_bool);
static_assert(wrong<op::sum, 3, tensor<float, 2, 3>> == mistake_kind::axis_out_of_range);
static_assert(wrong<op::expand, 1, tensor<float, 2, 3>> == mistake_kind::rank_too_high);

// The operators take no room and bind to tensors and arithmetic types only.
static_assert(std::is_empty_v<tensor_operators<any_tensor>>);
static_assert(sizeof(tensor<float>) == sizeof(storage) + sizeof(float*) + sizeof(layout<0>));
template <class A, class B>
concept addable = requires(A const& a, B const& b) {
  a + b;
};
static_assert(addable<tensor<float, 3>, int> && addable<int, tensor<float, 3>>);
static_assert(!addable<tensor<float, 3>, void*> && !addable<tensor<float, 3>, storage>);

// Kernels are what op calls carry.
static_assert(
    same<op_kernel, decltype(&op_kernel_of<backends::reference, op::add, dtype::f32, dtype::f32>)>);
static_assert(evaluator<backends::reference>::any_kernel<op::add, void>() ==
              &any_op_kernel<backends::reference, op::add>);

// A formula of one op is numbered as a fused one.
static_assert(same<detail::one_node_formula<op::sub, dtype::f32, dtype::f32>,
                   numbers<2, 3, formula_node{op::input, dtype::f32, 0, 0, 0}.word(),
                           formula_node{op::input, dtype::f32, 1, 0, 0}.word(),
                           formula_node{op::sub, dtype::f32, 0, 1, 0}.word()>>);

}  // namespace
