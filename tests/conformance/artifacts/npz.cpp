// guardjit: tests/conformance/artifacts/npz.cpp: npz archives, with NumPy as the other side
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/interop/npz.hpp>

#include <doctest/doctest.h>
#include <support/archives.hpp>
#include <support/files.hpp>

#include <string>
#include <utility>
#include <vector>

namespace gj = guardjit;
using gj::dyn;
using support::contains, support::thrown;
using namespace support;

namespace {

/// Whether these are the members that the script makes.
void check_members(gj::npz_members const& members) {
  CHECK(members.size() == 6);
  auto const weights = members["weights"].as<float, 4, 3>();
  CHECK(weights(1, 2) == 9);
  CHECK(weights.stride(0) == 1);
  CHECK(members["flags"].as<bool, 2>()(0));
  CHECK(members["bytes"].as<std::uint8_t, dyn>()(69'999) == 0);
  CHECK(members["scalar"].item<std::int64_t>() == -3);
  CHECK(members["empty"].shape() == gj::shape{0, 5});
  CHECK(members["deep/name"].as<double, 1>()(0) == 2.5);
}

}  // namespace

TEST_CASE("ART-109: npz archives by savez, and by savez_compressed where zlib is there") {
  auto const bytes = npy_file(npy_header("(3,)"), "abc");
  auto const packed = deflated_archive("a.npy", deflated_as_it_stands(bytes), bytes, bytes.size());
  auto const needs_zlib = "is deflated, which needs zlib";
  auto const read_packed = [&] {
    return gj::parse_npz(std::as_bytes(std::span(packed)))["a"].size();
  };
  if (gj::detail::can_inflate) CHECK(read_packed() == 3);
  else CHECK(contains(thrown<gj::format_error>(read_packed), needs_zlib));
  if (python_with_numpy().empty()) return;

  temporary_folder const folder;
  REQUIRE(run_numpy(numpy_side, "savez " + folder.path()));
  auto const stored = folder / "stored.npz", deflated = folder / "deflated.npz",
             ours = folder / "ours.npz";
  check_members(gj::load_npz(stored.c_str()));
  if (gj::detail::can_inflate) check_members(gj::load_npz(deflated.c_str()));
  else
    CHECK(contains(thrown<gj::format_error>([&] { gj::load_npz(deflated.c_str()); }), needs_zlib));

  auto const members = gj::load_npz(stored.c_str());
  gj::save_npz(ours.c_str(), members);
  CHECK(run_numpy(numpy_side, "checkz " + ours));

  // The same archive with all numbers in the ZIP64 form.
  std::vector<std::pair<std::string, std::string>> files;
  for (auto const& [name, value] : members) {
    std::string file(gj::npy_bytes(value), '\0');
    gj::write_npy(std::as_writable_bytes(std::span(file)), value);
    files.emplace_back(name + ".npy", file);
  }
  write_content(ours, archive(files, 0));
  CHECK(run_numpy(numpy_side, "checkz " + ours));
}
