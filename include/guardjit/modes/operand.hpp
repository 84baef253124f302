// guardjit: modes/operand.hpp: an operand of an op as handlers see it: a tensor or a weak scalar
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_MODES_OPERAND_HPP
#define GUARDJIT_MODES_OPERAND_HPP

#include <guardjit/ops/lane.hpp>
#include <guardjit/ops/table.hpp>
#include <guardjit/tensor/any_tensor.hpp>

#include <bit>
#include <concepts>

namespace guardjit::inline GUARDJIT_ABI {

/// What an observer learns of an operand, or of a result.
struct operand_info {
  dtype type = dtype::f32;
  bool weak = false;  ///< a C++ scalar
  guardjit::shape shape{};

  constexpr bool operator==(operand_info const&) const = default;
};

/// A tensor, or a C++ scalar, which is weak in promotion (POL-14) and kept as `bool`, `i64`,
/// `f32` or `f64`. Handlers compute with it as with an `any_tensor`.
class operand : public tensor_operators<operand> {
 public:
  template <class Tensor>
    requires(!std::same_as<std::remove_cvref_t<Tensor>, operand> &&
             std::convertible_to<Tensor, any_tensor>)
  operand(Tensor&& x)
      : tensor_(std::forward<Tensor>(x)), type_(tensor_.type()) {}

  operand(bool value) noexcept : operand(dtype::boolean, std::uint64_t{value}) {}
  template <std::integral Integer>
    requires(!std::same_as<Integer, bool>)
  operand(Integer value) noexcept
      : operand(dtype::i64, static_cast<std::uint64_t>(static_cast<std::int64_t>(value))) {}
  operand(float value) noexcept
      : operand(dtype::f32, std::bit_cast<std::uint64_t>(double{value})) {}
  operand(double value) noexcept : operand(dtype::f64, std::bit_cast<std::uint64_t>(value)) {}

  bool is_scalar() const noexcept { return scalar_; }
  /// Of the tensor, or of the scalar.
  dtype type() const noexcept { return type_; }
  /// An empty handle where the operand is a scalar.
  any_tensor const& tensor() const noexcept { return tensor_; }
  /// The value of a scalar, converted as by `static_cast`.
  template <element T> T scalar() const noexcept {
    GUARDJIT_ASSERT(scalar_);
    if (is_floating(type_)) return static_cast<T>(std::bit_cast<double>(bits_));
    return static_cast<T>(static_cast<std::int64_t>(bits_));
  }
  /// Whether both are the same elements in the same layout, or scalars of one kind and value.
  bool same_as(operand const& other) const noexcept {
    if (type_ != other.type_ || scalar_ != other.scalar_) return false;
    if (scalar_) return bits_ == other.bits_;
    return tensor_.storage() == other.tensor_.storage() &&
           tensor_.data() == other.tensor_.data() && tensor_.layout() == other.tensor_.layout();
  }
  operand_info info() const noexcept { return {type_, scalar_, tensor_.shape()}; }

  /// Of the tensor; a scalar has rank 0.
  guardjit::shape shape() const noexcept { return scalar_ ? guardjit::shape{} : tensor_.shape(); }
  int rank() const noexcept { return scalar_ ? 0 : tensor_.rank(); }
  /// Throws: `index_error` where there is no such dim.
  index_t extent(int dim) const { return tensor_.extent(dim); }

 private:
  operand(dtype type, std::uint64_t bits) noexcept : bits_(bits), type_(type), scalar_(true) {}

  any_tensor tensor_;
  std::uint64_t bits_ = 0;
  dtype type_;
  bool scalar_ = false;
};

/// A scalar of dtype `type` from its bits: floats as `double`, all others as `std::int64_t`.
inline operand weak_operand(dtype type, std::uint64_t bits) {
  if (is_floating(type)) {
    double const value = std::bit_cast<double>(bits);
    return type == dtype::f32 ? operand(static_cast<float>(value)) : operand(value);
  }
  auto const value = static_cast<std::int64_t>(bits);
  return type == dtype::boolean ? operand(value != 0) : operand(value);
}

namespace detail {
/// The value of a scalar operand in a dtype.
template <element T> T scalar_as(operand const& x) {
  if (is_floating(x.type())) return convert<T>(x.scalar<double>());
  return convert<T>(x.scalar<std::int64_t>());
}
/// A tensor of rank 0 with the value of a scalar.
inline any_tensor tensor_of_scalar(operand const& x) {
  auto result = any_tensor::uninitialized(x.type(), guardjit::shape{});
  visit_dtype(x.type(), [&]<class T>(std::type_identity<T>) {
    *static_cast<T*>(result.data()) = x.scalar<T>();
  });
  return result;
}
/// The value of a tensor of rank 0, weak.
inline operand scalar_of_tensor(any_tensor const& x) {
  return visit_dtype(x.type(), [&]<class T>(std::type_identity<T>) {
    T const value = *static_cast<T const*>(x.data());
    if constexpr (is_floating(dtype_v<T>) || std::is_same_v<T, bool>) return operand(value);
    else return operand(static_cast<std::int64_t>(value));
  });
}
}  // namespace detail

/// The most operands of an op.
inline constexpr int max_operands = 8;
static_assert([] {
  for (int k = 0; k < op_count; ++k)
    if (info_of(static_cast<op>(k)).arity > max_operands) return false;
  return true;
}());

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
