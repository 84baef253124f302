// guardjit: compile/call.hpp: one call of a compiled function: the part that is made for its types
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_CALL_HPP
#define GUARDJIT_COMPILE_CALL_HPP

#include <guardjit/compile/arguments.hpp>
#include <guardjit/compile/slow_call.hpp>
#include <guardjit/compile/specialization.hpp>
#include <guardjit/compile/word_compare.hpp>

#include <tuple>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// One call of one specialization. What is here is inlined where the function is called: finding a
/// static entry, and running it. It works on the arguments themselves; the frame that all else
/// needs (`slow_call.hpp`) is made only then.
/// Lifetime: refers to the arguments.
template <class Spec, class... Arguments> class typed_call {
 public:
  using element_type = element_t<Spec::result_type>;
  static constexpr int arguments = Spec::arguments;

  typed_call(cache& entries, function_state& state, Arguments const&... values)
      : entries_(entries), fn_(state), values_(values...) {}

  /// A fresh result, or a view of an argument.
  template <class Result> Result result() const {
    if (current_word() == 0) [[likely]] {
      call_epoch const epoch;
      if (entry const* const e = found()) [[likely]] {
        Result out =
            Result::uninitialized(Result::layout_type::of(e->ready.result_layout.view()));
        run(e->ready, out.data(), nullptr);
        return out;
      }
    }
    return slowly([](typed_call const& call) { return call.searched<Result>(); });
  }

  /// Writes the result into a tensor of the caller.
  void into(auto& out) const {
    if (!hit(out, nullptr)) [[unlikely]]
      slowly([&out](typed_call const& call) { call.written(out, nullptr); });
  }
  void into(auto& out, std::span<std::byte> workspace) const {
    if (!hit(out, &workspace)) [[unlikely]]
      slowly([&](typed_call const& call) { call.written(out, &workspace); });
  }

  index_t workspace_bytes() const {
    index_t bytes = 0;
    with_room([&](any_call const& c) {
      call_epoch const epoch;
      int path = no_path;
      bound_call own;
      bytes = serve(c, 0, path, own).workspace_bytes;
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
          any_call const c{entries_, fn_, frame.view(), {plan, symbols}};
          use(c);
        },
        values_);
  }

 private:
  static constexpr argument_type type_of(int k) {
    return Spec::signature::arguments[static_cast<unsigned>(k)];
  }
  static constexpr int first_word(int k) {
    int words = 0;
    for (int j = 0; j < k; ++j) words += 2 * type_of(j).extents.rank;
    return words;
  }
  /// Whether the type of an argument proves no extent.
  static constexpr bool is_dynamic(int k) {
    for (int d = 0; d < type_of(k).extents.rank; ++d)
      if (type_of(k).extents[d] != dyn) return false;
    return true;
  }
  static constexpr int key_words = first_word(arguments) + 2 * Spec::result_rank;

  /// Calls `visit(k, layout)` for the tensors whose elements or extents are read.
  void for_each_layout(auto&& visit) const {
    for_each_index<arguments>([&]<class K>(K k) {
      if constexpr (type_of(K::value).extents.rank > 0)
        visit(k, std::get<K::value>(values_).layout());
    });
  }

  /// `packed_layouts::hash` with all loops unrolled.
  std::uint64_t hash() const noexcept {
    std::uint64_t h = 0;
    for_each_layout([&]<class K>(K, auto const& l) {
      if constexpr (Spec::data.reads_elements[K::value]) {
        h ^= packed_layouts::part(l.hash(), K::value);
      } else {
        for_each_index<type_of(K::value).extents.rank>([&]<class D>(D) {
          if constexpr (Spec::data.reads(K::value, D::value))
            h ^= packed_layouts::part(static_cast<std::uint64_t>(l.extent(D::value)), K::value,
                                      D::value);
        });
      }
    });
    return h;
  }

  /// `entry::has_layouts` with all loops unrolled, without what the types prove.
  bool matches(entry const& e) const noexcept {
    word_compare words;
    words.add(e.indirect, 0);
    for_each_layout([&]<class K>(K, auto const& l) {
      constexpr int k = K::value, rank = type_of(k).extents.rank;
      index_t const* const key = e.key() + first_word(k);
      if constexpr (Spec::data.reads_elements[k] && is_dynamic(k))
        words.add<rank>(key, l.view().extents);
      else
        for_each_index<rank>([&]<class D>(D) {
          if constexpr (Spec::data.reads(k, D::value) && type_of(k).extents[D::value] == dyn)
            words.add(key[D::value], l.extent(D::value));
        });
      if constexpr (Spec::data.reads_elements[k]) words.add<rank>(key + rank, l.view().strides);
    });
    return words.equal();
  }

  /// A static entry for outputs that meet no argument, or null.
  entry const* found() const noexcept {
    if constexpr (Spec::data.branches_on_scalars) return nullptr;
    entry_table const* const table = entries_.table();
    if (!table) [[unlikely]]
      return nullptr;
    if (entry const* const e = table->predicted(); e && matches(*e)) [[likely]]
      return e;
    if (!table->has_static()) return nullptr;
    return slowly([table](typed_call const& call) {
      return table->find_static(call.hash(), 0,
                                [&call](entry const& e) { return call.matches(e); });
    });
  }

  /// Whether the output has the result's layout and meets none of the arguments that are read.
  bool fits(entry const& e, auto const& out) const noexcept {
    constexpr int rank = Spec::result_rank;
    index_t const* const form = e.key() + first_word(arguments);
    layout_view const written = out.layout().view();
    word_compare words;
    words.add<rank>(form, written.extents);
    words.add<rank>(form + rank, written.strides);
    entry::reach const* const reaches = e.reaches(key_words);
    int meetings = 0;
    for_each_index<arguments>([&]<class K>(K) {
      if constexpr (Spec::data.reads_elements[K::value] && !type_of(K::value).scalar)
        meetings |= static_cast<int>(
            reaches[K::value].meets(out.data(), std::get<K::value>(values_).data()));
    });
    return words.equal() && meetings == 0;
  }

  /// Calls `use(call)`, not inlined, with a copy of this call: so the hit path holds the call in
  /// registers.
  auto slowly(auto const& use) const {
    return std::apply(
        [&](Arguments const&... values) { return apart(use, entries_, fn_, values...); }, values_);
  }
  [[gnu::noinline]] static auto apart(auto const& use, cache& entries, function_state& state,
                                      Arguments const&... values) {
    return use(typed_call(entries, state, values...));
  }

  /// Runs a static entry, if there is one for this call and output, and `workspace` is enough.
  bool hit(auto& out, std::span<std::byte> const* workspace) const {
    if (current_word() != 0) [[unlikely]]
      return false;
    call_epoch const epoch;
    entry const* const e = found();
    if (!e || !fits(*e, out)) [[unlikely]]
      return false;
    if (workspace && !is_enough(*workspace, rounded_up(e->ready.workspace_bytes))) [[unlikely]]
      return false;
    run(e->ready, out.data(), workspace ? workspace->data() : nullptr);
    return true;
  }

  void run(bound_call const& b, void* output, std::byte* workspace) const {
    std::array<void*, arguments + 3> bases;
    std::array<std::uint64_t, arguments == 0 ? 1 : arguments> scalars;
    for_each_index<arguments>([&]<class K>(K) {
      auto const& value = std::get<K::value>(values_);
      put_address(bases[K::value], argument_address(value, scalars[K::value]));
    });
    run_plan(b, bases.data(), arguments, output, workspace);
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
      bound_call const& b = serve(c, 0, path, own);
      if (observers_active()) tell(c, path);
      out = view<Result>(c, b);
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

  cache& entries_;
  function_state& fn_;
  std::tuple<Arguments const&...> values_;
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
