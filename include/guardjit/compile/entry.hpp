// guardjit: compile/entry.hpp: guard values and a plan: what a compiled call finds and runs
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_ENTRY_HPP
#define GUARDJIT_COMPILE_ENTRY_HPP

#include <guardjit/compile/epoch.hpp>
#include <guardjit/compile/erased_plan.hpp>
#include <guardjit/compile/known_backends.hpp>
#include <guardjit/compile/spec.hpp>
#include <guardjit/guards/guard.hpp>

#include <new>
#include <vector>

namespace guardjit::inline GUARDJIT_ABI {

/// Extents and strides of arguments in one packed row: for each argument its extents, then its
/// strides; of a scalar that is guarded by value its bits. Entries and calls are compared by it.
struct packed_layouts {
  /// Number of words of an argument.
  static constexpr int words(argument_type const& a) { return a.by_value ? 1 : 2 * a.extents.rank; }
  /// Number of words of a signature.
  static int words(function_spec const& fn) {
    int count = 0;
    for (argument_type const& a : fn.arguments) count += words(a);
    return count;
  }
  /// Calls `visit(extent, stride)` with the places of the words in `row` and their values in the
  /// call, for all that the function reads; of arguments without read elements only extents.
  template <class Word>
  static void for_each_read(function_spec const& fn, frame_view const& f, Word* row, auto&& visit) {
    for (int k = 0; k < f.arguments; ++k) {
      argument_type const& type = fn.arguments[static_cast<unsigned>(k)];
      int const rank = type.extents.rank;
      for (int d = 0; d < rank; ++d) {
        if (fn.reads(k, d)) visit(row[d], f.layouts[k].extents[d]);
        if (fn.reads_elements[k]) visit(row[rank + d], f.layouts[k].strides[d]);
      }
      if (type.by_value && fn.reads_elements[k]) visit(*row, static_cast<index_t>(f.scalars[k]));
      row += words(type);
    }
  }
  /// The part of a hash that stands for the layout of argument `k`, whose hash is mixed already.
  static constexpr std::uint64_t part(std::uint64_t layout, int k) {
    return layout * static_cast<std::uint64_t>(2 * k + 1);
  }
  /// The part for one extent, that of dim `d`.
  static constexpr std::uint64_t part(index_t extent, int k, int d) {
    return detail::mix(static_cast<std::uint64_t>(extent), static_cast<std::uint64_t>(16 * k + d));
  }
  /// The part for the bits of a scalar, argument `k`.
  static constexpr std::uint64_t scalar_part(std::uint64_t bits, int k) {
    return detail::mix(bits, static_cast<std::uint64_t>(16 * k + max_rank));
  }
  /// The part for the declared stack of the call.
  static constexpr std::uint64_t stack_part(int stack) {
    return static_cast<std::uint64_t>(stack) * 0x9E3779B97F4A7C15u;
  }
  static std::uint64_t hash(function_spec const& fn, frame_view const& f) {
    std::uint64_t h = stack_part(f.stack);
    for (int k = 0; k < f.arguments; ++k) {
      argument_type const& type = fn.arguments[static_cast<unsigned>(k)];
      int const rank = type.extents.rank;
      if (type.by_value && fn.reads_elements[k]) h += scalar_part(f.scalars[k], k);
      if (fn.reads_elements[k] && rank > 0) h += part(f.layouts[k].hash, k);
      for (int d = 0; d < rank; ++d)
        if (!fn.reads_elements[k] && fn.reads(k, d)) h += part(f.layouts[k].extents[d], k, d);
    }
    return h;
  }
};

/// One entry of a compiled function: for which calls it is, and its plan. Immutable once installed.
/// What a hit reads lies together: the last of four cache lines, and the key behind it.
/// Rules: G12.
class alignas(64) entry {
 public:
  detail::retirable retired{};
  std::vector<guard> guards;
  std::vector<guard> dropped;    ///< by the guard filter: not checked
  std::uint64_t hash = 0;
  std::uint64_t overlaps = 0;  ///< two bits an argument, for `into`; see `overlap`
  std::uint64_t forms = 0;     ///< bit k: its plan has a packed form of argument `frozen[k]`
  detail::known_backend const* by = nullptr;  ///< whose entry it is; null: of the function's own backend
  detail::built_runner runner;       ///< of that backend
  std::vector<storage> kept;   ///< of frozen arguments that are guarded, so that no other has their address
  int number = 0;  ///< compiles of the function before it
  std::int16_t default_device = any_device;  ///< a `device_word`, where a guard asks for one
  bool has_backend_guards = false;  ///< that layouts do not prove
  bool is_open = false;  ///< a filter dropped a guard that its hash stands for: of the stack, of a scalar
  bool keeps_scalars = false;  ///< a filter dropped guards of scalars: it runs with the values recorded
  bool is_dynamic = false;
  bool is_direct = false;  ///< a static entry that writes its results straight into packed outputs
  bool is_packed = false;  ///< made for row-major arguments

  /// Memory that an entry takes, its plan included, aligned to 64.
  static std::size_t bytes(function_spec const& fn) {
    return head_bytes(words_of(fn), reaches_of(fn)) + fn.plan_bytes;
  }
  static entry* make(function_spec const& fn, frame_view const& f) {
    return make_at(::operator new (bytes(fn), std::align_val_t{64}), fn, f);
  }
  /// The same in memory of the caller, who need not end it as long as it has no guards.
  static entry* make_at(void* memory, function_spec const& fn, frame_view const& f) {
    std::size_t const words = words_of(fn);
    auto* const e = new (memory) entry(words, reaches_of(fn));
    for (std::size_t w = 0; w < words; ++w) e->key()[w] = 0;
    packed_layouts::for_each_read(fn, f, e->key(),
                                  [](index_t& word, index_t value) { word = value; });
    e->hash = packed_layouts::hash(fn, f);
    return e;
  }
  static void destroy(entry* e) noexcept {
    e->~entry();
    ::operator delete (static_cast<void*>(e), std::align_val_t{64});
  }
  /// Another owner; the table is one. Precondition: the entry has an owner, or is being read.
  void keep() const noexcept { __atomic_add_fetch(&owners_, 1, __ATOMIC_RELAXED); }
  /// One owner less; the last one destroys it.
  static void release(entry* e) noexcept {
    if (__atomic_sub_fetch(&e->owners_, 1, __ATOMIC_ACQ_REL) == 0) destroy(e);
  }

  /// Makes the plan, for the layouts that the entry was made for.
  void bind(function_spec const& fn, frame_view const& f) {
    layout_view const* const arguments = f.layouts;
    forms = bind_call(fn, f, plan(), ready);
    index_t* word = key() + packed_layouts::words(fn);
    reach* to = reaches();
    for (std::size_t r = 0; r < fn.results.size(); ++r) {
      bound_result const& result = ready.results[r];
      for (int d = 0; d < fn.results[r].extents.rank; ++d) *word++ = result.layout.extent(d);
      for (int d = 0; d < fn.results[r].extents.rank; ++d) *word++ = result.layout.stride(d);
      for (std::size_t k = 0; k < fn.arguments.size(); ++k) {
        element_span const s = span_of(arguments[k]);
        index_t const size = size_of(fn.arguments[k].type), bytes = (s.end - s.begin) * size;
        bool const some = bytes > 0 && result.bytes > 0;
        *to++ = {result.bytes - 1 - s.begin * size, some ? bytes + result.bytes - 1 : 0};
      }
    }
    for (std::size_t n = 0; n < fn.frozen.size(); ++n) {
      bool const has_form = (forms >> n & 1u) != 0;
      *word++ = has_form ? -1 : 0;
      *word++ = has_form ? storage_word(*f.owners[fn.frozen[n]]) : 0;
    }
    is_direct = !is_dynamic && overlaps == 0 && ready.plain && !by;
  }
  /// Binds a plan of its path for a call; as `path_spec::bind_call`.
  std::uint64_t bind_call(function_spec const& fn, frame_view const& f, void* room, bound_call& to) const {
    path_spec const& taken = fn.paths[static_cast<unsigned>(path)];
    if (!by) [[likely]]
      return taken.bind_call(f, room, to);
    detail::bind_erased(fn, taken, by->what, *runner.get(), f, !is_dynamic, room, to);
    return 0;
  }
  /// Whether it belongs to the backend that a call asks for. Rules: G18, G75.
  bool is_by(detail::known_backend const* wanted) const noexcept { return by == wanted; }

  /// Takes over what the guards say of the thread. A default device costs the entry its place among
  /// those that calls try before they ask for one; so does a backend that may have guards (`may_ask`).
  void set_state(bool may_ask) {
    for (guard const& g : guards)
      if (g.kind == guard_kind::state_is && g.left == default_device_state)
        default_device = static_cast<std::int16_t>(g.expected);
    has_backend_guards = backend_guard_count() > 0;
    is_direct = is_direct && default_device < 0 && !may_ask;
  }
  /// How many of its guards are the backend's.
  int backend_guard_count() const noexcept {
    int count = 0;
    for (guard const& g : guards)
      if (g.kind == guard_kind::aligned || (g.kind == guard_kind::state_is && g.left == thread_count_state))
        ++count;
    return count;
  }
  /// Whether the thread's default device, a `device_word`, is as guarded. Rules: M60, M72.
  bool has_state(index_t device) const noexcept {
    return default_device == any_device || default_device == device;
  }
  /// Stands for each device and none.
  static constexpr std::int16_t any_device = -2;

  /// The bytes that an argument and a packed output reach, so that one compare tells whether they
  /// meet: of their starts, the output's less the argument's lies in a range.
  struct reach {
    index_t shift = 0, range = 0;
    bool meets(void const* out, void const* argument) const noexcept {
      auto const distance =
          reinterpret_cast<std::uintptr_t>(out) - reinterpret_cast<std::uintptr_t>(argument);
      return distance + static_cast<std::uintptr_t>(shift) < static_cast<std::uintptr_t>(range);
    }
  };

  /// Packed layouts of the arguments, then of the results; then two words for each of `frozen`: a mask, and
  /// the storage under it.
  index_t const* key() const noexcept { return reinterpret_cast<index_t const*>(this + 1); }
  /// For each result, of each argument. `words` is the length of the key.
  reach const* reaches(std::size_t words) const noexcept {
    return reinterpret_cast<reach const*>(key() + words);
  }
  /// Whether this static entry serves the call, by its layouts. Complexity: one compare an extent
  /// and a stride.
  bool has_layouts(function_spec const& fn, frame_view const& f) const noexcept {
    index_t differs = 0;
    packed_layouts::for_each_read(fn, f, key(),
                                  [&](index_t mine, index_t value) { differs |= mine ^ value; });
    index_t const* word = key() + words_ - 2 * fn.frozen.size();
    for (std::int16_t k : fn.frozen) {
      differs |= (storage_word(*f.owners[k]) & word[0]) ^ word[1];
      word += 2;
    }
    return differs == 0;
  }

 private:
  entry(std::size_t words, std::size_t reaches) : words_(words), reaches_(reaches) {}
  ~entry() = default;
  static std::size_t words_of(function_spec const& fn) {
    int words = packed_layouts::words(fn);
    for (declared_result const& r : fn.results) words += 2 * r.extents.rank;
    return static_cast<std::size_t>(words) + 2 * fn.frozen.size();
  }
  static std::size_t reaches_of(function_spec const& fn) { return fn.results.size() * fn.arguments.size(); }
  static std::size_t head_bytes(std::size_t words, std::size_t reaches) {
    return (sizeof(entry) + words * sizeof(index_t) + reaches * sizeof(reach) + 63) / 64 * 64;
  }
  index_t* key() noexcept { return reinterpret_cast<index_t*>(this + 1); }
  reach* reaches() noexcept { return reinterpret_cast<reach*>(key() + words_); }
  void* plan() noexcept {
    return reinterpret_cast<std::byte*>(this) + head_bytes(words_, reaches_);
  }

  std::size_t words_, reaches_;
  mutable int owners_ = 1;

 public:
  alignas(64) std::uint64_t predicates = 0;  ///< bit k: user guard k is checked
  int path = 0;
  int stack = 0;     ///< the declared stack of its path
  bound_call ready;  ///< of static entries
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
