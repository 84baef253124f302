// guardjit: tests/conformance/numerics/paths.hpp: a function on each path: eager, erased, compiled
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_CONFORMANCE_NUMERICS_PATHS_HPP
#define GUARDJIT_TESTS_CONFORMANCE_NUMERICS_PATHS_HPP

#include <guardjit/guardjit.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace paths {

namespace gj = guardjit;

template <class T> gj::tensor<T, gj::dyn> row(std::vector<T> const& values) {
  auto x = gj::tensor<T, gj::dyn>::uninitialized({static_cast<gj::index_t>(values.size())});
  for (std::size_t k = 0; k < values.size(); ++k) x.data()[k] = values[k];
  return x;
}
template <class T> std::vector<T> elements(gj::any_tensor const& x) {
  gj::any_tensor const packed = x.clone();
  return std::vector<T>(packed.data_as<T>(), packed.data_as<T>() + packed.size());
}

/// Scalars stay, tensors lose their types.
template <class X> auto erased(X const& x) {
  if constexpr (std::is_arithmetic_v<X>) return x;
  else return gj::any_tensor(x);
}

/// Calls `check` with the result of `f` on each path: eager on typed tensors and on `any_tensor`, and
/// compiled for both backends, on a miss and on a hit.
template <class F, class... X> void on_each(F f, auto const& check, X const&... x) {
  {
    INFO("eager, typed");
    check(gj::any_tensor(f(x...)));
  }
  {
    INFO("eager, any_tensor");
    check(f(erased(x)...));
  }
  auto const compiled = [&](auto const& g) {
    check(gj::any_tensor(g(x...)));
    check(gj::any_tensor(g(x...)));
  };
  {
    INFO("compiled, reference");
    compiled(gj::compile(f, gj::backend(gj::reference)));
  }
  {
    INFO("compiled, eigen");
    compiled(gj::compile(f, gj::backend(gj::eigen)));
  }
}

/// Equal bits, NaN aside.
template <class T> bool same(T a, T b) { return (a != a && b != b) || std::memcmp(&a, &b, sizeof(T)) == 0; }

/// The result of `f` has these elements, bit by bit, on each path.
template <class T, class F, class... X> void expect(std::vector<T> const& want, F f, X const&... x) {
  on_each(
      f,
      [&](gj::any_tensor const& got) {
        REQUIRE(got.type() == gj::dtype_v<T>);
        auto const have = elements<T>(got);
        REQUIRE(have.size() == want.size());
        for (std::size_t k = 0; k < want.size(); ++k) {
          CAPTURE(k);
          INFO("got ", have[k], ", expected ", want[k]);
          CHECK(same<T>(have[k], want[k]));
        }
      },
      x...);
}

/// The operand whose number is `k`, a scalar: a function of many results that is compiled once.
template <class K, class First, class... Rest>
constexpr auto chosen(K const& k, int at, First const& first, Rest const&... rest) {
  if constexpr (sizeof...(Rest) == 0) return first;
  else return gj::where(k == at, first, chosen(k, at + 1, rest...));
}

/// `values`, as often as to fill packets and a tail.
template <class T> std::vector<T> repeated(std::vector<T> const& values, std::size_t count) {
  std::vector<T> all;
  while (all.size() < count) all.push_back(values[all.size() % values.size()]);
  return all;
}

}  // namespace paths

#endif
