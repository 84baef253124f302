// guardjit: tests/odr/other.cpp: the second unit; of the same program, or of a shared library
// SPDX-License-Identifier: BSL-1.0
#define GUARDJIT_EXTRA_CHECKS 1
#include "two_ends.hpp"

bool other_end_checks(vector const& x, vector const& longer) {
  auto const h = guardjit::compile(twice_plus_one).pin(x);
  if (h(x)(1) != 7.0f) return false;
  try {
    h(longer);
  } catch (guardjit::guard_error const&) {
    return true;
  }
  return false;
}

float other_end_computes(vector const& x) {
  auto const f = guardjit::compile(twice_plus_one);
  vector const y = f(x);
  return y(1);
}

bool other_end_sees_a_mode() { return guardjit::mode_stack::depth() != 0; }

void other_end_adds(vector const& x) { guardjit::eval(x + x); }

void const* other_end_tag() { return guardjit::mode_tag<tripling>; }
guardjit::function_mode* other_end_top() { return guardjit::mode_stack::top(); }
void under_mode_of_other_end(void (*use)(void*), void* context) {
  tripling mode;
  guardjit::mode_scope const scope(mode);
  use(context);
}
