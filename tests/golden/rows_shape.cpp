// guardjit: tests/golden/rows_shape.cpp: rows of views and factories
// SPDX-License-Identifier: BSL-1.0
#include "rows.hpp"

namespace golden {

namespace {

/// `reshape(x)` is to rank 0.
template <auto Function> results to_shape(test_case const& c, arguments in) {
  return with_numbers(c.at("shape"), [&](auto... extent) -> results {
    if constexpr (sizeof...(extent) == 0) return {Function(tensor_at(in, 0))};
    else return {Function(tensor_at(in, 0), {extent...})};
  });
}

results permute(test_case const& c, arguments in) {
  gj::any_tensor const& x = tensor_at(in, 0);
  return with_axes(c.at("order"), [&](auto order) -> results { return {gj::permute(x, order)}; });
}

results transpose(test_case const& c, arguments in) {
  auto const axis = [&](char const* name) { return static_cast<int>(c.at(name).integer); };
  return {gj::transpose(tensor_at(in, 0), axis("i"), axis("j"))};
}

constexpr auto zeros = []<class T>(std::type_identity<T>, auto... n) { return gj::zeros<T>(n...); };
constexpr auto ones = []<class T>(std::type_identity<T>, auto... n) { return gj::ones<T>(n...); };

template <auto Function> results factory(test_case const& c, arguments) {
  return with_type(c, [&](auto type) {
    return with_numbers(c.at("shape"), [&](auto... n) -> results { return {Function(type, n...)}; });
  });
}

results full(test_case const& c, arguments in) {
  return gj::visit_dtype(tensor_at(in, 0).type(), [&]<class T>(std::type_identity<T>) {
    T const value = tensor_at(in, 0).item<T>();
    return with_numbers(c.at("shape"), [&](auto... n) -> results { return {gj::full(value, n...)}; });
  });
}

constexpr row list[] = {
    {"reshape", to_shape<gj::reshape>},
    {"expand", to_shape<gj::expand>},
    {"permute", permute},
    {"transpose", transpose},
    {"zeros", factory<zeros>},
    {"ones", factory<ones>},
    {"full", full},
};

}  // namespace

std::span<row const> shape_rows() { return list; }

}  // namespace golden
