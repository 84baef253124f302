// guardjit: expr/deferred_value.hpp: makes a long expression an operand, and evaluates such operands
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_EXPR_DEFERRED_VALUE_HPP
#define GUARDJIT_EXPR_DEFERRED_VALUE_HPP

#include <guardjit/expr/sequence.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// How many handles of a block of memory the tensors of an expression are. What a deferred operand
/// reads counts where nobody else may evaluate it.
template <expression E> index_t handles_in(E const& e, storage_block const* block) noexcept {
  index_t count = 0;
  for (leaf_view const& x : e.leaf_views()) {
    if (!x.is_deferred()) count += x.block == block ? 1 : 0;
    else if (__atomic_load_n(&x.block->owners, __ATOMIC_ACQUIRE) == 1) count += deferred_of(x).handles(block);
  }
  return count;
}

/// A deferred expression of type `E`, evaluated by `Backend`.
template <class Backend, class E> class deferred_value : public deferred_expression {
 public:
  /// In a block of its own. Throws: `std::bad_alloc`.
  template <class Source> static storage made(Source&& e) {
    static_assert(alignof(deferred_value) <= storage_alignment);
    storage owner = storage::allocate(index_t{sizeof(deferred_value)});
    storage_block& block = *owner.block();
    block.context = ::new (block.data) deferred_value(static_cast<Source&&>(e));
    block.release = [](void* x) noexcept { static_cast<deferred_value*>(x)->~deferred_value(); };
    return owner;
  }

 private:
  template <class Source> explicit deferred_value(Source&& e) noexcept
      : deferred_expression(functions_), value_(static_cast<Source&&>(e)) {}

  static E const& value_of(deferred_expression const& x) {
    return static_cast<deferred_value const&>(x).value_;
  }
  static any_tensor evaluated(deferred_expression const& x) {
    return evaluator<Backend>::evaluate(value_of(x));
  }
  static guardjit::shape inferred(deferred_expression const& x) { return value_of(x).shape(); }
  static device placed(deferred_expression const& x) {
    auto const leaves = value_of(x).leaf_views();
    return common_device(value_of(x).view(leaves));
  }
  static int told(deferred_expression const& x, evaluated_ops& ops) {
    auto const leaves = value_of(x).leaf_views();
    return tell_parts(ops, value_of(x).view(leaves), part_runners<Backend, E>::list, nullptr, false);
  }
  static index_t owned(deferred_expression const& x, storage_block const* block) noexcept {
    return handles_in(value_of(x), block);
  }
  static constexpr functions functions_{&evaluated, &inferred, &placed, &told, &owned};

  E value_;
};

/// An operand as the expression of an op keeps it: a long expression becomes a deferred one.
/// Throws: `std::bad_alloc`.
template <class Backend, class Operand> decltype(auto) kept_operand(Operand&& x) {
  using type = operand_value_t<Operand>;
  if constexpr (is_long<type>) {
    using made = deferred_value<Backend, type>;
    using operand_type = deferred_operand<typename type::result_type>;
    type const& e = operand_itself(x);
    if (is_temporary<Operand>(x)) return operand_type{made::made(static_cast<type&&>(const_cast<type&>(e)))};
    return operand_type{made::made(e)};
  } else {
    return static_cast<Operand&&>(x);
  }
}

/// The values of the deferred operands of one evaluation.
template <int Count> class deferred_values {
 public:
  /// Evaluates them, in order, and puts their values in their places.
  /// Throws: as the evaluation of an expression.
  explicit deferred_values(std::span<leaf_view> leaves) {
    if constexpr (Count > 0) {
      std::size_t number = 0;
      for (leaf_view& x : leaves) {
        if (!x.is_deferred()) continue;
        any_tensor& value = values_[number++];
        value = deferred_of(x).evaluate();
        layout_view const form = value.layout().view();
        x = {value.storage().block(), value.data(), form.hash, form.extents, form.strides};
      }
    }
  }

 private:
  std::array<any_tensor, static_cast<unsigned>(Count)> values_;
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
