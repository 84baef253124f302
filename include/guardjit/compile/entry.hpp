// guardjit: compile/entry.hpp: guard values and a plan: what a compiled call finds and runs
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_ENTRY_HPP
#define GUARDJIT_COMPILE_ENTRY_HPP

#include <guardjit/compile/spec.hpp>
#include <guardjit/guards/guard.hpp>

#include <new>
#include <vector>

namespace guardjit::inline GUARDJIT_ABI {

/// Extents and strides of arguments in one packed row: for each argument and dim, extent then
/// stride. Entries and calls are compared by it.
struct packed_layouts {
  /// Number of words of a signature.
  static int words(function_spec const& fn) {
    int count = 0;
    for (argument_type const& a : fn.arguments) count += 2 * a.extents.rank;
    return count;
  }
  /// Calls `visit(argument, dim, word, reads_elements)` for all that the function reads.
  static void for_each_read(function_spec const& fn, auto&& visit) {
    int word = 0;
    for (int k = 0; k < static_cast<int>(fn.arguments.size()); ++k)
      for (int d = 0; d < fn.arguments[static_cast<unsigned>(k)].extents.rank; ++d, word += 2)
        if (fn.reads(k, d)) visit(k, d, word, fn.reads_elements[k]);
  }
  static std::uint64_t hash(function_spec const& fn, frame_view const& f) {
    std::uint64_t h = 0;
    for (int k = 0; k < f.arguments; ++k)
      if (fn.reads_elements[k] && f.layouts[k].rank > 0) h = detail::mix(h, f.layouts[k].hash);
    for_each_read(fn, [&](int k, int d, int, bool elements) {
      if (!elements) h = detail::mix(h, static_cast<std::uint64_t>(f.layouts[k].extents[d]));
    });
    return h;
  }
};

/// One entry of a compiled function: for which calls it is, and its plan. Immutable once installed.
/// The packed layouts lie behind the object, so that a check touches few cache lines.
/// Rules: G12.
class entry {
 public:
  bound_call ready;            ///< of static entries
  std::uint64_t hash = 0;
  std::uint64_t overlaps = 0;  ///< two bits an argument, for `into`; see `overlap`
  int path = 0;
  int number = 0;              ///< compiles of the function before it
  bool is_dynamic = false;
  std::vector<guard> guards;

  static entry* make(function_spec const& fn, frame_view const& f) {
    auto const words = static_cast<std::size_t>(packed_layouts::words(fn));
    auto const arguments = fn.arguments.size();
    std::size_t const bytes = head_bytes(words, arguments) + fn.plan_bytes;
    void* const memory = ::operator new(bytes, std::align_val_t{64});
    auto* const e = new (memory) entry(words, arguments);
    index_t* const key = e->key();
    for (std::size_t w = 0; w < words; ++w) key[w] = 0;
    packed_layouts::for_each_read(fn, [&](int k, int d, int w, bool) {
      key[w] = f.layouts[k].extents[d];
      key[w + 1] = f.layouts[k].strides[d];
    });
    e->hash = packed_layouts::hash(fn, f);
    for (std::size_t k = 0; k < arguments; ++k) {
      element_span const s = span_of(f.layouts[k]);
      int const size = size_of(fn.arguments[k].type);
      e->spans()[k] = {s.begin * size, s.end * size};
    }
    return e;
  }
  static void destroy(entry* e) noexcept {
    e->~entry();
    ::operator delete(static_cast<void*>(e), std::align_val_t{64});
  }

  index_t const* key() const noexcept { return reinterpret_cast<index_t const*>(this + 1); }
  /// Bytes that each argument reaches from its first element.
  element_span const* spans() const noexcept { return reinterpret_cast<element_span const*>(key() + words_); }
  /// Room of the plan.
  void* plan() noexcept { return reinterpret_cast<std::byte*>(this) + head_bytes(words_, arguments_); }

  /// Whether this static entry serves the call, by its layouts. Complexity: one compare an extent
  /// and a stride.
  bool has_layouts(function_spec const& fn, frame_view const& f) const noexcept {
    index_t differs = 0;
    index_t const* const mine = key();
    packed_layouts::for_each_read(fn, [&](int k, int d, int w, bool elements) {
      differs |= mine[w] ^ f.layouts[k].extents[d];
      if (elements) differs |= mine[w + 1] ^ f.layouts[k].strides[d];
    });
    return differs == 0;
  }

 private:
  entry(std::size_t words, std::size_t arguments) : words_(words), arguments_(arguments) {}
  ~entry() = default;
  static std::size_t head_bytes(std::size_t words, std::size_t arguments) {
    return (sizeof(entry) + words * sizeof(index_t) + arguments * sizeof(element_span) + 63) / 64 * 64;
  }
  index_t* key() noexcept { return reinterpret_cast<index_t*>(this + 1); }
  element_span* spans() noexcept { return reinterpret_cast<element_span*>(key() + words_); }

  std::size_t words_, arguments_;
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
