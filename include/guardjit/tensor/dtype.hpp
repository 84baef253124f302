// guardjit: tensor/dtype.hpp: element types, their names and their promotion
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TENSOR_DTYPE_HPP
#define GUARDJIT_TENSOR_DTYPE_HPP

#include <guardjit/base/errors.hpp>
#include <guardjit/base/type_list.hpp>

#include <cstdint>

namespace guardjit::inline GUARDJIT_ABI {

/// Element types, in the order of `element_types`.
enum class dtype : std::uint8_t { boolean, u8, i32, i64, f32, f64 };

/// Kinds of dtypes; promotion takes the higher one.
enum class dtype_kind : std::uint8_t { boolean, integer, floating };

namespace detail {
struct dtype_row {
  char const* name;
  dtype_kind kind;
  bool is_signed;
  int size;
};
inline constexpr dtype_row dtype_rows[] = {
    {"bool", dtype_kind::boolean, false, 1}, {"u8", dtype_kind::integer, false, 1},
    {"i32", dtype_kind::integer, true, 4},   {"i64", dtype_kind::integer, true, 8},
    {"f32", dtype_kind::floating, true, 4},  {"f64", dtype_kind::floating, true, 8},
};
constexpr dtype_row const& row_of(dtype type) { return dtype_rows[static_cast<int>(type)]; }
}  // namespace detail

/// The C++ type of each dtype, in the order of the enumeration.
using element_types = type_list<bool, std::uint8_t, std::int32_t, std::int64_t, float, double>;
inline constexpr int dtype_count = static_cast<int>(element_types::size);

constexpr char const* name_of(dtype type) { return detail::row_of(type).name; }
constexpr dtype_kind kind_of(dtype type) { return detail::row_of(type).kind; }
constexpr bool is_floating(dtype type) { return kind_of(type) == dtype_kind::floating; }
/// Bytes of one element.
constexpr int size_of(dtype type) { return detail::row_of(type).size; }

namespace detail {
template <class T> constexpr int index_of_element() {
  int found = -1, k = 0;
  for_each_type(element_types{}, [&]<class Type>(std::type_identity<Type>) {
    if (std::is_same_v<Type, T>) found = k;
    ++k;
  });
  return found;
}
}  // namespace detail

/// A C++ type that a tensor can hold.
template <class T> concept element = detail::index_of_element<std::remove_cv_t<T>>() >= 0;

template <element T>
inline constexpr dtype dtype_v = static_cast<dtype>(detail::index_of_element<std::remove_cv_t<T>>());

/// The C++ type of a dtype.
template <dtype Type>
using element_t = nth_type_t<static_cast<int>(Type), element_types>;

/// Calls `visit(std::type_identity<T>{})` with the C++ type of a dtype known at run time.
template <class Visit> constexpr decltype(auto) visit_dtype(dtype type, Visit&& visit) {
  switch (type) {
    case dtype::boolean: return visit(std::type_identity<bool>{});
    case dtype::u8: return visit(std::type_identity<std::uint8_t>{});
    case dtype::i32: return visit(std::type_identity<std::int32_t>{});
    case dtype::i64: return visit(std::type_identity<std::int64_t>{});
    case dtype::f32: return visit(std::type_identity<float>{});
    case dtype::f64: break;
  }
  return visit(std::type_identity<double>{});
}

/// The dtype of an op on tensors of dtypes `a` and `b`.
/// Rules: the table of `numerics.md` section 1, which is symmetric and associative.
constexpr dtype promote(dtype a, dtype b) {
  if (kind_of(a) != kind_of(b)) return kind_of(a) > kind_of(b) ? a : b;
  return size_of(a) >= size_of(b) ? a : b;
}

/// The dtype of an op on a tensor of dtype `tensor` and a C++ scalar stored as `scalar`
/// (`boolean`, `i64`, `f32` or `f64`): scalars are weak inside their kind.
/// Rules: POL-14.
constexpr dtype promote_weak(dtype tensor, dtype scalar) {
  return kind_of(scalar) > kind_of(tensor) ? scalar : tensor;
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
