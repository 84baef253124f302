// guardjit: compile/write_into.hpp: a call that writes tensors of the caller: outputs and in-out arguments
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_WRITE_INTO_HPP
#define GUARDJIT_COMPILE_WRITE_INTO_HPP

#include <guardjit/compile/slow_call.hpp>
#include <guardjit/tensor/overlap.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// A result that a call gives back beside the arguments that it writes: its memory, and where it lies there.
struct returned_result {
  storage owner;
  void* data = nullptr;
  any_layout layout;
};

[[noreturn, gnu::cold, gnu::noinline]] inline void raise_outputs_overlap(any_call const& c, std::size_t a,
                                                                         int argument_a, std::size_t b,
                                                                         int argument_b) {
  if (argument_a < 0 && argument_b < 0)
    raise<overlap_error>(fixed_text("guardjit: into(out, arguments...): outputs ")
                         << a << " and " << b << " must not overlap");
  auto const name = [&c](std::size_t k, int argument) {
    if (argument < 0) return fixed_text("output ") << k;
    return fixed_text(argument_text(c.spec().names, argument).c_str());
  };
  raise<overlap_error>(fixed_text("guardjit: ")
                       << c.fn.label().c_str() << ": " << name(a, argument_a).c_str() << " and "
                       << name(b, argument_b).c_str() << ", which are written, must not overlap");
}

/// Throws: `overlap_error` where two outputs overlap. Rules: G30.
inline void require_apart(any_call const& c, std::span<output_view const> outs) {
  for (std::size_t r = 0; r < outs.size(); ++r)
    for (std::size_t j = 0; j < r; ++j)
      if (overlap_of(outs[r].memory(), outs[j].memory()) != overlap::disjoint)
        raise_outputs_overlap(c, j, outs[j].argument, r, outs[r].argument);
}

/// How one output lies to the arguments that are read but itself; see `with_overlap`.
inline std::uint64_t overlaps_of(any_call const& c, output_view const& out, std::uint64_t bits) {
  memory_view const written = out.memory();
  for (int k = 0; k < c.f.arguments; ++k) {
    argument_type const& type = c.spec().arguments[static_cast<unsigned>(k)];
    if (!c.spec().reads_elements[k] || type.scalar || k == out.argument) continue;
    bits = with_overlap(bits, k, overlap_of(written, {c.f.bases[k], c.f.layouts[k], size_of(type.type)}));
  }
  return bits;
}
/// How the outputs lie to the arguments that are read.
/// Throws: `overlap_error` where two outputs overlap. Rules: G30.
inline std::uint64_t overlaps_of(any_call const& c, std::span<output_view const> outs) {
  require_apart(c, outs);
  std::uint64_t bits = 0;
  for (output_view const& out : outs) bits = overlaps_of(c, out, bits);
  return bits;
}
/// An argument that is written.
inline output_view view_of_argument(any_call const& c, int k) {
  return {c.f.bases[k], c.f.layouts[k], size_of(c.spec().arguments[static_cast<std::size_t>(k)].type), k};
}
/// The arguments with these numbers, of a tuple of references to arguments that may be written.
template <int... K, class... Arguments>
[[gnu::always_inline]] inline auto written_values(std::integer_sequence<int, K...>,
                                                  std::tuple<Arguments const&...> const& values) {
  return std::tuple<std::tuple_element_t<K, std::tuple<Arguments...>>&...>(
      const_cast<std::tuple_element_t<K, std::tuple<Arguments...>>&>(std::get<K>(values))...);
}
/// Those of a function.
template <int... K>
std::array<output_view, sizeof...(K)> views_of_arguments(any_call const& c,
                                                         std::integer_sequence<int, K...>) {
  return {view_of_argument(c, K)...};
}
/// The same for a call that is only asked about: of the arguments that it would write.
inline std::uint64_t overlaps_of_arguments(any_call const& c) {
  std::uint64_t bits = 0;
  for (int k : c.spec().in_outs) bits = overlaps_of(c, view_of_argument(c, k), bits);
  return bits;
}
/// Whether a plan writes results straight into such arguments.
inline bool is_direct_for_arguments(any_call const& c, bound_call const& b) {
  bool direct = b.plain && overlaps_of_arguments(c) == 0;
  for (int k : c.spec().in_outs) direct = direct && is_contiguous(c.f.layouts[k]);
  return direct;
}

/// Bytes that a result which lies in an argument takes when it is copied out.
inline index_t bytes_in_argument(any_call const& c, bound_call const& b, std::size_t k) {
  bound_result const& r = b.results[k];
  return r.at.base < c.f.arguments ? r.layout.shape().count() * size_of(c.spec().results[k].type) : 0;
}
inline index_t staged_bytes(any_call const& c, bound_call const& b) {
  index_t bytes = 0;
  for (std::size_t k = 0; k < c.spec().results.size(); ++k)
    bytes += rounded_up(b.results[k].bytes) + rounded_up(bytes_in_argument(c, b, k));
  return bytes;
}

/// Gives results that lie in arguments memory of their own.
[[gnu::cold, gnu::noinline]] inline void copy_out(any_call const& c, bound_call const& b,
                                                  std::span<returned_result> fresh) {
  for (std::size_t k = 0; k < fresh.size(); ++k) {
    bound_result const& r = b.results[k];
    if (r.at.base >= c.f.arguments) continue;
    int const size = size_of(c.spec().results[k].type);
    storage own = storage::allocate(r.layout.shape().count() * size, c.f.owners[r.at.base]->where());
    any_layout const packed(r.layout.shape());
    copy_elements(size, packed.view(), own.data(), r.layout.view(), resolve(r.at, c.f.bases));
    fresh[k] = {own, own.data(), packed};
  }
}

/// Runs a plan beside the outputs, then copies: the right side comes first (POL-12). Results that lie
/// in arguments are copied out before any output is written.
inline void write_staged(any_call const& c, bound_call const& b, std::span<output_view const> outs,
                         std::byte* memory, std::uint64_t overlaps, std::span<returned_result> fresh) {
  int const first = c.f.arguments + static_cast<int>(fresh.size());
  std::byte* stage = memory + rounded_up(b.workspace_bytes);
  for (std::size_t k = 0; k < outs.size(); ++k) {
    c.f.bases[static_cast<std::size_t>(first) + k] = stage;
    stage += rounded_up(b.results[fresh.size() + k].bytes);
  }
  run_plan(b, c.f.bases, first + static_cast<int>(outs.size()), memory);
  if (overlaps != 0) copy_out(c, b, fresh);
  std::byte* copy = stage;
  for (std::size_t k = fresh.size(); k < c.spec().results.size(); ++k) {
    bound_result const& r = b.results[k];
    if (r.at.base >= c.f.arguments) continue;
    any_layout const packed(r.layout.shape());
    copy_elements(size_of(c.spec().results[k].type), packed.view(), copy, r.layout.view(),
                  resolve(r.at, c.f.bases));
    copy += rounded_up(bytes_in_argument(c, b, k));
  }
  copy = stage;
  for (std::size_t k = 0; k < outs.size(); ++k) {
    bound_result const& r = b.results[fresh.size() + k];
    bool const in_argument = r.at.base < c.f.arguments;
    any_layout const form = in_argument ? any_layout(r.layout.shape()) : r.layout;
    void const* const from = in_argument ? copy : resolve(r.at, c.f.bases);
    if (in_argument) copy += rounded_up(bytes_in_argument(c, b, fresh.size() + k));
    copy_elements(size_of(c.spec().results[fresh.size() + k].type), outs[k].form, outs[k].data, form.view(),
                  from);
  }
}

/// Values op by op into the outputs, which may meet arguments and with them results. Those before the ones of
/// the outputs are given back, apart from these.
[[gnu::cold]] inline void write_values(any_call const& c, std::vector<any_tensor>& values,
                                       std::span<output_view const> outs) {
  std::size_t const first = values.size() - outs.size();
  for (std::size_t k = 0; k < outs.size(); ++k) check_output(c, outs[k], values[first + k].shape());
  for (any_tensor& value : values) {
    memory_view const read{std::as_const(value).data(), value.layout().view(), size_of(value.type())};
    bool apart = true;
    for (std::size_t k = 0; k < outs.size(); ++k)
      apart = apart && overlap_of(outs[k].memory(), read) == overlap::disjoint;
    if (!apart) value = value.clone();
  }
  for (std::size_t k = 0; k < outs.size(); ++k)
    copy_elements(size_of(values[first + k].type()), outs[k].form, outs[k].data,
                  values[first + k].layout().view(), std::as_const(values[first + k]).data());
}
[[gnu::cold]] inline void write_replayed(any_call const& c, std::span<output_view const> outs,
                                         std::span<returned_result> fresh, served_call const& how,
                                         std::uint64_t overlaps) {
  std::vector<any_tensor> values = replayed(c, how, overlaps);
  write_values(c, values, outs);
  for (std::size_t k = 0; k < fresh.size(); ++k)
    fresh[k] = {values[k].storage(), values[k].data(), values[k].layout()};
}

/// Memory for the results that a call gives back, which may be that of arguments.
inline void put_returned(any_call const& c, bound_call const& b, int path, std::span<returned_result> fresh) {
  path_spec const& taken = c.spec().paths[static_cast<unsigned>(path)];
  for (std::size_t k = 0; k < fresh.size(); ++k) {
    int const base = b.results[k].at.base, output = c.f.arguments + static_cast<int>(k);
    bool const is_own = base == output;
    fresh[k].owner = is_own ? storage::allocate(b.results[k].bytes,
                                                device_in_call(taken.source_of_result(k), c.f))
                            : *c.f.owners[base];
    c.f.bases[output] = is_own ? fresh[k].owner.data() : nullptr;
  }
}
/// Where they lie, unless they were copied.
inline void set_returned(any_call const& c, bound_call const& b, std::span<returned_result> fresh) {
  for (std::size_t k = 0; k < fresh.size(); ++k)
    if (!fresh[k].data) {
      fresh[k].data = resolve(b.results[k].at, c.f.bases);
      fresh[k].layout = b.results[k].layout;
    }
}

/// `keep` for a call that has written its arguments, which no exception may follow.
[[gnu::cold]] inline void keep_behind(any_call const& c, std::uint64_t overlaps, served_call& how) {
#if GUARDJIT_EXCEPTIONS
  if (!c.spec().in_outs.empty()) {
    try {
      keep(c, overlaps, how);
    } catch (...) {
    }
    return;
  }
#endif
  keep(c, overlaps, how);
}

/// `into` for any call: with the caller's workspace, or with this thread's where it is null. Results before
/// those of the outputs come into `fresh`.
[[gnu::noinline]] inline void write_into(any_call const& c, std::span<output_view const> outs,
                                         std::span<std::byte> const* workspace,
                                         std::span<returned_result> fresh = {}) {
  std::uint64_t const overlaps = overlaps_of(c, outs);
  if (eager_cause const cause = cause_before_lookup(c.fn, c.f); cause != eager_cause::none)
    return write_replayed(c, outs, fresh, {.cause = cause}, overlaps);
  int path = no_path;
  bound_call own;
  served_call how;
  bound_call const& served = serve(c, overlaps, workspace == nullptr, path, own, &how, outs);
  if (path == eager_path) return write_replayed(c, outs, fresh, how, overlaps);
  watched_call const watched(served, c.spec(), c.f, path, c.fn.name);
  bound_call const& b = watched.call();
  bool direct = overlaps == 0 && b.plain;
  for (std::size_t k = 0; k < outs.size(); ++k) {
    check_output(c, outs[k], b.results[fresh.size() + k].layout.shape());
    direct = direct && is_contiguous(outs[k].form);
  }
  index_t const needed = rounded_up(b.workspace_bytes) + (direct ? 0 : staged_bytes(c, b));
  if (workspace && !is_enough(*workspace, needed)) {
    bool const aligned = reinterpret_cast<std::uintptr_t>(workspace->data()) % 64 == 0;
    raise<workspace_error>(
        fixed_text("guardjit: into(out, arguments..., workspace): expected ")
        << needed << " bytes aligned to 64, got " << workspace->size()
        << (aligned ? "" : " not aligned"));
  }
  tell_run(c, how);
  if (observers_active()) tell(c, path);
  workspace_scope const scope(workspace ? 0 : needed);
  std::byte* const memory = workspace ? workspace->data() : scope.data();
  {
    inert_scope const inert;
    put_returned(c, b, path, fresh);
    std::size_t const first = static_cast<std::size_t>(c.f.arguments) + fresh.size();
    if (direct) {
      for (std::size_t k = 0; k < outs.size(); ++k) c.f.bases[first + k] = outs[k].data;
      run_plan(b, c.f.bases, static_cast<int>(first + outs.size()), memory);
    } else {
      write_staged(c, b, outs, memory, overlaps, fresh);
    }
    set_returned(c, b, fresh);
  }
  if (how.is_kept_later) keep_behind(c, overlaps, how);
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
