// guardjit: tests/static/tensor/dtype.cpp: promotion and the tables of dtypes
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/tensor/dtype.hpp>

namespace gj = guardjit;
using gj::dtype;

static_assert(gj::dtype_v<bool> == dtype::boolean && gj::dtype_v<std::uint8_t> == dtype::u8);
static_assert(gj::dtype_v<std::int32_t> == dtype::i32 && gj::dtype_v<std::int64_t> == dtype::i64 && gj::dtype_v<float> == dtype::f32);
static_assert(gj::dtype_v<double const> == dtype::f64);
static_assert(std::is_same_v<gj::element_t<dtype::u8>, std::uint8_t>);
static_assert(std::is_same_v<gj::element_t<dtype::f64>, double>);
static_assert(gj::element<int> && !gj::element<short> && !gj::element<char> && !gj::element<float*>);

constexpr bool sizes_agree() {
  bool agree = true;
  for (int k = 0; k < gj::dtype_count; ++k)
    agree &= gj::visit_dtype(static_cast<dtype>(k), [&]<class T>(std::type_identity<T>) {
      return sizeof(T) == static_cast<unsigned>(gj::size_of(static_cast<dtype>(k))) &&
             gj::dtype_v<T> == static_cast<dtype>(k);
    });
  return agree;
}
static_assert(sizes_agree());

// The table of numerics.md section 1 for the dtypes that exist.
constexpr dtype promoted[6][6] = {
    {dtype::boolean, dtype::u8, dtype::i32, dtype::i64, dtype::f32, dtype::f64},
    {dtype::u8, dtype::u8, dtype::i32, dtype::i64, dtype::f32, dtype::f64},
    {dtype::i32, dtype::i32, dtype::i32, dtype::i64, dtype::f32, dtype::f64},
    {dtype::i64, dtype::i64, dtype::i64, dtype::i64, dtype::f32, dtype::f64},
    {dtype::f32, dtype::f32, dtype::f32, dtype::f32, dtype::f32, dtype::f64},
    {dtype::f64, dtype::f64, dtype::f64, dtype::f64, dtype::f64, dtype::f64},
};
constexpr bool promotion_is_the_table() {
  for (int a = 0; a < 6; ++a)
    for (int b = 0; b < 6; ++b)
      if (gj::promote(static_cast<dtype>(a), static_cast<dtype>(b)) != promoted[a][b]) return false;
  return true;
}
static_assert(promotion_is_the_table());

static_assert(gj::promote_weak(dtype::boolean, dtype::i64) == dtype::i64);
static_assert(gj::promote_weak(dtype::u8, dtype::i64) == dtype::u8);
static_assert(gj::promote_weak(dtype::i32, dtype::i64) == dtype::i32);
static_assert(gj::promote_weak(dtype::u8, dtype::boolean) == dtype::u8);
static_assert(gj::promote_weak(dtype::i64, dtype::f64) == dtype::f64);
static_assert(gj::promote_weak(dtype::f32, dtype::f64) == dtype::f32);
static_assert(gj::promote_weak(dtype::f64, dtype::f32) == dtype::f64);
