// guardjit: tests/static/tensor/views.cpp: views are computed in the compiler, too
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/tensor/views.hpp>

namespace gj = guardjit;
using gj::any_layout, gj::shape;

constexpr any_layout base(shape{2, 3, 4});
constexpr int order[] = {2, 0, -2};

static_assert(gj::permuted(base.view(), order).layout.shape() == shape{4, 2, 3});
static_assert(gj::permuted(base.view(), order).layout.stride(0) == 1);
static_assert(gj::permuted(base.view(), order).layout.stride(2) == 4);
static_assert(gj::sliced(base.view(), 1, 1, 3, 1).layout.shape() == shape{2, 2, 4});
static_assert(gj::sliced(base.view(), 1, 1, 3, 1).offset == 4);
// The largest step is not multiplied with a stride: that would overflow, an error here.
static_assert(gj::sliced(base.view(), 0, 1, 2, INT64_MAX).layout.shape() == shape{1, 3, 4});
static_assert(gj::sliced(base.view(), 0, 1, 0, INT64_MIN).offset == 12);
static_assert(gj::expanded(any_layout(shape{3, 1}).view(), shape{2, 3, 5}).layout.stride(0) == 0);
static_assert(gj::expanded(any_layout(shape{3, 1}).view(), shape{2, 3, 5}).layout.stride(1) == 1);
static_assert(gj::reshaped(base.view(), shape{6, -1}).layout.shape() == shape{6, 4});
static_assert(gj::resolve_axis("f(x)", -1, 3) == 2);
