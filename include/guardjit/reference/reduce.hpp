// guardjit: reference/reduce.hpp: a reduction over a formula, one element at a time
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_REFERENCE_REDUCE_HPP
#define GUARDJIT_REFERENCE_REDUCE_HPP

#include <guardjit/reference/accumulate.hpp>
#include <guardjit/reference/elementwise.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// The accumulator of a reduction node of a formula.
template <class Formula, int Node = Formula::size - 1> using accumulator_of =
    accumulator<Formula::node(Node).id, element_t<Formula::node(Formula::node(Node).a).type>>;

/// Reduces a formula whose last node is its only reduction.
/// Rules: POL-5, POL-7, POL-9, N21.
template <class Formula, class Lanes = scalar_lanes<>>
void reference_reduce(reduce_nest<Formula::inputs + 1> const& nest, void* out,
                      void const* const* in) {
  constexpr int operand = detail::last_entry<Formula>::a;
  using totals = accumulator_of<Formula>;
  static_assert(std::is_same_v<typename totals::result_type, element_t<Formula::result().type>>,
                "guardjit: the dtype of a reduction follows from that of its operand");
  int const last = nest.inner.rank - 1;
  auto const line = static_cast<unsigned>(last < 0 ? 0 : last);
  index_t const length = last < 0 ? 1 : nest.inner.extents[line];
  auto const step = nest.inner.strides[line];
  for_each_step(nest.outer, [&](auto start) {
    totals total{};
    for_each_step(nest.inner, last < 0 ? 0 : last, [&](auto offsets) {
      for (unsigned k = 0; k <= Formula::inputs; ++k) offsets[k] += start[k];
      for (index_t i = 0; i < length; ++i) {
        total.add(evaluate_at<Formula, Lanes, operand>(in, offsets.data()).value);
        for (unsigned k = 0; k <= Formula::inputs; ++k) offsets[k] += step[k];
      }
    });
    store_element(out, start[0], total.result(nest.count));
  });
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
