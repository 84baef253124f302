// guardjit: tensor/print.hpp: tensors as text, in NumPy's form
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TENSOR_PRINT_HPP
#define GUARDJIT_TENSOR_PRINT_HPP

#include <guardjit/tensor/frozen.hpp>

#include <charconv>  // the digits of elements
#include <string>    // the texts

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// As NumPy's defaults: above so many elements only those at the edges are shown.
inline constexpr index_t print_threshold = 1000, print_edge = 3;
inline constexpr std::size_t print_columns = 75;
/// Digits behind the point at most.
inline constexpr std::size_t print_digits = 8;

/// The parts of an element's text: `-2` `.` `5` `e-10`; of what is no floating number only the first.
struct element_text {
  std::string whole, digits{}, exponent{};
  bool has_point = false;
  std::size_t size() const { return whole.size() + has_point + digits.size() + exponent.size(); }
};

template <std::integral T> element_text text_of(T value) {
  if constexpr (std::is_same_v<T, bool>) return {.whole = value ? "true" : "false"};
  else return {.whole = std::to_string(value)};
}

inline element_text parts_of(std::string_view number) {
  auto const mantissa = number.substr(0, number.find('e'));
  auto const whole = mantissa.substr(0, mantissa.find('.'));
  auto const digits = mantissa.substr(whole.size() + (mantissa.size() > whole.size()));
  return {std::string(whole), std::string(digits), std::string(number.substr(mantissa.size())),
          true};
}

/// The shortest digits that give the number back, at most `print_digits` behind the point; or exactly
/// `wanted` digits behind it.
/// Precondition: in fixed notation |value| is below 1e17 and not tiny.
template <std::floating_point T>
element_text text_of(T value, std::chars_format format, int wanted = -1) {
  if (value != value) return {.whole = "nan"};
  if (value - value != 0) return {.whole = value < 0 ? "-inf" : "inf"};
  char room[64];
  auto const print = [&](auto... precision) {
    return parts_of(
        {room, std::to_chars(room, room + sizeof room, value, format, precision...).ptr});
  };
  if (wanted >= 0) return print(wanted);
  auto parts = print();
  if (parts.digits.size() <= print_digits) return parts;
  parts = print(static_cast<int>(print_digits));
  parts.digits.resize(parts.digits.find_last_not_of('0') + 1);
  return parts;
}

/// Writes the elements of one tensor: nested brackets, columns aligned over all that is shown.
template <class T> class tensor_printer {
 public:
  tensor_printer(layout_view const& l, T const* data, std::string& text)
      : l_(l), data_(data), text_(text), summarised_(l.count() > print_threshold) {}

  void print() {
    if (l_.count() == 0) return void(text_ += "[]");
    choose_notation();
    for_each_shown(0, data_, [&](T value) { measure(text_of_element(value)); });
    print_from(0, data_);
  }

 private:
  static constexpr bool floating = std::is_floating_point_v<T>;

  std::chars_format format() const {
    return scientific_ ? std::chars_format::scientific : std::chars_format::fixed;
  }
  bool is_cut(int d) const { return summarised_ && l_.extents[d] > 2 * print_edge; }

  /// Calls `visit` with each index of a dimension that is shown, and `gap` where some are not.
  void for_each_index(int d, auto const& visit, auto const& gap) const {
    for (index_t k = 0; k < l_.extents[d]; ++k) {
      if (k == print_edge && is_cut(d)) {
        gap();
        k = l_.extents[d] - print_edge;
      }
      visit(k);
    }
  }
  void for_each_shown(int d, T const* at, auto const& visit) const {
    if (d == l_.rank) return visit(*at);
    for_each_index(
        d, [&](index_t k) { for_each_shown(d + 1, at + k * l_.strides[d], visit); }, [] {});
  }

  /// Exponents where numbers are large, small or far apart.
  void choose_notation() {
    if constexpr (floating) {
      double least = 0, most = 0;
      for_each_shown(0, data_, [&](T value) {
        double const size = value < 0 ? -double{value} : double{value};
        if (size == 0 || size - size != 0) return;
        if (least == 0 || size < least) least = size;
        if (size > most) most = size;
      });
      scientific_ = least != 0 && (most >= 1e8 || least < 1e-4 || most / least > 1000);
    }
  }
  element_text text_of_element(T value) const {
    if constexpr (floating) return text_of(value, format());
    else return text_of(value);
  }

  void measure(element_text const& e) {
    auto const grow = [](std::size_t& most, std::size_t size) { most = size > most ? size : most; };
    grow(width_, e.size());
    if (!e.has_point) return;
    grow(whole_, e.whole.size());
    grow(digits_, e.digits.size());
    grow(exponent_, e.exponent.size());
    grow(width_, whole_ + 1 + digits_ + exponent_);
  }

  /// One element, as wide as all. Points and exponents stand below each other.
  std::string word(T value) const {
    auto const aligned = [](std::size_t width, std::string const& part) {
      return std::string(width - part.size(), ' ') + part;
    };
    if constexpr (floating) {
      auto const e = text_of(value, format(), scientific_ ? static_cast<int>(digits_) : -1);
      if (e.has_point)
        return aligned(width_ - 1 - digits_ - exponent_, e.whole) + '.' + e.digits +
               std::string(digits_ - e.digits.size(), ' ') + with_zeros(e.exponent);
    }
    return aligned(width_, text_of_element(value).whole);
  }
  /// `e+05` as `e+005` beside `e+100`.
  std::string with_zeros(std::string exponent) const {
    if (!exponent.empty()) exponent.insert(2, exponent_ - exponent.size(), '0');
    return exponent;
  }

  void print_from(int d, T const* at) {
    if (d == l_.rank) return void(text_ += word(*at));
    text_ += '[';
    if (d + 1 == l_.rank) print_row(d, at);
    else print_rows(d, at);
    text_ += ']';
  }
  void print_rows(int d, T const* at) {
    bool first = true;
    auto const separate = [&] {
      if (!std::exchange(first, false))
        text_.append(1, ',')
            .append(static_cast<std::size_t>(l_.rank - d - 1), '\n')
            .append(indent(d), ' ');
    };
    for_each_index(
        d, [&](index_t k) { separate(), print_from(d + 1, at + k * l_.strides[d]); },
        [&] { separate(), text_ += "..."; });
  }
  /// A row goes on below itself where the line would be too long for an element and what closes behind it.
  void print_row(int d, T const* at) {
    std::size_t column = indent(d);
    auto const put = [&](std::string_view w) {
      if (column > indent(d)) {  // not the first
        bool const fits = column + 2 + w.size() <= print_columns - indent(d);
        text_ += fits ? ", " : ",\n";
        if (!fits) text_.append(indent(d), ' ');
        column = fits ? column + 2 : indent(d);
      }
      text_ += w;
      column += w.size();
    };
    for_each_index(
        d, [&](index_t k) { put(word(at[k * l_.strides[d]])); }, [&] { put("..."); });
  }
  static std::size_t indent(int d) { return static_cast<std::size_t>(d) + 1; }

  layout_view const& l_;
  T const* data_;
  std::string& text_;
  bool summarised_;
  bool scientific_ = false;
  std::size_t width_ = 0, whole_ = 0, digits_ = 0, exponent_ = 0;  // of the widest that is shown
};

inline std::string print_tensor(dtype type, layout_view const& l, void const* data, device where) {
  fixed_text head;
  head << name_of(type) << ' ' << l.shape();
  bool const readable = where.kind == device_kind::cpu;
  if (readable) head << '\n';
  else head << " on " << where;
  std::string text = head.c_str();
  if (!readable) return text;
  visit_dtype(type, [&]<class T>(std::type_identity<T>) {
    tensor_printer<T>(l, static_cast<T const*>(data), text).print();
  });
  return text;
}

template <class X> inline constexpr bool is_printable = std::is_same_v<X, any_tensor>;
template <class T, index_t... Extents>
inline constexpr bool is_printable<tensor<T, Extents...>> = true;
template <class T, index_t... Extents>
inline constexpr bool is_printable<frozen<T, Extents...>> = true;
template <class T, index_t... Extents>
inline constexpr bool is_printable<tensor_view<T, Extents...>> = true;

/// What `std::basic_ostream<char>` is, and nothing that only has a `<<`.
template <class Stream>
concept character_stream = requires(Stream& out, char const* text) {
  requires std::is_same_v<typename Stream::char_type, char>;
  typename Stream::traits_type;
  out.write(text, 1);
  out.width(0);
};

}  // namespace detail

/// What can be written as text: `tensor`, `tensor_view` and `any_tensor`.
template <class X>
concept printable_tensor = detail::is_printable<X>;

/// A tensor as text: `f32 (2, 3)`, and below it the elements in nested brackets.
///
/// The form of the elements is NumPy's: aligned columns; at most 8 digits behind the point, no more than
/// give the number back; exponents where numbers are large, small or far apart; lines of 75 columns. Of
/// more than 1 000 elements only 3 at each edge are shown. Bools are `true` and `false`.
/// Shapes, dtypes: all, any strides. Elements in other memory than the host's are not shown; no tensor
/// is `no tensor`.
/// Throws: `std::bad_alloc`.
/// Complexity: linear in the elements that are shown.
/// Example: examples/02_files.cpp
template <printable_tensor X> std::string to_string(X const& x) {
  if constexpr (std::is_same_v<X, any_tensor>) {
    if (!x) return "no tensor";
  }
  device where;
  if constexpr (requires { x.where(); }) where = x.where();
  return detail::print_tensor(x.type(), x.layout().view(), x.data(), where);
}

/// Writes `to_string(x)` to a stream, whatever its width and flags say; its width is 0 then.
/// Requires: a stream of `char` as `std::ostream`, of which no header is included here.
/// Throws: `std::bad_alloc`, and what the stream throws.
/// Example: examples/02_files.cpp
template <detail::character_stream Stream, printable_tensor X>
Stream& operator<<(Stream& out, X const& x) {
  auto const text = to_string(x);
  out.width(0);
  out.write(text.data(), static_cast<std::ptrdiff_t>(text.size()));
  return out;
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
