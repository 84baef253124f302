// guardjit: interop/zip_writer.hpp: ZIP archives of stored members
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_INTEROP_ZIP_WRITER_HPP
#define GUARDJIT_INTEROP_ZIP_WRITER_HPP

#include <guardjit/interop/zip_records.hpp>

#include <string>
#include <string_view>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Appends little-endian fields to a record.
class zip_record {
 public:
  template <int Bytes> zip_record& put(std::uint64_t number) {
    for (int k = 0; k < Bytes; ++k) bytes_ += static_cast<char>(number >> (8 * k) & 0xff);
    return *this;
  }
  zip_record& put(std::string_view text) { return bytes_ += text, *this; }
  std::string const& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// Writes members one after the other, then the directory: equal members give equal bytes. Numbers from
/// `zip64_from` on are written in the ZIP64 form.
/// Lifetime: the sink, which has `write(data, bytes)`, is the caller's.
template <class Sink> class zip_writer {
 public:
  explicit zip_writer(Sink& sink, std::uint64_t zip64_from = zip::wide32)
      : sink_(sink), zip64_from_(zip64_from) {}

  /// Writes the header of a member, whose `size` bytes with the checksum `crc` the caller writes next.
  /// Precondition: names differ and have at most 65 535 bytes.
  void begin_member(std::string_view name, std::uint64_t size, std::uint32_t crc) {
    bool const wide = size >= zip64_from_ || at_ >= zip64_from_;
    zip_record local;
    local.put<4>(zip::local);
    put_common(local, name, size, crc, wide);
    local.put<2>(wide ? 20 : 0).put(name);
    if (wide) local.put<2>(zip::extra64).put<2>(16).put<8>(size).put<8>(size);

    directory_.put<4>(zip::central).put<2>(version(wide));
    put_common(directory_, name, size, crc, wide);
    directory_.put<2>(wide ? 28 : 0).put<2>(0).put<2>(0).put<2>(0).put<4>(0);
    directory_.put<4>(wide ? zip::wide32 : at_).put(name);
    if (wide) directory_.put<2>(zip::extra64).put<2>(24).put<8>(size).put<8>(size).put<8>(at_);
    write(local);
    at_ += size;
    ++members_;
  }

  /// Writes the directory.
  void finish() {
    std::uint64_t const begin = at_, size = directory_.bytes().size();
    write(directory_);
    zip_record end;
    if (members_ >= zip::wide16 || size >= zip64_from_ || begin >= zip64_from_) {
      end.put<4>(zip::end64)
          .put<8>(zip::end64_bytes - 12)
          .put<2>(version(true))
          .put<2>(version(true));
      end.put<4>(0).put<4>(0).put<8>(members_).put<8>(members_).put<8>(size).put<8>(begin);
      end.put<4>(zip::locator64).put<4>(0).put<8>(at_).put<4>(1);
    }
    std::uint64_t const narrow_count = members_ >= zip::wide16 ? zip::wide16 : members_,
                        narrow_size = size >= zip64_from_ ? zip::wide32 : size,
                        narrow_begin = begin >= zip64_from_ ? zip::wide32 : begin;
    end.put<4>(zip::end).put<2>(0).put<2>(0).put<2>(narrow_count).put<2>(narrow_count);
    end.put<4>(narrow_size).put<4>(narrow_begin).put<2>(0);
    write(end);
  }

 private:
  /// Of the format that a reader must know.
  static std::uint64_t version(bool wide) { return wide ? 45 : 20; }

  /// What local header and directory share, up to the length of the name.
  void put_common(zip_record& record, std::string_view name, std::uint64_t size, std::uint32_t crc,
                  bool wide) const {
    constexpr std::uint64_t utf8 = 1 << 11, midnight = 0, first_of_1980 = 0x21;
    bool ascii = true;
    for (char c : name) ascii = ascii && static_cast<unsigned char>(c) < 0x80;
    record.put<2>(version(wide)).put<2>(ascii ? 0 : utf8).put<2>(zip::stored);
    record.put<2>(midnight).put<2>(first_of_1980).put<4>(crc);
    record.put<4>(wide ? zip::wide32 : size).put<4>(wide ? zip::wide32 : size).put<2>(name.size());
  }
  void write(zip_record const& record) {
    sink_.write(record.bytes().data(), record.bytes().size());
    at_ += record.bytes().size();
  }

  Sink& sink_;
  std::uint64_t zip64_from_;
  std::uint64_t at_ = 0, members_ = 0;
  zip_record directory_;
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
