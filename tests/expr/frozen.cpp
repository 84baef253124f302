// guardjit: tests/expr/frozen.cpp: frozen tensors: what shares, what copies, and how they are read in eager code
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/core.hpp>
#include <guardjit/tensor/print.hpp>

#include <doctest/doctest.h>

#include "support/tensors.hpp"

namespace gj = guardjit;
using gj::any_tensor, gj::dyn, gj::frozen, gj::tensor;
using support::elements;
using support::mat;
using frozen_matrix = frozen<float, dyn, dyn>;

namespace {

template <class X, class Y> concept can_be_assigned = requires { std::declval<X>() = std::declval<Y>(); };
template <class X> concept can_be_added_to = requires { std::declval<X>() += 1.0f; };
template <class X> concept can_be_written_in_views = requires(X x) { gj::slice(x, 0, 0, 1) = 1.0f; };

// Who may write a tensor may not write it frozen.
static_assert(can_be_added_to<tensor<float, dyn, dyn>&> && !can_be_added_to<frozen_matrix&>);
static_assert(can_be_written_in_views<tensor<float, dyn, dyn>&> && !can_be_written_in_views<frozen_matrix&>);
static_assert(can_be_assigned<frozen_matrix&, frozen_matrix> && !can_be_assigned<frozen_matrix&, tensor<float, dyn, dyn>>);
static_assert(!can_be_assigned<frozen_matrix&, float> && !can_be_assigned<frozen_matrix, frozen_matrix>);
static_assert(!std::is_convertible_v<frozen_matrix, tensor<float, dyn, dyn>> && !std::is_constructible_v<tensor<float, dyn, dyn>, frozen_matrix>);
static_assert(std::is_same_v<decltype(std::declval<frozen_matrix&>()(0, 0)), float const&>);
static_assert(std::is_same_v<decltype(std::declval<frozen_matrix&>().data()), float const*>);
static_assert(std::is_convertible_v<frozen<float, 2, 3>, frozen_matrix> && !std::is_convertible_v<frozen_matrix, frozen<float, 2, 3>>);

}  // namespace

TEST_CASE("G29: freeze copies what others could write, and takes what is given away") {
  tensor<float, dyn, dyn> w = mat(2, 3);
  auto const shared = gj::freeze(w);
  CHECK(shared.data() != w.data());
  w(0, 0) = 50;
  CHECK(elements(shared.clone()) == std::vector<float>{1, 2, 3, 4, 5, 6});

  float const* const data = w.data();
  auto const given = gj::freeze(std::move(w));
  CHECK(given.data() == data);
  auto const again = gj::freeze(given);
  CHECK(again.storage() == given.storage());
  CHECK(gj::freeze(mat(2, 2) * 2.0f)(1, 1) == 8);

  // A view that is given away while its owner stays is copied.
  tensor<float, dyn, dyn> owner = mat(3, 4);
  auto const turned = gj::freeze(gj::transpose(owner));
  CHECK(turned.is_contiguous());
  owner(0, 1) = -1;
  CHECK(turned(1, 0) == 2);
  // The only handle may be a view: the layout stays.
  tensor<float, dyn, dyn> only = support::transposed(mat(3, 4));
  auto const kept = gj::freeze(std::move(only));
  CHECK(kept.stride(0) == 1);
  CHECK(kept(3, 2) == 12);
}

TEST_CASE("G29: handles, extents, rank 0 and no elements") {
  auto w = gj::freeze(mat(2, 3));
  frozen<float, 2, 3> const known = w.as<2, 3>();
  frozen_matrix const open = known;
  CHECK(open.storage() == w.storage());
  CHECK_THROWS_AS((void)(w.as<2, 4>()), gj::shape_error);
  w = gj::freeze(mat(1, 1));
  CHECK(w.size() == 1);
  CHECK(known(1, 2) == 6);

  auto const one = gj::freeze(tensor<double>(2.5));
  CHECK(one.item() == 2.5);
  CHECK(static_cast<double>(one) == 2.5);
  auto const none = gj::freeze(tensor<float, dyn, dyn>(0, 4));
  CHECK(none.shape() == gj::shape{0, 4});
  CHECK(gj::eval(none * 2.0f).size() == 0);
  CHECK(gj::to_string(known) == gj::to_string(mat(2, 3)));
}

TEST_CASE("G29: eager ops read a frozen tensor where it lies, and its views are frozen") {
  auto const w = gj::freeze(mat(3, 3));
  tensor<float, dyn, dyn> const x = mat(3, 3, 2);
  gj::index_t const owners = w.storage().owners();
  {
    auto const e = gj::matmul(x, w) + w * 2.0f - 1.0f;
    CHECK(w.storage().owners() == owners + 2);
    tensor<float, dyn, dyn> const plain = w.clone();
    CHECK(support::same_bits(gj::eval(e), gj::eval(gj::matmul(x, plain) + plain * 2.0f - 1.0f)));
    CHECK(support::same_bits(gj::eval(gj::softmax(w, -1)), gj::eval(gj::softmax(plain, -1))));
    CHECK(elements(gj::eval(gj::sum(w, gj::axes(0)))) == std::vector<float>{12, 15, 18});
    CHECK(elements(gj::eval(gj::concat(w, x))).size() == 18);
    CHECK(gj::eval(w == w)(2, 2));
  }
  CHECK(w.storage().owners() == owners);

  auto const turned = gj::transpose(w);
  auto const row = w(1);
  auto const part = w(gj::full_extent, gj::range(1, 3));
  static_assert(std::is_same_v<decltype(turned), frozen_matrix const>);
  static_assert(std::is_same_v<decltype(row), frozen<float, dyn> const>);
  CHECK(turned.storage() == w.storage());
  CHECK(row(2) == 6);
  CHECK(part(2, 0) == 8);
  // A reshape that must copy gives a frozen tensor, too.
  auto const copied = gj::reshape(turned, {9});
  static_assert(gj::detail::is_frozen_v<decltype(gj::reshape(turned, {9}))>);
  CHECK(copied(1) == 4);

  tensor<float, dyn, dyn> y = mat(3, 3);
  y += w;
  CHECK(y(2, 2) == 18);
  gj::slice(y, 0, 0, 1) = row;
  CHECK(y(0, 2) == 6);
  any_tensor const any = w;
  CHECK(any.storage() == w.storage());
  CHECK((any + w).as<float, dyn, dyn>()(0, 1) == 4);
  gj::op_counter counter;
  {
    gj::mode_scope const scope(counter);
    (void)gj::eval(w + x);
  }
  CHECK(counter.count(gj::op::add) == 1);
}
