// guardjit: ops/functions.hpp: the functions that users call, one object an op
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_OPS_FUNCTIONS_HPP
#define GUARDJIT_OPS_FUNCTIONS_HPP

#include <guardjit/ops/reduction_functions.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// a + b, broadcast. Dtypes: promoted (bool: or).
inline constexpr detail::binary_function<op::add> add{};
/// a - b, broadcast. Dtypes: promoted, no bool.
inline constexpr detail::binary_function<op::sub> sub{};
/// a * b, broadcast. Dtypes: promoted (bool: and).
inline constexpr detail::binary_function<op::mul> mul{};
/// a / b, broadcast. Dtypes: promoted; integers and bool give f64.
inline constexpr detail::binary_function<op::div> div{};
/// The floor of a / b. Dtypes: promoted, no bool, as in its kin. Integers by 0: 0. Rules: POL-1, POL-30.
inline constexpr detail::binary_function<op::floor_divide> floor_divide{};
/// a / b, cut off at the point.
inline constexpr detail::binary_function<op::trunc_divide> trunc_divide{};
/// a - b * floor_divide(a, b), with the sign of b.
inline constexpr detail::binary_function<op::remainder> remainder{};
/// a - b * trunc_divide(a, b), with the sign of a.
inline constexpr detail::binary_function<op::fmod> fmod{};
/// -x. Dtypes: as x, no bool; unsigned integers wrap.
inline constexpr detail::unary_function<op::neg> neg{};
/// The larger of a and b; NaN if one is NaN. Rules: POL-5, POL-15.
inline constexpr detail::binary_function<op::maximum> maximum{};
/// The smaller of a and b; NaN if one is NaN. Rules: POL-5, POL-15.
inline constexpr detail::binary_function<op::minimum> minimum{};
/// maximum(x, +0).
inline constexpr detail::unary_function<op::relu> relu{};
/// The larger of a and b; the other one where one is NaN. Rules: POL-5, POL-15.
inline constexpr detail::binary_function<op::fmax> fmax{};
/// The smaller of a and b; the other one where one is NaN. Rules: POL-5, POL-15.
inline constexpr detail::binary_function<op::fmin> fmin{};
/// x between lo and hi: minimum(maximum(x, lo), hi), broadcast. Dtypes: promoted. Rules: POL-27.
inline constexpr detail::ternary_function<op::clip> clip{};
/// x without its sign. Dtypes: as x; the lowest integer stays.
inline constexpr detail::unary_function<op::abs> abs{};
/// -1, 0 or 1; zeros and NaN as they are. Dtypes: as x, no bool.
inline constexpr detail::unary_function<op::sign> sign{};
/// x * x. Dtypes: as x.
inline constexpr detail::unary_function<op::square> square{};
/// 1 / x. Dtypes: floats; integers and bool give f64.
inline constexpr detail::unary_function<op::reciprocal> reciprocal{};
/// The next whole number that is not above x. Dtypes: as x, no bool.
inline constexpr detail::unary_function<op::floor> floor{};
/// The next whole number that is not below x. Dtypes: as x, no bool.
inline constexpr detail::unary_function<op::ceil> ceil{};
/// The nearest whole number, the even one of two. Dtypes: as x, no bool.
inline constexpr detail::unary_function<op::round> round{};
/// a to the b. Dtypes: promoted, no bool; whole numbers to a negative power are 0, but for 1 and -1.
/// Rules: POL-23.
inline constexpr detail::binary_function<op::pow> pow{};
/// e to the x. Dtypes: floats; integers and bool give f64, as in all functions down to `gelu`.
inline constexpr detail::unary_function<op::exp> exp{};
/// Natural logarithm.
inline constexpr detail::unary_function<op::log> log{};
/// Hyperbolic tangent.
inline constexpr detail::unary_function<op::tanh> tanh{};
/// Square root, correctly rounded.
inline constexpr detail::unary_function<op::sqrt> sqrt{};
/// 1 / sqrt(x).
inline constexpr detail::unary_function<op::rsqrt> rsqrt{};
/// exp(x) - 1, without cancellation.
inline constexpr detail::unary_function<op::expm1> expm1{};
/// log(1 + x), without cancellation.
inline constexpr detail::unary_function<op::log1p> log1p{};
/// Sine of radians.
inline constexpr detail::unary_function<op::sin> sin{};
/// Cosine of radians.
inline constexpr detail::unary_function<op::cos> cos{};
/// Error function.
inline constexpr detail::unary_function<op::erf> erf{};
/// 1 / (1 + exp(-x)).
inline constexpr detail::unary_function<op::sigmoid> sigmoid{};
/// x * sigmoid(x).
inline constexpr detail::unary_function<op::silu> silu{};
/// log(1 + exp(x)).
inline constexpr detail::unary_function<op::softplus> softplus{};
/// x times the part of a normal distribution below x: `gelu(x)`; by the hyperbolic tangent that was
/// fitted to it: `gelu(x, tanh_form)`, which modes are told as `gelu_tanh`.
inline constexpr detail::gelu_function gelu{};
/// a < b. Dtypes: bool.
inline constexpr detail::binary_function<op::lt> lt{};
/// a > b. Dtypes: bool.
inline constexpr detail::binary_function<op::gt> gt{};
/// a == b. Dtypes: bool.
inline constexpr detail::binary_function<op::eq> eq{};
/// a <= b. Dtypes: bool.
inline constexpr detail::binary_function<op::le> le{};
/// a >= b. Dtypes: bool.
inline constexpr detail::binary_function<op::ge> ge{};
/// a != b, also where one is NaN. Dtypes: bool.
inline constexpr detail::binary_function<op::ne> ne{};
/// Whether a and b are not 0; NaN is not. Dtypes: bool, as in `logical_or` and its kin.
inline constexpr detail::binary_function<op::logical_and> logical_and{};
/// Whether a or b is not 0.
inline constexpr detail::binary_function<op::logical_or> logical_or{};
/// Whether one of a and b is not 0, and the other is.
inline constexpr detail::binary_function<op::logical_xor> logical_xor{};
/// Whether x is 0.
inline constexpr detail::unary_function<op::logical_not> logical_not{};
/// Bits that are set in a and in b. Dtypes: promoted, only integers and bool (logical), as in
/// `bitwise_or` and its kin.
inline constexpr detail::binary_function<op::bitwise_and> bitwise_and{};
/// Bits that are set in a or in b.
inline constexpr detail::binary_function<op::bitwise_or> bitwise_or{};
/// Bits that are set in one of a and b.
inline constexpr detail::binary_function<op::bitwise_xor> bitwise_xor{};
/// Bits that are not set in x.
inline constexpr detail::unary_function<op::bitwise_not> bitwise_not{};
/// The bits of a, n places up; none where n is negative or as large as their number. Dtypes: promoted,
/// only integers. Rules: POL-4.
inline constexpr detail::binary_function<op::shift_left> shift_left{};
/// The bits of a, n places down; those of the sign come in. Dtypes: promoted, only integers. Rules: POL-4.
inline constexpr detail::binary_function<op::shift_right> shift_right{};
/// a where c is true, else b. Dtypes: c is bool, the others are promoted.
/// A function, since `where` is also what parameters are called.
template <class C, class A, class B>
constexpr auto where(C&& c, A&& a, B&& b,
                     source_line line = std::source_location::current())
  requires requires { detail::ternary_function<op::where>{}(c, a, b, line); }
{
  return detail::ternary_function<op::where>{}(std::forward<C>(c), std::forward<A>(a),
                                               std::forward<B>(b), line);
}
/// x with elements of type To. Rules: POL-3, POL-8.
template <element To> inline constexpr detail::to_function<To> to{};
/// Sum over all or the named axes. Dtypes: integers and bool give i64. Rules: N20, N21, POL-7.
inline constexpr detail::reduce_function<op::sum> sum{};
/// Largest element over all or the named axes. Throws: `shape_error` if a reduced extent is 0.
inline constexpr detail::reduce_function<op::amax> amax{};
/// Smallest element over all or the named axes. Throws: `shape_error` if a reduced extent is 0.
inline constexpr detail::reduce_function<op::amin> amin{};
/// The index of the largest element along one axis, `argmax(x, axis)`, or among all in row-major order:
/// of the first NaN, else of the first of equal ones. Dtypes: any, the result is i64.
/// Throws: `shape_error` if a reduced extent is 0. Complexity: one pass in single elements.
/// Rules: N20, POL-5, POL-6, POL-7, POL-15.
inline constexpr detail::index_function<op::argmax> argmax{};
/// The index of the smallest element. Dtypes:, Throws:, Complexity:, Rules: as `argmax`.
inline constexpr detail::index_function<op::argmin> argmin{};
/// Product over all or the named axes. Dtypes: integers and bool give i64. Rules: N20, N21, POL-3, POL-7.
inline constexpr detail::reduce_function<op::prod> prod{};
/// Whether an element is true, over all or the named axes; NaN is. Dtypes: any, the result is bool.
/// A function, since `any` and `all` are also what variables are called.
/// Complexity: one pass in single elements. Rules: N20, POL-7, POL-8.
template <class X>
constexpr auto any(X&& x, source_line line = std::source_location::current())
  requires requires { detail::reduce_function<op::any>{}(x, line); }
{
  return detail::reduce_function<op::any>{}(std::forward<X>(x), line);
}
template <class X, class Named>
constexpr auto any(X&& x, Named const& named, source_line line = std::source_location::current())
  requires requires { detail::reduce_function<op::any>{}(x, named, line); }
{
  return detail::reduce_function<op::any>{}(std::forward<X>(x), named, line);
}
template <class X, class Axes>
constexpr auto any(X&& x, Axes const& named, keepdims_t, source_line line = std::source_location::current())
  requires requires { detail::reduce_function<op::any>{}(x, named, keepdims, line); }
{
  return detail::reduce_function<op::any>{}(std::forward<X>(x), named, keepdims, line);
}
/// Whether all elements are true, over all or the named axes. Dtypes:, Complexity:, Rules: as `any`.
template <class X>
constexpr auto all(X&& x, source_line line = std::source_location::current())
  requires requires { detail::reduce_function<op::all>{}(x, line); }
{
  return detail::reduce_function<op::all>{}(std::forward<X>(x), line);
}
template <class X, class Named>
constexpr auto all(X&& x, Named const& named, source_line line = std::source_location::current())
  requires requires { detail::reduce_function<op::all>{}(x, named, line); }
{
  return detail::reduce_function<op::all>{}(std::forward<X>(x), named, line);
}
template <class X, class Axes>
constexpr auto all(X&& x, Axes const& named, keepdims_t, source_line line = std::source_location::current())
  requires requires { detail::reduce_function<op::all>{}(x, named, keepdims, line); }
{
  return detail::reduce_function<op::all>{}(std::forward<X>(x), named, keepdims, line);
}
/// Mean over all or the named axes. Dtypes: integers and bool give f64. Rules: POL-9.
inline constexpr detail::reduce_function<op::mean> mean{};
/// Matrix product. Shapes: (…,m,k),(…,k,n) → (…,m,n); N30. Dtypes: integers and bool give i64.
inline constexpr detail::binary_function<op::matmul> matmul{};
/// A view with the axes in another order: `permute(x, axes(1, 0))`.
inline constexpr detail::permute_function permute{};
/// The same elements in another shape, one extent may be -1: `reshape(x, {-1, 4})`; a view where
/// the strides allow it, else a copy. Rules: N7.
inline constexpr detail::shape_function<op::reshape> reshape{};
/// A view stretched by stride 0: `expand(x, {3, 4})`. Rules: N1.
inline constexpr detail::shape_function<op::expand> expand{};
/// A view of `start` to `stop` by `step` along an axis: `slice(x, 0, 1, -1)`. Rules: N40.
inline constexpr detail::slice_function slice{};
/// A view of the elements at `index` of an axis, which goes: `select(x, 0, -1)` is the last row.
/// Throws: `index_error` where there is no such axis or index. Rules: POL-11.
inline constexpr detail::select_function select{};
/// x at the indices i, whose shape stands for the axis: `take(x, i, 0)` are rows of x. Indices are i32
/// or i64; negative ones count from the end.
/// Shapes: (…,n,…),(i…) → (…,i…,…). Dtypes: as x.
/// Throws: `index_error` with the first wrong index, before anything is written. Rules: N41, POL-11.
inline constexpr detail::indexed_function<op::take> take{};
/// x at an index along the axis for each element: result[a,b,c] = x[a,i[a,b,c],c] along axis 1. The
/// extents of i are those of x, apart from that of the axis.
/// Shapes: as i. Dtypes: as x. Throws: as `take`. Rules: N41, POL-11.
inline constexpr detail::indexed_function<op::gather> gather{};
/// The same under NumPy's name.
inline constexpr detail::indexed_function<op::gather> take_along_axis{};
/// A tensor of zeros: `zeros<float>({3, 4})`; in a trace `zeros<float>(x.extent(0), 4)`. It is on the
/// thread's default device, in eager code also on one that is named: `zeros<float>({3, 4}, on)`. The
/// type of the result fixes the kind of device, so that of others only host memory counts.
/// Throws: `shape_error`, `device_error`. Rules: M40, M41.
template <element T> inline constexpr detail::factory_function<op::zeros, T> zeros{};
/// A tensor of ones, as `zeros`.
template <element T> inline constexpr detail::factory_function<op::ones, T> ones{};
/// A tensor of one value: `full({3, 4}, 2.5f)`; in a trace `full(2.5f, x.extent(0), 4)`. As `zeros`.
inline constexpr detail::full_function full{};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
