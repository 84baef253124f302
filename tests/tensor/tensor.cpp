// guardjit: tests/tensor/tensor.cpp: making, sharing, copying and converting tensors
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/tensor/tensor.hpp>

#include <doctest/doctest.h>
#include <support/thrown.hpp>

namespace gj = guardjit;
using gj::dyn, gj::index_t, gj::tensor;

#define ELEMENTS bool, std::uint8_t, std::int32_t, std::int64_t, float, double

TEST_CASE_TEMPLATE("tensor: static, mixed and dynamic extents hold zeros", T, ELEMENTS) {
  auto const check = [](auto const& x) {
    CHECK(x.shape() == gj::shape{3, 4});
    CHECK(x.size() == 12);
    CHECK(x.stride(0) == 4);
    CHECK(x.stride(1) == 1);
    CHECK(x.is_contiguous());
    CHECK(x.type() == gj::dtype_v<T>);
    CHECK(x.storage().bytes() == static_cast<index_t>(12 * sizeof(T)));
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 4; ++j) CHECK(x(i, j) == T(0));
  };
  check(tensor<T, 3, 4>{});
  check(tensor<T, dyn, 4>(3));
  check(tensor<T, 3, dyn>(4));
  check(tensor<T, dyn, dyn>(3, 4));
}

TEST_CASE_TEMPLATE("tensor: nested braces give elements", T, ELEMENTS) {
  tensor<T, dyn> const v{T(1), T(0), T(1)};
  CHECK(v.shape() == gj::shape{3});
  CHECK(v(2) == T(1));
  tensor<T, dyn, 2> const m{{T(1), T(0)}, {T(0), T(1)}, {T(1), T(1)}};
  CHECK(m.shape() == gj::shape{3, 2});
  CHECK(m(1, 0) == T(0));
  CHECK(m(2, 0) == T(1));
  tensor<T, dyn, dyn, dyn> const c{{{T(1)}, {T(0)}}};
  CHECK(c.shape() == gj::shape{1, 2, 1});
  tensor<T> const s{T(1)};
  CHECK(s.item() == T(1));
}

TEST_CASE("tensor: braces are elements where parentheses are extents") {
  tensor<std::int64_t, dyn> const elements{3};
  tensor<std::int64_t, dyn> const extents(3);
  CHECK(elements.size() == 1);
  CHECK(elements(0) == 3);
  CHECK(extents.size() == 3);
  CHECK(extents(0) == 0);
}

TEST_CASE("tensor: braces that are ragged or miss a static extent are refused") {
  using square = tensor<float, dyn, dyn>;
  CHECK(support::contains(support::thrown<gj::shape_error>([] {
                          square{{1, 2}, {3}};
                        }),
                        "unequal length, expected shape (2, 2)"));
  CHECK_THROWS_AS((square{{1}, {2, 3}}), gj::shape_error);
  CHECK_THROWS_AS((square{{}, {1}}), gj::shape_error);
  CHECK_THROWS_AS((tensor<float, dyn, dyn, dyn>{{{1}, {2}}, {{3}}}), gj::shape_error);
  CHECK(square{{}, {}}.shape() == gj::shape{2, 0});
  auto const text = support::thrown<gj::shape_error>([] { tensor<float, 2, 3>{{1, 2}, {3, 4}}; });
  CHECK(support::contains(text, "dimension 1 has extent 2, expected 3"));
}

TEST_CASE("tensor: rank 0 has one element and is a number on request") {
  tensor<float> s{2.5f};
  CHECK(s.size() == 1);
  CHECK(s.shape() == gj::shape{});
  CHECK(s() == 2.5f);
  s() = 3.0f;
  CHECK(s.item() == 3.0f);
  CHECK(static_cast<float>(s) == 3.0f);
  CHECK(tensor<double>{}.item() == 0.0);
}

TEST_CASE("tensor: rank 8 is indexed in row-major order") {
  tensor<std::int64_t, 2, dyn, 2, 1, dyn, 2, 1, 2> x(3, 2);
  for (index_t k = 0; k < x.size(); ++k) x.data()[k] = k;
  CHECK(x.size() == 96);
  CHECK(x(1, 2, 1, 0, 1, 1, 0, 1) == 95);
  CHECK(x(1, 0, 0, 0, 0, 0, 0, 0) == 48);
  CHECK(x(0, 0, 0, 0, 1, 0, 0, 1) == 5);
}

TEST_CASE("tensor: empty tensors own nothing") {
  auto const before = gj::live_storages();
  tensor<float, dyn, 784> const made;
  tensor<float, dyn, 0> const stated(5);
  CHECK(gj::live_storages() == before);
  CHECK(made.shape() == gj::shape{0, 784});
  CHECK(made.data() == nullptr);
  CHECK(made.is_contiguous());
  CHECK(made.size() == 0);
  CHECK(stated.shape() == gj::shape{5, 0});
  CHECK(made.clone().size() == 0);
}

TEST_CASE("tensor: copies share elements, clones do not, the last owner releases") {
  auto const before = gj::live_storages();
  {
    tensor<float, dyn> a{1, 2, 3};
    tensor b = a;
    b(0) = 7;
    CHECK(a(0) == 7);
    CHECK(a.storage() == b.storage());
    tensor c = a.clone();
    c(0) = 9;
    CHECK(a(0) == 7);
    CHECK(c.storage().unique());
    a = tensor<float, dyn>{4};
    CHECK(b(2) == 3);
    CHECK(gj::live_storages() == before + 3);
    tensor d = std::move(b);
    CHECK(d(2) == 3);
    CHECK(gj::live_storages() == before + 3);
  }
  CHECK(gj::live_storages() == before);
}

TEST_CASE("tensor: strided, reversed and repeated elements are read and cloned in order") {
  tensor<float, dyn> base{0, 1, 2, 3, 4, 5};
  using matrix = tensor<float, dyn, dyn>;
  auto const look = [&](index_t start, gj::layout<2> const& l) {
    return matrix::adopt(base.storage(), base.data() + start, l);
  };
  auto const transposed = look(0, {{3, 2}, {1, 3}});
  auto const reversed = look(5, {{2, 3}, {-3, -1}});
  auto const repeated = look(1, {{2, 3}, {0, 2}});
  auto const check = [](matrix const& x, std::initializer_list<float> expected) {
    CHECK_FALSE(x.is_contiguous());
    matrix const y = x.clone();
    CHECK(y.is_contiguous());
    CHECK(y.shape() == x.shape());
    float const* e = expected.begin();
    for (index_t i = 0; i < x.extent(0); ++i)
      for (index_t j = 0; j < x.extent(1); ++j, ++e) {
        CHECK(x(i, j) == *e);
        CHECK(x.view()(i, j) == *e);
        CHECK(y(i, j) == *e);
      }
  };
  check(transposed, {0, 3, 1, 4, 2, 5});
  check(reversed, {5, 4, 3, 2, 1, 0});
  check(repeated, {1, 3, 5, 1, 3, 5});
}

TEST_CASE("tensor: rank 4 with mixed strides is cloned in order") {
  tensor<std::int64_t, 3, 2, 4, 2> base;
  for (index_t k = 0; k < base.size(); ++k) base.data()[k] = k;
  using view = tensor<std::int64_t, 2, 3, 2, 4>;
  auto const x = view::adopt(base.storage(), base.data() + 6, {{2, 3, 2, 4}, {8, 16, 1, -2}});
  auto const y = x.clone();
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 3; ++b)
      for (int c = 0; c < 2; ++c)
        for (int d = 0; d < 4; ++d) CHECK(y(a, b, c, d) == base(b, a, 3 - d, c));
}

TEST_CASE("tensor: a view keeps the storage alive") {
  auto const before = gj::live_storages();
  {
    tensor<float, dyn> last;
    {
      tensor<float, dyn> x{1, 2, 3};
      last = tensor<float, dyn>::adopt(x.storage(), x.data() + 2, gj::layout<1>({1}));
    }
    CHECK(last(0) == 3);
    CHECK(gj::live_storages() == before + 1);
  }
  CHECK(gj::live_storages() == before);
}

TEST_CASE("tensor: extents are forgotten freely and asserted with a check") {
  tensor<float, 3, 4> x;
  x(2, 3) = 5;
  tensor<float, dyn, 4> some = x;
  tensor<float, dyn, dyn> none = some;
  CHECK(none(2, 3) == 5);
  CHECK(none.storage() == x.storage());
  CHECK(none.as<3, 4>()(2, 3) == 5);
  CHECK(none.as<3, dyn>().storage() == x.storage());
  CHECK(none.layout() == x.layout());
  auto const text = support::thrown<gj::shape_error>([&] { none.as<3, 5>(); });
  CHECK(support::contains(text, "dimension 1 has extent 4, expected 5"));
  CHECK(support::contains(text, "shape (3, 4), expected (3, 5)"));
  CHECK_THROWS_AS((tensor<float, 2, 4>(some)), gj::shape_error);
}

TEST_CASE("tensor: from_data copies row-major and strided elements") {
  double data[] = {1, 2, 3, 4, 5, 6};
  auto const x = tensor<double, dyn, 3>::from_data(data, {2, 3});
  auto const y = tensor<double, dyn, 2>::from_data(data, {{3, 2}, {1, 3}});
  data[1] = 0;
  CHECK(x(0, 1) == 2);
  CHECK(y(1, 0) == 2);
  CHECK(y(2, 1) == 6);
  CHECK_THROWS_AS((tensor<double, dyn, 4>::from_data(data, {2, 3})), gj::shape_error);
}

TEST_CASE("tensor: uninitialized gives fresh row-major storage, by extents or by layout") {
  auto const x = tensor<float, dyn, 4>::uninitialized({3, 4});
  auto const y = tensor<float, dyn, 4>::uninitialized(x.layout());
  CHECK(x.shape() == gj::shape{3, 4});
  CHECK(y.layout() == x.layout());
  CHECK(y.data() != x.data());
  CHECK(y.storage().bytes() == 48);
  gj::device const other{gj::device_kind::cpu, 3};
  CHECK(tensor<float, dyn, 4>::uninitialized({0, 4}, other).where() == other);
  CHECK_THROWS_AS((tensor<float, dyn, 4>::uninitialized({3, 5})), gj::shape_error);
}

TEST_CASE("tensor: negative and overflowing extents are refused before allocation") {
  auto const before = gj::live_storages();
  using square = tensor<float, dyn, dyn>;
  CHECK(support::contains(support::thrown<gj::shape_error>([] { square(3, -1); }),
                        "extent 1 is negative"));
  index_t const big = index_t{1} << 32;
  CHECK_THROWS_AS(square(big, big), gj::shape_error);
  CHECK_THROWS_AS((tensor<float, dyn, dyn, 0>(big, big)), gj::shape_error);
  CHECK(gj::live_storages() == before);
}
