// guardjit: kernels/eigen/fold.hpp: many packets to one value, in the order of the rules
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_KERNELS_EIGEN_FOLD_HPP
#define GUARDJIT_KERNELS_EIGEN_FOLD_HPP

#include <guardjit/kernels/eigen/memory.hpp>
#include <guardjit/reference/accumulate.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// What the packets of `T` under a reduction become while they are folded: `of` takes a packet,
/// `+` joins two, `none` is neutral, `neutral` is its element, `result` ends with a value.
template <op Id, class T> struct folded;

template <class T> struct folded<op::sum, T> {
  packet<T> sum;
  static constexpr T neutral = T(0);
  static folded none() { return {packet<T>::of(0)}; }
  static folded of(packet<T> v) { return {v}; }
  friend folded operator+(folded a, folded b) { return {a.sum + b.sum}; }
  packet<T> lanes() const { return sum; }
  /// Lane `k` as a result of its own.
  void results(T* to, index_t) const { store_unaligned(to, sum.raw); }
  T result(index_t) const { return Eigen::internal::predux(sum.raw); }
};

template <class T> struct folded<op::prod, T> {
  packet<T> product;
  static constexpr T neutral = T(1);
  static folded none() { return {packet<T>::of(1)}; }
  static folded of(packet<T> v) { return {v}; }
  friend folded operator+(folded a, folded b) { return {a.product * b.product}; }
  packet<T> lanes() const { return product; }
  void results(T* to, index_t) const { store_unaligned(to, product.raw); }
  T result(index_t) const { return Eigen::internal::predux_mul(product.raw); }
};

/// What a sum is divided by; NaN for a `mean_divisor` of 0.
inline double mean_count(index_t count) {
  return count == 0 ? limits_of<double>::nan : static_cast<double>(count);
}
template <class T> inline T mean_quotient(double sum, index_t count) {
  return static_cast<T>(sum / mean_count(count));
}

template <> struct folded<op::mean, float> {
  wide_packet sum;
  static constexpr float neutral = 0;
  static folded none() { return {{packet<double>::of(0), packet<double>::of(0)}}; }
  static folded of(packet<float> v) { return {widen(v)}; }
  friend folded operator+(folded a, folded b) {
    return {{a.sum.low + b.sum.low, a.sum.high + b.sum.high}};
  }
  void results(float* to, index_t count) const {
    constexpr int half = packet_width<double>;
    alignas(64) double sums[2 * half];
    store_unaligned(sums, sum.low.raw);
    store_unaligned(sums + half, sum.high.raw);
    for (int k = 0; k < 2 * half; ++k)
      to[k] = mean_quotient<float>(sums[k], count);
  }
  float result(index_t count) const {
    return mean_quotient<float>(Eigen::internal::predux((sum.low + sum.high).raw), count);
  }
};

template <> struct folded<op::mean, double> {
  packet<double> sum;
  static constexpr double neutral = 0;
  static folded none() { return {packet<double>::of(0)}; }
  static folded of(packet<double> v) { return {v}; }
  friend folded operator+(folded a, folded b) { return {a.sum + b.sum}; }
  packet<double> lanes() const { return sum; }
  void results(double* to, index_t count) const {
    store_unaligned(to, (sum / packet<double>::of(mean_count(count))).raw);
  }
  double result(index_t count) const {
    return mean_quotient<double>(Eigen::internal::predux(sum.raw), count);
  }
};

template <op Id, class T>
requires(Id == op::amax || Id == op::amin)
struct folded<Id, T> {
  packet<T> extreme;
  static constexpr bool largest = Id == op::amax;
  static constexpr T neutral = accumulator<Id, T>{}.extreme.value;
  static folded none() { return {{splat(neutral)}}; }
  static folded of(packet<T> v) { return {v}; }
  friend folded operator+(folded a, folded b) {
    if constexpr (largest) return {max_(a.extreme, b.extreme)};
    else return {min_(a.extreme, b.extreme)};
  }
  packet<T> lanes() const { return extreme; }
  void results(T* to, index_t) const { store_unaligned(to, extreme.raw); }
  /// Eigen's own function is right but for NaN, which the sum of all lanes finds, and for zeros.
  T result(index_t) const {
    T const quick = largest ? Eigen::internal::predux_max(extreme.raw)
                            : Eigen::internal::predux_min(extreme.raw);
    T const sum = Eigen::internal::predux(extreme.raw);
    if (sum == sum && quick != T(0)) return quick;
    constexpr int width = packet_width<T>;
    alignas(64) T lanes[width];
    store_unaligned(lanes, extreme.raw);
    accumulator<Id, T> total{};
    for (T const v : lanes) total.add(v);
    return total.result(width);
  }
};

/// How many runs are folded at once, which hides the latency of one.
inline constexpr int fold_side_by_side = 4;

/// The operands of `Count` reductions at the same elements.
template <class T, int Count> struct operand_packets {
  packet<T> at[static_cast<unsigned>(Count)];
};

/// What the elements of a line become that several reductions fold in one pass.
template <class T, class Index, op... Ids> struct folded_each;
template <int Index, class Folded> struct folded_part {
  Folded value;
};
template <class T, int... Index, op... Ids>
struct folded_each<T, std::integer_sequence<int, Index...>, Ids...>
    : folded_part<Index, folded<Ids, T>>... {
  using operands = operand_packets<T, sizeof...(Ids)>;
  template <int I> auto const& get() const { return part<I>(*this).value; }

  static folded_each none() { return {{folded<Ids, T>::none()}...}; }
  static folded_each of(operands const& v, full_packet<T> const&) {
    return {{folded<Ids, T>::of(v.at[Index])}...};
  }
  static folded_each of(operands const& v, first_lanes<T> const& lanes) {
    return {{folded<Ids, T>::of(
        {lanes.select(v.at[Index].raw, splat(folded<Ids, T>::neutral))})}...};
  }
  friend folded_each operator+(folded_each const& a, folded_each const& b) {
    return {{a.template get<Index>() + b.template get<Index>()}...};
  }

 private:
  template <int I, class Folded> static auto const& part(folded_part<I, Folded> const& p) {
    return p;
  }
};

/// Folds lines of packets into one value for each of the reductions `Ids`.
/// Rules: N21: four runs side by side, each of at most 32 packets, then a binary tree.
template <class T, op... Ids> class line_fold {
  using value_type = folded_each<T, std::make_integer_sequence<int, sizeof...(Ids)>, Ids...>;
  static constexpr int width = packet_width<T>, side_by_side = fold_side_by_side;

 public:
  using operands = typename value_type::operands;

  /// Adds elements 0 to n of a line: `evaluate(i, load)` is the operands from element i on, read
  /// by `load(pointer)`; `load.store(pointer, packet)` writes as many lanes.
  [[gnu::always_inline]] void add_line(index_t n, auto const& evaluate) {
    constexpr index_t stride = side_by_side * width;
    index_t i = 0;
    while (n - i >= stride) {
      value_type run[side_by_side] = {value_type::none(), value_type::none(), value_type::none(),
                                      value_type::none()};
      index_t const end = i + (n - i < sum_run * stride ? (n - i) / stride : sum_run) * stride;
      full_packet<T> const full;
      for (; i < end; i += stride) {
#pragma GCC unroll 4
        for (int side = 0; side < side_by_side; ++side)
          run[side] = run[side] + value_type::of(evaluate(i + side * width, full), full);
      }
      tree_.add_run((run[0] + run[1]) + (run[2] + run[3]));
    }
    for (; i + width <= n; i += width) add_rest(evaluate, i, full_packet<T>{});
    if (i < n) add_rest(evaluate, i, first_lanes<T>(n - i));
  }
  /// The result of reduction number `I`, of `count` elements, of a mean of its `mean_divisor`.
  template <int I = 0> T result(index_t count) const {
    return total().template get<I>().result(count);
  }
  value_type total() const { return tree_.total(rest_); }

 private:
  [[gnu::always_inline]] void add_rest(auto const& evaluate, index_t i, auto const& load) {
    rest_ = rest_ + value_type::of(evaluate(i, load), load);
    if (++held_ < sum_run) return;
    tree_.add_run(rest_);
    rest_ = value_type::none();
    held_ = 0;
  }

  tree_sum<value_type> tree_;
  value_type rest_ = value_type::none();
  int held_ = 0;
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
