// guardjit: kernels/tiles/element_walk.hpp: an operand's elements in the order of the result's, tile by tile
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_KERNELS_TILES_ELEMENT_WALK_HPP
#define GUARDJIT_KERNELS_TILES_ELEMENT_WALK_HPP

#include <guardjit/compile/nests.hpp>
#include <guardjit/tensor/copy_elements.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// How an operand, broadcast to a shape, is read at the elements of that shape one after another.
class element_walk {
 public:
  /// Precondition: `x` broadcasts to `form`.
  void bind(shape const& form, layout_view const& x) {
    loops_.clear();
    for (int d = 0; d < form.rank; ++d) loops_.add_inner(form[d], {step_along(x, form.rank, d)});
  }
  /// Whether the elements lie one after another.
  bool is_in_place() const { return loops_.contiguous >= 0; }
  /// Whether all are one.
  bool is_repeated() const { return loops_.rank == 1 && loops_.strides[0][0] == 0; }

  /// Copies `count` elements of `size` bytes from number `begin` on. Precondition: there are as many.
  [[gnu::noinline]] void pack(void* to, void const* from, index_t begin, index_t count, int size) const {
    with_word(size, [&]<class Word>(Word*) {
      pack_words(static_cast<Word*>(to), static_cast<Word const*>(from), begin, count);
    });
  }

 private:
  template <class Word> void pack_words(Word* to, Word const* from, index_t begin, index_t count) const {
    index_t at[max_rank]{};
    index_t rest = begin;
    for (int d = loops_.rank - 1; d >= 0; --d) {
      auto const u = static_cast<unsigned>(d);
      at[d] = rest % loops_.extents[u];
      rest /= loops_.extents[u];
      from += at[d] * loops_.strides[u][0];
    }
    auto const last = static_cast<unsigned>(loops_.rank - 1);
    index_t const length = loops_.extents[last], step = loops_.strides[last][0];
    while (count > 0) {
      index_t const run = length - at[last] < count ? length - at[last] : count;
      copy_line(to, from, step, run);
      to += run;
      count -= run;
      from -= at[last] * step;
      at[last] = 0;
      for (int d = loops_.rank - 2; d >= 0; --d) {
        auto const u = static_cast<unsigned>(d);
        from += loops_.strides[u][0];
        if (++at[d] < loops_.extents[u]) break;
        from -= loops_.extents[u] * loops_.strides[u][0];
        at[d] = 0;
      }
    }
  }
  template <class Word> static void copy_line(Word* to, Word const* from, index_t step, index_t count) {
    if (step == 1) {
      for (index_t k = 0; k < count; ++k) to[k] = from[k];
    } else if (step == 0) {
      Word const value = *from;
      for (index_t k = 0; k < count; ++k) to[k] = value;
    } else {
      for (index_t k = 0; k < count; ++k) to[k] = from[k * step];
    }
  }

  loop_nest<1> loops_;
};

/// `count` copies of an element of `size` bytes.
inline void repeat_element(void* to, void const* from, index_t count, int size) {
  with_word(size, [&]<class Word>(Word*) {
    Word const value = *static_cast<Word const*>(from);
    for (index_t k = 0; k < count; ++k) static_cast<Word*>(to)[k] = value;
  });
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
