// guardjit: tests/compile_fail/compile/tensor_in_description.cpp: a tensor among placeholders
// SPDX-License-Identifier: BSL-1.0
// Rules: GRD-147
// expect-error: error: static assertion failed.*guardjit: an expression over placeholders: tensors are arguments of the described function: arg<1> in their place, and compile\(e, bind\(w\)\)
// errors: 1
#include <guardjit/guardjit.hpp>

namespace gj = guardjit;
using gj::arg;

void describe(gj::tensor<float, 3> const& w) {
#ifdef GUARDJIT_ACCEPT
  static_cast<void>(gj::compile(arg<0> * arg<1>, gj::bind(w)));
#else
  static_cast<void>(gj::compile(arg<0> * w));
#endif
}
