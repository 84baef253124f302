// guardjit: tests/golden/rows_elementwise.cpp: rows of ops that are called with their operands alone
// SPDX-License-Identifier: BSL-1.0
#include "rows.hpp"

namespace golden {

namespace {

// `where` is a function, not an object.
constexpr auto where = [](auto const& c, auto const& a, auto const& b) requires requires { gj::where(c, a, b); } {
  return gj::where(c, a, b);
};

results to(test_case const& c, arguments in) {
  return with_type(c, [&]<class T>(std::type_identity<T>) -> results {
    return {gj::to<T>(tensor_at(in, 0))};
  });
}

results gelu(test_case const& c, arguments in) {
  bool const exact = c.at("form").text == "exact";
  return {exact ? gj::gelu(tensor_at(in, 0)) : gj::gelu(tensor_at(in, 0), gj::tanh_form)};
}

results round(test_case const& c, arguments in) {
  if (c.at("decimals").given) throw missing_form{"round to decimals"};
  return {gj::round(tensor_at(in, 0))};
}

constexpr row list[] = {
    {"add", plain<gj::add>},
    {"sub", plain<gj::sub>},
    {"mul", plain<gj::mul>},
    {"div", plain<gj::div>},
    {"neg", plain<gj::neg>},
    {"maximum", plain<gj::maximum>},
    {"minimum", plain<gj::minimum>},
    {"relu", plain<gj::relu>},
    {"abs", plain<gj::abs>},
    {"sign", plain<gj::sign>},
    {"square", plain<gj::square>},
    {"reciprocal", plain<gj::reciprocal>},
    {"clip", plain<gj::clip>},
    {"floor", plain<gj::floor>},
    {"ceil", plain<gj::ceil>},
    {"rsqrt", plain<gj::rsqrt>},
    {"expm1", plain<gj::expm1>},
    {"log1p", plain<gj::log1p>},
    {"pow", plain<gj::pow>},
    {"sin", plain<gj::sin>},
    {"cos", plain<gj::cos>},
    {"erf", plain<gj::erf>},
    {"sigmoid", plain<gj::sigmoid>},
    {"silu", plain<gj::silu>},
    {"softplus", plain<gj::softplus>},
    {"floor_divide", plain<gj::floor_divide>},
    {"trunc_divide", plain<gj::trunc_divide>},
    {"remainder", plain<gj::remainder>},
    {"fmod", plain<gj::fmod>},
    {"fmax", plain<gj::fmax>},
    {"fmin", plain<gj::fmin>},
    {"shift_left", plain<gj::shift_left>},
    {"shift_right", plain<gj::shift_right>},
    {"round", round},
    {"gelu", gelu},
    {"exp", plain<gj::exp>},
    {"log", plain<gj::log>},
    {"tanh", plain<gj::tanh>},
    {"sqrt", plain<gj::sqrt>},
    {"lt", plain<gj::lt>},
    {"gt", plain<gj::gt>},
    {"eq", plain<gj::eq>},
    {"le", plain<gj::le>},
    {"ge", plain<gj::ge>},
    {"ne", plain<gj::ne>},
    {"logical_and", plain<gj::logical_and>},
    {"logical_or", plain<gj::logical_or>},
    {"logical_xor", plain<gj::logical_xor>},
    {"logical_not", plain<gj::logical_not>},
    {"bitwise_and", plain<gj::bitwise_and>},
    {"bitwise_or", plain<gj::bitwise_or>},
    {"bitwise_xor", plain<gj::bitwise_xor>},
    {"bitwise_not", plain<gj::bitwise_not>},
    {"where", plain<where>},
    {"to", to},
};

}  // namespace

std::span<row const> elementwise_rows() { return list; }

}  // namespace golden
