// guardjit: compile/word_compare.hpp: compares short rows of words without branches
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_WORD_COMPARE_HPP
#define GUARDJIT_COMPILE_WORD_COMPARE_HPP

#include <guardjit/base/type_list.hpp>
#include <guardjit/tensor/shape.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Gathers the differences of rows; two words at a time, which halves the instructions of a guard.
class word_compare {
 public:
  template <int Count> void add(index_t const* a, index_t const* b) noexcept {
    for_each_index<Count / 2>([&]<class P>(P) {
      pair x, y;
      __builtin_memcpy(&x, a + 2 * P::value, sizeof x);
      __builtin_memcpy(&y, b + 2 * P::value, sizeof y);
      pairs_ |= x ^ y;
    });
    if constexpr (Count % 2 != 0) add(a[Count - 1], b[Count - 1]);
  }
  void add(index_t a, index_t b) noexcept { single_ |= a ^ b; }

  bool equal() const noexcept { return (pairs_[0] | pairs_[1] | single_) == 0; }

 private:
  using pair = index_t __attribute__((vector_size(16)));
  pair pairs_{};
  index_t single_ = 0;
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
