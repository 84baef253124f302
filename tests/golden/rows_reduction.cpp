// guardjit: tests/golden/rows_reduction.cpp: rows of reductions, of what is made of them, and of products
// SPDX-License-Identifier: BSL-1.0
#include "rows.hpp"

namespace golden {

namespace {

/// Over all axes where `axes` is null.
template <auto Function> results reduction(test_case const& c, arguments in) {
  gj::any_tensor const& x = tensor_at(in, 0);
  bool const keeps = static_cast<bool>(c.at("keepdims"));
  if (!c.at("axes").given) return {keeps ? Function(x, gj::keepdims) : Function(x)};
  return with_axes(c.at("axes"), [&](auto axes) -> results {
    return {keeps ? Function(x, axes, gj::keepdims) : Function(x, axes)};
  });
}

/// Along one axis, with a mask where the library takes one.
template <auto Function> results along_axis(test_case const& c, arguments in) {
  gj::any_tensor const& x = tensor_at(in, 0);
  int const axis = static_cast<int>(c.at("axis").integer);
  if (in.size() == 1) return {Function(x, axis)};
  if constexpr (requires { Function(x, x, axis); }) return {Function(x, tensor_at(in, 1), axis)};
  else throw missing_form{"softmax with a mask"};
}

constexpr auto softmax = [](auto const& x, auto... more) requires requires { gj::softmax(x, more...); } {
  return gj::softmax(x, more...);
};

constexpr row list[] = {
    {"sum", reduction<gj::sum>},
    {"amax", reduction<gj::amax>},
    {"mean", reduction<gj::mean>},
    {"softmax", along_axis<softmax>},
    {"matmul", plain<gj::matmul>},
};

}  // namespace

std::span<row const> reduction_rows() { return list; }

}  // namespace golden
