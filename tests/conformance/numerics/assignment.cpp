// guardjit: tests/conformance/numerics/assignment.cpp: assignment to handles and to views
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/guardjit.hpp>

#include <doctest/doctest.h>

#include "support/tensors.hpp"

namespace gj = guardjit;
using gj::dyn;
using gj::index_t;
using gj::tensor;
using support::elements;

namespace {

/// How the right side lies to the left one.
enum class meeting { none, same, shifted_up, shifted_down, reversed };
constexpr meeting meetings[] = {meeting::none, meeting::same, meeting::shifted_up,
                                meeting::shifted_down, meeting::reversed};

struct pair_of_views {
  tensor<float, dyn> memory, left, right;
};
/// `n` elements of one memory, seen as a left and a right side.
pair_of_views views(meeting how, index_t n) {
  auto const memory = support::vec(2 * n + 2);
  auto const left = gj::slice(memory, 0, 1, n + 1);
  index_t const start = how == meeting::none           ? n + 1
                        : how == meeting::shifted_up   ? 2
                        : how == meeting::shifted_down ? 0
                                                       : 1;
  auto right = gj::slice(memory, 0, start, start + n);
  if (how == meeting::reversed) right = gj::slice(right, 0, -1, gj::slice_end, -1);
  return {memory, left, right};
}

/// Writes through `write(left, right)`; all memory must be as if `formula(l, r)` came first.
template <class Write, class Formula> void check_writing(Write const& write, Formula const& formula) {
  for (index_t n : {1, 5, 16, 17, 1000})
    for (meeting how : meetings) {
      CAPTURE(n);
      CAPTURE(static_cast<int>(how));
      auto v = views(how, n);
      auto want = elements(v.memory);
      auto const left = elements(v.left), right = elements(v.right);
      for (std::size_t k = 0; k < left.size(); ++k) want[k + 1] = formula(left[k], right[k]);
      write(v.left, v.right);
      CHECK(elements(v.memory) == want);
    }
}

}  // namespace

TEST_CASE("NUM-057: what is written into elements is as if the right side came first") {
  check_writing([](auto& l, auto const& r) { l += r; }, [](float l, float r) { return l + r; });
  check_writing([](auto& l, auto const& r) { l -= r * 2 + l; },
                [](float l, float r) { return l - (r * 2 + l); });
  check_writing([](auto& l, auto const& r) { l *= r; }, [](float l, float r) { return l * r; });
  check_writing([](auto& l, auto const& r) { gj::slice(l, 0, 0) = r; },
                [](float, float r) { return r; });
  check_writing([](auto& l, auto const& r) { gj::slice(l, 0, 0) = r * 3 - l; },
                [](float l, float r) { return r * 3 - l; });
  check_writing([](auto& l, auto const& r) { l.view() = gj::relu(r) + 1; },
                [](float, float r) { return r + 1; });
  check_writing([](auto& l, auto const& r) { l.view() = gj::any_tensor(r); },
                [](float, float r) { return r; });

  for (index_t n : {1, 5, 16, 17}) {
    auto x = support::mat(n, n);
    auto const before = x.clone();
    auto const right = gj::transpose(x);
    gj::slice(x, 0, 0) = x + right;
    bool as_expected = true;
    for (index_t i = 0; i < n; ++i)
      for (index_t j = 0; j < n; ++j)
        as_expected = as_expected && x(i, j) == before(i, j) + before(j, i);
    CHECK(as_expected);
    x = before;
    x = x + gj::transpose(x);
    for (index_t i = 0; i < n; ++i)
      for (index_t j = 0; j < n; ++j)
        as_expected = as_expected && x(i, j) == before(i, j) + before(j, i);
    CHECK(as_expected);
  }
}

TEST_CASE("NUM-058: assignment gives one handle a value, a compound form all handles") {
  auto const a = support::vec(3);
  auto b = a;
  b = b + 1;
  CHECK(elements(a) == std::vector<float>{1, 2, 3});
  CHECK(elements(b) == std::vector<float>{2, 3, 4});
  b = a;
  b += 1;
  CHECK(elements(a) == std::vector<float>{2, 3, 4});
}

TEST_CASE("NUM-059: a sole owner's buffer is used again") {
  auto x = support::vec(20);
  auto const* const first = std::as_const(x).data();
  x = x * 2;
  CHECK(std::as_const(x).data() == first);
  x = gj::exp(x * 0) + x;
  CHECK(std::as_const(x).data() == first);
  CHECK(x(3) == 9);
  auto const other = x;
  x = x * 2;
  CHECK(std::as_const(x).data() != first);
  CHECK(other(3) == 9);
  CHECK(x(3) == 18);

  // An expression that is kept holds a handle, too.
  auto const* const second = std::as_const(x).data();
  auto const kept = x + 1;
  x = x * 2;
  CHECK(std::as_const(x).data() != second);
  CHECK(gj::eval(kept)(3) == 19);
  auto y = support::vec(3);
  auto const next = y + 1;
  y = next;
  CHECK(elements(gj::eval(next)) == std::vector<float>{2, 3, 4});
  CHECK(elements(y) == std::vector<float>{2, 3, 4});
}

TEST_CASE("a view takes a value of any shape that broadcasts to it, of its dtype") {
  auto x = support::mat(3, 4);
  auto const row = support::vec(4, 10);
  gj::slice(x, 0, 0, 2) = row;
  CHECK(x(1, 3) == 13);
  CHECK(x(2, 3) == 12);
  gj::slice(x, 1, 1, 2) = 7;
  CHECK(x(2, 1) == 7);
  gj::slice(x, 0, 2) = row * 2;
  CHECK(x(2, 2) == 24);
  tensor<std::int32_t, dyn> n{1, 2};
  n.view() = 5;
  CHECK(elements(n) == std::vector<std::int32_t>{5, 5});

  tensor<float, dyn, dyn> none(0, 3);
  none += 1;
  none = none * 2;
  none.view() = none + support::vec(3);
  gj::slice(none, 1, 1) = 5;
  CHECK(none.shape() == gj::shape{0, 3});
  gj::slice(x, 0, 3) = support::vec(4) * 2;

  auto const before = elements(x);
  CHECK_THROWS_AS((gj::slice(x, 0, 0, 2) = support::vec(3)), gj::shape_error);
  CHECK_THROWS_AS((gj::slice(x, 0, 0, 2) = support::vec(4) + support::vec(3)), gj::shape_error);
  CHECK_THROWS_AS((gj::expand(row, {3, 4}) = 1), gj::overlap_error);
  CHECK_THROWS_AS((x.view() = gj::any_tensor(gj::tensor<double, 4>())), gj::dtype_error);
  CHECK_THROWS_AS((n.view() = std::int64_t{1} << 40), gj::dtype_error);
  CHECK_THROWS_AS((tensor<bool, 1>().view() = gj::any_tensor()), gj::dtype_error);
  {
    gj::op_counter told;
    gj::mode_scope const watch(told);
    CHECK_THROWS_AS((gj::slice(x, 0, 0, 2) = support::vec(3) * 2), gj::shape_error);
    CHECK(told.total() == 1);  // the slice
  }
  CHECK(elements(x) == before);
  CHECK(row(0) == 10);
}
