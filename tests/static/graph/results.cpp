// guardjit: tests/static/graph/results.cpp: what functions may return, and the types of calls
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/graph/evaluate_constant.hpp>

using namespace guardjit;
using namespace guardjit::detail;

namespace {

template <class W, class B> struct dense {
  W w;
  B b;
};
template <class T> struct moments {
  T mean, spread;
};
using vector = tensor<float, dyn>;
using number = tensor<double>;

static_assert(has_results<sym>() && has_results<std::tuple<sym, extent_sym, int>>() && has_results<moments<sym>>());
static_assert(!has_results<std::tuple<>>() && !has_results<std::tuple<sym, char const*>>() && !has_results<void*>());
static_assert(has_results<std::array<sym, 64>>() && !has_results<std::array<sym, 65>>());

template <class Symbolic, class... Leaves> using typed = with_leaves_t<Symbolic, 0, type_list<Leaves...>>;
static_assert(std::is_same_v<typed<sym, vector>, vector>);
static_assert(std::is_same_v<typed<std::tuple<sym, std::pair<int, extent_sym>>, vector, number, vector>,
                             std::tuple<vector, std::pair<number, vector>>>);
static_assert(std::is_same_v<typed<dense<sym, std::array<sym, 2>>, vector, number, number>, dense<vector, std::array<number, 2>>>);
static_assert(std::is_same_v<typed<moments<sym>, number, number>, moments<number>>);
static_assert(std::is_same_v<typed<moments<std::tuple<sym, sym>>, number, number, number, number>, moments<std::tuple<number, number>>>);
static_assert(std::is_same_v<typed<std::tuple<moments<sym>, moments<sym>, std::tuple<>>, number, number, vector, vector>,
                             std::tuple<moments<number>, moments<vector>, std::tuple<>>>);
static_assert(std::is_same_v<typed<dense<sym const, sym const>, vector, number>, dense<vector, number>>);

// Graphs have an output for each result, equal ones too.
struct several {
  constexpr auto operator()(auto const& x) const {
    auto const y = x * 2;
    return std::tuple(y, x, y, x.extent(0), 1.5f);
  }
};
using given = call_signature<argument_type{dtype::f32, false, {3}}>;
constexpr auto const& graph_of_several = traced<several, given>::graph;
static_assert(graph_of_several.view().outputs.size() == 5);
static_assert(graph_of_several.outputs[0] == graph_of_several.outputs[2]);
static_assert(graph_of_several.nodes[static_cast<unsigned>(graph_of_several.outputs[1])].id == op::input);

// The compiler runs functions of structures as well.
constexpr auto both = evaluate_constant([](auto x, auto by) { return std::pair(x * by.first, x + by.second); }, 3.0f, std::pair(2, 10.0f));
static_assert(both.first == 6 && both.second == 13);
constexpr auto nested = evaluate_constant(
    [](auto const& m) { return dense<sym, std::array<sym, 2>>{m.w * m.b, {m.w, m.w - m.b * 5}}; },
    dense<literal_tensor<float, 2>, float>{{{1, 2}}, 4});
static_assert(nested.w.elements[1] == 8 && nested.b[0].elements[0] == 1 && nested.b[1].elements[0] == -19);

}  // namespace
