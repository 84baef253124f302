// guardjit: tensor/frozen.hpp: a tensor whose elements never change: weights that kernels may prepare
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TENSOR_FROZEN_HPP
#define GUARDJIT_TENSOR_FROZEN_HPP

#include <guardjit/tensor/any_tensor.hpp>
#include <guardjit/tensor/frozen_memory.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {
struct frozen_access;
}

/// Shared handle to elements of type `T` that are never written, made by `freeze`; an extent is a number
/// or `dyn`. It is read like a const tensor, wherever a tensor is read: in expressions, as an argument of
/// a compiled function, as a value of `bind`, as a leaf of a module. Views of it are frozen, too.
///
/// Compiled functions may keep packed forms of it, with it: a matrix product then need not arrange its
/// right operand at each call. An entry that does is for this tensor (guard `same_storage`) and keeps its
/// elements alive; a function that is to serve many tensors in turn takes a plain one.
///
/// A copy shares the elements; assignment gives the handle other ones. A moved-from handle may only be
/// assigned to or destroyed.
/// Lifetime: keeps its storage alive, views and packed forms included.
/// Rules: G29.
template <element T, index_t... Extents> class frozen
    : public tensor_operators<frozen<T, Extents...>>,
      public detail::indexable<frozen<T, Extents...>, int{sizeof...(Extents)}> {
  using handle = tensor<T, Extents...>;

 public:
  using element_type = T;
  using layout_type = typename handle::layout_type;
  using extents_type = typename handle::extents_type;

  static constexpr int rank() { return handle::rank(); }
  /// `dyn` where known at run time only.
  static constexpr index_t static_extent(int dim) { return handle::static_extent(dim); }
  static constexpr guardjit::shape static_shape() { return handle::static_shape(); }
  static constexpr guardjit::dtype type() { return handle::type(); }

  /// The same elements under other extents; explicit where an extent must be checked.
  /// Throws: `shape_error` where a run-time extent is not the declared one.
  template <index_t... Other>
    requires(std::is_constructible_v<handle, tensor<T, Other...>> &&
             !std::is_same_v<frozen<T, Other...>, frozen>)
  explicit(!std::is_convertible_v<tensor<T, Other...>, handle>) frozen(frozen<T, Other...> const& other)
      : value_(other.value_) {}

  frozen(frozen const&) noexcept = default;
  frozen(frozen&&) noexcept = default;
  // To handles with a name alone: `w(1) = v` would be lost with the view.
  frozen& operator=(frozen const&) & noexcept = default;
  frozen& operator=(frozen&&) & noexcept = default;
  ~frozen() = default;

  T const* data() const noexcept { return value_.data(); }
  layout_type const& layout() const noexcept { return value_.layout(); }
  index_t extent(int dim) const noexcept { return value_.extent(dim); }
  index_t stride(int dim) const noexcept { return value_.stride(dim); }
  guardjit::shape shape() const noexcept { return value_.shape(); }
  /// Number of elements.
  index_t size() const noexcept { return value_.size(); }
  guardjit::storage const& storage() const& noexcept { return value_.storage(); }
  guardjit::device where() const noexcept { return value_.where(); }
  bool is_contiguous() const noexcept { return value_.is_contiguous(); }

  tensor_view<T const, Extents...> view() const noexcept { return value_.view(); }

  /// A frozen view: `w(1)`, `w(full_extent, range(0, 3))`.
  using detail::indexable<frozen<T, Extents...>, int{sizeof...(Extents)}>::operator();
  /// One element. Precondition: each index is in range.
  template <std::integral... Index>
    requires(sizeof...(Index) == sizeof...(Extents))
  T const& operator()(Index... index) const noexcept {
    return value_(index...);
  }

  /// The one element of rank 0.
  T item() const noexcept
    requires(sizeof...(Extents) == 0)
  {
    return value_.item();
  }
  explicit operator T() const noexcept
    requires(sizeof...(Extents) == 0)
  {
    return value_.item();
  }

  /// The same elements under other extents.
  /// Throws: `shape_error` where an extent is not the declared one.
  template <index_t... Other> frozen<T, Other...> as() const {
    if constexpr (std::is_same_v<frozen<T, Other...>, frozen>) return *this;
    else return frozen<T, Other...>(*this);
  }

  /// A row-major copy of the elements, which may be written.
  tensor<T, Extents...> clone() const { return value_.clone(); }

  /// The same elements, for functions that read tensors of any type: files, handlers of modes. An
  /// `any_tensor` does not know that it must not be written; who writes through this one breaks what
  /// compiled functions rely on.
  operator any_tensor() const noexcept { return any_tensor(value_); }

 private:
  template <element U, index_t... Other> friend class frozen;
  friend detail::frozen_access;
  explicit frozen(handle value) noexcept : value_(std::move(value)) {}

  handle value_;
};

namespace detail {

template <class Value> inline constexpr bool is_frozen_v = false;
template <class T, index_t... Extents> inline constexpr bool is_frozen_v<frozen<T, Extents...>> = true;

/// For the library's own reading of frozen tensors.
struct frozen_access {
  template <element T, index_t... Extents>
  static tensor<T, Extents...> const& tensor_of(frozen<T, Extents...> const& x) noexcept {
    return x.value_;
  }
  template <element T, index_t... Extents>
  static tensor<T, Extents...> tensor_of(frozen<T, Extents...>&& x) noexcept {
    return std::move(x.value_);
  }
  /// Precondition: nobody else has a handle that could write the elements.
  template <element T, index_t... Extents>
  static frozen<T, Extents...> from(tensor<T, Extents...> x) noexcept {
    return frozen<T, Extents...>(std::move(x));
  }
};

}  // namespace detail

/// The elements of `w`, never to be written again: a row-major copy, or these very elements where `w` is
/// the only handle of its storage, as in `freeze(std::move(w))` and `freeze(a * b)`. Elements of memory that
/// was adopted are written by nobody else either: that is the caller's duty.
/// Throws: `std::bad_alloc`; `mode_error` in a scope of `no_allocation`.
/// Complexity: a copy at most. Rules: G29.
template <element T, index_t... Extents> frozen<T, Extents...> freeze(tensor<T, Extents...> w) {
  if (w.storage() && !w.storage().unique()) w = w.clone();
  auto const layout = w.layout();
  T* const data = w.data();
  auto owner = std::move(w).storage();
  if (owner && !detail::frozen_memory::of(owner)) owner = detail::frozen_memory::wrap(std::move(owner));
  return detail::frozen_access::from(tensor<T, Extents...>::adopt(std::move(owner), data, layout));
}
/// The value of an expression.
template <evaluable E> auto freeze(E const& e) { return freeze(e.evaluate()); }
/// What is frozen already.
template <element T, index_t... Extents> frozen<T, Extents...> freeze(frozen<T, Extents...> w) {
  return w;
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
