// guardjit: compile/plan.hpp: a program bound to extents and strides: loops, addresses, buffers
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_PLAN_HPP
#define GUARDJIT_COMPILE_PLAN_HPP

#include <guardjit/compile/binder.hpp>
#include <guardjit/compile/movement.hpp>
#include <guardjit/compile/nests.hpp>
#include <guardjit/compile/program.hpp>

#include <new>
#include <tuple>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// The loops of a take or gather, and those over its indices.
struct indexed_nests {
  gather_nest copies;
  loop_nest<1> indices;
};

/// The argument that a node is or is a view of, if the program alone tells; else -1.
template <class Program> constexpr int argument_below(int node) {
  graph_view const g = Program::view();
  while (is_view(g[node].id) && Program::kernels.step_of[static_cast<unsigned>(node)] < 0)
    node = g[node].in[0];
  auto const word = static_cast<index_t>(g[node].bits);
  return g[node].id == op::input && !is_symbol(word) ? static_cast<int>(word) : -1;
}

template <class Backend>
concept packs_operands = requires(matmul_nest const& nest) { Backend::template packed_bytes<float>(nest); };

/// The operands of a product, by their slots; that in `right` may be packed once and for all. Where it is
/// the left one, of a matrix times a vector, both sides are transposed.
struct product_operands {
  int frozen = -1;  ///< the argument that is packed, or is viewed so; -1: none
  unsigned left = 0, right = 1;
};
template <class Program> constexpr product_operands operands_of_product(int k) {
  step const what = Program::kernels.steps[static_cast<unsigned>(k)];
  if (!packs_operands<typename Program::backend> || what.kind != step_kind::product) return {};
  if (!is_floating(Program::view()[what.root].type)) return {};
  auto const slot = [&what](int s) {
    return Program::kernels.slots[static_cast<unsigned>(what.first_slot + s)];
  };
  int const ranks[] = {Program::view().shape_of(slot(0)).rank, Program::view().shape_of(slot(1)).rank};
  product_operands found;
  if (ranks[1] == 1) found = {-1, 1, 0};
  if (ranks[found.right] != 2) return {};
  int const argument = argument_below<Program>(slot(static_cast<int>(found.right)));
  if (!is_frozen_argument<typename Program::traced>(argument)) return {};
  found.frozen = argument;
  return found;
}
/// A product of which one operand may have a packed form.
struct packed_product {
  matmul_nest nest;
  void const* form = nullptr;  ///< null where the product wants none
};
constexpr matmul_nest transposed_product(matmul_nest nest) {
  std::swap(nest.m, nest.n);
  std::swap(nest.left_row, nest.right_column);
  std::swap(nest.left_column, nest.right_row);
  return nest;
}

/// The loops of step `K` of a program.
template <class Program, int K> auto nest_type() {
  constexpr step what = Program::kernels.steps[K];
  if constexpr (what.kind == step_kind::rows) return row_nest<what.slots + 1>{};
  else if constexpr (what.kind == step_kind::reduce) return reduce_nest<what.slots + 1>{};
  else if constexpr (what.kind == step_kind::product) {
    if constexpr (operands_of_product<Program>(K).frozen >= 0) return packed_product{};
    else return matmul_nest{};
  }
  else if constexpr (what.kind == step_kind::joined) return std::array<concat_part, what.slots>{};
  else if constexpr (what.kind == step_kind::indexed) return indexed_nests{};
  else if constexpr (what.kind == step_kind::counted) return index_t{};
  else return loop_nest<what.slots + 1>{};
}
template <class Program, class Steps> struct nests_of;
template <class Program, int... K> struct nests_of<Program, std::integer_sequence<int, K...>> {
  using type = std::tuple<decltype(nest_type<Program, K>())...>;
};

/// The place of a step's addresses in the plan: of its result, then of its slots.
template <class Program> constexpr int first_address(int step) {
  int first = 0;
  for (int k = 0; k < step; ++k) first += 1 + Program::kernels.steps[static_cast<unsigned>(k)].slots;
  return first;
}

}  // namespace detail

/// All that a call of one program needs to know, for given extents and strides. Pure data.
template <class Program> struct plan {
  std::array<bound_result, static_cast<unsigned>(Program::results)> results;
  std::array<operand_address, static_cast<unsigned>(detail::first_address<Program>(Program::steps)) + 1> at;
  typename detail::nests_of<Program, std::make_integer_sequence<int, Program::steps>>::type nests;
  /// Reshapes that need no copy for these strides.
  std::array<bool, Program::steps == 0 ? 1 : Program::steps> skipped;
  /// Values of the symbols.
  std::array<index_t, Program::graph.extents.size()> symbols;
  /// Where results are copied from, if the program copies.
  static constexpr unsigned copies = static_cast<unsigned>(Program::copies_before(Program::results));
  std::array<loop_nest<2>, copies + 1> copy;
  std::array<operand_address, copies + 1> copy_from;
};

namespace detail {

/// Binds one program: the shared part in `binder`, the loops of each step here.
template <class Program> class plan_maker {
 public:
  plan_maker(plan<Program>& to, layout_view const* arguments, bound_call& call)
      : p_(to), call_(call), nodes_(g_, arguments, to.symbols, Program::place_of, places_.data()) {
    for (int k = 0; k < Program::size; ++k)
      if (g_[k].id == op::input) nodes_.put_input(k);
      else if (int const s = Program::kernels.step_of[static_cast<unsigned>(k)]; s >= 0)
        (this->*steps_[static_cast<unsigned>(s)])();
      else if (is_view(g_[k].id)) nodes_.put_view(k);
    for_each_index<Program::results>([this]<class K>(K) { this->template set_result<K::value>(); });
    set_call();
  }

 private:
  static constexpr graph_view g_ = Program::view();

  template <int K> void bind_step() {
    constexpr step what = Program::kernels.steps[K];
    constexpr int buffer = Program::buffers.of_step[K];
    constexpr unsigned first = static_cast<unsigned>(first_address<Program>(K));
    auto& nest = std::get<K>(p_.nests);
    p_.skipped[K] = false;
    if constexpr (what.kind == step_kind::contiguous) {
      p_.skipped[K] = nodes_.put_reshaped(what.root, Program::is_backing(K));
      if (p_.skipped[K]) return;
    }
    index_t const bytes = nodes_.put_result(what.root, buffer);
    if constexpr (buffer < 0) p_.results[static_cast<unsigned>(result_of_buffer(buffer))].bytes = bytes;
    else if (index_t& size = sizes_[static_cast<unsigned>(buffer)]; size < bytes) size = bytes;

    std::array<layout_view, static_cast<unsigned>(what.slots)> slots{};
    std::array<layout_view, static_cast<unsigned>(what.slots) + 1> operands{nodes_[what.root].layout};
    p_.at[first] = nodes_[what.root].at;
    for (unsigned k = 0; k < slots.size(); ++k) {
      place const& from = nodes_[Program::kernels.slots[static_cast<unsigned>(what.first_slot) + k]];
      operands[k + 1] = slots[k] = from.layout;
      p_.at[first + 1 + k] = from.at;
    }
    if constexpr (what.kind == step_kind::joined) {
      constexpr int axis = g_.attributes_of(what.root).axis;
      index_t start = 0;
      for (unsigned k = 0; k < slots.size(); ++k) {
        nest[k] = concat_part_of(operands[0], axis, start, slots[k]);
        start += slots[k].extents[axis];
      }
    } else if constexpr (what.kind == step_kind::indexed) {
      constexpr op id = g_[what.root].id;
      constexpr int axis = g_.attributes_of(what.root).axis;
      nest = {gather_nest_of(id, operands[0], slots[0], slots[1], axis), index_nest_of(slots[1])};
    } else if constexpr (what.kind == step_kind::counted) {
      nest = operands[0].extents[0];
    } else if constexpr (what.kind == step_kind::product) {
      constexpr product_operands sides = operands_of_product<Program>(K);
      matmul_nest const product = matmul_nest_of(slots[0], slots[1]);
      if constexpr (sides.frozen < 0) nest = product;
      else nest = {sides.right == 0 ? transposed_product(product) : product, nullptr};
    } else if constexpr (what.kind == step_kind::reduce) {
      constexpr attributes extra = g_.attributes_of(what.root);
      nest = reduce_nest_of(nodes_.shape_of(what.over), extra.axes, slots, extra.correction);
    } else if constexpr (what.kind == step_kind::rows) {
      nest = row_nest_of(nodes_.shape_of(what.over), what.one_a_row, slots);
    } else if constexpr (what.kind == step_kind::contiguous) {
      any_layout const copied(slots[0].shape());
      nest = elementwise_nest(copied.shape(), std::array{copied.view(), slots[0]});
    } else {
      set_elementwise_nest(nest, nodes_[what.root].extents, operands);
    }
  }

  template <int K> void set_result() {
    constexpr result_facts facts = Program::facts[K];
    constexpr int output = Program::arguments + K;
    bound_result& to = p_.results[K];
    place const& from = nodes_[g_.outputs[K]];
    to.at = from.at;
    layout_view result = from.layout;
    result.hash = hash_layout(result.rank, result.extents, result.strides);
    // In place: a dynamic entry binds at each hit, where a copy of what was just written shows.
    new (&to.layout) any_layout(result);
    if constexpr (facts.copies) {
      if (facts.may_be_argument && from.at.base >= 0 && from.at.base < Program::arguments) return;
      constexpr auto copy = static_cast<unsigned>(Program::copies_before(K));
      any_layout const fresh(from.layout.shape());
      p_.copy[copy] = elementwise_nest(fresh.shape(), std::array{fresh.view(), from.layout});
      p_.copy_from[copy] = from.at;
      to.at = {output, 0};
      to.layout = fresh;
      to.bytes = byte_count(fresh.shape(), Program::result_types[K].type);
    }
  }
  void set_call() {
    call_.results = p_.results.data();
    call_.workspace_bytes = 0;
    if constexpr (constexpr auto count = static_cast<unsigned>(Program::buffers.temporaries); count > 0)
      call_.workspace_bytes = lay_out({sizes_.data(), count}, nodes_.workspace_base(), p_.at,
                                      {p_.copy_from.data(), plan<Program>::copies});
    call_.plain = !Program::tests_indices_late() && !Program::exchanges_arguments();
    for (int k = 0; k < Program::results; ++k) {
      bound_result const& r = p_.results[static_cast<unsigned>(k)];
      call_.plain = call_.plain && r.at.base == Program::arguments + k && r.at.offset == 0 &&
                    is_contiguous(r.layout.view());
    }
    call_.extents = p_.symbols.data();
  }

  static constexpr auto steps_ = []<int... K>(std::integer_sequence<int, K...>) {
    return std::array<void (plan_maker::*)(), sizeof...(K) + 1>{&plan_maker::bind_step<K>..., nullptr};
  }(std::make_integer_sequence<int, Program::steps>{});

  plan<Program>& p_;
  bound_call& call_;
  std::array<place, Program::places == 0 ? 1 : static_cast<unsigned>(Program::places)> places_;
  std::array<index_t, static_cast<unsigned>(Program::buffers.temporaries) + 1> sizes_{};
  binder nodes_;
};

}  // namespace detail

/// Fills a plan for arguments of these layouts (scalars have rank 0), and tells all but how to run.
/// Precondition: the requirements of the function hold.
/// Complexity: linear in the nodes with memory; no allocation.
template <class Program> void bind(plan<Program>& to, layout_view const* arguments, bound_call& call) {
  detail::plan_maker<Program>(to, arguments, call);
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
