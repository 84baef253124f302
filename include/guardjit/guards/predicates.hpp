// guardjit: guards/predicates.hpp: what the user guards of a function said of one call
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_GUARDS_PREDICATES_HPP
#define GUARDJIT_GUARDS_PREDICATES_HPP

#include <guardjit/guards/guard.hpp>

#include <exception>
#include <string>  // texts

namespace guardjit::inline GUARDJIT_ABI {

/// The outcomes of the user guards of one call, which asks each of them once.
/// Rules: G38.
struct predicate_outcomes {
  std::uint64_t held = all_predicates;         ///< bit k: number k is true
  std::exception_ptr const* thrown = nullptr;  ///< of each: what it threw, or null
};

namespace detail {

[[gnu::cold]] inline std::string exception_text([[maybe_unused]] std::exception_ptr const& thrown) {
#if GUARDJIT_EXCEPTIONS
  try {
    std::rethrow_exception(thrown);
  } catch (std::exception const& e) {
    return e.what();
  } catch (...) {
  }
#endif
  return "an exception that is no std::exception";
}

/// `name: expected true, got false`, or `name: ` and the text of what it threw.
[[gnu::cold]] inline std::string predicate_text(char const* name, predicate_outcomes const* outcomes,
                                                int number) {
  bool const threw = outcomes && outcomes->thrown && outcomes->thrown[number];
  return name + (threw ? ": " + exception_text(outcomes->thrown[number]) : ": expected true, got false");
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
