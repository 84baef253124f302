// guardjit: tests/support/modules.hpp: layers and networks as aggregates over the types of their leaves
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_SUPPORT_MODULES_HPP
#define GUARDJIT_TESTS_SUPPORT_MODULES_HPP

#include <guardjit/core.hpp>

#include "support/tensors.hpp"

namespace support {

template <class W, class B> struct dense {
  W w;
  B b;
  constexpr auto operator()(auto const& x) const { return guardjit::relu(guardjit::matmul(x, w) + b); }
};
template <class A, class B, class C> struct mlp {
  A first;
  B second;
  C third;
  constexpr auto operator()(auto const& x) const { return third(second(first(x))); }
};
/// Its fields have names in messages.
template <class Weight, class Bias> struct named_dense {
  Weight weight;
  Bias bias;
  constexpr auto operator()(auto const& x) const { return guardjit::matmul(x, weight) + bias; }

  friend constexpr void for_each_leaf(named_dense const& layer, auto const& visit) {
    visit("weight", layer.weight);
    visit("bias", layer.bias);
  }
};

using matrix = tensor<float, dyn, dyn>;
using row_vector = tensor<float, dyn>;
using dense_layer = dense<matrix, row_vector>;
using network = mlp<dense_layer, dense_layer, dense_layer>;

inline dense_layer layer(index_t m, index_t n) {
  return {counted(matrix(m, n), -0.5, 0.0625), counted(row_vector(n), 0.25, -0.125)};
}
inline network net(index_t inputs = 4, index_t outputs = 2) {
  return {layer(inputs, 5), layer(5, 3), layer(3, outputs)};
}

}  // namespace support

#endif
