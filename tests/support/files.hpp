// guardjit: tests/support/files.hpp: bytes of files made by hand, files for one scope, Python beside us
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_SUPPORT_FILES_HPP
#define GUARDJIT_TESTS_SUPPORT_FILES_HPP

#include <guardjit/interop/npy.hpp>

#include <doctest/doctest.h>
#include <support/thrown.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <initializer_list>
#include <string>

namespace support {

/// A npy file of a header's text and data.
inline std::string npy_file(std::string const& text, std::string const& data = {},
                            char version = 1) {
  std::string file = std::string("\x93NUMPY") + version + '\0';
  auto const length = text.size();
  for (int k = 0; k < (version == 1 ? 2 : 4); ++k)
    file += static_cast<char>(length >> (8 * k) & 0xff);
  return file + text + data;
}

inline std::string npy_header(std::string const& descr, std::string const& order,
                              std::string const& shape) {
  return "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}
/// Of u8.
inline std::string npy_header(std::string const& shape) {
  return npy_header("'|u1'", "False", shape);
}

inline guardjit::any_tensor parse(std::string const& file) {
  return guardjit::parse_npy(std::as_bytes(std::span(file)));
}

/// The text of the error that `parse` throws.
template <class Error = guardjit::format_error> std::string refusal(std::string const& file) {
  return support::thrown<Error>([&] { parse(file); });
}

template <class T> std::string bytes_of(std::initializer_list<T> values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  std::memcpy(bytes.data(), values.begin(), bytes.size());
  return bytes;
}

/// A file of the project, from the build folder or from the top.
inline std::string project_file(std::string const& name) {
  std::string const here = __FILE__;
  auto const path = here.substr(0, here.rfind("tests/support/")) + name;
  return std::filesystem::exists(path) ? path : name;
}

/// Where the digits lie.
inline std::string digits(std::string const& name) {
  return project_file("examples/data/digits/" + name + ".npy");
}

inline std::string content_of(std::string const& path) {
  std::string content;
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  REQUIRE(file);
  for (int c; (c = std::fgetc(file)) != EOF;) content += static_cast<char>(c);
  std::fclose(file);
  return content;
}

inline void write_content(std::string const& path, std::string const& content) {
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  REQUIRE(file);
  REQUIRE(std::fwrite(content.data(), 1, content.size(), file) == content.size());
  std::fclose(file);
}

/// A folder of its own, removed with all in it at the end of the scope.
class temporary_folder {
 public:
  temporary_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "guardjit_XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()));
    path_ = name;
  }
  temporary_folder(temporary_folder const&) = delete;
  ~temporary_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  std::string const& path() const { return path_; }
  std::string operator/(std::string const& name) const { return path_ + "/" + name; }
  int files() const {
    int count = 0;
    for (auto const& entry : std::filesystem::directory_iterator(path_)) count += entry.exists();
    return count;
  }

 private:
  std::string path_;
};

/// `python3` or Debian's own, whichever has NumPy; empty and a printed reason where none has.
inline std::string const& python_with_numpy() {
  static std::string const found = [] {
    for (char const* name : {"python3", "/usr/bin/python3"})
      if (std::system((std::string(name) + " -c 'import numpy' >/dev/null 2>&1").c_str()) == 0)
        return std::string(name);
    std::puts("skipped: what needs NumPy; no python3 here has it (Debian: python3-numpy)");
    return std::string();
  }();
  return found;
}

/// What NumPy does in the tests of files.
inline constexpr char const* numpy_side = "tests/conformance/artifacts/numpy_side.py";

/// Whether a script of the project, run by `python_with_numpy`, ends well.
inline bool run_numpy(std::string const& script, std::string const& arguments) {
  return std::system(
             (python_with_numpy() + " " + project_file(script) + " " + arguments).c_str()) == 0;
}

}  // namespace support

#endif
