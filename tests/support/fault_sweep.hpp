// guardjit: tests/support/fault_sweep.hpp: a call again and again, another allocation failing each time
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_SUPPORT_FAULT_SWEEP_HPP
#define GUARDJIT_TESTS_SUPPORT_FAULT_SWEEP_HPP

#include <guardjit/compile/epoch.hpp>
#include <guardjit/modes/mode_stack.hpp>

#include <doctest/doctest.h>

#include <exception>
#include <optional>

#include "support/allocation_counter.hpp"
#include "support/tensors.hpp"

namespace support {

/// What a call must leave as it was in its thread.
class thread_witness {
 public:
  bool holds() const { return now() == before_; }

 private:
  struct state {
    int depth;
    guardjit::function_mode const* top;
    bool enabled, inert;
    std::uint64_t word;
    int epoch_nesting;  // a call that ended has left its epoch
    bool operator==(state const&) const = default;
  };
  static state now() {
    std::uint64_t const since = guardjit::detail::this_epoch.since.load();
    bool const rests = since == 0 || since == guardjit::detail::at_rest;
    return {guardjit::mode_stack::depth(), guardjit::mode_stack::top(), guardjit::mode_stack::enabled(),
            guardjit::is_inert(),          guardjit::current_word(),    rests ? 0 : 1};
  }
  state before_ = now();
};

struct sweep_result {
  int faults = 0;    ///< attempts in which an allocation failed
  int survived = 0;  ///< of these, those whose call succeeded all the same
};

/// What is compared: the elements of a tensor, else the value itself.
template <class Value> auto value_of_result(Value const& value) {
  if constexpr (requires { elements(value); }) return elements(value);
  else return value;
}

/// Attempt number n: `call(subject)` while allocation n + 1 of the thread fails, in a second sweep that one
/// and all behind it; until no allocation is left to fail. `make()` gives the subject of each attempt,
/// `call` a value or tensor, which must be `right`; so must that of a second call after one that failed.
/// After each attempt the thread is as before, and `check(subject, failed)` is asked. `Errors` may reach the
/// caller, too.
template <class... Errors>
sweep_result sweep_faults(auto const& make, auto const& call, auto const& right, auto const& check) {
  sweep_result found;
  for (fault how : {fault::once, fault::from_then_on})
    for (int allowed = 0;; ++allowed) {
      REQUIRE(allowed < 1000);
      CAPTURE(allowed);
      CAPTURE(how == fault::once);
      auto&& subject = make();
      thread_witness const witness;
      std::optional<decltype(call(subject))> result;
      bool failed = false, expected = true;
      long const before = heap_failures;
      try {
        failing_heap const failing(allowed, how);
        result.emplace(call(subject));
      } catch (std::exception const& e) {
        failed = true;
        expected = dynamic_cast<std::bad_alloc const*>(&e) || (dynamic_cast<Errors const*>(&e) || ...);
        INFO(e.what());
        CHECK(expected);
      }
      bool const was_hit = heap_failures != before;
      CHECK(witness.holds());
      CHECK((was_hit || !failed));
      check(subject, failed);
      if (failed) result.emplace(call(subject));
      CHECK(value_of_result(*result) == right);
      CHECK(witness.holds());
      if (!was_hit) break;
      ++found.faults;
      found.survived += failed ? 0 : 1;
    }
  return found;
}
template <class... Errors> sweep_result sweep_faults(auto const& make, auto const& call, auto const& right) {
  return sweep_faults<Errors...>(make, call, right, [](auto const&, bool) {});
}

}  // namespace support

#endif
