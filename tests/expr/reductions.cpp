// guardjit: tests/expr/reductions.cpp: reductions and matrix products of eager code against plain loops
// SPDX-License-Identifier: BSL-1.0
#include "layouts.hpp"

#include <guardjit/expr/composite/transpose.hpp>

#include <algorithm>

using namespace eager;
using gj::op;

namespace {

gj::attributes over(unsigned axes, bool keepdims = false) {
  gj::attributes extra;
  extra.axes = static_cast<std::uint8_t>(axes);
  extra.keepdims = keepdims;
  return extra;
}

/// Whole numbers, so that float sums are exact in any order; of `prod` ones and twos.
template <class T> any_tensor whole_numbers(shape const& s, form f, bool small) {
  any_tensor x = make<std::uint8_t>(s, f);
  if (small) x = run<gj::backends::reference, op::clip>({}, x, 1, 2);
  gj::attributes extra;
  extra.type = gj::dtype_v<T>;
  any_tensor const converted = run<gj::backends::reference, op::to, 0, T>(extra, x);
  // The same layout over elements of the other dtype.
  any_tensor y = make<T>(s, f);
  gj::copy_elements(gj::size_of(y.type()), y.layout().view(), y.data(), converted.layout().view(),
                    converted.data());
  return y;
}

template <op Id, class T> using result_of =
    gj::element_t<gj::detail::result_type(Id, gj::dtype_v<T>)>;

/// Whole numbers wrap.
template <class T> T product_of(T a, T b) {
  if constexpr (std::is_same_v<T, std::int64_t>)
    return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
  else return static_cast<T>(a * b);
}

/// The reduction by a loop over all elements, in the order of the input.
template <op Id, class T>
std::vector<result_of<Id, T>> reduced(any_tensor const& x, unsigned axes, shape const& to) {
  using result = result_of<Id, T>;
  auto const from = elements<T>(x);
  std::vector<result> out(static_cast<std::size_t>(to.count()), result(0));
  std::vector<index_t> seen(out.size(), 0);
  std::vector<T> best(out.size());
  for (index_t k = 0; k < x.size(); ++k) {
    index_t rest = k, at = 0, step = 1;
    for (int d = x.rank() - 1; d >= 0; --d) {
      index_t const here = rest % x.extent(d);
      rest /= x.extent(d);
      if (axes >> d & 1u) continue;
      at += here * step;
      step *= x.extent(d);
    }
    auto const u = static_cast<std::size_t>(at);
    T const element = from[static_cast<std::size_t>(k)];
    auto const v = static_cast<result>(element);
    bool const is_first = seen[u] == 0;
    if (Id == op::amax) out[u] = is_first || out[u] < v ? v : out[u];
    else if (Id == op::amin) out[u] = is_first || v < out[u] ? v : out[u];
    else if (Id == op::prod) out[u] = is_first ? v : product_of<result>(out[u], v);
    else if (Id == op::any) out[u] = (!is_first && out[u] != result(0)) || element != T(0);
    else if (Id == op::all) out[u] = (is_first || out[u] != result(0)) && element != T(0);
    else if (Id == op::argmax || Id == op::argmin) {
      // Elements of one result come in the order in which they are counted.
      if (is_first || (Id == op::argmax ? best[u] < element : element < best[u])) {
        best[u] = element;
        out[u] = static_cast<result>(seen[u]);
      }
    } else out[u] = static_cast<result>(out[u] + v);
    ++seen[u];
  }
  if (Id == op::mean)
    for (std::size_t k = 0; k < out.size(); ++k)
      out[k] = static_cast<result>(static_cast<double>(out[k]) / static_cast<double>(seen[k]));
  return out;
}

template <class Backend, op Id, class T> void check_reduction() {
  using result = result_of<Id, T>;
  CAPTURE(gj::name_of(Id));
  CAPTURE(gj::name_of(gj::dtype_v<T>));
  for (form f : all_forms)
    for (shape const& s : {shape{3, 5}, shape{2, 3, 7}, shape{70}, shape{}})
      for (unsigned axes = 0; axes < 1u << s.rank; ++axes)
        for (bool keep : {false, true}) {
          any_tensor const x = whole_numbers<T>(s, f, Id == op::prod);
          shape to;
          for (int d = 0; d < s.rank; ++d)
            if ((axes >> d & 1u) == 0) to[to.rank++] = s[d];
            else if (keep) to[to.rank++] = 1;
          auto const want = reduced<Id, T>(x, axes, to);
          check_elements<result>(run<Backend, Id>(over(axes, keep), x), to, want);
          if (s == shape{3, 5} && axes == 0b10 && !keep)
            for_each_typed<T, 3, 5>(x, [&](auto const& typed) {
              auto const y = run<Backend, Id, 1>(over(axes), typed);
              static_assert(std::is_same_v<decltype(y), gj::tensor<result, dyn> const>);
              check_elements<result>(y, to, want);
              static_assert(
                  std::is_same_v<decltype(run<Backend, Id, -1>({}, typed)), gj::tensor<result>>);
            });
        }
}

template <class Backend, class T> void check_products() {
  using result = result_of<op::matmul, T>;
  CAPTURE(gj::name_of(gj::dtype_v<T>));
  struct {
    shape left, right, result;
  } const cases[] = {{{2, 3}, {3}, {2}},
                     {{3}, {3, 2}, {2}},
                     {{3}, {3}, shape{}},
                     {{5, 2, 3}, {3, 4}, {5, 2, 4}},
                     {{5, 1, 2, 3}, {7, 3, 4}, {5, 7, 2, 4}},
                     {{17, 9}, {9, 33}, {17, 33}},
                     {{2, 0}, {0, 3}, {2, 3}},
                     {{4, 2, 0}, {4, 0, 3}, {4, 2, 3}},
                     {{0, 2}, {2, 3}, {0, 3}}};
  for (auto const& c : cases)
    for (form f : all_forms)
      for (form g : all_forms) {
        any_tensor const a = whole_numbers<T>(c.left, f, false), b = whole_numbers<T>(c.right, g, false);
        auto const left = elements<T>(a), right = elements<T>(b);
        index_t const inner = c.left[c.left.rank - 1];
        index_t const columns = c.right.rank == 1 ? 1 : c.right[c.right.rank - 1];
        index_t const rows = c.left.rank == 1 ? 1 : c.left[c.left.rank - 2];
        shape left_batch = c.left, right_batch = c.right, batch = c.result;
        left_batch.rank = c.left.rank > 2 ? c.left.rank - 2 : 0;
        right_batch.rank = c.right.rank > 2 ? c.right.rank - 2 : 0;
        batch.rank = left_batch.rank > right_batch.rank ? left_batch.rank : right_batch.rank;
        std::vector<result> want;
        for (index_t p = 0; p < batch.count(); ++p)
          for (index_t i = 0; i < rows; ++i)
            for (index_t j = 0; j < columns; ++j) {
              auto const l =
                  broadcast_index(p, left_batch, batch) * static_cast<std::size_t>(rows * inner);
              auto const r = broadcast_index(p, right_batch, batch) *
                             static_cast<std::size_t>(inner * columns);
              result sum = 0;
              for (index_t k = 0; k < inner; ++k)
                sum = static_cast<result>(
                    sum +
                    static_cast<result>(left[l + static_cast<std::size_t>(i * inner + k)]) *
                        static_cast<result>(right[r + static_cast<std::size_t>(k * columns + j)]));
              want.push_back(sum);
            }
        check_elements<result>(run<Backend, op::matmul>({}, a, b), c.result, want);
        if (c.result == shape{17, 33})
          for_each_typed<T, 17, 9>(a, [&](auto const& x) {
            auto const y = run<Backend, op::matmul>({}, x, b.template as<T, 9, dyn>());
            static_assert(decltype(y)::static_extent(0) ==
                          std::remove_cvref_t<decltype(x)>::static_extent(0));
            static_assert(decltype(y)::static_extent(1) == dyn);
            check_elements<result>(y, c.result, want);
          });
      }
}

}  // namespace

TEST_CASE_TEMPLATE("reductions equal plain loops", Backend, gj::backends::reference,
                   gj::backends::eigen) {
  gj::for_each_type(gj::element_types{}, []<class T>(std::type_identity<T>) {
    check_reduction<Backend, op::sum, T>();
    check_reduction<Backend, op::amax, T>();
    check_reduction<Backend, op::mean, T>();
    check_reduction<Backend, op::prod, T>();
    check_reduction<Backend, op::amin, T>();
    check_reduction<Backend, op::argmax, T>();
    check_reduction<Backend, op::argmin, T>();
    check_reduction<Backend, op::any, T>();
    check_reduction<Backend, op::all, T>();
  });
}

TEST_CASE_TEMPLATE("reductions over no elements", Backend, gj::backends::reference,
                   gj::backends::eigen) {
  any_tensor const none = make<float>({3, 0}, form::contiguous),
                   rows = make<float>({0, 3}, form::contiguous);
  check_elements<float>(run<Backend, op::sum>(over(0b10), none), {3}, {0, 0, 0});
  float const nan = std::numeric_limits<float>::quiet_NaN();
  check_elements<float>(run<Backend, op::mean>(over(0b10), none), {3}, {nan, nan, nan});
  check_elements<float>(run<Backend, op::prod>(over(0b10), none), {3}, {1, 1, 1});
  check_elements<bool>(run<Backend, op::any>(over(0b10), none), {3}, {false, false, false});
  check_elements<bool>(run<Backend, op::all>(over(0b10), none), {3}, {true, true, true});
  check_elements<float>(run<Backend, op::sum>(over(0b10), rows), {0}, {});
  check_elements<float>(run<Backend, op::amax>(over(0b10), rows), {0}, {});
  check_elements<float>(run<Backend, op::amin>(over(0b10), rows), {0}, {});
  check_elements<std::int64_t>(run<Backend, op::argmax>(over(0b10), rows), {0}, {});
  CHECK(thrown<gj::shape_error>([&] { run<Backend, op::amin>(over(0b10), none); }) ==
        "guardjit: amin(x): a reduced extent must not be 0: axis 1; shapes (3, 0); line.cpp:7");
  CHECK(thrown<gj::shape_error>([&] { run<Backend, op::argmin>(over(0b11), none); }) ==
        "guardjit: argmin(x): a reduced extent must not be 0: axis 1; shapes (3, 0); line.cpp:7");
  CHECK(thrown<gj::shape_error>([&] { run<Backend, op::amax>(over(0b10), none); }) ==
        "guardjit: amax(x): a reduced extent must not be 0: axis 1; shapes (3, 0); line.cpp:7");
  CHECK(thrown<gj::shape_error>(
            [&] { run<Backend, op::amax, 1>(over(0b10), none.as<float, dyn, 0>()); }) ==
        "guardjit: amax(x): a reduced extent must not be 0: axis 1; shapes (3, 0); line.cpp:7");
}

TEST_CASE_TEMPLATE("POL-5, POL-6, POL-15: argmax and argmin of NaN, of equal elements and of zeros", Backend,
                   gj::backends::reference, gj::backends::eigen) {
  float const nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  auto const places = [](gj::tensor<float, dyn> const& x) {
    return std::pair{run<Backend, op::argmax, 1>(over(1), x).item(),
                     run<Backend, op::argmin, 1>(over(1), x).item()};
  };
  CHECK(places({1, nan, 3, nan, inf}) == std::pair<index_t, index_t>{1, 1});
  CHECK(places({nan, 2}) == std::pair<index_t, index_t>{0, 0});
  CHECK(places({2, 5, 5, 2, 2}) == std::pair<index_t, index_t>{1, 0});
  CHECK(places({-0.0f, 0.0f, -0.0f}) == std::pair<index_t, index_t>{0, 0});
  CHECK(places({-inf, inf, -inf, inf}) == std::pair<index_t, index_t>{1, 0});
  // All elements in row-major order, however they lie.
  for (form f : all_forms) {
    any_tensor const x = make<std::uint8_t>({2, 3, 2}, f, 3);
    auto const in = elements<std::uint8_t>(x);
    auto const largest = std::max_element(in.begin(), in.end());
    CHECK(run<Backend, op::argmax>(over(0b111), x).template item<std::int64_t>() == largest - in.begin());
  }
}

TEST_CASE_TEMPLATE("matrix products equal plain loops", Backend, gj::backends::reference,
                   gj::backends::eigen) {
  gj::for_each_type(gj::element_types{},
                    []<class T>(std::type_identity<T>) { check_products<Backend, T>(); });
}

TEST_CASE("reductions over named axes, as users write them") {
  gj::tensor<float, 2, 3> const x{{1, 2, 3}, {4, 5, 6}};
  CHECK(gj::sum(x) == 21);
  CHECK(eval(gj::sum(x, gj::axes(-1)))(1) == 15);
  CHECK(eval(gj::amax(x, gj::axes(0), gj::keepdims))(0, 2) == 6);
  CHECK(eval(gj::mean(x, gj::keepdims))(0, 0) == 3.5f);
  CHECK(eval(gj::sum(x, gj::axes()))(1, 1) == 5);
  CHECK(gj::mean(any_tensor(x), gj::axes(1, 0)).item<float>() == 3.5f);
  CHECK(gj::prod(x) == 720);
  CHECK(eval(gj::amin(x, gj::axes(0)))(2) == 3);
  CHECK(gj::any(x > 5.5f) == true);
  CHECK(eval(gj::all(x > 1.5f, gj::axes(1), gj::keepdims))(0, 0) == false);
  CHECK(eval(gj::all(x > 1.5f, gj::axes(1)))(1) == true);
  CHECK(gj::argmax(x) == 5);
  CHECK(eval(gj::argmax(x * -1.0f, 1))(1) == 0);
  CHECK(eval(gj::argmin(x, -2, gj::keepdims))(0, 2) == 0);
  CHECK(eval(gj::argmin(gj::transpose(x), gj::keepdims))(0, 0) == 0);
  CHECK(gj::argmax(gj::transpose(any_tensor(x)), 0).data_as<std::int64_t>()[1] == 2);
  CHECK_THROWS_AS(eval(gj::argmax(x, 2)), gj::index_error);
  CHECK_THROWS_AS(eval(gj::sum(x, gj::axes(2))), gj::index_error);
  CHECK_THROWS_AS(eval(gj::sum(x, gj::axes(0, -2))), gj::shape_error);
  CHECK_THROWS_AS(gj::sum(any_tensor(x), gj::axes(0, 1, 2)), gj::index_error);
}
