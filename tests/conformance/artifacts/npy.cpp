// guardjit: tests/conformance/artifacts/npy.cpp: npy files, good and hostile, with NumPy as the other side
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/interop/npy.hpp>

#include <doctest/doctest.h>
#include <support/files.hpp>

#include <string>

namespace gj = guardjit;
using gj::dyn;
using support::contains, support::thrown;
using namespace support;
using namespace std::string_literals;

namespace {

std::string descr_of(gj::dtype type) {
  gj::fixed_text text;
  gj::detail::append_descr(text, type);
  return text.c_str();
}

/// `'|b1' '|u1' …`, quoted for a shell as it stands.
std::string all_descrs() {
  std::string list;
  for (int k = 0; k < gj::dtype_count; ++k) list += " " + descr_of(static_cast<gj::dtype>(k));
  return list;
}

/// The elements that the script gives these files: 1.5, 2.5, … as the dtype takes them.
template <class T> bool holds_elements(gj::any_tensor const& x) {
  gj::any_tensor const dense = x.clone();
  for (gj::index_t k = 0; k < x.size(); ++k) {
    T const expected = std::is_same_v<T, bool> ? static_cast<T>(k % 2 == 0)
                                               : static_cast<T>(static_cast<double>(k) + 1.5);
    if (dense.data_as<T>()[k] != expected) return false;
  }
  return true;
}

template <class T> gj::any_tensor elements(gj::shape const& extents) {
  gj::any_tensor x(gj::dtype_v<T>, extents);
  for (gj::index_t k = 0; k < x.size(); ++k)
    x.data_as<T>()[k] = std::is_same_v<T, bool> ? static_cast<T>(k % 2 == 0)
                                                : static_cast<T>(static_cast<double>(k) + 1.5);
  return x;
}

/// The same elements, with the first index running fastest.
gj::any_tensor in_fortran_order(gj::any_tensor const& x) {
  auto const l = gj::detail::column_major_layout(x.shape());
  auto owner = gj::storage::allocate(x.size() * gj::size_of(x.type()));
  void* const data = owner.data();
  gj::copy_elements(gj::size_of(x.type()), l.view(), data, x.layout().view(), x.data());
  return gj::any_tensor::adopt(std::move(owner), data, x.type(), l);
}

/// Every dtype, shape and order of the script, with the name of its file.
void for_each_file(auto const& visit) {
  struct {
    char const* name;
    gj::shape extents;
  } const shapes[] = {{"scalar", {}},       {"1", {1}}, {"3", {3}},
                      {"2x3x4", {2, 3, 4}}, {"0", {0}}, {"2x0x3", {2, 0, 3}}};
  gj::for_each_type(gj::element_types{}, [&]<class T>(std::type_identity<T> type) {
    for (auto const& [name, extents] : shapes)
      for (bool fortran : {false, true})
        visit(type,
              descr_of(gj::dtype_v<T>).substr(2, 2) + "_" + name + (fortran ? "_F.npy" : "_C.npy"),
              extents, fortran);
  });
}

}  // namespace

TEST_CASE("ART-101: files by NumPy of each dtype, order and rank") {
  CHECK(parse(npy_file(npy_header("'<f8'", "False", "()"), bytes_of({2.5}))).as<double>().item() ==
        2.5);
  CHECK(parse(npy_file(npy_header("(3, 0)"))).shape() == gj::shape{3, 0});
  if (python_with_numpy().empty()) return;
  temporary_folder const folder;
  REQUIRE(run_numpy(numpy_side, "write " + folder.path() + all_descrs()));
  for_each_file([&]<class T>(std::type_identity<T>, std::string const& name,
                             gj::shape const& extents, bool fortran) {
    INFO(name);
    auto const x = gj::load_npy((folder / name).c_str());
    CHECK(x.type() == gj::dtype_v<T>);
    CHECK(x.shape() == extents);
    CHECK(holds_elements<T>(x));
    if (extents.rank == 3 && x.size() > 0) CHECK((x.stride(0) == 1) == fortran);
  });
}

TEST_CASE("ART-102: the header is read with and without blanks, in any order of keys") {
  for (char const* text : {
           "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n",
           "{'descr':'<f4','fortran_order':False,'shape':(2,3)}\n",
           "{ 'shape' : ( 2 , 3 , ) , 'fortran_order' : False , 'descr' : '<f4' , }      \n",
           "{\"descr\": \"<f4\", \"fortran_order\": False, \"shape\": (2, 3)}\n",
       }) {
    auto const x =
        parse(npy_file(text, bytes_of({0.f, 1.f, 2.f, 3.f, 4.f, 5.f}))).as<float, 2, 3>();
    CHECK(x(1, 1) == 4);
  }
}

TEST_CASE("ART-103: big-endian numbers are swapped") {
  CHECK(parse(npy_file(npy_header("'>f8'", "False", "(1,)"), "\x40\x04\0\0\0\0\0\0"s))
            .item<double>() == 2.5);
  CHECK(parse(npy_file(npy_header("'>f4'", "False", "(2,)"), "\x3f\x80\0\0\xc0\0\0\0"s))
            .as<float, 2>()(1) == -2);
  CHECK(parse(npy_file(npy_header("'>i8'", "False", "()"), "\0\0\0\0\0\0\1\2"s))
            .item<std::int64_t>() == 258);
}

TEST_CASE("ART-104: a file of f8 asked for as f32 names both") {
  auto const a = parse(npy_file(npy_header("'<f8'", "False", "(1,)"), bytes_of({1.0})));
  CHECK(contains(thrown<gj::dtype_error>([&] { a.as<float, dyn>(); }), "dtype f64, expected f32"));
}

TEST_CASE("ART-105: wrong header lengths are refused") {
  auto const good = npy_header("(2,)");
  auto longer = npy_file(good, "ab");
  longer[8] = 'x';
  CHECK(contains(refusal(longer), "bytes follow"));
  CHECK(contains(refusal(npy_file("", "ab")), "expected '{'"));
  CHECK(contains(
      refusal(npy_file(
          good.substr(0, good.size() - 1) + std::string(10'001 - good.size(), ' ') + '\n', "ab")),
      "header length 10001, expected at most 10000"));
  CHECK(contains(refusal(npy_file(good.substr(0, good.size() - 1), "ab")), "newline"));
  CHECK(contains(refusal("\x93NUMPY\2\0\xff\xff\xff\xff"s), "header length 4294967295"));
  CHECK(contains(refusal("\x93NUMPY\2\0\1\0"s), "header length"));
  // The longest header that is allowed.
  CHECK(parse(npy_file(
                  good.substr(0, good.size() - 1) + std::string(10'000 - good.size(), ' ') + '\n',
                  "ab"))
            .size() == 2);
}

TEST_CASE("ART-106: keys, shapes and descr outside the grammar are refused by name") {
  CHECK(contains(refusal(npy_file("{'descr': '|u1', 'fortran_order': False}\n")),
                 "'shape' is missing"));
  CHECK(contains(refusal(npy_file("{}\n")), "'descr' is missing"));
  CHECK(
      contains(refusal(npy_file(
                   "{'descr': '|u1', 'descr': '|u1', 'fortran_order': False, 'shape': ()}\n", "a")),
               "'descr' occurs twice"));
  CHECK(contains(
      refusal(npy_file("{'descr': '|u1', 'fortran_order': False, 'shape': (), 'x': 1}\n", "a")),
      "unknown key"));
  CHECK(contains(refusal(npy_file("{'shapes': ()}\n")), "unknown key"));
  for (char const* shape :
       {"(-1,)", "(True,)", "(1.0,)", "(1<<9,)", "(1)", "1", "[1]", "(1 1)", "(1,,)", "(,)", "(1,",
        "(99999999999999999999,)", "(9223372036854775808,)", "(1,1,1,1,1,1,1,1,1)",
        "(4294967296, 4294967296)", "(9223372036854775807, 9223372036854775807, 0)"})
    CHECK_MESSAGE(contains(refusal(npy_file(npy_header(shape), "a")), "'shape'"), shape);
  for (char const* descr : {"'O'", "'|O'", "[('a', '<f4')]", "'<f2'", "'<u4'", "'<c8'", "'|f4'",
                            "'<b1'", "'f4'", "'<f4 '", "''", "'<U4'", "None", "'<f4"}) {
    auto const text =
        refusal<gj::dtype_error>(npy_file(npy_header(descr, "False", "(1,)"), "abcd"));
    CHECK_MESSAGE(contains(text, "key 'descr'"), descr);
    CHECK_MESSAGE(contains(text, "expected '|b1', '|u1', "), descr);
    CHECK_MESSAGE(contains(text, "'<f4' or '<f8' ('>' and '=' also)"), descr);
  }
  CHECK(contains(refusal<gj::dtype_error>(npy_file(npy_header("'<c16'", "False", "(1,)"))),
                 "'<c16' is not supported"));
  for (char const* order : {"0", "true", "None", "'False'"})
    CHECK_MESSAGE(
        contains(refusal(npy_file(npy_header("'|u1'", order, "(1,)"), "a")), "fortran_order"),
        order);
}

TEST_CASE("ART-107: data one byte short or long is refused with both sizes") {
  auto const text = npy_header("'<f4'", "False", "(2,)");
  CHECK(contains(refusal(npy_file(text, "1234567")),
                 "7 bytes of data, expected 8 for shape (2) of f32"));
  CHECK(contains(refusal(npy_file(text, "123456789")), "9 bytes of data, expected 8"));
  CHECK(contains(refusal(npy_file(npy_header("(1000000000000000,)"), "a")),
                 "1 bytes of data, expected 1000000000000000"));
  temporary_folder const folder;
  auto const shorter = folder / "shorter.npy";
  write_content(shorter, npy_file(text, "1234567"));
  CHECK(
      contains(thrown<gj::format_error>([&] { gj::load_npy(shorter.c_str()); }), shorter.c_str()));
}

TEST_CASE("ART-108: written files are read by NumPy, with data at a multiple of 64") {
  temporary_folder const folder;
  for_each_file([&]<class T>(std::type_identity<T>, std::string const& name,
                             gj::shape const& extents, bool fortran) {
    INFO(name);
    auto const x = elements<T>(extents);
    auto const path = folder / name;
    gj::save_npy(path.c_str(), fortran ? in_fortran_order(x) : x);
    auto const content = content_of(path);
    CHECK(content.find('\n') % 64 == 63);
    CHECK(content.size() == gj::npy_bytes(x));
    CHECK(holds_elements<T>(gj::load_npy(path.c_str())));
  });
  if (!python_with_numpy().empty())
    CHECK(run_numpy(numpy_side, "check " + folder.path() + all_descrs()));
}
