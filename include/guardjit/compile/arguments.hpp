// guardjit: compile/arguments.hpp: from C++ arguments to a signature and a frame
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_ARGUMENTS_HPP
#define GUARDJIT_COMPILE_ARGUMENTS_HPP

#include <guardjit/compile/spec.hpp>
#include <guardjit/modes/thread_count.hpp>
#include <guardjit/tensor/any_tensor.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// A value of the form of `std::reference_wrapper`.
template <class Value>
concept reference_like = requires(Value const& v) {
  typename Value::type;
  { v.get() } -> std::same_as<typename Value::type&>;
};

/// What a bound value stands for: itself, or what it refers to.
template <class Value> constexpr auto const& unwrap(Value const& value) {
  if constexpr (reference_like<Value>) return std::as_const(value.get());
  else return value;
}
template <class Value> using unwrapped_t =
    std::remove_cvref_t<decltype(unwrap(std::declval<Value const&>()))>;

/// The dtype under which a C++ scalar enters: bool, i64, f32 or f64.
template <class Scalar> constexpr dtype scalar_type() {
  if constexpr (std::is_same_v<Scalar, bool>) return dtype::boolean;
  else if constexpr (std::is_integral_v<Scalar>) return dtype::i64;
  else return sizeof(Scalar) == sizeof(float) ? dtype::f32 : dtype::f64;
}

template <class Value> constexpr argument_type argument_type_of() {
  if constexpr (is_argument_tensor_v<Value>)
    return {.type = Value::type(), .extents = Value::static_shape(), .frozen = is_frozen_v<Value>};
  else return {.type = scalar_type<Value>(), .scalar = true};
}

/// Where kernels read an argument: the elements of a tensor, a scalar widened in `room`.
template <class Value> void* argument_address(Value const& value, std::uint64_t& room) {
  if constexpr (is_argument_tensor_v<Value>) {
    return const_cast<typename Value::element_type*>(value.data());
  } else {
    auto const wide = static_cast<element_t<scalar_type<Value>()>>(value);
    __builtin_memcpy(&room, &wide, sizeof wide);
    return &room;
  }
}

/// The bits of a scalar, 0 above its own.
template <class Value> std::uint64_t bits_of_scalar(Value const& value) {
  std::uint64_t bits = 0;
  argument_address(value, bits);
  return bits;
}

/// Pointers and layouts of one call, with room for the bases of its results; `view` borrows it.
/// Lifetime: that of the arguments.
template <int Arguments, int Results = 1> struct call_frame {
  static constexpr unsigned slots = Arguments == 0 ? 1 : Arguments;
  std::array<void*, Arguments + Results + 2> bases;
  std::array<layout_view, slots> layouts;
  std::array<storage const*, slots> owners;
  std::array<std::uint64_t, slots> scalars;

  template <class... Values> explicit call_frame(Values const&... values) {
    unsigned k = 0;
    (set(k++, values), ...);
  }
  frame_view view() {
    frame_view call{Arguments,      bases.data(),   layouts.data(),
                    owners.data(), scalars.data(), device_word(default_device())};
    call.thread_count = thread_count();
    call.under = this_thread.calls;
    return call;
  }

 private:
  template <class Value> void set(unsigned k, Value const& value) {
    scalars[k] = 0;
    bases[k] = argument_address(value, scalars[k]);
    if constexpr (is_argument_tensor_v<Value>) {
      layouts[k] = value.layout().view();
      owners[k] = &value.storage();
    } else {
      layouts[k] = {};
    }
  }
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
