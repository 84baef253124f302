// guardjit: interop/file.hpp: files that are read by offset, and files that appear whole or not at all
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_INTEROP_FILE_HPP
#define GUARDJIT_INTEROP_FILE_HPP

#include <guardjit/interop/byte_source.hpp>

#include <fcntl.h>     // open, which must not block
#include <sys/stat.h>  // whether a path is a regular file
#include <unistd.h>    // reading by offset, fsync

#include <cerrno>
#include <cstdio>   // rename
#include <cstring>  // the system's messages
#include <string>   // the name of the temporary file
#include <utility>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_file(char const* path, char const* why,
                                                               int code = 0) {
  fixed_text text;
  text << "guardjit: " << path << ": " << why;
  if (code != 0) text << ": " << std::strerror(code);
  raise<format_error>(text);
}

/// A descriptor that is closed at the end of its scope.
class file_descriptor {
 public:
  explicit file_descriptor(int number) : number_(number) {}
  file_descriptor(file_descriptor const&) = delete;
  ~file_descriptor() { close(); }
  int get() const { return number_; }
  /// 0, or −1 and `errno`; closed is closed in either case.
  int close() { return number_ < 0 ? 0 : ::close(std::exchange(number_, -1)); }

 private:
  int number_;
};

/// A regular file. Opening never blocks: a FIFO or a device is refused.
/// Throws: `format_error` with path and the system's message, also where the file shrinks later.
class input_file {
 public:
  explicit input_file(char const* path)
      : path_(path), file_(::open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {
    if (file_.get() < 0) refuse_file(path, "the file cannot be opened", errno);
    struct stat found {};
    if (::fstat(file_.get(), &found) != 0) refuse_file(path, "the file has no size", errno);
    if (!S_ISREG(found.st_mode)) refuse_file(path, "is no regular file");
    size_ = found.st_size;
  }

  index_t size() const { return size_; }
  void read(index_t offset, void* to, index_t count) const {
    auto* out = static_cast<std::byte*>(to);
    while (count > 0) {
      auto const got = ::pread(file_.get(), out, static_cast<std::size_t>(count), offset);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) refuse_file(path_, "the file cannot be read", errno);
      if (got == 0) refuse_file(path_, "the file became shorter while it was read");
      out += got;
      offset += got;
      count -= got;
    }
  }

 private:
  char const* path_;
  file_descriptor file_;
  index_t size_ = 0;
};
static_assert(byte_source<input_file>);

/// A file that is written beside its place and put there by `commit`, so that readers see the old one
/// or the new one, whole. Without `commit` nothing is left.
/// Throws: `format_error` with path and the system's message.
class output_file {
 public:
  explicit output_file(char const* path) : path_(path), file_(open_beside()) {
    if (file_.get() < 0) refuse(errno);
  }
  output_file(output_file const&) = delete;
  ~output_file() {
    if (!committed_ && file_.get() >= 0) ::unlink(temporary_.c_str());
  }

  void write(void const* from, std::size_t count) {
    auto const* at = static_cast<std::byte const*>(from);
    while (count > 0) {
      auto const put = ::write(file_.get(), at, count);
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) refuse(errno);
      at += put;
      count -= static_cast<std::size_t>(put);
    }
  }
  void commit() {
    // What cannot be stored is an error here, not a short file after a crash.
    if (::fsync(file_.get()) != 0 || std::rename(temporary_.c_str(), path_) != 0) refuse(errno);
    committed_ = true;
  }

 private:
  [[noreturn]] void refuse(int code) const {
    refuse_file(path_, "the file cannot be written", code);
  }

  /// A new file beside the path. A crash may have left one of the same name; the next is tried then.
  int open_beside() {
    for (int number = 0;; ++number) {
      temporary_ = path_;
      temporary_ += "." + std::to_string(::getpid()) + "." + std::to_string(number) + ".tmp";
      int const file = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (file >= 0 || errno != EEXIST) return file;
    }
  }

  char const* path_;
  std::string temporary_;
  file_descriptor file_;
  bool committed_ = false;
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
