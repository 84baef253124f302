// guardjit: compile/shape_of.hpp: the option `shape_of`: declared extents of an argument
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_SHAPE_OF_HPP
#define GUARDJIT_COMPILE_SHAPE_OF_HPP

#include <guardjit/base/fixed_string.hpp>
#include <guardjit/base/type_list.hpp>
#include <guardjit/graph/mistakes.hpp>
#include <guardjit/graph/signature.hpp>

namespace guardjit::inline GUARDJIT_ABI {

struct any_extent_type {};
struct static_extent_type {};
struct auto_extent_type {};
template <index_t K> struct multiple_type {};
template <fixed_string Text> struct named_type {};

/// Extents of `shape_of`. One entry serves all values, from the first call on.
inline constexpr any_extent_type any_extent{};
/// Each value has an entry of its own.
inline constexpr static_extent_type static_extent{};
/// As `dynamic::automatic`: the first entry fixes the extent, a later one leaves it open if it varied.
inline constexpr auto_extent_type auto_extent{};
/// As `any_extent`, from `lo` to `hi`.
struct extent_between {
  index_t lo, hi;
};
/// As `any_extent`, but only multiples of `K`.
template <index_t K> inline constexpr multiple_type<K> multiple{};
/// As `any_extent`; all extents of one name are equal.
template <fixed_string Text> inline constexpr named_type<Text> named{};

namespace mistakes {
template <auto Given> struct no_declared_extent;
template <index_t Lo, index_t Hi> struct declared_range_is_empty;
template <index_t Divisor> struct declared_divisor_is_too_small;
template <index_t Extent> struct declared_extent_is_negative;
template <int Argument, int Arguments> struct no_such_argument;
template <int Argument> struct declared_argument_is_no_tensor;
template <int Argument, int Declared, int Rank> struct declared_rank_differs;
template <int Argument, int Dim, index_t Declared, index_t Extent> struct declared_extent_differs;
template <int Argument, int Dim, index_t Lo, index_t Hi, index_t Extent> struct extent_is_out_of_range;
template <int Argument, int Dim, index_t Divisor, index_t Extent> struct extent_is_no_multiple;
template <int Argument, int Dim, index_t Extent, index_t Other> struct named_extents_differ;
}  // namespace mistakes

namespace detail {

/// What one `d` of `shape_of` says.
template <class Given> struct declaration_of {
  static constexpr bool is_one = std::is_integral_v<Given> && !std::is_same_v<Given, bool>;
  static constexpr declared_extent of(Given given) {
    declared_extent e{.kind = declared_kind::number};
    if constexpr (is_one) e.lo = e.hi = static_cast<index_t>(given);
    return e;
  }
};
template <declared_kind Kind> struct declaration_of_kind {
  static constexpr bool is_one = true;
  static constexpr declared_extent of(auto) { return {.kind = Kind}; }
};
template <> struct declaration_of<any_extent_type> : declaration_of_kind<declared_kind::any> {};
template <> struct declaration_of<static_extent_type> : declaration_of_kind<declared_kind::fixed> {};
template <> struct declaration_of<auto_extent_type> : declaration_of_kind<declared_kind::automatic> {};
template <> struct declaration_of<extent_between> {
  static constexpr bool is_one = true;
  static constexpr declared_extent of(extent_between given) {
    auto const kind = given.lo == given.hi ? declared_kind::number : declared_kind::range;
    return {.kind = kind, .lo = given.lo, .hi = given.hi};
  }
};
template <index_t K> struct declaration_of<multiple_type<K>> {
  static constexpr bool is_one = true;
  static constexpr declared_extent of(multiple_type<K>) {
    return {.kind = declared_kind::multiple, .divisor = K};
  }
};
template <fixed_string Text> struct declaration_of<named_type<Text>> {
  static constexpr bool is_one = true;
  static constexpr declared_extent of(named_type<Text>) {
    return {.kind = declared_kind::named, .name = Text.text};
  }
};

template <auto Given> constexpr bool require_declared_extent() {
  using type = std::remove_const_t<decltype(Given)>;
  if constexpr (!declaration_of<type>::is_one) {
    static_assert(no_mistake<mistakes::no_declared_extent<Given>>,
                  "guardjit: shape_of<I, d...>: each d must be an integer, any_extent, static_extent, "
                  "auto_extent, extent_between{lo, hi}, multiple<k> or named<\"n\">");
    return false;
  } else {
    constexpr declared_extent e = declaration_of<type>::of(Given);
    constexpr bool has_values = e.lo <= e.hi, has_multiples = e.divisor >= 1, is_natural = e.lo >= 0;
    if constexpr (!has_values)
      static_assert(no_mistake<mistakes::declared_range_is_empty<e.lo, e.hi>>,
                    "guardjit: shape_of<I, d...>: extent_between{lo, hi}: lo must not be greater than hi");
    else if constexpr (!has_multiples)
      static_assert(no_mistake<mistakes::declared_divisor_is_too_small<e.divisor>>,
                    "guardjit: shape_of<I, d...>: multiple<k>: k must be 1 or more");
    else if constexpr (!is_natural)
      static_assert(no_mistake<mistakes::declared_extent_is_negative<e.lo>>,
                    "guardjit: shape_of<I, d...>: extents must not be negative");
    return has_values && has_multiples && is_natural;
  }
}

}  // namespace detail

/// The type of `shape_of`.
template <int I, auto... Extents> struct shape_of_option {
  static constexpr bool is_fine = (true && ... && detail::require_declared_extent<Extents>());
};
/// Option: the extents of parameter `I` of the function, bound values behind the others, one `d` for each
/// dim: an integer, `any_extent`, `static_extent`, `auto_extent`, `extent_between{lo, hi}`, `multiple<k>` or
/// `named<"n">`. It may be given for several parameters. Where it says nothing, `dynamic::…` does.
///
/// `compile(f, shape_of<0, any_extent, 64>)`: one entry for all batches; the trace knows the 64, and so does
/// the type of the result.
/// Throws: a call that breaks what is declared throws `shape_error`; nothing is compiled.
/// Complexity: a hit costs what it costs without.
/// Rules: G80, G86, G87.
template <int I, auto... Extents> inline constexpr shape_of_option<I, Extents...> shape_of{};

namespace detail {

template <class Option> inline constexpr bool is_shape_of = false;
template <int I, auto... Extents> inline constexpr bool is_shape_of<shape_of_option<I, Extents...>> = true;

template <class Option> struct shape_declared_by { using list = type_list<>; };
template <int I, auto... Extents> struct shape_declared_by<shape_of_option<I, Extents...>> {
  using list = type_list<shape_of_option<I, Extents...>>;
};
template <class Option> inline constexpr int declared_parameter = -1;
template <int I, auto... Extents>
inline constexpr int declared_parameter<shape_of_option<I, Extents...>> = I;
/// Whether an extent of an option `shape_of` is open whatever the function's policy.
template <class Option> inline constexpr bool declares_open_extent = false;
template <int I, auto... Extents>
inline constexpr bool declares_open_extent<shape_of_option<I, Extents...>> =
    (declaration_of<std::remove_const_t<decltype(Extents)>>::of(Extents).is_open() || ...);

/// Each parameter at most once.
template <class... Options> concept shapes_given_once = [] {
  int const parameters[] = {declared_parameter<Options>..., -1};
  for (std::size_t k = 0; k < sizeof...(Options); ++k)
    for (std::size_t j = 0; j < k; ++j)
      if (parameters[k] >= 0 && parameters[k] == parameters[j]) return false;
  return true;
}();
template <bool IsNone, class... Options> concept shapes_are_open_as_asked =
    !(IsNone && (declares_open_extent<Options> || ...));

/// An option `shape_of` for the leaf of a call that it is about, -1 if that is none.
template <int Leaf, class Option> struct placed_shape;
template <int Leaf, int I, auto... Extents> struct placed_shape<Leaf, shape_of_option<I, Extents...>> {
  static constexpr int leaf = Leaf, parameter = I, rank = static_cast<int>(sizeof...(Extents));
  static constexpr std::array<declared_extent, sizeof...(Extents)> list{
      declaration_of<std::remove_const_t<decltype(Extents)>>::of(Extents)...};
};

/// A declaration that does not fit the types of the arguments.
struct unfit_shape {
  enum kind_t : std::uint8_t { none, argument, tensor, rank, extent, range, multiple, name } kind = none;
  int parameter = 0, dim = 0;
  index_t a = 0, b = 0, c = 0;
};

/// What remains to be said of the extents of one list of argument types.
template <std::size_t Arguments, std::size_t Extents> struct fitted_shapes {
  std::array<argument_type, Arguments> arguments{};
  std::array<declared_extent, Extents + 1> declared{};
  std::size_t count = 0;
  unfit_shape unfit{};
};

/// How a number that a type gives fits a declaration.
constexpr unfit_shape unfit_extent(declared_extent const& e, int parameter, index_t extent) {
  if (e.kind == declared_kind::number && extent != e.lo)
    return {unfit_shape::extent, parameter, e.dim, e.lo, extent};
  if (extent < e.lo || extent > e.hi) return {unfit_shape::range, parameter, e.dim, e.lo, e.hi, extent};
  if (extent % e.divisor != 0) return {unfit_shape::multiple, parameter, e.dim, e.divisor, extent};
  return {};
}

/// Puts declared numbers into the types; what types prove needs no word more.
template <std::size_t Extents, class... Placed, std::size_t Arguments>
constexpr auto fitted(std::array<argument_type, Arguments> const& types, int parameters) {
  fitted_shapes<Arguments, Extents> to{types};
  std::array<int, Extents + 1> parameter_of{};
  std::size_t named = 0;
  std::array<declared_extent, Extents + 1> all{};
  auto const fail = [&](unfit_shape const& what) {
    if (to.unfit.kind == unfit_shape::none) to.unfit = what;
  };
  auto const add = [&]<class One>(std::type_identity<One>) {
    if (One::parameter < 0 || One::parameter >= parameters)
      return fail({unfit_shape::argument, One::parameter, 0, parameters});
    if (One::leaf < 0 || types[static_cast<std::size_t>(One::leaf)].scalar)
      return fail({unfit_shape::tensor, One::parameter});
    int const rank = types[static_cast<std::size_t>(One::leaf)].extents.rank;
    if (One::rank != rank) return fail({unfit_shape::rank, One::parameter, 0, One::rank, rank});
    for (int d = 0; d < rank; ++d) {
      parameter_of[named] = One::parameter;
      all[named] = One::list[static_cast<std::size_t>(d)];
      all[named].argument = static_cast<std::int16_t>(One::leaf);
      all[named++].dim = static_cast<std::int8_t>(d);
    }
  };
  (add(std::type_identity<Placed>{}), ...);
  auto const extent_of = [&](declared_extent const& e) {
    return types[static_cast<std::size_t>(e.argument)].extents[e.dim];
  };
  // A name whose extent some type gives is a number.
  for (std::size_t k = 0; k < named; ++k)
    for (std::size_t j = 0; j < named; ++j) {
      if (all[k].kind != declared_kind::named || all[j].kind != declared_kind::named) continue;
      if (!same_text(all[k].name, all[j].name) || extent_of(all[j]) == dyn) continue;
      if (index_t const mine = extent_of(all[k]); mine != dyn && mine != extent_of(all[j]))
        fail({unfit_shape::name, parameter_of[k], all[k].dim, mine, extent_of(all[j])});
    }
  for (std::size_t k = 0; k < named; ++k) {
    declared_extent e = all[k];
    for (std::size_t j = 0; j < named && e.kind == declared_kind::named; ++j)
      if (all[j].kind == declared_kind::named && same_text(e.name, all[j].name) && extent_of(all[j]) != dyn) {
        e.kind = declared_kind::number;
        e.lo = e.hi = extent_of(all[j]);
      }
    if (index_t const proven = extent_of(e); proven != dyn) {
      fail(unfit_extent(e, parameter_of[k], proven));
      continue;
    }
    if (e.kind == declared_kind::number)
      to.arguments[static_cast<std::size_t>(e.argument)].extents[e.dim] = e.lo;
    to.declared[to.count++] = e;
  }
  return to;
}

}  // namespace detail

/// A signature with declared extents: in `arguments` those that are numbers are static, for the trace;
/// `proven` is what the types of the arguments say. `Placed` are `placed_shape`s.
/// Rules: G80, G86.
template <class Base, int Parameters, class... Placed> struct signature_with_shapes {
  static constexpr int size = Base::size;
  static constexpr std::size_t extents = (std::size_t{0} + ... + Placed::list.size());
  static constexpr auto fitted = detail::fitted<extents, Placed...>(Base::arguments, Parameters);
  static constexpr auto const& arguments = fitted.arguments;
  static constexpr auto const& proven = Base::arguments;
  static constexpr std::span<declared_extent const> declared{fitted.declared.data(), fitted.count};
  static constexpr bool is_fitting = fitted.unfit.kind == detail::unfit_shape::none;
};

namespace detail {

template <class Base, int Parameters, class... Placed, argument_type... More>
struct appended_signature<signature_with_shapes<Base, Parameters, Placed...>, More...> {
  using type = signature_with_shapes<typename appended_signature<Base, More...>::type, Parameters, Placed...>;
};

template <unfit_shape Unfit> constexpr void require_fitting_shapes() {
  constexpr int I = Unfit.parameter, dim = Unfit.dim;
  if constexpr (Unfit.kind == unfit_shape::argument)
    static_assert(no_mistake<mistakes::no_such_argument<I, static_cast<int>(Unfit.a)>>,
                  "guardjit: compile(f, shape_of<I, d...>): the call must have an argument number I");
  else if constexpr (Unfit.kind == unfit_shape::tensor)
    static_assert(no_mistake<mistakes::declared_argument_is_no_tensor<I>>,
                  "guardjit: compile(f, shape_of<I, d...>): argument I must be a tensor");
  else if constexpr (Unfit.kind == unfit_shape::rank)
    static_assert(no_mistake<mistakes::declared_rank_differs<I, static_cast<int>(Unfit.a),
                                                             static_cast<int>(Unfit.b)>>,
                  "guardjit: compile(f, shape_of<I, d...>): there must be one d for each dim of argument I");
  else if constexpr (Unfit.kind == unfit_shape::extent)
    static_assert(no_mistake<mistakes::declared_extent_differs<I, dim, Unfit.a, Unfit.b>>,
                  "guardjit: compile(f, shape_of<I, d...>): the type of argument I must have the extent that "
                  "is declared");
  else if constexpr (Unfit.kind == unfit_shape::range)
    static_assert(no_mistake<mistakes::extent_is_out_of_range<I, dim, Unfit.a, Unfit.b, Unfit.c>>,
                  "guardjit: compile(f, shape_of<I, d...>): the type of argument I must have an extent in "
                  "the declared range");
  else if constexpr (Unfit.kind == unfit_shape::multiple)
    static_assert(no_mistake<mistakes::extent_is_no_multiple<I, dim, Unfit.a, Unfit.b>>,
                  "guardjit: compile(f, shape_of<I, d...>): the type of argument I must have a multiple of k "
                  "as its extent");
  else
    static_assert(no_mistake<mistakes::named_extents_differ<I, dim, Unfit.a, Unfit.b>>,
                  "guardjit: compile(f, shape_of<I, d...>): extents of one name must be equal");
}

/// The signature of a call under the options `shape_of`: `Base` itself where there are none.
template <class Base, class Facts, class... Options>
constexpr auto signature_under(type_list<Options...>) {
  if constexpr (sizeof...(Options) == 0) return std::type_identity<Base>{};
  else
    return std::type_identity<
        signature_with_shapes<Base, Facts::parameters,
                           placed_shape<Facts::leaf_of(declared_parameter<Options>), Options>...>>{};
}
/// Whether the options fit the types of a call. One C++ compile error if not.
template <class Signature, class... Options> constexpr bool require_shapes_of(type_list<Options...>) {
  if constexpr (sizeof...(Options) == 0) {
    return true;
  } else if constexpr (!(Options::is_fine && ...)) {
    return false;
  } else {
    constexpr unfit_shape unfit = Signature::fitted.unfit;
    if constexpr (unfit.kind != unfit_shape::none) require_fitting_shapes<unfit>();
    return unfit.kind == unfit_shape::none;
  }
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
