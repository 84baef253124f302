// guardjit: transforms/opaque.hpp: a callable of real tensors in the middle of a traced function
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TRANSFORMS_OPAQUE_HPP
#define GUARDJIT_TRANSFORMS_OPAQUE_HPP

#include <guardjit/expr/eager.hpp>
#include <guardjit/transforms/with_modes.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// The parameters of a callable that is no template.
template <class Member> struct parameters_of;
template <class F, class Result, class... Parameters>
struct parameters_of<Result (F::*)(Parameters...) const> {
  using list = type_list<std::remove_cvref_t<Parameters>...>;
  using result = Result;
};
template <class F, class Result, class... Parameters>
struct parameters_of<Result (F::*)(Parameters...) const noexcept>
    : parameters_of<Result (F::*)(Parameters...) const> {};

template <class H>
concept not_generic = requires {
  &H::operator();
};

/// A callable without templates that may be called as const.
template <class H>
concept plainly_callable = requires { typename parameters_of<decltype(&H::operator())>::list; };

/// The type of the result where none is named: that of the callable.
struct deduced_result;
template <class R, class H> constexpr auto opaque_result() {
  if constexpr (!std::is_same_v<R, deduced_result>) {
    return std::type_identity<R>{};
  } else if constexpr (plainly_callable<H>) {
    using given = std::remove_cvref_t<typename parameters_of<decltype(&H::operator())>::result>;
    return std::type_identity<typename operand_value<given>::type>{};
  } else {
    return std::type_identity<void>{};
  }
}

/// One C++ compile error where `h` or `R` cannot be used. Rules: G100.
template <class R, class H> constexpr bool require_opaque() {
  constexpr bool has_no_state = std::is_empty_v<H> && std::is_default_constructible_v<H>;
  constexpr bool is_const = !not_generic<H> || plainly_callable<H>;
  constexpr bool has_result = is_tensor_v<typename decltype(opaque_result<R, H>())::type>;
  static_assert(has_no_state,
                "guardjit: opaque<R>(h): h must not capture; what it needs enters as operands, as n in "
                "opaque(h)(x, n)");
  static_assert(!has_no_state || is_const,
                "guardjit: opaque<R>(h): h must be callable as const: its call operator must not be mutable");
  static_assert(!has_no_state || !is_const || has_result,
                "guardjit: opaque<R>(h): R must be the tensor type of the result; it must be named where h "
                "is generic or returns no tensor of a known type");
  return has_no_state && is_const && has_result;
}
/// What stands for a callable that was refused, so that nothing else fails: it gives its first operand.
struct refused_opaque {
  constexpr auto operator()(auto const& first, auto const&...) const { return first; }
};

template <class Parameter> decltype(auto) opaque_argument(operand const& x) {
  if constexpr (std::is_arithmetic_v<Parameter>) return x.scalar<Parameter>();
  else if constexpr (std::is_same_v<Parameter, operand>) return x;
  else if constexpr (std::is_same_v<Parameter, any_tensor>)
    return x.is_scalar() ? tensor_of_scalar(x) : any_tensor(x.tensor());
  else return from_any<Parameter>(x.tensor());
}

/// What the callable gave is what was declared.
template <class R> void check_opaque(any_tensor const& result, source_line where) {
  auto const wrong = [&](char const* what) -> fixed_text {
    return fixed_text{} << "guardjit: opaque<R>(h)(x...): the " << what
                        << " of the result must be that of R: ";
  };
  if (!result || result.type() != R::type())
    raise<dtype_error>(wrong("dtype")
                       << "expected " << name_of(R::type()) << ", got "
                       << (result ? name_of(result.type()) : "no tensor") << "; " << where);
  shape const expected = R::static_shape();
  bool fits = result.rank() == expected.rank;
  for (int d = 0; fits && d < expected.rank; ++d)
    fits = expected[d] == dyn || expected[d] == result.extent(d);
  if (!fits)
    raise<shape_error>(wrong("shape")
                       << "expected " << expected << ", got " << result.shape() << "; " << where);
}

/// The types that `H` is given for so many operands: those of its parameters; `any_tensor`s if it is generic.
template <class H, std::size_t Count> constexpr auto opaque_arguments() {
  if constexpr (not_generic<H>)
    return typename parameters_of<decltype(&H::operator())>::list{};
  else
    return []<std::size_t... K>(std::index_sequence<K...>) {
      return type_list<decltype((static_cast<void>(K), any_tensor()))...>{};
    }(std::make_index_sequence<Count>{});
}
template <class H, class... Arguments> constexpr bool takes_arguments(type_list<Arguments...>) {
  return std::is_invocable_v<H const&, Arguments...>;
}

/// Calls an `H` with `Count` real tensors and scalars.
template <class H, class R, std::size_t Count>
any_tensor call_opaque(std::span<operand const> operands, source_line where) {
  constexpr auto arguments = opaque_arguments<H, Count>();
  constexpr bool fits = arguments.size == Count && takes_arguments<H>(arguments);
  static_assert(fits, "guardjit: opaque<R>(h)(x...): h must take as many arguments as there are operands");
  any_tensor result;
  if constexpr (fits)
    result = [&]<class... Arguments, std::size_t... K>(type_list<Arguments...>, std::index_sequence<K...>) {
      return any_tensor(evaluated(H{}(opaque_argument<Arguments>(operands[K])...)));
    }(arguments, std::make_index_sequence<Count>{});
  check_opaque<R>(result, where);
  return result;
}

/// The break in a trace: its result is a symbol whose run-time extents are its own.
template <class H, class R> constexpr sym break_trace(source_line where, auto const&... operands) {
  tracer& t = *tracer_of(operands...);
  t.begin(op::input, where);
  break_point b{&call_opaque<H, R, sizeof...(operands)>, {}, 0, 0, t.scope(), where, {}};
  ((b.in[static_cast<unsigned>(b.operands++)] =
        static_cast<std::int16_t>(sym_operand(operands, where).node_in(t))),
   ...);
  b.before = t.size_so_far();
  int const argument = t.argument_count() + t.break_count();
  node n;
  n.id = op::input;
  n.type = R::type();
  n.bits = static_cast<std::uint64_t>(argument);
  n.source = static_cast<std::int16_t>(argument);
  n.where = where;
  shape s = R::static_shape();
  for (int d = 0; d < s.rank; ++d)
    if (s[d] == dyn) s[d] = t.input_extent(argument, d);
  n.form = t.add_shape(s);
  int const result = t.push(n);
  b.result = static_cast<std::int16_t>(result);
  if (t.walk()) t.fail(mistake_kind::break_in_handler, 0, 0, 0);
  else if (!t.add_break(b)) t.fail(mistake_kind::too_many_breaks, max_breaks, 0, 0);
  return {&t, result};
}

/// A callable of real tensors.
template <class R, class H> class opaque_function {
 public:
  constexpr explicit opaque_function(source_line where) : where_(where) {}

  template <class... Operands>
  requires(sizeof...(Operands) > 0 && sizeof...(Operands) <= max_opaque_operands) constexpr auto
  operator()(Operands const&... operands) const {
    if constexpr ((has_symbol<Operands>() || ...)) {
      return break_trace<H, result>(where_, operands...);
    } else {
      operand const list[] = {operand(value_of_operand(operands))...};
      return from_any<result>(call_opaque<H, result, sizeof...(operands)>(list, where_));
    }
  }

 private:
  using result = typename decltype(opaque_result<R, H>())::type;

  source_line where_;
};

}  // namespace detail

/// `opaque<R>(h)(x, …)` in a traced function calls `h` with real tensors, each time: there the graph is
/// cut, what stands before and after it is compiled apart. In eager code it is the call. A generic `h` is
/// given `any_tensor`s, also for scalars; another one what its parameters say. `R` is the tensor type of
/// the result; it may be left out where `h` is not generic and returns a tensor of a known type. Run-time
/// extents of `R` are known when `h` has returned: branches on them are decided then, and paths that agree
/// up to there share what was compiled for it.
/// Requires: h without captures; at most 8 operands.
/// Throws: what `h` throws; `dtype_error`, `shape_error` where the result is no `R`.
/// Modes: `h` runs under the modes of the caller and of `with_modes` around it.
/// Rules: G100, G101, M101, M103, M104, M106.
template <class R = detail::deduced_result, class H>
constexpr auto opaque(H, source_line where = std::source_location::current()) {
  if constexpr (detail::require_opaque<R, H>()) return detail::opaque_function<R, H>(where);
  else return detail::refused_opaque{};
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
