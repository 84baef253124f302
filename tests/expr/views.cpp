// guardjit: tests/expr/views.cpp: view ops and factories of eager code
// SPDX-License-Identifier: BSL-1.0
#include "layouts.hpp"

#include <guardjit/expr/composite/transpose.hpp>

using namespace eager;

namespace {

/// Element number `k` of the result is element `index(k)` of `x`; the storage is shared or not.
template <class T> void check_view(any_tensor const& y, any_tensor const& x, shape const& extents,
                                   bool shared, auto const& index) {
  auto const from = elements<T>(x);
  std::vector<T> want;
  for (index_t k = 0; k < extents.count(); ++k)
    want.push_back(from[static_cast<std::size_t>(index(k))]);
  check_elements<T>(y, extents, want);
  CHECK((y.storage() == x.storage()) == shared);
}

}  // namespace

TEST_CASE_TEMPLATE("views of every layout share the storage", T, bool, std::uint8_t, std::int32_t,
                   std::int64_t, float, double) {
  for (form f : all_forms) {
    any_tensor const x = make<T>({3, 4}, f);
    auto const transposed = [](index_t k) { return k % 3 * 4 + k / 3; };
    check_view<T>(gj::permute(x, gj::axes(1, 0)), x, {4, 3}, true, transposed);
    check_view<T>(gj::transpose(x), x, {4, 3}, true, transposed);
    check_view<T>(gj::transpose(x, -1, 0), x, {4, 3}, true, transposed);
    check_view<T>(gj::expand(x, {2, 3, 4}), x, {2, 3, 4}, true, [](index_t k) { return k % 12; });
    check_view<T>(gj::slice(x, 1, 1, 3), x, {3, 2}, true,
                  [](index_t k) { return k / 2 * 4 + 1 + k % 2; });
    check_view<T>(gj::slice(x, 0, -1, gj::slice_end, -1), x, {3, 4}, true,
                  [](index_t k) { return (2 - k / 4) * 4 + k % 4; });
    check_view<T>(gj::slice(x, -1, 3, 0, -2), x, {3, 2}, true,
                  [](index_t k) { return k / 2 * 4 + 3 - k % 2 * 2; });
    check_view<T>(gj::slice(x, 0, 5), x, {0, 4}, true, [](index_t k) { return k; });

    bool const viewable = f == form::contiguous || f == form::strided || f == form::reversed;
    auto const same = [](index_t k) { return k; };
    check_view<T>(gj::reshape(x, {2, -1}), x, {2, 6}, viewable, same);
    check_view<T>(gj::reshape(x, {3, 2, 2}), x, {3, 2, 2}, true, same);

    for_each_typed<T, 3, 4>(x, [&](auto const& typed) {
      auto const turned = gj::permute(typed, gj::axes(1, 0));
      static_assert(std::is_same_v<decltype(turned), gj::tensor<T, dyn, dyn> const>);
      check_view<T>(turned, x, {4, 3}, true, transposed);
      check_view<T>(gj::slice(typed, 1, 1, 3), x, {3, 2}, true,
                    [](index_t k) { return k / 2 * 4 + 1 + k % 2; });
      auto const flat = gj::reshape(typed, {-1});
      static_assert(std::is_same_v<decltype(flat), gj::tensor<T, dyn> const>);
      check_view<T>(flat, x, {12}, viewable, same);
      check_view<T>(gj::expand(typed, {2, 3, 4}), x, {2, 3, 4}, true,
                    [](index_t k) { return k % 12; });
    });
  }
}

TEST_CASE("views of rank 0 and of no elements") {
  gj::tensor<float> const one(2.5f);
  CHECK(gj::expand(one, {2, 2})(1, 1) == 2.5f);
  CHECK(gj::reshape(one, {1, 1})(0, 0) == 2.5f);
  CHECK(gj::reshape(gj::tensor<float, 1, 1>{{4}}).item() == 4);
  CHECK(gj::transpose(one).item() == 2.5f);
  gj::tensor<float, 0, 3> const none;
  CHECK(gj::transpose(none).shape() == shape{3, 0});
  CHECK(gj::reshape(none, {none.extent(0), 7}).shape() == shape{0, 7});
  CHECK(gj::slice(none, 1, 1).shape() == shape{0, 2});
}

TEST_CASE("a view of a const tensor is another handle of its elements") {
  gj::tensor<float, 2, 2> const x{{1, 2}, {3, 4}};
  auto row = gj::slice(x, 0, 1);
  row(0, 1) = 9;
  CHECK(x(1, 1) == 9);
}

TEST_CASE("wrong views are refused in the words of the rules") {
  gj::tensor<float, 2, 6> const x;
  gj::tensor<float, 0> const none;
  auto const shape_text = [&](auto const& f) { return thrown<gj::shape_error>(f); };
  CHECK(shape_text([&] {
          gj::reshape(x, {5, -1});
        }).find("reshape(x): the other extents must divide") != std::string::npos);
  CHECK(shape_text([&] {
          gj::reshape(x, {none.extent(0), -1});
        }).find("reshape(x): the other extents must divide") != std::string::npos);
  CHECK(shape_text([&] {
          gj::reshape(x, {3, 5});
        }).find("the number of elements must stay: 12 and 15") != std::string::npos);
  CHECK(shape_text([&] {
          gj::reshape(x, {-2, -6});
        }).find("extents must not be negative: -2 at axis 0") != std::string::npos);
  CHECK(shape_text([&] {
          gj::expand(x, {3, 6});
        }).find("expand(x): extents must be equal or 1: 2 and 3 at axis 0") != std::string::npos);
  CHECK(shape_text([&] {
          gj::expand(x, {-1, 6});
        }).find("extents must not be negative") != std::string::npos);
  CHECK(shape_text([&] { gj::slice(x, 0, 0, 1, 0); }).find("slice(x): the step must not be 0") !=
        std::string::npos);
  CHECK(thrown<gj::index_error>([&] {
          gj::slice(x, 2, 0);
        }).find("slice(x): the axis must be within the rank") != std::string::npos);
  CHECK_THROWS_AS(gj::expand(any_tensor(x), {6}), gj::shape_error);
  CHECK_THROWS_AS(gj::transpose(any_tensor(x), 0, 2), gj::index_error);
}

TEST_CASE("factories fill what they make") {
  auto const zeros = gj::zeros<double>({2, 3});
  static_assert(std::is_same_v<decltype(zeros), gj::tensor<double, dyn, dyn> const>);
  check_elements<double>(zeros, {2, 3}, std::vector<double>(6, 0));
  check_elements<std::uint8_t>(gj::ones<std::uint8_t>({3}), {3}, {1, 1, 1});
  check_elements<bool>(gj::ones<bool>({2}), {2}, std::vector<bool>{true, true});
  check_elements<float>(gj::full({1, 2}, 2.5f), {1, 2}, {2.5f, 2.5f});
  check_elements<std::int64_t>(gj::full({2}, std::int64_t{1} << 60), {2},
                               {std::int64_t{1} << 60, std::int64_t{1} << 60});
  CHECK(gj::zeros<float>().item() == 0);
  CHECK(gj::ones<float>(2, 2)(1, 1) == 1);
  CHECK(gj::zeros<float>({0, 3}).size() == 0);
  CHECK(thrown<gj::shape_error>([] {
          gj::zeros<float>({2, -3});
        }).find("zeros(shape): extents must not be negative: -3 at axis 1") != std::string::npos);
  CHECK_THROWS_AS(gj::zeros<float>({index_t{1} << 40, index_t{1} << 40}), gj::shape_error);
}
