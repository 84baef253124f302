// guardjit: kernels/tiles/op_loops.hpp: a backend's loops of single ops as data: what interpreters run
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_KERNELS_TILES_OP_LOOPS_HPP
#define GUARDJIT_KERNELS_TILES_OP_LOOPS_HPP

#include <guardjit/compile/op_kernel.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// The loops of all ops by one backend, by op and by the dtype in which it computes; null where it does
/// not. Those of elementwise ops take arrays as long as the result, which may be one of them if its
/// elements have the same size.
struct op_loops {
  using reduction = void (*)(reduce_nest<2> const&, void* out, void const* const* in);
  using copying = void (*)(loop_nest<2> const&, void* out, void const* const* in);
  using product = void (*)(matmul_nest const&, void* out, void const* left, void const* right);
  using gathering = void (*)(gather_call const&, dtype type, dtype index, layout_view const& to, void* out,
                             array_operand const& x, array_operand const& index_operand);

  std::array<std::array<flat_kernel, dtype_count>, op_count> elementwise{};
  std::array<std::array<flat_kernel, dtype_count>, dtype_count> conversions{};  ///< from, to
  std::array<std::array<reduction, dtype_count>, op_count> reductions{};
  std::array<copying, dtype_count> copies{};
  std::array<product, dtype_count> products{};
  gathering gather = nullptr;  ///< tests all indices, then copies
  void (*arange)(std::int64_t* out, index_t count) = nullptr;
};

/// One element after another with the functions of a backend. Rules: POL-17.
template <class Backend, class Formula>
[[gnu::noinline]] void plain_loop(void* out, void const* const* in, index_t count) {
  using lanes = typename plain_backend<Backend>::lanes;
  void const* from[Formula::inputs];
  for (int k = 0; k < Formula::inputs; ++k) from[k] = in[k];
  for (index_t k = 0; k < count; ++k) {
    index_t at[Formula::inputs + 1];
    for (index_t& offset : at) offset = k;
    store_element(out, k, evaluate_at<Formula, lanes>(from, at).value);
  }
}
/// The loop of the backend for arrays, if it has one.
template <class Backend, class Formula> constexpr flat_kernel array_loop() {
  if constexpr (requires(void* out, void const* const* in) { Backend::template flat<Formula>(out, in, 0); })
    return &Backend::template flat<Formula>;
  else return &plain_loop<Backend, Formula>;
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
      all.elementwise[id][type] =
          array_loop<Backend, one_node_formula<Id, Compute, result_type(Id, Compute)>>();
    else if constexpr (form == op_form::reduction)
      all.reductions[id][type] =
          &Backend::template reduce<one_node_formula<Id, Compute, result_type(Id, Compute)>>;
    else all.products[type] = &Backend::template matmul<element_t<Compute>>;
  }
}
/// Conversions are plain loops: a load, a conversion, a store.
template <class Backend, dtype From, int... To>
constexpr void set_conversions(op_loops& all, std::integer_sequence<int, To...>) {
  auto& row = all.conversions[static_cast<unsigned>(From)];
  ((row[To] = &plain_loop<Backend, one_node_formula<op::to, From, static_cast<dtype>(To)>>), ...);
}
template <class Backend, dtype Type, int... Id>
constexpr void set_loops_of_dtype(op_loops& all, std::integer_sequence<int, Id...>) {
  (set_loop<Backend, static_cast<op>(Id), Type>(all), ...);
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
