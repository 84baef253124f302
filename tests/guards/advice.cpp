// guardjit: tests/guards/advice.cpp: what is advised follows from the guards that failed, and from nothing else
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/guards/advice.hpp>

#include <doctest/doctest.h>

using namespace guardjit;

namespace {

guard_failure extent_failure(int argument, int dim, index_t expected, index_t actual) {
  return {.kind = guard_kind::extent_is,
          .argument = static_cast<std::int16_t>(argument),
          .dim = static_cast<std::int8_t>(dim),
          .expected = expected,
          .actual = actual};
}
guard_failure stride_failure(int argument) {
  return {.kind = guard_kind::strides_are,
          .argument = static_cast<std::int16_t>(argument),
          .dim = 0,
          .expected = 4,
          .actual = 5};
}
entry_failures failed(std::vector<guard_failure> failures, std::span<leaf_path const> names = {}) {
  entry_failures e{"f/0", std::move(failures), {}};
  for (guard_failure const& f : e.failures) e.reasons.push_back(to_string(f, graph_view{}, names));
  return e;
}

}  // namespace

TEST_CASE("an extent that varies is advised once, with all its values") {
  CHECK(advice(miss_report{}) == "");
  miss_report const report{{failed({extent_failure(0, 1, 8, 12), extent_failure(2, 0, 3, 4)}),
                            failed({extent_failure(0, 1, 9, 12)}), failed({extent_failure(0, 1, 8, 12)})}};
  CHECK(advice(report) ==
        "arg[0].extent(1) varies (8, 9, now 12): dynamic::all makes one entry for all its values, or any_extent for "
        "dim 1 in shape_of<0, …> for this one\n"
        "arg[2].extent(0) varies (3, now 4): dynamic::all makes one entry for all its values, or any_extent for dim 0 "
        "in shape_of<2, …> for this one");
}

TEST_CASE("a leaf of a module has no number that an option could name") {
  leaf_path names[2];
  names[0] = {"arg[0].0"};
  names[1] = {"arg[0].1"};
  CHECK(advice(miss_report{{failed({extent_failure(1, 0, 8, 12)}, names)}}) ==
        "arg[0].1.extent(0) varies (8, now 12): dynamic::all makes one entry for all its values");
}

TEST_CASE("strides count only where the extents of the argument hold") {
  std::string const clone = "arg[1].stride(0) differs: clone() gives row-major elements, which one entry serves";
  CHECK(advice(miss_report{{failed({stride_failure(1)})}}) == clone);
  CHECK(advice(miss_report{{failed({extent_failure(1, 0, 8, 12), stride_failure(1)})}}).find("stride") == std::string::npos);
  CHECK(advice(miss_report{{failed({extent_failure(0, 0, 8, 12), stride_failure(1)})}}).find(clone) != std::string::npos);
  guard_failure const meets{.kind = guard_kind::no_overlap, .argument = 0, .expected = 0, .actual = 2};
  CHECK(advice(miss_report{{failed({meets})}}).find("output and arg[0] share memory") == 0);
}

TEST_CASE("what the function asks for itself cannot be declared away") {
  guard_failure stretched{.kind = guard_kind::extent_is, .expected = 1, .actual = 8, .left = 1};
  guard_failure const equal{.kind = guard_kind::extents_equal, .expected = 8, .actual = 12};
  guard_failure const predicate{.kind = guard_kind::predicate, .condition = 0, .expected = 1};
  CHECK(advice(miss_report{{failed({stretched, equal, predicate})}}) == "");
}
