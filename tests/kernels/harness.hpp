// Formulas, operands in every layout, and comparison, for the tests of all backends.
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_KERNELS_HARNESS_HPP
#define GUARDJIT_TESTS_KERNELS_HARNESS_HPP

#include <guardjit/ops/numbers.hpp>
#include <guardjit/reference/loop_nest.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace kernel_tests {

using namespace guardjit;

constexpr std::uint64_t word(op id, dtype type, int a = 0, int b = 0, int c = 0) {
  return formula_node{id, type, a, b, c}.word();
}
constexpr std::uint64_t bits(double v) { return __builtin_bit_cast(std::uint64_t, v); }
constexpr std::uint64_t bits(std::int64_t v) { return __builtin_bit_cast(std::uint64_t, v); }

/// One op on its operands, all of one dtype; comparisons give bool.
template <op Id, dtype Type, dtype Result = Type> using unary =
    numbers<1, 2, word(op::input, Type, 0), word(Id, Result, 0)>;
template <op Id, dtype Type, dtype Result = Type> using binary =
    numbers<2, 3, word(op::input, Type, 0), word(op::input, Type, 1), word(Id, Result, 0, 1)>;

inline std::uint32_t next_random() {
  static std::uint32_t state = 12345;
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}
template <class T> T random_value() {
  if constexpr (std::is_same_v<T, bool>) return next_random() % 2 == 0;
  else if constexpr (std::is_same_v<T, std::uint8_t>) return static_cast<T>(next_random() % 256);
  else if constexpr (std::is_integral_v<T>) return static_cast<T>(next_random()) % 2001 - 1000;
  else return static_cast<T>(static_cast<double>(next_random() % 20001) / 1000.0 - 10.0);
}
/// Values at which float ops have rules of their own.
template <class T> std::vector<T> special_values() {
  using limits = std::numeric_limits<T>;
  return {limits::quiet_NaN(),
          T(0),
          T(-0.0),
          limits::infinity(),
          -limits::infinity(),
          limits::denorm_min(),
          -limits::denorm_min(),
          limits::min(),
          -limits::min() / 2,
          limits::max(),
          limits::lowest(),
          T(1),
          T(-1),
          T(0.5),
          T(3),
          T(-7.25),
          T(1) + limits::epsilon(),
          T(255.5),
          T(-88.9),
          T(-0.2),
          T(-0.5),
          T(2.5),
          T(0.75),
          T(9.3e18)};
}

/// Bit equality, where any NaN equals any NaN (POL-17).
template <class T> bool same(T a, T b) {
  if (a != a && b != b) return true;
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}
/// Error in ULP of T; an error below the smallest normal number is none (POL-16).
template <class T> double ulps(T got, long double exact) {
  T const rounded = static_cast<T>(exact);
  if (same(got, rounded)) return 0;
  long double const error = std::fabs(static_cast<long double>(got) - exact);
  if (!(error < std::numeric_limits<long double>::max())) return 1e30;
  long double const smallest = std::numeric_limits<T>::min();
  if (std::fabs(exact) < smallest) return error <= smallest ? 0 : 1e30;
  int exponent = 0;
  std::frexp(std::fabs(static_cast<double>(rounded)), &exponent);
  return static_cast<double>(error / std::ldexp(1.0L, exponent - std::numeric_limits<T>::digits));
}

using extents_type = std::vector<index_t>;
enum class placement { contiguous, stepped, reversed, transposed, expanded };
inline constexpr placement all_placements[] = {placement::contiguous, placement::stepped, placement::reversed,
                                         placement::transposed, placement::expanded};

/// Memory of `T` with a view of the given extents on it. Bool memory holds other bytes than 1.
template <class T> struct test_operand {
  std::vector<std::conditional_t<std::is_same_v<T, bool>, unsigned char, T>> memory;
  std::vector<index_t> strides;
  index_t start = 0;

  test_operand(extents_type const& extents, placement how) : strides(extents.size()) {
    auto const rank = extents.size();
    index_t span = 1;
    for (std::size_t k = 0; k < rank; ++k) {
      auto const d = how == placement::transposed ? k : rank - 1 - k;
      strides[d] = span * (how == placement::stepped && k == 0 ? 2 : 1);
      span *= std::max<index_t>(extents[d], 1) * (how == placement::stepped && k == 0 ? 2 : 1);
      if (how == placement::reversed) {
        start += strides[d] * std::max<index_t>(extents[d] - 1, 0);
        strides[d] = -strides[d];
      }
      if (how == placement::expanded && k == rank - 1) strides[d] = 0;
    }
    for (index_t k = 0; k < span; ++k) memory.push_back(random_value<T>());
    if constexpr (std::is_same_v<T, bool>)
      for (auto& byte : memory)
        byte = static_cast<unsigned char>(byte ? 1 + next_random() % 255 : 0);
  }
  void const* data() const { return memory.data() + start; }
  void* data() { return memory.data() + start; }
  T at(index_t offset) const {
    auto const v = memory[static_cast<std::size_t>(start + offset)];
    if constexpr (std::is_same_v<T, bool>) return v != 0;
    else return v;
  }
};

/// The loops over a result and its operands.
template <int Operands>
loop_nest<Operands> loops(extents_type const& extents,
                          std::array<std::vector<index_t> const*, Operands> strides) {
  loop_nest<Operands> nest;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    std::array<index_t, Operands> step{};
    for (unsigned k = 0; k < Operands; ++k) step[k] = strides[k] ? (*strides[k])[d] : 0;
    nest.add_inner(extents[d], step);
  }
  return nest;
}

/// Calls `visit(offset…)` for each index, by plain division: no loop of the library.
void for_each_index(extents_type const& extents, auto&& visit) {
  index_t n = 1;
  for (auto e : extents) n *= e;
  std::vector<index_t> index(extents.size());
  for (index_t i = 0; i < n; ++i) {
    index_t rest = i;
    for (std::size_t d = extents.size(); d-- > 0;) {
      index[d] = rest % extents[d];
      rest /= extents[d];
    }
    visit(index);
  }
}
inline index_t offset_of(std::vector<index_t> const& index, std::vector<index_t> const& strides) {
  index_t offset = 0;
  for (std::size_t d = 0; d < index.size(); ++d) offset += index[d] * strides[d];
  return offset;
}

inline std::vector<extents_type> const& shapes() {
  static std::vector<extents_type> const all = {{},
                                                {0},
                                                {1},
                                                {3},
                                                {4},
                                                {15},
                                                {16},
                                                {17},
                                                {31},
                                                {33},
                                                {64},
                                                {100},
                                                {1000},
                                                {3, 0},
                                                {5, 7},
                                                {2, 300},
                                                {33, 17},
                                                {3, 4, 5},
                                                {1, 2, 1, 3, 2, 1, 2, 3}};
  return all;
}

/// Runs an elementwise formula with `Out f(In…)` beside it over all shapes and layouts, the
/// result contiguous, stepped and (where the types allow) in the place of the first operand.
/// `accept(got, expected)` judges; returns the number of wrong elements.
template <class Backend, class Formula, class Out, class... In>
int wrong_elements(auto const& f, auto const& accept) {
  int wrong = 0;
  constexpr int inputs = Formula::inputs;
  auto const run = [&]<std::size_t... K>(std::index_sequence<K...>, extents_type const& extents,
                                         placement how, placement result, bool in_place) {
    std::tuple<test_operand<In>...> in{test_operand<In>(
        extents, all_placements[(static_cast<std::size_t>(how) + K * (K % 2 == 1 ? 2u : 0u)) % 5])...};
    test_operand<Out> out(extents, result);
    if (in_place) out.strides = std::get<0>(in).strides;
    auto const nest = loops<inputs + 1>(extents, {&out.strides, &std::get<K>(in).strides...});
    std::vector<std::pair<index_t, Out>> expected;
    for_each_index(extents, [&](auto const& index) {
      expected.emplace_back(offset_of(index, out.strides),
                            f(std::get<K>(in).at(offset_of(index, std::get<K>(in).strides))...));
    });
    void const* pointers[] = {nullptr, std::get<K>(in).data()...};
    if constexpr (std::is_same_v<Out, std::tuple_element_t<0, std::tuple<In...>>>) {
      if (in_place) {
        auto& first = std::get<0>(in);
        Backend::template elementwise<Formula>(nest, first.data(), pointers + 1);
        for (auto const& [offset, value] : expected) wrong += !accept(first.at(offset), value);
        return;
      }
    }
    Backend::template elementwise<Formula>(nest, out.data(), pointers + 1);
    for (auto const& [offset, value] : expected) wrong += !accept(out.at(offset), value);
  };
  constexpr bool may_be_in_place = std::is_same_v<Out, std::tuple_element_t<0, std::tuple<In...>>>;
  for (auto const& extents : shapes())
    for (auto const how : all_placements)
      for (auto const result : {placement::contiguous, placement::stepped, placement::transposed}) {
        run(std::make_index_sequence<sizeof...(In)>{}, extents, how, result, false);
        if (may_be_in_place && result == placement::contiguous && how != placement::expanded)
          run(std::make_index_sequence<sizeof...(In)>{}, extents, how, result, true);
      }
  return wrong;
}

/// The same for exact formulas. Rules: POL-17.
template <class Backend, class Formula, class Out, class... In>
int inexact_elements(auto const& f) {
  return wrong_elements<Backend, Formula, Out, In...>(
      f, [](Out got, Out expected) { return same(got, expected); });
}

/// Runs an elementwise formula over contiguous operands; `T` is the dtype of the operands.
template <class Backend, class Formula, class Out, class T>
std::vector<Out> apply(std::vector<std::vector<T>> const& in) {
  auto const n = static_cast<index_t>(in[0].size());
  // One more byte than asked for, so that bool results are no std::vector<bool>.
  std::vector<std::conditional_t<std::is_same_v<Out, bool>, unsigned char, Out>> raw(in[0].size() +
                                                                                     1);
  loop_nest<Formula::inputs + 1> nest;
  std::array<index_t, Formula::inputs + 1> step;
  step.fill(1);
  nest.add_inner(n, step);
  std::vector<void const*> pointers;
  for (auto const& each : in) pointers.push_back(each.data());
  Backend::template elementwise<Formula>(nest, raw.data(), pointers.data());
  return std::vector<Out>(raw.begin(), raw.end() - 1);
}

}  // namespace kernel_tests

#endif
