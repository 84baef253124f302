// guardjit: expr/expression_store.hpp: the tensors, scalars and lines that an expression owns
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_EXPR_EXPRESSION_STORE_HPP
#define GUARDJIT_EXPR_EXPRESSION_STORE_HPP

#include <guardjit/expr/expression_code.hpp>
#include <guardjit/tensor/frozen.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// A scalar as an expression keeps it: floats as `double`, all others as `std::int64_t`.
template <class Scalar> constexpr std::uint64_t scalar_word(Scalar value) {
  if constexpr (std::is_floating_point_v<Scalar>)
    return __builtin_bit_cast(std::uint64_t, static_cast<double>(value));
  else return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
}

/// A tensor of rank `Room` at most: a handle, elements, layout. Plain data, so that an op takes
/// over those of its operands by copies of memory; `expression_store` owns the handles.
template <int Room> struct expression_leaf {
  storage_block* block;
  void* data;
  std::uint64_t hash;  // of the layout
  index_t extents[Room], strides[Room];
};

/// A leaf of any rank, borrowed.
struct leaf_view {
  storage_block* block = nullptr;
  void* data = nullptr;
  std::uint64_t hash = 0;
  index_t const* extents = nullptr;
  index_t const* strides = nullptr;

  /// Whether it is an expression that has no value yet: `data` is a `deferred_expression`.
  bool is_deferred() const { return !extents; }
  device where() const { return block ? block->where : device{}; }
  any_tensor tensor(dtype type, layout_view const& form) const {
    return any_tensor::adopt(storage::share(block), data, type, any_layout(form), where());
  }
};

/// Where parts of an expression stand. Leaves have room for rank `Room`.
template <int Room> struct expression_parts {
  expression_leaf<Room>* leaves;
  std::uint64_t* scalars;
  source_line* lines;
  attributes* extra;
};

/// Writes a leaf and moves on. Its handle becomes that of the expression.
template <int Room> void put_leaf(expression_parts<Room>& to, storage_block* block, void* data,
                                  layout_view const& form) noexcept {
  expression_leaf<Room>& leaf = *to.leaves++;
  leaf.block = block;
  leaf.data = data;
  leaf.hash = form.hash;
  for (int d = 0; d < Room; ++d) {
    leaf.extents[d] = d < form.rank ? form.extents[d] : 0;
    leaf.strides[d] = d < form.rank ? form.strides[d] : 0;
  }
}
template <int Room, element T, index_t... Extents>
void put_tensor(expression_parts<Room>& to, tensor<T, Extents...> const& x) noexcept {
  storage_block* const block = x.storage().block();
  retain(block);
  put_leaf(to, block, const_cast<T*>(x.data()), x.layout().view());
}
template <int Room, element T, index_t... Extents>
void put_tensor(expression_parts<Room>& to, tensor<T, Extents...>&& x) noexcept {
  T* const data = x.data();
  put_leaf(to, std::move(x).storage().release(), data, x.layout().view());
}

/// A frozen tensor is read as the tensor that it is.
template <int Room, class Frozen>
  requires is_frozen_v<std::remove_cvref_t<Frozen>>
void put_tensor(expression_parts<Room>& to, Frozen&& x) noexcept {
  put_tensor(to, frozen_access::tensor_of(static_cast<Frozen&&>(x)));
}

/// Up to so many leaves, the code of an op copies and drops them itself. More are left to functions that all
/// expressions share, since what the compiler does for one op of a long expression it does for each.
inline constexpr int few_leaves = 4;

template <class Leaf> [[gnu::noinline]] void retain_leaves(Leaf const* list, int count) noexcept {
  for (int k = 0; k < count; ++k) retain(list[k].block);
}
template <class Leaf> [[gnu::noinline]] void drop_leaves(Leaf const* list, int count) noexcept {
  for (int k = 0; k < count; ++k) drop(list[k].block);
}
/// Copies plain data and moves on.
template <class Part> void copy_array(Part*& to, Part const* from, int count) noexcept {
  __builtin_memcpy(static_cast<void*>(to), from, sizeof(Part) * static_cast<unsigned>(count));
  to += count;
}

/// Writes all parts of an operand, and moves on; `keeps`: the operand keeps its handles.
template <int Room, int From> [[gnu::always_inline]] inline void put_parts(
    expression_parts<Room>& to, expression_parts<From> const& from, expression_size const& size,
    bool keeps) noexcept {
  if (keeps) retain_leaves(from.leaves, size.tensors);
  if constexpr (From == Room) {
    copy_array(to.leaves, from.leaves, size.tensors);
  } else {
    for (int k = 0; k < size.tensors; ++k) {
      expression_leaf<From> const& x = from.leaves[k];
      put_leaf(to, x.block, x.data, {From, x.extents, x.strides, x.hash});
    }
  }
  if (size.scalars != 0) copy_array(to.scalars, from.scalars, size.scalars);
  copy_array(to.lines, from.lines, size.ops);
  if (size.attributes != 0) copy_array(to.extra, from.extra, size.attributes);
}
/// The same for operands of many parts.
template <int Room, int From> [[gnu::noinline]] void put_many_parts(
    expression_parts<Room>& to, expression_parts<From> const& from, expression_size const& size,
    bool keeps) noexcept {
  put_parts(to, from, size, keeps);
}

/// What an expression owns. One type for all of the same size. A temporary gives its parts away.
template <int Tensors, int Room, int Scalars, int Ops, int Attributes> class expression_store {
 public:
  expression_store() noexcept = default;
  expression_store(expression_store const& other) noexcept : list_(other.list_), held_(other.held_) {
    if (held_ != 0) retain_leaves(list_.leaves, held_);
  }
  expression_store(expression_store&& other) noexcept
      : list_(other.list_), held_(std::exchange(other.held_, 0)) {}
  expression_store& operator=(expression_store other) noexcept {
    clear();
    list_ = other.list_;
    held_ = std::exchange(other.held_, 0);
    return *this;
  }
  ~expression_store() { clear(); }

  expression_parts<Room> parts() noexcept {
    return {list_.leaves, list_.scalars.data(), list_.lines.data(), list_.extra.data()};
  }
  /// All parts are written.
  void complete() noexcept { held_ = Tensors; }
  /// All parts are those of another one now.
  void give_up() noexcept { held_ = 0; }

  std::array<leaf_view, static_cast<unsigned>(Tensors)> leaf_views() const noexcept {
    std::array<leaf_view, static_cast<unsigned>(Tensors)> all;
    for (unsigned k = 0; k < all.size(); ++k) {
      expression_leaf<Room> const& x = list_.leaves[k];
      all[k] = {x.block, x.data, x.hash, x.extents, x.strides};
    }
    return all;
  }
  std::uint64_t const* scalars() const noexcept { return list_.scalars.data(); }
  source_line const* lines() const noexcept { return list_.lines.data(); }
  attributes const* extra() const noexcept { return list_.extra.data(); }

 private:
  void clear() noexcept {
    if constexpr (Tensors <= few_leaves) {
      for (int k = 0; k < held_; ++k) drop(list_.leaves[k].block);
    } else if (held_ != 0) {
      drop_leaves(list_.leaves, held_);
    }
  }

  struct {
    expression_leaf<Room> leaves[static_cast<unsigned>(Tensors)];
    std::array<std::uint64_t, static_cast<unsigned>(Scalars)> scalars;
    std::array<source_line, static_cast<unsigned>(Ops)> lines;
    std::array<attributes, static_cast<unsigned>(Attributes)> extra;
  } list_;
  int held_ = 0;
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
