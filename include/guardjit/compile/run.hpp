// guardjit: compile/run.hpp: runs the kernels of a plan
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_RUN_HPP
#define GUARDJIT_COMPILE_RUN_HPP

#include <guardjit/compile/plan.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

template <class Program, step What, class Words> struct formula_of_step;
template <class Program, step What, int... W>
struct formula_of_step<Program, What, std::integer_sequence<int, W...>> {
  using type = numbers<What.slots, What.nodes,
                       Program::kernels.words[static_cast<unsigned>(What.first_word + W)]...>;
};

/// One value read and written as it is.
template <dtype Type> using identity_formula = typename copying<Type, Type>::formula;

/// The address of a node in a call.
template <class Program, int Node> void* address_of(operand_address const& at, void* const* bases) {
  constexpr int argument = argument_below<Program>(Node);
  if constexpr (argument < 0) return resolve(at, bases);
  else if constexpr (is_view(Program::view()[Node].id))
    return static_cast<std::byte*>(bases[argument]) + at.offset;
  else return bases[argument];
}

/// The first base of a step whose slots are arguments that follow each other; else -1.
template <class Program> constexpr int first_argument(step const& what) {
  int first = -1;
  for (int k = 0; k < what.slots; ++k) {
    int const node = Program::kernels.slots[static_cast<unsigned>(what.first_slot + k)];
    if (is_view(Program::view()[node].id)) return -1;
    int const argument = argument_below<Program>(node);
    if (argument < 0 || (k > 0 && argument != first + k)) return -1;
    if (k == 0) first = argument;
  }
  return first;
}

template <class Program, int K> inline void run_step(plan<Program> const& p, void* const* bases) {
  constexpr step what = Program::kernels.steps[K];
  constexpr unsigned first = static_cast<unsigned>(first_address<Program>(K));
  using backend = typename Program::backend;
  auto const& nest = std::get<K>(p.nests);
  if constexpr (what.kind == step_kind::contiguous)
    if (p.skipped[K]) return;
  constexpr int buffer = Program::buffers.of_step[K];
  void* const out = buffer < 0 ? bases[Program::arguments + (buffer < 0 ? result_of_buffer(buffer) : 0)]
                               : resolve(p.at[first], bases);
  constexpr int arguments = first_argument<Program>(what);
  std::array<void const*, what.slots == 0 ? 1 : static_cast<unsigned>(what.slots)> gathered{};
  if constexpr (arguments < 0)
    for_each_index<what.slots>([&]<class S>(S) {
      constexpr int source =
          Program::kernels.slots[static_cast<unsigned>(what.first_slot + S::value)];
      void const* const address = address_of<Program, source>(p.at[first + 1 + S::value], bases);
      put_address(gathered[S::value], address);
    });
  void const* const* const in =
      arguments < 0 ? gathered.data() : bases + (arguments < 0 ? 0 : arguments);

  constexpr dtype type = Program::view()[what.root].type;
  if constexpr (what.kind == step_kind::joined) {
    for (unsigned k = 0; k < what.slots; ++k)
      run_concat_part<backend, type, type>(nest[k], out, in[k]);
  } else if constexpr (what.kind == step_kind::indexed) {
    constexpr node n = Program::view()[what.root];
    gather_call const call{n.id, Program::view().attributes_of(what.root).axis, n.where};
    using index = element_t<Program::view()[n.in[1]].type>;
    run_gather<backend, element_t<type>, index>(call, nest.copies, nest.indices, out, in[0], in[1]);
  } else if constexpr (what.kind == step_kind::counted) {
    backend::arange(static_cast<std::int64_t*>(out), nest);
  } else if constexpr (what.kind == step_kind::product) {
    constexpr product_operands sides = operands_of_product<Program>(K);
    using element_type = element_t<type>;
    if constexpr (sides.frozen < 0)
      backend::template matmul<element_type>(nest, out, in[0], in[1]);
    else if (nest.form)
      backend::template packed_matmul<element_type>(nest.nest, out, in[sides.left], nest.form);
    else backend::template matmul<element_type>(nest.nest, out, in[sides.left], in[sides.right]);
  } else {
    using formula =
        typename formula_of_step<Program, what, std::make_integer_sequence<int, what.words>>::type;
    if constexpr (what.kind == step_kind::reduce) backend::template reduce<formula>(nest, out, in);
    else if constexpr (what.kind == step_kind::rows) backend::template rows<formula>(nest, out, in);
    else backend::template elementwise<formula>(nest, out, in);
  }
}

/// Copies a result that lies elsewhere into its output.
template <class Program, int K> inline void copy_result(plan<Program> const& p, void* const* bases) {
  constexpr result_facts facts = Program::facts[K];
  constexpr int output = Program::arguments + K;
  if constexpr (facts.copies) {
    constexpr auto copy = static_cast<unsigned>(Program::copies_before(K));
    if (facts.may_be_argument && p.results[K].at.base != output) return;
    void const* const from[] = {resolve(p.copy_from[copy], bases)};
    // An argument that is written on other paths only.
    if constexpr (facts.argument >= 0)
      if (from[0] == bases[output]) return;
    Program::backend::template elementwise<identity_formula<Program::result_types[K].type>>(
        p.copy[copy], bases[output], from);
  }
}

}  // namespace detail

/// Runs all kernels in order. `bases` are those of `operand_address`; the workspace is 64-byte
/// aligned.
/// Complexity: that of the kernels; no allocation, no lock.
template <class Program> void run(plan<Program> const& p, void* const* bases) {
  for_each_index<Program::steps>(
      [&]<class K>(K) { detail::run_step<Program, K::value>(p, bases); });
  for_each_index<Program::results>(
      [&]<class K>(K) { detail::copy_result<Program, K::value>(p, bases); });
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
