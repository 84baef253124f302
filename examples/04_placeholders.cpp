// What you learn: functions described as expressions over placeholders, compiled as constants or values.
// Run:    build/examples/04_placeholders
// Prints: values of each function beside those of a plain loop; returns 1 where one is wrong.
#include <guardjit/guardjit.hpp>

#include <cmath>
#include <cstdio>

namespace gj = guardjit;
using gj::arg, gj::dyn, gj::tensor;

// [readme]
constexpr auto gelu = 0.5f * arg<0> * (1.0f + gj::tanh(0.79788456f * (arg<0> + 0.044715f * arg<0> * arg<0> * arg<0>)));
auto const activation = gj::compile<gelu>(gj::name<"gelu">);  // its scalars are constants of the kernel
// [/readme]

// A generic lambda takes placeholders too, and gives a description.
constexpr auto damped = [](auto const& x, auto const& v) { return gj::exp(-0.1f * v) * x; };
constexpr auto kick = damped(arg<0>, arg<1>) + gj::sum(arg<1> * arg<1>, gj::axes(0), gj::keepdims);

int main() {
  tensor<float, dyn> const x{-2, -0.5f, 0, 1, 3}, v{0, 1, 2, 3, 4};
  bool right = true;
  auto const check = [&](char const* what, float got, float want) {
    std::printf("%-12s %10.6f %10.6f\n", what, double{got}, double{want});
    right = right && std::fabs(got - want) < 1e-5f;
  };

  tensor const y = activation(x);
  check("gelu(1)", y(3), 0.8411920f);

  // As a value: the structure is compiled, the scalars enter each call as bound inputs.
  float const gain = 1.5f, offset = 0.25f;
  auto const line = gj::compile(gain * arg<0> + offset);
  check("line(3)", line(x)(4), 4.75f);

  // Attributes such as axes are part of a constant description.
  auto const f = gj::compile<kick>();
  check("kick(3, 4)", f(x, v)(4), std::exp(-0.4f) * 3 + 30);

  // A description may be called: on tensors it gives an expression, in a traced function its ops.
  auto const twice = gj::compile([](auto const& a) {
    constexpr auto square_plus_one = arg<0> * arg<0> + 1;
    return square_plus_one(square_plus_one(a));
  });
  check("twice(3)", twice(x)(4), 101);
  check("on tensors", gj::eval(kick(x, v))(3), std::exp(-0.3f) + 30);
  return right ? 0 : 1;
}
