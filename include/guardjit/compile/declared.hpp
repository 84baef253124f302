// guardjit: compile/declared.hpp: the types that arguments known at run time only may have
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_DECLARED_HPP
#define GUARDJIT_COMPILE_DECLARED_HPP

#include <guardjit/compile/arguments.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// The types of all arguments of a call, by one option `signature`.
template <class... Types> struct declared_types {
  static constexpr int size = static_cast<int>(sizeof...(Types));
  static constexpr std::array<argument_type, sizeof...(Types)> list{argument_type_of<Types>()...};
};

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
  return !wanted.scalar && x.tensor->type() == wanted.type;
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
    declared_table const& table, std::span<given_argument const> given, char const* function) {
  bool const by_shape = declared_up_to(table, given, table.arguments - 1, false) > 0;
  std::size_t bad = 0;
  while (declared_up_to(table, given, bad, by_shape) > 0) ++bad;
  fixed_text text;
  text << "guardjit: " << function << ": arg[" << bad << "] is ";
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

/// The first signature that takes the arguments.
/// Throws: `dtype_error`, `shape_error`, `device_error` with what was declared.
/// Rules: G8.
inline std::size_t declared_signature(declared_table const& table, std::span<given_argument const> given,
                                      char const* function) {
  for (std::size_t s = 0; s < table.signatures(); ++s) {
    bool fits = true;
    for (std::size_t k = 0; k < table.arguments && fits; ++k)
      fits = has_declared_dtype(table.type(s, k), given[k]) && has_declared_shape(table.type(s, k), given[k]);
    if (!fits) continue;
    for (std::size_t k = 0; k < table.arguments; ++k)
      if (given[k].tensor && given[k].tensor->where() != device{}) [[unlikely]]
        raise<device_error>(fixed_text{} << "guardjit: " << function << ": arg[" << k << "] is on "
                                         << given[k].tensor->where() << ", expected " << device{});
    return s;
  }
  raise_undeclared(table, given, function);
}

/// An argument as a signature declares it.
template <class Declared, class Value> decltype(auto) as_declared(Value const& x) {
  if constexpr (std::is_same_v<Value, any_tensor> && is_tensor_v<Declared>)
    return [&]<class T, index_t... Extents>(std::type_identity<tensor<T, Extents...>>) {
      return x.template as<T, Extents...>();
    }
  (std::type_identity<Declared>{});
  else return (x);
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
