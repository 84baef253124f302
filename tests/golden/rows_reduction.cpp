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

/// Along one axis, or over all where `axis` is null.
template <auto Function> results index_of(test_case const& c, arguments in) {
  gj::any_tensor const& x = tensor_at(in, 0);
  bool const keeps = static_cast<bool>(c.at("keepdims"));
  if (!c.at("axis").given) return {keeps ? Function(x, gj::keepdims) : Function(x)};
  int const axis = static_cast<int>(c.at("axis").integer);
  return {keeps ? Function(x, axis, gj::keepdims) : Function(x, axis)};
}

/// With a correction.
template <auto Function> results variance(test_case const& c, arguments in) {
  gj::any_tensor const& x = tensor_at(in, 0);
  gj::correction const corrected(c.at("correction").integer);
  bool const keeps = static_cast<bool>(c.at("keepdims"));
  if (!c.at("axes").given) return {keeps ? Function(x, corrected, gj::keepdims) : Function(x, corrected)};
  return with_axes(c.at("axes"), [&](auto axes) -> results {
    return {keeps ? Function(x, axes, corrected, gj::keepdims) : Function(x, axes, corrected)};
  });
}

/// Along one axis, with a mask where there is one.
template <auto Function> results along_axis(test_case const& c, arguments in) {
  gj::any_tensor const& x = tensor_at(in, 0);
  int const axis = static_cast<int>(c.at("axis").integer);
  if (in.size() == 1) return {Function(x, axis)};
  return {Function(x, axis, tensor_at(in, 1))};
}

/// Weights that are left out are missing or null.
results layer_norm(test_case const& c, arguments in) {
  auto const weights = [&](std::size_t k, auto const& use) -> results {
    if (k < in.size() && std::holds_alternative<gj::any_tensor>(in[k])) return use(tensor_at(in, k));
    return use(gj::nothing);
  };
  return with_axes(c.at("axes"), [&](auto axes) {
    return weights(1, [&](auto const& w) {
      return weights(2, [&](auto const& b) -> results {
        return {gj::layer_norm(tensor_at(in, 0), axes, w, b, c.at("eps").real)};
      });
    });
  });
}

constexpr auto any = [](auto const& x, auto const&... more) { return gj::any(x, more...); };
constexpr auto all = [](auto const& x, auto const&... more) { return gj::all(x, more...); };

constexpr row list[] = {
    {"sum", reduction<gj::sum>},
    {"amax", reduction<gj::amax>},
    {"mean", reduction<gj::mean>},
    {"prod", reduction<gj::prod>},
    {"amin", reduction<gj::amin>},
    {"argmax", index_of<gj::argmax>},
    {"argmin", index_of<gj::argmin>},
    {"any", reduction<any>},
    {"all", reduction<all>},
    {"var", variance<gj::var>},
    {"std", variance<gj::std>},
    {"softmax", along_axis<gj::softmax>},
    {"log_softmax", along_axis<gj::log_softmax>},
    {"logsumexp", reduction<gj::logsumexp>},
    {"layer_norm", layer_norm},
    {"matmul", plain<gj::matmul>},
};

}  // namespace

std::span<row const> reduction_rows() { return list; }

}  // namespace golden
