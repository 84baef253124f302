// guardjit: tests/noexcept/main.cpp: the library without exceptions and without RTTI
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/guardjit.hpp>

static_assert(GUARDJIT_EXCEPTIONS == 0);

int main() {
  guardjit::tensor<float, guardjit::dyn> x(2);
  x(0) = 1.0f;
  x(1) = 3.0f;
  auto const f = guardjit::compile([](auto const& a) { return a * 2.0f + 1.0f; });
  guardjit::tensor<float, guardjit::dyn> const y = f(x);
  return y(0) == 3.0f && y(1) == 7.0f ? 0 : 1;
}
