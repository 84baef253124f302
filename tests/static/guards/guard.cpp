// guardjit: tests/static/guards/guard.cpp: guards in constant evaluation
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/guards/guard.hpp>

using namespace guardjit;

namespace {

using strides = std::array<index_t, max_rank>;

static_assert(std::is_trivially_copyable_v<guard> && std::is_trivially_copyable_v<guard_failure>);
static_assert(noexcept(holds(guard{}, guard_context{})));
static_assert(noexcept(failure_of(guard{}, guard_context{})));

// Classes of layouts, and which dims are stretched.
constexpr any_layout dense(shape{2, 3}), pitched(shape{2, 3}, strides{8, 1}), turned(shape{2, 3}, strides{1, 2});
constexpr any_layout rows(shape{2, 3}, strides{0, 1}), all(shape{2, 3}, strides{0, 0}), scalar{shape{}};
static_assert(class_of(dense.view()) == static_cast<index_t>(stride_class::contiguous));
static_assert(class_of(scalar.view()) == static_cast<index_t>(stride_class::contiguous));
static_assert(class_of(pitched.view()) == static_cast<index_t>(stride_class::unit_inner));
static_assert(class_of(turned.view()) == static_cast<index_t>(stride_class::general));
static_assert(class_of(rows.view()) == (static_cast<index_t>(stride_class::unit_inner) | 1 << 8));
static_assert(class_of(all.view()) == (static_cast<index_t>(stride_class::general) | 3 << 8));

// The pitch is not part of a class; what is stretched is.
constexpr any_layout wider(shape{2, 3}, strides{16, 1});
static_assert(class_of(pitched.view()) == class_of(wider.view()));
static_assert(class_of(pitched.view()) != class_of(rows.view()));

// Strides of empty tensors and of extents 1 do not matter.
constexpr any_layout empty(shape{0, 3}, strides{9, 7}), single(shape{1, 3}, strides{50, 1});
static_assert(class_of(empty.view()) == static_cast<index_t>(stride_class::contiguous));
static_assert(class_of(single.view()) == static_cast<index_t>(stride_class::contiguous));

constexpr bool extent_guard(index_t expected) {
  layout_view const layouts[] = {dense.view()};
  return holds({.kind = guard_kind::extent_is, .argument = 0, .dim = 1, .expected = expected}, {.arguments = layouts});
}
static_assert(extent_guard(3) && !extent_guard(2));

}  // namespace
