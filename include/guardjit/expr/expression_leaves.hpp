// guardjit: expr/expression_leaves.hpp: the tensors and scalars that an expression owns
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_EXPR_EXPRESSION_LEAVES_HPP
#define GUARDJIT_EXPR_EXPRESSION_LEAVES_HPP

#include <guardjit/tensor/any_tensor.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// A scalar as an expression keeps it: floats as `double`, all others as `std::int64_t`.
template <class Scalar> constexpr std::uint64_t scalar_word(Scalar value) {
  if constexpr (std::is_floating_point_v<Scalar>)
    return __builtin_bit_cast(std::uint64_t, static_cast<double>(value));
  else return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
}

/// A tensor of rank `Rank` at most: a handle, elements, layout. Plain data, so that an expression moves
/// all those of its operands at once; `expression_leaves` owns the handle.
template <int Rank> struct expression_leaf {
  static constexpr int room = Rank == 0 ? 1 : Rank;
  storage_block* block;
  void* data;
  std::uint64_t hash;  // of the layout
  index_t extents[room], strides[room];
};

/// A leaf of any rank, borrowed.
struct leaf_view {
  storage_block* block = nullptr;
  void* data = nullptr;
  std::uint64_t hash = 0;
  index_t const* extents = nullptr;
  index_t const* strides = nullptr;

  device where() const { return block ? block->where : device{}; }
  any_tensor tensor(dtype type, layout_view const& form) const {
    return any_tensor::adopt(storage::share(block), data, type, any_layout(form), where());
  }
};

/// The tensors of an expression, `Count` when it is made.
template <int Count, int Rank> class expression_leaves {
  using leaf_type = expression_leaf<Rank>;

 public:
  expression_leaves() = default;
  expression_leaves(expression_leaves const& other) noexcept { append(other); }
  expression_leaves(expression_leaves&& other) noexcept { append(std::move(other)); }
  expression_leaves& operator=(expression_leaves other) noexcept {
    drop_all();
    append(std::move(other));
    return *this;
  }
  ~expression_leaves() { drop_all(); }

  template <element T, index_t... Extents> void append(tensor<T, Extents...> x) noexcept {
    leaf_type& to = list_[held_++];
    layout_view const form = x.layout().view();
    to.data = x.data();
    to.hash = form.hash;
    set(to, form.extents, form.strides, static_cast<int>(sizeof...(Extents)));
    to.block = std::move(x).storage().release();
  }
  template <int OtherCount, int OtherRank>
  void append(expression_leaves<OtherCount, OtherRank> const& other) noexcept {
    for (int k = 0; k < other.held_; ++k) retain(other.list_[k].block);
    copy(other);
  }
  template <int OtherCount, int OtherRank>
  void append(expression_leaves<OtherCount, OtherRank>&& other) noexcept {
    copy(other);
    other.held_ = 0;
  }

  std::array<leaf_view, static_cast<unsigned>(Count)> views() const {
    std::array<leaf_view, static_cast<unsigned>(Count)> all;
    for (unsigned k = 0; k < all.size(); ++k) {
      leaf_type const& x = list_[k];
      all[k] = {x.block, x.data, x.hash, x.extents, x.strides};
    }
    return all;
  }

 private:
  template <int OtherCount, int OtherRank> friend class expression_leaves;

  static void set(leaf_type& to, index_t const* extents, index_t const* strides, int rank) {
    for (int d = 0; d < leaf_type::room; ++d) {
      to.extents[d] = d < rank ? extents[d] : 0;
      to.strides[d] = d < rank ? strides[d] : 0;
    }
  }
  template <int OtherCount, int OtherRank>
  void copy(expression_leaves<OtherCount, OtherRank> const& other) noexcept {
    if constexpr (expression_leaf<OtherRank>::room == leaf_type::room) {
      if (other.held_ > 0)
        __builtin_memcpy(list_ + held_, other.list_, sizeof(leaf_type) * static_cast<unsigned>(other.held_));
    } else {
      for (int k = 0; k < other.held_; ++k) {
        auto const& from = other.list_[k];
        leaf_type& to = list_[held_ + k];
        to.block = from.block;
        to.data = from.data;
        to.hash = from.hash;
        set(to, from.extents, from.strides, expression_leaf<OtherRank>::room);
      }
    }
    held_ += other.held_;
  }
  void drop_all() noexcept {
    for (int k = 0; k < held_; ++k) drop(list_[k].block);
    held_ = 0;
  }

  int held_ = 0;
  leaf_type list_[Count];
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
