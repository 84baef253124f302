// guardjit: compile/outputs.hpp: what a call returns, and what it may write its results into
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_OUTPUTS_HPP
#define GUARDJIT_COMPILE_OUTPUTS_HPP

#include <guardjit/compile/arguments.hpp>
#include <guardjit/compile/options.hpp>
#include <guardjit/expr/evaluate.hpp>
#include <guardjit/graph/results.hpp>
#include <guardjit/tensor/borrowed.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace mistakes {
/// The number of the argument, of its leaf if it has several; bound ones come behind the others.
template <int Argument, class Given> struct written_argument_is_const;
template <int Argument, class Bound> struct bound_value_is_written;
}  // namespace mistakes

namespace detail {

/// What `into` writes: a tensor of the caller, or a structure of tensors.
template <class Outputs>
concept writable_outputs = structure<std::remove_cvref_t<Outputs>> ||
    (std::is_lvalue_reference_v<Outputs> && (is_tensor_v<std::remove_reference_t<Outputs>> ||
                                             std::is_same_v<std::remove_reference_t<Outputs>, any_tensor>));

template <int Argument, bool IsGiven, bool IsWritable, class Given, class Bound>
constexpr bool require_writable_argument() {
  if constexpr (!IsWritable && IsGiven)
    static_assert(no_mistake<mistakes::written_argument_is_const<Argument, Given>>,
                  "guardjit: compile(f)(arguments...): an argument that f assigns to must be a tensor that "
                  "is not const, no temporary and no expression");
  else if constexpr (!IsWritable)
    static_assert(no_mistake<mistakes::bound_value_is_written<Argument, Bound>>,
                  "guardjit: compile(f, bind(v...)): a bound value that f assigns to must be std::ref(v)");
  return IsWritable;
}

template <class Spec, int K, int... D> auto result_of(std::integer_sequence<int, D...>)
    -> tensor<element_t<Spec::result_types[K].type>, Spec::result_types[K].extents[D]...>;
template <class Spec, int... K> auto results_of(std::integer_sequence<int, K...>)
    -> type_list<decltype(result_of<Spec, K>(
        std::make_integer_sequence<int, Spec::result_types[K].extents.rank>{}))...>;
/// The type that a call returns: the structure of what `F` returns, with tensors for symbols.
template <class Spec> constexpr auto type_of_results() {
  if constexpr (Spec::returned == 0) return std::type_identity<void>{};
  else
    return require_result_type<
        typename Spec::result_structure,
        decltype(results_of<Spec>(std::make_integer_sequence<int, Spec::returned>{}))>();
}

template <class Spec, int K, class Out> constexpr bool require_output() {
  constexpr bool is_tensor = is_tensor_v<Out> || std::is_same_v<Out, any_tensor>;
  static_assert(is_tensor,
                "guardjit: into(out, arguments…): out must be a tensor, or a structure of tensors");
  if constexpr (std::is_same_v<Out, any_tensor>) {
    return true;
  } else if constexpr (is_tensor) {
    constexpr declared_result result = Spec::result_types[K];
    constexpr bool same_type = Out::type() == result.type, same_rank = Out::rank() == result.extents.rank;
    static_assert(same_type, "guardjit: into(out, arguments…): out must have the dtype of the result");
    static_assert(same_rank, "guardjit: into(out, arguments…): out must have the rank of the result");
    return same_type && same_rank;
  } else {
    return false;
  }
}
/// Whether tensors of these types, a tuple of references, can take the results. One C++ compile error
/// if not.
template <class Spec, class Outs> constexpr bool require_outputs() {
  static_assert(std::tuple_size_v<Outs> == Spec::returned,
                "guardjit: into(out, arguments…): out must have a tensor for each result");
  if constexpr (std::tuple_size_v<Outs> != Spec::returned) return false;
  else
    return []<class... Out, int... K>(std::tuple<Out&...> const*, std::integer_sequence<int, K...>) {
      return (require_output<Spec, K, Out>() && ...);
    }
  (static_cast<Outs const*>(nullptr), std::make_integer_sequence<int, Spec::returned>{});
}

template <class Out> constexpr bool fits_output([[maybe_unused]] declared_result const& result) {
  if constexpr (is_tensor_v<Out>) return Out::type() == result.type && Out::rank() == result.extents.rank;
  else return true;
}
/// Whether tensors of these types have the dtypes and ranks of the results, if they are as many.
template <class Spec, class Outs> constexpr bool fits_outputs() {
  if constexpr (std::tuple_size_v<Outs> != Spec::returned) return true;
  else
    return []<class... Out, int... K>(std::tuple<Out&...> const*, std::integer_sequence<int, K...>) {
      return (fits_output<Out>(Spec::result_types[K]) && ...);
    }
  (static_cast<Outs const*>(nullptr), std::make_integer_sequence<int, Spec::returned>{});
}

/// Whether what a call is given may be written, leaf by leaf; `Given` are forwarding references.
template <class Given> constexpr auto writable_leaves() {
  using value = std::remove_cvref_t<Given>;
  if constexpr (leaf<value> || !structure<value>) {
    using leaf_type = std::remove_reference_t<Given>;
    bool const is_tensor = leaf<value> && !is_frozen_v<value>;
    return std::array{is_tensor && std::is_lvalue_reference_v<Given> && !std::is_const_v<leaf_type>};
  } else {
    return []<class... Leaf>(std::tuple<Leaf&...>*) {
      return std::array<bool, sizeof...(Leaf)>{
          (std::is_lvalue_reference_v<Given> && !std::is_const_v<Leaf> && !is_frozen_v<Leaf>)...};
    }(static_cast<decltype(leaves_of(std::declval<std::remove_reference_t<Given>&>()))*>(nullptr));
  }
}
/// The same of a bound value, which `std::ref` may let be written.
template <class Value> constexpr auto writable_bound_leaves() {
  if constexpr (reference_like<Value>) return writable_leaves<typename Value::type&>();
  else return writable_leaves<Value const&>();
}
template <class... Given, class... Bound>
constexpr bool is_writable(type_list<Given...>, type_list<Bound...>, int argument) {
  bool writable = true;
  auto const look = [&](auto const& leaves) {
    for (bool one : leaves)
      if (argument-- == 0) writable = one;
  };
  (look(writable_leaves<Given>()), ...);
  (look(writable_bound_leaves<Bound>()), ...);
  return writable;
}
template <class... Given> constexpr int count_leaves(type_list<Given...>) {
  return (0 + ... + static_cast<int>(writable_leaves<Given>().size()));
}
/// Whether all arguments that `f` assigns to may be written. One C++ compile error for one that may not.
/// Rules: G4, G150.
template <class Spec, class Given, class Bound> constexpr bool require_writable() {
  return []<int... K>(std::integer_sequence<int, K...>) {
    return (require_writable_argument<K, (K < count_leaves(Given{})), is_writable(Given{}, Bound{}, K), Given,
                                      Bound>() &&
            ...);
  }(typename Spec::in_outs{});
}

/// An output as one of the type `Result`. Throws: `dtype_error`, `shape_error` where its type is known at run
/// time only and has not the dtype and rank of the result.
template <class Result> borrowed<Result> typed_output(any_tensor const& out) {
  if (!out || out.type() != Result::type())
    raise<dtype_error>(
        fixed_text("guardjit: into(out, arguments...): out must have the dtype of the result: expected ")
        << name_of(Result::type()) << ", got " << (out ? name_of(out.type()) : "no tensor"));
  if (out.rank() != Result::rank())
    raise<shape_error>(
        fixed_text("guardjit: into(out, arguments...): out must have the rank of the result: expected ")
        << Result::rank() << ", got " << out.rank());
  return borrowed<Result>(out);
}
template <class Out> using run_time_extents_t =
    dynamic_tensor_t<typename Out::element_type, Out::rank()>;
/// Calls `use` with a tuple of references to tensors of the types `Result`.
template <class... Result>
[[gnu::always_inline]] inline void with_handles(auto const& use, borrowed<Result>&&... handle) {
  use(std::tie(handle.get()...));
}
/// Writes a call's results into outputs, which `into(tuple of references)` takes.
template <class Spec, class... Out>
[[gnu::always_inline]] inline void into_typed(std::tuple<Out...> const& outs, auto const& into) {
  if constexpr ((std::is_same_v<std::remove_cvref_t<Out>, any_tensor> || ...)) {
    [&]<class... Result>(type_list<Result...>) {
      std::apply(
          [&into](auto&... out) { with_handles(into, typed_output<run_time_extents_t<Result>>(out)...); },
          outs);
    }
    (decltype(results_of<Spec>(std::make_integer_sequence<int, Spec::returned>{})){});
  } else {
    into(outs);
  }
}

/// Writes a call's results into outputs, which `into(tuple of references)` takes. Outputs that have not the
/// dtypes and ranks of the results are a C++ compile error, but with `IsAny`: which signature a call has is
/// known at run time only then.
/// Throws: `dtype_error`, `shape_error`.
template <class Spec, bool IsAny, class Outs>
[[gnu::always_inline]] inline void into_outputs(Outs const& outs, auto const& into) {
  if constexpr (IsAny && !fits_outputs<Spec, Outs>())
    std::apply([&into](auto&... out) { into_typed<Spec>(std::tuple(any_tensor(out)...), into); }, outs);
  else if constexpr (require_outputs<Spec, Outs>()) into_typed<Spec>(outs, into);
}

/// The same results as `any_tensor`s.
template <class Results> auto as_any_tensors(Results results) {
  return std::apply(
      [](auto&... leaf) {
        any_tensor all[] = {any_tensor(std::move(leaf))...};
        unsigned next = 0;
        return built<with_one_leaf_t<Results, any_tensor>>([&](auto) { return std::move(all[next++]); });
      },
      leaves_of(results));
}

/// What is done with a call for its value, an `any_tensor` where an argument is one; without results it only
/// writes its arguments. `Given` and `Bound` are lists of the types of arguments.
template <class Given, class Bound, bool IsAny> struct run_for_value {
  template <class Spec> [[gnu::always_inline]] auto operator()(Spec, auto& call) const {
    if constexpr (require_writable<Spec, Given, Bound>()) {
      using type = typename decltype(type_of_results<Spec>())::type;
      if constexpr (Spec::returned == 0) call.into(std::tuple<>{});
      else if constexpr (!std::is_void_v<type> && IsAny)
        return as_any_tensors(call.template result<type>());
      else if constexpr (!std::is_void_v<type>) return call.template result<type>();
    }
  }
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
