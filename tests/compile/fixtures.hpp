// guardjit: tests/compile/fixtures.hpp: what several tests of this folder compile
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_COMPILE_FIXTURES_HPP
#define GUARDJIT_TESTS_COMPILE_FIXTURES_HPP

#include <guardjit/core.hpp>
#include <guardjit/expr/composite/transpose.hpp>

namespace fixtures {

/// Plain loops, which compile fast.
inline constexpr auto plain = guardjit::backend(guardjit::backends::reference{});

/// Two kernels and a workspace; a path; results larger than the blocks that a thread keeps.
struct network {
  constexpr auto operator()(auto x, auto w) const {
    auto const y = guardjit::relu(guardjit::matmul(x, w)) + guardjit::transpose(x);
    if (x.extent(0) > 100) return y * 2;
    return y;
  }
};

/// Counts what it is told.
struct count_ob final : guardjit::observer_mode {
  int told = 0;
  void observe(guardjit::op_record const&) override { ++told; }
};

}  // namespace fixtures

#endif
