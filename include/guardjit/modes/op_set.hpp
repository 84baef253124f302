// guardjit: modes/op_set.hpp: a set of op ids
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_MODES_OP_SET_HPP
#define GUARDJIT_MODES_OP_SET_HPP

#include <guardjit/ops/op.hpp>

#include <array>
#include <concepts>

namespace guardjit::inline GUARDJIT_ABI {

/// Op ids, one bit each: `static constexpr op_set interests = {op::add, op::mul};`
/// Rules: M26.
class op_set {
 public:
  constexpr op_set() noexcept = default;
  template <std::same_as<op>... Ids> constexpr op_set(op first, Ids... more) noexcept {
    insert(first);
    (insert(more), ...);
  }

  constexpr bool contains(op id) const noexcept {
    return (words_[word_of(id)] >> bit_of(id) & 1) != 0;
  }
  constexpr bool operator==(op_set const&) const noexcept = default;

 private:
  static constexpr std::size_t word_of(op id) noexcept { return static_cast<std::size_t>(id) / 64; }
  static constexpr unsigned bit_of(op id) noexcept { return static_cast<unsigned>(id) % 64; }
  constexpr void insert(op id) noexcept { words_[word_of(id)] |= std::uint64_t{1} << bit_of(id); }

  std::array<std::uint64_t, 4> words_{};
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
