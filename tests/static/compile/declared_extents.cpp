// guardjit: tests/static/compile/declared_extents.cpp: what a trace makes of extents that `shape_of` declares
// SPDX-License-Identifier: BSL-1.0
#include "graph/traces.hpp"

#include <guardjit/compile/fixed_call.hpp>
#include <guardjit/compile/shape_of.hpp>
#include <guardjit/expr/composite/transpose.hpp>
#include <guardjit/graph/paths.hpp>
#include <guardjit/kernels/reference.hpp>

namespace gj = guardjit;
using gj::any_extent, gj::dyn, gj::extent_between, gj::index_t, gj::mistake_kind, gj::multiple, gj::shape, gj::shape_of_option;
using namespace traces;

namespace {

/// The signature of arguments in the order of the options that declare them.
template <class Base, class... Options> struct declare;
template <gj::argument_type... Types, class... Options> struct declare<gj::call_signature<Types...>, Options...> {
  template <int... K> static auto of(std::integer_sequence<int, K...>)
      -> gj::signature_with_shapes<gj::call_signature<Types...>, static_cast<int>(sizeof...(Types)),
                                gj::detail::placed_shape<K, Options>...>;
  using type = decltype(of(std::make_integer_sequence<int, static_cast<int>(sizeof...(Options))>{}));
};
template <auto const& F, class Base, class... Options> using paths_under =
    gj::paths<std::remove_cvref_t<decltype(F)>, typename declare<Base, Options...>::type>;
template <auto const& F, class Base, class... Options>
constexpr gj::graph_view graph = paths_under<F, Base, Options...>::last::graph.view();
template <auto const& F, class Base, class... Options>
constexpr gj::mistake wrong = paths_under<F, Base, Options...>::last::graph.wrong;
template <auto const& F, class Base, class... Options>
constexpr std::size_t required = graph<F, Base, Options...>.requirements.size();

/// That of one extent of argument 0, and of the first one of argument 1.
template <auto... D> using first = shape_of_option<0, D...>;
template <auto... D> using second = shape_of_option<1, D...>;
using one = gj::call_signature<of(dyn)>;
using two = gj::call_signature<of(dyn), of(dyn)>;
constexpr auto n = gj::named<"n">;

constexpr auto twice = [](auto x) { return x * 2; };
constexpr auto sum = [](auto x, auto y) { return x + y; };
constexpr auto square = [](auto x) { return x + gj::transpose(x); };

// A number is a static extent; one that a type gives needs no check.
static_assert(shape_of(graph<twice, gj::call_signature<of(dyn, dyn)>, first<any_extent, 64>>)[1] == 64);
static_assert(shape_of(graph<twice, one, first<extent_between{7, 7}>>) == shape(7));
static_assert(declare<gj::call_signature<of(64)>, first<64>>::type::declared.empty());
static_assert(declare<gj::call_signature<of(5)>, first<extent_between{2, 5}>>::type::declared.empty());
static_assert(declare<one, first<4>>::type::proven[0].extents[0] == dyn);
static_assert(declare<one, first<4>>::type::arguments[0].extents[0] == 4);

// A number is no proof: kernels that are inlined where types leave no guard need extents of the type.
struct inlines_all : gj::backends::reference {
  template <class, index_t> static constexpr bool has_fixed = true;
};
template <class Signature> constexpr bool is_inlined = gj::detail::fixed_call<
    gj::specialization<std::remove_cvref_t<decltype(twice)>, Signature, inlines_all>>::is_possible(shape(4));
static_assert(is_inlined<gj::call_signature<of(4)>>);
static_assert(is_inlined<declare<gj::call_signature<of(4)>, first<any_extent>>::type>);
static_assert(!is_inlined<declare<one, first<4>>::type>);

// One name is one symbol, in one argument, too; where a type gives its value, it is a number for all.
static_assert(required<sum, two, first<n>, second<n>> == 0);
static_assert(required<sum, two, first<any_extent>, second<any_extent>> == 1);
static_assert(required<square, gj::call_signature<of(dyn, dyn)>, first<n, n>> == 0);
static_assert(required<square, gj::call_signature<of(dyn, dyn)>, first<any_extent, any_extent>> > 0);
static_assert(shape_of(graph<sum, gj::call_signature<of(dyn), of(9)>, first<n>, second<n>>) == shape(9));
static_assert(required<sum, gj::call_signature<of(dyn), of(9)>, first<n>, second<n>> == 0);

// Ranges and multiples settle the rules of ops.
constexpr auto most = [](auto x) { return gj::amax(x, gj::axes(0)); };
static_assert(required<most, one, first<any_extent>> == 1);
static_assert(required<most, one, first<extent_between{1, 9}>> == 0);
constexpr auto third = [](auto x) { return gj::select(x, 0, 2); };
static_assert(required<third, one, first<multiple<4>>> == 1);
static_assert(required<third, one, first<extent_between{3, 9}>> == 0);
constexpr auto fours = [](auto x) { return gj::reshape(x, {-1, 4}); };
static_assert(required<fours, one, first<any_extent>> == 1);
static_assert(required<fours, one, first<multiple<8>>> == 0);
constexpr auto written_fours = [](auto x) { return gj::reshape(x, {x.extent(0) / 4, 4}); };
static_assert(required<written_fours, one, first<any_extent>> == 1);
static_assert(required<written_fours, one, first<multiple<4>>> == 0);
constexpr auto head = [](auto x) { return gj::slice(x, 0, 0, 3); };
static_assert(gj::is_symbol(shape_of(graph<head, one, first<any_extent>>)[0]));
static_assert(shape_of(graph<head, one, first<extent_between{3, 9}>>) == shape(3));

// Conditions: the paths that are left.
template <auto const& F, class Base, class... Options>
constexpr int count = paths_under<F, Base, Options...>::count;
constexpr auto beyond = [](auto x) { return x.extent(0) > 16 ? x * 2 : x * 3; };
static_assert(count<beyond, one, first<any_extent>> == 2);
static_assert(count<beyond, one, first<extent_between{32, 64}>> == 1);
static_assert(count<beyond, one, first<extent_between{2, 16}>> == 1);
static_assert(count<beyond, one, first<extent_between{16, 17}>> == 2);
constexpr auto is_six = [](auto x) { return x.extent(0) == 6 ? x * 2 : x * 3; };
static_assert(count<is_six, one, first<multiple<4>>> == 1);
static_assert(count<is_six, one, first<multiple<3>>> == 2);
constexpr auto doubled_beyond = [](auto x) { return 2 * x.extent(0) + 1 >= 11 ? x * 2 : x * 3; };
static_assert(count<doubled_beyond, one, first<extent_between{5, 9}>> == 1);
static_assert(count<doubled_beyond, one, first<extent_between{4, 9}>> == 2);
constexpr auto is_longer = [](auto x, auto y) { return x.extent(0) > y.extent(0) ? x * 2 : x * 3; };
static_assert(count<is_longer, two, first<extent_between{5, 9}>, second<extent_between{0, 4}>> == 1);
static_assert(count<is_longer, two, first<extent_between{5, 9}>, second<extent_between{0, 5}>> == 2);
static_assert(count<is_longer, two, first<n>, second<n>> == 1);

// An extent that is to vary must not need one value (G87), on no path but those that a branch gives it.
constexpr auto product = [](auto x, auto w) { return gj::matmul(x, w); };
using rows_and_weights = gj::call_signature<of(dyn, dyn), of(3, 4)>;
constexpr bool is_mistake(gj::mistake const& m, mistake_kind kind, int argument, int dim, index_t value) {
  return m.kind == kind && m.left == argument && m.axis == dim && m.right == value;
}
constexpr auto needs = mistake_kind::declared_extent_needs_value, never = mistake_kind::declared_range_never_fits;
static_assert(is_mistake(wrong<product, rows_and_weights, first<any_extent, any_extent>>, needs, 0, 1, 3));
static_assert(is_mistake(wrong<product, rows_and_weights, first<any_extent, extent_between{2, 9}>>, needs, 0, 1, 3));
static_assert(is_mistake(wrong<product, rows_and_weights, first<any_extent, n>>, needs, 0, 1, 3));
static_assert(is_mistake(wrong<product, rows_and_weights, first<any_extent, extent_between{4, 9}>>, never, 0, 1, 3));
static_assert(is_mistake(wrong<product, rows_and_weights, first<any_extent, multiple<2>>>, never, 0, 1, 3));
static_assert(!wrong<product, rows_and_weights, first<any_extent, gj::auto_extent>>);
static_assert(!wrong<product, rows_and_weights, first<any_extent, gj::static_extent>>);
static_assert(!wrong<product, rows_and_weights, first<any_extent, 3>>);
constexpr auto flat_twelve = [](auto x) { return gj::reshape(x, {12}); };
static_assert(is_mistake(wrong<flat_twelve, gj::call_signature<of(dyn, 4)>, first<any_extent, 4>>, needs, 0, 0, 3));
constexpr auto plus_row = [](auto x, auto b) { return x + b; };
static_assert(is_mistake(wrong<plus_row, gj::call_signature<of(dyn), of(5)>, first<any_extent>>, needs, 0, 0, 5));
constexpr auto asks_first = [](auto x, auto w) { return x.extent(1) == 3 ? gj::matmul(x, w) : x * 2; };
static_assert(!wrong<asks_first, rows_and_weights, first<any_extent, any_extent>>);
constexpr auto asks_otherwise = [](auto x, auto w) {
  return x.extent(1) == x.extent(0) - 1 ? gj::matmul(x, w) : x * 2;
};
static_assert(!wrong<asks_otherwise, rows_and_weights, first<any_extent, any_extent>>);
// Relations of two extents are left to the call, but for those that cannot hold.
static_assert(!wrong<sum, two, first<any_extent>, second<any_extent>>);
static_assert(!wrong<sum, two, first<extent_between{2, 5}>, second<extent_between{5, 9}>>);
static_assert(is_mistake(wrong<sum, two, first<extent_between{2, 5}>, second<extent_between{7, 9}>>, never, 0, 0, 7));
static_assert(!wrong<sum, two, first<extent_between{1, 5}>, second<extent_between{7, 9}>>);  // 1 broadcasts
constexpr auto if_equal = [](auto x, auto y) { return x.extent(0) == y.extent(0) ? x + y : x * 2; };
static_assert(count<if_equal, two, first<extent_between{2, 5}>, second<extent_between{7, 9}>> == 1);

}  // namespace
