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
  using type = numbers<What.slots, What.nodes, Program::kernels.words[static_cast<unsigned>(What.first_word + W)]...>;
};

/// One value read and written as it is.
template <dtype Type>
using identity_formula = numbers<1, 1, formula_node{op::input, Type, 0, 0, 0}.word()>;

template <class Program, int K> inline void run_step(plan<Program> const& p, void* const* bases) {
  constexpr step what = Program::kernels.steps[K];
  constexpr unsigned first = static_cast<unsigned>(first_address<Program>(K));
  using backend = typename Program::backend;
  auto const& nest = std::get<K>(p.nests);
  if constexpr (what.kind == step_kind::contiguous)
    if (p.skipped[K]) return;
  void* const out = resolve(p.at[first], bases);
  std::array<void const*, what.slots == 0 ? 1 : static_cast<unsigned>(what.slots)> in{};
  for (unsigned k = 0; k < static_cast<unsigned>(what.slots); ++k) in[k] = resolve(p.at[first + 1 + k], bases);

  if constexpr (what.kind == step_kind::product) {
    constexpr dtype type = Program::view()[what.root].type;
    backend::template matmul<element_t<type>>(nest, out, in[0], in[1]);
  } else {
    using formula = typename formula_of_step<Program, what, std::make_integer_sequence<int, what.words>>::type;
    if constexpr (what.kind == step_kind::reduce) backend::template reduce<formula>(nest, out, in.data());
    else if constexpr (what.kind == step_kind::rows) backend::template rows<formula>(nest, out, in.data());
    else backend::template elementwise<formula>(nest, out, in.data());
  }
}

}  // namespace detail

/// Runs all kernels in order. `bases` are those of `operand_address`; the workspace is 64-byte
/// aligned.
/// Complexity: that of the kernels; no allocation, no lock.
template <class Program> void run(plan<Program> const& p, void* const* bases) {
  for_each_index<Program::steps>([&]<class K>(K) { detail::run_step<Program, K::value>(p, bases); });
  if constexpr (Program::facts.copies) {
    void const* const from[] = {resolve(p.copy_from, bases)};
    Program::backend::template elementwise<detail::identity_formula<Program::result_type>>(
        p.copy, bases[Program::arguments], from);
  }
}

/// Copies elements between two layouts of one shape, which do not overlap.
template <class Backend, dtype Type>
void copy_between(layout_view const& to, void* out, layout_view const& from, void const* in) {
  void const* const source[] = {in};
  Backend::template elementwise<detail::identity_formula<Type>>(
      elementwise_nest(to.shape(), std::array{to, from}), out, source);
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
