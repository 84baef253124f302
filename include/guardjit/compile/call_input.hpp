// guardjit: compile/call_input.hpp: operands of a call in the dtype that a kernel reads
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_CALL_INPUT_HPP
#define GUARDJIT_COMPILE_CALL_INPUT_HPP

#include <guardjit/modes/op_call.hpp>
#include <guardjit/ops/lane.hpp>
#include <guardjit/reference/element.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// An operand as kernels read it, in the dtype of its slot.
struct array_operand {
  layout_view layout;
  void const* data = nullptr;
};

/// Converts an array of `count` elements.
template <element To, element From>
void convert_elements(void const* from, void* to, index_t count) {
  for (index_t k = 0; k < count; ++k) store_element(to, k, convert<To>(load_element<From>(from, k)));
}

/// Row-major elements of dtype `to`, to which that of `x` promotes. Complexity: two passes at most.
[[gnu::noinline]] inline any_tensor promoted(any_tensor const& x, dtype to) {
  any_tensor const packed = is_contiguous(x.layout().view()) ? x : x.clone();
  any_tensor result = any_tensor::uninitialized(to, x.shape(), x.where());
  visit_dtype(to, [&]<class To>(std::type_identity<To>) {
    visit_dtype(x.type(), [&]<class From>(std::type_identity<From>) {
      if constexpr (!std::is_same_v<To, From> && promote(dtype_v<From>, dtype_v<To>) == dtype_v<To>)
        convert_elements<To, From>(packed.data(), result.data(), result.size());
    });
  });
  return result;
}

/// An operand of a call, converted where its dtype is not that of its slot.
/// Lifetime: refers to the operand.
class call_input {
 public:
  call_input(operand const& x, dtype type) {
    if (x.is_scalar()) {
      visit_dtype(type, [&]<class T>(std::type_identity<T>) {
        T const value = scalar_as<T>(x);
        __builtin_memcpy(&scalar_, &value, sizeof value);
      });
      array_.data = &scalar_;
    } else if (x.type() == type) {
      array_ = {x.tensor().layout().view(), x.tensor().data()};
    } else {
      converted_ = promoted(x.tensor(), type);
      array_ = {converted_.layout().view(), std::as_const(converted_).data()};
    }
  }
  call_input(call_input const&) = delete;
  call_input& operator=(call_input const&) = delete;
  array_operand const& array() const { return array_; }

 private:
  any_tensor converted_;
  std::uint64_t scalar_ = 0;
  array_operand array_;
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
