// guardjit: tests/static/graph/structure.cpp: leaves of tuples, pairs, arrays and aggregates, and their names
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/graph/leaf_names.hpp>

#include <string_view>

using namespace guardjit;
using namespace guardjit::detail;

namespace {

template <class W, class B> struct dense {
  W w;
  B b;
};
template <class A, class B> struct two {
  A first;
  B second;
};
/// Names one field, and the leaves of the other.
template <class A, class B> struct named {
  A first;
  B second;
  friend constexpr void for_each_leaf(named const& m, auto const& visit) {
    visit("input", m.first);
    if constexpr (requires { m.second.w; }) visit("weight", m.second.w);
  }
};
struct plain {
  tensor<float, 3> w;
};
struct large {
  int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q;
};
using vector = tensor<float, dyn>;
using layer = dense<tensor<float, dyn, dyn>, vector>;
struct stateless {
  constexpr int operator()(int x) const { return x; }
};

static_assert(count_fields<layer>() == 2 && count_fields<plain>() == 1);
static_assert(count_fields<large>() == 17);

static_assert(leaf_count<vector> == 1 && leaf_count<int> == 1);
static_assert(leaf_count<two<layer, std::tuple<layer, float>>> == 5);
static_assert(leaf_count<std::array<std::pair<int, layer>, 3>> == 9);
static_assert(leaf_count<std::tuple<>> == 0 && leaf_count<two<int, stateless>> == 1);
static_assert(structure<layer> && structure<std::tuple<>> && structure<stateless>);
static_assert(!structure<vector> && !structure<int*> && !structure<sym>);

static_assert(std::is_same_v<symbolic_t<vector>, sym> && std::is_same_v<symbolic_t<bool>, sym>);
static_assert(std::is_same_v<symbolic_t<two<layer, std::array<std::tuple<int, layer>, 2>>>,
                             two<dense<sym, sym>, std::array<std::tuple<sym, dense<sym, sym>>, 2>>>);
static_assert(std::is_same_v<symbolic_t<two<int, stateless>>, two<sym, stateless>>);
static_assert(std::is_same_v<symbolic_t<plain>, plain>);
static_assert(has_symbol<std::tuple<int, dense<int, sym>>>() && !has_symbol<two<layer, int>>());

// References, in order, as const as the value.
using leaves = decltype(leaves_of(std::declval<two<layer, int> const&>()));
static_assert(std::is_same_v<leaves, std::tuple<tensor<float, dyn, dyn> const&, vector const&, int const&>>);
// What is tied is written through.
using tied = decltype(leaves_of(std::declval<std::tuple<vector&, std::pair<int&, vector&>> const&>()));
static_assert(std::is_same_v<tied, std::tuple<vector&, int&, vector&>>);

static_assert([] {
  int next = 0;
  auto const v = built<two<std::pair<int, int>, std::array<dense<int, int>, 2>>>([&](auto) { return ++next; });
  return v.first.first == 1 && v.first.second == 2 && v.second[0].w == 3 && v.second[1].b == 6;
}());

template <int Bound, class... Values> constexpr std::string_view name(int k) {
  return leaf_names<Bound, symbolic_t<Values>...>::list[static_cast<unsigned>(k)].text;
}
static_assert(name<0, int, two<layer, std::tuple<layer, float>>>(0) == "arg[0]");
static_assert(name<0, int, two<layer, std::tuple<layer, float>>>(2) == "arg[1].0.1");
static_assert(name<0, int, two<layer, std::tuple<layer, float>>>(4) == "arg[1].1.0.1");
static_assert(name<1, int, layer>(0) == "arg[0]" && name<1, int, layer>(2) == "bound[0].1");
static_assert(name<0, named<vector, layer>>(0) == "arg[0].input" && name<0, named<vector, layer>>(1) == "arg[0].weight");
static_assert(name<0, named<vector, layer>>(2) == "arg[0].1.1");
static_assert(name<0, named<layer, named<vector, int>>>(1) == "arg[0].input.1");
static_assert(name<0, named<layer, named<vector, int>>>(2) == "arg[0].1.input");
static_assert(name<0, std::array<int, 12>>(11) == "arg[0].11");

}  // namespace
