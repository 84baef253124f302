// guardjit: compile/options.hpp: the options of `compile`
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_OPTIONS_HPP
#define GUARDJIT_COMPILE_OPTIONS_HPP

#include <guardjit/base/fixed_string.hpp>
#include <guardjit/base/type_list.hpp>
#include <guardjit/compile/guard_filter.hpp>
#include <guardjit/compile/limits.hpp>
#include <guardjit/compile/shape_of.hpp>
#include <guardjit/compile/user_guard.hpp>
#include <guardjit/compile/variant_options.hpp>
#include <guardjit/expr/eager_result.hpp>
#include <guardjit/modes/pure_mode.hpp>

#include <cstdint>
#include <tuple>

namespace guardjit::inline GUARDJIT_ABI {

/// Option: the function's name in entry ids, reasons and events. `compile(f, name<"layer">)`.
template <fixed_string Text> struct name_option {};
template <fixed_string Text> inline constexpr name_option<Text> name{};

/// Which run-time extents an entry fixes.
enum class dynamic_policy : std::uint8_t { automatic, all, none };

/// Option: a `dynamic_policy`. Rules: G80, G81.
template <dynamic_policy Policy> struct dynamic_option {};
namespace dynamic {
/// The first entry fixes all extents; one that varies is free in the next (the default).
inline constexpr dynamic_option<dynamic_policy::automatic> automatic{};
/// No run-time extent is fixed.
inline constexpr dynamic_option<dynamic_policy::all> all{};
/// All extents are fixed; each new value is a new entry.
inline constexpr dynamic_option<dynamic_policy::none> none{};
}  // namespace dynamic

/// Option: who makes the kernels. `compile(f, backend(reference))`.
template <class Backend> struct backend_option {};
template <class Backend> constexpr backend_option<Backend> backend(Backend) { return {}; }

/// Option: values appended to the arguments; see `bind`.
template <class... Values> struct bound_values {
  std::tuple<Values...> values;
};

/// Appends values to the parameters of the function: state enters as arguments. A tensor is kept
/// as a handle; `std::ref(k)` and `std::cref(w)` are read at each call. Modules may be bound.
/// Example: `compile([](auto x, auto w) { return matmul(x, w); }, bind(w))`. Rules: G150.
template <class... Values> constexpr bound_values<Values...> bind(Values... values) {
  return {{std::move(values)...}};
}

/// Option: the types that arguments may have which are `any_tensor`s, those of all arguments in order:
/// `compile(f, signature<tensor<float, dyn, 3>, float>)`. It may be given several times: a call takes the
/// first one that fits.
/// Rules: G8.
template <class... Arguments> struct signature_option {};
template <class... Arguments> inline constexpr signature_option<Arguments...> signature{};

/// Lists for `signatures`: dtypes by their C++ types, and the ranks of all arguments.
template <element... T> struct dtypes {};
template <int... Rank> struct ranks {};
/// Option: a `signature` of run-time extents for each dtype with each list of ranks; all arguments have
/// that dtype: `signatures<dtypes<float, double>, ranks<2, 1>, ranks<3, 1>>` are four.
template <class Types, class... Ranks> struct signatures_option;
template <element... T, class... Ranks> struct signatures_option<dtypes<T...>, Ranks...> {};
template <class Types, class... Ranks> inline constexpr signatures_option<Types, Ranks...> signatures{};

/// Option: a stack of modes, from the bottom to the top, under which the function has graphs of its own,
/// in which the C++ compiler ran their handlers; may be given several times. Under any other pure, keyed
/// or runtime mode a call runs op by op. Rules: M80, M99.
template <class... Modes> struct inline_modes_option {};
template <inlinable_mode... Modes>
  requires(sizeof...(Modes) > 0 && sizeof...(Modes) <= max_declared_modes)
inline constexpr inline_modes_option<Modes...> inline_modes{};

namespace backends {
struct reference;
}

namespace detail {

/// `Backend`, and who runs the ops of a call one by one where it fails. Rules: G105.
template <class Backend> struct with_fallback : Backend { using fallback = backends::reference; };

template <class Option> struct stack_declared_by { using list = type_list<>; };
template <class... Modes> struct stack_declared_by<inline_modes_option<Modes...>> {
  using list = type_list<type_list<Modes...>>;
};
template <class Option> inline constexpr bool declares_stack = false;
template <class... Modes> inline constexpr bool declares_stack<inline_modes_option<Modes...>> = true;

/// The signatures that an option declares.
template <class Option> struct declared_by { using list = type_list<>; };
template <class... Arguments> struct declared_by<signature_option<Arguments...>> {
  using list = type_list<type_list<Arguments...>>;
};
template <class T, int... Rank> auto of_ranks(ranks<Rank...>) -> type_list<dynamic_tensor_t<T, Rank>...>;
template <element... T, class... Ranks> struct declared_by<signatures_option<dtypes<T...>, Ranks...>> {
  template <class One> static auto of_dtype() -> type_list<decltype(of_ranks<One>(Ranks{}))...>;
  using list = joined_t<decltype(of_dtype<T>())...>;
};
template <class Option> inline constexpr bool declares_types = false;
template <class... Arguments>
inline constexpr bool declares_types<signature_option<Arguments...>> = true;
template <class... Lists> inline constexpr bool declares_types<signatures_option<Lists...>> = true;

template <class Option> inline constexpr bool is_name = false;
template <fixed_string Text> inline constexpr bool is_name<name_option<Text>> = true;
template <class Option> inline constexpr bool is_dynamic = false;
template <dynamic_policy Policy> inline constexpr bool is_dynamic<dynamic_option<Policy>> = true;
template <class Option> inline constexpr bool is_backend = false;
template <class Backend> inline constexpr bool is_backend<backend_option<Backend>> = true;
template <class Option> inline constexpr bool is_bound = false;
template <class... Values> inline constexpr bool is_bound<bound_values<Values...>> = true;

template <class Option> inline constexpr bool is_setting =
    std::is_same_v<Option, recompile_limit> || std::is_same_v<Option, compile_limit> ||
    std::is_same_v<Option, on_limit> || std::is_same_v<Option, error_on_recompile_option> ||
    std::is_same_v<Option, fullgraph_option> || std::is_same_v<Option, disabled_option> ||
    std::is_same_v<Option, suppress_backend_errors_option>;

template <class Option>
concept option_of_compile = is_setting<Option> || is_name<Option> || is_dynamic<Option> ||
    is_backend<Option> || is_bound<Option> || declares_types<Option> || declares_stack<Option> ||
    is_user_guard<Option> || is_guard_filter<Option> || is_shape_of<Option> ||
    variant_option<Option>;

template <class Option> struct option_value {
  static constexpr auto policy = dynamic_policy::automatic;
};
template <dynamic_policy Policy> struct option_value<dynamic_option<Policy>> {
  static constexpr auto policy = Policy;
};
template <fixed_string Text> struct option_value<name_option<Text>> : option_value<void> {
  static constexpr auto text = Text;
};
template <class Backend> struct option_value<backend_option<Backend>> : option_value<void> {
  using type = Backend;
};

/// Whether a setting is among `All` once only; of other options that it may be there again.
template <bool IsSetting, class Option, class... All>
inline constexpr bool given_at_most_once =
    !IsSetting || ((std::is_same_v<Option, All> ? 1 : 0) + ... + 0) == 1;

/// Each option at most once.
template <class... Options>
concept options_given_once = ((is_name<Options> ? 1 : 0) + ... + 0) <= 1 &&
                             ((is_dynamic<Options> ? 1 : 0) + ... + 0) <= 1 &&
                             ((is_backend<Options> ? 1 : 0) + ... + 0) <= 1 &&
                             ((is_bound<Options> ? 1 : 0) + ... + 0) <= 1 &&
                             are_variants_given_once<Options...>() &&
                             (given_at_most_once<is_setting<Options>, Options, Options...> && ...);

template <class Backend>
concept usable_backend = requires { Backend::name; };

template <class Default> constexpr auto find_backend_option() { return std::type_identity<Default>{}; }
template <class Default, class First, class... Rest> constexpr auto find_backend_option() {
  if constexpr (is_backend<First>) return std::type_identity<typename option_value<First>::type>{};
  else return find_backend_option<Default, Rest...>();
}
constexpr char const* find_name() { return nullptr; }
template <class First, class... Rest> constexpr char const* find_name() {
  if constexpr (is_name<First>) return option_value<First>::text.text;
  else if constexpr (sizeof...(Rest) > 0) return find_name<Rest...>();
  else return nullptr;
}

}  // namespace detail

template <class... Options> struct option_set;

namespace detail {
template <class Backend, class... Others> auto options_by(type_list<Others...>)
    -> option_set<Others..., backend_option<Backend>>;
}  // namespace detail

/// The options of one `compile` as types and constants.
template <class... Options> struct option_set {
  static_assert(detail::options_given_once<Options...>,
                "guardjit: compile(f, options…): an option is given twice");
  static_assert(detail::shapes_given_once<Options...>,
                "guardjit: compile(f, options…): shape_of<I, …> is given twice for one argument");
  using options = type_list<Options...>;
  /// The same options, for another backend.
  template <class Backend> using with_backend = decltype(detail::options_by<Backend>(
      joined_t<std::conditional_t<detail::is_backend<Options>, type_list<>, type_list<Options>>...>{}));
  /// Options `shape_of`, a list.
  using shapes = joined_t<typename detail::shape_declared_by<Options>::list...>;
  using backend = typename decltype(detail::find_backend_option<default_backend, Options...>())::type;
  static constexpr bool suppresses_errors =
      (std::is_same_v<Options, suppress_backend_errors_option> || ...);
  /// What `any_tensor`s may be: a list of lists of types.
  using signatures = joined_t<typename detail::declared_by<Options>::list...>;
  using variants = variant_settings<Options...>;
  static constexpr bool is_fullgraph = (std::is_same_v<Options, fullgraph_option> || ...);
  static_assert(!is_fullgraph || !(std::is_same_v<Options, disabled_option> || ...),
                "guardjit: compile(f, options…): fullgraph and disabled contradict each other");
  /// Declared mode stacks: a list of lists of modes.
  using mode_stacks = joined_t<typename detail::stack_declared_by<Options>::list...>;
  static constexpr dynamic_policy policy = [] {
    auto chosen = dynamic_policy::automatic;
    ((chosen = detail::is_dynamic<Options> ? detail::option_value<Options>::policy : chosen), ...);
    return chosen;
  }();
  static_assert(detail::shapes_are_open_as_asked<policy == dynamic_policy::none, Options...>,
                "guardjit: compile(f, options…): dynamic::none and an extent of shape_of that every entry "
                "leaves open contradict each other");
  static constexpr char const* name() {
    if constexpr (sizeof...(Options) > 0) return detail::find_name<Options...>();
    else return nullptr;
  }
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
