// guardjit: tests/interop/npy.cpp: npy files, good and hostile
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/interop/npy.hpp>

#include <doctest/doctest.h>
#include <tensor/thrown.hpp>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace gj = guardjit;
using gj::dtype, gj::dyn, gj::tensor;
using tests::contains, tests::thrown;
using namespace std::string_literals;

namespace {

std::string file_of(std::string const& text, std::string const& data = {}, char version = 1) {
  std::string file = "\x93NUMPY"s + version + '\0';
  auto const length = text.size();
  for (int k = 0; k < (version == 1 ? 2 : 4); ++k)
    file += static_cast<char>(length >> (8 * k) & 0xff);
  return file + text + data;
}

std::string header(std::string const& descr, std::string const& order, std::string const& shape) {
  return "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}

std::string header(std::string const& shape) { return header("'|u1'", "False", shape); }

gj::any_tensor parse(std::string const& file) {
  return gj::parse_npy(std::as_bytes(std::span(file)));
}

template <class Error = gj::format_error> std::string refusal(std::string const& file) {
  return thrown<Error>([&] { parse(file); });
}

template <class T> std::string bytes_of(std::initializer_list<T> values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  std::memcpy(bytes.data(), values.begin(), bytes.size());
  return bytes;
}

/// Where the digits lie, from the build folder or from the top.
std::string digits(std::string const& name) {
  std::string const file = __FILE__;
  auto const top = file.substr(0, file.rfind("tests/interop/"));
  auto const path = top + "examples/data/digits/" + name + ".npy";
  std::FILE* const found = std::fopen(path.c_str(), "rb");
  if (!found) return "examples/data/digits/" + name + ".npy";
  std::fclose(found);
  return path;
}

/// A path for one file, removed at the end of the scope.
struct temporary_file {
  std::string path;
  explicit temporary_file(std::string const& content = {}) {
    static int made = 0;
    path = "test_" + std::to_string(++made) + ".npy";
    std::FILE* const file = std::fopen(path.c_str(), "wb");
    REQUIRE(file);
    REQUIRE(std::fwrite(content.data(), 1, content.size(), file) == content.size());
    std::fclose(file);
  }
  temporary_file(temporary_file const&) = delete;
  ~temporary_file() { std::remove(path.c_str()); }
};

std::string content_of(std::string const& path) {
  std::string content;
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  REQUIRE(file);
  for (int c; (c = std::fgetc(file)) != EOF;) content += static_cast<char>(c);
  std::fclose(file);
  return content;
}

}  // namespace

TEST_CASE("npy: the digits and the network's weights") {
  auto const images = gj::load_npy(digits("images_u8").c_str()).as<std::uint8_t, 450, 64>();
  CHECK(images(0, 0) == 0);
  CHECK(images(0, 2) == 15);
  CHECK(images(0, 3) == 13);
  auto const labels = gj::load_npy(digits("labels").c_str()).as<std::int64_t, dyn>();
  CHECK(labels.size() == 450);
  CHECK(labels(0) == 2);
  CHECK(labels(3) == 9);
  auto const w1 = gj::load_npy(digits("w1").c_str()).as<float, 64, 128>();
  CHECK(w1(0, 0) == doctest::Approx(-0.198367059));
  CHECK(gj::load_npy(digits("b1").c_str()).as<float, 128>()(0) == doctest::Approx(0.0457381308));
  CHECK(gj::load_npy(digits("w2").c_str()).shape() == gj::shape{128, 64});
  CHECK(gj::load_npy(digits("b2").c_str()).shape() == gj::shape{64});
  CHECK(gj::load_npy(digits("w3").c_str()).shape() == gj::shape{64, 10});
  CHECK(gj::load_npy(digits("b3").c_str()).shape() == gj::shape{10});
  auto const logits = gj::load_npy(digits("expected_logits_f64").c_str()).as<double, 450, 10>();
  CHECK(logits(0, 2) == doctest::Approx(17.747101474439535));
  CHECK(logits.storage().unique());
}

TEST_CASE("npy: each dtype, rank, order and version") {
  CHECK(
      parse(file_of(header("'<f4'", "False", "(2,)"), bytes_of({1.5f, -2.0f}))).as<float, 2>()(1) ==
      -2);
  CHECK(parse(file_of(header("'<f8'", "False", "()"), bytes_of({2.5}))).as<double>().item() == 2.5);
  CHECK(parse(file_of(header("'<i8'", "False", "(1, 1)"), bytes_of<std::int64_t>({-7}), 2))
            .item<std::int64_t>() == -7);
  CHECK(parse(file_of(header("'<i4'", "False", "(2,)"), bytes_of<std::int32_t>({-7, 70000}))).as<std::int32_t, 2>()(1) ==
        70000);
  CHECK(parse(file_of(header("'=f4'", "False", "(1,)"), bytes_of({3.0f}), 3)).item<float>() == 3);
  CHECK(parse(file_of(header("(3, 1, 2)"), "abcdef")).as<std::uint8_t, 3, 1, 2>()(2, 0, 1) == 'f');
  CHECK(parse(file_of(header("(3, 0)"))).shape() == gj::shape{3, 0});
  CHECK(parse(file_of(header("(1, 1, 1, 1, 1, 1, 1, 2)"), "ab")).rank() == 8);

  // Any byte but 0 is true, and becomes 1.
  auto const flags = parse(file_of(header("'|b1'", "False", "(3,)"), "\0\1\x80"s)).as<bool, 3>();
  CHECK_FALSE(flags(0));
  CHECK(flags(2));
  unsigned char raw = 0;
  std::memcpy(&raw, flags.data() + 2, 1);
  CHECK(raw == 1);

  auto const columns = parse(file_of(header("'|u1'", "True", "(2, 3)"), "abcdef"));
  CHECK(columns.stride(0) == 1);
  CHECK(columns.stride(1) == 2);
  auto const c = columns.as<std::uint8_t, 2, 3>();
  CHECK(c(0, 1) == 'c');
  CHECK(c(1, 2) == 'f');
  CHECK(parse(file_of(header("'|u1'", "True", "(4, 0)"))).is_contiguous());
}

TEST_CASE("ART-102: the header is read with and without blanks, in any order of keys") {
  for (char const* text : {
           "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n",
           "{'descr':'<f4','fortran_order':False,'shape':(2,3)}\n",
           "{ 'shape' : ( 2 , 3 , ) , 'fortran_order' : False , 'descr' : '<f4' , }      \n",
           "{\"descr\": \"<f4\", \"fortran_order\": False, \"shape\": (2, 3)}\n",
       }) {
    auto const x = parse(file_of(text, bytes_of({0.f, 1.f, 2.f, 3.f, 4.f, 5.f}))).as<float, 2, 3>();
    CHECK(x(1, 1) == 4);
  }
}

TEST_CASE("ART-103: big-endian numbers are swapped") {
  CHECK(parse(file_of(header("'>f8'", "False", "(1,)"), "\x40\x04\0\0\0\0\0\0"s)).item<double>() ==
        2.5);
  CHECK(parse(file_of(header("'>f4'", "False", "(2,)"), "\x3f\x80\0\0\xc0\0\0\0"s))
            .as<float, 2>()(1) == -2);
  CHECK(parse(file_of(header("'>i8'", "False", "()"), "\0\0\0\0\0\0\1\2"s)).item<std::int64_t>() ==
        258);
}

TEST_CASE("ART-104: a file of f8 asked for as f32 names both") {
  auto const a = parse(file_of(header("'<f8'", "False", "(1,)"), bytes_of({1.0})));
  CHECK(contains(thrown<gj::dtype_error>([&] { a.as<float, dyn>(); }), "dtype f64, expected f32"));
}

TEST_CASE("ART-105: wrong header lengths are refused") {
  auto const good = header("(2,)");
  auto longer = file_of(good, "ab");
  longer[8] = 'x';
  CHECK(contains(refusal(longer), "bytes follow"));
  CHECK(contains(refusal(file_of("", "ab")), "expected '{'"));
  CHECK(contains(
      refusal(file_of(
          good.substr(0, good.size() - 1) + std::string(10'001 - good.size(), ' ') + '\n', "ab")),
      "header length 10001, expected at most 10000"));
  CHECK(contains(refusal(file_of(good.substr(0, good.size() - 1), "ab")), "newline"));
  CHECK(contains(refusal("\x93NUMPY\2\0\xff\xff\xff\xff"s), "header length 4294967295"));
  CHECK(contains(refusal("\x93NUMPY\2\0\1\0"s), "header length"));
  // The longest header that is allowed.
  CHECK(
      parse(file_of(good.substr(0, good.size() - 1) + std::string(10'000 - good.size(), ' ') + '\n',
                    "ab"))
          .size() == 2);
}

TEST_CASE("ART-106: keys, shapes and descr outside the grammar are refused by name") {
  CHECK(contains(refusal(file_of("{'descr': '|u1', 'fortran_order': False}\n")),
                 "'shape' is missing"));
  CHECK(contains(refusal(file_of("{}\n")), "'descr' is missing"));
  CHECK(
      contains(refusal(file_of(
                   "{'descr': '|u1', 'descr': '|u1', 'fortran_order': False, 'shape': ()}\n", "a")),
               "'descr' occurs twice"));
  CHECK(contains(
      refusal(file_of("{'descr': '|u1', 'fortran_order': False, 'shape': (), 'x': 1}\n", "a")),
      "unknown key"));
  CHECK(contains(refusal(file_of("{'shapes': ()}\n")), "unknown key"));
  for (char const* shape :
       {"(-1,)", "(True,)", "(1.0,)", "(1<<9,)", "(1)", "1", "[1]", "(1 1)", "(1,,)", "(,)", "(1,",
        "(99999999999999999999,)", "(9223372036854775808,)", "(1,1,1,1,1,1,1,1,1)",
        "(4294967296, 4294967296)", "(9223372036854775807, 9223372036854775807, 0)"})
    CHECK_MESSAGE(contains(refusal(file_of(header(shape), "a")), "'shape'"), shape);
  for (char const* descr : {"'O'", "'|O'", "[('a', '<f4')]", "'<f2'", "'<u4'", "'<c8'", "'|f4'",
                            "'<b1'", "'f4'", "'<f4 '", "''", "'<U4'", "None", "'<f4"}) {
    auto const text = refusal<gj::dtype_error>(file_of(header(descr, "False", "(1,)"), "abcd"));
    CHECK_MESSAGE(contains(text, "key 'descr'"), descr);
    CHECK_MESSAGE(contains(text, "expected '|b1', '|u1', '<i4', '<i8', '<f4' or '<f8'"), descr);
  }
  CHECK(contains(refusal<gj::dtype_error>(file_of(header("'<c16'", "False", "(1,)"))),
                 "'<c16' is not supported"));
  for (char const* order : {"0", "true", "None", "'False'"})
    CHECK_MESSAGE(contains(refusal(file_of(header("'|u1'", order, "(1,)"), "a")), "fortran_order"),
                  order);
}

TEST_CASE("ART-107: data one byte short or long is refused with both sizes") {
  auto const text = header("'<f4'", "False", "(2,)");
  CHECK(contains(refusal(file_of(text, "1234567")),
                 "7 bytes of data, expected 8 for shape (2) of f32"));
  CHECK(contains(refusal(file_of(text, "123456789")), "9 bytes of data, expected 8"));
  CHECK(contains(refusal(file_of(header("(1000000000000000,)"), "a")),
                 "1 bytes of data, expected 1000000000000000"));
  temporary_file const shorter(file_of(text, "1234567"));
  CHECK(contains(thrown<gj::format_error>([&] { gj::load_npy(shorter.path.c_str()); }),
                 shorter.path.c_str()));
}

TEST_CASE("npy: what is no npy file is refused") {
  CHECK(contains(refusal(""), "wrong magic"));
  CHECK(contains(refusal("PK\3\4 a zip file"), "wrong magic"));
  CHECK(contains(refusal("\x93NUMPY\1"), "wrong magic"));
  CHECK(
      contains(refusal(file_of(header("(1,)"), "a", 4)), "version 4.0, expected 1.0, 2.0 or 3.0"));
  CHECK(contains(refusal(file_of("x")), "expected '{'"));
  CHECK(contains(refusal(file_of(header("(1,)") + "x\n", "a")), "newline"));
  CHECK(contains(thrown<gj::format_error>([] { gj::load_npy("no/such/file.npy"); }),
                 "no/such/file.npy"));
  CHECK_THROWS_AS(gj::load_npy("."), gj::format_error);
}

TEST_CASE("npy: every cut and every changed byte of a file is read or refused, nothing else") {
  auto const good = file_of(header("'<f4'", "False", "(2, 1)"), "12345678");
  int refused = 0;
  auto const attempt = [&](std::string const& file) {
    try {
      auto const x = parse(file);
      CHECK(x.size() * gj::size_of(x.type()) == 8);
    } catch (gj::error const&) {
      ++refused;
    }
  };
  for (std::size_t size = 0; size < good.size(); ++size) attempt(good.substr(0, size));
  CHECK(refused == static_cast<int>(good.size()));
  for (std::size_t k = 0; k < good.size() - 8; ++k)
    for (int c = 0; c < 256; ++c) {
      auto file = good;
      file[k] = static_cast<char>(c);
      attempt(file);
    }
  CHECK(refused > 10'000);
}

TEST_CASE("npy: saved files are what NumPy writes, and come back") {
  for (char const* name : {"images_u8", "labels", "w3", "expected_logits_f64"}) {
    temporary_file const copy;
    gj::save_npy(copy.path.c_str(), gj::load_npy(digits(name).c_str()));
    CHECK(content_of(copy.path) == content_of(digits(name)));
  }
  temporary_file const file;
  auto const round_trip = [&](gj::any_tensor const& x) {
    gj::save_npy(file.path.c_str(), x);
    CHECK(content_of(file.path).find('\n') % 64 == 63);
    auto const y = gj::load_npy(file.path.c_str());
    CHECK(y.type() == x.type());
    CHECK(y.shape() == x.shape());
    return y;
  };
  CHECK(round_trip(tensor<double>{2.5}).item<double>() == 2.5);
  CHECK(round_trip(tensor<bool, dyn>{true, false}).as<bool, 2>()(0));
  CHECK(round_trip(tensor<float, 3, 0>{}).size() == 0);
  auto const columns = parse(file_of(header("'|u1'", "True", "(2, 3)"), "abcdef"));
  CHECK(round_trip(columns).as<std::uint8_t, 2, 3>()(0, 1) == 'c');
  CHECK(contains(
      thrown<gj::format_error>([] { gj::save_npy("no/such/folder/x.npy", tensor<float>{1}); }),
      "cannot be written"));
}
