// guardjit: graph/interpret.hpp: a graph of static extents computed node by node
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_GRAPH_INTERPRET_HPP
#define GUARDJIT_GRAPH_INTERPRET_HPP

#include <guardjit/graph/passes/scalar.hpp>
#include <guardjit/reference/accumulate.hpp>
#include <guardjit/reference/movement.hpp>
#include <guardjit/tensor/views.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// Computes an optimised graph whose extents are all static, in the order of the reference loops.
/// Every element is kept as `scalar_bits`. Complexity: linear in all elements of all nodes.
/// Precondition: each op has a constexpr formula.
template <auto const& Graph> class interpreter {
 public:
  /// `arguments` has a pointer to the elements of each argument, row-major.
  constexpr explicit interpreter(scalar_bits const* const* arguments) {
    for (int k = 0; k < g_.size(); ++k) compute(k, arguments);
  }
  constexpr scalar_bits const* output(int k) const { return elements(g_.outputs[at(k)]); }

 private:
  static constexpr unsigned at(index_t k) { return static_cast<unsigned>(k); }
  static constexpr graph_view g_ = Graph.view();
  /// Where the elements of each node begin; the last number is how many there are.
  static constexpr auto begin_ = [] {
    std::array<index_t, at(Graph.view().size() + 1)> begin{};
    for (int k = 0; k < Graph.view().size(); ++k)
      begin[at(k + 1)] = begin[at(k)] + Graph.view().shape_of(k).count();
    return begin;
  }();
  std::array<scalar_bits, at(begin_[at(Graph.view().size())] + 1)> values_{};

  constexpr scalar_bits const* elements(int k) const { return values_.data() + begin_[at(k)]; }
  constexpr scalar_bits* elements(int k) { return values_.data() + begin_[at(k)]; }

  /// Calls `f(element, offset…)` for all elements of `s`, row-major; offsets by the strides given.
  static constexpr void for_each(shape const& s, auto const& strides, auto const& f) {
    index_t const count = s.count();
    for (index_t k = 0; k < count; ++k) {
      std::array<index_t, std::tuple_size_v<std::remove_cvref_t<decltype(strides)>>> offsets{};
      index_t rest = k;
      for (int d = s.rank - 1; d >= 0; --d) {
        for (unsigned i = 0; i < offsets.size(); ++i) offsets[i] += rest % s[d] * strides[i][at(d)];
        rest /= s[d];
      }
      f(k, offsets);
    }
  }

  constexpr void compute(int k, scalar_bits const* const* arguments) {
    node const& n = g_[k];
    shape const& s = g_.shape_of(k);
    switch (info_of(n.id).form) {
      case op_form::leaf:
        for (index_t i = 0; i < s.count(); ++i)
          elements(k)[i] = n.id == op::constant ? scalar_bits{n.bits} : arguments[n.bits][i];
        return;
      case op_form::factory:
        for (index_t i = 0; i < s.count(); ++i) elements(k)[i] = factory_value(n);
        return;
      case op_form::elementwise: return elementwise(k);
      case op_form::reduction: return reduction(k);
      case op_form::contraction: return product(k);
      case op_form::view: return view(k);
      case op_form::movement: return movement(k);
    }
  }

  constexpr scalar_bits factory_value(node const& n) const {
    if (n.id == op::full) return convert_bits(*elements(n.in[0]), g_[n.in[0]].type, n.type);
    return filling(n.id, n.type);
  }

  constexpr void elementwise(int k) {
    node const& n = g_[k];
    shape const& s = g_.shape_of(k);
    int const count = g_.operands(k);
    std::array<std::array<index_t, max_rank>, max_node_operands> strides{};
    for (int i = 0; i < count; ++i)
      strides[at(i)] = broadcast_strides(any_layout(g_.shape_of(g_.operand(k, i))).view(), s);
    dtype const compute = g_[g_.operand(k, count - 1)].type;
    for_each(s, strides, [&](index_t to, auto const& offsets) {
      scalar_bits in[max_node_operands]{};
      for (int i = 0; i < count; ++i) in[i] = elements(g_.operand(k, i))[offsets[at(i)]];
      elements(k)[to] = evaluate_scalar(n.id, compute, n.type, {in, at(count)});
    });
  }

  constexpr void reduction(int k) {
    node const& n = g_[k];
    visit_dtype(g_[n.in[0]].type, [&]<class T>(std::type_identity<T>) {
      for_each_index<op_count>([&]<int Id>(std::integral_constant<int, Id>) {
        constexpr auto id = static_cast<op>(Id);
        if constexpr (is_reduction(id))
          if (n.id == id) reduce<accumulator<id, T>, T>(k);
      });
    });
  }
  template <class Accumulator, class T> constexpr void reduce(int k) {
    int const from = g_[k].in[0];
    any_layout const layout(g_.shape_of(from));
    attributes const extra = g_.attributes_of(k);
    unsigned const axes = extra.axes;
    shape kept, reduced;
    std::array<std::array<index_t, max_rank>, 1> kept_strides{}, reduced_strides{};
    for (int d = 0; d < layout.rank(); ++d) {
      bool const goes = (axes >> d & 1u) != 0;
      shape& to = goes ? reduced : kept;
      (goes ? reduced_strides : kept_strides)[0][at(to.rank)] = layout.stride(d);
      to[to.rank++] = layout.extent(d);
    }
    for_each(kept, kept_strides, [&](index_t to, auto const& start) {
      Accumulator total{};
      for_each(reduced, reduced_strides, [&](index_t, auto const& inner) {
        total.add(elements(from)[start[0] + inner[0]].template as<T>());
      });
      elements(k)[to] = scalar_bits::of(total.result(mean_divisor(reduced.count(), extra.correction)));
    });
  }

  constexpr void product(int k) {
    visit_dtype(g_[k].type, [&]<class T>(std::type_identity<T>) {
      if constexpr (!std::is_same_v<T, bool>) multiply<T>(k);
    });
  }
  /// Rows and columns are axes of one nest whose batch axes broadcast.
  template <class T> constexpr void multiply(int k) {
    int const a = g_[k].in[0], b = g_[k].in[1];
    any_layout const left(g_.shape_of(a)), right(g_.shape_of(b));
    shape const& s = g_.shape_of(k);
    int const rows = left.rank() > 1 ? 1 : 0, columns = right.rank() > 1 ? 1 : 0;
    int const batch = s.rank - rows - columns;
    std::array<std::array<index_t, max_rank>, 2> strides{};
    auto const align = [&](any_layout const& l, auto& to) {
      int const missing = batch - (l.rank() > 2 ? l.rank() - 2 : 0);
      for (int d = missing; d < batch; ++d)
        to[at(d)] = l.extent(d - missing) == 1 ? 0 : l.stride(d - missing);
    };
    align(left, strides[0]);
    align(right, strides[1]);
    if (rows) strides[0][at(batch)] = left.stride(left.rank() - 2);
    if (columns) strides[1][at(batch + rows)] = right.stride(right.rank() - 1);
    index_t const step = right.stride(columns ? right.rank() - 2 : 0);
    for_each(s, strides, [&](index_t to, auto const& offsets) {
      lane<T> total{};
      for (index_t p = 0; p < left.extent(left.rank() - 1); ++p)
        total = total + lane<T>{elements(a)[offsets[0] + p].template as<T>()} *
                        lane<T>{elements(b)[offsets[1] + p * step].template as<T>()};
      elements(k)[to] = scalar_bits::of(total.value);
    });
  }

  constexpr void movement(int k) {
    node const& n = g_[k];
    shape const& s = g_.shape_of(k);
    if (n.id == op::arange) {
      for (index_t i = 0; i < s.count(); ++i) elements(k)[i] = scalar_bits::of(i);
      return;
    }
    int const axis = g_.attributes_of(k).axis;
    if (n.id == op::concat) return concat(k, axis);
    any_layout const result(s), x(g_.shape_of(n.in[0])), index(g_.shape_of(n.in[1]));
    gather_nest const nest = gather_nest_of(n.id, result.view(), x.view(), index.view(), axis);
    for (index_t i = 0; i < index.shape().count(); ++i)
      if (index_t const at = elements(n.in[1])[i].template as<std::int64_t>(); !is_index(at, nest.extent))
        raise_mistake({mistake_kind::index_out_of_range, n.id, at, nest.extent, axis, {}}, fixed_text{});
    for_each_step(nest.loops, [&](auto const& at) {
      auto const place = elements(n.in[1])[at[2]].template as<std::int64_t>();
      elements(k)[at[0]] = elements(n.in[0])[at[1] + index_place(place, nest.extent) * nest.step];
    });
  }
  constexpr void concat(int k, int axis) {
    any_layout const result(g_.shape_of(k));
    index_t start = 0;
    for (unsigned i = 0; i < 2; ++i) {
      int const part = g_[k].in[i];
      any_layout const from(g_.shape_of(part));
      concat_part const to = concat_part_of(result.view(), axis, start, from.view());
      for_each_step(to.loops, [&](auto const& at) {
        elements(k)[to.offset + at[0]] = elements(part)[at[1]];
      });
      start += from.extent(axis);
    }
  }

  constexpr void view(int k) {
    node const& n = g_[k];
    any_layout const from(g_.shape_of(n.in[0]));
    attributes const extra = g_.attributes_of(k);
    view_layout to{from, 0};
    if (n.id == op::permute) {
      int order[max_rank]{};
      for (int d = 0; d < from.rank(); ++d) order[d] = extra.order[at(d)];
      to = permuted(from.view(), {order, at(from.rank())});
    } else if (n.id == op::expand) {
      to = expanded(from.view(), g_.shape_of(k));
    } else if (n.id == op::slice) {
      index_t const stop = extra.stop == slice_end && extra.step < 0 ? INT64_MIN : extra.stop;
      to = sliced(from.view(), extra.axis, extra.start, stop, extra.step);
    } else if (n.id == op::select) {
      to = selected(from.view(), extra.axis, extra.start);
    } else {
      to.layout = any_layout(g_.shape_of(k));
    }
    std::array<std::array<index_t, max_rank>, 1> const strides{to.layout.strides()};
    for_each(g_.shape_of(k), strides, [&](index_t i, auto const& offset) {
      elements(k)[i] = elements(n.in[0])[to.offset + offset[0]];
    });
  }
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
