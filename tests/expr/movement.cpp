// guardjit: tests/expr/movement.cpp: ops that move elements, against plain loops
// SPDX-License-Identifier: BSL-1.0
#include "layouts.hpp"

#include <guardjit/expr/composite/concat.hpp>
#include <guardjit/expr/composite/index.hpp>
#include <guardjit/expr/composite/pad.hpp>
#include <guardjit/expr/composite/transpose.hpp>
#include <guardjit/expr/composite/tril.hpp>
#include <guardjit/modes/mode_scope.hpp>
#include <guardjit/modes/op_counter.hpp>

using namespace eager;

namespace {

/// Elements of `from` by their places in order; -1 is `other`.
template <class T> std::vector<T> chosen(std::vector<T> const& from, index_t count, T other, auto const& place) {
  std::vector<T> want;
  for (index_t k = 0; k < count; ++k) {
    index_t const at = place(k);
    want.push_back(at < 0 ? other : from[static_cast<std::size_t>(at)]);
  }
  return want;
}

template <class I> any_tensor indices(shape const& form, std::vector<int> const& values) {
  any_tensor i(gj::dtype_v<I>, form);
  for (std::size_t k = 0; k < values.size(); ++k) i.data_as<I>()[k] = static_cast<I>(values[k]);
  return i;
}
/// The same indices with poison between.
template <class I> any_tensor spread(any_tensor const& i) {
  any_tensor wide(i.type(), shape{i.extent(0), 2 * i.extent(1)});
  for (index_t k = 0; k < wide.size(); ++k) wide.data_as<I>()[k] = 99;
  any_tensor const every = gj::slice(wide, 1, 0, gj::slice_end, 2);
  gj::copy_elements(int{sizeof(I)}, every.layout().view(), const_cast<void*>(every.data()), i.layout().view(),
                    i.data());
  return every;
}

}  // namespace

TEST_CASE_TEMPLATE("concat and stack along each axis, of every layout", T, bool, std::uint8_t, std::int32_t,
                   std::int64_t, float, double) {
  for (form f : all_forms) {
    any_tensor const a = make<T>({3, 4}, f), b = make<T>({2, 4}, f, 3), c = make<T>({3, 4}, form::contiguous, 5);
    auto const ea = elements<T>(a), eb = elements<T>(b), ec = elements<T>(c);
    std::vector<T> rows(ea);
    rows.insert(rows.end(), eb.begin(), eb.end());
    std::vector<T> both(ea), columns;
    both.insert(both.end(), ec.begin(), ec.end());
    for (std::size_t k = 0; k < 24; ++k) columns.push_back((k / 4 % 2 ? ec : ea)[k / 8 * 4 + k % 4]);
    auto const check = [&](auto const& x) {
      check_elements<T>(gj::concat(x, b, 0), {5, 4}, rows);
      check_elements<T>(gj::concat(x, c), {3, 8}, columns);
      check_elements<T>(gj::stack(x, c, 0), {2, 3, 4}, both);
      check_elements<T>(gj::stack(x, c, -2), {3, 2, 4}, columns);
      check_elements<T>(gj::stack(x, x, c, 2)(gj::ellipsis, 2), {3, 4}, ec);
    };
    check(a);
    for_each_typed<T, 3, 4>(a, check);
    auto const typed = gj::concat(a.as<T, 3, 4>(), b.as<T, dyn, 4>(), 0);
    static_assert(std::is_same_v<decltype(gj::eval(typed)), gj::tensor<T, dyn, dyn>>);
    check_elements<T>(typed, {5, 4}, rows);
  }
}

TEST_CASE("concat promotes, takes empty parts and expressions, and any number of them") {
  gj::tensor<std::uint8_t, 2> const bytes{1, 2};
  gj::tensor<double, 1> const real{0.5};
  gj::tensor<float, 0> const none;
  check_elements<double>(gj::concat(bytes, none, real, 0), {3}, {1, 2, 0.5});
  check_elements<double>(gj::concat(any_tensor(bytes), none, any_tensor(real), 0), {3}, {1, 2, 0.5});
  check_elements<double>(gj::concat(bytes * 2, real + 1.0, bytes, 0) * 2.0, {5}, {4, 8, 3, 2, 4});
  check_elements<float>(gj::concat(none, none, 0), {0}, {});
  std::vector<any_tensor> parts;
  std::vector<float> want;
  for (int n = 1; n <= 64; ++n) {
    parts.push_back(gj::full({1}, static_cast<float>(n)));
    want.push_back(static_cast<float>(n));
    if (n < 10 || n == 64) check_elements<float>(gj::concat(parts, 0), {n}, want);
  }
  CHECK(gj::stack(parts, 0).shape() == shape{64, 1});
  std::array const pair{gj::zeros<float>({2}), gj::ones<float>({3})};
  check_elements<float>(gj::concat(pair), {5}, {0, 0, 1, 1, 1});
  parts.clear();
  CHECK_THROWS_AS(gj::concat(parts, 0), gj::shape_error);
}

TEST_CASE_TEMPLATE("pad by a value and by elements, of every layout", T, bool, std::uint8_t, std::int32_t,
                   std::int64_t, float, double) {
  for (form f : all_forms) {
    any_tensor const a = make<T>({3, 4}, f);
    auto const from = elements<T>(a);
    auto const check = [&](auto const& x) {
      auto const want = [&](auto const& axis_place) {
        return chosen<T>(from, 5 * 9, T(1), [&](index_t k) {
          index_t const i = axis_place(k / 9 - 2, 3), j = axis_place(k % 9 - 2, 4);
          return i < 0 || j < 0 ? -1 : 4 * i + j;
        });
      };
      check_elements<T>(gj::pad(x, {{2, 0}, {2, 3}}, 1), {5, 9},
                        want([](index_t i, index_t n) { return i < n ? i : -1; }));
      check_elements<T>(gj::pad(x, {{2, 0}, {2, 3}}, gj::reflect), {5, 9}, want([](index_t i, index_t n) {
        return i < 0 ? -i : i < n ? i : 2 * (n - 1) - i;
      }));
      check_elements<T>(gj::pad(x, {{2, 0}, {2, 3}}, gj::replicate), {5, 9},
                        want([](index_t i, index_t n) { return i < 0 ? 0 : i < n ? i : n - 1; }));
      check_elements<T>(gj::pad(x, {{2, 0}, {2, 3}}, gj::circular), {5, 9},
                        want([](index_t i, index_t n) { return (i + n) % n; }));
      check_elements<T>(gj::pad(x, {{0, 0}, {0, 0}}), {3, 4}, from);
    };
    check(a);
    for_each_typed<T, 3, 4>(a, check);
  }
}

TEST_CASE("pad: zeros unless told otherwise; widths that x has not enough elements for") {
  gj::tensor<float, 2, 3> const x{{1, 2, 3}, {4, 5, 6}};
  check_elements<float>(gj::pad(x * 2.0f, {{1, 0}, {0, 1}}), {3, 4}, {0, 0, 0, 0, 2, 4, 6, 0, 8, 10, 12, 0});
  CHECK(gj::pad(x, {{0, 0}, {3, 3}}, gj::circular)(1, 8) == 6);
  CHECK_THROWS_AS(gj::pad(x, {{2, 0}, {0, 0}}, gj::reflect), gj::shape_error);
  CHECK_THROWS_AS(gj::pad(any_tensor(x), {{0, 0}, {0, 4}}, gj::circular), gj::shape_error);
  CHECK_THROWS_AS(gj::pad(gj::tensor<float, 0>(), {{1, 0}}, gj::replicate), gj::shape_error);
  CHECK_THROWS_AS(gj::pad(x, {{-1, 0}, {0, 0}}), gj::shape_error);
  CHECK_THROWS_AS(gj::pad(x, {{1, 0}}), gj::index_error);
  CHECK_THROWS_AS(gj::pad(gj::tensor<std::uint8_t, 1>(), {{1, 0}}, 256), gj::dtype_error);
  check_elements<float>(gj::pad(gj::tensor<float, 0>(), {{1, 1}}, 5), {2}, {5, 5});
}

TEST_CASE_TEMPLATE("N41: take and gather along each axis, of every layout, by i32 and i64", T, bool, std::uint8_t,
                   std::int32_t, std::int64_t, float, double) {
  auto const with = [&]<class I>(std::type_identity<I>) {
    any_tensor const some = indices<I>({2, 3}, {2, -1, 0, -3, 1, 1});
    int const places[] = {2, 2, 0, 0, 1, 1};
    for (form f : all_forms) {
      any_tensor const a = make<T>({3, 3}, f);
      auto const from = elements<T>(a);
      auto const rows = chosen<T>(from, 18, T(), [&](index_t k) { return places[k / 3] * 3 + k % 3; });
      auto const columns = chosen<T>(from, 18, T(), [&](index_t k) { return k / 6 * 3 + places[k % 6]; });
      any_tensor const square = indices<I>({3, 3}, {0, -1, 1, 2, 2, 2, -3, 0, 1});
      int const at[] = {0, 2, 1, 2, 2, 2, 0, 0, 1};
      auto const down = chosen<T>(from, 9, T(), [&](index_t k) { return at[k] * 3 + k % 3; });
      auto const along = chosen<T>(from, 9, T(), [&](index_t k) { return k / 3 * 3 + at[k]; });
      auto const check = [&](auto const& x, auto const& i, auto const& s) {
        check_elements<T>(gj::take(x, i, 0), {2, 3, 3}, rows);
        check_elements<T>(gj::take(x, i), {3, 2, 3}, columns);
        check_elements<T>(gj::gather(x, s, 0), {3, 3}, down);
        check_elements<T>(gj::take_along_axis(x, s, -1), {3, 3}, along);
      };
      check(a, some, square);
      check(a, spread<I>(some), gj::transpose(gj::transpose(square).clone()));
      for_each_typed<T, 3, 3>(a, [&](auto const& x) {
        check(x, some.as<I, 2, 3>(), square.as<I, dyn, 3>());
        check(x, spread<I>(some).template as<I, dyn, dyn>(), square.as<I, 3, 3>());
      });
    }
  };
  with(std::type_identity<std::int32_t>{});
  with(std::type_identity<std::int64_t>{});
}

TEST_CASE("take of an index of rank 0, of none, and of expressions") {
  gj::tensor<float, 3> const x{1, 2, 3};
  gj::tensor<std::int64_t> const last(-1);
  CHECK(gj::eval(gj::take(x, last)).item() == 3);
  gj::tensor<std::int32_t, 0> const none;
  CHECK(gj::eval(gj::take(x, none)).shape() == shape{0});
  CHECK(gj::eval(gj::take(gj::tensor<float, 0, 2>(), none, 0)).shape() == shape{0, 2});
  check_elements<float>(gj::take(x + 1.0f, gj::arange(0, 3) - 3, 0) * 2.0f, {3}, {4, 6, 8});
  gj::tensor<std::int64_t, 2, 2> const two{{0, 1}, {2, 0}};
  CHECK(gj::eval(gj::gather(gj::ones<float>({2, 3}), two, 1)).shape() == shape{2, 2});
}

TEST_CASE("POL-11: an index out of range is refused with value, axis, extent and line, before anything is written") {
  gj::tensor<float, dyn> x{1, 2, 3};
  any_tensor const a = x;
  auto const i32 = [](int k) { return gj::tensor<std::int32_t, 4>{0, k, k, 1}; };
  for (int bad : {3, -4, 10000, -10000}) {
    CAPTURE(bad);
    CHECK_THROWS_AS(gj::eval(gj::take(x, i32(bad), 0)), gj::index_error);
    CHECK_THROWS_AS(gj::take(a, any_tensor(i32(bad)), 0), gj::index_error);
    CHECK_THROWS_AS(gj::eval(gj::gather(x, i32(bad), 0)), gj::index_error);
    CHECK_THROWS_AS(gj::eval(gj::one_hot(i32(bad), 3)), gj::index_error);
  }
  CHECK(gj::eval(gj::take(x, i32(-3), 0))(1) == 1);
  std::string const text = thrown<gj::index_error>([&] { gj::eval(gj::take(x, i32(3), 0)); });
  CAPTURE(text);
  CHECK(text.find("take(x, i): the index must be within the extent: index 3, axis 0, extent 3") != std::string::npos);
  CHECK(text.find("movement.cpp:") != std::string::npos);
  auto const kept = x;
  CHECK_THROWS_AS((x = gj::take(x, i32(7), 0) + 1.0f), gj::index_error);
  CHECK_THROWS_AS((x(gj::range(0, 3)) = gj::take(x, gj::tensor<std::int64_t, 3>{0, 1, 3}, 0)), gj::index_error);
  check_elements<float>(kept, {3}, {1, 2, 3});
  check_elements<float>(x, {3}, {1, 2, 3});
  // where there is nothing to write, too
  gj::tensor<float, 3, 0> const none;
  CHECK_THROWS_AS(gj::eval(gj::take(none, i32(3), 0)), gj::index_error);
  CHECK_THROWS_AS(gj::eval(gj::take(gj::tensor<float, 0>(), i32(0), 0)), gj::index_error);
}

TEST_CASE("CASE-012: x = take(x, i)") {
  gj::tensor<float, 3, 2> x{{1, 2}, {3, 4}, {5, 6}};
  x = gj::tensor<float, 3, 2>(gj::take(x, gj::tensor<std::int64_t, 3>{2, 0, 1}, 0));
  check_elements<float>(x, {3, 2}, {5, 6, 1, 2, 3, 4});
  gj::tensor<float, dyn, dyn> y = x;
  y = gj::take(y, gj::tensor<std::int32_t, 3>{1, 2, 0}, 0);
  check_elements<float>(y, {3, 2}, {1, 2, 3, 4, 5, 6});
}

TEST_CASE("arange: integers, floats, negative steps, given dtypes") {
  static_assert(std::is_same_v<decltype(gj::arange(0, 3)), gj::tensor<std::int64_t, dyn>>);
  static_assert(std::is_same_v<decltype(gj::arange(0, 1, 0.5f)), gj::tensor<float, dyn>>);
  check_elements<std::int64_t>(gj::arange(0, 4), {4}, {0, 1, 2, 3});
  check_elements<std::int64_t>(gj::arange(9, 0, -2), {5}, {9, 7, 5, 3, 1});
  check_elements<std::int64_t>(gj::arange(3, 3), {0}, {});
  check_elements<std::int64_t>(gj::arange(5, 2), {0}, {});
  check_elements<std::int64_t>(gj::arange(INT64_MIN, INT64_MAX, INT64_MAX), {3}, {INT64_MIN, -1, INT64_MAX - 1});
  check_elements<double>(gj::arange(0.0, 1.0, 0.25), {4}, {0, 0.25, 0.5, 0.75});
  check_elements<float>(gj::arange(0.0f, 0.35f, 0.1f), {4}, {0, 0.1f, 0.2f, static_cast<float>(double{0.1f} * 3)});
  check_elements<std::uint8_t>(gj::arange<std::uint8_t>(254, 258), {4}, {254, 255, 0, 1});
  check_elements<bool>(gj::arange<bool>(0, 2), {2}, std::vector<bool>{false, true});
  CHECK_THROWS_AS(gj::arange(0, 3, 0), gj::shape_error);
  CHECK_THROWS_AS(gj::arange(0.0, std::numeric_limits<double>::infinity(), 1.0), gj::shape_error);
}

TEST_CASE_TEMPLATE("tril and triu of matrices and batches, of every layout", T, bool, std::uint8_t, std::int32_t,
                   std::int64_t, float, double) {
  for (form f : all_forms)
    for (int k : {0, 1, -2, 9, -9}) {
      any_tensor const a = make<T>({2, 3, 4}, f);
      auto const from = elements<T>(a);
      auto const want = [&](bool lower) {
        return chosen<T>(from, 24, T(), [&](index_t n) {
          index_t const d = n % 4 - n / 4 % 3;
          return (lower ? d <= k : d >= k) ? n : -1;
        });
      };
      check_elements<T>(gj::tril(a, k), {2, 3, 4}, want(true));
      check_elements<T>(gj::triu(a, k), {2, 3, 4}, want(false));
      check_elements<T>(gj::tril(a.as<T, 2, dyn, 4>(), k), {2, 3, 4}, want(true));
    }
  check_elements<T>(gj::tril(gj::tensor<T, 0, 3>()), {0, 3}, {});
}

TEST_CASE("eye and one_hot") {
  check_elements<float>(gj::eye<float>(2), {2, 2}, {1, 0, 0, 1});
  check_elements<bool>(gj::eye<bool>(2, 3), {2, 3}, std::vector<bool>{1, 0, 0, 0, 1, 0});
  check_elements<std::uint8_t>(gj::eye<std::uint8_t>(0, 2), {0, 2}, {});
  static_assert(std::is_same_v<decltype(gj::eye<float>(2)), gj::tensor<float, dyn, dyn>>);
  std::vector<std::int64_t> const want{0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0};
  gj::tensor<std::int32_t, 2, 2> const i{{1, -1}, {0, -2}};
  check_elements<std::int64_t>(gj::one_hot(i, 3), {2, 2, 3}, want);
  check_elements<std::int64_t>(gj::one_hot(any_tensor(i), 3), {2, 2, 3}, want);
  check_elements<std::int64_t>(gj::one_hot(gj::tensor<std::int64_t>(1), 2), {2}, {0, 1});
  CHECK_THROWS_AS(gj::tril(any_tensor(i)(0)), gj::shape_error);
}

TEST_CASE("wrong shapes are refused in the words of the rules") {
  gj::tensor<float, dyn, dyn> const x(2, 6), y(3, 5);
  auto const contains = [](std::string const& text, char const* part) {
    CAPTURE(text);
    CHECK(text.find(part) != std::string::npos);
  };
  contains(thrown<gj::shape_error>([&] { gj::eval(gj::concat(x, y, 0)); }),
           "concat(a, b): the other extents must be equal: 6 and 5 at axis 1");
  contains(thrown<gj::index_error>([&] { gj::eval(gj::concat(x, x, 2)); }), "axis 2, rank 2");
  contains(thrown<gj::shape_error>([&] { gj::concat(any_tensor(x), any_tensor(x)(0), 0); }), "the rank is too low");
  contains(thrown<gj::shape_error>([&] { gj::eval(gj::stack(x, y, 0)); }), "the other extents must be equal");
  gj::tensor<std::int64_t, dyn, dyn> const i(3, 2);
  contains(thrown<gj::shape_error>([&] { gj::eval(gj::gather(x, i, 1)); }),
           "gather(x, i): the other extents must be equal: 2 and 3 at axis 0");
  contains(thrown<gj::dtype_error>([&] { gj::take(any_tensor(x), any_tensor(y), 0); }),
           "take(x, i): indices must be i32 or i64: f32");
  contains(thrown<gj::index_error>([&] { gj::eval(gj::take(x, i, 2)); }), "axis 2, rank 2");
}

TEST_CASE("ops that move elements are told to modes once") {
  gj::op_counter counter;
  gj::tensor<float, 2, 3> const x;
  {
    gj::mode_scope scope{counter};
    gj::eval(gj::concat(x, x + 1.0f, x, 0));
    gj::eval(gj::take(x, gj::tensor<std::int64_t, 1>{1}, 0));
    gj::arange(1, 3);
    gj::pad(x, {{1, 0}, {0, 0}});
  }
  CHECK(counter.count(gj::op::concat) == 3);
  CHECK(counter.count(gj::op::take) == 1);
  CHECK(counter.count(gj::op::arange) == 1);
  CHECK(counter.count(gj::op::full) == 1);
  CHECK(counter.count(gj::op::add) == 2);
  CHECK(counter.total() == 8);
}
