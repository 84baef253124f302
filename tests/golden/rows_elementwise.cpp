// guardjit: tests/golden/rows_elementwise.cpp: rows of ops that are called with their operands alone
// SPDX-License-Identifier: BSL-1.0
#include "rows.hpp"

namespace golden {

namespace {

// `where` is a function, not an object.
constexpr auto where = [](auto const& c, auto const& a, auto const& b) { return gj::where(c, a, b); };

results to(test_case const& c, arguments in) {
  return with_type(c, [&]<class T>(std::type_identity<T>) -> results {
    return {gj::to<T>(tensor_at(in, 0))};
  });
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
    {"exp", plain<gj::exp>},
    {"log", plain<gj::log>},
    {"tanh", plain<gj::tanh>},
    {"sqrt", plain<gj::sqrt>},
    {"lt", plain<gj::lt>},
    {"gt", plain<gj::gt>},
    {"eq", plain<gj::eq>},
    {"where", plain<where>},
    {"to", to},
};

}  // namespace

std::span<row const> elementwise_rows() { return list; }

}  // namespace golden
