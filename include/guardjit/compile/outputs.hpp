// guardjit: compile/outputs.hpp: what a call returns, and what it may write its results into
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_OUTPUTS_HPP
#define GUARDJIT_COMPILE_OUTPUTS_HPP

#include <guardjit/compile/arguments.hpp>
#include <guardjit/compile/options.hpp>
#include <guardjit/expr/evaluate.hpp>
#include <guardjit/graph/results.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

template <class Spec, int K, int... D> auto result_of(std::integer_sequence<int, D...>)
    -> tensor<element_t<Spec::result_types[K].type>, Spec::result_types[K].extents[D]...>;
template <class Spec, int... K> auto results_of(std::integer_sequence<int, K...>)
    -> type_list<decltype(result_of<Spec, K>(
        std::make_integer_sequence<int, Spec::result_types[K].extents.rank>{}))...>;
/// The type that a call returns: the structure of what `F` returns, with tensors for symbols.
template <class Spec> constexpr auto type_of_results() {
  return require_result_type<typename Spec::result_structure,
                             decltype(results_of<Spec>(std::make_integer_sequence<int, Spec::results>{}))>();
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
  static_assert(std::tuple_size_v<Outs> == Spec::results,
                "guardjit: into(out, arguments…): out must have a tensor for each result");
  if constexpr (std::tuple_size_v<Outs> != Spec::results) return false;
  else
    return []<class... Out, int... K>(std::tuple<Out&...> const*, std::integer_sequence<int, K...>) {
      return (require_output<Spec, K, Out>() && ...);
    }
  (static_cast<Outs const*>(nullptr), std::make_integer_sequence<int, Spec::results>{});
}

/// A typed handle of an output. Throws: `dtype_error`, `shape_error` where it is known at run time only
/// and has not the dtype and rank of the result.
template <class Result> Result typed_output(any_tensor const& out) {
  if (!out || out.type() != Result::type())
    raise<dtype_error>(
        fixed_text("guardjit: into(out, arguments...): out must have the dtype of the result: expected ")
        << name_of(Result::type()) << ", got " << (out ? name_of(out.type()) : "no tensor"));
  if (out.rank() != Result::rank())
    raise<shape_error>(
        fixed_text("guardjit: into(out, arguments...): out must have the rank of the result: expected ")
        << Result::rank() << ", got " << out.rank());
  return from_any<Result>(out);
}
template <class Result, element T, index_t... Extents>
tensor<T, Extents...> typed_output(tensor<T, Extents...> const& out) {
  return out;
}
/// Outputs of a call whose types are known at run time only; the result that they take is, too.
template <class Outs> inline constexpr bool are_any_tensors = false;
template <class... Out> inline constexpr bool are_any_tensors<std::tuple<Out&...>> =
    (std::is_same_v<Out, any_tensor> && ...);
template <class... Out> auto as_any_outputs(std::tuple<Out&...> const& outs) {
  return std::apply([](auto&... out) { return std::tuple(any_tensor(out)...); }, outs);
}

template <class Out> using run_time_extents_t =
    dynamic_tensor_t<typename Out::element_type, Out::rank()>;
/// Typed handles of outputs, some of which are known at run time only.
template <class Spec, class... Out> auto typed_outputs(std::tuple<Out&...> const& outs) {
  return []<class... Result>(type_list<Result...>, auto const& all) {
    return std::apply(
        [](auto&... out) { return std::tuple(typed_output<run_time_extents_t<Result>>(out)...); }, all);
  }
  (decltype(results_of<Spec>(std::make_integer_sequence<int, Spec::results>{})){}, outs);
}
/// Writes a call's results into outputs, which `into(tuple of references)` takes.
template <class Spec, class... Out>
[[gnu::always_inline]] inline void into_typed(std::tuple<Out&...> const& outs, auto const& into) {
  if constexpr ((std::is_same_v<Out, any_tensor> || ...)) {
    auto typed = typed_outputs<Spec>(outs);
    std::apply([&into](auto&... out) { into(std::tie(out...)); }, typed);
  } else {
    into(outs);
  }
}

/// The same results as `any_tensor`s.
template <class Results> auto as_any_tensors(Results const& results) {
  auto const leaves = leaves_of(results);
  return std::apply(
      [](auto const&... leaf) {
        any_tensor const all[] = {leaf...};
        unsigned next = 0;
        return built<with_one_leaf_t<Results, any_tensor>>([&](auto) { return all[next++]; });
      },
      leaves);
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
