// guardjit: compile/evaluator.hpp: ops of eager code on typed tensors, straight to the kernel
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_EVALUATOR_HPP
#define GUARDJIT_COMPILE_EVALUATOR_HPP

#include <guardjit/compile/op_kernel.hpp>
#include <guardjit/expr/operators.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

template <int Rank>
typename layout<Rank>::values first_values(std::array<index_t, max_rank> const& from) {
  typename layout<Rank>::values values{};
  for (unsigned d = 0; d < static_cast<unsigned>(Rank); ++d) values[d] = from[d];
  return values;
}

/// An operand of a typed op, in the dtype of its slot: a tensor of that dtype, read where it lies.
/// Lifetime: refers to the operand.
template <dtype Type, class Operand> class typed_input {
 public:
  explicit typed_input(Operand const& x) : x_(x) {}
  array_operand array() const { return {x_.layout().view(), x_.data()}; }

 private:
  Operand const& x_;
};

/// A tensor of another dtype, converted.
template <dtype Type, element T, index_t... Extents>
requires(dtype_v<T> != Type) class typed_input<Type, tensor<T, Extents...>> {
  using copy_type = tensor<element_t<Type>, Extents...>;

 public:
  explicit typed_input(tensor<T, Extents...> const& x)
      : copy_(copy_type::uninitialized(first_values<copy_type::rank()>(x.shape().extents),
                                       x.where())) {
    tensor<T, Extents...> const packed = is_contiguous(x.layout().view()) ? x : x.clone();
    convert_elements<element_t<Type>, T>(packed.data(), copy_.data(), copy_.size());
  }
  array_operand array() const { return {copy_.layout().view(), copy_.data()}; }

 private:
  copy_type copy_;
};

/// A scalar, converted: an operand of rank 0.
template <dtype Type, scalar_operand Scalar> class typed_input<Type, Scalar> {
 public:
  explicit typed_input(Scalar value) : value_(scalar_as<element_t<Type>>(operand(value))) {}
  array_operand array() const { return {{}, &value_}; }

 private:
  element_t<Type> value_;
};

}  // namespace detail

/// Runs ops of eager code by the kernels of `Backend`.
template <class Backend> struct evaluator {
  /// The kernel of calls whose operands' dtypes are known at run time only; `To` is what a
  /// conversion gives.
  template <op Id, class To> static constexpr op_kernel any_kernel() {
    if constexpr (Id == op::to) return &any_op_kernel<Backend, Id, dtype_v<To>>;
    else return &any_op_kernel<Backend, Id>;
  }
  /// The kernel of calls of typed operands.
  template <op Id, dtype Compute, dtype Result> static constexpr op_kernel kernel() {
    return &op_kernel_of<Backend, Id, Compute, Result>;
  }

  /// The result of extents `extents` on device `where`. Typed operands that were checked.
  /// Complexity: one kernel, one allocation, one more for each operand of another dtype.
  template <op Id, dtype Compute, class Result, class... Operands>
  static Result run(attributes const& extra, typename Result::extents_type const& extents,
                    device where, Operands const&... in) {
    if constexpr (is_view(Id)) {
      return view<Id, Result>(extra, in...);
    } else {
      Result out = Result::uninitialized(extents, where);
      [&]<int... Slot>(std::integer_sequence<int, Slot...>) {
        auto const compute = [&](detail::typed_input<detail::slot_type(Id, Slot, Compute),
                                                     Operands> const&... inputs) {
          detail::run_op<Backend, Id, Compute, Result::type(), sizeof...(Slot)>(
              out.layout().view(), out.data(), {inputs.array()...}, extra.axes);
        };
        compute(detail::typed_input<detail::slot_type(Id, Slot, Compute), Operands>(in)...);
      }
      (std::make_integer_sequence<int, int{sizeof...(Operands)}>{});
      return out;
    }
  }

  /// Writes elements to a layout of the same shape; the two do not overlap.
  static void write(dtype type, layout_view const& to, void* out, layout_view const& from,
                    void const* in) {
    copy_elements(size_of(type), to, out, from, in);
  }

 private:
  /// Handles share elements, whatever the constness of the one that a view is made of.
  template <op Id, class Result, element T, index_t... Extents>
  static Result view(attributes const& extra, tensor<T, Extents...> x) {
    detail::op_view const v = detail::view_of(Id, x.layout().view(), extra);
    using layout_type = typename Result::layout_type;
    auto const extents = detail::first_values<Result::rank()>(v.layout.shape().extents);
    if (v.possible)
      return Result::adopt(
          x.storage(), x.data() + v.offset,
          layout_type(extents, detail::first_values<Result::rank()>(v.layout.strides())));
    Result copy = Result::uninitialized(extents, x.where());
    copy_elements(x.layout().view(), static_cast<T const*>(x.data()), copy.data());
    return copy;
  }
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
