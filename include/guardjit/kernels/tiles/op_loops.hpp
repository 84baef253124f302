// guardjit: kernels/tiles/op_loops.hpp: a backend's loops of single ops as data: what interpreters run
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_KERNELS_TILES_OP_LOOPS_HPP
#define GUARDJIT_KERNELS_TILES_OP_LOOPS_HPP

#include <guardjit/compile/op_kernel.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// `count` elements of an op, or of a pair of ops, from arrays as long as the result, which may be one of
/// them if its elements have the same size.
struct op_loop {
  void (*run)(void* out, void const* const* in, index_t count) = nullptr;
  /// The same where some operands, those whose bit is set in `repeated`, are 64 bytes of copies of one
  /// element; null where none may be.
  void (*run_repeated)(void* out, void const* const* in, unsigned repeated, index_t count) = nullptr;
};

/// Ops that have loops as pairs, `(a first b) second c`: so often does one follow the other.
constexpr int pair_number(op id) { return id == op::add ? 0 : id == op::sub ? 1 : id == op::mul ? 2 : -1; }
inline constexpr op paired_ops[] = {op::add, op::sub, op::mul};
inline constexpr unsigned paired_count = 3;

/// The loops of all ops by one backend, by op and by the dtype in which it computes; null where it does
/// not.
struct op_loops {
  using reduction = void (*)(reduce_nest<2> const&, void* out, void const* const* in);
  using copying = void (*)(loop_nest<2> const&, void* out, void const* const* in);
  using product = void (*)(matmul_nest const&, void* out, void const* left, void const* right);
  using gathering = void (*)(gather_call const&, dtype type, dtype index, layout_view const& to, void* out,
                             array_operand const& x, array_operand const& index_operand);

  /// The loops of pairs, by first and second op; `swapped` where the first one gives the right operand.
  struct pair_loops {
    op_loop straight{}, swapped{};
  };

  std::array<std::array<op_loop, dtype_count>, op_count> elementwise{};
  std::array<std::array<op_loop, dtype_count>, dtype_count> conversions{};  ///< from, to
  std::array<std::array<std::array<pair_loops, paired_count>, paired_count>, dtype_count> pairs{};
  std::array<std::array<reduction, dtype_count>, op_count> reductions{};
  std::array<copying, dtype_count> copies{};
  std::array<product, dtype_count> products{};
  gathering gather = nullptr;  ///< tests all indices, then copies
  void (*arange)(std::int64_t* out, index_t count) = nullptr;
};

/// One element after another with the functions of a backend. Written without formulas, of which there
/// would be hundreds. Rules: POL-17.
template <class Math, op Id, dtype Compute, dtype Result>
[[gnu::noinline]] void plain_loop(void* out, void const* const* in, index_t count) {
  using T = element_t<Compute>;
  using first = element_t<slot_type(Id, 0, Compute)>;
  constexpr int arity = info_of(Id).arity;
  void const *const a = in[0], *const b = arity > 1 ? in[1] : nullptr, *const c = arity > 2 ? in[2] : nullptr;
  for (index_t k = 0; k < count; ++k) {
    lane<first, Math> const x{load_element<first>(a, k)};
    if constexpr (Id == op::to) {
      store_element(out, k, convert<element_t<Result>>(x.value));
    } else if constexpr (arity == 1) {
      store_element(out, k, op_row<Id>::eval(x).value);
    } else {
      lane<T, Math> const y{load_element<T>(b, k)};
      if constexpr (arity == 2) store_element(out, k, op_row<Id>::eval(x, y).value);
      else store_element(out, k, op_row<Id>::eval(x, y, lane<T, Math>{load_element<T>(c, k)}).value);
    }
  }
}
/// Ops that often have a constant beside them.
constexpr bool often_repeats(op id) {
  return id == op::add || id == op::sub || id == op::mul || id == op::div || id == op::maximum ||
         id == op::minimum || id == op::clip;
}
/// The loops of the backend for a formula, null if it has none. `Repeats`: operands may be repeated, which
/// takes a second loop.
template <class Backend, class Formula, bool Repeats> constexpr op_loop packet_loop() {
  if constexpr (!requires(void* out, void const* const* in) { Backend::template flat<Formula>(out, in, 0); })
    return {};
  else if constexpr (Repeats)
    return {&Backend::template flat<Formula>, &Backend::template stepped<Formula>};
  else return {&Backend::template flat<Formula>};
}
template <class Backend, op Id, dtype Compute> constexpr op_loop array_loop() {
  constexpr dtype result = result_type(Id, Compute);
  if constexpr (is_floating(Compute)) {
    constexpr op_loop loop =
        packet_loop<Backend, one_node_formula<Id, Compute, result>, often_repeats(Id)>();
    if constexpr (loop.run != nullptr) return loop;
    else return {&plain_loop<typename math_of<Backend>::type, Id, Compute, result>};
  } else {
    return {&plain_loop<typename math_of<Backend>::type, Id, Compute, result>};
  }
}

template <op First, op Second, dtype Type, bool Swapped> using pair_formula =
    numbers<3, 5, slot_word(First, 0, Type), slot_word(First, 1, Type), slot_word(First, 2, Type),
            formula_node{First, Type, 0, 1, 0}.word(),
            formula_node{Second, Type, Swapped ? 2 : 3, Swapped ? 3 : 2, 0}.word()>;
template <class Backend, dtype Type> constexpr void set_pairs(op_loops& all) {
  for_each_index<paired_count * paired_count>([&]<int K>(std::integral_constant<int, K>) {
    constexpr op first = paired_ops[K / paired_count], second = paired_ops[K % paired_count];
    auto& to = all.pairs[static_cast<unsigned>(Type)][K / paired_count][K % paired_count];
    to.straight = packet_loop<Backend, pair_formula<first, second, Type, false>, true>();
    // Sums and products have the bits of their mirror images.
    to.swapped = to.straight;
    if constexpr (second == op::sub)
      to.swapped = packet_loop<Backend, pair_formula<first, second, Type, true>, true>();
  });
}

template <class Backend, op Id, dtype Compute> constexpr void set_loop(op_loops& all) {
  constexpr auto id = static_cast<unsigned>(Id), type = static_cast<unsigned>(Compute);
  constexpr op_form form = info_of(Id).form;
  constexpr bool has_loop = form == op_form::elementwise || form == op_form::reduction ||
                            form == op_form::contraction;
  if constexpr (!has_loop || Id == op::to) {
    return;
  } else if constexpr (computes_in(Id, Compute)) {
    if constexpr (form == op_form::elementwise)
      all.elementwise[id][type] = array_loop<Backend, Id, Compute>();
    if constexpr (form == op_form::reduction)
      all.reductions[id][type] =
          &Backend::template reduce<one_node_formula<Id, Compute, result_type(Id, Compute)>>;
    if constexpr (form == op_form::contraction)
      all.products[type] = &Backend::template matmul<element_t<Compute>>;
  }
}
/// Conversions are plain loops: a load, a conversion, a store.
template <class Backend, dtype From, int... To>
constexpr void set_conversions(op_loops& all, std::integer_sequence<int, To...>) {
  auto& row = all.conversions[static_cast<unsigned>(From)];
  ((row[To] = {&plain_loop<typename math_of<Backend>::type, op::to, From, static_cast<dtype>(To)>}), ...);
}
template <class Backend, dtype Type, int... Id>
constexpr void set_loops_of_dtype(op_loops& all, std::integer_sequence<int, Id...>) {
  (set_loop<Backend, static_cast<op>(Id), Type>(all), ...);
  if constexpr (is_floating(Type)) set_pairs<Backend, Type>(all);
  set_conversions<Backend, Type>(all, std::make_integer_sequence<int, dtype_count>{});
  all.copies[static_cast<unsigned>(Type)] =
      &Backend::template elementwise<typename copying<Type, Type>::formula>;
}

/// The loops of a backend: instantiated where an interpreter by it is used, once a program.
template <class Backend> inline constexpr op_loops loops_of = [] {
  op_loops all;
  for_each_index<dtype_count>([&]<int K>(std::integral_constant<int, K>) {
    set_loops_of_dtype<Backend, static_cast<dtype>(K)>(all, std::make_integer_sequence<int, op_count>{});
  });
  all.gather = &run_any_gather<Backend>;
  all.arange = &Backend::arange;
  return all;
}();

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
