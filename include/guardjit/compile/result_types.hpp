// guardjit: compile/result_types.hpp: what a compiled call returns, and what it can write its results into
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_RESULT_TYPES_HPP
#define GUARDJIT_COMPILE_RESULT_TYPES_HPP

#include <guardjit/compile/spec.hpp>
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
  static_assert(is_tensor_v<Out>,
                "guardjit: into(out, arguments…): out must be a tensor, or a structure of tensors");
  if constexpr (is_tensor_v<Out>) {
    constexpr declared_result result = Spec::result_types[K];
    static_assert(Out::type() == result.type,
                  "guardjit: into(out, arguments…): out must have the dtype of the result");
    static_assert(Out::rank() == result.extents.rank,
                  "guardjit: into(out, arguments…): out must have the rank of the result");
    return Out::type() == result.type && Out::rank() == result.extents.rank;
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

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
