// guardjit: compile/call.hpp: one call of a compiled function: the part that is made for its types
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_CALL_HPP
#define GUARDJIT_COMPILE_CALL_HPP

#include <guardjit/compile/caches.hpp>
#include <guardjit/compile/call_results.hpp>
#include <guardjit/compile/call_stance.hpp>
#include <guardjit/compile/fixed_call.hpp>
#include <guardjit/compile/slow_call.hpp>
#include <guardjit/compile/specialization.hpp>
#include <guardjit/compile/typed_match.hpp>
#include <guardjit/compile/visible_stack.hpp>
#include <guardjit/compile/write_into.hpp>
#include <guardjit/expr/evaluate.hpp>

#include <tuple>
#include <vector>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// One call of one specialization. What is inlined where the function is called is the guard of
/// the first entry that its hash leads to, and running it. Next, not inlined, comes the rest of the
/// table, still on the arguments themselves; then the frame that all else needs (`slow_call.hpp`).
/// `Guards` are the user guards of the call, or `no_user_guards`; `with` adds the stance.
/// Lifetime: refers to the arguments.
template <class Spec, class Guards, class... Arguments> class typed_call {
 public:
  using match = typed_match<Spec, Arguments...>;
  static constexpr int arguments = Spec::arguments, results = Spec::results;
  static constexpr int returned = Spec::returned;
  static constexpr bool writes_arguments = returned < results;
  static constexpr bool has_stacks = Spec::stacks::size > 0;

  static constexpr function_spec const& spec() noexcept { return Spec::data; }

  /// `stack` is the declared mode stack that is visible, as in `call_modes`.
  typed_call(function_caches& home, int stack, Guards guards, Arguments const&... values)
      : home_(home), stack_(stack), guards_(guards), values_(values...) {}

  /// Fresh results in the structure `Result`, or views of arguments.
  template <class Result> Result result() const {
    if (cache const* const entries = is_quick() ? home_.at_hand(Spec::data) : nullptr) [[likely]] {
      quick_epoch const epoch;
      entry const* const e = first(*entries);
      if (e && is_mine(*e) && serves(*e)) [[likely]]
        return fresh<Result>(*e);
    }
    return apart([](auto const& call) { return call.template found_or_made<Result>(); });
  }

  /// Writes the results into tensors of the caller; `outs` is a tuple of references.
  [[gnu::always_inline]] void into(auto const& outs) const { write_all(outs, nullptr); }
  [[gnu::always_inline]] void into(auto const& outs, std::span<std::byte> workspace) const {
    write_all(outs, &workspace);
  }

  /// The same two by a pinned entry, without lookup. Rules: G62.
  template <class Result> Result result_by(pinned_entry const& p) const {
    if (entry const* const e = ready(p.ready)) [[likely]]
      return fresh<Result>(*e);
    return apart([&p](auto const& call) {
      entry const* const e = call.ready(p.bound);
      if (e && match::matches(*e, call.values_)) return call.template fresh<Result>(*e);
      return call.template searched<Result>(&p);
    });
  }
  template <class... Out>
  [[gnu::always_inline]] void into_by(pinned_entry const& p, std::tuple<Out&...> const& outs,
                                      std::span<std::byte> const* workspace) const {
    if (entry const* const e = ready(p.ready)) [[likely]] {
      if constexpr ((fixed_call<Spec>::is_possible(Out::static_shape()) && ...)) {
        if (e->is_packed && fixed_call<Spec>::matches(std::get<0>(outs), values_)) [[likely]]
          return fixed_call<Spec>::run(std::get<0>(outs), values_);
      } else if (match::takes(*e, values_, outs) && run_into(*e, outs, workspace)) [[likely]] {
        return;
      }
    }
    apart([&p, outs, workspace](auto const& call) {
      entry const* const e = call.ready(p.bound);
      if (e && match::matches(*e, call.values_, outs) && call.run_into(*e, outs, workspace)) return;
      call.written(outs, workspace, &p);
    });
  }

  index_t workspace_bytes() const {
    index_t bytes = 0;
    with_room([&](any_call const& c) {
      eager_cause const cause = cause_before_lookup(c.fn, c.f);
      if (cause != eager_cause::none && cause != eager_cause::modes) return;
      call_epoch const epoch;
      int path = no_path;
      bound_call own;
      bound_call const& b = serve(c, overlaps_of_arguments(c), false, path, own);
      if (path == eager_path) return;
      bytes = rounded_up(b.workspace_bytes);
      if (!is_direct_for_arguments(c, b)) bytes += staged_bytes(c, b);
    });
    return bytes;
  }

  /// Calls `use(any_call)` with room for a plan. User guards are not asked for a call that looks up nothing.
  void with_room(auto&& use, pinned_entry const* pinned = nullptr) const {
    std::apply(
        [&](Arguments const&... values) {
          alignas(64) std::byte plan[Spec::data.plan_bytes];
          index_t symbols[Spec::data.symbols];
          call_frame<arguments, results> frame(values...);
          frame_view view = frame.view();
          view.stack = has_stacks ? stack_.number : call_modes<type_list<>>::of_this_thread().stack;
          if constexpr (has_own_stance<Guards>) view.under = guards_.calls;
          if (cause_before_lookup(home_.fn, view) == eager_cause::none) view.predicates = guards_.outcomes();
          any_call const c{home_.of(Spec::data), home_.fn, view, {plan, symbols}, pinned};
          use(c);
        },
        values_);
  }

 private:
  /// Whether no mode sees the call but those of a declared stack, it is inside no other, and user guards
  /// fit all entries, so that static ones may be tried. The bits of `Unasked` in the thread's word do not
  /// count.
  template <std::uint64_t Unasked = 0> [[gnu::always_inline]] bool is_quick() const noexcept {
    return typed_path<Spec>::is_known && !Spec::data.checks_scalars && is_plain<Unasked>() &&
           quick_epoch::is_possible() && guards_.hold();
  }
  /// The same where the first try, a compare with 0, has failed.
  bool is_quick_with_device() const noexcept { return is_quick<~Spec::data.word_mask()>(); }
  /// Whether the thread has nothing but a declared stack.
  template <std::uint64_t Unasked = 0> [[gnu::always_inline]] bool is_plain() const noexcept {
    constexpr std::uint64_t own = has_own_stance<Guards> ? stance_bit : 0;
    constexpr std::uint64_t asked = ~(Unasked | (has_stacks ? filtered_bits : 0) | own);
    if constexpr (has_stacks)
      if (stack_.number < 0) [[unlikely]]
        return false;
    if constexpr (has_own_stance<Guards>)
      if (guards_.calls.acts_on_hits()) return false;
    if ((current_word() & asked) != 0) [[unlikely]]
      return false;
    return are_on_host();
  }
  /// Where factories are beside arguments, these are where the former are without a default device.
  [[gnu::always_inline]] bool are_on_host() const noexcept {
    if constexpr (Spec::data.reads_default_device)
      return std::apply([](Arguments const&... values) { return (is_on_host(values) && ...); }, values_);
    else return true;
  }
  template <class Value> static bool is_on_host(Value const& value) noexcept {
    if constexpr (is_argument_tensor_v<Value>) return value.where() == device{};
    else return true;
  }
  /// Whether an entry is for the stack of this call.
  bool is_mine(entry const& e) const noexcept {
    if constexpr (!has_stacks) return true;
    else return e.stack == stack_.number;
  }
  std::uint64_t hash() const noexcept {
    std::uint64_t const layouts = match::hash(values_);
    if constexpr (!has_stacks) return layouts;
    else return layouts + packed_layouts::stack_part(stack_.number);
  }

  /// The arguments that the call writes, as a tuple of references. What is called has seen that they may be.
  [[gnu::always_inline]] auto in_outs() const noexcept {
    return written_values(typename Spec::in_outs{}, values_);
  }
  /// Whether a direct entry serves a call that has fresh results.
  [[gnu::always_inline]] bool serves(entry const& e) const noexcept {
    if constexpr (writes_arguments) return match::matches(e, values_, in_outs());
    else return match::matches(e, values_);
  }
  [[gnu::always_inline]] void write_all(auto const& outs, std::span<std::byte> const* workspace) const {
    if constexpr (writes_arguments) write(std::tuple_cat(outs, in_outs()), workspace);
    else write(outs, workspace);
  }

  template <class... Out>
  [[gnu::always_inline]] void write(std::tuple<Out&...> const& outs,
                                    std::span<std::byte> const* workspace) const {
    bool done = false;
    if constexpr ((fixed_call<Spec>::is_possible(Out::static_shape()) && ...))
      done = fixed_hit(std::get<0>(outs));
    else done = hit(outs, workspace);
    if (!done) [[unlikely]]
      apart([outs, workspace](auto const& call) { call.search_and_write(outs, workspace); });
  }

  /// Runs the inlined kernel, if an entry for packed arguments is installed.
  [[gnu::always_inline]] bool fixed_hit(auto& out) const {
    using fixed = fixed_call<Spec>;
    if (!is_plain()) [[unlikely]]
      return false;
    cache const* const entries = home_.at_hand(Spec::data);
    if (!entries || !entries->has_packed_entry()) [[unlikely]]
      return false;
    if (!fixed::matches(out, values_) || !guards_.hold()) [[unlikely]]
      return false;
    fixed::run(out, values_);
    return true;
  }

  /// Runs the first entry, if it serves this call and outputs, and `workspace` is enough.
  [[gnu::always_inline]] bool hit(auto const& outs, std::span<std::byte> const* workspace) const {
    cache const* const entries = is_quick() ? home_.at_hand(Spec::data) : nullptr;
    if (!entries) [[unlikely]]
      return false;
    quick_epoch const epoch;
    entry const* const e = first(*entries);
    return e && is_mine(*e) && match::matches(*e, values_, outs) && run_into(*e, outs, workspace);
  }

  /// `e` where a pinned call may run it at once, unseen by modes; else null.
  [[gnu::always_inline]] entry const* ready(entry const* e) const noexcept {
    if constexpr (Spec::data.checks_scalars) return nullptr;
    else
      return is_plain<~Spec::data.word_mask()>() && e && is_mine(*e) && !has_run_subscribers() ? e : nullptr;
  }

  /// The same for all entries of the call's hash; then whatever else it takes.
  void search_and_write(auto const outs, std::span<std::byte> const* workspace) const {
    if (is_quick_with_device()) {
      quick_epoch const epoch;
      entry const* const e =
          found([&](entry const& it) { return is_mine(it) && match::matches(it, values_, outs); });
      if (e && run_into(*e, outs, workspace)) return;
    }
    apart([&outs, workspace](auto const& call) { call.written(outs, workspace); });
  }

  [[gnu::always_inline]] entry const* first(cache const& entries) const noexcept {
    entry_table const* const table = entries.table();
    return table ? table->direct().first(hash()) : nullptr;
  }
  /// The direct entry for which `is_it(entry)` holds, of the table or of this thread's memo; or null.
  entry const* found(auto&& is_it) const {
    cache const* const entries = home_.known(Spec::data);
    entry_table const* const table = entries ? entries->table() : nullptr;
    if (!table) return nullptr;
    std::uint64_t const mine = hash();
    if (entry const* const e = table->direct().find(mine, is_it)) return e;
    entry const* const e = this_memo ? this_memo->first(*table, mine) : nullptr;
    return e && is_it(*e) ? e : nullptr;
  }

  /// Calls `use(call)`, not inlined, with a copy of this call, so that the caller may hold its own
  /// in registers.
  [[gnu::always_inline]] auto apart(auto const& use) const {
    return apart(use, std::index_sequence_for<Arguments...>{});
  }
  template <std::size_t... K>
  [[gnu::always_inline]] auto apart(auto const& use, std::index_sequence<K...>) const {
    return use_apart(use, home_, stack_.number, guards_, std::get<K>(values_)...);
  }
  [[gnu::noinline]] static auto use_apart(auto const& use, function_caches& home, int stack, Guards guards,
                                          Arguments const&... values) {
    return use(typed_call(home, stack, guards, values...));
  }

  template <class Result> Result found_or_made() const {
    if (is_quick_with_device()) {
      quick_epoch const epoch;
      if (entry const* const e =
              found([this](entry const& it) { return is_mine(it) && serves(it); }))
        return fresh<Result>(*e);
    }
    return apart([](auto const& call) {
      if constexpr (writes_arguments) return call.template searched_beside<Result>();
      else return call.template searched<Result>();
    });
  }

  template <class Result> Result fresh(entry const& e) const {
    unsigned next = 0;
    Result out = built<Result>([&]<class Tensor>(std::type_identity<Tensor>)
                                   __attribute__((always_inline)) {
      unsigned const r = next++;
      return Tensor::uninitialized(Tensor::layout_type::of(e.ready.results[r].layout.view()),
                                   device_of_result(e, r));
    });
    if constexpr (writes_arguments) run(e.ready, std::tuple_cat(leaves_of(out), in_outs()), nullptr);
    else run(e.ready, leaves_of(out), nullptr);
    return out;
  }
  /// Where a result lies: with the argument that it is made of, or in plain host memory, since a call
  /// that reads a default device is not quick.
  [[gnu::always_inline]] device device_of_result(entry const& e, unsigned r) const noexcept {
    if constexpr (constexpr std::int16_t first = Spec::facts::result_sources[0];
                  returned == 1 && first != Spec::facts::varied_source) {
      // The type fixes the kind, which then is not tested.
      if constexpr (first >= 0)
        return {device_kind::cpu, std::get<static_cast<std::size_t>(first)>(values_).where().number};
      else return {};
    } else {
      std::int16_t const source = Spec::data.paths[static_cast<unsigned>(e.path)].source_of_result(r);
      device on;
      for_each_index<arguments>([&]<class K>(K) {
        if constexpr (is_argument_tensor_v<std::remove_cvref_t<decltype(std::get<K::value>(values_))>>)
          if (source == K::value) on = std::get<K::value>(values_).where();
      });
      return on;
    }
  }
  /// False where `workspace` is not enough.
  [[gnu::always_inline]] bool run_into(entry const& e, auto const& outs,
                                       std::span<std::byte> const* workspace) const {
    if (workspace && !is_enough(*workspace, rounded_up(e.ready.workspace_bytes))) [[unlikely]]
      return false;
    run(e.ready, outs, workspace ? workspace->data() : nullptr);
    return true;
  }

  [[gnu::always_inline]] void run(bound_call const& b, auto const& outs, std::byte* workspace) const {
    std::array<void*, arguments + results + 2> bases;
    std::array<std::uint64_t, arguments == 0 ? 1 : arguments> scalars;
    unrolled<arguments>([&]<class K>(K) {
      auto const& value = std::get<K::value>(values_);
      put_address(bases[K::value], argument_address(value, scalars[K::value]));
    });
    unrolled<results>([&]<class R>(R) {
      put_address<void*>(bases[arguments + R::value], std::get<R::value>(outs).data());
    });
    if constexpr (Spec::facts::reads_bases_of_plan)
      run_plan(b, bases.data(), arguments + results, workspace);
    else b.run(b.plan, bases.data());
  }

  void written(auto const& outs, std::span<std::byte> const* workspace,
               pinned_entry const* pinned = nullptr) const {
    auto const write_them = [&](any_call const& c) {
      call_epoch const epoch;
      std::apply(
          [&]<class... Out>(Out&... out) {
            unsigned next = 0;
            std::array<output_view, sizeof...(Out)> const views{output_view{
                out.data(), out.layout().view(), size_of(Out::type()), match::written_to[next++]}...};
            write_into(c, views, workspace);
          },
          outs);
    };
    with_room(write_them, pinned);
  }
  /// Fresh results of a call that writes arguments as well.
  template <class Result> Result searched_beside() const {
    std::array<returned_result, static_cast<unsigned>(returned)> fresh;
    with_room([&](any_call const& c) {
      call_epoch const epoch;
      write_into(c, views_of_arguments(c, typename Spec::in_outs{}), nullptr, fresh);
    });
    unsigned next = 0;
    return built<Result>([&]<class Tensor>(std::type_identity<Tensor>) {
      returned_result& r = fresh[next++];
      return Tensor::adopt(std::move(r.owner), static_cast<typename Tensor::element_type*>(r.data),
                           Tensor::layout_type::of(r.layout.view()));
    });
  }

  template <class Result> Result searched(pinned_entry const* pinned = nullptr) const {
    Result out = no_results<Result>();
    auto const replay_all = [&out](any_call const& c, served_call const& how) {
      std::vector<any_tensor> const values = replayed(c, how);
      out = results_from<Result>(values.data());
    };
    auto const run_it = [&](any_call const& c) {
      if (eager_cause const cause = cause_before_lookup(c.fn, c.f); cause != eager_cause::none)
        return replay_all(c, {.cause = cause});
      call_epoch const epoch;
      int path = no_path;
      bound_call own;
      served_call how;
      bound_call const& served = serve(c, 0, true, path, own, &how);
      if (path == eager_path) return replay_all(c, how);
      tell_run(c, how);
      watched_call const watched(served, c.spec(), c.f, path, c.fn.name);
      if (observers_active()) tell(c, path);
      {
        inert_scope const inert;
        out = run_for_results<Result, Spec>(c, watched.call(), path);
      }
      if (how.is_kept_later) keep(c, 0, how);
    };
    with_room(run_it, pinned);
    return out;
  }

  function_caches& home_;
  [[no_unique_address]] std::conditional_t<has_stacks, stack_of_call, no_stack_of_call> stack_;
  [[no_unique_address]] Guards guards_;
  std::tuple<Arguments const&...> values_;
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
