// guardjit: compile/function_state.hpp: name, counters and limits of one compiled function
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_FUNCTION_STATE_HPP
#define GUARDJIT_COMPILE_FUNCTION_STATE_HPP

#include <guardjit/base/events.hpp>
#include <guardjit/compile/options.hpp>
#include <guardjit/guards/reason.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// What `entries()` tells of one entry. Rules: G13.
struct entry_info {
  std::string id;              ///< `name/k`
  std::vector<guard> guards;   ///< those that are checked at run time
  char const* backend = "";
  bool dynamic = false;        ///< some extents or strides are free
};

namespace detail {

/// Shared by the copies of a compiled function.
struct function_state {
  char const* name = nullptr;
  source_line where{};
  int recompile_limit = 8;
  dynamic_policy policy{};
  int compiles = 0;        // by __atomic
  int uncached_calls = 0;  // by __atomic
  bool limit_told = false;

  std::string label() const {
    if (name) return name;
    return std::string(where.file) + ":" + std::to_string(where.line);
  }
  std::string id_of(int number) const { return label() + "/" + std::to_string(number); }
  int compile_count() const noexcept { return __atomic_load_n(&compiles, __ATOMIC_ACQUIRE); }

  void tell(event_kind kind, std::int64_t number, std::string const& text) const {
    std::string const who = label();
    send({.kind = kind, .name = who.c_str(), .where = where, .entry = number, .text = text.c_str()});
  }
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
