// guardjit: tests/install/consumer.cpp: what a user of the installed library may write first
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/guardjit.hpp>

namespace gj = guardjit;

int main() {
  gj::tensor<float, gj::dyn> x(3);
  for (int k = 0; k < 3; ++k) x(k) = static_cast<float>(k);
  auto const f = gj::compile([](auto const& a) { return a * 2.0f + 1.0f; });
  gj::tensor<float, gj::dyn> const y = f(x);
  return y(0) == 1.0f && y(2) == 5.0f ? 0 : 1;
}
