// What you learn: expressions on tensors: one pass, safe `auto`, overlapping sides, views as targets.
// Run:    build/examples/03_expressions
// Prints: the results of each part; returns 1 where one is wrong.
#include <guardjit/guardjit.hpp>
#include <guardjit/tensor/print.hpp>

#include <iostream>

namespace gj = guardjit;
using gj::dyn, gj::tensor;

// [readme]
// The operators write down what is to be done; it is done, in one pass, when a tensor takes the value.
auto blend(tensor<float, dyn> const& a, tensor<float, dyn> const& b, float t) {
  auto const weight = t * t * (3 - 2 * t);  // a C++ scalar, which the expression keeps
  return a * (1 - weight) + b * weight;     // owns a and b: it may be returned, stored, evaluated twice
}
// [/readme]

int main() {
  bool right = true;
  auto const check = [&](char const* what, auto const& x, bool holds) {
    std::cout << what << ": " << x << '\n';
    right = right && holds;
  };

  // `auto` is an expression; `tensor` is its value, of the type that follows.
  auto const lazy = blend({0, 0, 8}, {4, 8, 0}, 0.5f);
  tensor const middle = lazy;
  check("middle", middle, middle(0) == 2 && middle(1) == 4 && middle(2) == 4);

  // A reduction with what feeds it is one pass as well; rank 0 converts to a scalar.
  float const distance = gj::sqrt(gj::sum(gj::square(middle - 2)));
  check("distance", distance, distance > 2.828f && distance < 2.829f);

  // What is along rows is one kernel: here exponentials, their sum, the quotient.
  tensor<float, dyn, dyn> const scores{{1, 2, 3}, {3, 3, 3}};
  tensor const odds = gj::softmax(scores * 2.0f);
  check("odds", odds, odds(1, 0) > 0.333f && odds(0, 2) > 0.86f);

  // The right side comes first, whatever it reads.
  tensor<float, dyn, dyn> x{{1, 2}, {3, 4}};
  x = x + gj::transpose(x);
  check("x plus its transpose", x, x(0, 1) == 5 && x(1, 0) == 5);

  // A slice is a view: what is assigned to it is written into the tensor. All handles see it.
  tensor<float, dyn> wave{1, 2, 3, 4, 5};
  auto const handle = wave;
  gj::slice(wave, 0, 1) = gj::slice(wave, 0, 0, 4) * 10;
  check("shifted onto itself", handle, handle(1) == 10 && handle(4) == 40);
  gj::slice(wave, 0, 0, 2) = 0;
  wave += wave / 2;
  check("half more", handle, handle(1) == 0 && handle(2) == 30);

  // A handle that takes another value leaves the others what they had.
  wave = wave * 2;
  check("the other handle", handle, handle(2) == 30 && wave(2) == 60);
  return right ? 0 : 1;
}
