// guardjit: interop/inflate.hpp: deflated bytes made whole by zlib, where GUARDJIT_HAS_ZLIB says so
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_INTEROP_INFLATE_HPP
#define GUARDJIT_INTEROP_INFLATE_HPP

#include <guardjit/base/config.hpp>

#if GUARDJIT_HAS_ZLIB
#include <zlib.h>  // inflate
#endif

#include <cstddef>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// No deflated byte stands for more bytes than these: 258 in two bits.
inline constexpr std::size_t most_inflated_bytes = 1032;

inline constexpr bool can_inflate = GUARDJIT_HAS_ZLIB;

#if GUARDJIT_HAS_ZLIB
/// Whether `packed` bytes of deflated data are exactly `size` bytes, which are written to `to`.
inline bool inflate_exactly(void const* from, std::size_t packed, void* to, std::size_t size) {
  struct stream_scope {
    ::z_stream stream{};
    ~stream_scope() { ::inflateEnd(&stream); }
  } scope;
  ::z_stream& stream = scope.stream;
  constexpr int raw = -15;  // without zlib's own header
  if (::inflateInit2(&stream, raw) != Z_OK) return false;
  // zlib counts in 32 bits. One byte of room is left over so that data that goes on is seen.
  constexpr std::size_t most = 1u << 30;
  unsigned char beyond = 0;
  auto const* in = static_cast<unsigned char const*>(from);
  auto* out = static_cast<unsigned char*>(to);
  std::size_t in_left = packed, out_left = size;
  for (;;) {
    auto const in_now = in_left < most ? in_left : most,
               out_now = out_left < most ? out_left : most;
    stream.next_in = const_cast<unsigned char*>(in);
    stream.avail_in = static_cast<uInt>(in_now);
    stream.next_out = out_now > 0 ? out : &beyond;
    stream.avail_out = out_now > 0 ? static_cast<uInt>(out_now) : 1;
    int const status = ::inflate(&stream, Z_NO_FLUSH);
    auto const read = in_now - stream.avail_in;
    auto const written =
        out_now > 0 ? out_now - stream.avail_out : std::size_t{1} - stream.avail_out;
    if (written > out_left) return false;
    in += read;
    in_left -= read;
    out += written;
    out_left -= written;
    if (status == Z_STREAM_END) return in_left == 0 && out_left == 0;
    if (status != Z_OK || (read == 0 && written == 0)) return false;
  }
}
#else
inline bool inflate_exactly(void const*, std::size_t, void*, std::size_t) { return false; }
#endif

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
