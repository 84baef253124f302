// guardjit: tests/conformance/modes/options.cpp: cases of modes where options of compile change what a call does
// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "fixtures.hpp"

using namespace fixtures;
using gj::dyn;
using support::vec;

namespace {

constexpr auto doubled = [](auto const& x) { return gj::add(x, 1.0f) * 2.0f; };

std::string reasons_of_replays(auto const& call) {
  std::string seen;
  auto sink = [&](gj::event const& e) {
    if (e.kind == gj::event_kind::eager_call) seen += std::string(e.reason) + ": " + e.text + '\n';
  };
  gj::subscription const watched(sink);
  call();
  return seen;
}

}  // namespace

TEST_CASE("MODE-040: a filter that drops the guard of the mode stack") {
  auto const x = vec(3, 1);
  auto const g = gj::compile(doubled, gj::inline_modes<pass1>, gj::inline_modes<pass2>,
                             gj::drop_kind<gj::guard_kind::mode_stack_is>);
  auto const strict = gj::compile(doubled, gj::inline_modes<pass1>, gj::inline_modes<pass2>);
  pass1 first;
  pass2 second;
  {
    gj::mode_scope const scope(first);
    g(x);
    strict(x);
  }
  gj::mode_scope const scope(second);
  for (int k = 0; k < 2; ++k) {
    CHECK(g(x)(0) == 4);
    CHECK(strict(x)(0) == 4);
  }
  CHECK(g.compiles() == 1);
  CHECK(strict.compiles() == 2);
  REQUIRE(g.entries().size() == 1);
  REQUIRE(g.entries()[0].dropped.size() == 1);
  CHECK(g.entries()[0].dropped[0].kind == gj::guard_kind::mode_stack_is);
  CHECK(strict.entries()[0].guards[0].kind == gj::guard_kind::mode_stack_is);
}

TEST_CASE("M68: a filter that drops the guard of the default device") {
  constexpr auto placed = [](auto const& x) { return gj::zeros<float>(x.extent(0)); };
  auto const x = vec(3, 1);
  auto const g = gj::compile(placed, gj::drop_kind<gj::guard_kind::state_is>);
  auto const strict = gj::compile(placed);
  g(x);
  strict(x);
  gj::default_device_scope const scope(gj::device{gj::device_kind::cpu, 1});
  g(x);
  strict(x);
  CHECK(g.compiles() == 1);
  CHECK(strict.compiles() == 2);
}

TEST_CASE("M99: with fullgraph a stack that is not declared is an error that names it") {
  auto const x = vec(3, 1);
  auto const g = gj::compile(doubled, gj::fullgraph);
  auto out = vec(3, 7);
  pass1 mode;
  {
    gj::mode_scope const scope(mode);
    for (int k = 0; k < 2; ++k) {
      std::string text;
      try {
        k == 0 ? static_cast<void>(g(x)) : g.into(out, x);
      } catch (gj::mode_error const& e) {
        text = e.what();
      }
      CHECK(text.find("must run as one graph") != text.npos);
      CHECK(text.find("pass1") != text.npos);
    }
    CHECK(gj::mode_stack::depth() == 1);
  }
  CHECK(out(0) == 7);
  CHECK(g.compiles() == 0);
  CHECK(g(x)(0) == 4);
}

TEST_CASE("M99: without fullgraph the same call runs op by op, and says why") {
  auto const x = vec(3, 1);
  auto const g = gj::compile(doubled);
  pass1 mode;
  gj::mode_scope const scope(mode);
  std::string const reasons = reasons_of_replays([&] { CHECK(g(x)(0) == 4); });
  CHECK(reasons.find("modes_not_declared: ") == 0);
  CHECK(reasons.find("pass1") != reasons.npos);
  CHECK(g.compiles() == 0);
}

TEST_CASE("M118: clear and reset under an inlined mode and a default device leave both") {
  auto const x = vec(3, 1);
  auto const g = gj::compile(doubled, gj::inline_modes<zero>);
  gj::device const other{gj::device_kind::cpu, 1};
  gj::default_device_scope const device_scope(other);
  zero mode;
  gj::mode_scope const scope(mode);
  for (int k = 0; k < 2; ++k) {
    CHECK(g(x)(0) == 0);
    CHECK(g.entries().size() == 1);
    k == 0 ? g.clear() : gj::reset();
    CHECK(g.entries().empty());
    CHECK(g.compiles() == 0);
    CHECK(gj::mode_stack::depth() == 1);
    CHECK(gj::mode_stack::enabled());
    CHECK(gj::default_device() == other);
  }
  CHECK(g(x)(0) == 0);
  CHECK(g.compiles() == 1);
}
