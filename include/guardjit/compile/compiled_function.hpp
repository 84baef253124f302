// guardjit: compile/compiled_function.hpp: what `compile` returns
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_COMPILED_FUNCTION_HPP
#define GUARDJIT_COMPILE_COMPILED_FUNCTION_HPP

#include <guardjit/compile/call.hpp>
#include <guardjit/compile/options.hpp>
#include <guardjit/graph/sym.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

template <class Spec, int... D> auto result_type_of(std::integer_sequence<int, D...>)
    -> tensor<element_t<Spec::result_type>, Spec::result_shape[D]...>;

/// The state that copies of a compiled function share.
template <class... Bound> struct shared_function {
  function_state fn;
  std::tuple<Bound...> bound;
  std::atomic<cache_base*> caches{nullptr};
  std::atomic<int> owners{1};

  explicit shared_function(std::tuple<Bound...> values) : bound(std::move(values)) {}
  ~shared_function() {
    for (cache_base* c = caches.load(); c;) {
      cache_base* const next = c->next;
      c->destroy(c);
      c = next;
    }
  }
  /// The cache of one signature. Complexity: linear in the signatures that were used.
  template <class Spec> cache<Spec>& cache_for() {
    void const* const tag = &cache<Spec>::tag_of_type;
    cache_base* const first = caches.load(std::memory_order_acquire);
    if (first && first->tag == tag) [[likely]] return static_cast<cache<Spec>&>(*first);
    return find_or_add<Spec>(first, tag);
  }

 private:
  template <class Spec> [[gnu::noinline]] cache<Spec>& find_or_add(cache_base* first, void const* tag) {
    auto const among = [tag](cache_base* c) -> cache_base* {
      while (c && c->tag != tag) c = c->next;
      return c;
    };
    if (cache_base* known = among(first)) return static_cast<cache<Spec>&>(*known);
    until_released<cache<Spec>> fresh{new cache<Spec>};
    fresh.what->next = first;
    while (!caches.compare_exchange_weak(fresh.what->next, fresh.what, std::memory_order_acq_rel))
      if (cache_base* known = among(fresh.what->next)) return static_cast<cache<Spec>&>(*known);
    return *fresh.release();
  }
};

}  // namespace detail

/// A function of tensors, compiled: at each call guards pick an entry, whose fused kernels run.
///
/// Copies share their entries. A const one may be called from any number of threads, together
/// with `clear`, `entries` and `find`. Bound values are appended to the arguments.
/// Throws: `shape_error` where a call breaks a shape rule; then nothing has changed.
/// Lifetime: owns its bound values; those given by `std::ref` must outlive it.
/// Rules: G1, G10, G16, G130.
template <class F, class Options, class... Bound> class compiled_function {
 public:
  compiled_function(std::tuple<Bound...> bound, int policy, int limit, source_line where)
      : state_(new detail::shared_function<Bound...>(std::move(bound))) {
    state_->fn.name = Options::name();
    state_->fn.where = where;
    state_->fn.policy = policy;
    state_->fn.recompile_limit = limit;
  }
  compiled_function(compiled_function const& other) noexcept : state_(other.state_) {
    state_->owners.fetch_add(1, std::memory_order_relaxed);
  }
  compiled_function& operator=(compiled_function other) noexcept {
    std::swap(state_, other.state_);
    return *this;
  }
  ~compiled_function() {
    if (state_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete state_;
  }

  /// The result, in fresh storage; a view where the function returns a view of an argument.
  /// Complexity: a hit allocates the result only; intermediates live in the thread's workspace.
  template <class... Arguments>
    requires(!(std::is_same_v<Arguments, sym> || ...))
  auto operator()(Arguments const&... arguments) const {
    return with_call(
        [](auto spec, auto& call) {
          using result = decltype(detail::result_type_of<decltype(spec)>(
              std::make_integer_sequence<int, decltype(spec)::result_rank>{}));
          return call.template result<result>();
        },
        arguments...);
  }

  /// In a traced function: inlined, one graph (M114).
  template <class... Arguments>
    requires(std::is_same_v<Arguments, sym> || ...)
  constexpr auto operator()(Arguments const&... arguments) const {
    static_assert(sizeof...(Bound) == 0, "guardjit: g(x): a compiled function with bound values cannot be inlined in a trace");
    return F{}(arguments...);
  }

  /// Writes the result into `out`, as if the right side came first where they overlap.
  /// Throws: `shape_error` where the shape of `out` is another one.
  /// Complexity: a hit allocates nothing, takes no lock and writes no shared memory.
  template <class T, index_t... Extents, class... Arguments>
  void into(tensor<T, Extents...>& out, Arguments const&... arguments) const {
    with_call(
        [&out]<class Spec>(Spec, auto& call) {
          check_output_type<Spec, T, Extents...>();
          if constexpr (fits<Spec, T, Extents...>) call.into({out.data(), &out.layout()});
        },
        arguments...);
  }

  /// `into` with memory for the intermediates: touches neither the heap nor the thread's workspace.
  /// Throws: `workspace_error` where `workspace` is too small or not 64-byte aligned; `out` is
  /// unchanged then. Rules: G143.
  template <class T, index_t... Extents, class... Arguments>
  void into_with(tensor<T, Extents...>& out, std::span<std::byte> workspace, Arguments const&... arguments) const {
    with_call(
        [&]<class Spec>(Spec, auto& call) {
          check_output_type<Spec, T, Extents...>();
          if constexpr (fits<Spec, T, Extents...>) call.into({out.data(), &out.layout()}, workspace);
        },
        arguments...);
  }

  /// Bytes of workspace that a call with these arguments needs; finds or makes its entry.
  template <class... Arguments> index_t workspace_bytes(Arguments const&... arguments) const {
    return with_call([](auto, auto& call) { return call.workspace_bytes(); }, arguments...);
  }

  /// Compiles since the function was made or cleared; failed ones count.
  int compiles() const noexcept { return state_->fn.compile_count(); }
  /// Calls at a limit, whose plan was not kept.
  int uncached_calls() const noexcept { return __atomic_load_n(&state_->fn.uncached_calls, __ATOMIC_ACQUIRE); }

  /// All entries, in lookup order of each signature.
  std::vector<entry_info> entries() const {
    std::vector<entry_info> list;
    for (detail::cache_base* c = state_->caches.load(std::memory_order_acquire); c; c = c->next)
      c->list(*c, state_->fn, list);
    return list;
  }

  /// Id of the entry that a call would use now; empty where it would compile. Changes nothing.
  template <class... Arguments> std::string find(Arguments const&... arguments) const {
    return with_call(
        [this](auto, auto& call) {
          detail::call_epoch const epoch;
          auto const* e = call.find();
          return e ? state_->fn.id_of(e->number) : std::string();
        },
        arguments...);
  }

  /// Why no entry serves a call: the failed guards of each. Changes nothing.
  template <class... Arguments> miss_report explain_miss(Arguments const&... arguments) const {
    return with_frame(
        [this]<class Spec>(Spec, auto& frame) {
          inert_scope const inert;
          detail::call_epoch const epoch;
          return state_->template cache_for<Spec>().explain(state_->fn, frame, 0);
        },
        arguments...);
  }

  /// Drops all entries, history and counters.
  void clear() const {
    for (detail::cache_base* c = state_->caches.load(std::memory_order_acquire); c; c = c->next) c->clear(*c);
    __atomic_store_n(&state_->fn.compiles, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&state_->fn.uncached_calls, 0, __ATOMIC_RELEASE);
  }

 private:
  template <class... Arguments> using spec_for =
      specialization<F,
                     signature<detail::argument_type_of<Arguments>()...,
                               detail::argument_type_of<std::remove_cvref_t<decltype(detail::unwrap(std::declval<Bound const&>()))>>()...>,
                     typename Options::backend>;

  template <class Spec, class T, index_t... Extents> static constexpr bool fits =
      std::is_same_v<T, element_t<Spec::result_type>> && sizeof...(Extents) == Spec::result_rank;
  template <class Spec, class T, index_t... Extents> static constexpr void check_output_type() {
    static_assert(std::is_same_v<T, element_t<Spec::result_type>>, "guardjit: into(out, arguments…): out must have the dtype of the result");
    static_assert(sizeof...(Extents) == Spec::result_rank, "guardjit: into(out, arguments…): out must have the rank of the result");
  }

  template <class Use, class... Arguments> auto with_frame(Use const& use, Arguments const&... arguments) const {
    using spec = spec_for<Arguments...>;
    require_paths<F, typename spec::signature>();
    if constexpr (spec::all_paths::fine)
      return std::apply(
          [&](Bound const&... bound) {
            auto frame = detail::make_frame(arguments..., detail::unwrap(bound)...);
            return use(spec{}, frame);
          },
          state_->bound);
  }
  template <class Use, class... Arguments> auto with_call(Use const& use, Arguments const&... arguments) const {
    return with_frame(
        [&]<class Spec>(Spec spec, auto& frame) {
          detail::call<Spec> call(state_->template cache_for<Spec>(), state_->fn, frame);
          return use(spec, call);
        },
        arguments...);
  }

  detail::shared_function<Bound...>* state_;
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
