// guardjit: tests/ops/shape_rules.cpp: shapes of every op with known and unknown extents
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/ops/shape_rules.hpp>

#include <doctest/doctest.h>

#include <string_view>

namespace gj = guardjit;
using gj::dyn, gj::index_t, gj::mistake_kind, gj::op, gj::shape;

namespace {

struct shape_outcome {
  shape result;
  gj::mistake wrong;
};
shape_outcome inferred(op id, std::initializer_list<shape> operands, gj::attributes const& extra = {}) {
  gj::known_extents context;
  context.id = id;
  shape_outcome o;
  o.result = gj::shape_of_result(context, id, {operands.begin(), operands.size()}, extra);
  o.wrong = context.wrong;
  return o;
}
bool is(shape const& a, shape const& b) {
  bool same = a.rank == b.rank;
  for (int d = 0; same && d < a.rank; ++d) same = a[d] == b[d];
  return same;
}
std::string_view text(gj::mistake const& m) {
  static gj::fixed_text message;
  message = gj::fixed_text{};
  message << m;
  return message.c_str();
}

}  // namespace

TEST_CASE("broadcasting over a table, in both orders") {
  struct row { shape a, b, result; };
  row const rows[] = {
      {{3}, {3}, {3}},           {{3}, {1}, {3}},           {{}, {2, 3}, {2, 3}},
      {{4, 1, 3}, {2, 1}, {4, 2, 3}}, {{0, 3}, {1, 1}, {0, 3}},  {{0}, {1}, {0}},
      {{dyn}, {1}, {dyn}},       {{dyn}, {7}, {7}},         {{dyn}, {dyn}, {dyn}},
      {{1, 1, 1, 1, 1, 1, 1, 2}, {5, 1}, {1, 1, 1, 1, 1, 1, 5, 2}},
  };
  for (row const& r : rows) {
    CHECK(is(inferred(op::add, {r.a, r.b}).result, r.result));
    CHECK(is(inferred(op::add, {r.b, r.a}).result, r.result));
    CHECK_FALSE(inferred(op::add, {r.a, r.b}).wrong);
  }
  CHECK(is(inferred(op::where, {shape(4, 1), shape(3), shape{}}).result, shape(4, 3)));
  shape_outcome const o = inferred(op::maximum, {shape(2, 3), shape(4, 3)});
  CHECK(o.wrong.kind == mistake_kind::extents_differ);
  CHECK(text(o.wrong) == "guardjit: maximum(a, b): extents must be equal or 1: 2 and 4 at axis 0");
  CHECK(inferred(op::add, {shape(0), shape(3)}).wrong.kind == mistake_kind::extents_differ);
}

TEST_CASE("products over a table") {
  struct row { shape a, b, result; };
  row const rows[] = {
      {{2, 3}, {3, 4}, {2, 4}}, {{3}, {3}, {}},          {{3}, {3, 4}, {4}},       {{2, 3}, {3}, {2}},
      {{5, 2, 3}, {3, 4}, {5, 2, 4}}, {{5, 1, 2, 3}, {7, 3, 4}, {5, 7, 2, 4}},     {{2, 0}, {0, 4}, {2, 4}},
      {{dyn, 3}, {3, dyn}, {dyn, dyn}}, {{2, dyn}, {3, 4}, {2, 4}}, {{5, 2, 3}, {3}, {5, 2}},
  };
  for (row const& r : rows) {
    shape_outcome const o = inferred(op::matmul, {r.a, r.b});
    CHECK(is(o.result, r.result));
    CHECK_FALSE(o.wrong);
  }
  shape_outcome const o = inferred(op::matmul, {shape(2, 3), shape(4, 5)});
  CHECK(text(o.wrong) == "guardjit: matmul(a, b): inner extents must be equal: 3 and 4");
  CHECK(inferred(op::matmul, {shape(2, 1), shape(3, 4)}).wrong.kind == mistake_kind::inner_extents_differ);
  CHECK(inferred(op::matmul, {shape{}, shape(3)}).wrong.kind == mistake_kind::rank_too_low);
  CHECK(inferred(op::matmul, {shape(2, 1, 3), shape(4, 3, 1)}).wrong.kind == mistake_kind::extents_differ);
}

TEST_CASE("reductions drop or keep the named axes") {
  gj::attributes extra;
  extra.axes = 0b101;
  CHECK(is(inferred(op::sum, {shape(2, 3, 4)}, extra).result, shape(3)));
  CHECK(is(inferred(op::sum, {shape(2, dyn, 4)}, extra).result, shape(dyn)));
  CHECK_FALSE(inferred(op::sum, {shape(0, 3, 4)}, extra).wrong);
  CHECK(text(inferred(op::amax, {shape(2, 3, 0)}, extra).wrong) ==
        "guardjit: amax(x): a reduced extent must not be 0: axis 2");
  CHECK_FALSE(inferred(op::amax, {shape(2, 0, 4)}, extra).wrong);
  for (op id : {op::amin, op::argmax, op::argmin}) CHECK(inferred(id, {shape(2, 3, 0)}, extra).wrong);
  for (op id : {op::prod, op::any, op::all}) CHECK_FALSE(inferred(id, {shape(2, 3, 0)}, extra).wrong);
  gj::attributes lowest = extra;
  lowest.lowest_of_none = true;
  CHECK_FALSE(inferred(op::amax, {shape(2, 3, 0)}, lowest).wrong);
  extra.keepdims = true;
  CHECK(is(inferred(op::mean, {shape(2, 3, 4)}, extra).result, shape(1, 3, 1)));
}

TEST_CASE("reshape keeps the number of elements") {
  auto const to = [](shape const& x, shape const& target) {
    gj::attributes extra;
    extra.target = target;
    return inferred(op::reshape, {x}, extra);
  };
  CHECK(is(to(shape(2, 6), shape(3, 4)).result, shape(3, 4)));
  CHECK(is(to(shape(2, 6), shape(3, -1)).result, shape(3, 4)));
  CHECK(is(to(shape{}, shape(1, 1)).result, shape(1, 1)));
  CHECK(is(to(shape(0, 3), shape(0, 7)).result, shape(0, 7)));
  CHECK(is(to(shape(dyn, 6), shape(3, -1)).result, shape(3, dyn)));
  CHECK(text(to(shape(2, 6), shape(5, 2)).wrong) ==
        "guardjit: reshape(x): the number of elements must stay: 12 and 10");
  CHECK(text(to(shape(2, 6), shape(5, -1)).wrong) ==
        "guardjit: reshape(x): the other extents must divide the number of elements: 12 by 5");
  CHECK(to(shape(2, 6), shape(0, -1)).wrong.kind == mistake_kind::count_is_no_multiple);
  CHECK(to(shape(2, 6), shape(-1, -1)).wrong.kind == mistake_kind::axis_repeated);
}

TEST_CASE("slice clamps as Python does") {
  auto const length = [](index_t extent, index_t start, index_t stop, index_t step) {
    gj::attributes extra;
    extra.start = start;
    extra.stop = stop;
    extra.step = step;
    return inferred(op::slice, {shape(extent)}, extra).result[0];
  };
  // The oracle walks the elements.
  auto const walked = [](index_t extent, index_t start, index_t stop, index_t step) {
    index_t const low = step > 0 ? 0 : -1, high = step > 0 ? extent : extent - 1;
    auto const clamp = [&](index_t at) { return at < low ? low : at > high ? high : at; };
    index_t const first = clamp(start < 0 ? start + extent : start);
    index_t const last = stop == gj::slice_end ? (step > 0 ? extent : -1) : clamp(stop < 0 ? stop + extent : stop);
    index_t count = 0;
    for (index_t at = first; step > 0 ? at < last : at > last; at += step) ++count;
    return count;
  };
  for (index_t extent : {0, 1, 2, 5, 8})
    for (index_t start : {-9, -8, -3, -1, 0, 1, 4, 8, 20})
      for (index_t stop : {index_t{-9}, index_t{-2}, index_t{0}, index_t{3}, index_t{8}, index_t{20}, gj::slice_end})
        for (index_t step : {1, 2, 3, 7, -1, -2, -7})
          if (length(extent, start, stop, step) != walked(extent, start, stop, step)) {
            CAPTURE(extent);
            CAPTURE(start);
            CAPTURE(stop);
            CAPTURE(step);
            CHECK(length(extent, start, stop, step) == walked(extent, start, stop, step));
          }
  CHECK(length(8, 1, -1, 2) == 3);
  gj::attributes still;
  still.step = 0;
  CHECK(inferred(op::slice, {shape(4)}, still).wrong.kind == mistake_kind::step_is_zero);
  gj::attributes half;
  half.stop = 3;
  CHECK(inferred(op::slice, {shape(dyn)}, half).result[0] == dyn);
}

TEST_CASE("expand, permute and factories") {
  gj::attributes extra;
  extra.target = shape(4, 2, 3);
  CHECK(is(inferred(op::expand, {shape(2, 1)}, extra).result, shape(4, 2, 3)));
  CHECK(inferred(op::expand, {shape(2, 2)}, extra).wrong.kind == mistake_kind::extents_differ);
  CHECK(text(inferred(op::expand, {shape(1, 1, 1, 1)}, extra).wrong) ==
        "guardjit: expand(x): the rank is too high: 4, allowed 3");
  CHECK(is(inferred(op::zeros, {}, extra).result, shape(4, 2, 3)));
  extra.order = {2, 0, 1};
  CHECK(is(inferred(op::permute, {shape(2, dyn, 4)}, extra).result, shape(4, 2, dyn)));
}

TEST_CASE("axes count from both ends") {
  gj::known_extents context;
  context.id = op::sum;
  CHECK(gj::normal_axis(context, -1, 3) == 2);
  CHECK(gj::normal_axis(context, -3, 3) == 0);
  CHECK_FALSE(context.wrong);
  CHECK(gj::normal_axis(context, 3, 3) == -1);
  CHECK(text(context.wrong) == "guardjit: sum(x): the axis must be within the rank: axis 3, rank 3");
}

TEST_CASE("a mistake is thrown as the error of its kind, with the sentence and what follows") {
  auto const thrown = [](mistake_kind kind) {
    try {
      gj::raise_mistake({kind, op::matmul, 3, 4, 1, {}}, gj::fixed_text{} << ", net.cpp:7");
    } catch (gj::shape_error const& e) {
      CHECK(std::string_view(e.what()).ends_with(", net.cpp:7"));
      return 1;
    } catch (gj::dtype_error const&) {
      return 2;
    } catch (gj::index_error const&) {
      return 3;
    }
  };
  CHECK(thrown(mistake_kind::inner_extents_differ) == 1);
  CHECK(thrown(mistake_kind::dtype_is_refused) == 2);
  CHECK(thrown(mistake_kind::dtype_is_no_bool) == 2);
  CHECK(thrown(mistake_kind::axis_out_of_range) == 3);
}

TEST_CASE("POL-11: select drops an axis; an index may count from the end") {
  gj::attributes at;
  at.axis = 1;
  for (index_t i : {-3, -1, 0, 2}) {
    at.start = i;
    CHECK(is(inferred(op::select, {shape(2, 3, 4)}, at).result, shape(2, 4)));
    CHECK_FALSE(inferred(op::select, {shape(2, 3, 4)}, at).wrong);
  }
  for (index_t i : {index_t{3}, index_t{-4}, INT64_MIN, INT64_MAX}) {
    at.start = i;
    CHECK(inferred(op::select, {shape(2, 3, 4)}, at).wrong.kind == mistake_kind::index_out_of_range);
    CHECK_FALSE(inferred(op::select, {shape(2, dyn, 4)}, at).wrong);
  }
  at.start = 3;
  CHECK(text(inferred(op::select, {shape(2, 3, 4)}, at).wrong) ==
        "guardjit: select(x): the index must be within the extent: index 3, axis 1, extent 3");
}

TEST_CASE("concat, take and gather over a table") {
  gj::attributes at;
  at.axis = 1;
  CHECK(is(inferred(op::concat, {shape(2, 3), shape(2, 0)}, at).result, shape(2, 3)));
  CHECK(is(inferred(op::concat, {shape(2, 3), shape(dyn, 4)}, at).result, shape(2, 7)));
  CHECK(is(inferred(op::concat, {shape(2, dyn), shape(2, 4)}, at).result, shape(2, dyn)));
  CHECK(text(inferred(op::concat, {shape(2, 3), shape(1, 3)}, at).wrong) ==
        "guardjit: concat(a, b): the other extents must be equal: 2 and 1 at axis 0");
  CHECK(inferred(op::concat, {shape(2, 3), shape(3)}, at).wrong.kind == mistake_kind::rank_too_low);
  CHECK(inferred(op::concat, {shape(2, 3), shape(1, 2, 3)}, at).wrong.kind == mistake_kind::rank_too_high);

  CHECK(is(inferred(op::take, {shape(2, 3, 4), shape(5, 6)}, at).result, shape(2, 5, 6, 4)));
  CHECK(is(inferred(op::take, {shape(2, 3, 4), shape{}}, at).result, shape(2, 4)));
  CHECK(is(inferred(op::take, {shape(2, 3), shape(dyn)}, at).result, shape(2, dyn)));
  CHECK(text(inferred(op::take, {shape(1, 2, 3, 4, 5), shape(1, 1, 1, 1, 1)}, at).wrong) ==
        "guardjit: take(x, i): the rank is too high: 9, allowed 8");

  CHECK(is(inferred(op::gather, {shape(2, 3), shape(2, 7)}, at).result, shape(2, 7)));
  CHECK(inferred(op::gather, {shape(2, 3), shape(1, 3)}, at).wrong.kind == mistake_kind::other_extents_differ);
  CHECK(inferred(op::gather, {shape(2, 3), shape(3)}, at).wrong.kind == mistake_kind::rank_too_low);
  at.target = shape(4);
  CHECK(is(inferred(op::arange, {}, at).result, shape(4)));
}
