// guardjit: tests/conformance/modes/twins.cpp: two modes of one name are two types
// SPDX-License-Identifier: BSL-1.0
#include "conformance/modes/twins.hpp"

#include <guardjit/guardjit.hpp>

#include <doctest/doctest.h>

#include <cstring>

#include "support/tensors.hpp"

namespace gj = guardjit;

namespace {
struct twin : gj::pure_mode<twin> {
  template <class Call> static constexpr typename Call::value handle(Call& call) {
    if (call.op() == gj::op::add) return call() * 10;
    return call();
  }
};
}  // namespace

// The other half, an executable and a shared library, is tests/odr.
TEST_CASE("MODE-042: two mode types of one name have two tags") {
  CHECK(std::strcmp(gj::type_name<twin>(), name_of_other_twin()) == 0);
  CHECK(gj::mode_tag<twin> != tag_of_other_twin());
  auto const g = gj::compile([](auto const& x) { return x + 1; }, gj::inline_modes<twin>);
  auto const x = support::vec(3);
  {
    twin mode;
    gj::mode_scope const scope(mode);
    CHECK(g(x)(0) == 20);
    CHECK(g.compiles() == 1);
  }
  auto const call = [&] {
    CHECK(g(x)(0) == 2);  // op by op: the other twin is not declared
    CHECK(g.compiles() == 1);
  };
  under_other_twin([](void* use) { (*static_cast<decltype(call)*>(use))(); }, const_cast<void*>(static_cast<void const*>(&call)));
}
