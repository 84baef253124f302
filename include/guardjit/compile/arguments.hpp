// guardjit: compile/arguments.hpp: the arguments of one call, as kernels and guards see them
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_ARGUMENTS_HPP
#define GUARDJIT_COMPILE_ARGUMENTS_HPP

#include <guardjit/graph/signature.hpp>
#include <guardjit/tensor/any_tensor.hpp>

#include <tuple>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// A value of the form of `std::reference_wrapper`.
template <class Value>
concept reference_like = requires(Value const& v) {
  typename Value::type;
  { v.get() } -> std::same_as<typename Value::type&>;
};

template <class Value> inline constexpr bool is_tensor_v = false;
template <class T, index_t... Extents> inline constexpr bool is_tensor_v<tensor<T, Extents...>> = true;

template <class Value>
concept argument_like = is_tensor_v<Value> || std::is_arithmetic_v<Value>;

constexpr decltype(auto) unwrap(auto const& value) {
  if constexpr (reference_like<std::remove_cvref_t<decltype(value)>>) return static_cast<std::remove_cvref_t<decltype(value.get())> const&>(value.get());
  else return (value);
}

/// The dtype under which a C++ scalar enters: bool, i64, f32 or f64.
template <class Scalar> constexpr dtype scalar_type() {
  if constexpr (std::is_same_v<Scalar, bool>) return dtype::boolean;
  else if constexpr (std::is_integral_v<Scalar>) return dtype::i64;
  else return sizeof(Scalar) == sizeof(float) ? dtype::f32 : dtype::f64;
}

template <class Value> constexpr argument_type argument_type_of() {
  static_assert(argument_like<Value>,
                "guardjit: compile(f)(arguments…): arguments are tensors and C++ scalars");
  if constexpr (is_tensor_v<Value>) return {Value::type(), false, Value::static_shape()};
  else return {scalar_type<Value>(), true, shape{}};
}

/// Pointers and layouts of one call. Behind the arguments there is room for the bases of a plan.
/// Lifetime: that of the arguments.
template <int Arguments> struct call_frame {
  static constexpr unsigned slots = Arguments == 0 ? 1 : Arguments;
  std::array<void*, Arguments + 3> bases{};
  std::array<layout_view, slots> layouts{};
  std::array<storage const*, slots> owners{};
  std::array<std::uint64_t, slots> scalars{};

  template <class Value> void set(int k, Value const& value) {
    auto const at = static_cast<unsigned>(k);
    if constexpr (is_tensor_v<Value>) {
      bases[at] = const_cast<typename Value::element_type*>(value.data());
      layouts[at] = value.layout().view();
      owners[at] = &value.storage();
    } else {
      element_t<scalar_type<Value>()> const wide = static_cast<element_t<scalar_type<Value>()>>(value);
      __builtin_memcpy(&scalars[at], &wide, sizeof wide);
      bases[at] = &scalars[at];
    }
  }
};

template <class... Values> auto make_frame(Values const&... values) {
  call_frame<static_cast<int>(sizeof...(Values))> frame;
  int k = 0;
  (frame.set(k++, values), ...);
  return frame;
}

/// The value of a scalar argument.
inline double scalar_value(std::uint64_t const& bits, dtype type) {
  return visit_dtype(type, [&]<class T>(std::type_identity<T>) {
    T value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return static_cast<double>(value);
  });
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
