// guardjit: tests/noexcept/main.cpp: the library without exceptions and without RTTI
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/guardjit.hpp>
#include <guardjit/interop/npz.hpp>
#include <guardjit/observe/profiler.hpp>
#include <guardjit/tensor/print.hpp>

static_assert(GUARDJIT_EXCEPTIONS == 0);

int main() {
  guardjit::tensor<float, guardjit::dyn> x(2);
  x(0) = 1.0f;
  x(1) = 3.0f;
  auto const f = guardjit::compile([](auto const& a) { return a * 2.0f + 1.0f; });
  guardjit::profiler prof;
  guardjit::mode_scope const watch(prof);
  guardjit::tensor<float, guardjit::dyn> const y = f(x);
  if (prof.rows().size() != 1) return 1;
  std::array<std::byte, 256> file;
  auto const z = guardjit::parse_npy(guardjit::write_npy(file, y));
  return guardjit::to_string(z) == "f32 (2)\n[3., 7.]" ? 0 : 1;
}
