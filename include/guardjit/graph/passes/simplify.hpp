// guardjit: graph/passes/simplify.hpp: ops that change nothing go, views are composed
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_GRAPH_PASSES_SIMPLIFY_HPP
#define GUARDJIT_GRAPH_PASSES_SIMPLIFY_HPP

#include <guardjit/graph/passes/fold.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

constexpr bool is_value(graph_builder const& g, int k, double wanted) {
  if (!is_splat(g, k)) return false;
  scalar_bits const v = splat_value(g, k);
  double const value = is_floating(g[k].type) ? v.as<double>() : static_cast<double>(v.as<std::int64_t>());
  return value == wanted && (wanted != 0 || scalar_bits::of(value).bits == scalar_bits::of(wanted).bits);
}

constexpr bool is_identity_order(attributes const& a, int rank) {
  for (int d = 0; d < rank; ++d)
    if (a.order[static_cast<unsigned>(d)] != d) return false;
  return true;
}

/// The operand that `n` equals bit by bit, or -1. A float sum with +0 stays: it changes -0.
constexpr int equal_operand(graph_builder const& g, node const& n, attributes const& extra) {
  int const a = n.in[0], b = n.in[1];
  bool const floating = is_floating(n.type);
  switch (n.id) {
    case op::mul:
      if (n.type == dtype::boolean) return -1;
      return is_value(g, b, 1) ? a : is_value(g, a, 1) ? b : -1;
    case op::div: return is_value(g, b, 1) ? a : -1;
    case op::add: {
      double const nothing = floating ? -0.0 : 0.0;
      return is_value(g, b, nothing) ? a : is_value(g, a, nothing) ? b : -1;
    }
    case op::sub: return is_value(g, b, 0) ? a : -1;
    case op::maximum:
    case op::minimum: return a == b ? a : -1;
    case op::where: return b == n.in[2] ? b : -1;
    case op::neg: return g[a].id == op::neg ? g[a].in[0] : -1;
    case op::relu: return g[a].id == op::relu ? a : -1;
    case op::to:
    case op::reshape:
    case op::expand: return a;
    case op::permute: return is_identity_order(extra, g.shape_of_form(n.form).rank) ? a : -1;
    case op::slice: return extra.start == 0 && extra.stop == slice_end && extra.step == 1 ? a : -1;
    default: return -1;
  }
}

}  // namespace detail

/// A node of `g` that gives the same bits as `n`, or -1; `n` may be changed to read further up.
constexpr int simplify(graph_builder& g, node& n, attributes& extra) {
  int const same = detail::equal_operand(g, n, extra);
  if (same >= 0 && g[same].type == n.type && g.shape_of(same) == g.shape_of_form(n.form)) return same;
  if (n.in[0] < 0) return -1;
  node const& below = g[n.in[0]];
  if (n.id == op::reshape && below.id == op::reshape) n.in[0] = below.in[0];
  if (n.id == op::permute && below.id == op::permute) {
    attributes const inner = g.attributes_of(n.in[0]);
    for (int d = 0; d < g.shape_of_form(n.form).rank; ++d) {
      auto& axis = extra.order[static_cast<unsigned>(d)];
      axis = inner.order[static_cast<unsigned>(axis)];
    }
    n.in[0] = below.in[0];
    n.attribute = g.add_attributes(extra);
    if (detail::is_identity_order(extra, g.shape_of_form(n.form).rank)) return n.in[0];
  }
  return -1;
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
