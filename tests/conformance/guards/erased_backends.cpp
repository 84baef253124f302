// guardjit: tests/conformance/guards/erased_backends.cpp: cases of backends by name, and those of the library
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/guardjit.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "conformance/guards/core_alone.hpp"
#include "conformance/guards/erased_backends.hpp"
#include "conformance/guards/random_calls.hpp"
#include "support/op_by_op.hpp"
#include "support/tensors.hpp"

namespace gj = guardjit;
using gj::stance, gj::stance_scope;
using support::backend_log, support::elements, support::mat, support::op_by_op, support::same_bits;

std::vector<gj::erased_backend> const& fixtures::erased_backends() {
  static backend_log log;
  static std::vector<gj::erased_backend> const all{op_by_op{&log}, gj::find_backend("reference"),
                                                   gj::find_backend("tiles")};
  return all;
}

namespace {

/// Several, whose plans are the same.
struct numbered_loops : gj::backends::reference_interpreter {
  int number = 0;
  explicit numbered_loops(int n) : number(n) {}
  static char const* name() { return "walker"; }
  auto build(gj::graph_view const& g, gj::path_call const& first) const {
    if (random_calls::erased_fails) throw std::runtime_error("no loops");
    return reference_interpreter::build(g, first);
  }
  bool operator==(numbered_loops const&) const = default;
};

}  // namespace

gj::erased_backend const& random_calls::walker(int number) {
  static gj::erased_backend const all[] = {numbered_loops(0), numbered_loops(1)};
  return all[number];
}

namespace {

struct scaled_gelu {
  constexpr auto operator()(auto x, auto w) const { return gj::gelu(x) * 0.5f + w; }
};
/// A backend of its own name, by the walk.
struct named_walk : op_by_op {
  char const* own_name;
  char const* name() const { return own_name; }
  bool operator==(named_walk const&) const = default;
};
bool is_listed(std::string const& name) {
  std::vector<std::string> const names = gj::list_backends();
  return std::count(names.begin(), names.end(), name) == 1;
}

}  // namespace

TEST_CASE("GRD-127: a name that nobody registered, and one that is registered twice") {
  static backend_log log;
  CHECK(is_listed("reference"));
  CHECK(is_listed("tiles"));
  CHECK(!is_listed("walk_1"));
  gj::register_backend(named_walk{{&log}, "walk_1"});
  CHECK(is_listed("walk_1"));
  CHECK(gj::find_backend("walk_1") == gj::erased_backend(named_walk{{&log}, "walk_1"}));
  CHECK(!(gj::find_backend("walk_1") == gj::find_backend("tiles")));
  try {
    gj::find_backend("none_such");
    FAIL("no exception");
  } catch (gj::backend_error const& e) {
    CHECK(std::string(e.what()) == "guardjit: find_backend(\"none_such\"): there is reference, tiles, walk_1");
  }
  for (char const* taken : {"walk_1", "tiles", "reference"})
    CHECK_THROWS_WITH_AS(gj::register_backend(named_walk{{&log, 2}, taken}),
                         (std::string("guardjit: register_backend(b): there is a backend ") + taken).c_str(),
                         gj::backend_error);
  CHECK(is_listed("walk_1"));
  CHECK_THROWS_AS(gj::find_backend(""), gj::backend_error);
}

TEST_CASE("GRD-158: tiles and reference by force, a static backend by with") {
  auto const g = gj::compile(scaled_gelu{}, gj::name<"g">);
  auto const x = mat(5, 9, -3), w = mat(5, 9, -30);
  auto const own = g(x, w);
  SUBCASE("tiles has the bits of eigen") {
    {
      stance_scope const forced{stance::normal, gj::force_backend(gj::find_backend("tiles"))};
      CHECK(same_bits(g(x, w), own));
      auto out = mat(5, 9);
      g.into(out, x, w);
      CHECK(same_bits(out, own));
    }
    CHECK(g.compiles() == 2);
    CHECK(std::string(g.entries().back().backend) == "tiles");
  }
  SUBCASE("one call by the static reference, and by the erased one, which have the same bits") {
    auto const slow = g.with(gj::backend(gj::reference))(x, w);
    auto const walked = g.with(gj::backend(gj::find_backend("reference")))(x, w);
    CHECK(same_bits(slow, walked));
    for (gj::index_t k = 0; k < own.size(); ++k)
      CHECK(slow.data()[k] == doctest::Approx(own.data()[k]).epsilon(1e-5));
    CHECK(g.compiles() == 3);
  }
  int const compiled = g.compiles();
  CHECK(g.find(x, w) == "g/0");
  CHECK(same_bits(g(x, w), own));
  CHECK(g.compiles() == compiled);
}

TEST_CASE("GRD-157: core.hpp alone works by the backend that is named, and knows reference by its name") {
  CHECK(core_alone::compiled(4) == 9);
  CHECK(core_alone::evaluated(4) == 8);
  std::vector<std::string> const names = core_alone::backends();
  CHECK(names.front() == "reference");
  CHECK(std::count(names.begin(), names.end(), "tiles") == 0);
  CHECK(core_alone::error_of_tiles().find("guardjit/kernels/eigen.hpp brings tiles") != std::string::npos);
  CHECK(is_listed("tiles"));
}
