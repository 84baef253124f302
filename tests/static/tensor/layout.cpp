// guardjit: tests/static/tensor/layout.cpp: canonical strides, hashes, spans
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/tensor/layout.hpp>

namespace gj = guardjit;
using gj::any_layout, gj::layout, gj::shape;

using given = std::array<gj::index_t, gj::max_rank>;

// Row-major strides by default, also without axes.
static_assert(layout<3>({2, 3, 4}).stride(0) == 12 && layout<3>({2, 3, 4}).stride(2) == 1);
static_assert(layout<0>{} == layout<0>{} && layout<0>{}.view().count() == 1);
static_assert(any_layout{}.rank() == 0 && any_layout{}.shape().count() == 1);

// Equal meaning is equal bytes and an equal hash, whatever strides were given.
static_assert(layout<2>({1, 4}, {99, 1}) == layout<2>({1, 4}));
static_assert(layout<2>({4, 1}, {1, 99}).hash() == layout<2>({4, 1}).hash());
static_assert(layout<3>({2, 0, 4}, {7, 8, 9}) == layout<3>({2, 0, 4}));
static_assert(any_layout(shape{1, 4}, given{99, 1}) == any_layout(shape{1, 4}));

// The rank at run time changes nothing.
static_assert(any_layout(shape{2, 3}).hash() == layout<2>({2, 3}).hash());
static_assert(any_layout(layout<2>({2, 3}, {1, 2}).view()).hash() ==
              layout<2>({2, 3}, {1, 2}).hash());

// What differs hashes differently.
static_assert(layout<2>({2, 3}).hash() != layout<2>({3, 2}).hash());
static_assert(layout<2>({2, 3}).hash() != layout<2>({2, 3}, {1, 2}).hash());
static_assert(layout<1>({6}).hash() != layout<2>({2, 3}).hash());
static_assert(layout<2>({2, 3}) != layout<2>({2, 3}, {0, 1}));

static_assert(gj::is_contiguous(layout<2>({2, 3}).view()));
static_assert(gj::is_contiguous(layout<2>({2, 0}, {5, 5}).view()));
static_assert(gj::is_contiguous(layout<0>{}.view()));
static_assert(!gj::is_contiguous(layout<2>({2, 3}, {1, 2}).view()));
static_assert(!gj::is_contiguous(layout<1>({3}, {-1}).view()));
static_assert(!gj::is_contiguous(layout<1>({3}, {0}).view()));

static_assert(gj::has_repeated_elements(layout<2>({2, 3}, {0, 1}).view()));
static_assert(!gj::has_repeated_elements(layout<2>({1, 3}, {0, 1}).view()));
static_assert(!gj::has_repeated_elements(layout<2>({2, 0}, {0, 1}).view()));
