// guardjit: tests/support/loops.hpp: results by plain loops over indices
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_SUPPORT_LOOPS_HPP
#define GUARDJIT_TESTS_SUPPORT_LOOPS_HPP

#include "support/tensors.hpp"

namespace support {

template <class T, int... D> auto dynamic_tensor(std::integer_sequence<int, D...>) -> tensor<T, (static_cast<void>(D), dyn)...>;
/// A tensor of run-time extents only.
template <class T, int Rank> using dynamic_t = decltype(dynamic_tensor<T>(std::make_integer_sequence<int, Rank>{}));

template <int Rank> using index_of = std::array<index_t, Rank == 0 ? 1 : static_cast<unsigned>(Rank)>;

/// Calls `visit(index)` for all indices of a shape, row-major.
template <int Rank, class Visit> void for_each_index_of(guardjit::shape const& s, Visit const& visit) {
  index_of<Rank> index{};
  for (index_t k = 0; k < s.count(); ++k) {
    index_t rest = k;
    for (int d = Rank; d-- > 0;) {
      index[static_cast<unsigned>(d)] = rest % s[d];
      rest /= s[d];
    }
    visit(index);
  }
}

/// The element at an index, broadcast: missing axes and extents 1 are stretched.
template <class T, index_t... E, std::size_t Rank> T at(tensor<T, E...> const& x, std::array<index_t, Rank> const& index, int rank) {
  index_t offset = 0;
  for (int axis = 0; axis < x.rank(); ++axis)
    if (x.extent(axis) != 1) offset += index[static_cast<unsigned>(rank - x.rank() + axis)] * x.stride(axis);
  return x.data()[offset];
}

/// `f` of the broadcast elements, in shape `s`.
template <class R, int Rank, class F, class... X> dynamic_t<R, Rank> mapped(guardjit::shape const& s, F f, X const&... x) {
  index_of<Rank> extents{};
  for (int d = 0; d < Rank; ++d) extents[static_cast<unsigned>(d)] = s[d];
  auto y = dynamic_t<R, Rank>::uninitialized(extents);
  index_t k = 0;
  for_each_index_of<Rank>(s, [&](auto const& index) { y.data()[k++] = static_cast<R>(f(at(x, index, Rank)...)); });
  return y;
}

/// Sum, mean or largest element over one axis; `start` and `join` as for a fold.
template <class R, class T, index_t... E>
dynamic_t<R, sizeof...(E) - 1> folded(tensor<T, E...> const& x, int axis, double start, auto const& join, double scale = 1) {
  constexpr int rank = sizeof...(E);
  guardjit::shape s;
  for (int d = 0; d < rank; ++d)
    if (d != axis) s[s.rank++] = x.extent(d);
  std::vector<double> sums(static_cast<std::size_t>(s.count()), start);
  for_each_index_of<rank>(x.shape(), [&](auto const& index) {
    index_t to = 0;
    for (int d = 0; d < rank; ++d)
      if (d != axis) to = to * x.extent(d) + index[static_cast<unsigned>(d)];
    double& sum = sums[static_cast<std::size_t>(to)];
    sum = join(sum, static_cast<double>(at(x, index, rank)));
  });
  return mapped<R, rank - 1>(s, [&, k = index_t{0}]() mutable { return sums[static_cast<std::size_t>(k++)] * scale; });
}

}  // namespace support

#endif
