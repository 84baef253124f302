// guardjit: compile/compiled_function.hpp: what `compile` returns
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_COMPILED_FUNCTION_HPP
#define GUARDJIT_COMPILE_COMPILED_FUNCTION_HPP

#include <guardjit/compile/argument_facts.hpp>
#include <guardjit/compile/declared.hpp>
#include <guardjit/compile/graph_only.hpp>
#include <guardjit/compile/options.hpp>
#include <guardjit/compile/outputs.hpp>
#include <guardjit/compile/pinned_call.hpp>
#include <guardjit/compile/shared_function.hpp>
#include <guardjit/compile/stanced_function.hpp>
#include <guardjit/compile/typed_function.hpp>
#include <guardjit/expr/expression.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {
struct compiled_parts;
}

/// A function of tensors, compiled: at each call guards pick an entry, whose fused kernels run.
///
/// Copies share their entries. A const one may be called from any number of threads, together
/// with `clear`, `entries` and `find`. Bound values are appended to the arguments.
/// Throws: `shape_error` where a call breaks a shape rule; `guard_error` where a user guard is false;
/// `recompile_error`, `limit_error`, `mode_error` where the options forbid what a call needs;
/// `backend_error`; then nothing has changed.
/// Lifetime: owns its bound values; those given by `std::ref` must outlive it.
/// Rules: G1, G10, G16, G130, G151.
template <class F, class Options, class... Bound> class compiled_function {
 public:
  compiled_function(std::tuple<Bound...> bound, detail::kept_options_of<Options> kept,
                    compile_settings const& settings, source_line where)
      : state_(new shared(std::move(bound), std::move(kept))) {
    detail::function_state& fn = state_->caches.fn;
    static_cast<compile_settings&>(fn) = settings;
    fn.disabled = settings.disabled || detail::is_disabled_by_environment();
    fn.name = Options::name();
    fn.where = where;
    fn.policy = Options::policy;
    detail::use_backend<typename Options::backend>();
  }
  /// The result, in fresh storage; a view where the function returns a view of an argument. A tuple,
  /// pair, array or aggregate of results where the function returns that; each has its own storage.
  /// Arguments that are expressions are evaluated first; those of tuples, pairs, arrays and modules
  /// are the arguments that `f` sees in the same structure. Where an argument is an `any_tensor`, for which
  /// the option `signature` names the types, results are `any_tensor`s, too.
  /// An argument that `f` assigns to, taken by reference, must be a tensor that is not const: its final value
  /// is written into its elements, as if the right side came first. Nothing is returned where `f` returns
  /// nothing.
  /// Throws: `dtype_error`, `shape_error`, `device_error` where no signature takes the arguments;
  /// `overlap_error` where tensors that are written overlap, or share elements with themselves; they are
  /// unchanged then.
  /// Complexity: a hit allocates the result only; intermediates live in the thread's workspace. A state that
  /// is updated element by element needs none.
  /// Rules: G4, G30, POL-12.
  template <class... Arguments>
    requires(!(detail::has_symbol<std::remove_cvref_t<Arguments>>() || ...))
  auto operator()(Arguments&&... arguments) const {
    return results_under<type_list<Arguments&&...>>(detail::stance_of_thread{}, arguments...);
  }

  /// In a traced function: inlined, one graph (M114).
  template <class... Arguments>
    requires(detail::has_symbol<std::remove_cvref_t<Arguments>>() || ...)
  constexpr auto operator()(Arguments&&... arguments) const {
      static_assert(sizeof...(Bound) == 0,
                    "guardjit: g(x): a compiled function with bound values cannot be inlined in a trace");
      return F{}(arguments...);
  }

  /// Writes the result into `out`, as if the right side came first where they overlap; several ones
  /// into a structure of tensors, or `std::tie(a, b)`, whose leaves are in the order of the results. A last
  /// argument `std::span<std::byte>` is memory for the intermediates: then neither the heap nor the
  /// thread's workspace is touched. Arguments that `f` assigns to are written as well, and are no outputs:
  /// of a function that returns nothing these are `std::tie()`.
  /// Throws: `shape_error` where the shape of `out` is another one; `workspace_error` where the
  /// memory is too small or not 64-byte aligned; `overlap_error` where two tensors that are written
  /// overlap; `out` is unchanged then.
  /// Complexity: a hit allocates nothing, takes no lock and writes no shared memory.
  /// Rules: G16, G143, POL-12.
  template <detail::writable_outputs Outputs, class... Arguments>
  void into(Outputs&& outs, Arguments&&... arguments) const {
    into_leaves<type_list<Arguments&&...>>(detail::stance_of_thread{}, detail::leaves_of(outs), arguments...);
  }

  /// Calls under stance `s` in the place of the thread's: `g.with(stance::fail_on_recompile)(x)`, and
  /// `.into(out, x)`. Options as those of a `stance_scope`. `g.with(backend(b))(x)` is by an erased backend.
  /// Throws: `stance_error` where an option does not go with it. Lifetime: refers to this function.
  /// Rules: G78.
  template <class... What>
    requires(requires(What const&... what) { detail::setting_of(what...); })
  constexpr stanced_function<compiled_function const&> with(What const&... what) const {
    return {*this, detail::setting_of(what...)};
  }
  /// Calls by a backend, with entries of its own beside those of this function, and with what these share:
  /// bound values, options, limits of compiles, counters. The stance is `normal`. `b` is a static backend.
  /// Complexity: counts an owner; keep what it returns where calls are hot. Lifetime: shares the function.
  /// Rules: G75, G78.
  template <class Backend> auto with(backend_option<Backend>) const {
    using other = compiled_function<F, typename Options::template with_backend<Backend>, Bound...>;
    return stanced_function<other>(other(state_), {});
  }

  /// Bytes of workspace that a call with these arguments needs for a row-major output apart from
  /// them; finds or makes its entry. Other outputs need room for a copy of the result as well. 0
  /// where calls run op by op under a stance, or since the function is disabled.
  /// Throws: as a call that makes an entry.
  template <class... Arguments> index_t workspace_bytes(Arguments const&... arguments) const {
    return with_call([](auto, auto& call) { return call.workspace_bytes(); }, arguments...);
  }

  /// A handle to the entry that serves a call with these arguments, found or made; see `pinned_call`. With
  /// `IsChecked`, which `GUARDJIT_EXTRA_CHECKS` decides, each call by it checks the guards.
  /// Throws: as a call that makes an entry; where calls run op by op `mode_error` under modes, `stance_error`
  /// under a stance, `option_error` of a disabled function; `limit_error` where no entry can be made.
  /// Rules: G62.
  template <bool IsChecked = GUARDJIT_EXTRA_CHECKS != 0, class... Arguments>
  auto pin(Arguments const&... arguments) const {
    detail::pinned_entry found;
    with_call(
        [&found]<class Spec>(Spec, auto& call) {
          if constexpr (detail::require_pinnable<Spec>())
            call.with_room([&found](detail::any_call const& c) {
              inert_scope const inert;
              detail::call_epoch const epoch;
              found = detail::pinned(c.entries, c.fn, c.f, c.room, IsChecked);
            });
        },
        arguments...);
    using detail::value_of_operand;
    return pinned_call<compiled_function, std::remove_cvref_t<decltype(value_of_operand(arguments))>...>(
        *this, std::move(found));
  }

  /// Compiles since the function was made or cleared; failed ones count.
  int compiles() const noexcept { return state_->caches.fn.compile_count(); }
  /// Calls at a limit, whose plan was not kept.
  int uncached_calls() const noexcept {
    return __atomic_load_n(&state_->caches.fn.uncached_calls, __ATOMIC_ACQUIRE);
  }

  /// All entries, in lookup order of each signature.
  std::vector<entry_info> entries() const {
    std::vector<entry_info> list;
    state_->caches.for_each([&](cache const& c) { c.describe(state_->caches.fn, list); });
    return list;
  }

  /// Id of the entry that a call would use now; empty where it would compile. Changes nothing.
  template <class... Arguments> std::string find(Arguments const&... arguments) const {
    return with_room(
        [](detail::any_call const& c) {
          entry_table const* const table = c.entries.table();
          bool const is_replay = detail::cause_before_lookup(c.fn, c.f) != detail::eager_cause::none;
          std::uint64_t const overlaps = detail::overlaps_of_arguments(c);
          entry const* const e =
              table && !is_replay ? table->find(c.spec(), c.f, overlaps, c.room.symbols) : nullptr;
          return e ? c.fn.id_of(e->number) : std::string();
        },
        arguments...);
  }

  /// Why no entry serves a call: the failed guards of each. Changes nothing.
  template <class... Arguments> miss_report explain_miss(Arguments const&... arguments) const {
    return with_room(
        [](detail::any_call const& c) {
          return c.entries.explain(c.fn, c.f, detail::overlaps_of_arguments(c), c.room.symbols);
        },
        arguments...);
  }

  /// The graph that a call would run under the modes that are visible now: what the C++ compiler made of
  /// the function on the path of these arguments. `to_text` of `graph/print.hpp` writes it. With `opaque`
  /// it is the part before the first callable. Changes nothing.
  /// Lifetime: a constant.
  template <class... Arguments> graph_view graph(Arguments const&... arguments) const {
    return with_room(
        [](detail::any_call const& c) {
          auto const path = static_cast<unsigned>(path_of(c.spec(), c.f, c.room.symbols));
          return c.spec().paths[path].graph;
        },
        arguments...);
  }

  /// Drops all entries, history and counters. Touches no mode and no state of the thread (M118).
  void clear() const { state_->caches.clear(); }

 private:
  template <class, class...> friend class pinned_call;
  friend struct detail::explain_access;
  template <class> friend class stanced_function;
  template <class, class, class...> friend class compiled_function;
  friend struct detail::compiled_parts;
  static constexpr bool has_hot_extents = Options::variants::hot::size > 0;
  using shared = detail::shared_function<detail::kept_options_of<Options>, Bound...>;
  using user_guards = decltype(shared::kept.guards);
  static constexpr bool has_user_guards = std::tuple_size_v<user_guards> > 0;

  /// A call under a stance. `Given` are the arguments as the user gave them.
  template <class Given, class... Arguments>
  [[gnu::always_inline]] auto results_under(auto const& under, Arguments const&... arguments) const {
    constexpr bool is_any = (detail::has_leaf<Arguments, any_tensor>() || ...);
    return with_call(under.of(detail::run_for_value<Given, type_list<Bound...>, is_any>{}), arguments...);
  }
  /// `outs` is a tuple of references.
  template <class Given, class Outs, class... Arguments>
  [[gnu::always_inline]] void into_leaves(auto const& under, Outs const& outs,
                                          Arguments const&... arguments) const {
    constexpr bool is_any = (detail::has_leaf<Arguments, any_tensor>() || ...);
    if constexpr (detail::ends_with_workspace<Arguments...>) {
      auto const all = std::tie(arguments...);
      [&]<std::size_t... K>(std::index_sequence<K...>) {
        into_with<Given>(under, outs, std::get<sizeof...(K)>(all), std::get<K>(all)...);
      }(std::make_index_sequence<sizeof...(Arguments) - 1>{});
    } else {
      with_call(
          under.of([&outs]<class Spec>(Spec, auto const& call) __attribute__((always_inline)) {
            if constexpr (detail::require_writable<Spec, Given, type_list<Bound...>>())
              detail::into_outputs<Spec, is_any>(
                  outs, [&](auto const& all) __attribute__((always_inline)) { call.into(all); });
          }),
          arguments...);
    }
  }
  template <class Given, class Outs, class... Arguments>
  void into_with(auto const& under, Outs const& outs, std::span<std::byte> workspace,
                 Arguments const&... arguments) const {
    constexpr bool is_any = (detail::has_leaf<Arguments, any_tensor>() || ...);
    with_call(
        under.of([&]<class Spec>(Spec, auto const& call) __attribute__((always_inline)) {
          if constexpr (detail::require_writable<Spec, Given, type_list<Bound...>>())
            detail::into_outputs<Spec, is_any>(outs, [&](auto const& all) { call.into(all, workspace); });
        }),
        arguments...);
  }

  /// Calls `use(specialization, typed_call)`; nothing where the function has a mistake. Inlined down
  /// to the guard of a hit, which is shorter than a call with all these arguments.
  template <class Use, class... Arguments>
  [[gnu::always_inline]] auto with_call(Use const& use, Arguments const&... arguments) const {
    if constexpr ((expression<Arguments> || ...))
      return with_call(use, detail::value_of_operand(arguments)...);
    else return with_values(use, arguments...);
  }
  template <class Use, class... Arguments>
  [[gnu::always_inline]] auto with_values(Use const& use, Arguments const&... arguments) const {
    if constexpr (detail::require_arguments<Arguments..., detail::unwrapped_t<Bound>...>())
      return with_bound<detail::argument_facts<F, static_cast<int>(sizeof...(Bound)), Arguments...,
                                               detail::unwrapped_t<Bound>...>>(
          use, std::index_sequence_for<Bound...>{}, arguments...);
  }
  template <class Facts, class Use, std::size_t... B, class... Arguments>
  [[gnu::always_inline]] auto with_bound(Use const& use, std::index_sequence<B...>,
                                         Arguments const&... arguments) const {
    if constexpr (Facts::are_leaves)
      return with_leaves<Facts>(use, std::tuple<>{}, arguments...,
                                detail::unwrap(std::get<B>(state_->bound))...);
    else
      return std::apply(
          [&](auto&... leaf) __attribute__((always_inline)) {
            return with_leaves<Facts>(use, std::tie(arguments...), leaf...);
          },
          std::tuple_cat(detail::leaves_of(arguments)...,
                         detail::leaves_of(detail::unwrap(std::get<B>(state_->bound)))...));
  }
  /// `given`: the arguments, where they are no leaves.
  template <class Facts, class Use, class Given, class... Leaves>
  [[gnu::always_inline]] auto with_leaves(Use const& use, Given const& given, Leaves const&... leaves) const {
    if constexpr ((std::is_same_v<Leaves, any_tensor> || ...)) {
      using bound = joined_t<detail::leaf_types_t<detail::unwrapped_t<Bound>>...>;
      using declared = decltype(detail::declared_leaves<bound>(typename Options::signatures{}));
      return detail::with_declared<declared>(
          state_->caches.fn,
          [&](auto const&... typed) { return with_typed_leaves<Facts>(use, given, typed...); }, leaves...);
    } else {
      return with_typed_leaves<Facts>(use, given, leaves...);
    }
  }
  template <class Facts, class Use, class Given, class... Leaves>
  [[gnu::always_inline]] auto with_typed_leaves(Use const& use, Given const& given,
                                                Leaves const&... leaves) const {
    if constexpr (has_user_guards)
      return with_asked_guards<Facts>(
          [&](auto guards) {
            return with_modes_of_call<Facts>(use, detail::guards_for(use, guards), leaves...);
          },
          given, leaves...);
    else
      return with_modes_of_call<Facts>(use, detail::guards_for(use, detail::no_user_guards{}), leaves...);
  }
  /// Reads what the thread has of the declared stacks; keys become arguments. Rules: M95, M96.
  template <class Facts, class Use, class Guards, class... Leaves>
  [[gnu::always_inline]] auto with_modes_of_call(Use const& use, Guards guards,
                                                 Leaves const&... leaves) const {
    using stacks = typename Options::mode_stacks;
    using function = typename Facts::function;
    using names = typename Facts::names;
    if constexpr (stacks::size == 0) {
      return with_specialization<Facts, function, names>(use, 0, guards, leaves...);
    } else {
      using modes = detail::call_modes<stacks>;
      constexpr int keys = std::tuple_size_v<typename modes::keys_type>;
      auto const here = modes::of_this_thread();
      if constexpr (keys == 0) {
        return with_specialization<Facts, function, names>(use, here.stack, guards, leaves...);
      } else {
        using all_names = detail::names_with_keys<names, sizeof...(Leaves), stacks>;
        return std::apply(
            [&](auto const&... key) __attribute__((always_inline)) {
              return with_specialization<Facts, detail::with_keys<function, keys>, all_names>(
                  use, here.stack, guards, leaves..., key...);
            },
            here.keys);
      }
    }
  }
  /// Calls `use` with the specialization for the types of a call, and the call, which may be one of a
  /// variant with hot extents. Rules: G11, G91.
  template <class Facts, class Function, class Names, class Use, class Guards, class... Leaves>
  [[gnu::always_inline]] auto with_specialization(Use const& use, int stack, Guards guards,
                                                  Leaves const&... leaves) const {
    using values = typename Facts::values;
    using shapes = typename Options::shapes;
    using given = detail::signature_of_call<typename Options::variants, values, Leaves...>;
    using types = typename decltype(detail::signature_under<given, Facts>(shapes{}))::type;
    using function = detail::typed_function<Function, Names, Options>;
    if constexpr (!detail::require_shapes_of<types>(shapes{})) {
      return;
    } else if constexpr (!function::template require<types>()) {
      return;
    } else if constexpr (detail::sees_graphs<Use>) {
      return use.template see<Function, types, function>(leaves...);
    } else {
      using hot = typename function::template hot<types, values>;
      using spec = typename function::template spec<types>;
      if constexpr (!function::template require_variants<types, hot>()) {
        return;
      } else if constexpr (hot::size == 0) {
        typename function::template call<types, Guards, Leaves...> const call(state_->caches, stack, guards,
                                                                              leaves...);
        return use(spec{}, call);
      } else {
        return detail::with_variant(
            types{}, hot{},
            [&]<class Variant>(Variant) __attribute__((always_inline)) {
              using own = decltype(function::template variant<types, Variant>());
              typename function::template call<own, Guards, Leaves...> const call(state_->caches, stack,
                                                                                  guards, leaves...);
              return use(spec{}, call);
            },
            std::tuple<Leaves const&...>(leaves...));
      }
    }
  }
  /// Calls `use` with the user guards of a call with these arguments.
  template <class Facts, class Given, class... Leaves>
  auto with_asked_guards(auto const& use, Given const& given, Leaves const&... leaves) const {
    auto const& guards = state_->kept.guards;
    if constexpr (Facts::are_leaves) {
      auto const all = std::tie(leaves...);
      return [&]<std::size_t... K>(std::index_sequence<K...>) {
        return detail::with_asked_guards(guards, use, std::get<K>(all)...);
      }(std::make_index_sequence<Facts::given>{});
    } else {
      return std::apply(
          [&](auto const&... x) { return detail::with_asked_guards(guards, use, x...); }, given);
    }
  }
  /// Calls `use(any_call)`, inert, with the tables kept alive.
  template <class Use, class... Arguments>
  auto with_room(Use const& use, Arguments const&... arguments) const {
    return with_call(
        [&use](auto, auto& call) {
          std::invoke_result_t<Use, detail::any_call const&> result;
          call.with_room([&](detail::any_call const& c) {
            inert_scope const inert;
            detail::call_epoch const epoch;
            result = use(c);
          });
          return result;
        },
        arguments...);
  }

  explicit compiled_function(detail::function_owner<shared> const& state) noexcept : state_(state) {
    detail::use_backend<typename Options::backend>();
  }

  detail::function_owner<shared> state_;
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
