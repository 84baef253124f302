// guardjit: observe/log.hpp: lines on stderr, as the environment variable GUARDJIT_LOGS asks for them
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_OBSERVE_LOG_HPP
#define GUARDJIT_OBSERVE_LOG_HPP

#include <guardjit/base/events.hpp>
#include <guardjit/graph/escape.hpp>

#include <cstdio>
#include <cstdlib>
#include <optional>

namespace guardjit::inline GUARDJIT_ABI {

/// How much a channel tells: `-name`, `name`, `+name`.
enum class log_level : std::uint8_t { off, errors, info, debug };

namespace detail {

/// One line, written whole. What a name has in it that would steer the terminal is escaped.
[[gnu::cold]] inline void write_log_line(std::string_view channel, event const& what,
                                         std::string_view text) {
  std::string_view const file = what.where.file;
  std::string line = "guardjit [" + std::string(channel) + "] ";
  if (what.where.line != 0)
    line += printable(file.substr(file.find_last_of("/\\") + 1)) + ":" +
            std::to_string(what.where.line) + " ";
  if (what.entry >= 0) line += "[" + printable(what.name) + "/" + std::to_string(what.entry) + "] ";
  for (char c : text) c == '\n' ? line += "; " : line += c;
  line = printable(line) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

/// Why entries are made beside others, and which limits are reached. Of the recompiles of one function the
/// first three and those at powers of two are told; at `debug` all. Rules: G41, O6.
struct recompile_log {
  static constexpr char const* name = "recompiles";
  static constexpr char const* about =
      "why a function needed one more entry, and limits that are reached";
  log_level level = log_level::info;

  void operator()(event const& what) const {
    if (what.kind == event_kind::limit) write_log_line(name, what, what.text);
    if (what.kind != event_kind::recompile || level < log_level::info) return;
    bool const is_told =
        what.entry <= 3 || (what.entry & (what.entry - 1)) == 0 || level == log_level::debug;
    if (is_told) write_log_line(name, what, what.text);
  }
};

/// The channels that are on. One more channel is a sink like the one above, and a line in each of the two
/// functions.
class log_channels {
 public:
  /// `text` is a list as in `GUARDJIT_LOGS`; null is none.
  explicit log_channels(char const* text) {
    for (std::string_view rest = text ? text : ""; !rest.empty();) {
      std::size_t const end = rest.find(',') == rest.npos ? rest.size() : rest.find(',');
      if (end > 0) open(rest.substr(0, end));
      rest.remove_prefix(end < rest.size() ? end + 1 : end);
    }
  }
  log_channels(log_channels const&) = delete;
  log_channels& operator=(log_channels const&) = delete;

 private:
  [[gnu::cold]] void open(std::string_view word) {
    log_level level = log_level::info;
    if (word[0] == '+') level = log_level::debug;
    if (word[0] == '-') level = log_level::errors;
    std::string_view const name = level == log_level::info ? word : word.substr(1);
    if (name == recompile_log::name) {
      recompiles_.reset();
      recompiles_.emplace(recompile_log{level});
    } else {
      tell_names(word);
    }
  }
  [[gnu::cold]] static void tell_names(std::string_view word) {
    std::string text = "guardjit: GUARDJIT_LOGS: ";
    if (word != "help") text += "no channel " + printable(word) + "; ";
    text += "channels are, with + for more and - for errors only:\n";
    text += std::string("  ") + recompile_log::name + ": " + recompile_log::about + "\n";
    std::fwrite(text.data(), 1, text.size(), stderr);
  }

  std::optional<subscription<recompile_log>> recompiles_;
};

/// Read once, when the program starts; a program with other rights than its caller does not read it.
GUARDJIT_VISIBLE inline log_channels const channels_of_environment{
    ::secure_getenv("GUARDJIT_LOGS")};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
