// guardjit: compile/call.hpp: from a frame to a result: find, tell, run
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_CALL_HPP
#define GUARDJIT_COMPILE_CALL_HPP

#include <guardjit/compile/cache.hpp>
#include <guardjit/compile/replay.hpp>
#include <guardjit/compile/workspace.hpp>

#include <span>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// The output of `into`, as a kernel sees it.
template <int Rank> struct output_view {
  void* data = nullptr;
  layout<Rank> const* form = nullptr;
};

/// One call of one specialization.
template <class Spec> class call {
 public:
  using cache_type = cache<Spec>;
  using entry_type = entry<Spec>;
  using frame = typename Spec::frame;
  static constexpr int rank = Spec::result_rank;
  using element_type = element_t<Spec::result_type>;
  using bound_type = bound_call<rank>;
  static constexpr int output_base = Spec::arguments;

  call(cache_type& c, function_state& fn, frame& f) : cache_(c), fn_(fn), f_(f) {}

  /// A fresh result, or a view of an argument.
  template <class Result> Result result() {
    if (std::uint64_t const word = current_word(); word != 0 && !is_inert()) [[unlikely]]
      if (needs_replay(word)) return replayed().template as_result<Result>();
    call_epoch const epoch;
    table_type const* const table = cache_.table();
    if (table) [[likely]]
      if (entry_type const* e = table->predicted(); e && e->matches(f_, 0)) [[likely]]
        return finish<Result>(e->ready, e->path);
    return searched<Result>(table);
  }

  /// Writes the result into memory of the caller, through the workspace of this thread.
  void into(output_view<rank> out) {
    if (std::uint64_t const word = current_word(); word != 0 && !is_inert()) [[unlikely]]
      if (needs_replay(word)) return write_replayed(out);
    call_epoch const epoch;
    table_type const* const table = cache_.table();
    if (table) [[likely]]
      if (entry_type const* e = table->predicted(); e && e->matches(f_, 0) && e->ready.plain) [[likely]]
        if (*out.form == e->ready.result_layout && is_apart(*e, out)) [[likely]] {
          tell(e->path);
          return write(e->ready, out, nullptr);
        }
    search_into(table, out, nullptr);
  }

  /// As above, with memory of the caller for the intermediates.
  void into(output_view<rank> out, std::span<std::byte> workspace) {
    if (std::uint64_t const word = current_word(); word != 0 && !is_inert()) [[unlikely]]
      if (needs_replay(word)) return write_replayed(out);
    call_epoch const epoch;
    search_into(cache_.table(), out, &workspace);
  }

  index_t workspace_bytes() {
    call_epoch const epoch;
    plan_scratch<Spec> scratch;
    int path = 0;
    return serve(cache_.table(), 0, scratch, path).workspace_bytes;
  }

  entry_type const* find() const {
    table_type const* const table = cache_.table();
    return table ? table->find(f_, 0) : nullptr;
  }

 private:
  using table_type = entry_table<Spec>;

  static bool needs_replay(std::uint64_t word) {
    return (word & word_bit(mode_class::runtime)) != 0;
  }

  struct replayed_value {
    any_tensor value;
    template <class Result> Result as_result() const {
      return [this]<index_t... E>(std::type_identity<tensor<element_type, E...>>) {
        return value.as<element_type, E...>();
      }(std::type_identity<Result>{});
    }
  };
  replayed_value replayed() {
    int const path = Spec::path_of(f_);
    require_call<Spec>(f_, path);
    replayed_value r;
    for_each_index<Spec::path_count>([&]<class K>(K) {
      if (K::value == path)
        r.value = replay<typename Spec::template program_at<K::value>::traced, typename Spec::backend>(f_);
    });
    return r;
  }
  void write_replayed(output_view<rank> out) {
    any_tensor const value = replayed().value;
    check_output(out, value.shape());
    any_tensor const apart = overlaps_storage(out, value) ? value.clone() : value;
    copy_between<typename Spec::backend, Spec::result_type>(out.form->view(), out.data, apart.layout().view(), apart.data());
  }
  static bool overlaps_storage(output_view<rank> out, any_tensor const& value) {
    return overlap_of({out.data, out.form->view(), sizeof(element_type)},
                      {value.data(), value.layout().view(), sizeof(element_type)}) != overlap::disjoint;
  }

  /// Step 9: observers are told once, before kernels run.
  void tell(int path) {
    if (!observers_active()) [[likely]] return;
    for_each_index<Spec::path_count>([&]<class K>(K) {
      if (K::value == path) tell_ops<typename Spec::template program_at<K::value>::traced>(f_);
    });
  }

  /// The plan for this call: of an entry found or made, or of this call alone.
  bound_type serve(table_type const* table, std::uint64_t overlaps, plan_scratch<Spec>& scratch, int& path) {
    entry_type const* e = table ? table->find(f_, overlaps) : nullptr;
    if (!e) e = cache_.miss(fn_, f_, overlaps);
    if (e) {
      path = e->path;
      return e->is_dynamic ? e->bind(f_, scratch.bytes) : e->ready;
    }
    path = Spec::path_of(f_);
    bound_type bound;
    for_each_index<Spec::path_count>([&]<class K>(K) {
      if (K::value == path) bound = bind_in<Spec, K::value>(f_, scratch.bytes);
    });
    return bound;
  }

  template <class Result> [[gnu::noinline]] Result searched(table_type const* table) {
    plan_scratch<Spec> scratch;
    int path = 0;
    bound_type const bound = serve(table, 0, scratch, path);
    return finish<Result>(bound, path);
  }

  template <class Result> Result finish(bound_type const& b, int path) {
    tell(path);
    if (b.plain) [[likely]] {
      Result out = Result::uninitialized(b.result_layout);
      run_with(b, out.data(), nullptr);
      return out;
    }
    return finish_view<Result>(b);
  }
  /// A result that is a view, of an argument or of fresh storage.
  template <class Result> [[gnu::noinline]] Result finish_view(bound_type const& b) {
    storage owner;
    void* output = nullptr;
    if (b.result.base == output_base) {
      owner = storage::allocate(b.output_bytes);
      output = owner.data();
    }
    run_with(b, output, nullptr);
    if (b.result.base != output_base) owner = *f_.owners[static_cast<unsigned>(b.result.base)];
    auto* const data = static_cast<element_type*>(resolve(b.result, f_.bases.data()));
    return Result::adopt(std::move(owner), data, b.result_layout);
  }

  void run_with(bound_type const& b, void* output, std::byte* workspace) {
    f_.bases[output_base] = output;
    f_.bases[output_base + 2] = const_cast<index_t*>(b.extents);
    if (b.workspace_bytes == 0 || workspace) {
      f_.bases[output_base + 1] = workspace;
      b.run(b.plan, f_.bases.data());
      return;
    }
    workspace_scope const scope(b.workspace_bytes);
    f_.bases[output_base + 1] = scope.data();
    b.run(b.plan, f_.bases.data());
  }

  void write(bound_type const& b, output_view<rank> out, std::byte* workspace) {
    inert_scope const inert;
    run_with(b, out.data, workspace);
  }

  /// Whether the output meets none of the arguments that are read.
  bool is_apart(entry_type const& e, output_view<rank> out) const noexcept {
    auto const begin = reinterpret_cast<std::uintptr_t>(out.data);
    std::uintptr_t const end = begin + static_cast<std::uintptr_t>(e.ready.output_bytes);
    bool apart = true;
    for_each_index<Spec::arguments>([&]<class K>(K) {
      constexpr auto k = static_cast<unsigned>(K::value);
      if constexpr (Spec::usage.elements[k] && !Spec::signature::arguments[k].scalar) {
        auto const at = reinterpret_cast<std::uintptr_t>(f_.bases[k]);
        apart &= static_cast<bool>(static_cast<int>(end <= at + static_cast<std::uintptr_t>(e.spans[k].begin)) |
                                   static_cast<int>(at + static_cast<std::uintptr_t>(e.spans[k].end) <= begin));
      }
    });
    return apart;
  }
  std::uint64_t overlaps_with(output_view<rank> out) const noexcept {
    std::uint64_t bits = 0;
    for (unsigned k = 0; k < static_cast<unsigned>(Spec::arguments); ++k) {
      argument_type const& type = Spec::signature::arguments[k];
      if (!Spec::usage.elements[k] || type.scalar) continue;
      auto const how = overlap_of({out.data, out.form->view(), sizeof(element_type)},
                                  {f_.bases[k], f_.layouts[k], size_of(type.type)});
      bits |= static_cast<std::uint64_t>(how) << (2 * k);
    }
    return bits;
  }

  static void check_output(output_view<rank> out, shape const& expected) {
    if (out.form->view().shape() != expected)
      raise<shape_error>(fixed_text{} << "guardjit: into(out, arguments…): the shape of out must be that of the result: "
                                      << "expected " << "" << text_of(expected) << ", got " << text_of(out.form->view().shape()));
    if (has_repeated_elements(out.form->view()))
      raise<overlap_error>(fixed_text{} << "guardjit: into(out, arguments…): out has elements that share memory");
  }
  static fixed_text text_of(shape const& s) {
    fixed_text text;
    text << s;
    return text;
  }

  [[gnu::noinline]] void search_into(table_type const* table, output_view<rank> out, std::span<std::byte> const* workspace) {
    plan_scratch<Spec> scratch;
    int path = 0;
    std::uint64_t const overlaps = overlaps_with(out);
    bound_type const b = serve(table, overlaps, scratch, path);
    check_output(out, b.result_layout.view().shape());
    bool const direct = overlaps == 0 && b.plain && is_contiguous(out.form->view());
    index_t const staged = direct ? 0 : rounded_up(b.output_bytes) + rounded_up(copy_bytes(b));
    index_t const needed = rounded_up(b.workspace_bytes) + staged;
    std::byte* memory = nullptr;
    if (workspace) {
      bool const aligned = reinterpret_cast<std::uintptr_t>(workspace->data()) % 64 == 0;
      if (needed > static_cast<index_t>(workspace->size()) || (!aligned && needed > 0))
        raise<workspace_error>(fixed_text{} << "guardjit: into(out, arguments…, workspace): expected " << needed
                                            << " bytes aligned to 64, got " << workspace->size());
      memory = workspace->data();
    }
    workspace_scope const scope(workspace ? 0 : needed);
    if (!workspace) memory = scope.data();
    tell(path);
    if (direct) return write(b, out, memory);
    write_staged(b, out, memory);
  }
  /// A result in an argument is copied out first: the output may overlap it.
  static index_t copy_bytes(bound_type const& b) {
    return b.result.base == output_base ? 0 : b.result_layout.view().count() * index_t{sizeof(element_type)};
  }
  /// The right side first, then the output (POL-12).
  void write_staged(bound_type const& b, output_view<rank> out, std::byte* memory) {
    inert_scope const inert;
    std::byte* const stage = memory + rounded_up(b.workspace_bytes);
    run_with(b, stage, memory);
    void const* from = resolve(b.result, f_.bases.data());
    layout<rank> form = b.result_layout;
    using backend = typename Spec::backend;
    if (b.result.base != output_base) {
      typename layout<rank>::values extents{};
      for (int d = 0; d < rank; ++d) extents[static_cast<unsigned>(d)] = form.extent(d);
      layout<rank> const packed(extents);
      std::byte* const copy = stage + rounded_up(b.output_bytes);
      copy_between<backend, Spec::result_type>(packed.view(), copy, form.view(), from);
      from = copy;
      form = packed;
    }
    copy_between<backend, Spec::result_type>(out.form->view(), out.data, form.view(), from);
  }

  cache_type& cache_;
  function_state& fn_;
  frame& f_;
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
