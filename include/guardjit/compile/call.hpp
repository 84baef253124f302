// guardjit: compile/call.hpp: one call of a compiled function: the part that is made for its types
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_CALL_HPP
#define GUARDJIT_COMPILE_CALL_HPP

#include <guardjit/compile/arguments.hpp>
#include <guardjit/compile/slow_call.hpp>
#include <guardjit/compile/specialization.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// One call of one specialization. What is here is inlined where the function is called: the test
/// of the first guess, and the result's type. All else is `slow_call.hpp`.
template <class Spec> class typed_call {
 public:
  using element_type = element_t<Spec::result_type>;
  static constexpr int arguments = Spec::arguments;

  typed_call(cache& entries, function_state& fn, call_frame<arguments>& f) : entries_(entries), fn_(fn), f_(f) {}

  /// A fresh result, or a view of an argument.
  template <class Result> Result result() {
    if (current_word() == 0) [[likely]] {
      call_epoch const epoch;
      entry_table const* const table = entries_.table();
      if (table) [[likely]]
        if (entry const* e = table->predicted(); e && matches(*e) && e->ready.plain) [[likely]]
          return fresh<Result>(e->ready);
    }
    return searched<Result>();
  }

  /// Writes the result into memory of the caller.
  void into(output_view const& out) {
    if (current_word() == 0) [[likely]] {
      call_epoch const epoch;
      entry_table const* const table = entries_.table();
      if (table) [[likely]]
        if (entry const* e = table->predicted(); e && matches(*e) && e->ready.plain && fits(*e, out)) [[likely]]
          return run_direct(e->ready, out.data);
    }
    with_room([&](any_call const& c) {
      call_epoch const epoch;
      write_into(c, out, nullptr);
    });
  }
  void into(output_view const& out, std::span<std::byte> workspace) {
    with_room([&](any_call const& c) {
      call_epoch const epoch;
      write_into(c, out, &workspace);
    });
  }

  index_t workspace_bytes() {
    index_t bytes = 0;
    with_room([&](any_call const& c) {
      call_epoch const epoch;
      int path = no_path;
      bytes = serve(c, 0, path).workspace_bytes;
    });
    return rounded_up(bytes);
  }

  /// Calls `use(any_call)` with room for a plan.
  void with_room(auto&& use) {
    alignas(64) std::byte plan[Spec::data.plan_bytes];
    index_t symbols[Spec::data.symbols];
    any_call const c{entries_, fn_, f_.view(), {plan, symbols}};
    use(c);
  }

 private:
  /// Whether a static entry serves this call: `entry::has_layouts` with all loops unrolled.
  bool matches(entry const& e) const noexcept {
    if constexpr (Spec::data.branches_on_scalars) return false;
    index_t differs = static_cast<index_t>(e.overlaps);
    index_t const* const key = e.key();
    for_each_index<arguments>([&]<class K>(K) {
      constexpr auto k = static_cast<unsigned>(K::value);
      constexpr int rank = Spec::signature::arguments[k].extents.rank;
      constexpr int first = [] {
        int words = 0;
        for (unsigned j = 0; j < k; ++j) words += 2 * Spec::signature::arguments[j].extents.rank;
        return words;
      }();
      for_each_index<rank>([&]<class D>(D) {
        constexpr int d = D::value, word = first + 2 * d;
        if constexpr (Spec::data.reads(K::value, d)) differs |= key[word] ^ f_.layouts[k].extents[d];
        if constexpr (Spec::data.reads_elements[k]) differs |= key[word + 1] ^ f_.layouts[k].strides[d];
      });
    });
    return differs == 0;
  }

  /// Whether the output has the result's layout and meets none of the arguments that are read.
  bool fits(entry const& e, output_view const& out) const noexcept {
    index_t differs = 0;
    layout_view const form = e.ready.result_layout.view();
    for_each_index<Spec::result_rank>([&]<class D>(D) {
      differs |= (form.extents[D::value] ^ out.form.extents[D::value]) | (form.strides[D::value] ^ out.form.strides[D::value]);
    });
    if (differs != 0) return false;
    auto const begin = reinterpret_cast<std::uintptr_t>(out.data);
    std::uintptr_t const end = begin + static_cast<std::uintptr_t>(e.ready.output_bytes);
    element_span const* const spans = e.spans();
    bool apart = true;
    for_each_index<arguments>([&]<class K>(K) {
      constexpr auto k = static_cast<unsigned>(K::value);
      if constexpr (Spec::data.reads_elements[k] && !Spec::signature::arguments[k].scalar) {
        auto const at = reinterpret_cast<std::uintptr_t>(f_.bases[k]);
        bool const before = end <= at + static_cast<std::uintptr_t>(spans[k].begin);
        bool const behind = at + static_cast<std::uintptr_t>(spans[k].end) <= begin;
        apart = apart && (before || behind);
      }
    });
    return apart;
  }

  void run_direct(bound_call const& b, void* output) {
    run_plan({entries_, fn_, f_.view(), {}}, b, output, nullptr);
  }

  template <class Result> Result fresh(bound_call const& b) {
    using layout_type = typename Result::layout_type;
    Result out = Result::uninitialized(layout_type(b.result_layout.view()));
    run_direct(b, out.data());
    return out;
  }

  template <class Result> [[gnu::noinline]] Result searched() {
    Result out = Result::adopt({}, nullptr, typename Result::layout_type());
    with_room([&](any_call const& c) {
      if (needs_replay(current_word())) {
        out = typed<Result>(replayed(c));
        return;
      }
      call_epoch const epoch;
      int path = no_path;
      bound_call const b = serve(c, 0, path);
      if (observers_active()) tell(c, path);
      out = b.plain ? fresh<Result>(b) : view<Result>(c, b);
    });
    return out;
  }

  template <class Result> static Result typed(any_tensor const& value) {
    return [&value]<index_t... E>(std::type_identity<tensor<element_type, E...>>) {
      return value.as<element_type, E...>();
    }(std::type_identity<Result>{});
  }

  /// A result that is a view, of an argument or of fresh storage.
  template <class Result> static Result view(any_call const& c, bound_call const& b) {
    bool const is_fresh = b.result.base == arguments;
    storage owner = is_fresh ? storage::allocate(b.output_bytes) : *c.f.owners[b.result.base];
    run_plan(c, b, is_fresh ? owner.data() : nullptr, nullptr);
    auto* const data = static_cast<element_type*>(resolve(b.result, c.f.bases));
    return Result::adopt(std::move(owner), data, typename Result::layout_type(b.result_layout.view()));
  }

  cache& entries_;
  function_state& fn_;
  call_frame<arguments>& f_;
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
