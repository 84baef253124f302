// guardjit: tests/conformance/modes/random_stacks.hpp: drawn functions under drawn stacks of modes
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_CONFORMANCE_MODES_RANDOM_STACKS_HPP
#define GUARDJIT_TESTS_CONFORMANCE_MODES_RANDOM_STACKS_HPP

#include <array>
#include <functional>

#include "conformance/modes/fixtures.hpp"

// A function is a list of steps, each one op on arguments, numbers and earlier steps. It runs on tensors, on
// symbols, and in the model of random_stacks_model.cpp, which knows nothing of the library but the names of ops.
namespace random_stacks {

namespace gj = guardjit;
using fixtures::matrix;

/// Draws numbers, in the compiler too.
struct dice {
  std::uint64_t state;
  constexpr unsigned operator()(unsigned below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<unsigned>(state >> 40) % below;
  }
};

/// An operand: an argument (0, 1), a step (2 + its number), or a number.
struct input {
  int value = 0;
  bool is_number = false;
  bool operator==(input const&) const = default;
};
/// The mode around a step, if any.
enum class around : std::uint8_t { nothing, zero, plus100, scale };
struct step {
  gj::op id{};
  input a{}, b{};
  around mode = around::nothing;
  bool operator==(step const&) const = default;
};
struct program {
  std::array<step, 8> steps{};
  int count = 0;
  unsigned nested = 0;  ///< bit k: step k is a call of a compiled function
  int broken = -1;      ///< the step whose value goes through an opaque callable

  /// Whether all steps before `last` lead to it.
  constexpr bool leads_to(int last) const {
    unsigned used = 1u << last;
    for (int k = last; k >= 0; --k)
      for (input const& in : {steps[static_cast<unsigned>(k)].a, steps[static_cast<unsigned>(k)].b})
        if ((used >> k & 1u) != 0 && !in.is_number && in.value >= 2) used |= 1u << (in.value - 2);
    return used == (2u << last) - 1;
  }

  /// Depth first, each operand before its step, as modes are told; equal steps are one.
  constexpr int draw(dice& d, int depth) {
    if (depth == 0 || count >= 5) {
      unsigned const at = d(static_cast<unsigned>(count) + 2);
      return static_cast<int>(at);
    }
    constexpr gj::op ops[] = {gj::op::add, gj::op::mul, gj::op::add,    gj::op::mul,
                              gj::op::sub, gj::op::neg, gj::op::maximum};
    step s;
    s.id = ops[d(7)];
    s.a = {draw(d, depth - 1), false};
    bool const is_unary = s.id == gj::op::neg;
    if (!is_unary) s.b = d(3) == 0 ? input{static_cast<int>(d(5)) - 2, true} : input{draw(d, depth - 1), false};
    if (!is_unary && s.b.is_number && d(2) == 0) std::swap(s.a, s.b);
    if (d(5) == 0) s.mode = static_cast<around>(1 + d(3));
    for (int k = 0; s.mode == around::nothing && k < count; ++k)
      if (steps[static_cast<unsigned>(k)] == s) return k + 2;
    steps[static_cast<unsigned>(count)] = s;
    return 2 + count++;
  }
};
/// All steps lead to the last one, the result. Every tenth function has a break, behind a step to which all
/// former ones lead, so that they are told in their order; some sums and products are calls.
constexpr program program_of(std::uint64_t seed) {
  for (dice d{seed * 0x9E3779B97F4A7C15u};;) {
    program p;
    int const result = p.draw(d, 3);
    if (result != p.count + 1 || p.count < 2 || !p.leads_to(p.count - 1)) continue;
    p.nested = d(3) == 0 ? 0 : d(256);
    for (int k = 0; seed % 10 == 2 && k + 1 < p.count; ++k)
      if (p.leads_to(k)) p.broken = k;
    return p;
  }
}

/// Called by others, in whose graphs their ops are; in eager code they are compiled for themselves.
inline auto const nested_sum =
    gj::compile([](auto const& a, auto const& b) { return a + b; }, gj::backend(gj::reference));
inline auto const nested_product =
    gj::compile([](auto const& a, auto const& b) { return a * b; }, gj::backend(gj::reference));
/// Eager code between two graphs.
inline constexpr auto turned = [](matrix const& x) { return gj::eval(gj::neg(x)); };

/// One op, on tensors or symbols.
template <class Value>
constexpr Value run_op(gj::op id, [[maybe_unused]] bool is_nested, auto const& a, auto const& b) {
  if constexpr (std::is_same_v<decltype(a), Value const&> && std::is_same_v<decltype(b), Value const&>) {
    if (is_nested && id == gj::op::add) return gj::eval(nested_sum(a, b));
    if (is_nested && id == gj::op::mul) return gj::eval(nested_product(a, b));
  }
  switch (id) {
    case gj::op::add: return gj::eval(a + b);
    case gj::op::sub: return gj::eval(a - b);
    case gj::op::mul: return gj::eval(a * b);
    default: return gj::eval(gj::maximum(a, b));
  }
}
template <class Value>
constexpr Value run_step(step const& s, bool is_nested, auto const& a, auto const& b) {
  auto const f = [id = s.id, is_nested](auto const& x, auto const& y) -> Value {
    return run_op<Value>(id, is_nested, x, y);
  };
  switch (s.mode) {
    case around::zero: return gj::with_modes(fixtures::zero{})(f)(a, b);
    case around::plus100: return gj::with_modes(fixtures::plus100{})(f)(a, b);
    case around::scale: return gj::with_modes(fixtures::scale(2))(f)(a, b);
    default: return f(a, b);
  }
}
template <class Value> constexpr Value run(program const& p, Value const& x, Value const& y) {
  std::array<Value, 10> values{};
  values[0] = x;
  values[1] = y;
  auto const at = [&values](input const& in) -> Value const& { return values[static_cast<unsigned>(in.value)]; };
  for (unsigned k = 0; k < static_cast<unsigned>(p.count); ++k) {
    step const& s = p.steps[k];
    Value& to = values[k + 2];
    bool const is_nested = (p.nested >> k & 1u) != 0;
    if (s.id == gj::op::neg) to = gj::eval(gj::neg(at(s.a)));
    else if (s.a.is_number) to = run_step<Value>(s, is_nested, s.a.value, at(s.b));
    else if (s.b.is_number) to = run_step<Value>(s, is_nested, at(s.a), s.b.value);
    else to = run_step<Value>(s, is_nested, at(s.a), at(s.b));
    if (p.broken == static_cast<int>(k)) to = gj::opaque(turned)(to);
  }
  return values[static_cast<unsigned>(p.count) + 1];
}
template <std::uint64_t Seed> struct drawn_function {
  static constexpr program steps = program_of(Seed);
  template <class Value> constexpr Value operator()(Value const& x, Value const& y) const {
    return run(steps, x, y);
  }
};

/// Products by half of what they were asked for; wants nothing else.
struct halves : gj::pure_mode<halves> {
  static constexpr gj::op_set interests{gj::op::mul};
  template <class Call> static constexpr typename Call::value handle(Call& call) {
    typename Call::value const right = gj::mul(call.arg(1), 0.5f);
    return call(call.arg(0), right);
  }
};

/// What a slot of a drawn stack is.
enum class kind : std::uint8_t { zero, one, plus100, pass1, halves, scale, observer, infra, runtime };
struct slot {
  kind what{};
  float key = 1;
};

/// A stack by its types and as data.
template <class... Modes> struct declared {
  static constexpr auto option = gj::inline_modes<Modes...>;
  template <class Mode> static constexpr kind kind_of() {
    if constexpr (std::is_same_v<Mode, fixtures::zero>) return kind::zero;
    else if constexpr (std::is_same_v<Mode, fixtures::one>) return kind::one;
    else if constexpr (std::is_same_v<Mode, fixtures::plus100>) return kind::plus100;
    else if constexpr (std::is_same_v<Mode, fixtures::pass1>) return kind::pass1;
    else if constexpr (std::is_same_v<Mode, halves>) return kind::halves;
    else return kind::scale;
  }
  static constexpr std::array kinds{kind_of<Modes>()...};
};
using fixtures::one, fixtures::pass1, fixtures::plus100, fixtures::scale, fixtures::zero;
using stacks = gj::type_list<declared<zero>, declared<plus100>, declared<scale>, declared<one, zero>,
                             declared<scale, plus100>, declared<plus100, halves, scale>,
                             declared<zero, pass1, scale>, declared<scale, halves, scale>>;
template <std::uint64_t Seed, unsigned K> using stack_of =
    gj::nth_type_t<static_cast<int>((Seed + 3 * K) % stacks::size), stacks>;

struct compiled_call {
  std::function<matrix(matrix const&, matrix const&)> call;
  std::function<int()> compiles;
  std::function<void()> clear;
};
/// Calls a compiled function under drawn stacks, stances and backends, and compares with eager code and with
/// the model.
void check_calls(program const& p, std::span<std::span<kind const> const> declared_stacks, unsigned seed,
                 int calls, compiled_call const& compiled);

template <std::uint64_t Seed> void check_function(int calls) {
  auto const g = gj::compile(drawn_function<Seed>{}, gj::backend(gj::reference), gj::recompile_limit{64},
                             stack_of<Seed, 0>::option, stack_of<Seed, 1>::option);
  std::span<kind const> const kinds[] = {stack_of<Seed, 0>::kinds, stack_of<Seed, 1>::kinds};
  check_calls(drawn_function<Seed>::steps, kinds, static_cast<unsigned>(Seed), calls,
              {[&g](matrix const& x, matrix const& y) { return g(x, y); }, [&g] { return g.compiles(); },
               [&g] { g.clear(); }});
}
/// 2,000 calls of each, which sanitizers make slow.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr int calls_of_function = 300;
#elif defined(__has_feature)
inline constexpr int calls_of_function = __has_feature(address_sanitizer) ? 300 : 2000;
#else
inline constexpr int calls_of_function = 2000;
#endif
template <std::uint64_t First, std::size_t... K> void check_functions(std::index_sequence<K...>) {
  (check_function<First + K>(calls_of_function), ...);
}

}  // namespace random_stacks

#endif
