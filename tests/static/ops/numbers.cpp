// The words of formulas, and formulas evaluated by the compiler.
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/reference/formula.hpp>

namespace {

using namespace guardjit;
constexpr auto f32 = dtype::f32;
constexpr std::uint64_t word(op id, dtype type, int a = 0, int b = 0, int c = 0) {
  return formula_node{id, type, a, b, c}.word();
}

// Every field survives the word, at the ends of its range.
constexpr bool survives(formula_node n) { return formula_node::of(n.word()) == n; }
static_assert(survives({op::full, dtype::f64, 65535, 0, 65535}) &&
              survives({op::input, dtype::boolean, 0, 65535, 0}));
static_assert(survives({op::where, f32, 1, 2, 3}) && survives({}));
static_assert([] {
  for (int id = 0; id < op_count; ++id)
    for (int type = 0; type < dtype_count; ++type)
      if (!survives({static_cast<op>(id), static_cast<dtype>(type), id, type, 7})) return false;
  return true;
}());

/// relu(x * 2.5) > 1 ? x : -x, for f32.
using formula =
    numbers<1, 9, word(op::input, f32, 0), word(op::constant, f32, 9), word(op::mul, f32, 0, 1),
            word(op::relu, f32, 2), word(op::constant, f32, 10), word(op::gt, dtype::boolean, 3, 4),
            word(op::neg, f32, 0), word(op::where, f32, 5, 0, 6), word(op::to, dtype::i64, 7),
            __builtin_bit_cast(std::uint64_t, 2.5), __builtin_bit_cast(std::uint64_t, 1.0)>;
constexpr std::int64_t value(float x) {
  return evaluate_formula<formula, scalar_lanes<>>([x](auto) { return lane<float>{x}; }).value;
}
static_assert(value(3.0f) == 3 && value(0.25f) == 0 && value(-4.5f) == 4);
static_assert(formula::input_type(0) == f32 && !formula::reduces() &&
              formula::result().type == dtype::i64);

// Nodes that a target does not need are not evaluated.
static_assert(evaluate_formula<formula, scalar_lanes<>, 2>([](auto) {
                return lane<float>{2};
              }).value == 5.0f);
static_assert(!detail::formula_needs<formula, 2>::value.needed[3] &&
              detail::formula_needs<formula, 8>::value.needed[6]);

}  // namespace
