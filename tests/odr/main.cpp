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

/// MODE-042: a mode type marked `GUARDJIT_VISIBLE` is one type on both ends.
void modes_of_both_ends(vector const& x) {
  auto const g = guardjit::compile(twice_plus_one, guardjit::inline_modes<tripling>);
  require(other_end_tag() == guardjit::mode_tag<tripling>, "a visible mode has two tags");
  {
    tripling mode;
    guardjit::mode_scope const scope(mode);
    require(g(x)(1) == 10.0f, "the mode is not inlined");
    require(other_end_top() == &mode, "the other unit does not see a slot of this one");
  }
  require(g.compiles() == 1, "the call under the mode was not compiled");
  auto const call = [&] {
    require(g(x)(1) == 10.0f, "under the other unit's mode the value is wrong");
    require(g.compiles() == 1 && guardjit::mode_stack::depth() == 1, "the other unit's mode is no hit");
  };
  under_mode_of_other_end([](void* use) { (*static_cast<decltype(call) const*>(use))(); },
                          const_cast<void*>(static_cast<void const*>(&call)));
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
  auto const h = f.pin(x);
  vector longer(3), out(2);
  h.into(out, x);
  require(out(1) == 7.0f, "a pinned entry of this unit computes 3 * 2 + 1 wrong");
  require(other_end_checks(x, longer), "a pinned entry of the other unit does not check, as its macro asks");
  require(h(longer).extent(0) == 2, "a pinned entry of this unit checks, though its macro does not ask");
  require(!other_end_sees_a_mode(), "a mode is on the stack before one was pushed");
  {
    guardjit::op_counter counter;
    guardjit::mode_scope watch{counter};
    require(other_end_sees_a_mode(), "the other unit has a mode stack of its own");
    other_end_adds(x);
    require(counter.total() == 1, "an operation of the other unit passed by the mode");
  }
  require(!other_end_sees_a_mode(), "a mode is left on the stack");
  modes_of_both_ends(x);
  return failures;
}
