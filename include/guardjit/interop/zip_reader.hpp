// guardjit: interop/zip_reader.hpp: members of ZIP archives, found by the central directory
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_INTEROP_ZIP_READER_HPP
#define GUARDJIT_INTEROP_ZIP_READER_HPP

#include <guardjit/interop/byte_source.hpp>
#include <guardjit/interop/crc32.hpp>
#include <guardjit/interop/inflate.hpp>
#include <guardjit/interop/zip_records.hpp>
#include <guardjit/tensor/storage.hpp>

#include <algorithm>
#include <string_view>
#include <vector>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// What the central directory says of a member.
struct zip_member {
  std::string_view name;       // in the reader's copy of the directory
  std::uint64_t packed, size;  // bytes in the archive, and of the member
  std::uint64_t offset;        // of the local header
  std::uint64_t room;          // bytes up to the next member or the directory
  std::uint32_t crc;
  int flags, method;
};

/// The members of an archive, in the order of their bytes. Members do not overlap, so that all of them
/// together need no more memory than the archive's size allows; names differ.
/// Lifetime: source and `name`, which stands in error texts, are the caller's; names of members are
/// valid while the reader is.
template <byte_source Source> class zip_reader {
 public:
  /// Throws: `format_error`; `std::bad_alloc`.
  /// Complexity: n log n in the number of members; memory linear in the directory.
  zip_reader(Source const& source, char const* name) : source_(source), name_(name) {
    find_directory();
    read_directory();
    check_members();
  }

  std::span<zip_member const> members() const { return members_; }

  /// The bytes of a member, whose checksum is right.
  /// Throws: `format_error`; `std::bad_alloc`.
  storage read(zip_member const& m) const {
    if (m.method != zip::stored && m.method != zip::deflated)
      refuse(m, fixed_text{} << "method " << m.method << ", expected 0 or 8");
    if (m.method == zip::stored && m.packed != m.size) refuse(m, "is stored, but with two sizes");
    if (m.method == zip::deflated && !can_inflate)
      refuse(m, "is deflated, which needs zlib: build with GUARDJIT_HAS_ZLIB=1 and -lz");
    auto const data = find_data(m);
    auto bytes = allocate(m.packed);
    source_.read(static_cast<index_t>(data), bytes.data(), bytes.bytes());
    if (m.method == zip::deflated) bytes = inflated(m, bytes);
    if (crc32(bytes.data(), static_cast<std::size_t>(bytes.bytes())) != m.crc)
      refuse(m, "the checksum is wrong");
    return bytes;
  }

  [[noreturn]] void refuse(fixed_text const& why) const {
    raise<format_error>(fixed_text{} << "guardjit: zip: " << name_ << ": " << why);
  }
  [[noreturn]] void refuse(zip_member const& m, fixed_text const& why) const {
    refuse(fixed_text{} << "member " << quoted(m.name.data(), m.name.size()) << ": " << why);
  }

 private:
  static storage allocate(std::uint64_t bytes) {
    return storage::allocate(static_cast<index_t>(bytes));
  }
  std::byte const* directory() const { return static_cast<std::byte const*>(directory_.data()); }

  /// The end record is the last in the file, behind it only its own comment.
  void find_directory() {
    auto const size = source_.size();
    auto const tail = std::min<index_t>(size, zip::end_bytes + index_t{zip::wide16});
    auto const bytes = storage::allocate(tail);
    source_.read(size - tail, bytes.data(), tail);
    auto const* const start = static_cast<std::byte const*>(bytes.data());
    for (auto at = tail - zip::end_bytes; at >= 0; --at)
      if (number_at<4>(start + at, 0) == zip::end &&
          number_at<2>(start + at, 20) == static_cast<std::uint64_t>(tail - at - zip::end_bytes))
        return read_end(start + at, size - tail + at);
    refuse("no zip file: no end record");
  }

  void read_end(std::byte const* record, index_t at) {
    auto const entries = number_at<2>(record, 10), size = number_at<4>(record, 12),
               offset = number_at<4>(record, 16);
    if (number_at<2>(record, 4) != 0 || number_at<2>(record, 6) != 0 ||
        number_at<2>(record, 8) != entries)
      refuse("an archive of several disks");
    directory_end_ = static_cast<std::uint64_t>(at);
    if (at >= zip::locator64_bytes + zip::end64_bytes) {
      std::array<std::byte, zip::locator64_bytes> locator;
      source_.read(at - zip::locator64_bytes, locator.data(), zip::locator64_bytes);
      if (number_at<4>(locator.data(), 0) == zip::locator64)
        return read_end64(locator.data(), static_cast<std::uint64_t>(at - zip::locator64_bytes),
                          entries, size, offset);
    }
    if (entries == zip::wide16 || size == zip::wide32 || offset == zip::wide32)
      refuse("the ZIP64 end record is missing");
    take_directory(entries, size, offset);
  }

  void read_end64(std::byte const* locator, std::uint64_t at, std::uint64_t entries,
                  std::uint64_t size, std::uint64_t offset) {
    directory_end_ = number_at<8>(locator, 8);
    if (number_at<4>(locator, 4) != 0 || number_at<4>(locator, 16) > 1)
      refuse("an archive of several disks");
    if (directory_end_ > at - zip::end64_bytes) refuse("the ZIP64 end record is outside the file");
    std::array<std::byte, zip::end64_bytes> record;
    source_.read(static_cast<index_t>(directory_end_), record.data(), zip::end64_bytes);
    auto const* const r = record.data();
    if (number_at<4>(r, 0) != zip::end64 || number_at<8>(r, 4) != at - directory_end_ - 12)
      refuse("the ZIP64 end record is malformed");
    auto const entries64 = number_at<8>(r, 32), size64 = number_at<8>(r, 40),
               offset64 = number_at<8>(r, 48);
    if (number_at<4>(r, 16) != 0 || number_at<4>(r, 20) != 0 || number_at<8>(r, 24) != entries64)
      refuse("an archive of several disks");
    // One archive must not read differently by the two records.
    if ((entries != zip::wide16 && entries != entries64) ||
        (size != zip::wide32 && size != size64) || (offset != zip::wide32 && offset != offset64))
      refuse("the end record and the ZIP64 end record differ");
    take_directory(entries64, size64, offset64);
  }

  void take_directory(std::uint64_t entries, std::uint64_t size, std::uint64_t offset) {
    if (offset > directory_end_ || size != directory_end_ - offset)
      refuse(fixed_text{} << "the directory of " << size << " bytes at " << offset
                          << " does not end at its end record, at " << directory_end_);
    if (entries > size / zip::central_bytes)
      refuse(fixed_text{} << entries << " members in a directory of " << size << " bytes");
    directory_ = allocate(size);
    source_.read(static_cast<index_t>(offset), directory_.data(), directory_.bytes());
    directory_begin_ = offset;
    members_.reserve(static_cast<std::size_t>(entries));
    entries_ = entries;
  }

  void read_directory() {
    auto const size = static_cast<std::uint64_t>(directory_.bytes());
    std::uint64_t at = 0;
    for (std::uint64_t k = 0; k < entries_; ++k) {
      if (size - at < zip::central_bytes) refuse("the directory ends inside a record");
      auto const* const r = directory() + at;
      if (number_at<4>(r, 0) != zip::central)
        refuse("a record of the directory has the wrong signature");
      auto const name = number_at<2>(r, 28), extra = number_at<2>(r, 30),
                 comment = number_at<2>(r, 32);
      at += zip::central_bytes;
      if (size - at < name + extra + comment) refuse("the directory ends inside a name");
      zip_member m{};
      m.name = {reinterpret_cast<char const*>(r + zip::central_bytes),
                static_cast<std::size_t>(name)};
      m.flags = static_cast<int>(number_at<2>(r, 8));
      m.method = static_cast<int>(number_at<2>(r, 10));
      m.crc = static_cast<std::uint32_t>(number_at<4>(r, 16));
      m.packed = number_at<4>(r, 20);
      m.size = number_at<4>(r, 24);
      m.offset = number_at<4>(r, 42);
      if (number_at<2>(r, 34) != 0) refuse(m, "is on another disk");
      widen(m, {r + zip::central_bytes + name, static_cast<std::size_t>(extra)});
      members_.push_back(m);
      at += name + extra + comment;
    }
    if (at != size) refuse(fixed_text{} << size - at << " bytes of the directory are left over");
  }

  /// Numbers that do not fit 32 bits stand in an extra field, in this order.
  void widen(zip_member& m, std::span<std::byte const> extra) const {
    std::uint64_t* wide[3]{};
    std::size_t count = 0;
    for (auto* number : {&m.size, &m.packed, &m.offset})
      if (*number == zip::wide32) wide[count++] = number;
    while (count > 0) {
      if (extra.size() < 4) refuse(m, "the ZIP64 sizes are missing");
      auto const id = number_at<2>(extra.data(), 0), length = number_at<2>(extra.data(), 2);
      extra = extra.subspan(4);
      if (length > extra.size()) refuse(m, "an extra field is cut off");
      if (id == zip::extra64) {
        if (length < 8 * count) refuse(m, "the ZIP64 sizes are cut off");
        for (std::size_t k = 0; k < count; ++k) *wide[k] = number_at<8>(extra.data() + 8 * k, 0);
        return;
      }
      extra = extra.subspan(length);
    }
  }

  void check_members() {
    std::sort(members_.begin(), members_.end(),
              [](auto const& a, auto const& b) { return a.offset < b.offset; });
    for (std::size_t k = 0; k < members_.size(); ++k) {
      auto const next = k + 1 < members_.size() ? members_[k + 1].offset : directory_begin_;
      if (members_[k].offset >= next) refuse(members_[k], "overlaps with what follows");
      members_[k].room = next - members_[k].offset;
    }
    std::vector<std::string_view> names;
    names.reserve(members_.size());
    for (auto const& m : members_) names.push_back(m.name);
    std::sort(names.begin(), names.end());
    auto const twin = std::adjacent_find(names.begin(), names.end());
    if (twin != names.end())
      refuse(fixed_text{} << "member " << quoted(twin->data(), twin->size()) << " occurs twice");
  }

  /// Where a member's bytes begin; all of them are in its room.
  std::uint64_t find_data(zip_member const& m) const {
    constexpr int encrypted = 1 << 0, patched = 1 << 5, strongly_encrypted = 1 << 6,
                  masked = 1 << 13;
    if (m.flags & (encrypted | patched | strongly_encrypted | masked)) refuse(m, "is encrypted");
    if (m.room < zip::local_bytes + m.name.size()) refuse(m, "overlaps with what follows");
    auto const size = zip::local_bytes + static_cast<index_t>(m.name.size());
    auto const header = storage::allocate(size);
    source_.read(static_cast<index_t>(m.offset), header.data(), size);
    auto const* const r = static_cast<std::byte const*>(header.data());
    if (number_at<4>(r, 0) != zip::local) refuse(m, "the local header has the wrong signature");
    auto const name = number_at<2>(r, 26), extra = number_at<2>(r, 28);
    if (number_at<2>(r, 8) != static_cast<std::uint64_t>(m.method) || name != m.name.size() ||
        m.name !=
            std::string_view(reinterpret_cast<char const*>(r + zip::local_bytes), m.name.size()))
      refuse(m, "local header and directory differ");
    auto const before = zip::local_bytes + name + extra;
    if (before > m.room || m.packed > m.room - before) refuse(m, "overlaps with what follows");
    return m.offset + before;
  }

  storage inflated(zip_member const& m, storage const& packed) const {
    if (m.size / most_inflated_bytes > m.packed) refuse(m, "cannot be that large");
    auto bytes = allocate(m.size);
    if (!inflate_exactly(packed.data(), static_cast<std::size_t>(m.packed), bytes.data(),
                         static_cast<std::size_t>(m.size)))
      refuse(m, fixed_text{} << "the deflated data are not exactly " << m.size << " bytes");
    return bytes;
  }

  Source const& source_;
  char const* name_;
  std::uint64_t directory_begin_ = 0, directory_end_ = 0, entries_ = 0;
  storage directory_;
  std::vector<zip_member> members_;
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
