// guardjit: tests/static/graph/paths.cpp: branches on values of the call fork the trace
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/graph/paths.hpp>

#include "graph/traces.hpp"

namespace gj = guardjit;
using gj::dtype, gj::dyn, gj::graph_view, gj::mistake_kind, gj::op;
using namespace traces;

namespace {

template <auto const& F, gj::argument_type... Arguments>
using paths_of = gj::paths<std::remove_cvref_t<decltype(F)>, gj::call_signature<Arguments...>>;
template <auto const& F, gj::argument_type... Arguments> constexpr int count = paths_of<F, Arguments...>::count;
template <class Paths, int K>
constexpr graph_view path = gj::detail::path_at<typename Paths::list, K>::graph.view();
template <class Paths> constexpr mistake_kind wrong = Paths::last::graph.wrong.kind;

// One branch, two graphs; depth first, false first.
constexpr int first = __LINE__;
constexpr auto by_extent = [](auto x) {
  if (x.extent(0) > 16) return gj::exp(x);  // first + 2
  return x * 2.0f;
};
using two = paths_of<by_extent, of(dyn)>;
static_assert(two::count == 2 && two::fine);
static_assert(result_of(path<two, 0>).id == op::mul && !path<two, 0>.conditions[0].outcome);
static_assert(result_of(path<two, 1>).id == op::exp && path<two, 1>.conditions[0].outcome);
static_assert(static_cast<int>(path<two, 0>.conditions[0].where.line) == first + 2);
// Static extents decide: one graph, no condition.
static_assert(count<by_extent, of(16)> == 1 && count<by_extent, of(17)> == 1);
static_assert(path<paths_of<by_extent, of(17)>, 0>.conditions.empty());
static_assert(result_of(path<paths_of<by_extent, of(17)>, 0>).id == op::exp);

// Paths that contradict themselves are none: intervals, fixed and left-out values, repetition.
constexpr auto inside = [](auto x) { return x * (5 < x.extent(0) && x.extent(0) < 30 ? 2.0f : 3.0f); };
static_assert(count<inside, of(dyn)> == 3);
constexpr auto nested = [](auto x) {
  auto const n = x.extent(0);
  if (n > 16) {
    if (n > 8) x = x + 1;      // known
    if (n < 17) x = x + 2;     // known
    if (n == 3) x = x + 3;     // known
    if (n >= 17) x = x + 4;    // known
  }
  return x;
};
static_assert(count<nested, of(dyn)> == 2);
constexpr auto fixed = [](auto x) {
  auto const n = x.extent(0);
  if (n == 4) return n > 3 ? x + 1 : x + 2;
  return n == 4 ? x + 3 : x + 4;
};
static_assert(count<fixed, of(dyn)> == 2);
constexpr auto again = [](auto x, auto y) {
  for (int i = 0; i < 50; ++i)
    if (x.extent(0) == 2 * y.extent(0)) x = x + 1;
  return x;
};
static_assert(count<again, of(dyn), of(dyn)> == 2);
// Extents are not negative, differences of extents may be.
constexpr auto negative = [](auto x) { return x.extent(0) < 0 ? x + 1 : x + 2; };
constexpr auto difference = [](auto x) { return x.extent(0) - 5 < 0 ? x + 1 : x + 2; };
static_assert(count<negative, of(dyn)> == 1 && count<difference, of(dyn)> == 2);
// Two extents are compared as often as they are asked for, without conclusions.
constexpr auto two_extents = [](auto x) {
  if (x.extent(0) > x.extent(1)) x = x + 1;
  if (x.extent(0) < x.extent(1)) x = x + 2;
  return x;
};
static_assert(count<two_extents, of(dyn, dyn)> == 4);
static_assert(count<two_extents, of(3, 4)> == 1);

// Scalar arguments.
constexpr auto by_scalar = [](auto x, auto s, auto flag) {
  if (flag) return x * s;
  if (s > 0.5f) return x + s;
  return x - s;
};
using scalars = paths_of<by_scalar, of(4), scalar(), scalar<dtype::boolean>()>;
static_assert(scalars::count == 3 && scalars::fine);
static_assert(path<scalars, 0>.conditions[1].right == gj::term{gj::term::number, 0, 0.5});
static_assert(path<scalars, 0>.conditions[1].left == gj::term{gj::term::scalar, 1, 0});

// `<=`, `>=` and `!=` are asked as such: a scalar may be NaN.
constexpr auto by_order = [](auto x, auto s) {
  if (s <= 1.0f) return x * s;
  if (s >= 2.0f) return x + s;
  return s != 1.5f ? x - s : x;
};
using orders = paths_of<by_order, of(4), scalar()>;
static_assert(orders::count == 4 && orders::fine);
static_assert(path<orders, 0>.conditions[0].compare == op::le && path<orders, 0>.conditions[1].compare == op::ge);
static_assert(path<orders, 0>.conditions[2].compare == op::eq);
constexpr auto mirrored = [](auto x, auto s) { return gj::le(2.0f, s) ? x : s >= 2.0f ? x + 1 : x + 2; };
static_assert(count<mirrored, of(4), scalar()> == 2);
// Of extents they say what the strict ones say; numbers between whole ones say nothing.
constexpr auto of_extents = [](auto x) {
  auto const n = x.extent(0);
  if (gj::le(n, 4)) return gj::ge(n, 5) ? x + 1 : x;
  return gj::le(n, 4) ? x + 2 : n > 4 ? x + 3 : x + 4;
};
static_assert(count<of_extents, of(dyn)> == 2);
constexpr auto between = [](auto x) {
  if (x.extent(0) < 4) return x;
  return gj::lt(x.extent(0), 4.5) ? x + 1 : x + 2;
};
static_assert(count<between, of(dyn)> == 3);

// A branch in a helper forks with the helper's line.
constexpr int helper_line = __LINE__;
constexpr auto helper(auto x) {
  if (x.extent(0) > 4) x = x + 1;  // helper_line + 2
  return x;
}
constexpr auto calls_helper = [](auto x) { return helper(x); };
static_assert(count<calls_helper, of(dyn)> == 2);
static_assert(static_cast<int>(path<paths_of<calls_helper, of(dyn)>, 0>.conditions[0].where.line) == helper_line + 2);

// Loops: over static extents they unroll; over run-time ones the paths are too many. They end.
constexpr auto unrolled = [](auto x) {
  auto y = x;
  for (int i = 0; x.extent(0) > i; ++i) y = y * x;
  return y;
};
static_assert(count<unrolled, of(5)> == 1 && count_of(path<paths_of<unrolled, of(5)>, 0>, op::mul) == 5);
static_assert(count<unrolled, of(300)> == 1 && count_of(path<paths_of<unrolled, of(300)>, 0>, op::mul) == 300);
static_assert(wrong<paths_of<unrolled, of(dyn)>> == mistake_kind::too_many_paths);
static_assert(count<unrolled, of(dyn)> <= gj::default_max_paths && !paths_of<unrolled, of(dyn)>::fine);
constexpr int loop_line = __LINE__;
constexpr auto endless = [](auto x) {
  while (!(x.extent(0) == 4)) x = x + x;  // loop_line + 2
  return x;
};
static_assert(wrong<paths_of<endless, of(dyn)>> == mistake_kind::too_many_paths);
static_assert(static_cast<int>(paths_of<endless, of(dyn)>::last::graph.wrong_line.line) == loop_line + 2);

// 64 paths are allowed, 65 are not; neither is another kind of result.
template <int Branches> constexpr auto branches(auto x) {
  for (int i = 0; i < Branches; ++i)
    if (x.extent(i) > 3) x = x + i;
  return x;
}
constexpr auto sixty_four = [](auto x) { return branches<6>(x); };
constexpr auto sixty_five = [](auto x) {
  x = branches<6>(x);
  if (x.extent(0) > 3 && x.extent(1) > 3 && x.extent(2) > 3 && x.extent(3) > 3 && x.extent(4) > 3 &&
      x.extent(5) > 3 && x.extent(0) > 4)
    x = x * 2;
  return x;
};
static_assert(count<sixty_four, of(dyn, dyn, dyn, dyn, dyn, dyn)> == 64);
static_assert(paths_of<sixty_four, of(dyn, dyn, dyn, dyn, dyn, dyn)>::fine);
static_assert(count<sixty_five, of(dyn, dyn, dyn, dyn, dyn, dyn)> == 65);
// Another bound, where one is given.
template <auto F, int Most, gj::argument_type... Arguments>
using bounded = gj::paths<std::remove_cvref_t<decltype(F)>, gj::call_signature<Arguments...>, Most>;
static_assert(bounded<sixty_five, 65, of(dyn, dyn, dyn, dyn, dyn, dyn)>::fine);
static_assert(bounded<two_extents, 4, of(dyn, dyn)>::fine && !bounded<two_extents, 3, of(dyn, dyn)>::fine);
static_assert(bounded<two_extents, 1, of(dyn, dyn)>::count == 2);
static_assert(!paths_of<sixty_five, of(dyn, dyn, dyn, dyn, dyn, dyn)>::fine);
constexpr auto other_rank = [](auto x) { return x.extent(0) > 4 ? gj::sum(x) : x; };
constexpr auto other_dtype = [](auto x) { return x.extent(0) > 4 ? x == x : x; };
constexpr auto other_extent = [](auto x) { return x.extent(0) > 4 ? gj::slice(x, 1, 0, 2) : x; };
static_assert(!paths_of<other_rank, of(dyn, 4)>::fine);
static_assert(!paths_of<other_dtype, of(dyn, 4)>::fine);
static_assert(paths_of<other_extent, of(dyn, 4)>::fine);

// Branches on elements are refused, also where a loop hangs on them.
constexpr auto on_data = [](auto x) {
  while (gj::sum(x) > 0) x = x - 1;
  return x;
};
static_assert(wrong<paths_of<on_data, of(4)>> == mistake_kind::branch_on_data);
constexpr auto on_rank_zero = [](auto x) { return x > 0 ? x : -x; };
static_assert(wrong<paths_of<on_rank_zero, of()>> == mistake_kind::branch_on_data);
static_assert(count<on_rank_zero, scalar()> == 2 && paths_of<on_rank_zero, scalar()>::fine);

}  // namespace
