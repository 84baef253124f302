// guardjit: interop/npy_header.hpp: the header of .npy files, read by a fixed grammar, and written
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_INTEROP_NPY_HEADER_HPP
#define GUARDJIT_INTEROP_NPY_HEADER_HPP

#include <guardjit/interop/byte_source.hpp>
#include <guardjit/tensor/dtype.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

inline constexpr std::size_t npy_longest_header = 10'000;
inline constexpr std::size_t npy_longest_front = 12 + npy_longest_header;
/// Where data starts in written files: at a multiple of this.
inline constexpr std::size_t npy_alignment = 64;

/// `descr` of a dtype without byte order: kind and bytes, as in `f4`.
struct npy_code {
  char kind, size;
  constexpr bool operator==(npy_code const&) const = default;
};
constexpr npy_code npy_code_of(dtype type) {
  dtype_row const& row = row_of(type);
  char const kind = row.kind == dtype_kind::boolean    ? 'b'
                    : row.kind == dtype_kind::floating ? 'f'
                    : row.is_signed                    ? 'i'
                                                       : 'u';
  return {kind, static_cast<char>('0' + row.size)};
}
static_assert(
    [] {
      for (int a = 0; a < dtype_count; ++a)
        for (int b = 0; b < a; ++b)
          if (npy_code_of(static_cast<dtype>(a)) == npy_code_of(static_cast<dtype>(b)))
            return false;
      return true;
    }(),
    "guardjit: npy: each dtype has a code of its own");

/// Appends `'<f4'`.
constexpr void append_descr(fixed_text& text, dtype type) {
  auto const [kind, size] = npy_code_of(type);
  text << '\'' << (size == '1' ? '|' : '<') << kind << size << '\'';
}

/// What a header says.
struct npy_header {
  dtype type = dtype::boolean;
  bool swapped = false;
  bool column_major = false;
  shape extents;
  std::size_t data_offset = 0;
};

/// Reads the header at the front of a file: one dictionary with exactly the keys `descr`,
/// `fortran_order` and `shape`. Nothing is evaluated.
class npy_header_reader {
 public:
  npy_header_reader(char const* name, std::span<std::byte const> front)
      : name_(name), front_(front) {}

  npy_header read() {
    find_text();
    npy_header header;
    header.data_offset = end_;
    bool seen[3]{};
    expect('{');
    while (!accept('}')) {
      int const key = read_key();
      if (seen[key]) refuse(fixed_text{} << "key '" << keys[key] << "' occurs twice");
      seen[key] = true;
      expect(':');
      if (key == 0) read_descr(header);
      else if (key == 1) header.column_major = read_bool();
      else header.extents = read_shape();
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    for (int key = 0; key < 3; ++key)
      if (!seen[key]) refuse(fixed_text{} << "key '" << keys[key] << "' is missing");
    skip_blanks();
    if (at_ + 1 != end_ || peek() != '\n')
      refuse("the header does not end with its dictionary and a newline");
    return header;
  }

  template <class Error = format_error> [[noreturn]] void refuse(fixed_text const& why) const {
    raise<Error>(fixed_text{} << "guardjit: npy: " << name_ << ": " << why);
  }

 private:
  static constexpr char const* keys[] = {"descr", "fortran_order", "shape"};

  unsigned byte_at(std::size_t k) const { return std::to_integer<unsigned>(front_[k]); }
  char peek() const { return at_ < end_ ? static_cast<char>(front_[at_]) : '\0'; }

  /// Finds the dictionary's text from magic, version and length.
  void find_text() {
    constexpr char magic[] = "\x93NUMPY";
    for (std::size_t k = 0; k < 6; ++k)
      if (front_.size() < 10 || byte_at(k) != static_cast<unsigned char>(magic[k]))
        refuse("no npy file: wrong magic");
    unsigned const major = byte_at(6), minor = byte_at(7);
    if (major < 1 || major > 3 || minor != 0)
      refuse(fixed_text{} << "version " << major << '.' << minor << ", expected 1.0, 2.0 or 3.0");
    at_ = major == 1 ? 10 : 12;
    if (front_.size() < at_) refuse("the file ends inside the header length");
    std::size_t length = 0;
    for (std::size_t k = at_; k-- > 8;) length = length << 8 | byte_at(k);
    if (length > npy_longest_header)
      refuse(fixed_text{} << "header length " << length << ", expected at most "
                          << npy_longest_header);
    if (length > front_.size() - at_)
      refuse(fixed_text{} << "header length " << length << ", but only " << front_.size() - at_
                          << " bytes follow");
    end_ = at_ + length;
  }

  void skip_blanks() {
    while (peek() == ' ') ++at_;
  }
  bool accept(char c) {
    skip_blanks();
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) refuse(fixed_text{} << "header byte " << at_ << ": expected '" << c << '\'');
  }
  bool accept_word(char const* word) {
    auto at = at_;
    for (; *word; ++word, ++at)
      if (at >= end_ || static_cast<char>(front_[at]) != *word) return false;
    at_ = at;
    return true;
  }

  int read_key() {
    skip_blanks();
    char const quote = peek();
    if (quote != '\'' && quote != '"')
      refuse(fixed_text{} << "header byte " << at_ << ": expected a key");
    ++at_;
    for (int key = 0; key < 3; ++key)
      if (accept_word(keys[key])) {
        if (peek() != quote) break;
        ++at_;
        return key;
      }
    refuse(fixed_text{} << "header byte " << at_
                        << ": unknown key, expected descr, fortran_order or shape");
  }

  void read_descr(npy_header& header) {
    skip_blanks();
    auto const start = at_;
    char const quote = peek();
    auto close = at_ + 1;
    if (quote == '\'' || quote == '"')
      while (close < end_ && static_cast<char>(front_[close]) != quote) ++close;
    else close = start;
    if (close - start == 4 && close < end_) {
      auto const order = static_cast<char>(front_[start + 1]);
      npy_code const code{static_cast<char>(front_[start + 2]),
                          static_cast<char>(front_[start + 3])};
      bool const fits =
          code.size == '1' ? order == '|' : order == '<' || order == '>' || order == '=';
      for (int k = 0; fits && k < dtype_count; ++k)
        if (npy_code_of(static_cast<dtype>(k)) == code) {
          header.type = static_cast<dtype>(k);
          header.swapped = order == '>';
          at_ = close + 1;
          return;
        }
    }
    fixed_text text;
    text << "key 'descr': ";
    for (auto k = start; k < end_ && k < start + 40 && k <= close; ++k) {
      auto const c = static_cast<char>(front_[k]);
      text << (c >= ' ' && c <= '~' ? c : '?');
    }
    text << " is not supported, expected ";
    for (int k = 0; k < dtype_count; ++k) {
      text << (k == 0 ? "" : k + 1 < dtype_count ? ", " : " or ");
      append_descr(text, static_cast<dtype>(k));
    }
    refuse<dtype_error>(text << " ('>' and '=' also)");
  }

  bool read_bool() {
    skip_blanks();
    if (accept_word("True")) return true;
    if (!accept_word("False")) refuse("key 'fortran_order': expected True or False");
    return false;
  }

  /// `()`, `(3,)`, `(3, 4)`, `(3, 4,)`.
  shape read_shape() {
    shape extents;
    if (!accept('(')) refuse("key 'shape': expected a tuple");
    bool comma = true;
    while (!accept(')')) {
      if (!comma) refuse("key 'shape': expected ',' or ')' behind an extent");
      if (extents.rank == max_rank) refuse(fixed_text{} << "key 'shape': rank above " << max_rank);
      extents[extents.rank++] = read_extent();
      comma = accept(',');
    }
    if (extents.rank == 1 && !comma)
      refuse("key 'shape': expected a tuple, a number stands in parentheses");
    return extents;
  }

  index_t read_extent() {
    skip_blanks();
    index_t extent = 0;
    auto const start = at_;
    for (; peek() >= '0' && peek() <= '9'; ++at_)
      if (__builtin_mul_overflow(extent, index_t{10}, &extent) ||
          __builtin_add_overflow(extent, index_t{peek() - '0'}, &extent))
        refuse("key 'shape': an extent exceeds 2^63-1");
    if (at_ == start) refuse("key 'shape': expected extents that are not negative");
    return extent;
  }

  char const* name_;
  std::span<std::byte const> front_;
  std::size_t at_ = 0, end_ = 0;  // the text that is left
};

/// All of a file that precedes the data. Version 1.0 always: eight extents need no longer header.
constexpr fixed_text make_npy_front(dtype type, shape const& extents, bool column_major) {
  fixed_text header;
  header << "{'descr': ";
  append_descr(header, type);
  header << ", 'fortran_order': " << (column_major ? "True" : "False") << ", 'shape': (";
  for (int d = 0; d < extents.rank; ++d)
    header << extents[d] << (d + 1 < extents.rank ? ", " : extents.rank == 1 ? "," : "");
  header << "), }";
  constexpr std::size_t before = 10;
  while ((before + header.size() + 1) % npy_alignment != 0) header << ' ';
  header << '\n';

  fixed_text front = "\x93NUMPY";
  front << '\1' << '\0' << static_cast<char>(header.size() & 0xff)
        << static_cast<char>(header.size() >> 8);
  for (std::size_t k = 0; k < header.size(); ++k) front << header.c_str()[k];
  return front;
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
