// guardjit: tests/support/programs.hpp: compiled functions against the same ops one by one
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_SUPPORT_PROGRAMS_HPP
#define GUARDJIT_TESTS_SUPPORT_PROGRAMS_HPP

#include <guardjit/guardjit.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "support/tensors.hpp"

namespace support {

/// f32 of rank 2 with small values of both signs.
inline tensor<float, dyn, dyn> small(index_t m, index_t n, how l = how::contiguous) {
  return laid_out<float, dyn, dyn>(l, {m, n}, -0.5, 0.0625);
}

/// Makes compiled calls run op by op.
struct passing_mode final : guardjit::function_mode {
  guardjit::op_result handle(guardjit::op_call& call) override { return call(); }
};

/// The values of `f` by the reference kernels of its ops, one by one.
template <class F, class... X> auto one_by_one(F f, X const&... x) {
  auto const g = guardjit::compile(f, guardjit::backend(guardjit::backends::reference{}), guardjit::dynamic::all);
  passing_mode passing;
  guardjit::mode_scope const scope(passing);
  auto const y = g(x...);
  CHECK(g.compiles() == 0);
  return y;
}

/// A tensor for `into` of the type and shape of `like`, in one of two layouts.
template <class T, index_t... E> tensor<T, E...> output_like(tensor<T, E...> const& like, how l) {
  std::array<index_t, sizeof...(E)> extents{};
  for (unsigned d = 0; d < sizeof...(E); ++d) extents[d] = like.extent(static_cast<int>(d));
  return laid_out<T, E...>(l, extents, 7, 0);
}

/// `g` made, hit, into outputs of several layouts, and with memory of the caller: equal to `expected`.
template <class G, class Y, class... X> void check_calls(G const& g, Y const& expected, X const&... x) {
  auto const made = g(x...);
  int const compiles = g.compiles();
  CHECK(near(made, expected));
  CHECK(near(g(x...), expected));
  for (how l : {how::contiguous, how::transposed, how::padded}) {
    CAPTURE(name_of(l));
    auto out = output_like(made, l);
    g.into(out, x...);
    CHECK(near(out, expected));
    std::size_t const staged = static_cast<std::size_t>(out.size()) * 8 + 128;
    std::size_t const bytes = static_cast<std::size_t>(g.workspace_bytes(x...)) + 2 * staged;
    std::vector<std::byte> memory(bytes + 64);
    auto const skip = (64 - reinterpret_cast<std::uintptr_t>(memory.data()) % 64) % 64;
    auto again = output_like(made, l);
    g.into(again, x..., std::span<std::byte>(memory.data() + skip, bytes));
    CHECK(near(again, expected));
  }
  CHECK(g.compiles() == compiles);
}

/// A function through both backends, by a dynamic and by a static entry: equal to its ops one by
/// one, and arguments stay as they are.
template <class F, class... X> void check_program(F f, X const&... x) {
  auto const before = std::tuple(x.clone()...);
  auto const expected = one_by_one(f, x...);
  check_calls(guardjit::compile(f, guardjit::backend(guardjit::backends::reference{}), guardjit::dynamic::all), expected, x...);
  check_calls(guardjit::compile(f), expected, x...);
  std::apply([&](auto const&... old) { CHECK((same_bits(x, old) && ...)); }, before);
}

}  // namespace support

#endif
