// guardjit: compile/word_compare.hpp: compares short rows of words without branches
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_WORD_COMPARE_HPP
#define GUARDJIT_COMPILE_WORD_COMPARE_HPP

#include <guardjit/base/type_list.hpp>
#include <guardjit/tensor/shape.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Gathers the differences of rows, two words at a time, or four where the processor compares so
/// many: that divides the instructions of a guard.
class word_compare {
 public:
  template <int Count> void add(index_t const* a, index_t const* b) noexcept {
    for_each_index<Count / 4>([&]<class P>(P) { add_four(a + 4 * P::value, b + 4 * P::value); });
    constexpr int done = Count / 4 * 4;
    if constexpr (Count - done >= 2) pairs_ |= difference<pair>(a + done, b + done);
    if constexpr (Count % 2 != 0) add(a[Count - 1], b[Count - 1]);
  }
  void add(index_t a, index_t b) noexcept { single_ |= a ^ b; }

 private:
  using pair = index_t __attribute__((vector_size(16)));

  template <class Block> static Block difference(index_t const* a, index_t const* b) noexcept {
    Block x, y;
    __builtin_memcpy(&x, a, sizeof x);
    __builtin_memcpy(&y, b, sizeof y);
    return x ^ y;
  }

  pair pairs_{};
  index_t single_ = 0;

#if defined(__AVX__)
  using four = index_t __attribute__((vector_size(32)));
  using tested = long long __attribute__((vector_size(32)));  // the built-in's type

  void add_four(index_t const* a, index_t const* b) noexcept { fours_ |= difference<four>(a, b); }
  four fours_{};

 public:
  bool equal() const noexcept {
    auto const all = reinterpret_cast<tested>(fours_ | four{pairs_[0], pairs_[1], single_, 0});
    return __builtin_ia32_ptestz256(all, all) != 0;
  }
#else
  void add_four(index_t const* a, index_t const* b) noexcept {
    pairs_ |= difference<pair>(a, b) | difference<pair>(a + 2, b + 2);
  }

 public:
  bool equal() const noexcept { return (pairs_[0] | pairs_[1] | single_) == 0; }
#endif
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
