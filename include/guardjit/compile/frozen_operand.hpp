// guardjit: compile/frozen_operand.hpp: operands of products that never change, and their packed forms
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_FROZEN_OPERAND_HPP
#define GUARDJIT_COMPILE_FROZEN_OPERAND_HPP

#include <guardjit/compile/plan.hpp>
#include <guardjit/compile/spec.hpp>
#include <guardjit/tensor/frozen_memory.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// What forms of one backend and dtype are told by: its address.
template <class Backend, class T> inline constexpr char form_maker = 0;

/// The packed form of the frozen operand of one step, where its product wants one; it is made if it is
/// not there. True if the step has it.
/// Throws: `std::bad_alloc`.
template <class Program, int K>
bool take_form(plan<Program>& p, storage const& owner, void* const* bases) {
  constexpr step what = Program::kernels.steps[K];
  constexpr product_operands operands = operands_of_product<Program>(K);
  using backend = typename Program::backend;
  using element_type = element_t<Program::view()[what.root].type>;
  auto& bound = std::get<K>(p.nests);
  frozen_memory* const memory = frozen_memory::of(owner);
  index_t const bytes = backend::template packed_bytes<element_type>(bound.nest);
  if (!memory || bytes == 0) return false;
  constexpr unsigned slot = first_address<Program>(K) + 1 + operands.right;
  void const* const elements = resolve(p.at[slot], bases);
  form_key key{&form_maker<backend, element_type>, {}};
  key.words = {bound.nest.k, bound.nest.n, bound.nest.right_row, bound.nest.right_column,
               static_cast<std::byte const*>(elements) - static_cast<std::byte const*>(owner.data())};
  bound.form = memory->form(key, bytes, [&](void* to) {
    backend::template pack<element_type>(bound.nest, to, elements);
  });
  return true;
}

/// `path_spec::take_forms` of a program: for all its products. Which operands have forms, as bits: bit k is
/// number k among the arguments of which the function may keep forms.
template <class Program, class Arguments>
std::uint64_t take_forms(frame_view const& f, void* plan_of_call) {
  auto& p = *static_cast<plan<Program>*>(plan_of_call);
  std::uint64_t taken = 0;
  for_each_index<Program::steps>([&]<class K>(K) {
    constexpr product_operands operands = operands_of_product<Program>(K::value);
    if constexpr (operands.frozen >= 0) {
      constexpr int number = Arguments::number_of(operands.frozen);
      if constexpr (number >= 0)
        if (take_form<Program, K::value>(p, *f.owners[operands.frozen], f.bases))
          taken |= std::uint64_t{1} << number;
    }
  });
  return taken;
}

/// The frozen arguments that a product of some path reads as its packed operand, in order; 64 at most, as
/// there are bits in a word.
template <class... Programs> struct frozen_operands {
  static constexpr auto bits = [] {
    std::array<bool, static_cast<unsigned>((1 + ... + Programs::arguments))> used{};
    auto const add = [&used]<class Program>(std::type_identity<Program>) {
      for (int k = 0; k < Program::steps; ++k)
        if (int const argument = operands_of_product<Program>(k).frozen; argument >= 0)
          used[static_cast<unsigned>(argument)] = true;
    };
    (add(std::type_identity<Programs>{}), ...);
    return used;
  }();
  static constexpr unsigned count = [] {
    unsigned n = 0;
    for (bool b : bits) n += b && n < 64 ? 1 : 0;
    return n;
  }();
  static constexpr auto list = [] {
    std::array<std::int16_t, count> all{};
    unsigned n = 0;
    for (unsigned k = 0; k < bits.size() && n < count; ++k)
      if (bits[k]) all[n++] = static_cast<std::int16_t>(k);
    return all;
  }();
  /// The place of an argument in the list, or -1.
  static constexpr int number_of(int argument) {
    for (unsigned n = 0; n < count; ++n)
      if (list[n] == argument) return static_cast<int>(n);
    return -1;
  }
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
