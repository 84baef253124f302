// guardjit: tests/golden/verdict.cpp: lays operands out, compares results
// SPDX-License-Identifier: BSL-1.0
#include "verdict.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <type_traits>

namespace golden {

std::optional<gj::dtype> dtype_of(std::string_view name) {
  for (int k = 0; k < gj::dtype_count; ++k)
    if (name == gj::name_of(static_cast<gj::dtype>(k))) return static_cast<gj::dtype>(k);
  return std::nullopt;
}

std::string missing_dtype(test_case const& c) {
  std::vector<std::string> names;
  for (value_data const& v : c.inputs)
    if (v.present) names.push_back(v.dtype);
  for (value_data const& v : c.outputs) names.push_back(v.result);
  if (auto const& type = c.at("dtype"); type.given) names.push_back(type.text);
  for (std::string const& name : names)
    if (!dtype_of(name)) return name;
  return {};
}

namespace {

gj::shape shape_of(value_data const& data) {
  gj::shape s;
  for (std::int64_t extent : data.shape) s[s.rank++] = extent;
  return s;
}

template <class T> T element_of(value_data const& data, std::size_t k) {
  T value;
  std::memcpy(&value, data.bytes.data() + k * sizeof(T), sizeof(T));
  return value;
}

/// What must never be read: NaN, the greatest integer, true.
template <class T> constexpr T poison() {
  using limits = std::numeric_limits<T>;
  return limits::has_quiet_NaN ? limits::quiet_NaN() : limits::max();
}

template <class T> gj::any_tensor tensor_of(value_data const& data) {
  gj::shape const extents = shape_of(data);
  bool const expanded = data.layout == "expanded", reversed = data.layout == "reversed";
  gj::index_t step = data.layout == "sliced" ? 2 : 1, offset = step - 1;
  std::array<gj::index_t, gj::max_rank> strides{};
  for (int n = 0; n < extents.rank; ++n) {
    int const d = data.layout == "transposed" ? n : extents.rank - 1 - n;
    if (expanded && d == 0) continue;
    gj::index_t const next = step * std::max<gj::index_t>(extents[d], 1);
    if (reversed) offset += next - step;
    strides[static_cast<unsigned>(d)] = reversed ? -step : step;
    step = next;
  }
  gj::any_tensor memory(gj::dtype_v<T>, gj::shape{step + 1});
  T* const first = memory.data_as<T>() + offset;
  std::fill_n(memory.data_as<T>(), step + 1, poison<T>());
  gj::shape index;
  for (gj::index_t k = 0; k < extents.count(); ++k) {
    gj::index_t at = 0;
    for (int d = 0; d < extents.rank; ++d) at += index[d] * strides[static_cast<unsigned>(d)];
    first[at] = element_of<T>(data, static_cast<std::size_t>(k));
    for (int d = extents.rank - 1; d >= 0 && ++index[d] == extents[d]; --d) index[d] = 0;
  }
  return gj::any_tensor::adopt(memory.storage(), first, gj::dtype_v<T>, gj::any_layout(extents, strides));
}

/// The bytes of all storages, with what lies between elements.
std::string bytes_of(arguments in) {
  std::string all;
  for (argument const& a : in)
    if (auto const* x = std::get_if<gj::any_tensor>(&a); x && x->storage().bytes() > 0)
      all.append(reinterpret_cast<char const*>(x->storage().data()),
                 static_cast<std::size_t>(x->storage().bytes()));
  return all;
}

/// Distance to the next larger modulus.
template <class T> T spacing(T value) {
  T const size = std::fabs(value), next = std::nextafter(size, std::numeric_limits<T>::infinity());
  return std::isfinite(next) ? next - size : size - std::nextafter(size, T(0));
}

/// An expected element: stored as the dtype that comes back, or as f64 and rounded to it.
template <class T> T expected(value_data const& want, std::size_t k) {
  if (want.dtype == want.result) return element_of<T>(want, k);
  return static_cast<T>(element_of<double>(want, k));
}

template <class T>
std::string difference(gj::any_tensor const& got, value_data const& want, tolerance const& bound) {
  gj::any_tensor const packed = got.clone();
  for (gj::index_t k = 0; k < packed.size(); ++k) {
    T const have = packed.data_as<T>()[k], right = expected<T>(want, static_cast<std::size_t>(k));
    if (is_right(have, right, bound)) continue;
    char text[128];
    std::snprintf(text, sizeof text, "element %lld is %.17g, expected %.17g", static_cast<long long>(k),
                  static_cast<double>(have), static_cast<double>(right));
    return text;
  }
  return {};
}

std::string shape_text(gj::shape const& s) {
  gj::fixed_text text;
  text << s;
  return text.c_str();
}

std::string difference(gj::any_tensor const& got, value_data const& want, tolerance const& bound) {
  if (!got) return "no tensor came";
  if (want.result != gj::name_of(got.type()))
    return std::string("dtype ") + gj::name_of(got.type()) + ", expected " + want.result;
  if (!(got.shape() == shape_of(want)))
    return "shape " + shape_text(got.shape()) + ", expected " + shape_text(shape_of(want));
  return gj::visit_dtype(
      got.type(), [&]<class T>(std::type_identity<T>) { return difference<T>(got, want, bound); });
}

std::string difference(results const& got, test_case const& c) {
  if (!c.error.empty()) return "nothing was thrown, expected " + c.error;
  if (!c.compare.empty()) return "the comparison \"" + c.compare + "\" is not written yet";
  if (got.size() != c.outputs.size())
    return std::to_string(got.size()) + " results, expected " + std::to_string(c.outputs.size());
  for (std::size_t k = 0; k < got.size(); ++k)
    if (std::string const text = difference(got[k], c.outputs[k], c.bound); !text.empty())
      return "result " + std::to_string(k) + ": " + text;
  return {};
}

std::string name_of_type(gj::error const& e) {
  if (dynamic_cast<gj::shape_error const*>(&e)) return "shape_error";
  if (dynamic_cast<gj::dtype_error const*>(&e)) return "dtype_error";
  if (dynamic_cast<gj::index_error const*>(&e)) return "index_error";
  if (dynamic_cast<gj::layout_error const*>(&e)) return "layout_error";
  return "an error of another type";
}

}  // namespace

template <class T> bool is_right(T got, T want, tolerance const& bound) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(want)) return std::isnan(got);
    if (std::isinf(want)) return got == want;
    if (!bound.exact) {
      if (want == 0 && bound.atol == 0 && bound.rtol == 0)
        return got == 0 && std::signbit(got) == std::signbit(want);
      auto const size = std::fabs(static_cast<long double>(want));
      auto const ulp = static_cast<long double>(spacing(want));
      long double allowed = bound.atol + bound.rtol * size + bound.ulp * ulp;
      if (bound.ulp > 0 && want != 0)
        allowed = std::max<long double>(allowed, std::numeric_limits<T>::min());
      return std::fabs(static_cast<long double>(got) - static_cast<long double>(want)) <= allowed;
    }
  }
  return std::memcmp(&got, &want, sizeof(T)) == 0;
}
template bool is_right(float, float, tolerance const&);
template bool is_right(double, double, tolerance const&);

argument laid_out(value_data const& data) {
  if (!data.present) return {};
  gj::dtype const type = dtype_of(data.dtype).value();
  return gj::visit_dtype(type, [&]<class T>(std::type_identity<T>) -> argument {
    if (!data.weak) return tensor_of<T>(data);
    if constexpr (std::is_floating_point_v<T> || std::is_same_v<T, bool>) return element_of<T>(data, 0);
    else return static_cast<std::int64_t>(element_of<T>(data, 0));
  });
}

std::string verdict(test_case const& c, std::function<results(arguments)> const& run) {
  std::vector<argument> in;
  for (value_data const& data : c.inputs) in.push_back(laid_out(data));
  std::string const before = bytes_of(in);
  std::string wrong;
  try {
    wrong = difference(run(in), c);
  } catch (gj::error const& e) {
    std::string const type = name_of_type(e);
    if (type != c.error) wrong = type + " was thrown: " + e.what();
  }
  if (wrong.empty() && bytes_of(in) != before) wrong = "an operand has changed";
  return wrong;
}

}  // namespace golden
