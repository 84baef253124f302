// guardjit: tensor/borrowed.hpp: a tensor of run-time type, looked at as one of a known type
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TENSOR_BORROWED_HPP
#define GUARDJIT_TENSOR_BORROWED_HPP

#include <guardjit/tensor/any_tensor.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// A typed handle of the elements of an `any_tensor` that is none of their owners: it costs no atomic
/// count, which three arguments would feel.
/// Precondition: dtype, rank and static extents are those of `Tensor`.
/// Lifetime: that of the `any_tensor`. Handles that are copied from it are counted, as always.
template <class Tensor> class borrowed {
 public:
  explicit borrowed(any_tensor const& x) noexcept
      : value_(Tensor::adopt(storage::uncounted(x.storage().block()),
                             static_cast<typename Tensor::element_type*>(const_cast<void*>(x.data())),
                             Tensor::layout_type::of(x.layout().view()))) {}
  borrowed(borrowed const&) = delete;
  borrowed& operator=(borrowed const&) = delete;
  ~borrowed() {}  // the handle ends without being dropped

  Tensor& get() noexcept { return value_; }
  Tensor const& get() const noexcept { return value_; }

 private:
  union {
    Tensor value_;
  };
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
