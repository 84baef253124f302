// guardjit: tests/golden/rows_shape.cpp: rows of views, indexing and factories
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

int axis_of(test_case const& c, char const* name = "axis") { return static_cast<int>(c.at(name).integer); }

/// Calls `Function` with the named axes, or with none.
template <auto Function> results on_axes(test_case const& c, arguments in) {
  gj::any_tensor const& x = tensor_at(in, 0);
  if (!c.at("axes").given) return {Function(x)};
  return with_axes(c.at("axes"), [&](auto named) -> results { return {Function(x, named)}; });
}

results unsqueeze(test_case const& c, arguments in) { return {gj::unsqueeze(tensor_at(in, 0), axis_of(c))}; }
results movedim(test_case const& c, arguments in) {
  return {gj::movedim(tensor_at(in, 0), axis_of(c, "from"), axis_of(c, "to"))};
}
results select(test_case const& c, arguments in) {
  return {gj::select(tensor_at(in, 0), axis_of(c), c.at("i").integer)};
}

results split(test_case const& c, arguments in) {
  gj::any_tensor const& x = tensor_at(in, 0);
  if (!c.at("sizes").given) return gj::split(x, c.at("n").integer, axis_of(c));
  return with_numbers(c.at("sizes"), [&](auto... n) -> results {
    if constexpr (sizeof...(n) == 0) {
      throw std::invalid_argument("no pieces");
    } else {
      auto const pieces = gj::split(x, gj::sizes(n...), axis_of(c));
      return {pieces.begin(), pieces.end()};
    }
  });
}

results full_like(test_case const&, arguments in) {
  return gj::visit_dtype(tensor_at(in, 1).type(), [&]<class T>(std::type_identity<T>) -> results {
    return {gj::full_like(tensor_at(in, 0), tensor_at(in, 1).item<T>())};
  });
}

/// `x(…)`, by the kinds of the indices: i(nteger), r(ange), n(ewaxis), e(llipsis).
results index(test_case const& c, arguments in) {
  gj::any_tensor const& x = tensor_at(in, 0);
  auto const& all = c.at("index").list;
  std::string kinds;
  for (attribute const& a : all) kinds += !a.list.empty() ? 'r' : a.text.empty() ? 'i' : a.text[0];
  auto const i = [&](std::size_t k) { return all[k].integer; };
  auto const r = [&](std::size_t k) {
    auto const& [start, stop, step] = std::tie(all[k].list[0], all[k].list[1], all[k].list[2]);
    gj::index_t const by = step.given ? step.integer : 1, to = stop.given ? stop.integer : gj::slice_end;
    return start.given ? gj::range(start.integer, to, by) : gj::range(gj::slice_begin, to, by);
  };
  if (kinds.empty()) return {gj::index(x)};
  if (kinds == "i") return {x(i(0))};
  if (kinds == "r") return {x(r(0))};
  if (kinds == "ri") return {x(r(0), i(1))};
  if (kinds == "rr") return {x(r(0), r(1))};
  if (kinds == "ei") return {x(gj::ellipsis, i(1))};
  if (kinds == "iii") return {x(i(0), i(1), i(2))};
  if (kinds == "nien") return {x(gj::newaxis, i(1), gj::ellipsis, gj::newaxis)};
  throw std::invalid_argument("indices of kinds that the row does not know: " + kinds);
}

results arange(test_case const&, arguments in) {
  return gj::visit_dtype(tensor_at(in, 0).type(), [&]<class T>(std::type_identity<T>) -> results {
    auto const number = [&](std::size_t k) { return tensor_at(in, k).item<T>(); };
    return {gj::arange<T>(number(0), number(1), number(2))};
  });
}

results eye(test_case const& c, arguments) {
  return with_type(c, [&]<class T>(std::type_identity<T>) -> results {
    return {gj::eye<T>(c.at("n").integer, c.at("m").integer)};
  });
}

template <auto Function> results triangle(test_case const& c, arguments in) {
  return {Function(tensor_at(in, 0), c.at("k").integer)};
}

/// As operands one by one, and as a list.
template <auto Function> results joined(test_case const& c, arguments in) {
  results list;
  for (std::size_t k = 0; k < in.size(); ++k) list.push_back(tensor_at(in, k));
  if (in.size() == 3) return {Function(list[0], list[1], list[2], axis_of(c))};
  return {Function(list, axis_of(c))};
}

results pad(test_case const& c, arguments in) {
  gj::any_tensor const& x = tensor_at(in, 0);
  auto const width = [&](std::size_t d, std::size_t side) {
    return c.at("widths").list.at(d).list.at(side).integer;
  };
  gj::index_t const widths[2][2] = {{width(0, 0), width(0, 1)}, {width(1, 0), width(1, 1)}};
  std::string const mode = c.at("mode").text;
  if (mode == "reflect") return {gj::pad(x, widths, gj::reflect)};
  if (mode == "replicate") return {gj::pad(x, widths, gj::replicate)};
  if (mode == "circular") return {gj::pad(x, widths, gj::circular)};
  return {gj::pad(x, widths, c.at("value").real)};
}

template <auto Function> results indexed(test_case const& c, arguments in) {
  return {Function(tensor_at(in, 0), tensor_at(in, 1), axis_of(c))};
}

constexpr row list[] = {
    {"reshape", to_shape<gj::reshape>},
    {"expand", to_shape<gj::expand>},
    {"permute", permute},
    {"transpose", transpose},
    {"zeros", factory<zeros>},
    {"ones", factory<ones>},
    {"full", full},
    {"squeeze", on_axes<gj::squeeze>},
    {"unsqueeze", unsqueeze},
    {"flip", on_axes<gj::flip>},
    {"movedim", movedim},
    {"select", select},
    {"index", index},
    {"split", split},
    {"zeros_like", plain<gj::zeros_like>},
    {"ones_like", plain<gj::ones_like>},
    {"full_like", full_like},
    {"arange", arange},
    {"eye", eye},
    {"tril", triangle<gj::tril>},
    {"triu", triangle<gj::triu>},
    {"concat", joined<gj::concat>},
    {"stack", joined<gj::stack>},
    {"pad", pad},
    {"take", indexed<gj::take>},
    {"gather", indexed<gj::gather>},
    {"take_along_axis", indexed<gj::take_along_axis>},
    {"dot", plain<gj::dot>},
    {"outer", plain<gj::outer>},
};

}  // namespace

std::span<row const> shape_rows() { return list; }

}  // namespace golden
