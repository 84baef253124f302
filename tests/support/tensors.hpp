// guardjit: tests/support/tensors.hpp: tensors of known values in every layout, and their comparison
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_SUPPORT_TENSORS_HPP
#define GUARDJIT_TESTS_SUPPORT_TENSORS_HPP

#include <guardjit/tensor/tensor.hpp>
#include <guardjit/tensor/views.hpp>

#include <cstring>
#include <vector>

namespace support {

using guardjit::dyn;
using guardjit::index_t;
using guardjit::tensor;

/// The elements in order.
template <class T, index_t... E> std::vector<T> elements(tensor<T, E...> const& x) {
  tensor<T, E...> const packed = x.clone();
  return {packed.data(), packed.data() + packed.size()};
}

/// Fills the elements, in storage order of a row-major tensor, with first, first + step, …
template <class T, index_t... E> tensor<T, E...> counted(tensor<T, E...> x, double first = 1, double step = 1) {
  for (index_t k = 0; k < x.size(); ++k) {
    double const value = first + step * static_cast<double>(k);
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
      x.data()[k] = static_cast<T>(static_cast<std::int64_t>(value));  // u8 wraps
    else
      x.data()[k] = static_cast<T>(value);
  }
  return x;
}

/// f32 of rank 1, `first`, `first + 1`, …
inline tensor<float, dyn> vec(index_t n, double first = 1) { return counted(tensor<float, dyn>(n), first); }
/// f32 of rank 2, as above.
inline tensor<float, dyn, dyn> mat(index_t m, index_t n, double first = 1) {
  return counted(tensor<float, dyn, dyn>(m, n), first);
}

/// Another handle of the elements of `x`, under a layout of its own.
template <class T, index_t... E, std::size_t Rank = sizeof...(E)>
tensor<T, E...> viewed(tensor<T, E...> x, index_t offset, std::array<index_t, Rank> const& extents,
                       std::array<index_t, Rank> const& strides) {
  return tensor<T, E...>::adopt(x.storage(), x.data() + offset, guardjit::layout<static_cast<int>(Rank)>(extents, strides));
}

/// A matrix seen with rows and columns exchanged.
template <class T> tensor<T, dyn, dyn> transposed(tensor<T, dyn, dyn> const& x) {
  return viewed(x, 0, {x.extent(1), x.extent(0)}, {x.stride(1), x.stride(0)});
}

/// How the elements of a test tensor lie in memory.
enum class how { contiguous, padded, every_second, transposed, reversed, shifted, expanded };
inline constexpr how all_layouts[] = {how::contiguous, how::padded,  how::every_second, how::transposed,
                                      how::reversed,   how::shifted, how::expanded};
inline char const* name_of(how l) {
  constexpr char const* names[] = {"contiguous", "padded", "every second", "transposed", "reversed", "shifted", "expanded"};
  return names[static_cast<int>(l)];
}

/// A tensor of the given extents in the given layout; its elements are small and differ.
/// `expanded`: axis 0 is stretched by stride 0.
template <class T, index_t... E>
tensor<T, E...> laid_out(how l, std::array<index_t, sizeof...(E)> const& extents, double first = 0.5, double step = 0.25) {
  constexpr unsigned rank = sizeof...(E);
  typename guardjit::layout<static_cast<int>(rank)>::values sizes{}, strides{};
  for (unsigned d = 0; d < rank; ++d) sizes[d] = extents[d];
  index_t count = 1, offset = l == how::shifted ? 1 : 0;
  for (unsigned i = rank; i-- > 0;) {
    unsigned const d = l == how::transposed ? rank - 1 - i : i;
    bool const last = i == rank - 1;
    strides[d] = count * (l == how::every_second && last ? 2 : 1);
    count = strides[d] * extents[d] + (l == how::padded && last ? 3 : 0);
  }
  if (l == how::reversed)
    for (unsigned d = 0; d < rank; ++d) {
      offset += (extents[d] == 0 ? 0 : extents[d] - 1) * strides[d];
      strides[d] = -strides[d];
    }
  if (rank > 0 && l == how::expanded) strides[0] = 0;
  tensor<T, dyn> owner = counted(tensor<T, dyn>(count + 8), first, step);
  return tensor<T, E...>::adopt(owner.storage(), owner.data() + offset, guardjit::layout<static_cast<int>(rank)>(sizes, strides));
}

/// Whether both have one shape and the same bits.
template <class T, index_t... A, index_t... B> bool same_bits(tensor<T, A...> const& a, tensor<T, B...> const& b) {
  if (!(a.shape() == b.shape())) return false;
  tensor<T, A...> const x = a.clone();
  tensor<T, B...> const y = b.clone();
  return x.size() == 0 || std::memcmp(x.data(), y.data(), static_cast<std::size_t>(x.size()) * sizeof(T)) == 0;
}

/// Whether both have one shape, and values of which none differs by more than `tolerance`, relative
/// to 1 + its size.
template <class T, index_t... A, index_t... B>
bool near(tensor<T, A...> const& a, tensor<T, B...> const& b, double tolerance = 1e-5) {
  if (!(a.shape() == b.shape())) return false;
  tensor<T, A...> const x = a.clone();
  tensor<T, B...> const y = b.clone();
  for (index_t k = 0; k < x.size(); ++k) {
    double const p = static_cast<double>(x.data()[k]), q = static_cast<double>(y.data()[k]);
    double const difference = p < q ? q - p : p - q, size = p < 0 ? -p : p;
    if (!(difference <= tolerance * (1 + size)) && !(p != p && q != q)) return false;
  }
  return true;
}

}  // namespace support

#endif
