// guardjit: tests/static/compile/described.cpp: descriptions as types and as graphs
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/graph/evaluate_constant.hpp>
#include <guardjit/guardjit.hpp>

using namespace guardjit;

namespace {

using vector = call_signature<argument_type{dtype::f32, false, shape{4}},
                         argument_type{dtype::f32, false, shape{4}}>;
template <auto E> constexpr int nodes =
    traced<detail::described_function<E>, vector>::graph.view().size();

// What is written once and used twice is one node: two arguments, x * w, 2, mul, add, relu.
constexpr auto product = arg<0> * arg<1>;
static_assert(nodes<relu(product + product * 2.0f)> == 7);
static_assert(nodes<softmax(product)> == 9);
static_assert(nodes<reshape(product, {2, -1})> == 4);
static_assert(nodes<where(arg<0> > arg<1>, arg<0>, 0.0f)> == 5);

// Equal descriptions of one line are one function.
constexpr auto doubled = [] { return arg<0> * 2.0f; };
static_assert(std::is_same_v<detail::described_function<doubled()>, detail::described_function<doubled()>>);
static_assert(!std::is_same_v<detail::described_function<arg<0> * 2.0f>,
                              detail::described_function<arg<0> * 3.0f>>);

// Lambdas take descriptions, and descriptions take what functions take.
constexpr auto layer = [](auto const& x, auto const& w) { return guardjit::tanh(x * w + 1.0f); };
static_assert(description<decltype(layer(arg<0>, arg<1>))>);
static_assert(!description<tensor<float, 3>> && !description<float>);
static_assert(detail::described_arity<decltype(layer(arg<0>, arg<4>))> == 5);
static_assert(std::is_same_v<decltype(eval(product(std::declval<tensor<float, 3>>(),
                                                   std::declval<tensor<double, dyn>>()))),
                             tensor<double, 3>>);

// The compiler evaluates a description, too.
static_assert(evaluate_constant([](auto x) { return (arg<0> * arg<0> + 1.0f)(x); }, 2.0f) == 5.0f);

// By its type, a description with attributes is not known.
static_assert(detail::describable_by_type<decltype(relu(product) * 2)>);
static_assert(!detail::describable_by_type<decltype(sum(product, axes(0)))>);
static_assert(detail::describable_by_type<decltype(sum(product, keepdims))>);

}  // namespace
