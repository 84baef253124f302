// guardjit: tests/observe/log.cpp: lines of the log on stderr
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/core.hpp>
#include <guardjit/observe/log.hpp>

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "support/tensors.hpp"
#include "support/thrown.hpp"

namespace gj = guardjit;
using gj::detail::log_channels;
using support::contains;
using support::vec;

namespace {

/// What `use` writes to stderr.
std::string logged_by(auto const& use) {
  std::FILE* const file = std::tmpfile();
  REQUIRE(file);
  int const real = ::dup(STDERR_FILENO);
  std::fflush(stderr);
  ::dup2(::fileno(file), STDERR_FILENO);
  use();
  std::fflush(stderr);
  ::dup2(real, STDERR_FILENO);
  ::close(real);
  std::string text;
  std::rewind(file);
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) text += static_cast<char>(c);
  std::fclose(file);
  return text;
}
int lines_of(std::string const& text) {
  int count = 0;
  for (char c : text) count += c == '\n' ? 1 : 0;
  return count;
}

constexpr auto tripled = [](auto const& x) { return x * 3; };
constexpr auto plain = gj::backend(gj::reference);
constexpr gj::recompile_limit many{32};

/// Calls a function of one entry a length with so many lengths.
void recompile(int lengths, gj::recompile_limit limit = many) {
  auto const f = gj::compile(tripled, plain, gj::name<"tripled\x1b">, gj::dynamic::none, limit);
  for (int n = 1; n <= lengths; ++n) f(vec(n));
}

}  // namespace

TEST_CASE("log: a recompile is one line with place, id and one reason for each entry; a first call is none") {
  std::string const text = logged_by([] {
    log_channels const channels("recompiles");
    recompile(3);
  });
  REQUIRE(lines_of(text) == 2);
  CHECK(contains(text, "guardjit [recompiles] "));
  CHECK(contains(text, "[tripled\\x1b/1] tripled\\x1b/0: arg[0].extent(0): expected 1, got 2\n"));
  CHECK(contains(text, "tripled\\x1b/0: arg[0].extent(0): expected 1, got 3; tripled\\x1b/1: arg[0].extent(0)"));
  CHECK(!contains(text, "\x1b"));
  CHECK(logged_by([] {
          log_channels const channels("recompiles");
          auto const f = gj::compile(tripled, plain);
          f(vec(2));
        }).find("log.cpp:") == std::string::npos);
}

TEST_CASE("log: of many recompiles the first three and those at powers of two are told, with + all, with - none") {
  auto const lines = [](char const* channels_text) {
    return lines_of(logged_by([&] {
      log_channels const channels(channels_text);
      recompile(20);
    }));
  };
  CHECK(lines("recompiles") == 6);  // 1, 2, 3, 4, 8, 16
  CHECK(lines("+recompiles") == 19);
  CHECK(lines("-recompiles") == 0);
  CHECK(lines(nullptr) == 0);
  CHECK(lines("") == 0);
  // A limit is always told, once.
  std::string const limit = logged_by([] {
    log_channels const channels("-recompiles");
    recompile(5, gj::recompile_limit{2});
  });
  CHECK(lines_of(limit) == 1);
  CHECK(contains(limit, "recompile_limit 2 of tripled\\x1b is reached"));
}

TEST_CASE("log: an unknown channel gives one warning that lists the channels, and the others are on") {
  std::string const text = logged_by([] {
    log_channels const channels(",nonsense\x1b[2J,,recompiles");
    recompile(2);
  });
  CHECK(lines_of(text) == 3);
  CHECK(contains(text, "no channel nonsense\\x1b[2J; channels are"));
  CHECK(contains(text, "\n  recompiles: "));
  CHECK(contains(text, "[tripled\\x1b/1]"));
  CHECK(contains(logged_by([] { log_channels const help("help"); }), "  recompiles: "));
  // When the channels are gone, nothing is told.
  CHECK(!gj::has_subscribers());
}
