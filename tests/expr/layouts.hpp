// guardjit: tests/expr/layouts.hpp: tensors in every kind of layout, and their elements in logical order
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_EXPR_LAYOUTS_HPP
#define GUARDJIT_TESTS_EXPR_LAYOUTS_HPP

#include <guardjit/compile/evaluator.hpp>
#include <guardjit/kernels/eigen.hpp>
#include <guardjit/kernels/reference.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "support/thrown.hpp"

namespace eager {
using support::thrown;

namespace gj = guardjit;
using gj::any_tensor;
using gj::dyn;
using gj::index_t;
using gj::shape;

enum class form { contiguous, strided, reversed, expanded, transposed };
inline constexpr form all_forms[] = {form::contiguous, form::strided, form::reversed,
                                     form::expanded, form::transposed};

/// Values with zeros of both signs, infinities, NaN, subnormals and the ends of the range.
template <class T> T value_of(index_t k) {
  using limits = std::numeric_limits<T>;
  if constexpr (std::is_same_v<T, bool>) {
    return k % 3 != 1;
  } else if constexpr (std::is_integral_v<T>) {
    T const list[] = {T(3), T(0), limits::max(), limits::min(), T(7), T(-2), T(100), T(1)};
    return list[k % 8];
  } else {
    T const list[] = {
        T(1.5), T(-2.25), T(0),   -T(0),         limits::infinity(),  T(0.5), limits::denorm_min(),
        T(7),   T(-1e3),  T(0.1), limits::max(), limits::quiet_NaN(), T(3),   -limits::infinity(),
        T(2)};
    return list[k % 15];
  }
}

/// A tensor whose element number k in logical order is `value_of(k + seed)`. Extended along axis 0
/// by stride 0 it repeats its first slice; elements between those of strided ones are poison.
template <class T> any_tensor make(shape const& s, form f, index_t seed = 0) {
  std::array<index_t, gj::max_rank> strides{};
  index_t step = f == form::strided ? 2 : 1, offset = f == form::strided ? 1 : 0;
  for (int n = 0; n < s.rank; ++n) {
    int const d = f == form::transposed ? n : s.rank - 1 - n;
    auto const u = static_cast<unsigned>(d);
    bool const repeats = f == form::expanded && d == 0;
    strides[u] = repeats ? 0 : f == form::reversed ? -step : step;
    if (f == form::reversed && s[d] > 0) offset += (s[d] - 1) * step;
    if (!repeats) step *= s[d] > 0 ? s[d] : 1;
  }
  any_tensor memory(gj::dtype_v<T>, shape{step + 2});
  T* const data = memory.data_as<T>();
  for (index_t k = 0; k < step + 2; ++k) data[k] = std::numeric_limits<T>::max();
  index_t index[gj::max_rank]{};
  for (index_t k = 0, count = s.count(); k < count; ++k) {
    index_t at = offset, number = 0;
    for (int d = 0; d < s.rank; ++d) {
      bool const repeats = f == form::expanded && d == 0;
      at += index[d] * strides[static_cast<unsigned>(d)];
      number = number * s[d] + (repeats ? 0 : index[d]);
    }
    data[at] = value_of<T>(number + seed);
    for (int d = s.rank - 1; d >= 0 && ++index[d] == s[d]; --d) index[d] = 0;
  }
  return any_tensor::adopt(memory.storage(), data + offset, gj::dtype_v<T>,
                           gj::any_layout(s, strides));
}

/// The elements in logical order.
template <class T> std::vector<T> elements(any_tensor const& x) {
  any_tensor const copy = x.clone();
  return std::vector<T>(copy.data_as<T>(), copy.data_as<T>() + copy.size());
}

/// Where element number k of shape `to` lies in a tensor of shape `from` that broadcasts to it.
inline std::size_t broadcast_index(index_t k, shape const& from, shape const& to) {
  index_t at = 0, step = 1;
  for (int d = to.rank - 1; d >= 0; --d) {
    int const axis = d - (to.rank - from.rank);
    index_t const here = k % to[d];
    k /= to[d];
    if (axis < 0) continue;
    at += from[axis] == 1 ? 0 : here * step;
    step *= from[axis];
  }
  return static_cast<std::size_t>(at);
}

/// Equal bits, NaN aside; or at most `ulp` apart.
template <class T> bool same(T got, T want, double ulp) {
  if constexpr (std::is_floating_point_v<T>) {
    if (want != want) return got != got;
    if (ulp > 0 && std::isfinite(want)) {
      T const spacing =
          std::nextafter(std::fabs(want), std::numeric_limits<T>::infinity()) - std::fabs(want);
      return std::fabs(static_cast<double>(got) - static_cast<double>(want)) <=
             std::max(ulp * static_cast<double>(spacing),
                      static_cast<double>(std::numeric_limits<T>::min()));
    }
  }
  return std::memcmp(&got, &want, sizeof(T)) == 0;
}

/// All elements as expected; reports the first that is not.
template <class T> void check_elements(any_tensor const& got, shape const& extents,
                                       std::vector<T> const& want, double ulp = 0) {
  REQUIRE(std::string(gj::name_of(got.type())) == gj::name_of(gj::dtype_v<T>));
  REQUIRE(got.shape() == extents);
  auto const have = elements<T>(got);
  REQUIRE(have.size() == want.size());
  std::size_t wrong = 0;
  while (wrong < want.size() && same<T>(have[wrong], want[wrong], ulp)) ++wrong;
  if (wrong < want.size()) {
    CAPTURE(wrong);
    CAPTURE(have[wrong]);
    CHECK(have[wrong] == want[wrong]);
    CHECK(wrong == want.size());
  } else {
    CHECK(wrong == want.size());
  }
}

inline constexpr gj::source_line here{"line.cpp", 7};

/// The value of an op on backend `Backend`, as the function of its name makes it on the default one.
template <class Backend, gj::op Id, int Dims = 0, class To = void, class... Operands>
auto run(gj::attributes const& extra, Operands const&... in) {
  auto const made = gj::detail::run_eager<Backend>(gj::op_tag<Id, Dims, To>{}, extra, here, in...);
  if constexpr (gj::expression<decltype(made)>) return made.template evaluate<Backend>();
  else return made;
}

/// A tensor of rank 2 with no, some and all extents in its type.
template <class T, index_t Rows, index_t Columns>
void for_each_typed(any_tensor const& x, auto&& visit) {
  visit(x.as<T, Rows, Columns>());
  visit(x.as<T, dyn, Columns>());
  visit(x.as<T, dyn, dyn>());
}

}  // namespace eager

#endif
