// guardjit: compile/binder.hpp: where the nodes of a graph lie in a call, while a plan is made
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_BINDER_HPP
#define GUARDJIT_COMPILE_BINDER_HPP

#include <guardjit/compile/bound_call.hpp>
#include <guardjit/graph/graph.hpp>
#include <guardjit/tensor/storage.hpp>
#include <guardjit/tensor/views.hpp>

#include <vector>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// A node with memory: where it begins, and its layout, which is an argument's or its own.
struct place {
  operand_address at;
  layout_view layout;
  shape extents;
  std::array<index_t, max_rank> strides;

  /// Row-major, over `extents`.
  void lay_out(operand_address where) {
    at = where;
    row_major_strides(extents.rank, extents.extents.data(), strides.data());
    layout = {extents.rank, extents.extents.data(), strides.data(), 0};
  }
  void view(operand_address where, any_layout const& l) {
    at = where;
    extents = l.shape();
    strides = l.strides();
    layout = {extents.rank, extents.extents.data(), strides.data(), 0};
  }
};

/// How a view that is no reshape lies over its operand.
inline view_layout view_in_call(graph_view const& g, int k, layout_view const& l,
                                std::span<index_t const> symbols) {
  attributes const extra = g.attributes_of(k);
  if (g[k].id == op::permute) {
    std::array<int, max_rank> order{};
    for (unsigned d = 0; d < max_rank; ++d) order[d] = extra.order[d];
    return permuted(l, {order.data(), static_cast<unsigned>(l.rank)});
  }
  if (g[k].id == op::expand) {
    shape s = g.shape_of(k);
    for (int d = 0; d < s.rank; ++d) s[d] = value_of(s[d], symbols);
    return expanded(l, s);
  }
  if (g[k].id == op::slice) {
    index_t const to_end = extra.step > 0 ? INT64_MAX : INT64_MIN;
    index_t const stop = extra.stop == slice_end ? to_end : value_of(extra.stop, symbols);
    return sliced(l, extra.axis, value_of(extra.start, symbols), stop, extra.step);
  }
  return selected(l, extra.axis, extra.start);
}
/// Bytes from the first element of what is viewed to that of the view. What has no elements has no address
/// that an offset could be added to.
inline index_t view_offset(view_layout const& v, layout_view const& from, dtype type) {
  return v.offset != 0 && from.count() == 0 ? 0 : v.offset * size_of(type);
}

/// The number of the base behind those of arguments and results.
inline int workspace_base_of(graph_view const& g) { return g.arguments + static_cast<int>(g.outputs.size()); }

/// The part of binding that is the same for all programs. Bases of temporaries count down from -1
/// until their sizes are known.
class binder {
 public:
  binder(graph_view const& g, layout_view const* arguments, std::span<index_t> symbols,
         std::span<std::int16_t const> place_of, place* places)
      : g_(g), arguments_(arguments), symbols_(symbols), place_of_(place_of), places_(places) {
    evaluate_extents(g_.extents, symbols_, [this](int k) { return arguments_[k].extents; });
  }

  place& operator[](int node) const { return places_[place_of_[static_cast<unsigned>(node)]]; }

  shape shape_of(int node) const {
    shape s = g_.shape_of(node);
    for (int d = 0; d < s.rank; ++d) s[d] = value_of(s[d], symbols_);
    return s;
  }

  void put_input(int k) const {
    auto const word = static_cast<index_t>(g_[k].bits);
    if (is_symbol(word)) {
      index_t const offset = number_of(word) * index_t{sizeof(index_t)};
      (*this)[k].at = {extents_base(), offset};
      (*this)[k].layout = {};
    } else {
      (*this)[k].at = {static_cast<int>(word), 0};
      (*this)[k].layout = arguments_[word];
    }
  }

  void put_view(int k) const {
    place const& from = (*this)[g_[k].in[0]];
    layout_view const& l = from.layout;
    view_layout v;
    if (g_[k].id == op::reshape) v.layout = reshaped(l, shape_of(k)).layout;
    else v = view_in_call(g_, k, l, symbols_);
    index_t const offset = view_offset(v, l, g_[k].type);
    (*this)[k].view({from.at.base, from.at.offset + offset}, v.layout);
  }

  /// A reshape that needs no copy: true where it became a view. What lies in an argument may stay
  /// a view; what lies elsewhere may where it is no result.
  bool put_reshaped(int k, bool is_result) const {
    place const& from = (*this)[g_[k].in[0]];
    reshaped_layout const view = reshaped(from.layout, shape_of(k));
    bool const in_argument = from.at.base >= 0 && from.at.base < g_.arguments;
    if (!view.possible || (is_result && !in_argument)) return false;
    (*this)[k].view(from.at, view.layout);
    return true;
  }

  /// A fresh row-major result in a buffer; those below 0 are outputs. Gives its bytes.
  index_t put_result(int k, int buffer) const {
    place& to = (*this)[k];
    shape const& form = g_.shape_of(k);
    to.extents.rank = form.rank;
    for (int d = 0; d < form.rank; ++d) to.extents[d] = value_of(form[d], symbols_);
    to.lay_out({buffer < 0 ? g_.arguments - 1 - buffer : -1 - buffer, 0});
    return byte_count(to.extents, g_[k].type);
  }

  int workspace_base() const { return workspace_base_of(g_); }
  int extents_base() const { return workspace_base() + 1; }

 private:
  graph_view const& g_;
  layout_view const* arguments_;
  std::span<index_t> symbols_;
  std::span<std::int16_t const> place_of_;
  place* places_;
};

/// Gives the temporaries their places in the workspace; returns its bytes.
inline index_t lay_out(std::span<index_t const> sizes, int workspace_base,
                       std::span<operand_address> addresses, std::span<operand_address> copied) {
  std::array<index_t, 64> few{};
  std::vector<index_t> many(sizes.size() >= few.size() ? sizes.size() + 1 : 0);
  index_t* const offset = many.empty() ? few.data() : many.data();
  for (unsigned t = 0; t < sizes.size(); ++t) offset[t + 1] = offset[t] + rounded_up(sizes[t]);
  auto const settle = [&](operand_address& a) {
    if (a.base < 0) a = {workspace_base, a.offset + offset[-1 - a.base]};
  };
  for (operand_address& a : addresses) settle(a);
  for (operand_address& a : copied) settle(a);
  return offset[sizes.size()];
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
