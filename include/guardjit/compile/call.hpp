// guardjit: compile/call.hpp: one call of a compiled function: the part that is made for its types
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_CALL_HPP
#define GUARDJIT_COMPILE_CALL_HPP

#include <guardjit/compile/caches.hpp>
#include <guardjit/compile/fixed_call.hpp>
#include <guardjit/compile/slow_call.hpp>
#include <guardjit/compile/specialization.hpp>
#include <guardjit/compile/typed_match.hpp>

#include <tuple>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// One call of one specialization. What is inlined where the function is called is the guard of
/// the first entry that its hash leads to, and running it. Next, not inlined, comes the rest of the
/// table, still on the arguments themselves; then the frame that all else needs (`slow_call.hpp`).
/// Lifetime: refers to the arguments.
template <class Spec, class... Arguments> class typed_call {
 public:
  using element_type = element_t<Spec::result_type>;
  using match = typed_match<Spec, Arguments...>;
  static constexpr int arguments = Spec::arguments;

  typed_call(function_caches& home, Arguments const&... values) : home_(home), values_(values...) {}

  /// A fresh result, or a view of an argument.
  template <class Result> Result result() const {
    if (cache const* const entries = is_quick() ? home_.at_hand(Spec::data) : nullptr) [[likely]] {
      quick_epoch const epoch;
      entry const* const e = first(*entries);
      if (e && match::matches(*e, values_)) [[likely]]
        return fresh<Result>(*e);
    }
    return apart([](auto const& call) { return call.template found_or_made<Result>(); });
  }

  /// Writes the result into a tensor of the caller.
  [[gnu::always_inline]] void into(auto& out) const { write(out, nullptr); }
  [[gnu::always_inline]] void into(auto& out, std::span<std::byte> workspace) const {
    write(out, &workspace);
  }

  index_t workspace_bytes() const {
    index_t bytes = 0;
    with_room([&](any_call const& c) {
      call_epoch const epoch;
      int path = no_path;
      bound_call own;
      bytes = serve(c, 0, false, path, own).workspace_bytes;
    });
    return rounded_up(bytes);
  }

  /// Calls `use(any_call)` with room for a plan.
  void with_room(auto&& use) const {
    std::apply(
        [&](Arguments const&... values) {
          alignas(64) std::byte plan[Spec::data.plan_bytes];
          index_t symbols[Spec::data.symbols];
          call_frame<arguments> frame(values...);
          any_call const c{home_.of(Spec::data), home_.fn, frame.view(), {plan, symbols}};
          use(c);
        },
        values_);
  }

 private:
  /// Whether no mode sees the call, and it is inside no other, so that static entries may be tried.
  static bool is_quick() noexcept {
    return typed_path<Spec>::is_known && !Spec::data.checks_scalars && current_word() == 0 &&
           quick_epoch::is_possible();
  }

  [[gnu::always_inline]] void write(auto& out, std::span<std::byte> const* workspace) const {
    constexpr shape form = std::remove_reference_t<decltype(out)>::static_shape();
    bool done = false;
    if constexpr (fixed_call<Spec>::is_possible(form)) done = fixed_hit(out);
    else done = hit(out, workspace);
    if (!done) [[unlikely]]
      apart([&out, workspace](auto const& call) { call.search_and_write(out, workspace); });
  }

  /// Runs the inlined kernel, if an entry for packed arguments is installed.
  [[gnu::always_inline]] bool fixed_hit(auto& out) const {
    using fixed = fixed_call<Spec>;
    if (current_word() != 0) [[unlikely]]
      return false;
    cache const* const entries = home_.at_hand(Spec::data);
    if (!entries || !entries->has_packed_entry()) [[unlikely]]
      return false;
    if (!fixed::matches(out, values_)) [[unlikely]]
      return false;
    fixed::run(out, values_);
    return true;
  }

  /// Runs the first entry, if it serves this call and output, and `workspace` is enough.
  [[gnu::always_inline]] bool hit(auto& out, std::span<std::byte> const* workspace) const {
    cache const* const entries = is_quick() ? home_.at_hand(Spec::data) : nullptr;
    if (!entries) [[unlikely]]
      return false;
    quick_epoch const epoch;
    entry const* const e = first(*entries);
    return e && match::matches(*e, values_, out) && run_into(*e, out, workspace);
  }

  /// The same for all entries of the call's hash; then whatever else it takes.
  void search_and_write(auto& out, std::span<std::byte> const* workspace) const {
    if (is_quick()) {
      quick_epoch const epoch;
      entry const* const e =
          found([&](entry const& it) { return match::matches(it, values_, out); });
      if (e && run_into(*e, out, workspace)) return;
    }
    apart([&out, workspace](auto const& call) { call.written(out, workspace); });
  }

  [[gnu::always_inline]] entry const* first(cache const& entries) const noexcept {
    entry_table const* const table = entries.table();
    return table ? table->direct().first(match::hash(values_)) : nullptr;
  }
  /// The direct entry for which `is_it(entry)` holds, of the table or of this thread's memo; or null.
  entry const* found(auto&& is_it) const {
    cache const* const entries = home_.known(Spec::data);
    entry_table const* const table = entries ? entries->table() : nullptr;
    if (!table) return nullptr;
    std::uint64_t const hash = match::hash(values_);
    if (entry const* const e = table->direct().find(hash, is_it)) return e;
    entry const* const e = this_memo ? this_memo->first(*table, hash) : nullptr;
    return e && is_it(*e) ? e : nullptr;
  }

  /// Calls `use(call)`, not inlined, with a copy of this call, so that the caller may hold its own
  /// in registers.
  [[gnu::always_inline]] auto apart(auto const& use) const {
    return apart(use, std::index_sequence_for<Arguments...>{});
  }
  template <std::size_t... K>
  [[gnu::always_inline]] auto apart(auto const& use, std::index_sequence<K...>) const {
    return use_apart(use, home_, std::get<K>(values_)...);
  }
  [[gnu::noinline]] static auto use_apart(auto const& use, function_caches& home,
                                          Arguments const&... values) {
    return use(typed_call(home, values...));
  }

  template <class Result> Result found_or_made() const {
    if (is_quick()) {
      quick_epoch const epoch;
      if (entry const* const e =
              found([this](entry const& it) { return match::matches(it, values_); }))
        return fresh<Result>(*e);
    }
    return apart([](auto const& call) { return call.template searched<Result>(); });
  }

  template <class Result> Result fresh(entry const& e) const {
    Result out = Result::uninitialized(Result::layout_type::of(e.ready.result_layout.view()));
    run(e.ready, out.data(), nullptr);
    return out;
  }
  /// False where `workspace` is not enough.
  [[gnu::always_inline]] bool run_into(entry const& e, auto& out,
                                       std::span<std::byte> const* workspace) const {
    if (workspace && !is_enough(*workspace, rounded_up(e.ready.workspace_bytes))) [[unlikely]]
      return false;
    run(e.ready, out.data(), workspace ? workspace->data() : nullptr);
    return true;
  }

  [[gnu::always_inline]] void run(bound_call const& b, void* output, std::byte* workspace) const {
    std::array<void*, arguments + 3> bases;
    std::array<std::uint64_t, arguments == 0 ? 1 : arguments> scalars;
    for_each_index<arguments>([&]<class K>(K) {
      auto const& value = std::get<K::value>(values_);
      put_address(bases[K::value], argument_address(value, scalars[K::value]));
    });
    if constexpr (Spec::facts::reads_bases_of_plan) {
      run_plan(b, bases.data(), arguments, output, workspace);
    } else {
      put_address(bases[arguments], output);
      b.run(b.plan, bases.data());
    }
  }

  void written(auto& out, std::span<std::byte> const* workspace) const {
    with_room([&](any_call const& c) {
      call_epoch const epoch;
      write_into(c, {out.data(), out.layout().view()}, workspace);
    });
  }

  template <class Result> Result searched() const {
    Result out = Result::adopt({}, nullptr, typename Result::layout_type());
    with_room([&](any_call const& c) {
      if (needs_replay(current_word())) {
        out = typed<Result>(replayed(c));
        return;
      }
      call_epoch const epoch;
      int path = no_path;
      bound_call own;
      bool later = false;
      bound_call const& b = serve(c, 0, true, path, own, &later);
      if (observers_active()) tell(c, path);
      out = view<Result>(c, b);
      if (later) keep(c, 0);
    });
    return out;
  }

  template <class Result> static Result typed(any_tensor const& value) {
    return [&value]<index_t... E>(std::type_identity<tensor<element_type, E...>>) {
      return value.as<element_type, E...>();
    }
    (std::type_identity<Result>{});
  }

  /// A result that lies in fresh storage, or is a view of an argument.
  template <class Result> static Result view(any_call const& c, bound_call const& b) {
    bool const is_fresh = b.result.base == arguments;
    storage owner = is_fresh ? storage::allocate(b.output_bytes) : *c.f.owners[b.result.base];
    run_plan(b, c.f.bases, arguments, is_fresh ? owner.data() : nullptr, nullptr);
    auto* const data = static_cast<element_type*>(resolve(b.result, c.f.bases));
    return Result::adopt(std::move(owner), data,
                         Result::layout_type::of(b.result_layout.view()));
  }

  function_caches& home_;
  std::tuple<Arguments const&...> values_;
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
