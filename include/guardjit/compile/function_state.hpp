// guardjit: compile/function_state.hpp: name, counters and limits of one compiled function
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_FUNCTION_STATE_HPP
#define GUARDJIT_COMPILE_FUNCTION_STATE_HPP

#include <guardjit/base/events.hpp>
#include <guardjit/compile/options.hpp>
#include <guardjit/guards/description.hpp>

#include <cstdlib>  // getenv, which <string> brings

namespace guardjit::inline GUARDJIT_ABI {

/// What `entries()` tells of one entry. Rules: G13.
struct entry_info {
  std::string id;              ///< `name/k`
  std::vector<guard> guards;   ///< those that are checked at run time
  std::vector<guard> dropped;  ///< those that the guard filter did not keep
  char const* backend = "";
  bool dynamic = false;        ///< some extents or strides are free
  std::vector<std::string> guard_texts;    ///< of `guards`, in words
  std::vector<std::string> dropped_texts;  ///< of `dropped`
};

/// An entry for people: its id, what it is, and a line for each guard.
///
///     f/1: some extents or strides are free, by eigen
///       arg[0].extent(1) = 4
///       arg[0] is contiguous
///       dropped: whole packets
[[gnu::cold]] inline std::string to_string(entry_info const& e) {
  std::string text = e.id + (e.dynamic ? ": some extents or strides are free, by " : ": static, by ");
  text += e.backend;
  for (std::string const& guard : e.guard_texts) text += "\n  " + guard;
  for (std::string const& guard : e.dropped_texts) text += "\n  dropped: " + guard;
  return text;
}
/// A list of entries, in their order. `to_string(g.entries())`.
[[gnu::cold]] inline std::string to_string(std::vector<entry_info> const& entries) {
  std::string text;
  for (entry_info const& e : entries) text += (text.empty() ? "" : "\n") + to_string(e);
  return text;
}

namespace detail {

/// Parts of the making of an entry, in their order.
enum class compile_phase : std::uint8_t { plan, guards, install };

/// Hears what happens to one function, in the place of subscribers, who then hear nothing of it: functions
/// that are called with `context`.
struct function_listener {
  void* context = nullptr;
  void (*hear)(void* context, event const& what) noexcept = nullptr;
  /// Why entry `number`, if it is to be made, had to be.
  void (*missed)(void* context, int number, miss_report const& report) noexcept = nullptr;
  void (*begins)(void* context, compile_phase phase) noexcept = nullptr;
};

/// Whether `GUARDJIT_DISABLE` is set, to something else than 0. Read once.
[[gnu::cold]] inline bool is_disabled_by_environment() noexcept {
  static bool const is = [] {
    char const* const value = std::getenv("GUARDJIT_DISABLE");
    return value && *value && (value[0] != '0' || value[1]);
  }();
  return is;
}

/// Shared by the copies of a compiled function.
struct function_state : compile_settings {
  char const* name = nullptr;
  source_line where{};
  dynamic_policy policy{};
  std::span<char const* const> predicates{};  ///< names of the user guards
  /// Whether a guard is kept; null where all are. Called with `filters`.
  bool (*filter)(void const* filters, guard_description const&) = nullptr;
  void const* filters = nullptr;
  function_listener const* listener = nullptr;  ///< set before the first call; see `compile/explain.hpp`
  int compiles = 0;        // by __atomic
  int uncached_calls = 0;  // by __atomic
  bool limit_told = false;  // by __atomic

  std::string label() const {
    if (name) return name;
    return std::string(where.file) + ":" + std::to_string(where.line);
  }
  std::string id_of(int number) const { return label() + "/" + std::to_string(number); }
  int compile_count() const noexcept { return __atomic_load_n(&compiles, __ATOMIC_ACQUIRE); }
  /// The number of a new compile, or -1 at `compile_limit`.
  int begin_compile() noexcept {
    int number = compile_count();
    while (number < compile_limit)
      if (__atomic_compare_exchange_n(&compiles, &number, number + 1, false, __ATOMIC_ACQ_REL,
                                      __ATOMIC_ACQUIRE))
        return number;
    return -1;
  }
  void forget() noexcept {
    __atomic_store_n(&compiles, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&uncached_calls, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&limit_told, false, __ATOMIC_RELEASE);
  }

  /// Whether anybody is told of this function.
  bool is_heard() const noexcept { return listener || has_subscribers(); }
  /// The next part of a compile begins.
  void begin(compile_phase phase) const noexcept {
    if (listener) listener->begins(listener->context, phase);
  }
  /// Sends an event about this function. Takes no memory.
  void tell(event what) const noexcept {
    fixed_text who;
    if (!name) who << where.file << ':' << where.line;
    what.name = name ? name : who.c_str();
    if (what.where.line == 0) what.where = where;
    if (listener) listener->hear(listener->context, what);
    else send(what);
  }
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
