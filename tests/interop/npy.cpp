// guardjit: tests/interop/npy.cpp: npy files: what the conformance cases do not name
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/interop/npy.hpp>

#include <doctest/doctest.h>
#include <support/files.hpp>
#include <support/tensors.hpp>
#include <sys/resource.h>

#include <csignal>
#include <cstring>
#include <limits>
#include <string>

namespace gj = guardjit;
using gj::dtype, gj::dyn, gj::tensor;
using support::contains, support::thrown;
using namespace support;
using namespace std::string_literals;

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
  CHECK(parse(npy_file(npy_header("'<f4'", "False", "(2,)"), bytes_of({1.5f, -2.0f})))
            .as<float, 2>()(1) == -2);
  CHECK(parse(npy_file(npy_header("'<f8'", "False", "()"), bytes_of({2.5}))).as<double>().item() ==
        2.5);
  CHECK(parse(npy_file(npy_header("'<i8'", "False", "(1, 1)"), bytes_of<std::int64_t>({-7}), 2))
            .item<std::int64_t>() == -7);
  CHECK(parse(npy_file(npy_header("'=f4'", "False", "(1,)"), bytes_of({3.0f}), 3)).item<float>() ==
        3);
  CHECK(parse(npy_file(npy_header("(3, 1, 2)"), "abcdef")).as<std::uint8_t, 3, 1, 2>()(2, 0, 1) ==
        'f');
  CHECK(parse(npy_file(npy_header("(3, 0)"))).shape() == gj::shape{3, 0});
  CHECK(parse(npy_file(npy_header("(1, 1, 1, 1, 1, 1, 1, 2)"), "ab")).rank() == 8);

  // Any byte but 0 is true, and becomes 1.
  auto const flags =
      parse(npy_file(npy_header("'|b1'", "False", "(3,)"), "\0\1\x80"s)).as<bool, 3>();
  CHECK_FALSE(flags(0));
  CHECK(flags(2));
  unsigned char raw = 0;
  std::memcpy(&raw, flags.data() + 2, 1);
  CHECK(raw == 1);

  auto const columns = parse(npy_file(npy_header("'|u1'", "True", "(2, 3)"), "abcdef"));
  CHECK(columns.stride(0) == 1);
  CHECK(columns.stride(1) == 2);
  auto const c = columns.as<std::uint8_t, 2, 3>();
  CHECK(c(0, 1) == 'c');
  CHECK(c(1, 2) == 'f');
  CHECK(parse(npy_file(npy_header("'|u1'", "True", "(4, 0)"))).is_contiguous());
}

TEST_CASE("npy: what is no npy file is refused") {
  CHECK(contains(refusal(""), "wrong magic"));
  CHECK(contains(refusal("PK\3\4 a zip file"), "wrong magic"));
  CHECK(contains(refusal("\x93NUMPY\1"), "wrong magic"));
  CHECK(contains(refusal(npy_file(npy_header("(1,)"), "a", 4)),
                 "version 4.0, expected 1.0, 2.0 or 3.0"));
  CHECK(contains(refusal(npy_file("x")), "expected '{'"));
  CHECK(contains(refusal(npy_file(npy_header("(1,)") + "x\n", "a")), "newline"));
  CHECK(contains(thrown<gj::format_error>([] { gj::load_npy("no/such/file.npy"); }),
                 "no/such/file.npy"));
  CHECK_THROWS_AS(gj::load_npy("."), gj::format_error);
}

TEST_CASE("npy: every cut and every changed byte of a file is read or refused, nothing else") {
  auto const good = npy_file(npy_header("'<f4'", "False", "(2, 1)"), "12345678");
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
  temporary_folder const folder;
  auto const path = folder / "x.npy";
  for (char const* name : {"images_u8", "labels", "w3", "expected_logits_f64"}) {
    gj::save_npy(path.c_str(), gj::load_npy(digits(name).c_str()));
    CHECK(content_of(path) == content_of(digits(name)));
  }
  CHECK(folder.files() == 1);
  auto const round_trip = [&](gj::any_tensor const& x) {
    gj::save_npy(path.c_str(), x);
    auto const y = gj::load_npy(path.c_str());
    CHECK(y.type() == x.type());
    CHECK(y.shape() == x.shape());
    return y;
  };
  CHECK(round_trip(tensor<double>{2.5}).item<double>() == 2.5);
  CHECK(round_trip(tensor<bool, dyn>{true, false}).as<bool, 2>()(0));
  CHECK(round_trip(tensor<float, 3, 0>{}).size() == 0);
}

TEST_CASE("npy: elements of any strides are written; column-major ones in Fortran order") {
  for (how l : all_layouts) {
    INFO(name_of(l));
    auto const x = laid_out<float, dyn, dyn, dyn>(l, {2, 3, 4});
    std::string file(gj::npy_bytes(x), '\0');
    auto const written = gj::write_npy(std::as_writable_bytes(std::span(file)), x);
    CHECK(written.size() == file.size());
    auto const y = parse(file);
    CHECK(same_bits(x, y.as<float, dyn, dyn, dyn>()));
    CHECK(contains(file, "'fortran_order': True") == (l == how::transposed));
    CHECK(y.is_contiguous() == (l != how::transposed));
  }
  auto const row = laid_out<float, dyn>(how::reversed, {5});
  gj::any_tensor const empty = tensor<float, 3, 0>{};
  for (gj::any_tensor const& x : {gj::any_tensor(row), empty}) {
    std::string file(gj::npy_bytes(x), '\0');
    gj::write_npy(std::as_writable_bytes(std::span(file)), x);
    CHECK(contains(file, "'fortran_order': False"));
    CHECK(parse(file).shape() == x.shape());
  }
}

TEST_CASE("npy: the longest header of eight extents keeps to version 1.0") {
  auto const extents = gj::shape{gj::index_t{1} << 62, 1, 1, 1, 1, 1, 1, 0};
  auto const front = gj::detail::make_npy_front(dtype::u8, extents, true);
  CHECK(front.size() % 64 == 0);
  CHECK(parse(std::string(front.c_str(), front.size())).shape() == extents);
  gj::shape all;
  all.rank = 8;
  for (int d = 0; d < 8; ++d) all[d] = std::numeric_limits<gj::index_t>::max();
  CHECK(gj::detail::make_npy_front(dtype::f64, all, false).size() == 256);
}

TEST_CASE("npy: what cannot be written is refused") {
  tensor<float, dyn> const x{1, 2, 3};
  std::string file(gj::npy_bytes(x) - 1, '\0');
  CHECK(contains(
      thrown<gj::format_error>([&] { gj::write_npy(std::as_writable_bytes(std::span(file)), x); }),
      "room for 139 bytes, expected 140"));
  CHECK(file == std::string(file.size(), '\0'));
  CHECK(
      contains(thrown<gj::dtype_error>([&] { gj::save_npy("x.npy", {}); }), "there is no tensor"));
  CHECK(contains(thrown<gj::dtype_error>([&] { gj::write_npy({}, {}); }), "there is no tensor"));
  gj::any_tensor const far = gj::any_tensor::adopt(
      {}, nullptr, dtype::f32, gj::any_layout(gj::shape{3}), {gj::device_kind::cuda, 0});
  CHECK(contains(thrown<gj::device_error>([&] { gj::save_npy("x.npy", far); }),
                 "elements in cuda:0, expected cpu"));
}

TEST_CASE("files: opening does not block, and only regular files are read") {
  temporary_folder const folder;
  auto const pipe = folder / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(contains(thrown<gj::format_error>([&] { gj::load_npy(pipe.c_str()); }),
                 "is no regular file"));
  CHECK(contains(thrown<gj::format_error>([&] { gj::load_npy(folder.path().c_str()); }),
                 "is no regular file"));
  CHECK(
      contains(thrown<gj::format_error>([&] { gj::load_npy("/dev/zero"); }), "is no regular file"));
  CHECK(contains(thrown<gj::format_error>([&] { gj::load_npy((folder / "none").c_str()); }),
                 "none: the file cannot be opened: No such file"));

  auto const shrinks = folder / "shrinks";
  write_content(shrinks, "0123456789");
  gj::detail::input_file const file(shrinks.c_str());
  std::filesystem::resize_file(shrinks, 4);
  char bytes[10];
  CHECK(contains(thrown<gj::format_error>([&] { file.read(0, bytes, 10); }), "became shorter"));
}

TEST_CASE("files: a file is written whole or not at all") {
  temporary_folder const folder;
  auto const path = folder / "x.npy";
  write_content(path, "old");
  {
    gj::detail::output_file file(path.c_str());
    file.write("new", 3);
    CHECK(content_of(path) == "old");
    CHECK(folder.files() == 2);
  }
  CHECK(content_of(path) == "old");
  CHECK(folder.files() == 1);

  // A file of that name from a process that died is passed over.
  auto const left_over = path + "." + std::to_string(::getpid()) + ".0.tmp";
  write_content(left_over, "left over");
  gj::save_npy(path.c_str(), tensor<float>{1});
  CHECK(gj::load_npy(path.c_str()).item<float>() == 1);
  CHECK(content_of(left_over) == "left over");
  CHECK(folder.files() == 2);

  CHECK(contains(thrown<gj::format_error>(
                     [&] { gj::save_npy((folder / "none/x.npy").c_str(), tensor<float>{1}); }),
                 "none/x.npy: the file cannot be written: No such file"));
  CHECK(contains(
      thrown<gj::format_error>([&] { gj::save_npy(folder.path().c_str(), tensor<float>{1}); }),
      "cannot be written"));
  CHECK(std::filesystem::exists(folder.path()));
}

TEST_CASE("files: where the disk is full the old file stays and nothing else does") {
  temporary_folder const folder;
  auto const path = folder / "x.npy";
  write_content(path, "old");
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  auto* const handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit const small{1000, before.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  auto const text =
      thrown<gj::format_error>([&] { gj::save_npy(path.c_str(), tensor<float, 1000>{}); });
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  CHECK(contains(text, "cannot be written: File too large"));
  CHECK(content_of(path) == "old");
  CHECK(folder.files() == 1);
}
