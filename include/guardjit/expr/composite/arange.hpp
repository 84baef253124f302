// guardjit: expr/composite/arange.hpp: numbers at equal steps
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_EXPR_COMPOSITE_ARANGE_HPP
#define GUARDJIT_EXPR_COMPOSITE_ARANGE_HPP

#include <guardjit/expr/composite/device_beside.hpp>
#include <guardjit/expr/eager.hpp>
#include <guardjit/graph/append.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// The dtype of `arange` follows from its numbers.
struct type_of_numbers;

constexpr attributes count_attributes(index_t count) {
  attributes extra;
  extra.type = dtype::i64;
  extra.target = shape(count);
  return extra;
}

/// 0, 1, … below `count`, in a trace or in eager code, on the default device if on no other.
constexpr sym counted(tracer& t, index_t count, source_line where, std::int16_t beside = default_source) {
  attributes extra = count_attributes(count);
  extra.beside = beside;
  return {&t, append_node(t, op::arange, extra, where, {})};
}
template <class Backend = default_backend>
tensor<std::int64_t, dyn> counted(index_t count, source_line where, device const* on = nullptr) {
  using result = tensor<std::int64_t, dyn>;
  attributes const extra = count_attributes(count);
  inferred_shape(op::arange, {}, extra, where);
  op_promise const promise{dtype::i64, shape(count)};
  if constexpr (!require_backend<Backend, op::arange>()) {
    return result();
  } else {
    op_call call({.id = op::arange,
                  .attribute = &extra,
                  .kernel = evaluator<Backend>::template kernel<op::arange, dtype::i64, dtype::i64>(),
                  .where = where,
                  .device = on,
                  .promise = &promise});
    return from_any<result>(dispatch(call));
  }
}
/// The same beside a tensor: in its trace, or on its device.
template <class X> constexpr auto counted_beside(X const& x, index_t count, source_line where) {
  if constexpr (std::is_same_v<X, sym>) {
    return counted(*x.trace(), count, where, argument_beside(x));
  } else {
    device const on = device_beside(x);
    return counted(count, where, &on);
  }
}
/// The same beside a number or an extent, which has a trace.
template <class Extent> constexpr auto counted_near(Extent const& n, index_t count, source_line where) {
  if constexpr (std::is_same_v<Extent, extent_sym>) return counted(*n.trace(), count, where);
  else return counted(count, where);
}

/// How many numbers there are from `start` to `stop`, which are numbers. Throws: `shape_error`.
template <class Number> constexpr index_t count_of_steps(Number start, Number stop, Number step,
                                                         source_line where) {
  if (step == 0) raise_mistake({mistake_kind::step_is_zero, op::arange, 0, 0, 0, {}},
                               fixed_text{} << "; " << where);
  if (!(step > 0 ? start < stop : start > stop)) return 0;
  if constexpr (std::is_integral_v<Number>) {
    auto const from = static_cast<std::uint64_t>(step > 0 ? start : stop);
    auto const to = static_cast<std::uint64_t>(step > 0 ? stop : start);
    auto const by = step > 0 ? static_cast<std::uint64_t>(step) : -static_cast<std::uint64_t>(step);
    return static_cast<index_t>((to - from - 1) / by + 1);
  } else {
    double const steps = (stop - start) / step;
    if (!(steps < 0x1p62))
      raise<shape_error>(fixed_text{} << "guardjit: arange(start, stop, step): too many elements; "
                                      << where);
    auto const whole = static_cast<index_t>(steps);
    return static_cast<double>(whole) < steps ? whole + 1 : whole;
  }
}

/// The same where one is an extent of a trace; `step` is a number.
constexpr index_t count_of_steps(tracer& t, index_t start, index_t stop, index_t step,
                                 source_line where) {
  t.begin(op::arange, where);
  if (step == 0) t.fail(mistake_kind::step_is_zero, 0, 0, 0);
  if (step == 0) return 0;
  index_t const from = step > 0 ? start : stop, to = step > 0 ? stop : start;
  index_t const width = step > 0 ? step : -step;
  return t.max(t.div(t.add(t.sub(to, from), width - 1), width), 0);
}

/// Element k is start + k * step, computed in i64 or f64; what changes no element is left out.
template <element T, class Counted, class Start, class Step>
constexpr auto scaled(Counted const& k, Start const& start, Step step, source_line where) {
  auto numbers = [&] {
    if constexpr (std::is_integral_v<Step>) return k;
    else return eval(to<double>(k, where));
  }();
  if (step != 1) numbers = mul(numbers, step, where);
  bool from_zero = false;
  if constexpr (scalar_operand<Start>) from_zero = start == 0;
  if (!from_zero) numbers = add(numbers, start, where);
  if constexpr (std::is_same_v<T, std::conditional_t<std::is_integral_v<Step>, std::int64_t, double>>)
    return numbers;
  else return eval(to<T>(numbers, where));
}

template <class Number>
concept arange_number = scalar_operand<Number> || std::is_same_v<Number, extent_sym>;
template <class... Numbers> struct arange_type {
  static constexpr bool traced = (std::is_same_v<Numbers, extent_sym> || ...);
  static constexpr bool floating = (std::is_floating_point_v<Numbers> || ...);
  /// i64, f32 or f64. Rules: POL-14.
  using number = std::conditional_t<floating, double, std::int64_t>;
  using real = std::conditional_t<(std::is_same_v<Numbers, double> || ...), double, float>;
  using type = std::conditional_t<floating, real, std::int64_t>;
};

/// The tracer that an extent belongs to, null for numbers.
template <class Number> constexpr tracer* trace_of(Number const& n) {
  if constexpr (std::is_same_v<Number, extent_sym>) return n.trace();
  else return nullptr;
}

}  // namespace detail

/// start, start + step, … before `stop`, as a tensor of rank 1: `arange(2, 10, 3)`, `arange(0, n)`. In a
/// trace one of `start` and `stop` is an extent of a symbol: `arange(0, x.extent(0))`.
/// Shapes: max(0, ⌈(stop - start) / step⌉). Dtypes: `T`; else i64 for integers, f32 or f64 for floats.
/// Elements are start + k * step in i64 or f64, converted once.
/// Throws: `shape_error` where the step is 0; `std::bad_alloc`.
/// Modes: `arange`, where needed `to`, `mul` and `add` behind it.
template <class T = detail::type_of_numbers, detail::arange_number Start, detail::arange_number Stop,
          scalar_operand Step = int>
constexpr auto arange(Start const& start, Stop const& stop, Step step = 1,
                      source_line where = std::source_location::current()) {
  using kind = detail::arange_type<Start, Stop, Step>;
  using number = typename kind::number;
  using element_type = std::conditional_t<std::is_same_v<T, detail::type_of_numbers>, typename kind::type, T>;
  auto const by = static_cast<number>(step);
  if constexpr (kind::traced) {
    static_assert(!kind::floating, "guardjit: arange(start, stop, step): extents go with integers");
    tracer* const of_start = detail::trace_of(start);
    tracer& t = *(of_start ? of_start : detail::trace_of(stop));
    index_t const count = detail::count_of_steps(t, to_extent(start), to_extent(stop), by, where);
    return detail::scaled<element_type>(detail::counted(t, count, where), start, by, where);
  } else {
    auto const from = static_cast<number>(start);
    index_t const count = detail::count_of_steps(from, static_cast<number>(stop), by, where);
    return detail::scaled<element_type>(detail::counted(count, where), from, by, where);
  }
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
