// guardjit: tests/conformance/guards/core_alone_apart.cpp: a unit that has no header of a fast backend
// SPDX-License-Identifier: BSL-1.0
#include "conformance/guards/core_alone.hpp"

#include <guardjit/core.hpp>

#include <string>

namespace gj = guardjit;
using vector = gj::tensor<float, gj::dyn>;

float core_alone::compiled(float x) {
  vector v(3);
  v(2) = x;
  auto const g = gj::compile([](auto const& a) { return a * 2 + 1; }, gj::backend(gj::reference));
  return g(v)(2);
}
float core_alone::evaluated(float x) {
  vector v(3);
  v(2) = x;
  vector const y = gj::eval(v + v, gj::backend(gj::reference));
  return y(2);
}
std::vector<std::string> core_alone::backends() { return gj::list_backends(); }
std::string core_alone::error_of_tiles() {
  try {
    return gj::find_backend("tiles").name();
  } catch (gj::backend_error const& e) {
    return e.what();
  }
}
