// guardjit: tests/compile_fail/compile/frozen_is_written.cpp: a frozen tensor is written in no way
// SPDX-License-Identifier: BSL-1.0
// Rules: G29, GRD-151
// expect-error: assignment of read-only location|cannot assign to return value .*const value
// expect-error: no match for .operator\+=.|no viable overloaded .\+=.
// expect-error: no match for .operator=.|no viable overloaded .=.
// expect-error: no matching (member )?function for call to .*into
// errors: 4
#include <guardjit/guardjit.hpp>

namespace gj = guardjit;
using gj::dyn;

void use() {
  gj::tensor<float, dyn, dyn> x(3, 3);
#ifdef GUARDJIT_ACCEPT
  gj::tensor<float, dyn, dyn> w(3, 3);
#else
  auto w = gj::freeze(x);
#endif
  w(0, 0) = 1;
  w += x;
  gj::slice(w, 0, 0, 1) = x(0);
  gj::compile([](auto y) { return y * 2; }).into(w, x);
}
