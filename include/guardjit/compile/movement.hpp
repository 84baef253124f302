// guardjit: compile/movement.hpp: runs concat, take and gather, and refuses wrong indices
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_MOVEMENT_HPP
#define GUARDJIT_COMPILE_MOVEMENT_HPP

#include <guardjit/compile/call_input.hpp>
#include <guardjit/compile/nests.hpp>
#include <guardjit/ops/numbers.hpp>
#include <guardjit/reference/movement.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// A value of one dtype in another, to which it promotes: as a formula.
template <dtype From, dtype To> struct copying {
  using formula = numbers<1, 2, formula_node{op::input, From, 0, 0, 0}.word(),
                          formula_node{op::to, To, 0, 0, 0}.word()>;
};
template <dtype Type> struct copying<Type, Type> {
  using formula = numbers<1, 1, formula_node{op::input, Type, 0, 0, 0}.word()>;
};

/// Copies one operand of a concat.
template <class Backend, dtype From, dtype To>
void run_concat_part(concat_part const& part, void* out, void const* in) {
  Backend::template elementwise<typename copying<From, To>::formula>(
      part.loops, advance_array<element_t<To>>(out, part.offset), &in);
}

[[noreturn, gnu::cold, gnu::noinline]] inline void raise_outside(op id, index_t index, int axis,
                                                                 index_t extent,
                                                                 source_line where) {
  raise_mistake({mistake_kind::index_out_of_range, id, index, extent, axis, {}},
                fixed_text{} << "; " << where);
}

/// What `take` and `gather` are given besides arrays.
struct gather_call {
  op id{};
  int axis = 0;
  source_line where{};
};

/// Tests all indices, then copies.
/// Throws: `index_error`; nothing is written then. Rules: N41, POL-11.
template <class Backend, element T, element Index>
void run_gather(gather_call const& call, gather_nest const& nest, loop_nest<1> const& indices,
                void* out, void const* x, void const* index) {
  outside_index const wrong =
      Backend::template first_outside<Index>(indices, index, nest.extent);
  if (wrong.found) [[unlikely]]
    raise_outside(call.id, wrong.value, call.axis, nest.extent, call.where);
  Backend::template gather<T, Index>(nest, out, x, index);
}

/// The same for dtypes that are known at run time.
template <class Backend>
void run_any_gather(gather_call const& call, dtype type, dtype index_type, layout_view const& to,
                    void* out, array_operand const& x, array_operand const& index) {
  gather_nest const nest = gather_nest_of(call.id, to, x.layout, index.layout, call.axis);
  loop_nest<1> const indices = index_nest_of(index.layout);
  visit_dtype(type, [&]<class T>(std::type_identity<T>) {
    if (index_type == dtype::i32)
      run_gather<Backend, T, std::int32_t>(call, nest, indices, out, x.data, index.data);
    else run_gather<Backend, T, std::int64_t>(call, nest, indices, out, x.data, index.data);
  });
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
