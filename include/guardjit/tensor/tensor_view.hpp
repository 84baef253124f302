// guardjit: tensor/tensor_view.hpp: elements with a layout, not owned
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TENSOR_TENSOR_VIEW_HPP
#define GUARDJIT_TENSOR_TENSOR_VIEW_HPP

#include <guardjit/tensor/dtype.hpp>
#include <guardjit/tensor/layout.hpp>
#include <guardjit/tensor/operators.hpp>

#include <type_traits>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {
template <index_t... Extents>
inline constexpr bool extents_are_valid =
    sizeof...(Extents) <= max_rank && ((Extents >= 0 || Extents == dyn) && ... && true);

template <index_t... Extents> inline constexpr int dynamic_count = (0 + ... + int{Extents == dyn});

/// Extents as data, `dyn` included.
template <index_t... Extents> constexpr shape make_static_shape() {
  shape s;
  s.rank = static_cast<int>(sizeof...(Extents));
  int d = 0;
  ((s[d++] = Extents), ...);
  return s;
}

/// All extents from those that are known at run time only, in order.
template <index_t... Extents>
constexpr typename layout<sizeof...(Extents)>::values fill_extents(index_t const* run_time) {
  return {(Extents == dyn ? *run_time++ : Extents)...};
}

/// The first dimension whose extent differs from the declared one, or −1.
template <index_t... Extents> constexpr int mismatched_extent(index_t const* extents) {
  int bad = -1, d = 0;
  ((bad = bad < 0 && Extents != dyn && Extents != extents[d] ? d : bad, ++d), ...);
  return bad;
}

template <int Rank> constexpr index_t offset_of(layout<Rank> const& l, std::integral auto... index) {
  index_t offset = 0;
  int d = 0;
  ((GUARDJIT_ASSERT(static_cast<index_t>(index) >= 0 && static_cast<index_t>(index) < l.extent(d)),
    offset += static_cast<index_t>(index) * l.stride(d), ++d),
   ...);
  return offset;
}
}  // namespace detail

/// Elements with a layout, not owned; `T` may be const.
/// Lifetime: valid while the elements are. Rules: N55.
template <class T, index_t... Extents>
  requires element<T>
class tensor_view {
  static_assert(detail::extents_are_valid<Extents...>,
                "guardjit: tensor_view<T, Extents...>: at most 8 extents, each >= 0 or dyn");

 public:
  using element_type = T;
  using layout_type = guardjit::layout<static_cast<int>(sizeof...(Extents))>;

  /// Precondition: `l` has the static extents.
  constexpr tensor_view(T* data, layout_type const& l) noexcept : data_(data), layout_(l) {
    GUARDJIT_ASSERT(detail::mismatched_extent<Extents...>(l.view().extents) < 0);
  }
  /// Row-major elements; one extent for each `dyn`, in order.
  template <std::integral... RunTimeExtents>
    requires(sizeof...(RunTimeExtents) == detail::dynamic_count<Extents...>)
  constexpr tensor_view(T* data, RunTimeExtents... extents) noexcept : data_(data) {
    index_t const given[] = {static_cast<index_t>(extents)..., 0};
    layout_ = layout_type(detail::fill_extents<Extents...>(given));
  }
  /// A read-only view of the same elements, or one that knows fewer extents.
  template <class U, index_t... Other>
    requires(std::is_convertible_v<U (*)[], T (*)[]> && sizeof...(Other) == sizeof...(Extents) &&
             ((Extents == dyn || Extents == Other) && ... && true))
  constexpr tensor_view(tensor_view<U, Other...> const& other) noexcept
      : data_(other.data()), layout_(other.layout()) {}

  static constexpr int rank() { return static_cast<int>(sizeof...(Extents)); }
  /// `dyn` where known at run time only.
  static constexpr index_t static_extent(int dim) { return static_shape()[dim]; }
  static constexpr guardjit::shape static_shape() { return detail::make_static_shape<Extents...>(); }
  static constexpr guardjit::dtype type() { return dtype_v<T>; }

  constexpr T* data() const noexcept { return data_; }
  constexpr layout_type const& layout() const noexcept { return layout_; }
  constexpr index_t extent(int dim) const noexcept { return layout_.extent(dim); }
  constexpr index_t stride(int dim) const noexcept { return layout_.stride(dim); }
  constexpr guardjit::shape shape() const noexcept { return layout_.view().shape(); }
  /// Number of elements.
  constexpr index_t size() const noexcept { return layout_.view().count(); }

  /// Writes a tensor, an expression or a scalar into the elements: as `slice(x, 0, 1) = y`. Another
  /// view is not written: it takes the place of this one.
  template <detail::operator_side Value>
    requires(!std::is_const_v<T>)
  tensor_view const& operator=(Value const& value) const {
    write_value(*this, value);
    return *this;
  }

  /// One element. Precondition: each index is in range.
  template <std::integral... Index>
    requires(sizeof...(Index) == sizeof...(Extents))
  constexpr T& operator()(Index... index) const noexcept {
    return data_[detail::offset_of(layout_, index...)];
  }

 private:
  T* data_;
  layout_type layout_;
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
