// guardjit: compile/group_inputs.hpp: the arrays that the kernel of a fused group reads
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_GROUP_INPUTS_HPP
#define GUARDJIT_COMPILE_GROUP_INPUTS_HPP

#include <guardjit/compile/fused_group.hpp>
#include <guardjit/tensor/overlap.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Operand `E` of a fused op, ready to be read in dtype `Type`. Here: stored before, by a kernel of
/// its own.
template <class Backend, class E, dtype Type, bool TakenIn> class group_operand {
 public:
  group_operand(E const& e, device on) : value_(evaluator<Backend>::evaluate(e, on)) {}
  void put(array_operand*& to) const { *to++ = {value_.layout().view(), value_.data()}; }

 private:
  typename E::result_type value_;
};

/// A tensor, read where it lies.
template <class Backend, dtype Type, element T, index_t... Extents>
class group_operand<Backend, tensor<T, Extents...>, Type, false> {
 public:
  group_operand(tensor<T, Extents...> const& x, device) : x_(x) {}
  void put(array_operand*& to) const { *to++ = {x_.layout().view(), x_.data()}; }

 private:
  tensor<T, Extents...> const& x_;
};

/// A scalar, converted: an array of rank 0.
template <class Backend, dtype Type, scalar_operand Scalar>
class group_operand<Backend, Scalar, Type, false> {
 public:
  group_operand(Scalar value, device) : value_(scalar_as<element_t<Type>>(operand(value))) {}
  void put(array_operand*& to) const { *to++ = {{}, &value_}; }

 private:
  element_t<Type> value_;
};

/// The operands of an op, in order.
template <class Backend, class E, class Indices> class operands_of_group;
template <class Backend, op Id, int Dims, class To, class... Operands, int... K>
class operands_of_group<Backend, op_expression<op_tag<Id, Dims, To>, Operands...>,
                        std::integer_sequence<int, K...>> {
  using node = op_expression<op_tag<Id, Dims, To>, Operands...>;

 public:
  operands_of_group(node const& e, device on)
      : operands_{group_operand<Backend, Operands, slot_type(Id, K, node::compute),
                                is_taken_in<node, Operands>>(
            e.template operand<K>(), on)...} {}
  void put(array_operand*& to) const { (std::get<K>(operands_).put(to), ...); }

 private:
  std::tuple<group_operand<Backend, Operands, slot_type(Id, K, node::compute),
                           is_taken_in<node, Operands>>...>
      operands_;
};

template <class E> inline constexpr int operand_count = 0;
template <class Tag, class... Operands>
inline constexpr int operand_count<op_expression<Tag, Operands...>> = sizeof...(Operands);

/// An op that the kernel of its reader computes.
template <class Backend, class E, dtype Type> class group_operand<Backend, E, Type, true>
    : public operands_of_group<Backend, E, std::make_integer_sequence<int, operand_count<E>>> {
  using operands_of_group<Backend, E,
                          std::make_integer_sequence<int, operand_count<E>>>::operands_of_group;
};

/// All arrays that the kernel of the group of `E` reads. What is stored first is computed here.
/// Lifetime: refers to the tensors of the expression.
template <class Backend, class E> class group_inputs {
 public:
  using formula = typename group_formula<E>::type;
  static constexpr unsigned slots = formula::inputs;

  group_inputs(E const& e, device on) : operands_(e, on) {
    array_operand* to = arrays_.data();
    operands_.put(to);
    for (unsigned k = 0; k < slots; ++k) data_[k] = arrays_[k].data;
  }
  group_inputs(group_inputs const&) = delete;
  group_inputs& operator=(group_inputs const&) = delete;

  void const* const* data() const { return data_.data(); }

  /// The array whose shape all others have, or are scalars beside; null where shapes differ.
  array_operand const* common(int rank) const {
    array_operand const* first = nullptr;
    for (array_operand const& a : arrays_) {
      if (a.layout.rank == 0) continue;
      if (a.layout.rank != rank) return nullptr;
      if (first)
        for (int d = 0; d < rank; ++d)
          if (a.layout.extents[d] != first->layout.extents[d]) return nullptr;
      first = &a;
    }
    return first;
  }
  /// The layouts behind `front`.
  template <std::size_t Front> std::array<layout_view, Front + slots> layouts(
      std::array<layout_view, Front> const& front) const {
    std::array<layout_view, Front + slots> list;
    for (unsigned k = 0; k < Front; ++k) list[k] = front[k];
    for (unsigned k = 0; k < slots; ++k) list[Front + k] = arrays_[k].layout;
    return list;
  }
  /// Whether elements may be written to `to` while these are read. `in_step`: each is read before
  /// the one of its index is written. Rules: POL-12.
  bool allow_writing(memory_view const& to, bool in_step) const {
    for (unsigned k = 0; k < slots; ++k) {
      memory_view const from{arrays_[k].data, arrays_[k].layout,
                             size_of(formula::input_type(static_cast<int>(k)))};
      overlap const how = overlap_of(to, from);
      if (how != overlap::disjoint && !(in_step && how == overlap::same_view)) return false;
    }
    return true;
  }

 private:
  group_operand<Backend, E, E::type(), true> operands_;
  std::array<array_operand, slots> arrays_;
  std::array<void const*, slots> data_;
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
