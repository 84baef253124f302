// guardjit: interop/npy.hpp: NumPy's .npy files into tensors and back
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_INTEROP_NPY_HPP
#define GUARDJIT_INTEROP_NPY_HPP

#include <guardjit/interop/file.hpp>
#include <guardjit/interop/npy_header.hpp>
#include <guardjit/tensor/any_tensor.hpp>

#include <algorithm>
#include <bit>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

static_assert(std::endian::native == std::endian::little,
              "guardjit: npy: little-endian machines only");

/// The layout of a dense tensor whose first index runs fastest.
constexpr any_layout column_major_layout(shape const& extents) {
  std::array<index_t, max_rank> strides{};
  index_t step = 1;
  for (int d = 0; d < extents.rank; ++d) {
    strides[static_cast<unsigned>(d)] = step;
    step *= extents[d] ? extents[d] : 1;
  }
  return any_layout(extents, strides);
}

/// What the bytes of a file mean in memory: numbers in this machine's order, bools of 0 and 1.
inline void normalize(dtype type, bool swapped, unsigned char* raw, index_t bytes) {
  if (type == dtype::boolean) {
    for (index_t k = 0; k < bytes; ++k) raw[k] = raw[k] != 0;
  } else if (swapped) {
    index_t const size = size_of(type);
    for (; bytes > 0; raw += size, bytes -= size)
      for (index_t low = 0, high = size - 1; low < high; ++low, --high)
        std::swap(raw[low], raw[high]);
  }
}

/// Reads one file. Its size is compared with its shape before anything is allocated.
any_tensor read_npy(byte_source auto const& source, char const* name) {
  std::array<std::byte, npy_longest_front> front;
  auto const there = std::min(source.size(), static_cast<index_t>(front.size()));
  source.read(0, front.data(), there);
  npy_header_reader reader(name, std::span(front).first(static_cast<std::size_t>(there)));
  npy_header const header = reader.read();
  shape const& extents = header.extents;
  index_t const bytes = checked_bytes(extents.rank, extents.extents.data(), size_of(header.type));
  auto const start = static_cast<index_t>(header.data_offset);
  if (bytes < 0)
    reader.refuse(fixed_text{} << "key 'shape': " << extents << " needs more than 2^63-1 bytes");
  if (bytes != source.size() - start)
    reader.refuse(fixed_text{} << source.size() - start << " bytes of data, expected " << bytes
                               << " for shape " << extents << " of " << name_of(header.type));

  auto owner = storage::allocate(bytes);
  void* const data = owner.data();
  source.read(start, data, bytes);
  normalize(header.type, header.swapped, static_cast<unsigned char*>(data), bytes);
  return any_tensor::adopt(
      std::move(owner), data, header.type,
      header.column_major ? column_major_layout(extents) : any_layout(extents));
}

/// Whether elements are written in Fortran order, which needs no copy of them.
constexpr bool is_column_major(any_layout const& l) {
  return !is_contiguous(l.view()) && l == column_major_layout(l.shape());
}

inline fixed_text npy_front_of(any_tensor const& x) {
  return make_npy_front(x.type(), x.shape(), is_column_major(x.layout()));
}

inline std::size_t npy_data_bytes(any_tensor const& x) {
  return static_cast<std::size_t>(x.size()) * static_cast<std::size_t>(size_of(x.type()));
}

/// A tensor as a file: what precedes the data, and elements in the order of the data.
struct npy_image {
  any_tensor dense;
  fixed_text front;
  std::size_t data_bytes = 0;

  npy_image(char const* what, any_tensor const& x) {
    if (!x) raise<dtype_error>(fixed_text{} << "guardjit: " << what << ": there is no tensor");
    if (x.where().kind != device_kind::cpu)
      raise<device_error>(fixed_text{} << "guardjit: " << what << ": elements in " << x.where()
                                       << ", expected cpu");
    dense = x.is_contiguous() || is_column_major(x.layout()) ? x : x.clone();
    front = npy_front_of(x);
    data_bytes = npy_data_bytes(x);
  }

  std::size_t size() const { return front.size() + data_bytes; }
  void const* data() const { return dense.data(); }
};

}  // namespace detail

/// The tensor in the bytes of a `.npy` file; `name` stands in error texts.
/// Shapes: ranks 0 to 8. Fortran order gives column-major strides.
/// Dtypes: those of tensors, as `|b1 |u1 <i8 <f4 <f8`, also in the other byte order.
/// Throws: `format_error` naming the field; `dtype_error` for any other `descr`; `std::bad_alloc`.
/// Complexity: one allocation, of the size of the data that is there.
/// Lifetime: the elements are copied.
/// Rules: I10, I11, I12.
inline any_tensor parse_npy(std::span<std::byte const> bytes, char const* name = "bytes") {
  return detail::read_npy(detail::memory_source(bytes), name);
}

/// The tensor in a `.npy` file: `load_npy("x.npy").as<float, dyn, 64>()`.
/// Shapes, dtypes, complexity: as `parse_npy`; the data is read once, into place.
/// Throws: as `parse_npy`; `format_error` where the file cannot be read or is no regular file.
/// Rules: I10, I11, I12.
/// Example: examples/01_quickstart.cpp
inline any_tensor load_npy(char const* path) {
  return detail::read_npy(detail::input_file(path), path);
}

/// Bytes of a tensor as a `.npy` file.
/// Precondition: there is a tensor.
/// Complexity: constant, no allocation.
inline std::size_t npy_bytes(any_tensor const& x) {
  return detail::npy_front_of(x).size() + detail::npy_data_bytes(x);
}

/// Writes a tensor as a `.npy` file to the front of `out` and returns that part, `npy_bytes(x)` long.
/// Shapes, dtypes: all; any strides. Column-major elements are written in Fortran order, all others
/// row-major. Version 1.0, data at a multiple of 64.
/// Throws: `format_error` where `out` is too small; `dtype_error` where there is no tensor;
/// `device_error` where the elements are not in host memory; `std::bad_alloc`.
/// Complexity: linear; one allocation where the elements are not dense.
/// Rules: I10, I11.
inline std::span<std::byte> write_npy(std::span<std::byte> out, any_tensor const& x) {
  detail::npy_image const image("write_npy(out, x)", x);
  if (out.size() < image.size())
    raise<format_error>(fixed_text{} << "guardjit: write_npy(out, x): room for " << out.size()
                                     << " bytes, expected " << image.size());
  __builtin_memcpy(out.data(), image.front.c_str(), image.front.size());
  if (image.data_bytes > 0)
    __builtin_memcpy(out.data() + image.front.size(), image.data(), image.data_bytes);
  return out.first(image.size());
}

/// Writes a tensor as a `.npy` file, in the form of `write_npy`. The file appears whole or not at all:
/// it is written beside its place and then renamed.
/// Throws: as `write_npy`; `format_error` with the system's message where the file cannot be written,
/// and an old file is then as before.
/// Complexity: linear; one allocation where the elements are not dense.
/// Rules: I10, I11.
/// Example: examples/02_files.cpp
inline void save_npy(char const* path, any_tensor const& x) {
  detail::npy_image const image("save_npy(path, x)", x);
  detail::output_file file(path);
  file.write(image.front.c_str(), image.front.size());
  file.write(image.data(), image.data_bytes);
  file.commit();
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
