// guardjit: interop/npz.hpp: NumPy's .npz archives of named tensors, read and written
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_INTEROP_NPZ_HPP
#define GUARDJIT_INTEROP_NPZ_HPP

#include <guardjit/interop/npy.hpp>
#include <guardjit/interop/zip_reader.hpp>
#include <guardjit/interop/zip_writer.hpp>

#include <algorithm>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace guardjit::inline GUARDJIT_ABI {

/// A tensor and its name in an archive, which is without `.npy`.
struct npz_member {
  std::string name;
  any_tensor value;
};

/// The tensors of an archive, in its order.
/// Lifetime: owns names and handles.
class npz_members {
 public:
  /// `name` stands in error texts.
  npz_members(std::string name, std::vector<npz_member> members)
      : name_(std::move(name)), members_(std::move(members)) {}

  /// Complexity: linear in the number of members, here and for `[]`.
  bool contains(std::string_view member) const noexcept { return find(member) != end(); }
  /// The tensor of that name.
  /// Throws: `format_error` naming archive and member where there is none.
  any_tensor const& operator[](std::string_view member) const {
    auto const* const found = find(member);
    if (found == end())
      raise<format_error>(fixed_text{} << "guardjit: npz: " << name_.c_str() << ": no member "
                                       << detail::quoted(member.data(), member.size()));
    return found->value;
  }

  /// Number of members; `begin` and `end` go over them in the archive's order.
  std::size_t size() const noexcept { return members_.size(); }
  npz_member const* begin() const noexcept { return members_.data(); }
  npz_member const* end() const noexcept { return members_.data() + members_.size(); }

 private:
  npz_member const* find(std::string_view member) const noexcept {
    return std::find_if(begin(), end(), [member](npz_member const& m) { return m.name == member; });
  }

  std::string name_;
  std::vector<npz_member> members_;
};

namespace detail {

inline constexpr std::string_view npy_suffix = ".npy";

template <class Source> any_tensor read_npz_member(zip_reader<Source> const& archive,
                                                   zip_member const& m, char const* name) {
  auto const bytes = archive.read(m);
  auto const text = fixed_text{} << name << ": member " << quoted(m.name.data(), m.name.size());
  return parse_npy(
      {static_cast<std::byte const*>(bytes.data()), static_cast<std::size_t>(bytes.bytes())},
      text.c_str());
}

npz_members read_npz(byte_source auto const& source, char const* name) {
  zip_reader const archive(source, name);
  std::vector<npz_member> members;
  for (zip_member const& m : archive.members()) {
    if (!m.name.ends_with(npy_suffix)) archive.refuse(m, "is no .npy file");
    auto const stem = m.name.substr(0, m.name.size() - npy_suffix.size());
    members.push_back({std::string(stem), read_npz_member(archive, m, name)});
  }
  return {name, std::move(members)};
}

}  // namespace detail

/// The tensors in the bytes of a `.npz` file; `name` stands in error texts. Members are stored, or
/// deflated where the program is built with GUARDJIT_HAS_ZLIB=1 and linked with zlib.
/// Shapes, dtypes: as `parse_npy`.
/// Throws: `format_error` naming archive, member and what is wrong with it; `dtype_error` where a member
/// has another dtype; `std::bad_alloc`. If it throws, nothing is kept.
/// Complexity: one allocation a tensor, and one at a time for the bytes of a member. Memory is bounded
/// by the bytes that are there, for deflated members by 1 032 times as many.
/// Lifetime: the elements are copied.
/// Rules: I13.
inline npz_members parse_npz(std::span<std::byte const> bytes, char const* name = "bytes") {
  return detail::read_npz(detail::memory_source(bytes), name);
}

/// The tensors in a `.npz` file: `load_npz("x.npz")["w"].as<float, dyn, 64>()`.
/// Shapes, dtypes, complexity: as `parse_npz`.
/// Throws: as `parse_npz`; `format_error` where the file cannot be read or is no regular file.
/// Rules: I13.
/// Example: examples/02_files.cpp
inline npz_members load_npz(char const* path) {
  return detail::read_npz(detail::input_file(path), path);
}

/// One tensor of a `.npz` file; other members are not read, and may be of any kind.
/// Throws: as above; `format_error` where there is no such member.
/// Rules: I13.
inline any_tensor load_npz(char const* path, std::string_view member) {
  detail::input_file const file(path);
  detail::zip_reader const archive(file, path);
  for (detail::zip_member const& m : archive.members())
    if (m.name.ends_with(detail::npy_suffix) &&
        m.name.substr(0, m.name.size() - detail::npy_suffix.size()) == member)
      return detail::read_npz_member(archive, m, path);
  archive.refuse(fixed_text{} << "no member " << detail::quoted(member.data(), member.size()));
}

/// Writes tensors as a `.npz` file: members stored in the form of `save_npy`, in the given order. The
/// file appears whole or not at all.
/// Shapes, dtypes: all; any strides.
/// Throws: as `save_npy`; `format_error` where two names are equal or one is longer than 65 531 bytes.
/// Complexity: linear; one allocation at a time for elements that are not dense.
/// Rules: I13.
inline void save_npz(char const* path, std::span<npz_member const> members) {
  std::vector<std::string_view> names;
  for (npz_member const& m : members) names.push_back(m.name);
  std::sort(names.begin(), names.end());
  auto const refuse = [path](std::string_view name, char const* why) {
    raise<format_error>(fixed_text{} << "guardjit: npz: " << path << ": member "
                                     << detail::quoted(name.data(), name.size()) << ": " << why);
  };
  if (auto const twin = std::adjacent_find(names.begin(), names.end()); twin != names.end())
    refuse(*twin, "occurs twice");
  for (auto name : names)
    if (name.size() + detail::npy_suffix.size() > detail::zip::wide16)
      refuse(name, "the name is too long");

  detail::output_file file(path);
  detail::zip_writer archive(file);
  for (npz_member const& m : members) {
    detail::npy_image const image("save_npz(path, members)", m.value);
    auto const crc = detail::crc32(image.data(), image.data_bytes,
                                   detail::crc32(image.front.c_str(), image.front.size()));
    archive.begin_member(m.name + std::string(detail::npy_suffix), image.size(), crc);
    file.write(image.front.c_str(), image.front.size());
    file.write(image.data(), image.data_bytes);
  }
  archive.finish();
  file.commit();
}

/// The same for a list in place: `save_npz("x.npz", {{"w", w}, {"b", b}})`.
/// Example: examples/02_files.cpp
inline void save_npz(char const* path, std::initializer_list<npz_member> members) {
  save_npz(path, std::span(members.begin(), members.size()));
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
