// guardjit: tests/base/type_name.cpp: names of types in messages
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/base/type_name.hpp>

#include <doctest/doctest.h>

#include <string>

namespace {
struct hidden {};
}  // namespace
namespace names {
struct plain {};
template <class First, int Second> struct pattern {};
}  // namespace names

TEST_CASE("type_name: as the compiler writes it, with nothing around") {
  CHECK(guardjit::type_name<int>() == std::string("int"));
  CHECK(guardjit::type_name<double>() == std::string("double"));
  CHECK(guardjit::type_name<names::plain>() == std::string("names::plain"));
  CHECK(guardjit::type_name<names::pattern<double, 3>>() ==
        std::string("names::pattern<double, 3>"));
}

TEST_CASE("type_name: types of unnamed namespaces and of functions end in their name") {
  struct local {};
  auto const ends_in = [](std::string const& name, std::string const& end) {
    return name.size() >= end.size() &&
           name.compare(name.size() - end.size(), end.size(), end) == 0;
  };
  CHECK(ends_in(guardjit::type_name<hidden>(), "::hidden"));
  CHECK(ends_in(guardjit::type_name<local>(), "local"));
}
