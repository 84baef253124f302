// guardjit: tests/static/compile/variants.cpp: what options of variants make of signatures, and that they cost nothing else
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/core.hpp>

using namespace guardjit;

namespace {

using detail::dim_set;

constexpr argument_type matrix{dtype::f32, false, {dyn, dyn}}, vector{dtype::f32, false, {dyn}};
template <class F, argument_type... A> constexpr auto related(F, int argument, int dim) {
  using every = paths<F, call_signature<A...>>;
  return [=]<class... Path>(type_list<Path...>) {
    graph_view const graphs[] = {Path::graph.view()...};
    return detail::related_dims<sizeof...(A)>(graphs, argument, dim);
  }
  (typename every::list{});
}

// What ops want to be equal is one extent, also by way of other ops, and on one path only.
constexpr auto layer = [](auto x, auto w, auto b) { return relu(matmul(x, w) + b); };
static_assert(related<decltype(layer), matrix, matrix, vector>(layer, 0, 0) == dim_set<3>{1, 0, 0});
static_assert(related<decltype(layer), matrix, matrix, vector>(layer, 0, 1) == dim_set<3>{2, 1, 0});
static_assert(related<decltype(layer), matrix, matrix, vector>(layer, 2, 0) == dim_set<3>{0, 2, 1});
constexpr auto sums = [](auto x, auto y, auto z) { return x + y + z; };
static_assert(related<decltype(sums), vector, vector, vector>(sums, 0, 0) == dim_set<3>{1, 1, 1});
static_assert(related<decltype(sums), vector, vector, vector>(sums, 2, 0) == dim_set<3>{1, 1, 1});
constexpr auto apart = [](auto x, auto y, auto z) {
  if (x.extent(0) > 3) return concat(x, y);
  return z * 2 + y;
};
static_assert(related<decltype(apart), vector, vector, vector>(apart, 0, 0) == dim_set<3>{1, 0, 0});
static_assert(related<decltype(apart), vector, vector, vector>(apart, 1, 0) == dim_set<3>{0, 1, 1});

// A static extent takes the place of those that are decided at run time.
using narrow = decltype(detail::narrowed<dim_set<3>{2, 1, 0}, 7>(call_signature<matrix, matrix, vector>{}));
static_assert(narrow::arguments[0].extents == shape{dyn, 7} && narrow::arguments[1].extents == shape{7, dyn});
static_assert(narrow::arguments[2] == vector);

// The signature of a call is the same type where nothing is specialized.
using plain = variant_settings<fullgraph_option>;
using tensors = type_list<tensor<float, dyn>, int>;
static_assert(std::is_same_v<detail::signature_of_call<plain, tensors, tensor<float, dyn>, int>,
                             call_signature<vector, argument_type{dtype::i64, true, {}}>>);
using marked = detail::signature_of_call<variant_settings<specialize_option<1>>, tensors, tensor<float, dyn>, int>;
static_assert(marked::arguments[1].by_value && !marked::arguments[0].by_value);

// Leaves of structures are counted; what has none is a constant.
using nested = type_list<std::pair<tensor<float, dyn>, int>, std::integral_constant<int, 3>, float>;
static_assert(detail::first_leaf(2, nested{}) == 2);
static_assert(!detail::require_scalar<1>(nested{}) && detail::require_scalar<2>(nested{}));

// Bounds, given or not.
static_assert(plain::max_paths == 64 && plain::max_variants == 64 && plain::hot::size == 0 && !plain::specializes);
using given = variant_settings<max_paths_option<3>, hot_extent_option<0, 0, 4>, max_variants_option<5>>;
static_assert(given::max_paths == 3 && given::max_variants == 5 && given::hot::size == 1);
static_assert(detail::are_variants_given_once<hot_extent_option<0, 0, 4>, hot_extent_option<0, 1, 4>>());
static_assert(!detail::are_variants_given_once<hot_extent_option<0, 0, 4>, hot_extent_option<0, 0, 5>>());

}  // namespace
