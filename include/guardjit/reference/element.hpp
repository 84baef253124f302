// guardjit: reference/element.hpp: reading and writing one element of an array without a type
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_REFERENCE_ELEMENT_HPP
#define GUARDJIT_REFERENCE_ELEMENT_HPP

#include <guardjit/tensor/dtype.hpp>
#include <guardjit/tensor/shape.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// Element `at` of an array of `T`. A bool is a byte, and any byte but 0 reads as true: foreign
/// memory may hold others, which the language does not allow in a `bool`.
template <element T> GUARDJIT_HD inline T load_element(void const* array, index_t at) {
  if constexpr (std::is_same_v<T, bool>) return static_cast<unsigned char const*>(array)[at] != 0;
  else return static_cast<T const*>(array)[at];
}

template <element T> GUARDJIT_HD inline void store_element(void* array, index_t at, T value) {
  static_cast<T*>(array)[at] = value;
}

/// The array `array` from its element `offset` on.
template <element T>
GUARDJIT_HD inline void const* advance_array(void const* array, index_t offset) {
  return static_cast<unsigned char const*>(array) + offset * static_cast<index_t>(sizeof(T));
}
template <element T> GUARDJIT_HD inline void* advance_array(void* array, index_t offset) {
  return static_cast<unsigned char*>(array) + offset * static_cast<index_t>(sizeof(T));
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
