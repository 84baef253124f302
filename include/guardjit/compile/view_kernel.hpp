// guardjit: compile/view_kernel.hpp: views and factories, which compute nothing
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_VIEW_KERNEL_HPP
#define GUARDJIT_COMPILE_VIEW_KERNEL_HPP

#include <guardjit/compile/call_input.hpp>
#include <guardjit/compile/nests.hpp>
#include <guardjit/modes/op_call.hpp>
#include <guardjit/ops/lane.hpp>
#include <guardjit/reference/element.hpp>
#include <guardjit/tensor/views.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// The layout of a view op's result; `possible` is false where the elements must be copied.
struct op_view {
  any_layout layout;
  index_t offset = 0;
  bool possible = true;
};

inline op_view view_of(op id, layout_view const& from, attributes const& extra) {
  // A tensor without elements has no address that an offset could be added to.
  auto const viewed = [empty = from.count() == 0](view_layout const& v) -> op_view {
    return {v.layout, empty ? 0 : v.offset, true};
  };
  switch (id) {
    case op::permute: {
      std::array<int, max_rank> order{};
      for (unsigned d = 0; d < max_rank; ++d) order[d] = extra.order[d];
      return viewed(permuted(from, {order.data(), static_cast<std::size_t>(from.rank)}));
    }
    case op::expand: return viewed(expanded(from, extra.target));
    case op::slice: {
      // "To the end" lies before the first element where the step is negative.
      bool const backward = extra.stop == slice_end && extra.step < 0;
      return viewed(sliced(from, extra.axis, extra.start,
                           backward ? std::numeric_limits<index_t>::min() : extra.stop,
                           extra.step));
    }
    case op::select: return viewed(selected(from, extra.axis, extra.start));
    default: {
      auto const r = reshaped(from, extra.target);
      return {r.layout, 0, r.possible};
    }
  }
}

/// A view of a tensor: its storage, or a copy where strides allow no view.
inline any_tensor view_of_tensor(op id, any_tensor const& x, attributes const& extra) {
  op_view const v = view_of(id, x.layout().view(), extra);
  if (v.possible) {
    auto const* const first = static_cast<unsigned char const*>(x.data()) + v.offset * size_of(x.type());
    return any_tensor::adopt(x.storage(), const_cast<unsigned char*>(first), x.type(), v.layout,
                             x.where());
  }
  any_tensor copy = any_tensor::uninitialized(x.type(), v.layout.shape(), x.where());
  any_layout const packed(x.shape());
  copy_elements(size_of(x.type()), packed.view(), copy.data(), x.layout().view(), x.data());
  return copy;
}
inline any_tensor view_of_call(op_call const& call) {
  return view_of_tensor(call.op(), call.arg(0).tensor(), call.attribute());
}

/// The value of every element that a factory makes.
template <element T> T fill_value(op_call const& call) {
  if (call.op() != op::full) return T(call.op() == op::ones);
  operand const& value = call.arg(0);
  return is_floating(value.type()) ? convert<T>(value.scalar<double>())
                                   : convert<T>(value.scalar<std::int64_t>());
}

/// The result of a factory, on the requested device, else on the default one.
inline any_tensor fill_for_call(op_call const& call) {
  attributes const& extra = call.attribute();
  any_tensor x = any_tensor::uninitialized(extra.type, extra.target, call.device_of_result());
  visit_dtype(extra.type, [&]<class T>(std::type_identity<T>) {
    T const value = fill_value<T>(call);
    T* const to = x.data_as<T>();
    for (index_t k = 0, count = x.size(); k < count; ++k) to[k] = value;
  });
  return x;
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
