// guardjit: tests/conformance/guards/late_fixtures.hpp: a callable that keeps some elements
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_CONFORMANCE_GUARDS_LATE_FIXTURES_HPP
#define GUARDJIT_TESTS_CONFORMANCE_GUARDS_LATE_FIXTURES_HPP

#include <guardjit/core.hpp>

#include <stdexcept>

namespace late {

using samples = guardjit::tensor<float, guardjit::dyn>;

inline int calls = 0;
inline bool throws = false;

/// The positive elements.
inline constexpr auto positive = [](samples const& x) {
  using guardjit::index_t;
  ++calls;
  if (throws) throw std::runtime_error("no positive elements today");
  index_t count = 0;
  for (index_t k = 0; k < x.extent(0); ++k) count += x(k) > 0 ? 1 : 0;
  samples kept(count);
  for (index_t k = 0, to = 0; k < x.extent(0); ++k)
    if (x(k) > 0) kept(to++) = x(k);
  return kept;
};

/// 1, 2, … in front of negative ones: `count` positive elements of `length`.
inline samples with_positive(guardjit::index_t count, guardjit::index_t length) {
  samples x(length);
  for (guardjit::index_t k = 0; k < length; ++k) x(k) = static_cast<float>(k < count ? k + 1 : -k - 1);
  return x;
}

}  // namespace late

#endif
