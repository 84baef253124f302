// guardjit: tensor/any_tensor.hpp: a tensor whose dtype and rank are known at run time
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TENSOR_ANY_TENSOR_HPP
#define GUARDJIT_TENSOR_ANY_TENSOR_HPP

#include <guardjit/tensor/tensor.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// Shared handle to elements whose dtype, rank and device are known at run time: the type at
/// boundaries, and the one that handlers see.
///
/// A copy shares the elements, `clone()` copies them. A moved-from handle may only be assigned to or
/// destroyed.
/// Lifetime: keeps its storage alive, views included.
class GUARDJIT_VISIBLE any_tensor : public tensor_operators<any_tensor>,
                                    public in_place_operators<any_tensor>,
                                    public detail::indexable<any_tensor> {
 public:
  /// No tensor; false as a condition.
  any_tensor() noexcept = default;
  any_tensor(any_tensor const&) noexcept = default;
  any_tensor(any_tensor&&) noexcept = default;
  // To handles with a name alone: `a(1) = b` would be lost with the view.
  any_tensor& operator=(any_tensor const&) & noexcept = default;
  any_tensor& operator=(any_tensor&&) & noexcept = default;
  ~any_tensor() = default;

  /// The same elements.
  template <element T, index_t... Extents>
  any_tensor(tensor<T, Extents...> x) noexcept
      : any_tensor(std::move(x.storage_), x.data_, dtype_v<T>, any_layout(x.layout_.view()), {}) {
    is_.where = storage_.where();
  }

  /// The value of an expression.
  /// Throws: as its evaluation.
  template <evaluable E> any_tensor(E const& e) : any_tensor(e.evaluate()) {}

  /// Zeros.
  /// Throws: `shape_error` where an extent is negative or the bytes exceed 2⁶³−1; `device_error`.
  explicit any_tensor(dtype type, guardjit::shape const& extents, device where = {})
      : any_tensor(uninitialized(type, extents, where)) {
    if (data_) __builtin_memset(data_, 0, static_cast<std::size_t>(storage_.bytes()));
  }

  /// Row-major elements that are not set.
  /// Throws: as the constructor.
  static any_tensor uninitialized(dtype type, guardjit::shape const& extents, device where = {}) {
    auto owner = guardjit::storage::allocate(byte_count(extents, type), where);
    auto* data = owner.data();
    return any_tensor(std::move(owner), data, type, any_layout(extents), where);
  }

  /// A tensor of elements at hand, which `owner` keeps alive.
  /// Precondition: `l` stays inside the storage.
  static any_tensor adopt(guardjit::storage owner, void* data, dtype type, any_layout const& l,
                          device where = {}) noexcept {
    return any_tensor(std::move(owner), data, type, l, where);
  }

  explicit operator bool() const noexcept { return is_.present; }
  dtype type() const noexcept { return is_.type; }
  int rank() const noexcept { return layout_.rank(); }
  index_t extent(int dim) const noexcept { return layout_.extent(dim); }
  index_t stride(int dim) const noexcept { return layout_.stride(dim); }
  guardjit::shape const& shape() const noexcept { return layout_.shape(); }
  any_layout const& layout() const noexcept { return layout_; }
  /// Number of elements; 0 where there is no tensor.
  index_t size() const noexcept { return is_.present ? layout_.shape().count() : 0; }
  void* data() noexcept { return data_; }
  void const* data() const noexcept { return data_; }
  guardjit::storage const& storage() const noexcept { return storage_; }
  device where() const noexcept { return is_.where; }
  /// Whether it is a tensor of a dtype in host memory.
  bool is_on_host_of(dtype type) const noexcept {
    constexpr nature all{dtype{0xFF}, true, {device_kind{0xFF}, 0}};
    constexpr auto asked = __builtin_bit_cast(std::uint32_t, all);
    return (__builtin_bit_cast(std::uint32_t, is_) & asked) ==
           __builtin_bit_cast(std::uint32_t, nature{type, true, {}});
  }
  bool is_contiguous() const noexcept { return guardjit::is_contiguous(layout_.view()); }

  /// The same elements as a typed tensor: `a.as<float, dyn, 784>()`.
  /// Throws: `dtype_error`; `shape_error` where rank or extent is not the declared one.
  template <element T, index_t... Extents> tensor<T, Extents...> as() const {
    using result = tensor<T, Extents...>;
    check_type("as", dtype_v<T>);
    if (rank() != result::rank()) raise_rank_mismatch(result::static_shape());
    auto const v = layout_.view();
    if (int const bad = detail::mismatched_extent<Extents...>(v.extents); bad >= 0)
      detail::raise_extent_mismatch("as(a)", result::static_shape(), shape(), bad);
    return result::adopt(storage_, static_cast<T*>(data_), result::layout_type::of(v));
  }

  /// The elements as `T`.
  /// Throws: `dtype_error` where the dtype is another one.
  template <element T> T const* data_as() const {
    check_type("data_as", dtype_v<T>);
    return static_cast<T const*>(data_);
  }
  template <element T> T* data_as() {
    check_type("data_as", dtype_v<T>);
    return static_cast<T*>(data_);
  }

  /// The one element.
  /// Throws: `dtype_error` where the dtype is another one; `shape_error` where there is not one.
  template <element T> T item() const {
    check_type("item", dtype_v<T>);
    if (size() != 1)
      raise<shape_error>(fixed_text{} << "guardjit: item(a): shape " << shape() << " has " << size()
                                      << " elements, expected 1");
    return *static_cast<T const*>(data_);
  }

  /// A row-major copy of the elements in storage of its own.
  any_tensor clone() const {
    if (!is_.present) return {};
    any_tensor x = uninitialized(is_.type, shape(), is_.where);
    copy_elements(size_of(is_.type), x.layout_.view(), x.data_, layout_.view(), data_);
    return x;
  }

 private:
  any_tensor(guardjit::storage&& owner, void* data, dtype type, any_layout const& l,
             device where) noexcept
      : storage_(std::move(owner)),
        data_(data),
        layout_(l),
        is_{type, true, where} {}

  void check_type(char const* op, dtype expected) const {
    if (!is_.present || is_.type != expected) raise_type_mismatch(op, expected);
  }
  [[noreturn, gnu::cold, gnu::noinline]] void raise_type_mismatch(char const* op,
                                                                  dtype expected) const {
    raise<dtype_error>(fixed_text{} << "guardjit: " << op << "(a): dtype "
                                    << (is_.present ? name_of(is_.type) : "of no tensor") << ", expected "
                                    << name_of(expected));
  }
  [[noreturn, gnu::cold, gnu::noinline]] void raise_rank_mismatch(
      guardjit::shape const& expected) const {
    raise<shape_error>(fixed_text{} << "guardjit: as(a): rank " << rank() << ", expected "
                                    << expected.rank << "; shape " << shape() << ", expected "
                                    << expected);
  }

  guardjit::storage storage_;
  void* data_ = nullptr;
  any_layout layout_;
  /// Together, so that one compare tells that it is a tensor of some dtype in host memory.
  struct nature {
    dtype type = dtype::boolean;
    bool present = false;
    device where{};
  };
  nature is_;
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
