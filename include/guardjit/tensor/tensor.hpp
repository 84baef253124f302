// guardjit: tensor/tensor.hpp: a shared handle to elements of a known type
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TENSOR_TENSOR_HPP
#define GUARDJIT_TENSOR_TENSOR_HPP

#include <guardjit/tensor/copy_elements.hpp>
#include <guardjit/tensor/indexable.hpp>
#include <guardjit/tensor/operators.hpp>
#include <guardjit/tensor/storage.hpp>
#include <guardjit/tensor/tensor_view.hpp>

#include <initializer_list>  // nested braces

namespace guardjit::inline GUARDJIT_ABI {

class any_tensor;

namespace detail {
template <class T> using list1 = std::initializer_list<T>;
template <class T> using list2 = std::initializer_list<list1<T>>;
template <class T> using list3 = std::initializer_list<list2<T>>;

/// Extents of nested braces, from the first of each level.
template <class Item>
constexpr void list_extents(std::initializer_list<Item> list, index_t* extents) {
  *extents = static_cast<index_t>(list.size());
  if constexpr (requires(Item item) { item.begin(); })
    if (list.size() != 0) list_extents(*list.begin(), extents + 1);
}

/// Writes nested braces in order and moves `to` to their end; false where an extent differs.
template <class T, class Item>
constexpr bool fill_from_list(std::initializer_list<Item> list, index_t const* extents, T*& to) {
  if (static_cast<index_t>(list.size()) != *extents) return false;
  for (Item const& item : list)
    if constexpr (std::is_same_v<T, Item>) *to++ = item;
    else if (!fill_from_list(item, extents + 1, to)) return false;
  return true;
}

[[noreturn, gnu::cold, gnu::noinline]] inline void raise_extent_mismatch(
    char const* what, shape const& declared, shape const& actual, int dim) {
  raise<shape_error>(fixed_text{} << "guardjit: " << what << ": dimension " << dim << " has extent "
                                  << actual[dim] << ", expected " << declared[dim] << "; shape "
                                  << actual << ", expected " << declared);
}
}  // namespace detail

/// What evaluates to a tensor, `E::result_type`: an expression of a later layer.
template <class E>
concept evaluable = requires {
  typename E::result_type;
  typename E::has_tensor_operators;
};

/// Shared handle to elements of type `T`; an extent is a number or `dyn`.
///
/// A copy shares the elements, `clone()` copies them. A const tensor gives const elements. A
/// moved-from tensor may only be assigned to or destroyed.
/// Lifetime: keeps its storage alive, views included.
/// Rules: N3, N4, N6, N50, N56.
template <element T, index_t... Extents> class tensor
    : public tensor_operators<tensor<T, Extents...>>,
      public in_place_operators<tensor<T, Extents...>>,
      public detail::indexable<tensor<T, Extents...>, int{sizeof...(Extents)}> {
  static_assert(std::is_same_v<T, std::remove_cv_t<T>>,
                "guardjit: tensor<T, Extents...>: T is not const");
  static_assert(detail::extents_are_valid<Extents...>,
                "guardjit: tensor<T, Extents...>: at most 8 extents, each >= 0 or dyn");
  static constexpr int rank_ = static_cast<int>(sizeof...(Extents));
  static constexpr int dynamic_ = detail::dynamic_count<Extents...>;

 public:
  using element_type = T;
  using layout_type = guardjit::layout<rank_>;
  /// All extents, in order (one slot where the rank is 0).
  using extents_type = typename layout_type::values;

  static constexpr int rank() { return rank_; }
  /// `dyn` where known at run time only.
  static constexpr index_t static_extent(int dim) { return static_shape()[dim]; }
  static constexpr guardjit::shape static_shape() {
    return detail::make_static_shape<Extents...>();
  }
  static constexpr guardjit::dtype type() { return dtype_v<T>; }

  /// Zeros; run-time extents are 0.
  tensor() : tensor(zeroed(extents_of(nullptr))) {}

  /// Zeros, with one extent for each `dyn`, in order: `tensor<float, dyn, 784> x(64)`.
  /// Throws: `shape_error` where an extent is negative or the bytes exceed 2⁶³−1.
  template <std::integral... RunTimeExtents>
    requires(dynamic_ > 0 && sizeof...(RunTimeExtents) == dynamic_)
  explicit tensor(RunTimeExtents... extents) {
    index_t const given[] = {static_cast<index_t>(extents)...};
    *this = zeroed(extents_of(given));
  }

  /// The elements in nested braces: `tensor<float, dyn, dyn> x{{1, 2}, {3, 4}}`.
  /// Throws: `shape_error` where the braces are ragged or miss a static extent.
  tensor(detail::list1<T> elements)
    requires(rank_ == 1)
      : tensor(listed(elements)) {}
  tensor(detail::list2<T> elements)
    requires(rank_ == 2)
      : tensor(listed(elements)) {}
  tensor(detail::list3<T> elements)
    requires(rank_ == 3)
      : tensor(listed(elements)) {}

  /// The one element of rank 0.
  explicit tensor(T value)
    requires(rank_ == 0)
      : tensor(uninitialized(extents_type{})) {
    *data_ = value;
  }

  /// The same elements under other extents; explicit where an extent must be checked.
  /// Throws: `shape_error` where a run-time extent is not the declared one.
  template <index_t... Other>
    requires(sizeof...(Other) == sizeof...(Extents) &&
             ((Extents == Other || Extents == dyn || Other == dyn) && ... && true) &&
             !std::is_same_v<tensor<T, Other...>, tensor>)
  explicit(!((Extents == dyn || Extents == Other) && ... && true)) tensor(tensor<T, Other...> other)
      : tensor(adopt(std::move(other.storage_), other.data_, other.layout_)) {
    check_extents(layout_.view().extents);
  }

  /// The value of an expression; explicit where an extent must be checked.
  /// Throws: as its evaluation, and as above.
  template <evaluable E>
    requires(std::is_constructible_v<tensor, typename E::result_type>)
  explicit(!std::is_convertible_v<typename E::result_type, tensor>) tensor(E const& e)
      : tensor(e.evaluate()) {}

  tensor(tensor const&) noexcept = default;
  tensor(tensor&&) noexcept = default;
  tensor& operator=(tensor const&) & noexcept = default;
  tensor& operator=(tensor&&) & noexcept = default;
  ~tensor() = default;

  /// Gives this handle the value of an expression; other handles keep the elements they had. Where
  /// this and a temporary expression have the only handles and the shape stays, the elements are
  /// written where they lie.
  /// Throws: as evaluation; this handle then keeps its elements.
  /// Rules: N52, POL-12.
  template <class E>
    requires(evaluable<std::remove_cvref_t<E>> &&
             std::is_convertible_v<typename std::remove_cvref_t<E>::result_type, tensor>)
  tensor& operator=(E&& e) & {
    // Who keeps an expression may evaluate it again, and then reads what it read before.
    assign_value(*this, e, !std::is_lvalue_reference_v<E>);
    return *this;
  }
  /// Writes a tensor, an expression or a scalar into the elements of a view, which all handles see:
  /// `slice(x, 0, 1) = y`. The right side is broadcast and comes first.
  /// Requires: the dtype of this tensor, or a scalar that promotes to it.
  /// Throws: as evaluation; `shape_error`; `overlap_error` where this has one element at two indices.
  /// Rules: N53, POL-12, POL-13.
  template <detail::operator_side Value>
  void operator=(Value const& value) && {
    write_value(this->view(), value);
  }

  /// Row-major elements that are not set. All extents are given, the static ones too.
  /// Throws: `shape_error` where an extent is not the declared one, negative or too large.
  static tensor uninitialized(extents_type const& extents, guardjit::device where = {}) {
    check_extents(extents.data());
    index_t const bytes = detail::checked_bytes(rank_, extents.data(), static_cast<int>(sizeof(T)));
    if (bytes < 0) byte_count(any_shape(extents.data()), type());  // raises the error in words
    return allocated(layout_type(extents), bytes, where);
  }

  /// As above, for a layout at hand. Precondition: row-major, with the static extents.
  static tensor uninitialized(layout_type const& l, guardjit::device where = {}) {
    GUARDJIT_ASSERT(guardjit::is_contiguous(l.view()));
    return allocated(l, l.view().count() * static_cast<index_t>(sizeof(T)), where);
  }

  /// A copy of row-major elements. All extents are given, the static ones too.
  /// Throws: as `uninitialized`.
  static tensor from_data(T const* data, extents_type const& extents) {
    tensor x = uninitialized(extents);
    copy_elements(x.layout_.view(), data, x.data_);
    return x;
  }

  /// A row-major copy of elements of any layout.
  /// Throws: as `uninitialized`.
  static tensor from_data(T const* data, layout_type const& l) {
    extents_type extents{};
    for (int d = 0; d < rank_; ++d) extents[static_cast<unsigned>(d)] = l.extent(d);
    tensor x = uninitialized(extents);
    copy_elements(l.view(), data, x.data_);
    return x;
  }

  /// A tensor of elements at hand, which `owner` keeps alive.
  /// Precondition: `l` has the static extents and stays inside the storage.
  static tensor adopt(guardjit::storage owner, T* data, layout_type const& l) noexcept {
    return tensor(std::move(owner), data, l);
  }

  T* data() noexcept { return data_; }
  T const* data() const noexcept { return data_; }
  layout_type const& layout() const noexcept { return layout_; }
  index_t extent(int dim) const noexcept { return layout_.extent(dim); }
  index_t stride(int dim) const noexcept { return layout_.stride(dim); }
  guardjit::shape shape() const noexcept { return layout_.view().shape(); }
  /// Number of elements.
  index_t size() const noexcept { return layout_.view().count(); }
  guardjit::storage const& storage() const& noexcept { return storage_; }
  guardjit::storage storage() && noexcept { return std::move(storage_); }
  guardjit::device where() const noexcept { return storage_.where(); }
  bool is_contiguous() const noexcept { return guardjit::is_contiguous(layout_.view()); }

  tensor_view<T, Extents...> view() noexcept { return {data_, layout_}; }
  tensor_view<T const, Extents...> view() const noexcept { return {data_, layout_}; }

  /// A view: `x(1)`, `x(full_extent, range(0, 3))`.
  using detail::indexable<tensor<T, Extents...>, int{sizeof...(Extents)}>::operator();
  /// One element. Precondition: each index is in range.
  template <std::integral... Index>
    requires(sizeof...(Index) == sizeof...(Extents))
  T& operator()(Index... index) noexcept {
    return data_[detail::offset_of(layout_, index...)];
  }
  template <std::integral... Index>
    requires(sizeof...(Index) == sizeof...(Extents))
  T const& operator()(Index... index) const noexcept {
    return data_[detail::offset_of(layout_, index...)];
  }

  /// The one element of rank 0.
  T item() const noexcept
    requires(rank_ == 0)
  {
    return *data_;
  }
  explicit operator T() const noexcept
    requires(rank_ == 0)
  {
    return *data_;
  }

  /// The same elements under other extents.
  /// Throws: `shape_error` where an extent is not the declared one.
  template <index_t... Other> tensor<T, Other...> as() const {
    if constexpr (std::is_same_v<tensor<T, Other...>, tensor>) return *this;
    else return tensor<T, Other...>(*this);
  }

  /// A row-major copy of the elements in storage of its own.
  tensor clone() const { return from_data(data_, layout_); }

 private:
  template <element U, index_t... Other> friend class tensor;
  friend class any_tensor;

  tensor(guardjit::storage&& owner, T* data, layout_type const& l) noexcept
      : storage_(std::move(owner)), data_(data), layout_(l) {}

  static tensor allocated(layout_type const& l, index_t bytes, guardjit::device where) {
    auto owner = guardjit::storage::allocate(bytes, where);
    auto* data = static_cast<T*>(owner.data());
    return tensor(std::move(owner), data, l);
  }
  static tensor zeroed(extents_type const& extents) {
    tensor x = uninitialized(extents);
    if (x.data_) __builtin_memset(x.data_, 0, static_cast<std::size_t>(x.size()) * sizeof(T));
    return x;
  }
  static constexpr extents_type extents_of(index_t const* run_time) {
    index_t const zeros[max_rank]{};
    return detail::fill_extents<Extents...>(run_time ? run_time : zeros);
  }
  static constexpr guardjit::shape any_shape(index_t const* extents) {
    return layout_view{rank_, extents, nullptr, 0}.shape();
  }
  static void check_extents(index_t const* extents) {
    if (int const bad = detail::mismatched_extent<Extents...>(extents); bad >= 0)
      detail::raise_extent_mismatch("tensor", static_shape(), any_shape(extents), bad);
  }
  static tensor listed(auto elements) {
    extents_type extents{};
    detail::list_extents(elements, extents.data());
    tensor x = uninitialized(extents);
    T* to = x.data_;
    if (!detail::fill_from_list(elements, extents.data(), to))
      raise<shape_error>(fixed_text{} << "guardjit: tensor: nested braces of unequal length, "
                                      << "expected shape " << x.shape()
                                      << " from the first of each level");
    return x;
  }

  guardjit::storage storage_;
  T* data_ = nullptr;
  layout_type layout_;
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
