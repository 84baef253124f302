// guardjit: tests/expr/indexing.cpp: x(…), and views that put in, take out, turn and split axes
// SPDX-License-Identifier: BSL-1.0
#include "layouts.hpp"

#include <guardjit/expr/composite/flip.hpp>
#include <guardjit/expr/composite/index.hpp>
#include <guardjit/expr/composite/split.hpp>
#include <guardjit/expr/composite/transpose.hpp>
#include <guardjit/modes/mode_scope.hpp>
#include <guardjit/modes/op_counter.hpp>

using namespace eager;
using gj::ellipsis, gj::full_extent, gj::newaxis, gj::range, gj::slice_begin, gj::slice_end;

namespace {

/// Element k of the result is element `index(k)` of `x`, and both share the storage.
template <class T> void check_view(any_tensor const& y, any_tensor const& x, shape const& extents,
                                   auto const& index) {
  auto const from = elements<T>(x);
  std::vector<T> want;
  for (index_t k = 0; k < extents.count(); ++k) want.push_back(from[static_cast<std::size_t>(index(k))]);
  check_elements<T>(y, extents, want);
  CHECK(y.storage() == x.storage());
}

}  // namespace

TEST_CASE_TEMPLATE("N40, N50, POL-11: x(…) is a view, in every layout", T, bool, std::uint8_t, std::int32_t,
                   std::int64_t, float, double) {
  for (form f : all_forms) {
    any_tensor const a = make<T>({3, 4}, f);
    auto const check = [&](auto const& x) {
      check_view<T>(x(1), a, {4}, [](index_t k) { return 4 + k; });
      check_view<T>(x(-3), a, {4}, [](index_t k) { return k; });
      check_view<T>(x(full_extent, -1), a, {3}, [](index_t k) { return 4 * k + 3; });
      check_view<T>(x(ellipsis, 0), a, {3}, [](index_t k) { return 4 * k; });
      check_view<T>(x(range(1, slice_end)), a, {2, 4}, [](index_t k) { return 4 + k; });
      check_view<T>(x(range(slice_begin, slice_end, -1), range(1, -1)), a, {3, 2},
                    [](index_t k) { return (2 - k / 2) * 4 + 1 + k % 2; });
      check_view<T>(x(newaxis, 2, ellipsis, newaxis), a, {1, 4, 1}, [](index_t k) { return 8 + k; });
      check_view<T>(x(ellipsis, newaxis, range(0, 4, 3)), a, {3, 1, 2},
                    [](index_t k) { return k / 2 * 4 + k % 2 * 3; });
      check_view<T>(x(range(-100, 100, 2), 1), a, {2}, [](index_t k) { return 8 * k + 1; });
      check_view<T>(gj::index(x, 2, -1), a, {}, [](index_t) { return 11; });
      check_view<T>(gj::index(x), a, {3, 4}, [](index_t k) { return k; });
      check_view<T>(gj::select(x, -1, 2), a, {3}, [](index_t k) { return 4 * k + 2; });
    };
    check(a);
    for_each_typed<T, 3, 4>(a, check);
  }
}

TEST_CASE("x(…) where all indices are numbers is an element of a tensor, a view of an any_tensor") {
  gj::tensor<float, 2, 3> x{{1, 2, 3}, {4, 5, 6}};
  static_assert(std::is_same_v<decltype(x(1, 2)), float&>);
  static_assert(std::is_same_v<decltype(std::as_const(x)(1)), gj::tensor<float, dyn>>);
  any_tensor const a = x;
  CHECK(a(1, 2).item<float>() == 6);
  CHECK(gj::eval((x + 1.0f)(1, 2)).item() == 7);
  CHECK(gj::eval((x * x)(full_extent, range(slice_begin, slice_end, -2)))(1, 0) == 36);
  gj::tensor<float> const one(2.5f);
  CHECK(one() == 2.5f);
  CHECK(one(newaxis)(0) == 2.5f);
  CHECK(gj::tensor<float, 0, 3>()(full_extent, 1).size() == 0);
}

TEST_CASE_TEMPLATE("N50: squeeze, unsqueeze, movedim and flip are views, in every layout", T, bool, std::uint8_t,
                   std::int32_t, std::int64_t, float, double) {
  auto const same = [](index_t k) { return k; };
  for (form f : all_forms) {
    any_tensor const a = make<T>({3, 4}, f);
    auto const check = [&](auto const& x) {
      check_view<T>(gj::unsqueeze(x, 0), a, {1, 3, 4}, same);
      check_view<T>(gj::unsqueeze(x, 1), a, {3, 1, 4}, same);
      check_view<T>(gj::unsqueeze(x, -1), a, {3, 4, 1}, same);
      check_view<T>(gj::squeeze(gj::unsqueeze(gj::unsqueeze(x, 1), 0), gj::axes(0, -2)), a, {3, 4}, same);
      check_view<T>(gj::squeeze(x, gj::axes<0>()), a, {3, 4}, same);
      check_view<T>(gj::flip(x), a, {3, 4}, [](index_t k) { return 11 - k; });
      check_view<T>(gj::flip(x, gj::axes(-1)), a, {3, 4}, [](index_t k) { return k / 4 * 4 + 3 - k % 4; });
      check_view<T>(gj::flip(x, gj::axes<0>()), a, {3, 4}, same);
      check_view<T>(gj::movedim(x, 0, -1), a, {4, 3}, [](index_t k) { return k % 3 * 4 + k / 3; });
    };
    check(a);
    for_each_typed<T, 3, 4>(a, check);
  }
  any_tensor const b = make<T>({1, 3, 1}, form::strided);
  check_view<T>(gj::squeeze(b), b, {3}, same);
  any_tensor const none = make<T>({1, 0}, form::contiguous);
  check_view<T>(gj::squeeze(none), none, {0}, same);
}

TEST_CASE("movedim moves one axis, the others keep their order") {
  gj::tensor<float, 2, 3, 4> const x;
  CHECK(gj::movedim(x, 0, 2).shape() == shape{3, 4, 2});
  CHECK(gj::movedim(x, -1, 0).shape() == shape{4, 2, 3});
  CHECK(gj::movedim(x, 1, 1).shape() == shape{2, 3, 4});
}

TEST_CASE("split: views of given extents, of equal ones, and of one size") {
  gj::tensor<float, dyn, dyn> x(2, 7);
  for (index_t k = 0; k < 14; ++k) x.data()[k] = static_cast<float>(k);
  auto const check = [&](auto const& v) {
    auto const pieces = gj::split(v, gj::sizes(2, 0, 5), 1);
    static_assert(pieces.size() == 3);
    check_view<float>(pieces[0], x, {2, 2}, [](index_t k) { return k / 2 * 7 + k % 2; });
    check_view<float>(pieces[1], x, {2, 0}, [](index_t k) { return k; });
    check_view<float>(pieces[2], x, {2, 5}, [](index_t k) { return k / 5 * 7 + 2 + k % 5; });
    auto const equal = gj::split<7>(v);
    static_assert(equal.size() == 7);
    check_view<float>(equal[6], x, {2, 1}, [](index_t k) { return 7 * k + 6; });
    auto const listed = gj::split(v, 3, 1);
    REQUIRE(listed.size() == 3);
    check_view<float>(listed[1], x, {2, 3}, [](index_t k) { return k / 3 * 7 + 3 + k % 3; });
    check_view<float>(listed[2], x, {2, 1}, [](index_t k) { return 7 * k + 6; });
    CHECK(gj::split(v, 100, 0).size() == 1);
  };
  check(x);
  check(any_tensor(x));
  CHECK(gj::split(gj::tensor<float, 0>(), 3, 0).empty());
  CHECK(gj::eval(gj::split<2>(x + 1.0f, 0)[1])(0, 0) == 8);
}

TEST_CASE("N53, POL-12: x(…) = value writes into the elements, the right side first") {
  gj::tensor<float, dyn> x{0, 1, 2, 3};
  auto const y = x;
  x(range(0, 3)) = x(range(1, 4));
  check_elements<float>(y, {4}, {1, 2, 3, 3});
  x(range(1, 4)) = x(range(0, 3)) * 2.0f;
  check_elements<float>(y, {4}, {1, 2, 4, 6});
  x(range(slice_begin, slice_end, -1)) = x;
  check_elements<float>(y, {4}, {6, 4, 2, 1});
  x(full_extent) = 7;
  check_elements<float>(y, {4}, {7, 7, 7, 7});
  gj::tensor<float, 2, 2> m{{1, 2}, {3, 4}};
  m(full_extent, 0) = m(1);
  check_elements<float>(m, {2, 2}, {3, 2, 4, 4});
}

TEST_CASE("wrong indices, axes and extents are refused with their numbers and the line") {
  gj::tensor<float, 2, 6> const x;
  any_tensor const a = x;
  auto const index_text = [](auto const& f) { return thrown<gj::index_error>(f); };
  auto const shape_text = [](auto const& f) { return thrown<gj::shape_error>(f); };
  auto const contains = [](std::string const& text, char const* part) {
    CAPTURE(text);
    CHECK(text.find(part) != std::string::npos);
  };
  auto const both = [&](auto const& v) {
    contains(index_text([&] { v(2); }), "select(x): the index must be within the extent: index 2, axis 0, extent 2");
    contains(index_text([&] { v(full_extent, -7); }), "index -7, axis 1, extent 6");
    contains(index_text([&] { v(INT64_MIN); }), "index -9223372036854775808, axis 0, extent 2");
    contains(index_text([&] { v(2); }), "indexing.cpp:");
    contains(index_text([&] { v(full_extent, full_extent, full_extent); }), "axis 2, rank 2");
    contains(shape_text([&] { v(range(0, 2, 0)); }), "the step must not be 0");
    contains(index_text([&] { gj::unsqueeze(v, 3); }), "axis 3, rank 3");
    contains(index_text([&] { gj::squeeze(v, gj::axes(2)); }), "axis 2, rank 2");
    contains(shape_text([&] { gj::squeeze(v, gj::axes(0)); }), "a squeezed extent must be 1: 2 at axis 0");
    contains(index_text([&] { gj::flip(v, gj::axes(2)); }), "axis 2, rank 2");
    contains(shape_text([&] { gj::flip(v, gj::axes(0, -2)); }), "an axis may be named once");
    contains(shape_text([&] { gj::split(v, gj::sizes(2, 3), 1); }), "the pieces must add up to the extent: 5 and 6");
    contains(shape_text([&] { gj::split(v, gj::sizes(7, -1), 1); }), "extents must not be negative");
    contains(shape_text([&] { gj::split<4>(v); }), "must divide");
    CHECK_THROWS_AS(gj::split(v, 0, 1), gj::shape_error);
  };
  both(x);
  both(a);
  CHECK_THROWS_AS(gj::unsqueeze(a(newaxis, newaxis, newaxis, newaxis, newaxis, newaxis), 0), gj::shape_error);
  gj::tensor<float, 0, 2> const none;
  CHECK_THROWS_AS(gj::squeeze(none, gj::axes(0)), gj::shape_error);
}

TEST_CASE("x(…) is its ops for every mode") {
  gj::op_counter counter;
  gj::tensor<float, 2, 3> const x;
  {
    gj::mode_scope scope{counter};
    x(full_extent, ellipsis, range(0, 2));
    x(1, newaxis);
    gj::flip(x);
  }
  CHECK(counter.count(gj::op::slice) == 3);
  CHECK(counter.count(gj::op::select) == 1);
  CHECK(counter.count(gj::op::reshape) == 1);
  CHECK(counter.total() == 5);
}
