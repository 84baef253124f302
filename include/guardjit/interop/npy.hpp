// guardjit: interop/npy.hpp: NumPy's .npy files into tensors and back
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_INTEROP_NPY_HPP
#define GUARDJIT_INTEROP_NPY_HPP

#include <guardjit/tensor/any_tensor.hpp>

#include <bit>
#include <cstddef>
#include <cstdio>  // files
#include <span>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

static_assert(std::endian::native == std::endian::little,
              "guardjit: npy: little-endian machines only");

inline constexpr std::size_t npy_longest_header = 10'000;
inline constexpr std::size_t npy_longest_preamble = 12;

/// The part of `descr` behind the byte order, by dtype.
inline constexpr char const* npy_codes[] = {"b1", "u1", "i4", "i8", "f4", "f8"};
static_assert(std::size(npy_codes) == static_cast<std::size_t>(dtype_count));

/// What a header says.
struct npy_header {
  dtype type = dtype::boolean;
  bool swapped = false;
  bool column_major = false;
  shape extents;
  std::size_t data_offset = 0;
};

/// Reads the header at the front of a file by a fixed grammar: one dictionary with exactly the
/// keys `descr`, `fortran_order` and `shape`. Nothing is evaluated.
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
    if (close - start == 4) {
      at_ = start + 1;
      char const order = peek();
      ++at_;
      for (int k = 0; k < dtype_count; ++k)
        if (accept_word(npy_codes[k])) {
          header.type = static_cast<dtype>(k);
          header.swapped = order == '>';
          bool const one_byte = size_of(header.type) == 1;
          if (one_byte ? order != '|' : order != '<' && order != '>' && order != '=') break;
          ++at_;
          return;
        }
    }
    fixed_text found;
    for (auto k = start; k < end_ && k < start + 40 && k <= close; ++k) {
      auto const c = static_cast<char>(front_[k]);
      found << (c >= ' ' && c <= '~' ? c : '?');
    }
    refuse<dtype_error>(fixed_text{}
                        << "key 'descr': " << found
                        << " is not supported, expected '|b1', '|u1', '<i4', '<i8', '<f4' or "
                           "'<f8' ('>' and '=' also)");
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

/// Reads a file of `size` bytes whose front is at hand; `read_data(offset, to, bytes)` gets the
/// rest. The size is checked before anything is allocated.
any_tensor read_npy(char const* name, std::span<std::byte const> front, index_t size,
                    auto&& read_data) {
  npy_header_reader reader(name, front);
  npy_header const header = reader.read();
  shape const& extents = header.extents;
  index_t const bytes = checked_bytes(extents.rank, extents.extents.data(), size_of(header.type));
  index_t const left = size - static_cast<index_t>(header.data_offset);
  if (bytes < 0)
    reader.refuse(fixed_text{} << "key 'shape': " << extents << " needs more than 2^63-1 bytes");
  if (bytes != left)
    reader.refuse(fixed_text{} << left << " bytes of data, expected " << bytes << " for shape "
                               << extents << " of " << name_of(header.type));

  auto owner = storage::allocate(bytes);
  void* const data = owner.data();
  if (bytes > 0) read_data(header.data_offset, data, static_cast<std::size_t>(bytes));
  visit_dtype(header.type, [&]<class T>(std::type_identity<T>) {
    auto* raw = static_cast<unsigned char*>(data);
    // Any byte but 0 is true; the bytes of a bool must be 0 or 1.
    if constexpr (std::is_same_v<T, bool>)
      for (index_t k = 0; k < bytes; ++k) raw[k] = raw[k] != 0;
    else if (header.swapped)
      for (index_t k = 0; k < bytes; k += static_cast<index_t>(sizeof(T)))
        for (std::size_t low = 0, high = sizeof(T) - 1; low < high; ++low, --high)
          std::swap(raw[static_cast<std::size_t>(k) + low],
                    raw[static_cast<std::size_t>(k) + high]);
  });

  any_layout l(extents);
  if (header.column_major) {
    auto strides = l.strides();
    index_t step = 1;
    for (int d = 0; d < extents.rank; ++d) {
      strides[static_cast<unsigned>(d)] = step;
      step *= extents[d] ? extents[d] : 1;
    }
    l = any_layout(extents, strides);
  }
  return any_tensor::adopt(std::move(owner), data, header.type, l);
}

struct open_file {
  std::FILE* handle;
  open_file(char const* path, char const* how) : handle(std::fopen(path, how)) {}
  open_file(open_file const&) = delete;
  ~open_file() {
    if (handle) std::fclose(handle);
  }
};

}  // namespace detail

/// The tensor in the bytes of a `.npy` file; `name` stands in error texts.
/// Dtypes: `|b1 |u1 <i4 <i8 <f4 <f8`, and these in the other byte order.
/// Throws: `format_error` naming the field; `dtype_error` for any other `descr`.
/// Complexity: one allocation, of the size of the data that is there.
/// Rules: I10, I11, I12.
inline any_tensor parse_npy(std::span<std::byte const> bytes, char const* name = "bytes") {
  return detail::read_npy(name, bytes, static_cast<index_t>(bytes.size()),
                          [&](std::size_t offset, void* to, std::size_t count) {
                            __builtin_memcpy(to, bytes.data() + offset, count);
                          });
}

/// The tensor in a `.npy` file: `load_npy("x.npy").as<float, dyn, 64>()`.
/// Throws: as `parse_npy`; `format_error` where the file cannot be read.
/// Example: examples/01_quickstart.cpp
inline any_tensor load_npy(char const* path) {
  auto const refuse = [path](char const* why) {
    raise<format_error>(fixed_text{} << "guardjit: npy: " << path << ": " << why);
  };
  detail::open_file file(path, "rb");
  if (!file.handle) refuse("the file cannot be opened");
  long const size = std::fseek(file.handle, 0, SEEK_END) == 0 ? std::ftell(file.handle) : -1;
  if (size < 0 || std::fseek(file.handle, 0, SEEK_SET) != 0) refuse("the file has no size");

  std::array<std::byte, detail::npy_longest_preamble + detail::npy_longest_header> front;
  auto const there = std::fread(front.data(), 1, front.size(), file.handle);
  return detail::read_npy(path, std::span(front).first(there), size,
                          [&](std::size_t offset, void* to, std::size_t count) {
                            if (std::fseek(file.handle, static_cast<long>(offset), SEEK_SET) != 0 ||
                                std::fread(to, 1, count, file.handle) != count)
                              refuse("the data cannot be read");
                          });
}

/// Writes a tensor as a `.npy` file, version 1.0, row-major, data at a multiple of 64.
/// Throws: `format_error` where the file cannot be written; `std::bad_alloc` where a strided tensor
/// cannot be copied.
/// Rules: I10, I11.
inline void save_npy(char const* path, any_tensor const& x) {
  any_tensor const dense = x.is_contiguous() ? x : x.clone();
  fixed_text header = "\x93NUMPY";
  fixed_text text;
  text << "{'descr': '" << (size_of(x.type()) == 1 ? '|' : '<')
       << detail::npy_codes[static_cast<int>(x.type())] << "', 'fortran_order': False, 'shape': (";
  for (int d = 0; d < x.rank(); ++d)
    text << x.extent(d) << (d + 1 < x.rank() ? ", " : x.rank() == 1 ? "," : "");
  text << "), }";
  while ((10 + text.size() + 1) % 64 != 0) text << ' ';
  text << '\n';
  char const preamble[] = {1, 0, static_cast<char>(text.size() & 0xff),
                           static_cast<char>(text.size() >> 8)};

  auto const bytes =
      static_cast<std::size_t>(x.size()) * static_cast<std::size_t>(size_of(x.type()));
  detail::open_file file(path, "wb");
  auto const put = [&](void const* from, std::size_t count) {
    return count == 0 || std::fwrite(from, 1, count, file.handle) == count;
  };
  bool const done = file.handle && put(header.c_str(), header.size()) &&
                    put(preamble, sizeof preamble) && put(text.c_str(), text.size()) &&
                    put(dense.data(), bytes) && std::fflush(file.handle) == 0;
  if (!done)
    raise<format_error>(fixed_text{} << "guardjit: npy: " << path
                                     << ": the file cannot be written");
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
