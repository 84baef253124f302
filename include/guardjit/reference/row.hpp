// guardjit: reference/row.hpp: a row formula, one element at a time
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_REFERENCE_ROW_HPP
#define GUARDJIT_REFERENCE_ROW_HPP

#include <guardjit/ops/attributes.hpp>
#include <guardjit/reference/reduce.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Results of the reductions of a row formula, one value of its own dtype a node.
template <class Formula, int Node> struct row_value {
  lane<element_t<Formula::node(Node).type>> value{};
};
template <class Formula, class = std::make_integer_sequence<int, Formula::size>> struct row_values;
template <class Formula, int... Node>
struct row_values<Formula, std::integer_sequence<int, Node...>> : row_value<Formula, Node>... {};

/// One row: `start` has the offsets of its first element in the result and in each slot.
template <class Formula, class Lanes> struct reference_row {
  using values_type = row_values<Formula>;

  template <int Target>
  GUARDJIT_HD static auto element_at(void const* const* in, index_t const* start,
                                     index_t const* step, index_t i, values_type const& reduced) {
    return evaluate_formula<Formula, Lanes, Target>(
        [&]<int Node>(std::integral_constant<int, Node>) {
          using n = formula_entry<Formula, Node>;
          using lane_type = typename Lanes::template lane_for<n::type>;
          if constexpr (n::id == op::input)
            return lane_type{
                load_element<element_t<n::type>>(in[n::a], start[n::a + 1] + i * step[n::a + 1])};
          else return lane_type{static_cast<row_value<Formula, Node> const&>(reduced).value.value};
        });
  }

  template <int Node> GUARDJIT_HD static int reduce_node(void const* const* in,
                                                         index_t const* start, index_t const* step,
                                                         index_t length, values_type& reduced) {
    using n = formula_entry<Formula, Node>;
    if constexpr (n::reduction) {
      accumulator_of<Formula, Node> total{};
      for (index_t i = 0; i < length; ++i)
        total.add(element_at<n::a>(in, start, step, i, reduced).value);
      static_cast<row_value<Formula, Node>&>(reduced).value.value =
          total.result(n::id == op::mean ? mean_divisor(length, n::b) : length);
    }
    return 0;
  }

  template <int... Node> GUARDJIT_HD static void run(void* out, void const* const* in,
                                                     index_t const* start, index_t const* step,
                                                     index_t length, index_t results,
                                                     std::integer_sequence<int, Node...>) {
    values_type reduced{};
    [[maybe_unused]] int const order[] = {reduce_node<Node>(in, start, step, length, reduced)...};
    for (index_t i = 0; i < results; ++i)
      store_element(out, start[0] + i * step[0],
                    element_at<Formula::size - 1>(in, start, step, i, reduced).value);
  }
};

}  // namespace detail

/// Evaluates a row formula: each reduction walks the row and computes what it needs anew. The
/// result may be the array of an input only if no reduction follows the first write, which holds.
template <class Formula, class Lanes = scalar_lanes<>>
void reference_rows(row_nest<Formula::inputs + 1> const& nest, void* out, void const* const* in) {
  for_each_step(nest.rows, [&](auto const& start) {
    detail::reference_row<Formula, Lanes>::run(out, in, start.data(), nest.step.data(), nest.length,
                                               nest.results(),
                                               std::make_integer_sequence<int, Formula::size>{});
  });
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
