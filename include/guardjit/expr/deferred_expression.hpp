// guardjit: expr/deferred_expression.hpp: a long expression as an operand, whatever its type
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_EXPR_DEFERRED_EXPRESSION_HPP
#define GUARDJIT_EXPR_DEFERRED_EXPRESSION_HPP

#include <guardjit/expr/expression_store.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

class evaluated_ops;

/// An operand that is a long expression. Its type is not part of that of its reader: else the type of an
/// expression, and the name of each function on it, would grow with every op, and the compiler's time with
/// the square of their number. It is evaluated with its reader, into a tensor, as it would be in any case:
/// no kernel takes it in.
/// Lifetime: lies in a block of storage, so that expressions hold it as they hold a tensor, and copies of
/// them share it.
class deferred_expression {
 public:
  /// What its type knows to do.
  struct functions {
    any_tensor (*evaluate)(deferred_expression const&);
    guardjit::shape (*shape)(deferred_expression const&);
    device (*where)(deferred_expression const&);
    int (*tell)(deferred_expression const&, evaluated_ops&);
    index_t (*handles)(deferred_expression const&, storage_block const*) noexcept;
  };

  /// The value. Throws: as the evaluation of an expression.
  any_tensor evaluate() const { return run_->evaluate(*this); }
  /// By the shape rules. Throws: `shape_error`, `index_error`.
  guardjit::shape shape() const { return run_->shape(*this); }
  /// The device of its tensors. Throws: `device_error`.
  device where() const { return run_->where(*this); }
  /// Its ops through the modes; the number of its value.
  int tell(evaluated_ops& ops) const { return run_->tell(*this, ops); }
  /// How many handles of a block it owns.
  index_t handles(storage_block const* block) const noexcept { return run_->handles(*this, block); }

 protected:
  explicit deferred_expression(functions const& run) noexcept : run_(&run) {}

 private:
  functions const* run_;
};

/// The expression of a leaf that is one.
inline deferred_expression const& deferred_of(leaf_view const& x) {
  return *static_cast<deferred_expression const*>(x.data);
}

/// A deferred expression on its way into the one that reads it; `Result` is the type of its value.
template <class Result> struct deferred_operand { storage owner; };

/// A leaf that has no layout before it is evaluated.
template <int Room, class Result>
void put_deferred(expression_parts<Room>& to, deferred_operand<Result>&& x) noexcept {
  void* const data = x.owner.data();
  put_leaf(to, std::move(x.owner).release(), data, {});
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
