// guardjit: compile/explain_history.hpp: what `explain` hears while its function is called
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_EXPLAIN_HISTORY_HPP
#define GUARDJIT_COMPILE_EXPLAIN_HISTORY_HPP

#include <guardjit/compile/explanation.hpp>
#include <guardjit/compile/function_state.hpp>
#include <guardjit/guards/advice.hpp>

#include <time.h>  // clock_gettime

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

inline std::int64_t monotonic_nanoseconds() noexcept {
  ::timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

/// How one entry came, or why one was not made.
struct heard_compile {
  int number = -1, call = 0;
  std::int64_t spent[3]{};  ///< by `compile_phase`
  miss_report report;
};

/// Lifetime: at one address, as long as the function it listens to is called. One thread calls it.
class explain_history {
 public:
  std::vector<heard_compile> compiles;
  std::vector<explained_break> breaks;
  std::int64_t calls = 0, call_ns = 0, hits = 0, begun = 0, recompiles = 0, limits = 0,
               eager_calls = 0;
  std::string error, why_eager;

  /// What the function is given.
  function_listener const listener{
      this, [](void* self, event const& what) noexcept { of(self).hear(what); },
      [](void* self, int number, miss_report const& report) noexcept { of(self).missed(number, report); },
      [](void* self, compile_phase phase) noexcept { of(self).begins(phase); }};

  explain_history() = default;
  explain_history(explain_history const&) = delete;

  void call_begins() {
    ++calls;
    error.clear();
    lines_.clear();
    is_hit_ = true;
    began_ = monotonic_nanoseconds();
  }
  void call_ends() {
    call_ns += monotonic_nanoseconds() - began_;
    if (is_hit_ && error.empty()) ++hits;
  }

 private:
  static explain_history& of(void* self) noexcept { return *static_cast<explain_history*>(self); }
  void hear(event const& what) noexcept {
    record([&] {
      is_hit_ = is_hit_ && (what.kind == event_kind::run || what.kind == event_kind::graph_break);
      switch (what.kind) {
        case event_kind::compile_begin:
          ++begun;
          compile(static_cast<int>(what.entry));
          break;
        case event_kind::compile_end: end_phase(); break;
        case event_kind::recompile: ++recompiles; break;
        case event_kind::limit: ++limits; break;
        case event_kind::eager_call:
          ++eager_calls;
          why_eager = what.text;
          break;
        case event_kind::graph_break: add_break(what); break;
        default: break;
      }
    });
  }
  void missed(int number, miss_report const& report) noexcept {
    record([&] { compile(number).report = report; });
  }
  void begins(compile_phase phase) noexcept {
    end_phase();
    phase_ = static_cast<int>(phase);
    phase_began_ = monotonic_nanoseconds();
  }

  /// Memory that ran out costs a record, not the call.
  static void record(auto const& what) noexcept {
#if GUARDJIT_EXCEPTIONS
    try {
      what();
    } catch (...) {
    }
#else
    what();
#endif
  }
  heard_compile& compile(int number) {
    if (compiles.empty() || compiles.back().number != number || compiles.back().call != calls) {
      compiles.emplace_back();
      compiles.back().number = number;
      compiles.back().call = static_cast<int>(calls);
    }
    return compiles.back();
  }
  void end_phase() noexcept {
    if (phase_ >= 0 && !compiles.empty())
      compiles.back().spent[phase_] += monotonic_nanoseconds() - phase_began_;
    phase_ = -1;
  }
  /// A place of the trace is known by its line, and by how often a call came by that line before.
  void add_break(event const& what) {
    auto const is_here = [&](source_line const& w) {
      return w.line == what.where.line && std::string_view(w.file) == what.where.file;
    };
    std::size_t in_call = 1, known = 0;
    for (source_line const& w : lines_) in_call += is_here(w) ? 1 : 0;
    for (explained_break const& b : breaks) known += is_here(b.where) ? 1 : 0;
    lines_.push_back(what.where);
    if (in_call <= known) return;
    // Its text is the reason, then what to do instead.
    std::string_view const text = what.text;
    std::size_t const end = text.find(": ") == text.npos ? text.size() : text.find(": ");
    explained_break one;
    one.code = what.reason;
    one.reason = text.substr(0, end);
    if (end < text.size()) one.hint = text.substr(end + 2);
    one.where = what.where;
    breaks.push_back(std::move(one));
  }

  std::vector<source_line> lines_;  // of the breaks of this call
  std::int64_t began_ = 0, phase_began_ = 0;
  int phase_ = -1;
  bool is_hit_ = true;
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
