// guardjit: guards/advice.hpp: what to declare so that a call that missed would not have needed another entry
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_GUARDS_ADVICE_HPP
#define GUARDJIT_GUARDS_ADVICE_HPP

#include <guardjit/guards/reason.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// What a reason is about: its text before what was expected.
[[gnu::cold]] inline std::string subject_of(std::string const& reason) {
  return reason.substr(0, reason.find(": expected "));
}

/// Whether an extent of the same argument failed in this entry: then its strides had to.
[[gnu::cold]] inline bool has_other_extent(entry_failures const& e, int argument) {
  for (guard_failure const& f : e.failures)
    if (f.kind == guard_kind::extent_is && f.argument == argument) return true;
  return false;
}

/// The option for one argument alone, where its number is that of a parameter.
[[gnu::cold]] inline std::string option_for(guard_failure const& f, std::string const& subject) {
  std::string const number = std::to_string(f.argument);
  if (!subject.starts_with("arg[" + number + "].extent(")) return "";
  return ", or any_extent for dim " + std::to_string(f.dim) + " in shape_of<" + number + ", …> for this one";
}

/// The values of an extent that entries have, in their order, each once.
[[gnu::cold]] inline std::string fixed_values(miss_report const& report, guard_failure const& of) {
  std::vector<index_t> values;
  for (entry_failures const& e : report.entries)
    for (guard_failure const& f : e.failures) {
      bool is_new = f.kind == of.kind && f.argument == of.argument && f.dim == of.dim && f.left == of.left;
      for (index_t v : values) is_new = is_new && v != f.expected;
      if (is_new) values.push_back(f.expected);
    }
  std::string text;
  for (index_t v : values) text += (text.empty() ? "" : ", ") + std::to_string(v);
  return text;
}

/// One line on one failed guard, or none where nothing that could be declared would have made it hold.
[[gnu::cold]] inline std::string advice_on(miss_report const& report, entry_failures const& e,
                                           guard_failure const& f, std::string const& reason) {
  std::string const subject = subject_of(reason);
  switch (f.kind) {
    case guard_kind::extent_is:
      if (f.argument < 0) return "";  // a broadcast of the function
      return subject + " varies (" + fixed_values(report, f) + ", now " + std::to_string(f.actual) +
             "): dynamic::all makes one entry for all its values" + option_for(f, subject);
    case guard_kind::contiguous:
    case guard_kind::strides_are:
      if (has_other_extent(e, f.argument)) return "";
      return subject + " differs: clone() gives row-major elements, which one entry serves";
    case guard_kind::no_overlap:
      return subject + " share memory in another way: an output of its own needs no entry of its own";
    default: return "";
  }
}

}  // namespace detail

/// What to change so that the calls of `report` share one entry: a line for each extent that entries fix
/// and that varies, for other strides, for an output that meets an argument. Each line follows from guards
/// that failed; empty where there is none, or where only what the function itself asks for failed, such as
/// its branches.
/// Example: examples/13_recompiles.cpp. Rules: G41.
[[gnu::cold]] inline std::string advice(miss_report const& report) {
  std::vector<std::string> lines;
  for (entry_failures const& e : report.entries)
    for (std::size_t k = 0; k < e.failures.size() && k < e.reasons.size(); ++k) {
      std::string line = detail::advice_on(report, e, e.failures[k], e.reasons[k]);
      bool is_new = !line.empty();
      for (std::string const& past : lines) is_new = is_new && past != line;
      if (is_new) lines.push_back(std::move(line));
    }
  std::string text;
  for (std::string const& line : lines) text += (text.empty() ? "" : "\n") + line;
  return text;
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
