// guardjit: compile/declared.hpp: the types that arguments known at run time only may have
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_DECLARED_HPP
#define GUARDJIT_COMPILE_DECLARED_HPP

#include <guardjit/compile/arguments.hpp>
#include <guardjit/compile/function_state.hpp>
#include <guardjit/expr/evaluate.hpp>
#include <guardjit/tensor/borrowed.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// An argument of a call: a tensor whose type is known at run time only, or what its type says.
struct given_argument {
  any_tensor const* tensor = nullptr;
  argument_type typed{};
};

/// The declared types of one function as data: rows of `arguments` each.
struct declared_table {
  std::span<argument_type const> types;
  std::size_t arguments = 0;
  std::size_t signatures() const { return types.size() / arguments; }
  argument_type const& type(std::size_t signature, std::size_t argument) const {
    return types[signature * arguments + argument];
  }
};

inline bool has_declared_dtype(argument_type const& wanted, given_argument const& x) {
  if (!x.tensor) return x.typed.type == wanted.type && x.typed.scalar == wanted.scalar;
  return *x.tensor && !wanted.scalar && x.tensor->type() == wanted.type;
}
inline bool has_declared_shape(argument_type const& wanted, given_argument const& x) {
  shape const& form = x.tensor ? x.tensor->shape() : x.typed.extents;
  if (form.rank != wanted.extents.rank) return false;
  for (int d = 0; d < form.rank; ++d)
    if (wanted.extents[d] != dyn && wanted.extents[d] != form[d]) return false;
  return true;
}

inline fixed_text& operator<<(fixed_text& text, argument_type const& a) {
  text << name_of(a.type);
  return a.scalar ? text << " scalar" : text << ' ' << a.extents;
}

/// How many signatures take the arguments up to `last`, by dtype or by dtype and shape.
inline int declared_up_to(declared_table const& table, std::span<given_argument const> given,
                          std::size_t last, bool by_shape) {
  int count = 0;
  for (std::size_t s = 0; s < table.signatures(); ++s) {
    bool fits = true;
    for (std::size_t k = 0; k < table.arguments; ++k) {
      argument_type const& wanted = table.type(s, k);
      if (by_shape || k <= last) fits = fits && has_declared_dtype(wanted, given[k]);
      if (by_shape && k <= last) fits = fits && has_declared_shape(wanted, given[k]);
    }
    count += fits ? 1 : 0;
  }
  return count;
}

[[noreturn, gnu::cold, gnu::noinline]] inline void raise_undeclared(
    declared_table const& table, std::span<given_argument const> given, function_state const& fn) {
  bool const by_shape = declared_up_to(table, given, table.arguments - 1, false) > 0;
  std::size_t bad = 0;
  while (declared_up_to(table, given, bad, by_shape) > 0) ++bad;
  fixed_text text;
  text << "guardjit: " << fn.label().c_str() << ": arg[" << bad << "] is ";
  if (any_tensor const* const x = given[bad].tensor; x && *x)
    text << name_of(x->type()) << " of rank " << x->rank() << ", shape " << x->shape();
  else if (x) text << "no tensor";
  else text << given[bad].typed;
  text << ", which no signature takes:";
  for (std::size_t s = 0; s < table.signatures(); ++s) {
    text << (s == 0 ? " (" : ", (");
    for (std::size_t k = 0; k < table.arguments; ++k) text << (k == 0 ? "" : ", ") << table.type(s, k);
    text << ')';
  }
  if (by_shape) raise<shape_error>(text);
  raise<dtype_error>(text);
}

/// Says why no signature takes the arguments.
/// Throws: `dtype_error`, `shape_error`, `device_error` with what was declared.
/// Rules: G8.
[[noreturn, gnu::cold]] inline void refuse_undeclared(declared_table const& table,
                                                      std::span<given_argument const> given,
                                                      function_state const& fn) {
  for (std::size_t s = 0; s < table.signatures(); ++s) {
    bool fits = true;
    for (std::size_t k = 0; k < table.arguments && fits; ++k)
      fits = has_declared_dtype(table.type(s, k), given[k]) && has_declared_shape(table.type(s, k), given[k]);
    if (!fits) continue;
    for (std::size_t k = 0; k < table.arguments; ++k)
      if (given[k].tensor && given[k].tensor->where().kind != device_kind::cpu) [[unlikely]]
        raise<device_error>(fixed_text{} << "guardjit: " << fn.label().c_str() << ": arg[" << k << "] is on "
                                         << given[k].tensor->where() << ", expected " << device{});
  }
  raise_undeclared(table, given, fn);
}

/// Whether an argument is what a signature declares: what a call asks of each signature in turn.
template <class Declared, class Value> [[gnu::always_inline]] inline bool is_declared(Value const& x) {
  if constexpr (std::is_same_v<Value, any_tensor>) {
    if (!x.is_on_host_of(Declared::type()) || x.rank() != Declared::rank()) return false;
  }
  if constexpr (is_argument_tensor_v<Declared>) {
    for (int d = 0; d < Declared::rank(); ++d)
      if (index_t const n = Declared::static_extent(d); n != dyn && n != x.layout().extent(d)) return false;
  }
  return true;
}

/// An argument as a signature declares it: a look at it, or itself.
template <class Declared, class Value> decltype(auto) as_declared(Value const& x) {
  if constexpr (std::is_same_v<Value, any_tensor>) return borrowed<Declared>(x);
  else return (x);
}
template <class Declared> Declared const& value_of_declared(borrowed<Declared> const& x) { return x.get(); }
template <class Value> Value const& value_of_declared(Value const& x) { return x; }

/// Whether an argument may have a declared type, as far as its own type tells.
template <class Declared, class Value> constexpr bool may_be_declared() {
  if constexpr (std::is_same_v<Value, any_tensor>) return is_tensor_v<Declared>;
  else if constexpr (is_argument_tensor_v<Value> && is_argument_tensor_v<Declared>)
    return Value::type() == Declared::type() && Value::rank() == Declared::rank();
  else return argument_type_of<Value>() == argument_type_of<Declared>();
}
template <class... Declared, class... Values>
constexpr bool may_fit(type_list<Declared...>, type_list<Values...>) {
  if constexpr (sizeof...(Declared) != sizeof...(Values)) return false;
  else return (may_be_declared<Declared, Values>() && ...);
}
/// The signatures that arguments of these types may have.
template <class... Signatures, class Values>
auto fitting(type_list<Signatures...>, Values)
    -> joined_t<std::conditional_t<may_fit(Signatures{}, Values{}), type_list<Signatures>, type_list<>>...>;

/// The types of the leaves of declared types, and those of values bound behind them.
template <class... Leaf> auto leaf_types(std::tuple<Leaf&...>) -> type_list<std::remove_const_t<Leaf>...>;
template <class Value> using leaf_types_t = decltype(leaf_types(leaves_of(std::declval<Value&>())));
template <class Bound, class... Declared>
auto with_bound_leaves(type_list<Declared...>) -> joined_t<leaf_types_t<Declared>..., Bound>;
template <class Bound, class... Signatures>
auto declared_leaves(type_list<Signatures...>)
    -> type_list<decltype(with_bound_leaves<Bound>(Signatures{}))...>;

/// The types of several signatures of one length, row by row.
template <class... Declared> constexpr auto declared_row(type_list<Declared...>) {
  return std::array{argument_type_of<Declared>()...};
}
template <class First, class... Rest> constexpr auto declared_rows(type_list<First, Rest...>) {
  constexpr std::array<argument_type, First::size> rows[] = {declared_row(First{}), declared_row(Rest{})...};
  std::array<argument_type, First::size * (sizeof...(Rest) + 1)> flat{};
  std::size_t next = 0;
  for (auto const& row : rows)
    for (argument_type const& type : row) flat[next++] = type;
  return flat;
}
template <class List> inline constexpr auto declared_types = declared_rows(List{});

/// Calls `use` with the arguments as the first signature declares them that they fit. Where they fit none,
/// `otherwise` throws.
template <class... Declared, class... Rest, class... Values>
auto call_declared(type_list<type_list<Declared...>, Rest...>, auto const& otherwise, auto const& use,
                   Values const&... values) {
  if ((is_declared<Declared>(values) && ...)) [[likely]]
    return use(value_of_declared(as_declared<Declared>(values))...);
  if constexpr (sizeof...(Rest) > 0) {
    return call_declared(type_list<Rest...>{}, otherwise, use, values...);
  } else {
    otherwise();
    return use(value_of_declared(as_declared<Declared>(values))...);  // never: for the type
  }
}

template <class Value> given_argument given(Value const& x) {
  if constexpr (std::is_same_v<Value, any_tensor>) {
    return {&x, {}};
  } else {
    given_argument a{nullptr, argument_type_of<Value>()};
    if constexpr (is_argument_tensor_v<Value>) a.typed.extents = x.shape();
    return a;
  }
}

/// Calls `use` with the arguments as the first of `Signatures` declares them that they fit.
/// Throws: as `refuse_undeclared`.
template <class Signatures, class... Values>
auto with_declared(function_state const& fn, auto const& use, Values const&... values) {
  static_assert(Signatures::size > 0,
                "guardjit: compile(f, options...)(x...): an any_tensor argument needs the option "
                "signature<...>, which names the types that it may have");
  using list = decltype(fitting(Signatures{}, type_list<Values...>{}));
  static_assert(Signatures::size == 0 || list::size > 0,
                "guardjit: compile(f, signature<...>)(x...): no signature has the number and the types of "
                "these arguments");
  if constexpr (list::size > 0) {
    auto const refuse = [&]() __attribute__((noinline, cold)) {
      given_argument const all[] = {given(values)...};
      refuse_undeclared({declared_types<list>, sizeof...(Values)}, all, fn);
    };
    return call_declared(list{}, refuse, use, values...);
  }
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
