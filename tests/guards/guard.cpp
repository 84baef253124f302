// guardjit: tests/guards/guard.cpp: each kind of guard: passes, fails, text
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/guards/description.hpp>

#include <doctest/doctest.h>

using namespace guardjit;

namespace {

using strides = std::array<index_t, max_rank>;

/// Two arguments of shapes (n, 4) and (m, 4), and symbols n, m, n / 4.
struct fixture {
  any_layout x{shape{8, 4}}, y{shape{8, 4}};
  layout_view layouts[2];
  extent_node nodes[3]{{extent_op::input, 0, 0}, {extent_op::input, 1, 0}, {}};
  index_t symbols[3]{};
  condition conditions[1]{};
  graph_view g{};
  guard_context context{};

  fixture() {
    nodes[2] = {extent_op::times, symbol(1), 2};
    conditions[0] = {op::gt, {term::extent, symbol(0), 0}, {term::extent, 16, 0}, {"f.cpp", 7}, true};
    set(x, y);
  }
  void set(any_layout const& a, any_layout const& b) {
    x = a;
    y = b;
    layouts[0] = x.view();
    layouts[1] = y.view();
    evaluate_extents(nodes, symbols, [this](int k) { return layouts[k].extents; });
    g.extents = nodes;
    g.conditions = conditions;
    context = {layouts, symbols, 0, 0};
  }
  std::string reason(guard const& one) const { return to_string(failure_of(one, context), g); }
};

}  // namespace

TEST_CASE_FIXTURE(fixture, "extent_is: of an argument, and of a symbol") {
  guard const one{.kind = guard_kind::extent_is, .argument = 0, .dim = 0, .expected = 8};
  CHECK(holds(one, context));
  guard const stretched{.kind = guard_kind::extent_is, .expected = 1, .left = symbol(1), .where = {"f.cpp", 3}};
  CHECK_FALSE(holds(stretched, context));
  CHECK(reason(stretched) == "arg[1].extent(0): expected 1, got 8 (f.cpp:3)");
  set(any_layout(shape{12, 4}), any_layout(shape{1, 4}));
  CHECK_FALSE(holds(one, context));
  CHECK(reason(one) == "arg[0].extent(0): expected 8, got 12");
  CHECK(holds(stretched, context));
}

TEST_CASE_FIXTURE(fixture, "contiguous names the first stride that is not row-major") {
  guard const one{.kind = guard_kind::contiguous, .argument = 0, .expected = 1};
  CHECK(holds(one, context));
  set(any_layout(shape{8, 4}, strides{5, 1}), y);
  CHECK_FALSE(holds(one, context));
  CHECK(reason(one) == "arg[0].stride(0): expected 4, got 5");
}

TEST_CASE_FIXTURE(fixture, "strides_are: one stride, and a class of layouts") {
  set(any_layout(shape{8, 4}, strides{16, 1}), y);
  guard const one{.kind = guard_kind::strides_are, .argument = 0, .dim = 0, .expected = 16};
  guard const inner{.kind = guard_kind::strides_are, .argument = 0, .expected = class_of(layouts[0])};
  CHECK(holds(one, context));
  CHECK(holds(inner, context));
  set(any_layout(shape{8, 4}, strides{24, 1}), y);
  CHECK_FALSE(holds(one, context));
  CHECK(reason(one) == "arg[0].stride(0): expected 16, got 24");
  CHECK(holds(inner, context));
  set(any_layout(shape{8, 4}, strides{0, 1}), y);
  CHECK_FALSE(holds(inner, context));
  CHECK(reason(inner) == "arg[0] strides: expected unit inner stride, got unit inner stride, stride 0 at dim 0");
  set(any_layout(shape{8, 4}, strides{24, 2}), y);
  CHECK(reason(inner) == "arg[0] strides: expected unit inner stride, got general strides");
}

TEST_CASE_FIXTURE(fixture, "extents_equal: two extents, and arithmetic of them") {
  guard const one{.kind = guard_kind::extents_equal, .left = symbol(0), .right = symbol(1), .where = {"f.cpp", 4}};
  guard const twice{.kind = guard_kind::extents_equal, .left = symbol(0), .right = symbol(2)};
  CHECK(holds(one, context));
  CHECK_FALSE(holds(twice, context));
  CHECK(reason(twice) == "arg[0].extent(0) = arg[1].extent(0) * 2: expected 16, got 8");
  set(any_layout(shape{6, 4}), any_layout(shape{3, 4}));
  CHECK_FALSE(holds(one, context));
  CHECK(reason(one) == "arg[0].extent(0) = arg[1].extent(0): expected 3, got 6 (f.cpp:4)");
  CHECK(holds(twice, context));
}

TEST_CASE_FIXTURE(fixture, "multiple_of, also of zero") {
  guard const one{.kind = guard_kind::multiple_of, .left = symbol(0), .right = 4};
  guard const by_extent{.kind = guard_kind::multiple_of, .left = symbol(0), .right = symbol(1)};
  CHECK(holds(one, context));
  set(any_layout(shape{6, 4}), any_layout(shape{0, 4}));
  CHECK_FALSE(holds(one, context));
  CHECK(reason(one) == "arg[0].extent(0): expected a multiple of 4, got 6");
  CHECK_FALSE(holds(by_extent, context));
  set(any_layout(shape{0, 4}), y);
  CHECK(holds(one, context));
}

TEST_CASE_FIXTURE(fixture, "extent_in") {
  guard const one{.kind = guard_kind::extent_in, .expected = 1, .left = symbol(0), .right = no_bound};
  guard const some{.kind = guard_kind::extent_in, .expected = 2, .left = symbol(0), .right = 8};
  CHECK(holds(one, context));
  CHECK(holds(some, context));
  CHECK(text_of(some, g) == "2 <= arg[0].extent(0) <= 8");
  set(any_layout(shape{9, 4}), y);
  CHECK_FALSE(holds(some, context));
  CHECK(reason(some) == "arg[0].extent(0): expected 2 to 8, got 9");
  set(any_layout(shape{0, 4}), y);
  CHECK_FALSE(holds(one, context));
  CHECK(reason(one) == "arg[0].extent(0): expected at least 1, got 0");
}

TEST_CASE_FIXTURE(fixture, "no_overlap names output and argument") {
  guard const one{.kind = guard_kind::no_overlap, .argument = 1, .expected = static_cast<index_t>(overlap::disjoint)};
  context.overlaps = 1;  // of argument 0
  CHECK(holds(one, context));
  context.overlaps = static_cast<std::uint64_t>(overlap::overlapping) << 2;
  CHECK_FALSE(holds(one, context));
  CHECK(reason(one) == "output and arg[1]: expected disjoint, got overlapping");
}

TEST_CASE_FIXTURE(fixture, "aligned tells the offset") {
  alignas(64) float memory[32]{};
  void* data[] = {memory, memory + 3};
  context.data = data;
  guard const first{.kind = guard_kind::aligned, .argument = 0, .expected = 64},
      second{.kind = guard_kind::aligned, .argument = 1, .expected = 64};
  CHECK(holds(first, context));
  CHECK_FALSE(holds(second, context));
  CHECK(reason(second) == "arg[1] data: expected aligned to 64, got offset 12");
  CHECK(text_of(second, g) == "arg[1] data aligned to 64");
  data[1] = memory + 16;
  CHECK(holds(second, context));
  CHECK_FALSE(may_be_dropped(guard_kind::aligned));
}

TEST_CASE_FIXTURE(fixture, "state_is: default device and thread count") {
  guard const device{.kind = guard_kind::state_is, .expected = no_device},
      threads{.kind = guard_kind::state_is, .expected = 4, .left = thread_count_state};
  CHECK(holds(device, context));
  CHECK_FALSE(holds(threads, context));
  CHECK(reason(threads) == "thread count: expected 4, got 1");
  CHECK(text_of(threads, g) == "thread count = 4");
  context.thread_count = 4;
  context.default_device = device_word(guardjit::device{device_kind::cpu, 2});
  CHECK(holds(threads, context));
  CHECK_FALSE(holds(device, context));
  CHECK(reason(device) == "default device: expected none, got cpu:2");
  CHECK(text_of(device, g) == "default device = none");
}

TEST_CASE_FIXTURE(fixture, "path_is tells condition, values and line") {
  guard const one{.kind = guard_kind::path_is, .condition = 0, .expected = 1};
  context.outcomes = 1;
  CHECK(holds(one, context));
  context.outcomes = 0;
  CHECK_FALSE(holds(one, context));
  guard_failure failure = failure_of(one, context);
  failure.left = 8;
  failure.right = 16;
  CHECK(to_string(failure, g) == "arg[0].extent(0) > 16: expected true, got false for 8 > 16 (f.cpp:7)");
}

TEST_CASE("the text of a miss has a line for each entry") {
  miss_report report;
  CHECK(report.to_string().empty());
  report.entries.push_back({"f/0", {}, {"arg[0].extent(0): expected 8, got 12", "more"}});
  report.entries.push_back({"f/1", {}, {}});
  CHECK(report.to_string() == "f/0: arg[0].extent(0): expected 8, got 12\nf/1: all guards hold");
}
