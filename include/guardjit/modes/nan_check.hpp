// guardjit: modes/nan_check.hpp: a mode that refuses results which are not a number
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_MODES_NAN_CHECK_HPP
#define GUARDJIT_MODES_NAN_CHECK_HPP

#include <guardjit/modes/op_call.hpp>

#include <limits>
#include <type_traits>

namespace guardjit::inline GUARDJIT_ABI {

/// What `nan_check` refuses.
enum class not_a_number : std::uint8_t {
  nan,
  nan_or_infinity,
};

namespace detail {

/// x - x is 0 but for NaN and infinities.
template <class T> constexpr bool is_refused(T x, not_a_number what) noexcept {
  return what == not_a_number::nan ? x != x : !(x - x == 0);
}

/// Whether `n` elements that follow each other have one to refuse; all are read, so that the loop is one
/// for vectors.
template <class T> bool has_refused(T const* from, index_t n, not_a_number what) noexcept {
  bool bad = false;
  if (what == not_a_number::nan)
    for (index_t k = 0; k < n; ++k) bad |= from[k] != from[k];
  else
    for (index_t k = 0; k < n; ++k) bad |= !(from[k] - from[k] == 0);
  return bad;
}

/// An element, found by its place in row-major order; none where `found` is false.
struct refused_element {
  bool found = false;
  shape index{};  // of the element, not extents
  double value = 0;
};

template <class T> refused_element first_refused(any_tensor const& x, not_a_number what) noexcept {
  auto const* const data = static_cast<T const*>(x.data());
  index_t const count = x.size();
  if (x.is_contiguous() && !has_refused(data, count, what)) return {};
  refused_element at;
  at.index.rank = x.rank();
  for (index_t k = 0; k < count; ++k) {
    index_t offset = 0;
    for (int d = 0; d < x.rank(); ++d) offset += at.index[d] * x.stride(d);
    if (is_refused(data[offset], what)) {
      at.found = true;
      at.value = static_cast<double>(data[offset]);
      return at;
    }
    for (int d = x.rank() - 1; d >= 0 && ++at.index[d] == x.extent(d); --d) at.index[d] = 0;
  }
  return {};
}

/// The first element of a tensor, in row-major order, that is refused. Integers, and elements in other
/// memory than the host's, have none.
inline refused_element find_refused(any_tensor const& x, not_a_number what) noexcept {
  if (!x || x.where().kind != device_kind::cpu) return {};
  return visit_dtype(x.type(), [&]<class T>(std::type_identity<T>) -> refused_element {
    if constexpr (std::is_floating_point_v<T>) return first_refused<T>(x, what);
    else return {};
  });
}

inline char const* name_of_refused(double value) noexcept {
  return value != value ? "nan" : value > 0 ? "inf" : "-inf";
}

[[noreturn, gnu::cold, gnu::noinline]] inline void raise_refused(op_call const& call, any_tensor const& x,
                                                                 refused_element const& at,
                                                                 not_a_number what) {
  fixed_text text;
  text << "guardjit: " << name_of(call.op()) << signature_of(call.op()) << ": nan_check: element "
       << at.index << " of the result is " << name_of_refused(at.value) << "; " << name_of(x.type()) << ' '
       << x.shape();
  for (int k = 0; k < call.size(); ++k) {
    operand const& in = call.arg(k);
    refused_element const was = in.is_scalar() ? refused_element{} : find_refused(in.tensor(), what);
    if (was.found)
      text << "; element " << was.index << " of operand " << k << " is " << name_of_refused(was.value);
  }
  raise<mode_error>(text << "; " << call.where());
}

}  // namespace detail

/// Throws at the first result that holds a NaN, or an infinity if asked, with op, index, value and the
/// user's line; and says which operands had one already. A compiled function runs op by op under it,
/// with the values that its kernels give.
///
///     gj::nan_check check;                                     // or {gj::not_a_number::nan_or_infinity}
///     gj::mode_scope scope{check};
///     auto const y = f(x);
///
/// throws, for a line `gj::log(x - 1)` with an element below 1,
///
///     guardjit: log(x): nan_check: element (2, 0) of the result is nan; f32 (3, 4); loss.cpp:31
///
/// Views and factories are results, too. Whatever made the result writes nothing: `y += x` leaves y.
/// Dtypes: of floats; others are passed on. Layouts: any.
/// Throws: `mode_error`.
/// Complexity: reads each result once; no allocation. Rules: M98, M120.
class GUARDJIT_VISIBLE nan_check : public function_mode {
 public:
  explicit nan_check(not_a_number what = not_a_number::nan) noexcept : what_(what) {}

  op_result handle(op_call& call) override {
    op_result result = call();
    detail::refused_element const at = detail::find_refused(result, what_);
    if (at.found) [[unlikely]]
      detail::raise_refused(call, result, at, what_);
    return result;
  }

 private:
  not_a_number what_;
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
