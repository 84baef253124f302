// SPDX-License-Identifier: BSL-1.0
#include <guardjit/kernels/eigen.hpp>
#include <guardjit/kernels/reference.hpp>

#include "movement_bodies.hpp"

using namespace kernel_tests;

TEST_CASE("N41, POL-11: elements chosen by indices, the test of these, and arange") {
  moved_elements<backends::reference>();
  moved_elements<backends::eigen>();
}
TEST_CASE("a take of rows copies lines as they lie, a bool byte by its truth") {
  std::vector<unsigned char> const bytes{0, 1, 2, 255};
  std::vector<std::int64_t> const i{1, 0};
  any_layout const to(shape(2, 2)), x(shape(2, 2)), index(shape(2));
  gather_nest const nest = gather_nest_of(op::take, to.view(), x.view(), index.view(), 0);
  std::vector<unsigned char> out(4, 7);
  backends::eigen::gather<bool, std::int64_t>(nest, out.data(), bytes.data(), i.data());
  CHECK(out == std::vector<unsigned char>{1, 1, 0, 1});
}
