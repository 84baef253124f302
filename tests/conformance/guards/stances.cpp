// guardjit: tests/conformance/guards/stances.cpp: what calls do where no entry serves them
// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "conformance/guards/fixtures.hpp"
#include "support/tensors.hpp"
#include "support/thrown.hpp"

namespace gj = guardjit;
using fixtures::floats;
using fixtures::none;
using fixtures::plain;
using fixtures::texts;
using fixtures::twice;
using gj::stance;
using gj::stance_scope;
using support::elements;
using support::thrown;
using support::vec;

namespace {

}  // namespace

TEST_CASE("GRD-154: a call has a stance of its own") {
  auto const g = gj::compile(twice{}, plain, none);
  auto const x = vec(2);
  g(x);
  stance_scope const eager(stance::force_eager);
  CHECK(elements(g.with(stance::fail_on_recompile)(x)) == floats{2, 4});
  auto out = vec(2);
  g.with(stance::fail_on_recompile).into(out, x);
  CHECK(elements(out) == floats{2, 4});
}

TEST_CASE("GRD-104: fail_on_recompile") {
  auto const g = gj::compile(twice{}, plain, none, gj::name<"g">);
  g(vec(2));
  stance_scope const strict(stance::fail_on_recompile);
  CHECK_THROWS_AS(g(vec(3)), gj::recompile_error);
}
