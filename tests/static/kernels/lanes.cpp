// Which formulas run in packets.
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/kernels/eigen/rows.hpp>

namespace {

using namespace guardjit;
constexpr auto f32 = dtype::f32, f64 = dtype::f64, i32 = dtype::i32, i64 = dtype::i64, u8 = dtype::u8,
               boolean = dtype::boolean;
constexpr std::uint64_t word(op id, dtype type, int a = 0, int b = 0, int c = 0) {
  return formula_node{id, type, a, b, c}.word();
}

template <dtype Type> using copy = numbers<1, 1, word(op::input, Type, 0)>;
static_assert(packet_type<copy<f32>> == f32 && packet_type<copy<f64>> == f64);
static_assert(!packable<copy<i64>> && !packable<copy<i32>> && !packable<copy<u8>> && !packable<copy<boolean>>);

template <dtype From, dtype To> using conversion =
    numbers<1, 2, word(op::input, From, 0), word(op::to, To, 0)>;
static_assert(packet_type<conversion<u8, f32>> == f32 && packet_type<conversion<i64, f64>> == f64);
static_assert(packet_type<conversion<i32, f64>> == f64 && packet_type<conversion<f64, i32>> == f64);
static_assert(packet_type<conversion<f32, u8>> == f32 &&
              packet_type<conversion<boolean, f64>> == f64);
static_assert(packet_type<conversion<f32, boolean>> == f32);
static_assert(!packable<conversion<i64, u8>> && !packable<conversion<i64, boolean>>);

// A comparison as the result, and as the condition of a selection.
using less =
    numbers<2, 3, word(op::input, f32, 0), word(op::input, f32, 1), word(op::lt, boolean, 0, 1)>;
using choice = numbers<3, 4, word(op::input, boolean, 0), word(op::input, f64, 1),
                       word(op::input, f64, 2), word(op::where, f64, 0, 1, 2)>;
static_assert(packet_type<less> == f32 && packet_type<choice> == f64);

// Whole numbers that are compared, or computed with before they are converted, take single elements.
using whole_less =
    numbers<2, 3, word(op::input, i64, 0), word(op::input, i64, 1), word(op::lt, boolean, 0, 1)>;
using late = numbers<1, 3, word(op::input, i64, 0), word(op::neg, i64, 0), word(op::to, f32, 1)>;
using both = numbers<1, 4, word(op::input, f32, 0), word(op::neg, f32, 0), word(op::to, f64, 1),
                     word(op::neg, f64, 2)>;
static_assert(!packable<whole_less> && !packable<late> && !packable<both>);

// Reductions: in the dtype of the packets only.
using total = numbers<1, 2, word(op::input, f32, 0), word(op::sum, f32, 0)>;
using count = numbers<2, 4, word(op::input, f32, 0), word(op::input, f32, 1),
                      word(op::lt, boolean, 0, 1), word(op::sum, i64, 2)>;
static_assert(packet_type<total> == f32 && !packable<count>);

// softmax keeps its exponentials in the row of the result; the square root of a row is not kept.
using softmax =
    numbers<1, 6, word(op::input, f32, 0), word(op::amax, f32, 0), word(op::sub, f32, 0, 1),
            word(op::exp, f32, 2), word(op::sum, f32, 3), word(op::div, f32, 3, 4)>;
constexpr auto& stages = detail::row_stages<softmax>::value;
static_assert(packable<softmax> && stages.count == 1 && stages.place[3] == 1 &&
              stages.stage[3] == 1 && !stages.inputs_after);
static_assert(detail::row_stages<total>::value.count == 0);
static_assert(detail::row_stages<softmax, false>::value.count == 0);
static_assert(!detail::pass_leaves<softmax, 1>::given(3) && detail::pass_leaves<softmax, 2>::given(3));
static_assert(detail::pass_leaves<softmax, 1>::wanted(3) && detail::pass_leaves<softmax, 2>::wanted(5));

// Reductions share a pass unless one needs the other: the smallest, the largest and the sum, then the sum
// of squares apart from the middle of the first two.
using scaled =
    numbers<1, 11, word(op::input, f32, 0), word(op::amin, f32, 0), word(op::amax, f32, 0),
            word(op::sum, f32, 0), word(op::add, f32, 1, 2), word(op::sub, f32, 0, 4),
            word(op::square, f32, 5), word(op::sum, f32, 6), word(op::mul, f32, 7, 3),
            word(op::div, f32, 0, 8), word(op::exp, f32, 9)>;
constexpr auto& passes = detail::row_passes<scaled>::value;
static_assert(passes.of(3) == (detail::fold_registers < 12 ? 1 : 0));
static_assert(passes.of(1) == 0 && passes.of(2) == 0 && passes.of(7) == 1 && passes.count == 2);
static_assert(detail::pass_reductions<scaled, 0>::count + detail::pass_reductions<scaled, 1>::count == 4);
static_assert(detail::row_constants<scaled>::value.once[4] && detail::row_constants<scaled>::value.once[8]);

// Where registers are few a pass has fewer: means of f32 take two for each run.
using means = numbers<2, 6, word(op::input, f32, 0), word(op::input, f32, 1), word(op::mean, f32, 0),
                      word(op::mean, f32, 1), word(op::sub, f32, 2, 3), word(op::add, f32, 0, 4)>;
static_assert(detail::row_passes<means>::value.count == (detail::fold_registers < 16 ? 2 : 1));

}  // namespace
