// guardjit: tests/odr/main.cpp: two units agree on results and share one mode stack
// SPDX-License-Identifier: BSL-1.0
#include "two_ends.hpp"
#include <cstdio>

namespace {
int failures = 0;
void require(bool holds, char const* what) {
  if (holds) return;
  std::printf("%s\n", what);
  ++failures;
}
}  // namespace

int main() {
  vector x(2);
  x(0) = 1.0f;
  x(1) = 3.0f;
  auto const f = guardjit::compile(twice_plus_one);
  vector const y = f(x);
  require(y(1) == 7.0f, "this unit computes 3 * 2 + 1 wrong");
  require(other_end_computes(x) == 7.0f, "the other unit computes 3 * 2 + 1 wrong");
  require(!other_end_sees_a_mode(), "a mode is on the stack before one was pushed");
  {
    guardjit::op_counter counter;
    guardjit::mode_scope watch{counter};
    require(other_end_sees_a_mode(), "the other unit has a mode stack of its own");
    other_end_adds(x);
    require(counter.total() == 1, "an operation of the other unit passed by the mode");
  }
  require(!other_end_sees_a_mode(), "a mode is left on the stack");
  return failures;
}
