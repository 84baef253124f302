// guardjit: tests/tensor/any_tensor.cpp: dtype and rank at run time, and the way back
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/tensor/any_tensor.hpp>

#include <doctest/doctest.h>
#include <support/thrown.hpp>

namespace gj = guardjit;
using gj::any_tensor, gj::dyn, gj::dtype, gj::tensor;

TEST_CASE_TEMPLATE("any_tensor: there and back shares the elements", T, bool, std::uint8_t,
                   std::int32_t, std::int64_t, float, double) {
  tensor<T, dyn, 2> x{{T(1), T(0)}, {T(0), T(1)}};
  any_tensor const a = x;
  CHECK(bool(a));
  CHECK(a.type() == gj::dtype_v<T>);
  CHECK(a.rank() == 2);
  CHECK(a.shape() == gj::shape{2, 2});
  CHECK(a.extent(1) == 2);
  CHECK(a.stride(0) == 2);
  CHECK(a.size() == 4);
  CHECK(a.is_contiguous());
  CHECK(a.layout().hash() == x.layout().hash());
  CHECK(a.data() == x.data());
  CHECK(a.storage() == x.storage());
  auto y = a.as<T, 2, dyn>();
  y(0, 1) = T(1);
  CHECK(x(0, 1) == T(1));
  CHECK(a.data_as<T>()[1] == T(1));
}

TEST_CASE("any_tensor: no tensor is false and refuses to be one") {
  any_tensor const none;
  CHECK_FALSE(bool(none));
  CHECK(none.size() == 0);
  CHECK_FALSE(bool(none.clone()));
  CHECK(support::contains(support::thrown<gj::dtype_error>([&] { none.as<float>(); }),
                        "no tensor, expected f32"));
}

TEST_CASE("any_tensor: as names what was expected and what is there") {
  any_tensor const a = tensor<float, 2, 3>{};
  CHECK(support::contains(support::thrown<gj::dtype_error>([&] { a.as<double, 2, 3>(); }),
                        "dtype f32, expected f64"));
  CHECK(support::contains(support::thrown<gj::shape_error>([&] { a.as<float, dyn>(); }),
                        "rank 2, expected 1; shape (2, 3), expected (?)"));
  CHECK(support::contains(support::thrown<gj::shape_error>([&] { a.as<float, dyn, 4>(); }),
                        "dimension 1 has extent 3, expected 4; shape (2, 3), expected (?, 4)"));
  CHECK_THROWS_AS(a.data_as<bool>(), gj::dtype_error);
}

TEST_CASE("any_tensor: item reads the one element, whatever the rank") {
  CHECK(any_tensor(tensor<double>{2.5}).item<double>() == 2.5);
  CHECK(any_tensor(tensor<std::int64_t, 1, 1>{{7}}).item<std::int64_t>() == 7);
  any_tensor const a = tensor<float, 2, 3>{};
  CHECK(support::contains(support::thrown<gj::shape_error>([&] { a.item<float>(); }),
                        "shape (2, 3) has 6 elements, expected 1"));
  CHECK_THROWS_AS(any_tensor(tensor<float>{1}).item<double>(), gj::dtype_error);
}

TEST_CASE("any_tensor: made zeros of every dtype, rank and device label") {
  gj::device const other{gj::device_kind::cpu, 1};
  for (int k = 0; k < gj::dtype_count; ++k) {
    auto const type = static_cast<dtype>(k);
    any_tensor const a(type, {2, 3, 4}, other);
    CHECK(a.type() == type);
    CHECK(a.where() == other);
    CHECK(a.storage().bytes() == 24 * gj::size_of(type));
    gj::visit_dtype(type, [&]<class T>(std::type_identity<T>) {
      for (int n = 0; n < 24; ++n) CHECK(a.data_as<T>()[n] == T(0));
    });
    any_tensor const one(type, {});
    CHECK(one.size() == 1);
    any_tensor const empty(type, {3, 0}, other);
    CHECK(bool(empty));
    CHECK(empty.size() == 0);
    CHECK(empty.where() == other);
  }
  CHECK_THROWS_AS(any_tensor::uninitialized(dtype::u8, {-2}), gj::shape_error);
}

TEST_CASE("any_tensor: clone copies elements of any layout, and the device") {
  tensor<float, dyn> x{0, 1, 2, 3, 4, 5};
  gj::device const other{gj::device_kind::cpu, 2};
  auto const a = any_tensor::adopt(x.storage(), x.data() + 5, dtype::f32,
                                   gj::any_layout(gj::shape{3, 2}, {-1, -3}), other);
  any_tensor const b = a.clone();
  CHECK(b.is_contiguous());
  CHECK(b.where() == other);
  CHECK(b.storage() != a.storage());
  auto const t = b.as<float, 3, 2>();
  CHECK(t(0, 0) == 5);
  CHECK(t(0, 1) == 2);
  CHECK(t(2, 1) == 0);
  CHECK(a.as<float, 3, 2>()(2, 0) == 3);
}

TEST_CASE("any_tensor: moves pass the storage on, all blocks come back") {
  auto const before = gj::live_storages();
  {
    any_tensor a = tensor<float, dyn>{1, 2};
    CHECK(a.storage().unique());
    any_tensor b = std::move(a);
    CHECK(b.storage().unique());
    any_tensor c = b;
    CHECK_FALSE(c.storage().unique());
    CHECK(gj::live_storages() == before + 1);
  }
  CHECK(gj::live_storages() == before);
}
