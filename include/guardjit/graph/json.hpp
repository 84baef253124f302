// guardjit: graph/json.hpp: JSON, written in order
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_GRAPH_JSON_HPP
#define GUARDJIT_GRAPH_JSON_HPP

#include <guardjit/base/source_line.hpp>
#include <guardjit/graph/escape.hpp>

#include <concepts>

namespace guardjit::inline GUARDJIT_ABI {

/// Appends one JSON value to a text of its own, piece by piece: `json.object([&] { json.member("a", 1); })`.
/// Equal calls give equal bytes. Of a source line the members are `file` and `line`.
class json_writer {
 public:
  std::string const& text() const noexcept { return text_; }

  /// `members()` writes them.
  [[gnu::cold]] void object(auto const& members) { nest('{', '}', members); }
  /// `elements()` writes them.
  [[gnu::cold]] void array(auto const& elements) { nest('[', ']', elements); }
  /// An element for each of a list, which `write(element)` writes.
  [[gnu::cold]] void list(auto const& elements, auto const& write) {
    array([&] {
      for (auto const& one : elements) write(one);
    });
  }

  /// The name of the next value, a member of an object.
  [[gnu::cold]] json_writer& key(std::string_view name) {
    separate();
    append_json_string(text_, name);
    text_ += ':';
    is_first_ = true;
    return *this;
  }
  [[gnu::cold]] void value(std::string_view text) {
    separate();
    append_json_string(text_, text);
  }
  void value(char const* text) { value(std::string_view(text)); }
  void value(std::string const& text) { value(std::string_view(text)); }
  [[gnu::cold]] void value(std::same_as<bool> auto is) {
    separate();
    text_ += is ? "true" : "false";
  }
  template <std::integral Number>
  requires(!std::same_as<Number, bool>) [[gnu::cold]] void value(Number number) {
    separate();
    text_ += std::to_string(number);
  }
  template <class Value> void member(std::string_view name, Value const& what) {
    key(name).value(what);
  }
  /// `"file": …, "line": …`; nothing for line 0.
  [[gnu::cold]] void line(source_line const& where) {
    if (where.line == 0) return;
    member("file", where.file);
    member("line", where.line);
  }

 private:
  void separate() {
    if (!is_first_) text_ += ',';
    is_first_ = false;
  }
  void nest(char open, char close, auto const& inside) {
    separate();
    text_ += open;
    is_first_ = true;
    inside();
    text_ += close;
    is_first_ = false;
  }

  std::string text_;
  bool is_first_ = true;
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
