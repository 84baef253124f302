// guardjit: tests/conformance/guards/random_calls_facts.hpp: what the model of random calls knows of arguments
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_CONFORMANCE_GUARDS_RANDOM_CALLS_FACTS_HPP
#define GUARDJIT_TESTS_CONFORMANCE_GUARDS_RANDOM_CALLS_FACTS_HPP

#include <algorithm>
#include <cmath>
#include <optional>

#include "conformance/guards/random_calls.hpp"

namespace random_calls {

namespace {

using std::to_string;
using texts = std::vector<std::string>;

// Arguments.

bool is_empty(drawn const& t) { return std::find(t.extents.begin(), t.extents.end(), 0) != t.extents.end(); }

/// Strides that no element depends on have one value (G27): row-major in an empty tensor; that of an extent 1 goes on
/// from its right neighbour.
drawn canonical(drawn t) {
  index_t row_major = 1;
  for (std::size_t d = t.extents.size(); d-- > 0;) {
    bool const is_last = d + 1 == t.extents.size();
    if (is_empty(t)) t.strides[d] = row_major;
    else if (t.extents[d] == 1) t.strides[d] = is_last ? 1 : t.extents[d + 1] * t.strides[d + 1];
    row_major *= t.extents[d] == 0 ? 1 : t.extents[d];
  }
  return t;
}
/// The first dim from the right whose stride is not row-major, and what that would be.
std::optional<std::pair<std::size_t, index_t>> first_gap(drawn const& t) {
  index_t step = 1;
  for (std::size_t d = t.extents.size(); d-- > 0; step *= t.extents[d])
    if (!is_empty(t) && t.strides[d] != step) return std::pair{d, step};
  return {};
}
/// The class of a layout in words (G27).
std::string class_of(drawn const& t) {
  std::string text = !first_gap(t) ? "contiguous" : t.strides.back() == 1 ? "unit inner stride" : "general strides";
  for (std::size_t d = 0; d < t.extents.size(); ++d)
    if (t.extents[d] > 1 && t.strides[d] == 0) text += ", stride 0 at dim " + to_string(d);
  return text;
}
std::string family_of(drawn const& t) { return class_of(t).substr(0, class_of(t).find(',')); }
bool repeats_elements(drawn const& t) { return !is_empty(t) && class_of(t).find("stride 0") != std::string::npos; }

/// First and last element that is reached.
std::pair<index_t, index_t> reach(drawn const& t) {
  index_t low = t.offset, high = t.offset;
  for (std::size_t d = 0; d < t.extents.size(); ++d) {
    index_t const far = (t.extents[d] - 1) * t.strides[d];
    (far < 0 ? low : high) += far;
  }
  return {low, high};
}
/// G31.
std::string relation(drawn const& a, drawn const& b) {
  if (a.what.type != b.what.type || is_empty(a) || is_empty(b)) return "disjoint";
  auto const [a_low, a_high] = reach(a);
  auto const [b_low, b_high] = reach(b);
  if (a_high < b_low || b_high < a_low) return "disjoint";
  if (a.offset == b.offset && a.extents == b.extents && a.strides == b.strides) return "the same view";
  bool const are_windows = a.extents.size() == 2 && b.extents.size() == 2 && a.strides[1] == 1 && b.strides[1] == 1 &&
                           a.strides[0] == b.strides[0] && a.strides[0] > 0;
  if (are_windows) {
    index_t const pitch = a.strides[0];
    index_t column = b.offset - a.offset;
    while (column < 0) column += pitch;
    while (column >= pitch) column -= pitch;
    if (column >= a.extents[1] && column + b.extents[1] <= pitch) return "disjoint";
  }
  return "overlapping";
}

// Extents and conditions of one call.

std::string number_text(double x) {
  std::string text = to_string(x);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

/// An expression of `facts`, its value and how reasons write it.
struct side {
  double value = 0;
  std::string text, value_text;
};
class reader {
 public:
  reader(std::string const& what, drawn_call const& c) : what_(what), call_(c) {}
  side read() {
    if (what_[at_] == 's') {
      ++at_;
      std::size_t const k = number();
      return {call_[k].number, "arg[" + to_string(k) + "]", number_text(call_[k].number)};
    }
    if (what_[at_] == '(') {
      ++at_;
      side const a = read();
      std::size_t const end = what_.find(' ', at_ + 1);
      std::string const sign = what_.substr(at_ + 1, end - at_ - 1);
      at_ = end + 1;
      side const b = read();
      ++at_;
      double const x = a.value, y = b.value;
      double const value = sign == "+" ? x + y : sign == "*" ? x * y : sign == "/" ? std::floor(x / y) : x == 1 ? y : x;
      return made(value, "(" + a.text + " " + sign + " " + b.text + ")");
    }
    std::size_t const k = number();
    if (at_ == what_.size() || what_[at_] != '.') return made(static_cast<double>(k), to_string(k));
    ++at_;
    std::size_t const d = number();
    return made(static_cast<double>(call_[k].extents[d]), "arg[" + to_string(k) + "].extent(" + to_string(d) + ")");
  }

 private:
  static side made(double value, std::string const& text) {
    return {value, text, to_string(static_cast<index_t>(value))};
  }
  std::size_t number() {
    std::size_t n = 0;
    while (at_ < what_.size() && what_[at_] >= '0' && what_[at_] <= '9') n = 10 * n + static_cast<std::size_t>(what_[at_++] - '0');
    return n;
  }
  std::string const& what_;
  drawn_call const& call_;
  std::size_t at_ = 0;
};
side read(std::string const& what, drawn_call const& c) {
  if (what.empty()) return {};
  side whole = reader(what, c).read();
  if (whole.text[0] == '(') whole.text = whole.text.substr(1, whole.text.size() - 2);
  return whole;
}

bool holds(rule const& r, drawn_call const& c) {
  double const a = read(r.left, c).value, b = read(r.right, c).value;
  switch (r.what) {
    case rule::equal: return a == b;
    case rule::broadcast: return a == b || a == 1 || b == 1;
    case rule::multiple: return std::fmod(a, b) == 0;
    case rule::positive: return a > 0;
    case rule::index: return a < b;
  }
  return false;
}
bool outcome_of_condition(condition const& what, drawn_call const& c) {
  double const a = read(what.left, c).value, b = read(what.right, c).value;
  return what.sign == " == " ? a == b : a > b;
}

}  // namespace

}  // namespace random_calls

#endif
