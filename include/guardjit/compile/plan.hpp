// guardjit: compile/plan.hpp: a program bound to extents and strides: loops, addresses, buffers
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_PLAN_HPP
#define GUARDJIT_COMPILE_PLAN_HPP

#include <guardjit/compile/nests.hpp>
#include <guardjit/compile/program.hpp>
#include <guardjit/tensor/storage.hpp>
#include <guardjit/tensor/views.hpp>

#include <tuple>

namespace guardjit::inline GUARDJIT_ABI {

/// Where an operand of a kernel begins: a base pointer of the call, and bytes behind it. Bases are
/// the arguments, then the output, the workspace, and the extents of the call.
struct operand_address {
  int base = 0;
  index_t offset = 0;
};

namespace detail {

template <step_kind Kind, int Operands> auto nest_type() {
  if constexpr (Kind == step_kind::rows) return row_nest<Operands>{};
  else if constexpr (Kind == step_kind::reduce) return reduce_nest<Operands>{};
  else if constexpr (Kind == step_kind::product) return matmul_nest{};
  else return loop_nest<Operands>{};
}

/// Step `K` of a program, bound.
template <class Program, int K> struct bound_step {
  static constexpr step what = Program::kernels.steps[K];
  decltype(nest_type<what.kind, what.slots + 1>()) nest{};
  /// Of the result, then of the slots.
  std::array<operand_address, what.slots + 1> at{};
  /// A reshape that needs no copy for these strides.
  bool skipped = false;
};

template <class Program, class Steps> struct steps_of_plan;
template <class Program, int... K> struct steps_of_plan<Program, std::integer_sequence<int, K...>> {
  using type = std::tuple<bound_step<Program, K>...>;
};

/// A node with memory, while a plan is made.
struct place {
  operand_address at;
  any_layout layout;
};

constexpr index_t rounded_up(index_t bytes) { return (bytes + 63) & ~index_t{63}; }

}  // namespace detail

/// All that a call of one program needs to know, for given extents and strides. Pure data.
template <class Program> struct plan {
  static constexpr int output_base = Program::arguments;
  static constexpr int workspace_base = Program::arguments + 1;
  static constexpr int extents_base = Program::arguments + 2;
  static constexpr int bases = Program::arguments + 3;

  typename detail::steps_of_plan<Program, std::make_integer_sequence<int, Program::steps>>::type steps;
  /// Values of the symbols of the optimised graph.
  std::array<index_t, Program::graph.extents.size()> extents{};
  /// Where the result lies, and its layout; at `output_base` it owns `output_bytes`.
  operand_address result{};
  any_layout result_layout;
  index_t output_bytes = 0;
  index_t workspace_bytes = 0;
  /// Where the result is copied from, if the program copies.
  loop_nest<2> copy{};
  operand_address copy_from{};
};

namespace detail {

/// Binds one program; see `bind`.
template <class Program> class binder {
 public:
  binder(plan<Program>& to, layout_view const* arguments) : p_(to), arguments_(arguments) {}

  void run() {
    evaluate_extents(g_.extents, p_.extents, [this](int k) { return arguments_[k].extents; });
    for (int k = 0; k < Program::size; ++k)
      if (g_[k].id == op::input) put_input(k);
      else if (is_view(g_[k].id) && Program::kernels.step_of[at(k)] < 0) put_view(k);
      else if (int const s = Program::kernels.step_of[at(k)]; s >= 0) bind_step(s);
    lay_out_workspace();
    set_result();
  }

 private:
  static constexpr graph_view g_ = Program::view();
  static constexpr unsigned at(int k) { return static_cast<unsigned>(k); }
  place& place_of(int node) { return places_[at(Program::place_of[at(node)])]; }

  shape shape_of(int node) const {
    shape s = g_.shape_of(node);
    for (int d = 0; d < s.rank; ++d) s[d] = value_of(s[d], p_.extents);
    return s;
  }

  void put_input(int k) {
    auto const word = static_cast<index_t>(g_[k].bits);
    place& to = place_of(k);
    if (is_symbol(word)) {
      to = {{plan<Program>::extents_base, number_of(word) * index_t{sizeof(index_t)}}, any_layout(shape{})};
    } else {
      to = {{static_cast<int>(word), 0}, any_layout(arguments_[word])};
    }
  }

  void put_view(int k) {
    place const& from = place_of(g_[k].in[0]);
    attributes const extra = g_.attributes_of(k);
    layout_view const l = from.layout.view();
    view_layout v;
    if (g_[k].id == op::permute) {
      std::array<int, max_rank> order{};
      for (unsigned d = 0; d < max_rank; ++d) order[d] = extra.order[d];
      v = permuted(l, {order.data(), at(l.rank)});
    } else if (g_[k].id == op::expand) {
      v = expanded(l, shape_of(k));
    } else if (g_[k].id == op::slice) {
      index_t const stop = extra.stop == slice_end ? (extra.step > 0 ? slice_end : INT64_MIN) : value_of(extra.stop, p_.extents);
      v = sliced(l, extra.axis, value_of(extra.start, p_.extents), stop, extra.step);
    } else {
      v.layout = reshaped(l, shape_of(k)).layout;
    }
    place_of(k) = {{from.at.base, from.at.offset + v.offset * size_of(g_[k].type)}, v.layout};
  }

  void bind_step(int s) {
    for_each_index<Program::steps>([&]<class K>(K) {
      if (K::value == s) bind_one<K::value>();
    });
  }

  template <int K> void bind_one() {
    constexpr step what = Program::kernels.steps[K];
    bound_step<Program, K>& b = std::get<K>(p_.steps);
    place& to = place_of(what.root);
    shape const extents = shape_of(what.root);
    if constexpr (what.kind == step_kind::contiguous) {
      place const& from = place_of(g_[what.root].in[0]);
      bool const is_argument = from.at.base < Program::arguments;
      reshaped_layout const view = reshaped(from.layout.view(), extents);
      b.skipped = view.possible && (is_argument || K != Program::facts.backing);
      if (b.skipped) {
        to = {from.at, view.layout};
        return;
      }
    }
    to.layout = any_layout(extents);
    // Offsets of temporaries are known when all sizes are: until then `base` counts down from -1.
    constexpr int buffer = Program::buffers.of_step[K];
    to.at = buffer == output_buffer ? operand_address{plan<Program>::output_base, 0} : operand_address{-1 - buffer, 0};
    index_t const bytes = byte_count(extents, g_[what.root].type);
    if constexpr (buffer != output_buffer) {
      index_t& size = sizes_[at(buffer)];
      size = size < bytes ? bytes : size;
    } else {
      p_.output_bytes = bytes;
    }

    // Of the slots; operand 0 of element-wise loops is the result.
    std::array<layout_view, at(what.slots)> slots{};
    std::array<layout_view, at(what.slots) + 1> operands{to.layout.view()};
    b.at[0] = to.at;
    for (unsigned k = 0; k < at(what.slots); ++k) {
      place const& from = place_of(Program::kernels.slots[at(what.first_slot) + k]);
      operands[k + 1] = slots[k] = from.layout.view();
      b.at[k + 1] = from.at;
    }
    if constexpr (what.kind == step_kind::product) {
      b.nest = matmul_nest_of(operands[1], operands[2]);
    } else if constexpr (what.kind == step_kind::reduce) {
      constexpr attributes extra = g_.attributes_of(what.root);
      b.nest = reduce_nest_of(shape_of(g_[what.root].in[0]), extra.axes, slots);
    } else if constexpr (what.kind == step_kind::rows) {
      b.nest = row_nest_of(extents, operands);
    } else if constexpr (what.kind == step_kind::contiguous) {
      any_layout const copied(slots[0].shape());
      b.nest = elementwise_nest(copied.shape(), std::array{copied.view(), slots[0]});
    } else {
      b.nest = elementwise_nest(extents, operands);
    }
  }

  void lay_out_workspace() {
    std::array<index_t, temporaries + 1> offset{};
    for (unsigned t = 0; t < temporaries; ++t) offset[t + 1] = offset[t] + rounded_up(sizes_[t]);
    p_.workspace_bytes = offset[temporaries];
    auto const settle = [&](operand_address& a) {
      if (a.base < 0) a = {plan<Program>::workspace_base, a.offset + offset[at(-1 - a.base)]};
    };
    for_each_index<Program::steps>([&]<class K>(K) {
      for (operand_address& a : std::get<K::value>(p_.steps).at) settle(a);
    });
    for (place& p : places_) settle(p.at);
  }

  void set_result() {
    place const& from = place_of(g_.output);
    if constexpr (Program::facts.copies) {
      any_layout const fresh(from.layout.shape());
      p_.copy = elementwise_nest(fresh.shape(), std::array{fresh.view(), from.layout.view()});
      p_.copy_from = from.at;
      p_.result = {plan<Program>::output_base, 0};
      p_.result_layout = fresh;
      p_.output_bytes = byte_count(fresh.shape(), Program::result_type);
    } else {
      p_.result = from.at;
      p_.result_layout = from.layout;
    }
  }

  static constexpr unsigned temporaries = at(Program::buffers.temporaries);
  plan<Program>& p_;
  layout_view const* arguments_;
  std::array<place, Program::places == 0 ? 1 : at(Program::places)> places_{};
  std::array<index_t, temporaries + 1> sizes_{};
};

}  // namespace detail

/// Fills a plan for arguments of these layouts (scalars have rank 0).
/// Precondition: the requirements of the function hold.
/// Complexity: linear in the nodes with memory; no allocation.
template <class Program> void bind(plan<Program>& to, layout_view const* arguments) {
  detail::binder<Program>(to, arguments).run();
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
