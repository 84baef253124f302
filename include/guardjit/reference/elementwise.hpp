// guardjit: reference/elementwise.hpp: a formula at every step of its loops, one element at a time
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_REFERENCE_ELEMENTWISE_HPP
#define GUARDJIT_REFERENCE_ELEMENTWISE_HPP

#include <guardjit/reference/element.hpp>
#include <guardjit/reference/formula.hpp>
#include <guardjit/reference/loop_nest.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// The value of node `Target` where input slot k stands at element `offsets[k + 1]` of its array.
template <class Formula, class Lanes, int Target = Formula::size - 1>
GUARDJIT_HD inline auto evaluate_at(void const* const* in, index_t const* offsets) {
  return evaluate_formula<Formula, Lanes, Target>([&]<int Node>(std::integral_constant<int, Node>) {
    using n = detail::formula_entry<Formula, Node>;
    static_assert(n::id == op::input, "guardjit: a reduction inside an elementwise formula");
    using lane_type = typename Lanes::template lane_for<n::type>;
    return lane_type{load_element<element_t<n::type>>(in[n::a], offsets[n::a + 1])};
  });
}

/// Evaluates a formula without reductions at every step. The result may be the array of an input
/// that is walked in the same way.
/// Rules: POL-17 (the oracle of the other backends).
template <class Formula, class Lanes = scalar_lanes<>>
void reference_elementwise(loop_nest<Formula::inputs + 1> const& nest, void* out,
                           void const* const* in) {
  for_each_step(nest, [&](auto const& offsets) {
    store_element(out, offsets[0], evaluate_at<Formula, Lanes>(in, offsets.data()).value);
  });
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
