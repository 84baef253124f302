// guardjit: expr/eager.hpp: an op on tensors runs at once: checked, through the modes, by a kernel
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_EXPR_EAGER_HPP
#define GUARDJIT_EXPR_EAGER_HPP

#include <guardjit/expr/eager_result.hpp>
#include <guardjit/modes/infer.hpp>
#include <guardjit/modes/op_call.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// Runs ops by the kernels of a backend; `compile/evaluator.hpp` defines it.
template <class Backend> struct evaluator;

namespace detail {

template <class Type>
concept complete = requires {
  sizeof(Type);
};

/// Views and factories compute nothing, and so need no backend.
template <class Backend, op Id> constexpr bool require_backend() {
  constexpr bool computes = !is_view(Id) && info_of(Id).form != op_form::factory;
  if constexpr (computes)
    static_assert(
        complete<Backend>,
        "guardjit: an op on tensors runs by the default backend: include "
        "<guardjit/kernels/eigen.hpp>, or name backend(reference) in a compiled function, or "
        "define GUARDJIT_DEFAULT_BACKEND=reference");
  return !computes || complete<Backend>;
}

/// Operands of which one is an `any_tensor`.
template <class Backend, op Id, class To, class... Operands>
any_tensor run_any(attributes const& extra, source_line where, bool in_place,
                   Operands const&... in) {
  operand const operands[] = {operand(in)...};
  infer_op(Id, operands, extra, where);
  op_call call({.id = Id,
                .operands = operands,
                .attribute = &extra,
                .kernel = evaluator<Backend>::template any_kernel<Id, To>(),
                .where = where,
                .in_place = in_place});
  return dispatch(call);
}

template <class Result> Result from_any(any_tensor const& x) {
  return [&]<element T, index_t... Extents>(std::type_identity<tensor<T, Extents...>>) {
    return x.as<T, Extents...>();
  }
  (std::type_identity<Result>{});
}

/// Typed operands that were checked, through the modes.
template <op Id, class Result>
[[gnu::noinline]] Result ask_modes(attributes const& extra, source_line where, bool in_place,
                                   op_kernel kernel, std::span<operand const> operands) {
  op_promise const promise{Result::type(), Result::static_shape()};
  op_call call({.id = Id,
                .operands = operands,
                .attribute = &extra,
                .kernel = kernel,
                .where = where,
                .in_place = in_place,
                .promise = &promise});
  return from_any<Result>(dispatch(call));
}

/// The device of the tensors among typed operands.
template <class... Operands> device common_device(op id, source_line where, Operands const&... in) {
  device on;
  bool placed = false;
  auto const look = [&](auto const& x) {
    if constexpr (!eager_operand<std::remove_cvref_t<decltype(x)>>::scalar) {
      if (placed && x.where() != on) [[unlikely]]
        raise_device_mismatch(id, on, x.where(), where);
      on = x.where();
      placed = true;
    }
  };
  (look(in), ...);
  return on;
}

/// The shape of one operand of a call.
template <class Operand> shape shape_of_operand(Operand const& x) {
  if constexpr (eager_operand<Operand>::scalar) return {};
  else return x.shape();
}

constexpr bool all_known(shape const& s) {
  for (int d = 0; d < s.rank; ++d)
    if (s[d] == dyn) return false;
  return true;
}

/// Whether all tensors have the extents `extents`; scalars fit always.
template <class Extents, class... Operands>
bool all_of_extents(Extents const& extents, Operands const&... in) {
  index_t differs = 0;
  auto const compare = [&](auto const& x) {
    if constexpr (!eager_operand<std::remove_cvref_t<decltype(x)>>::scalar)
      for (int d = 0; d < x.rank(); ++d) differs |= extents[static_cast<unsigned>(d)] ^ x.extent(d);
  };
  (compare(in), ...);
  return differs == 0;
}

/// The extents of a typed result: constants, or those that all operands have, or by the rules.
/// Throws: `shape_error`, `index_error`.
template <op Id, class Result, class... Operands>
typename Result::extents_type typed_extents(attributes const& extra, source_line where,
                                            Operands const&... in) {
  using extents_type = typename Result::extents_type;
  constexpr shape known = Result::static_shape();
  constexpr bool by_operands = is_elementwise(Id) || info_of(Id).form == op_form::contraction;
  constexpr bool proved = by_operands && (all_known(eager_operand<Operands>::extents) && ...);
  extents_type result{};
  if constexpr (proved) {
    for (int d = 0; d < known.rank; ++d) result[static_cast<unsigned>(d)] = known[d];
    return result;
  } else {
    if constexpr (is_elementwise(Id) && ((eager_operand<Operands>::scalar ||
                                          eager_operand<Operands>::extents.rank == known.rank) &&
                                         ...)) {
      auto const take = [&](auto const& x) {
        if constexpr (!eager_operand<std::remove_cvref_t<decltype(x)>>::scalar)
          for (int d = 0; d < known.rank; ++d) result[static_cast<unsigned>(d)] = x.extent(d);
      };
      (take(in), ...);
      if (all_of_extents(result, in...)) [[likely]]
        return result;
    }
    shape const shapes[] = {shape_of_operand(in)...};
    shape const inferred = inferred_shape(Id, shapes, extra, where);
    for (int d = 0; d < known.rank; ++d) result[static_cast<unsigned>(d)] = inferred[d];
    return result;
  }
}

/// Typed operands: dtypes, rank and what types say of the extents were checked by the compiler.
template <class Backend, op Id, class Result, dtype Compute, class... Operands>
Result run_typed(attributes const& extra, source_line where, bool in_place, Operands const&... in) {
  auto const extents = typed_extents<Id, Result>(extra, where, in...);
  (
      [&] {
        if constexpr (eager_operand<Operands>::scalar) check_scalar(in, Id, Compute, where);
      }(),
      ...);
  device const on = common_device(Id, where, in...);
  if (dispatch_active()) [[unlikely]] {
    operand const operands[] = {operand(in)...};
    constexpr op_kernel kernel = evaluator<Backend>::template kernel<Id, Compute, Result::type()>();
    return ask_modes<Id, Result>(extra, where, in_place, kernel, operands);
  }
  return evaluator<Backend>::template run<Id, Compute, Result>(extra, extents, on, in...);
}

/// An op in eager code on backend `Backend`. Typed operands give a typed result.
template <class Backend, op Id, int Dims, class To, class... Operands>
requires eager_operands<Operands...>
auto run_eager(op_tag<Id, Dims, To>, attributes const& extra, source_line where, bool in_place,
               Operands const&... in) {
  if constexpr (typed_operands<Operands...>) {
    constexpr static_result facts = infer_static<Id, Dims, To, Operands...>();
    using result = tensor_of_t<facts.types.result, facts.extents>;
    require_no_mistake<facts.wrong, mistakes::this_call>();
    if constexpr (facts.wrong || !require_backend<Backend, Id>()) return result();
    else return run_typed<Backend, Id, result, facts.types.compute>(extra, where, in_place, in...);
  } else if constexpr (!require_backend<Backend, Id>()) {
    return any_tensor();
  } else {
    return run_any<Backend, Id, To>(extra, where, in_place, in...);
  }
}

/// A factory in eager code.
template <class Backend, op Id, int Rank, class T, class Value>
auto run_factory(attributes const& extra, source_line where, Value value) {
  using result = tensor_of_t<dtype_v<T>, unknown_shape(Rank)>;
  inferred_shape(Id, {}, extra, where);
  constexpr std::size_t arity = info_of(Id).arity;
  operand const operands[] = {operand(value)};
  constexpr op_kernel kernel = evaluator<Backend>::template kernel<Id, dtype_v<T>, dtype_v<T>>();
  return ask_modes<Id, result>(extra, where, false, kernel, {operands, arity});
}

}  // namespace detail

/// An op in eager code: runs at once. Operands of known types give a `tensor`, others an
/// `any_tensor`.
/// Throws: `dtype_error`, `shape_error`, `index_error`, `device_error` for operands that the op does
/// not allow, before any mode is asked; what modes throw; `std::bad_alloc`.
/// Complexity: without modes one branch more than the kernel; allocates the result, and a copy of
/// each operand that has another dtype than the op computes in.
/// Modes: told once. Rules: M10, M15, M20, M22.
template <op Id, int Dims, class To, class... Operands>
requires detail::eager_operands<Operands...>
auto apply_op(op_tag<Id, Dims, To> tag, attributes const& extra, source_line where,
              Operands const&... in) {
  return detail::run_eager<default_backend>(tag, extra, where, false, in...);
}

/// A factory in eager code. Rules: as `apply_op`; M40.
template <op Id, int Rank, class T, class Value, std::integral... Extents>
auto apply_factory(op_tag<Id, Rank, T>, attributes const& extra, source_line where, Value value,
                   Extents const&...) {
  return detail::run_factory<default_backend, Id, Rank, T>(extra, where, value);
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
