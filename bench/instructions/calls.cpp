// guardjit: bench/instructions/calls.cpp: calls to be counted in instructions: a case, and how many of them
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/guardjit.hpp>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

namespace gj = guardjit;
using vector = gj::tensor<float, gj::dyn>;

/// Goes on with every op: what it leaves of itself in a compiled call is the price of being there.
struct passing : gj::pure_mode<passing> {
  template <class Call> static constexpr typename Call::value handle(Call& call) { return call(); }
};

struct work {
  vector a{16}, b{16}, out{16};
  gj::any_tensor x{a}, y{b};
  int count;

  void repeat(auto const& call) const {
    for (int k = 0; k < count; ++k) {
      call();
      asm volatile("" ::: "memory");
    }
  }

  /// One op on two tensors, to its kernel: with and without the test for modes.
  void op(bool is_dispatched) {
    gj::operand const operands[] = {gj::operand(x), gj::operand(y)};
    gj::op_call call({.id = gj::op::add,
                      .operands = operands,
                      .kernel = gj::evaluator<gj::default_backend>::any_kernel<gj::op::add, void>()});
    if (is_dispatched) repeat([&] { gj::dispatch(call); });
    else repeat([&] { call.kernel()(call); });
  }
  void compiled(auto const& g) {
    g.into(out, a, b);
    repeat([&] { g.into(out, a, b); });
  }
  void pinned(auto const& g) {
    auto const h = g.pin(a, b);
    repeat([&] { h.into(out, a, b); });
  }
  /// The same kernel, which writes the argument that it reads.
  void updated() {
    auto const g = gj::compile([](auto& s, auto const& x) { s = s * x + 1.0f; });
    g(a, b);
    repeat([&] { g(a, b); });
  }
  void expression() {
    vector whole = out;
    auto target = gj::slice(whole, 0, 0, 16);
    repeat([&] { target = a * b + 1.0f; });
  }
};

constexpr auto function = [](auto const& a, auto const& b) { return a * b + 1.0f; };

/// The sum of an array of tensors.
constexpr auto sum_of_all = [](auto const& all) {
  auto sum = all[0] * 2.0f;
  for (unsigned k = 1; k < all.size(); ++k) sum = sum + all[k];
  return sum;
};
template <std::size_t Count> void hit_of(work const& w) {
  vector out(16);
  auto const all = [&]<std::size_t... K>(std::index_sequence<K...>) {
    return std::array<vector, Count>{((void)K, vector(16))...};
  }(std::make_index_sequence<Count>{});
  auto const g = gj::compile(sum_of_all);
  g.into(out, all);
  w.repeat([&] { g.into(out, all); });
}

/// Calls a function of `entries` entries in turn, by arguments of so many lengths.
void hit_among(work const& w, unsigned entries) {
  auto const g = gj::compile([](auto const& x) { return gj::slice(x, 0, 0, 16) * 2.0f; }, gj::dynamic::none,
                             gj::recompile_limit{64}, gj::compile_limit{64});
  vector out(16);
  std::array<vector, 64> lengths = [&]<std::size_t... K>(std::index_sequence<K...>) {
    return std::array<vector, 64>{vector(gj::index_t{16 + K})...};
  }(std::make_index_sequence<64>{});
  for (unsigned k = 0; k < entries; ++k) g.into(out, lengths[k]);
  unsigned k = 0;
  w.repeat([&] { g.into(out, lengths[k++ & (entries - 1)]); });
}

bool run(char const* name, work& w) {
  auto const is = [name](char const* other) { return std::strcmp(name, other) == 0; };
  auto const plain = gj::compile(function);
  auto const declared = gj::compile(function, gj::inline_modes<passing>);
  passing mode;
  gj::op_counter counter;
  if (is("kernel of an op")) return w.op(false), true;
  if (is("op, no mode")) return w.op(true), true;
  if (is("compiled, no mode")) return w.compiled(plain), true;
  if (is("compiled, pinned")) return w.pinned(plain), true;
  if (is("compiled, writes an argument")) return w.updated(), true;
  if (is("compiled, a stack declared, no mode")) return w.compiled(declared), true;
  if (is("compiled, a stack inlined")) {
    gj::mode_scope const scope(mode);
    return w.compiled(declared), true;
  }
  if (is("compiled, two ops told to an observer")) {
    gj::mode_scope const scope(counter);
    return w.compiled(plain), true;
  }
  if (is("hit, 1 tensor")) return hit_of<1>(w), true;
  if (is("hit, 3 tensors")) return hit_of<3>(w), true;
  if (is("hit, 8 tensors")) return hit_of<8>(w), true;
  if (is("hit, 35 tensors")) return hit_of<35>(w), true;
  if (is("hit, 1 entry of 1 tensor, a part of it")) return hit_among(w, 1), true;
  if (is("hit, 64 entries in turn")) return hit_among(w, 64), true;
  if (is("expression, no mode")) return w.expression(), true;
  return false;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return 2;
  work w{.count = std::atoi(arguments[2])};
  return run(arguments[1], w) ? 0 : 2;
}
