// guardjit: modes/op_text.hpp: ops as lines of text: operands, attributes, result, the user's line
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_MODES_OP_TEXT_HPP
#define GUARDJIT_MODES_OP_TEXT_HPP

#include <guardjit/modes/observer_mode.hpp>
#include <guardjit/ops/attribute_text.hpp>

#include <string>  // the texts
#include <vector>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// A text of any length, appended to as a `fixed_text` is.
class growing_text {
 public:
  growing_text& operator<<(char const* part) { return text_ += part, *this; }
  growing_text& operator<<(std::string const& part) { return text_ += part, *this; }
  growing_text& operator<<(char c) { return text_ += c, *this; }
  growing_text& operator<<(std::integral auto number) { return text_ += std::to_string(number), *this; }

  std::string const& text() const noexcept { return text_; }
  /// Blanks up to column `width`.
  growing_text& pad_to(std::size_t width) {
    if (text_.size() < width) text_.append(width - text_.size(), ' ');
    return *this;
  }

 private:
  std::string text_;
};

/// The name of a file without its folders.
constexpr char const* file_name_of(source_line const& where) noexcept {
  char const* name = where.file;
  for (char const* at = where.file; *at; ++at)
    if (*at == '/' || *at == '\\') name = at + 1;
  return name;
}

/// Appends `quickstart.cpp:31`; nothing where there is no line.
template <class Text> void write_line(Text& text, source_line const& where) {
  if (where.line != 0) text << file_name_of(where) << ':' << where.line;
}

/// Appends `f32[64, 10]`; of a C++ scalar `weak f32`.
template <class Text> void write_operand(Text& text, operand_info const& x) {
  if (x.weak) text << "weak ";
  text << name_of(x.type);
  if (x.weak) return;
  text << '[';
  for (int d = 0; d < x.shape.rank; ++d) text << (d > 0 ? ", " : "") << x.shape[d];
  text << ']';
}

/// Appends `sum(f32[64, 10], axes 1, keepdims) -> f32[64, 1]`, and `in place` for compound forms.
template <class Text> void write_op(Text& text, op_record const& r) {
  text << name_of(r.id) << '(';
  for (std::size_t k = 0; k < r.operands.size(); ++k) {
    if (k > 0) text << ", ";
    write_operand(text, r.operands[k]);
  }
  int const rank = r.operands.empty() ? 0 : r.operands[0].shape.rank;
  bool behind = !r.operands.empty();
  write_attributes(text, r.id, *r.attribute, rank, behind, [&](index_t extent) { text << extent; });
  if (r.device) {
    fixed_text on;
    text << (behind ? ", on " : "on ") << (on << *r.device).c_str();
  }
  text << ") -> ";
  write_operand(text, r.result);
  if (r.in_place) text << " in place";
}

}  // namespace detail

/// An op as text, without its line: `add(f32[64, 10], f32[10]) -> f32[64, 10]`.
/// Throws: `std::bad_alloc`.
inline std::string to_text(op_record const& record) {
  detail::growing_text text;
  detail::write_op(text, record);
  return text.text();
}

/// A line as text, without folders: `quickstart.cpp:31`; empty where there is none.
/// Throws: `std::bad_alloc`.
inline std::string to_text(source_line const& where) {
  detail::growing_text text;
  detail::write_line(text, where);
  return text.text();
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
