// guardjit: tests/compile_fail/compile/in_out_value.cpp: what f assigns to an argument has its dtype and shape
// SPDX-License-Identifier: BSL-1.0
// Rules: G4, G93
// expect-error: error: static assertion failed.*guardjit: an argument must be assigned a value of its dtype
// expect-error: error: static assertion failed.*guardjit: an argument must be assigned a value of its rank
// expect-error: error: static assertion failed.*guardjit: an argument must be assigned a value of its shape
// expect-error: argument_extent_differs<3, 4, 0, .*at<31,
// expect-error: error: static assertion failed.*guardjit: an argument that f assigns to must be a tensor
// expect-error: error: static assertion failed.*guardjit: compile\(f\): f must return tensors, or assign to arguments that it takes by reference
// errors: 5
#include <guardjit/core.hpp>

namespace gj = guardjit;

void use() {
  constexpr auto plain = gj::backend(gj::backends::reference{});
  gj::tensor<float, gj::dyn> x(3);
  gj::tensor<float, 3> three;
  gj::tensor<float, 4> four;
  gj::tensor<double, 3> wide;
  float scalar = 2;
#ifdef GUARDJIT_ACCEPT
  gj::compile([](auto& out, auto y) { out = y + 1; }, plain)(x, three);
  static_cast<void>(four), static_cast<void>(wide), static_cast<void>(scalar);
#else
  gj::compile([](auto& out, auto y) { out = y + 1; }, plain)(wide, three);
  gj::compile([](auto& out, auto y) { out = gj::sum(y); }, plain)(x, three);
  gj::compile(
      [](auto& out, auto y) {
        out =
            y + 1;
      },
      plain)(four, three);
  gj::compile([](auto& out, auto y) { out = out * y; }, plain)(scalar, 2.0f);
  gj::compile([](auto y) { y = y + 1; }, plain)(x);
#endif
}
