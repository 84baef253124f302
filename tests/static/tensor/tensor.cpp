// guardjit: tests/static/tensor/tensor.cpp: conversions, noexcept and constness of tensors
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/tensor/any_tensor.hpp>

namespace gj = guardjit;
using gj::any_tensor, gj::dyn, gj::storage, gj::tensor, gj::tensor_view;

template <class T> constexpr bool is_a_handle = std::is_nothrow_move_constructible_v<T>&&
    std::is_nothrow_move_assignable_v<T>&& std::is_nothrow_copy_constructible_v<T>&&
        std::is_nothrow_copy_assignable_v<T>&& std::is_nothrow_destructible_v<T>;
static_assert(is_a_handle<storage> && is_a_handle<any_tensor>);
static_assert(is_a_handle<tensor<float>> && is_a_handle<tensor<bool, dyn, 3>>);
static_assert(is_a_handle<tensor_view<float const, dyn>>);
static_assert(std::is_nothrow_default_constructible_v<storage>);
static_assert(std::is_nothrow_default_constructible_v<any_tensor>);
static_assert(sizeof(storage) == sizeof(void*));

// Static extents are known without an object.
using mixed = tensor<double, dyn, 784>;
static_assert(mixed::rank() == 2 && mixed::static_extent(0) == dyn &&
              mixed::static_extent(1) == 784);
static_assert(mixed::static_shape() == gj::shape{dyn, 784} && mixed::type() == gj::dtype::f64);
static_assert(tensor<float>::rank() == 0 && tensor<float>::static_shape() == gj::shape{});
static_assert(tensor<float, 1, 2, 3, 4, 5, 6, 7, 8>::rank() == 8);

// Forgetting an extent is implicit, asserting one is explicit, contradicting one does not compile.
template <class From, class To> constexpr bool only_explicit =
    std::is_constructible_v<To, From> && !std::is_convertible_v<From, To>;
static_assert(std::is_convertible_v<tensor<float, 3, 4>, tensor<float, dyn, 4>>);
static_assert(std::is_convertible_v<tensor<float, 3, 4>, tensor<float, dyn, dyn>>);
static_assert(only_explicit<tensor<float, dyn, 4>, tensor<float, 3, 4>>);
static_assert(only_explicit<tensor<float, dyn, 4>, tensor<float, 3, dyn>>);
static_assert(!std::is_constructible_v<tensor<float, 3, 4>, tensor<float, 3, 5>>);
static_assert(!std::is_constructible_v<tensor<float, dyn>, tensor<float, dyn, dyn>>);
static_assert(!std::is_constructible_v<tensor<float, dyn>, tensor<double, dyn>>);

// Numbers become no tensor by themselves, and only rank 0 becomes a number.
static_assert(!std::is_convertible_v<float, tensor<float>>);
static_assert(!std::is_convertible_v<int, tensor<float, dyn>>);
static_assert(std::is_constructible_v<tensor<float, dyn>, int>);
static_assert(!std::is_constructible_v<tensor<float, dyn>, int, int>);
static_assert(!std::is_constructible_v<tensor<float, dyn>, double>);
static_assert(!std::is_constructible_v<tensor<float, 3>, int>);
static_assert(std::is_constructible_v<float, tensor<float>>);
static_assert(!std::is_convertible_v<tensor<float>, float>);
static_assert(!std::is_constructible_v<float, tensor<float, 1>>);

// Every tensor becomes an any_tensor; the way back has a name.
static_assert(std::is_convertible_v<tensor<float, dyn, 4>, any_tensor>);
static_assert(!std::is_constructible_v<tensor<float, dyn, 4>, any_tensor>);

// Const handles give const elements.
template <class Tensor> using one_element = decltype(std::declval<Tensor&>()(0, 0));
static_assert(std::is_same_v<one_element<mixed>, double&>);
static_assert(std::is_same_v<one_element<mixed const>, double const&>);
static_assert(std::is_same_v<decltype(std::declval<mixed const&>().data()), double const*>);
static_assert(
    std::is_same_v<decltype(std::declval<mixed&>().view()), tensor_view<double, dyn, 784>>);
static_assert(std::is_same_v<decltype(std::declval<mixed const&>().view()),
                             tensor_view<double const, dyn, 784>>);
static_assert(std::is_same_v<decltype(std::declval<any_tensor const&>().data()), void const*>);

// Elements are named by integers, one for each axis.
static_assert(std::is_invocable_v<mixed&, int, long>);
static_assert(!std::is_invocable_v<mixed&, double> && !std::is_invocable_v<mixed&, bool>);
static_assert(!std::is_invocable_v<mixed&, double, int>);

// A view may lose the right to write, not gain it.
static_assert(std::is_convertible_v<tensor_view<float, 3>, tensor_view<float const, dyn>>);
static_assert(!std::is_constructible_v<tensor_view<float, 3>, tensor_view<float const, 3>>);
static_assert(!std::is_constructible_v<tensor_view<float, 3>, tensor_view<float, dyn>>);

// Views and their elements are usable in constant expressions.
constexpr float numbers[] = {0, 1, 2, 3, 4, 5};
constexpr tensor_view<float const, dyn, 3> view(numbers, 2);
static_assert(view(1, 2) == 5 && view.size() == 6 && view.shape() == gj::shape{2, 3});

constexpr bool copies_strided_elements() {
  float out[6]{};
  gj::copy_elements(gj::layout<2>({3, 2}, {1, 3}).view(), numbers, out);
  return out[0] == 0 && out[1] == 3 && out[2] == 1 && out[3] == 4 && out[4] == 2 && out[5] == 5;
}
static_assert(copies_strided_elements());

// Size classes: powers of two from 64 to 4096 bytes.
static_assert(gj::detail::storage_class_of(0) == 0 && gj::detail::storage_class_of(64) == 0);
static_assert(gj::detail::storage_class_of(65) == 1 && gj::detail::storage_class_of(128) == 1);
static_assert(gj::detail::storage_class_of(4096) == 6);
static_assert(gj::detail::storage_class_of(4097) == gj::detail::uncached_class);

static_assert(gj::byte_count(gj::shape{3, 4}, gj::dtype::f32) == 48);
static_assert(gj::byte_count(gj::shape{}, gj::dtype::f64) == 8);
static_assert(gj::byte_count(gj::shape{3, 0}, gj::dtype::f64) == 0);
