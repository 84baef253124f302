// guardjit: compile/plain_backend.hpp: plain loops with a backend's functions, for what calls rarely need
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_PLAIN_BACKEND_HPP
#define GUARDJIT_COMPILE_PLAIN_BACKEND_HPP

#include <guardjit/reference/elementwise.hpp>
#include <guardjit/reference/matmul.hpp>
#include <guardjit/reference/reduce.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

template <class Backend> struct math_of { using type = standard_math; };
template <class Backend>
requires requires { typename Backend::math; }
struct math_of<Backend> {
  using type = typename Backend::math;
};

/// The plain loops with the exponentials of `Backend` (its `math`, if it names one), so that
/// elements have the same bits. A loop costs the compiler a tenth of a packet kernel. Typed calls
/// take it for operands of other dtypes, which only a mode can bring in.
/// Rules: POL-17.
template <class Backend> struct plain_backend {
  using lanes = scalar_lanes<typename math_of<Backend>::type>;

  /// A formula without reductions on arrays of `count` elements each.
  template <class Formula>
  [[gnu::cold]] static void flat(void* out, void const* const* in, index_t count) {
    for (index_t k = 0; k < count; ++k) {
      index_t at[Formula::inputs + 1];
      for (index_t& offset : at) offset = k;
      store_element(out, k, evaluate_at<Formula, lanes>(in, at).value);
    }
  }
  template <class Formula> static void reduce(reduce_nest<Formula::inputs + 1> const& nest,
                                              void* out, void const* const* in) {
    reference_reduce<Formula, lanes>(nest, out, in);
  }
  template <class T>
  static void matmul(matmul_nest const& nest, void* out, void const* left, void const* right) {
    for_each_product<T>(nest, out, left, right,
                        [&](T* c, T const* a, T const* b) { reference_product<T>(nest, c, a, b); });
  }
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
