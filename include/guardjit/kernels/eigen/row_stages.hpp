// guardjit: kernels/eigen/row_stages.hpp: what a row formula computes in which pass over the row
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_KERNELS_EIGEN_ROW_STAGES_HPP
#define GUARDJIT_KERNELS_EIGEN_ROW_STAGES_HPP

#include <guardjit/kernels/eigen/fold.hpp>
#include <guardjit/kernels/eigen/lanes.hpp>

#include <array>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// From this cost of its op on, a value that two passes need is kept and not computed again.
inline constexpr int kept_cost = 6;

/// How many registers the packets may take that one pass folds: half of them.
inline constexpr int fold_registers = EIGEN_ARCH_DEFAULT_NUMBER_OF_REGISTERS / 2;

/// In which pass each reduction of a row formula is folded: the first that comes after the passes it
/// needs results of and has room. So reductions that do not need each other share a pass.
template <class Formula> struct row_passes {
  struct table {
    int count = 0;                ///< passes that fold; one more makes the result
    int before[Formula::size]{};  ///< how many of them must have run before a node is computed
    /// The pass that folds a reduction.
    constexpr int of(int reduction) const { return before[reduction] - 1; }
  };
  static constexpr int registers_of(int reduction) {
    auto const n = Formula::node(reduction);
    bool const is_wide = n.id == op::mean && n.type == dtype::f32;
    return fold_side_by_side * (is_wide ? 2 : 1);
  }
  static constexpr table value = [] {
    table t{};
    int taken[Formula::size + 1]{};
    for (int k = 0; k < Formula::size; ++k) {
      auto const n = Formula::node(k);
      if (n.id == op::constant || n.id == op::input) continue;
      int const in[] = {n.a, n.b, n.c};
      int pass = 0;
      for (int i = 0; i < info_of(n.id).arity; ++i)
        if (t.before[in[i]] > pass) pass = t.before[in[i]];
      t.before[k] = pass;
      if (!is_reduction(n.id)) continue;
      while (taken[pass] > 0 && taken[pass] + registers_of(k) > fold_registers) ++pass;
      taken[pass] += registers_of(k);
      t.before[k] = pass + 1;
      if (t.count <= pass) t.count = pass + 1;
    }
    return t;
  }();
  static constexpr bool folds(int pass, int node) {
    return is_reduction(Formula::node(node).id) && value.of(node) == pass;
  }
};

/// The reductions that pass `Pass` folds, in their order.
template <class Formula, int Pass> struct pass_reductions {
  static constexpr int count = [] {
    int n = 0;
    for (int k = 0; k < Formula::size; ++k) n += row_passes<Formula>::folds(Pass, k) ? 1 : 0;
    return n;
  }();
  static constexpr auto nodes = [] {
    std::array<int, static_cast<unsigned>(count)> list{};
    unsigned n = 0;
    for (int k = 0; k < Formula::size; ++k)
      if (row_passes<Formula>::folds(Pass, k)) list[n++] = k;
    return list;
  }();
};

/// Which values of a row formula are the same for a whole row and computed once: those between
/// reductions and what is computed for each element.
template <class Formula> struct row_constants {
  struct table {
    bool per_row[Formula::size]{};  ///< made of reductions, constants and slots with one value a row
    bool once[Formula::size]{};     ///< of these, what others read
  };
  static constexpr bool is_per_row(table const& t, int k) {
    auto const n = Formula::node(k);
    if (n.id == op::constant || is_reduction(n.id)) return true;
    if (n.id == op::input) return n.b == 1;
    int const arity = info_of(n.id).arity;
    return t.per_row[n.a] && (arity < 2 || t.per_row[n.b]) && (arity < 3 || t.per_row[n.c]);
  }
  static constexpr table value = [] {
    table t{};
    for (int k = 0; k < Formula::size; ++k) {
      auto const n = Formula::node(k);
      t.per_row[k] = is_per_row(t, k);
      if (t.per_row[k] || !(is_elementwise(n.id) || is_reduction(n.id))) continue;
      int const in[] = {n.a, n.b, n.c};
      for (int i = 0; i < info_of(n.id).arity; ++i) {
        auto const read = Formula::node(in[i]);
        if (t.per_row[in[i]] && is_elementwise(read.id) && read.type == packet_type<Formula>)
          t.once[in[i]] = true;
      }
    }
    return t;
  }();
};

/// Which values of a row formula are kept from one pass for later ones: none where `Keeps` is false.
template <class Formula, bool Keeps = true> struct row_stages {
  static constexpr auto& passes = row_passes<Formula>::value;
  struct table {
    int count = 0;               ///< values that are kept
    int place[Formula::size]{};  ///< 1 + which row of the buffer, 0: not kept
    int stage[Formula::size]{};  ///< the pass that computes it
    bool inputs_after = false;   ///< whether inputs are read after the first value was kept
    constexpr bool kept_before(int pass, int node) const {
      return place[node] != 0 && stage[node] < pass;
    }
  };
  /// Whether a pass ends in the node: an operand of its reductions, or the result.
  static constexpr bool is_wanted(int pass, int node) {
    if (pass == passes.count) return node == Formula::size - 1;
    for (int k = node + 1; k < Formula::size; ++k)
      if (row_passes<Formula>::folds(pass, k) && Formula::node(k).a == node) return true;
    return false;
  }
  /// The nodes that a pass computes for each element, or reads, when it stops at reductions, at what a
  /// row has one of, and at values kept before it.
  static constexpr void visit(table const& t, int pass, bool (&seen)[Formula::size]) {
    for (int k = Formula::size - 1; k >= 0; --k) {
      auto const n = Formula::node(k);
      seen[k] = (seen[k] || is_wanted(pass, k)) && !row_constants<Formula>::value.per_row[k];
      if (!seen[k] || leaves<Formula>::given(k) || t.kept_before(pass, k)) continue;
      int const arity = info_of(n.id).arity;
      if (arity > 0) seen[n.a] = true;
      if (arity > 1) seen[n.b] = true;
      if (arity > 2) seen[n.c] = true;
    }
  }
  static constexpr table value = [] {
    table t{};
    if (!Keeps) return t;
    for (int k = 0; k < Formula::size; ++k) {
      auto const n = Formula::node(k);
      if (n.type != packet_type<Formula> || !is_elementwise(n.id) || info_of(n.id).cost < kept_cost)
        continue;
      int uses = 0;
      for (int pass = 0; pass <= passes.count; ++pass) {
        bool seen[Formula::size]{};
        visit(t, pass, seen);
        if (seen[k] && uses++ == 0) t.stage[k] = pass;
      }
      if (uses > 1) t.place[k] = ++t.count;
    }
    int first = passes.count;
    for (int k = 0; k < Formula::size; ++k)
      if (t.place[k] != 0 && t.stage[k] < first) first = t.stage[k];
    for (int pass = first + 1; pass <= passes.count; ++pass) {
      bool seen[Formula::size]{};
      visit(t, pass, seen);
      for (int k = 0; k < Formula::size; ++k)
        t.inputs_after = t.inputs_after || (seen[k] && Formula::node(k).id == op::input);
    }
    return t;
  }();
};

/// What pass `Pass` takes from outside, and what it ends in.
template <class Formula, int Pass, bool Keeps = true> struct pass_leaves {
  static constexpr bool given(int node) {
    return leaves<Formula>::given(node) || row_constants<Formula>::value.once[node] ||
           row_stages<Formula, Keeps>::value.kept_before(Pass, node);
  }
  static constexpr bool wanted(int node) { return row_stages<Formula, Keeps>::is_wanted(Pass, node); }
};

/// What the value `Once`, of which a row has one, is computed from.
template <class Formula, int Once> struct once_leaves {
  static constexpr bool given(int node) {
    return leaves<Formula>::given(node) ||
           (node < Once && row_constants<Formula>::value.once[node]);
  }
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
