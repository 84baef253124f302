// guardjit: tests/interop/npz.cpp: npz archives, good and hostile
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/interop/npz.hpp>

#include <doctest/doctest.h>
#include <support/archives.hpp>
#include <support/files.hpp>
#include <support/tensors.hpp>

#include <string>
#include <utility>
#include <vector>

namespace gj = guardjit;
using gj::dyn, gj::tensor;
using support::contains, support::thrown;
using namespace support;
using namespace std::string_literals;

namespace {

auto open(std::string const& file) { return gj::parse_npz(std::as_bytes(std::span(file))); }

template <class Error = gj::format_error> std::string refusal_of(std::string const& file) {
  return thrown<Error>([&] { open(file); });
}

std::string const bytes_file = npy_file(npy_header("(3,)"), "abc");
std::string const numbers_file =
    npy_file(npy_header("'<f8'", "False", "(2,)"), bytes_of({1.5, -2.0}));
/// Two members, `a` and `b`.
std::string const good = archive({{"a.npy", bytes_file}, {"b.npy", numbers_file}});

/// Where a record begins; `number` counts records of that signature.
std::size_t place_of(std::string const& file, std::string const& signature, int number = 0) {
  auto at = file.find(signature);
  while (number-- > 0) at = file.find(signature, at + 1);
  REQUIRE(at != std::string::npos);
  return at;
}
constexpr char const *local = "PK\3\4", *central = "PK\1\2", *end = "PK\5\6", *end64 = "PK\6\6",
                     *locator64 = "PK\6\7";

/// A little-endian number as a field.
template <int Bytes> std::string number(std::size_t value) {
  std::string field;
  for (int k = 0; k < Bytes; ++k) field += static_cast<char>(value >> 8 * k & 0xff);
  return field;
}

/// `good` with other bytes in a field of a record.
std::string with(std::string const& signature, std::size_t offset, std::string const& field,
                 int number = 0, std::string file = good) {
  return file.replace(place_of(file, signature, number) + offset, field.size(), field);
}

}  // namespace

TEST_CASE("npz: members by name, in the archive's order") {
  auto const members = open(good);
  CHECK(members.size() == 2);
  CHECK(members.begin()->name == "a");
  CHECK(members.contains("b"));
  CHECK_FALSE(members.contains("b.npy"));
  CHECK(members["a"].as<std::uint8_t, dyn>()(2) == 'c');
  CHECK(members["b"].as<double, 2>()(1) == -2);
  CHECK(contains(thrown<gj::format_error>([&] { members["c\n"]; }),
                 "guardjit: npz: bytes: no member 'c?'"));
  CHECK(open(archive({})).size() == 0);
  CHECK(open(archive({}, 0)).size() == 0);

  temporary_folder const folder;
  auto const path = folder / "x.npz";
  write_content(path, archive({{"a.npy", bytes_file},
                               {"words.npy", npy_file(npy_header("'<U4'", "False", "(0,)"))}}));
  CHECK(contains(thrown<gj::dtype_error>([&] { gj::load_npz(path.c_str()); }),
                 "member 'words.npy': key 'descr'"));
  CHECK(gj::load_npz(path.c_str(), "a").size() == 3);
  CHECK(contains(thrown<gj::format_error>([&] { gj::load_npz(path.c_str(), "b"); }),
                 "no member 'b'"));
}

TEST_CASE("npz: saved archives come back, from any strides") {
  temporary_folder const folder;
  auto const path = folder / "x.npz";
  auto const x = laid_out<float, dyn, dyn>(how::reversed, {3, 4});
  auto const y = laid_out<double, dyn, dyn>(how::transposed, {3, 4});
  gj::save_npz(path.c_str(),
               {{"x", x}, {"größe/y", y}, {"", tensor<bool>{true}}, {"none", tensor<float, 0>{}}});
  auto const members = gj::load_npz(path.c_str());
  CHECK(members.size() == 4);
  CHECK(same_bits(x, members["x"].as<float, dyn, dyn>()));
  CHECK(same_bits(y, members["größe/y"].as<double, dyn, dyn>()));
  CHECK(members["größe/y"].stride(0) == 1);
  CHECK(members[""].item<bool>());
  CHECK(members["none"].size() == 0);

  auto const first = content_of(path);
  gj::save_npz(path.c_str(), members);
  CHECK(content_of(path).size() == first.size());
  CHECK(folder.files() == 1);
  gj::save_npz(path.c_str(), {});
  CHECK(gj::load_npz(path.c_str()).size() == 0);

  auto const refused = [&](auto const& name) {
    return thrown<gj::format_error>([&] { gj::save_npz(path.c_str(), {{name, x}, {"b", x}}); });
  };
  CHECK(contains(refused("b"), "member 'b': occurs twice"));
  CHECK(contains(refused(std::string(65'532, 'n')), "the name is too long"));
  CHECK(contains(thrown<gj::dtype_error>([&] {
                   gj::save_npz(path.c_str(), {{"b", {}}});
                 }),
                 "there is no tensor"));
  CHECK(gj::load_npz(path.c_str()).size() == 0);
  CHECK(folder.files() == 1);
}

TEST_CASE("npz: equal tensors give equal bytes, whatever the time") {
  temporary_folder const folder;
  for (char const* name : {"1.npz", "2.npz"})
    gj::save_npz((folder / name).c_str(), {{"x", tensor<float>{1}}});
  auto const bytes = content_of(folder / "1.npz");
  CHECK(bytes == content_of(folder / "2.npz"));
  CHECK(bytes.substr(10, 4) == "\0\0\x21\0"s);  // midnight of 1980-01-01
}

TEST_CASE("npz: checksums are those of ZIP") {
  CHECK(gj::detail::crc32("123456789", 9) == 0xCBF43926);
  std::string const text = "a text of more than sixteen bytes";
  for (std::size_t cut = 0; cut <= text.size(); ++cut)
    CHECK(gj::detail::crc32(text.data() + cut, text.size() - cut,
                            gj::detail::crc32(text.data(), cut)) ==
          gj::detail::crc32(text.data(), text.size()));
}

TEST_CASE("npz: sizes, offsets and ends in the ZIP64 form") {
  auto const wide = archive({{"a.npy", bytes_file}, {"b.npy", numbers_file}}, 0);
  CHECK(open(wide)["b"].as<double, 2>()(0) == 1.5);
  CHECK(contains(wide, "\xff\xff\xff\xff\xff\xff\xff\xff"));
  CHECK(open(archive({{"a.npy", bytes_file}, {"b.npy", numbers_file}}, 100))["b"].size() == 2);

  auto const broken = [&](char const* signature, std::size_t offset, std::string const& field) {
    return refusal_of(with(signature, offset, field, 0, wide));
  };
  CHECK(contains(broken(end64, 0, "PX"), "the ZIP64 end record is malformed"));
  CHECK(contains(broken(end64, 4, "\x2d"), "the ZIP64 end record is malformed"));
  CHECK(contains(broken(end64, 24, "\3"), "several disks"));
  CHECK(contains(broken(end64, 40, "\0"s), "does not end at its end record"));
  CHECK(contains(broken(end64, 48, "\xff\xff\xff\xff\xff\xff\xff\xff"),
                 "does not end at its end record"));
  CHECK(contains(broken(locator64, 0, "PX"), "the ZIP64 end record is missing"));
  CHECK(contains(broken(locator64, 8, "\xff\xff\xff\xff\xff\xff\xff\xff"), "outside the file"));
  for (auto const& [field, text] :
       {std::pair{8u, "\3\0\3"s}, {12u, "\1\1\1\1"s}, {16u, "\1\1\1\1"s}})
    CHECK(contains(broken(end, field, text), "the end record and the ZIP64 end record differ"));
  CHECK(contains(broken(central, 46 + 5, "\2"), "the ZIP64 sizes are missing"));
  CHECK(contains(broken(central, 46 + 5 + 2, "\20"), "the ZIP64 sizes are cut off"));
  CHECK(contains(broken(central, 46 + 5 + 2, "\xff"), "is cut off"));
  CHECK(contains(broken(central, 46 + 5 + 4, "\xff\xff\xff\xff\xff\xff\xff\xff"),
                 "is stored, but with two sizes"));
  CHECK(contains(broken(central, 46 + 5 + 20, "\xff\xff\xff\xff\xff\xff\xff\xff"),
                 "overlaps with what follows"));

  // Other writers put other fields before the sizes, and say in the first end record what fits there.
  CHECK(open(with(end, 8, "\2\0\2\0"s, 0, wide)).size() == 2);
  auto const at = place_of(good, central) + 46 + 5;
  auto more = good.substr(0, at) + "\7\0\0\0"s + "\1\0\x18\0"s + number<8>(bytes_file.size()) +
              number<8>(bytes_file.size()) + number<8>(0) + good.substr(at);
  more = with(central, 20, std::string(8, '\xff'), 0, with(central, 30, number<2>(32), 0, more));
  more = with(central, 42, std::string(4, '\xff'), 0, more);
  more = with(end, 12, number<4>(place_of(more, end) - place_of(more, central)), 0, more);
  CHECK(open(more)["a"].as<std::uint8_t, 3>()(2) == 'c');
}

TEST_CASE("npz: 65,535 members and more are counted in the ZIP64 form") {
  std::vector<std::pair<std::string, std::string>> many;
  for (int k = 0; k < 65'536; ++k) many.emplace_back(std::to_string(k), "");
  auto const file = archive(many);
  memory_of const source(file);
  gj::detail::zip_reader const reader(source, "many");
  CHECK(reader.members().size() == 65'536);
  CHECK(reader.members()[65'535].name == "65535");
}

TEST_CASE("npz: what is no archive is refused") {
  for (std::string const& file : {""s, "PK"s, bytes_file, "PK\5\6"s, std::string(100'000, 'P')})
    CHECK(contains(refusal_of(file), "guardjit: zip: bytes: no zip file: no end record"));
  CHECK(contains(refusal_of(good + "x"), "no end record"));
  for (std::size_t size = 0; size < good.size(); ++size)
    CHECK(contains(refusal_of(good.substr(0, size)), "no end record"));
  // A comment of the archive is no harm, and may look like an end.
  std::string const comment = "PK\5\6 is how an end begins";
  auto const length = std::string(1, static_cast<char>(comment.size()));
  CHECK(open(with(end, 20, length) + comment).size() == 2);
  CHECK(contains(refusal_of(with(end, 20, length) + comment + "x"), "no end record"));
  CHECK(contains(thrown<gj::format_error>([] { gj::load_npz("no/such.npz"); }), "no/such.npz"));
  CHECK(contains(thrown<gj::format_error>([] { gj::load_npz(digits("labels").c_str()); }),
                 "no zip file"));
}

TEST_CASE("npz: ends that do not fit the file are refused") {
  for (std::size_t field : {4u, 6u, 8u})
    CHECK(contains(refusal_of(with(end, field, "\1\0"s)), "several disks"));
  CHECK(contains(refusal_of(with(end, 12, "\xff")), "does not end at its end record"));
  CHECK(contains(refusal_of(with(end, 16, "\1\2\3\4")), "does not end at its end record"));
  CHECK(contains(refusal_of("in front" + good), "does not end at its end record"));
  CHECK(contains(refusal_of(with(end, 8, "\1\0\1\0"s)), "bytes of the directory are left over"));
  CHECK(contains(refusal_of(with(end, 8, "\3\0\3\0"s)), "3 members in a directory of"));
  CHECK(contains(refusal_of(with(end, 8, "\xfe\xff\xfe\xff")), "65534 members in a directory of"));
  CHECK(contains(refusal_of(with(end, 8, "\xff\xff\xff\xff")), "the ZIP64 end record is missing"));
  CHECK(contains(refusal_of(with(end, 12, "\xff\xff\xff\xff")), "the ZIP64 end record is missing"));
}

TEST_CASE("npz: members that do not fit the archive are refused by name") {
  CHECK(contains(refusal_of(with(central, 0, "PX")), "wrong signature"));
  CHECK(contains(refusal_of(with(central, 28, "\xff\xff")), "ends inside a name"));
  CHECK(contains(refusal_of(with(central, 34, "\1")), "is on another disk"));
  CHECK(contains(refusal_of(with(central, 8, "\1")), "member 'a.npy': is encrypted"));
  CHECK(contains(refusal_of(with(central, 10, "\14")), "method 12, expected 0 or 8"));
  CHECK(contains(refusal_of(with(central, 16, "\0\0\0\0"s)),
                 "member 'a.npy': the checksum is wrong"));
  CHECK(contains(refusal_of(with(central, 20, "\1")), "is stored, but with two sizes"));
  CHECK(contains(refusal_of(with(central, 20, "\xfe\xff\xff\xff\xfe\xff\xff\xff")),
                 "overlaps with what follows"));
  CHECK(contains(refusal_of(with(central, 42, "\xfe\xff\xff\xff")), "overlaps with what follows"));
  CHECK(contains(refusal_of(with(central, 42, "\0\0\0\0"s, 1)), "overlaps with what follows"));
  CHECK(contains(refusal_of(with(central, 42, "\2")), "the local header has the wrong signature"));
  CHECK(contains(refusal_of(with(local, 0, "PX")), "the local header has the wrong signature"));
  CHECK(contains(refusal_of(with(local, 8, "\10")), "local header and directory differ"));
  CHECK(contains(refusal_of(with(local, 26, "\4")), "local header and directory differ"));
  CHECK(contains(refusal_of(with(local, 30, "x")), "local header and directory differ"));
  CHECK(contains(refusal_of(with(local, 28, "\xff\xff")), "overlaps with what follows"));
  CHECK(contains(refusal_of(archive({{"a.npy", bytes_file}, {"a.npy", bytes_file}})),
                 "member 'a.npy' occurs twice"));
  CHECK(contains(refusal_of(archive({{"notes.txt", "text"}})),
                 "member 'notes.txt': is no .npy file"));
  CHECK(contains(refusal_of(archive({{"npy", bytes_file}})), "is no .npy file"));
  CHECK(contains(refusal_of(archive({{"\x1b[31m\n.npy", "text"}})),
                 "member '?[31m?.npy': no npy file: wrong magic"));
  CHECK(contains(refusal_of(archive({{std::string(100, 'n') + ".npy", ""}})),
                 std::string(40, 'n').append("…'").c_str()));
  auto flipped = good;
  flipped[place_of(good, "abc")] ^= 1;
  CHECK(contains(refusal_of(flipped), "member 'a.npy': the checksum is wrong"));
}

TEST_CASE(
    "npz: local names and fields of other lengths are followed; sizes of local headers are not") {
  // As streaming writers do: sizes behind the data, found by the directory alone.
  auto file = with(local, 14, std::string(12, '\0'));
  CHECK(open(file).size() == 2);
  file = with(local, 14, std::string(12, '\xff'));
  CHECK(open(file).size() == 2);
  // 28 more bytes between header and data.
  auto const padded = with(local, 28, "\34\0"s);
  auto moved = padded.substr(0, 35) + std::string(28, 'x') + padded.substr(35);
  moved = with(end, 16, number<4>(place_of(moved, central)), 0, moved);
  moved = with(central, 42, number<4>(place_of(moved, local, 1)), 1, moved);
  CHECK(open(moved)["a"].as<std::uint8_t, 3>()(0) == 'a');
}

TEST_CASE("npz: deflated members are exactly what they say") {
  auto const packed = deflated_as_it_stands(bytes_file);
  auto const with_size = [](std::string const& bytes, std::size_t size) {
    return deflated_archive("a.npy", bytes, bytes_file, size);
  };
  auto const whole = with_size(packed, bytes_file.size());
#if GUARDJIT_HAS_ZLIB
  CHECK(open(whole)["a"].as<std::uint8_t, 3>()(1) == 'b');
  for (std::size_t size : {bytes_file.size() - 1, bytes_file.size() + 1, std::size_t{0}})
    CHECK(contains(refusal_of(with_size(packed, size)), "the deflated data are not exactly"));
  CHECK(contains(refusal_of(with_size(packed, std::size_t{1} << 31)), "cannot be that large"));
  CHECK(contains(refusal_of(with_size(packed + "x", bytes_file.size())),
                 "the deflated data are not exactly"));
  CHECK(contains(refusal_of(with_size(packed.substr(1), bytes_file.size())),
                 "the deflated data are not exactly"));
  CHECK(contains(refusal_of(with_size(packed.substr(0, packed.size() - 1), bytes_file.size())),
                 "not exactly"));
  CHECK(contains(refusal_of(with_size("", bytes_file.size())), "not exactly"));
#else
  CHECK(contains(refusal_of(whole),
                 "member 'a.npy': is deflated, which needs zlib: build with GUARDJIT_HAS_ZLIB=1"));
#endif
}
