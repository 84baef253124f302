// guardjit: tests/static/compile/nests.cpp: loops made of layouts
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/compile/nests.hpp>

using namespace guardjit;

namespace {

using strides = std::array<index_t, max_rank>;

// (2, 3, 4) row-major, all of it one loop.
constexpr any_layout dense(shape{2, 3, 4});
constexpr auto whole =
    elementwise_nest<3>(dense.shape(), {dense.view(), dense.view(), dense.view()});
static_assert(whole.rank == 1 && whole.extents[0] == 24);
static_assert(whole.strides[0] == std::array<index_t, 3>{1, 1, 1});

// A bias of shape (4) and a scalar are stretched.
constexpr any_layout bias(shape{4}), scalar{shape{}};
constexpr auto broadcast =
    elementwise_nest<3>(dense.shape(), {dense.view(), bias.view(), scalar.view()});
static_assert(broadcast.rank == 2 && broadcast.extents[0] == 6 && broadcast.extents[1] == 4);
static_assert(broadcast.strides[0] == std::array<index_t, 3>{4, 0, 0});
static_assert(broadcast.strides[1] == std::array<index_t, 3>{1, 1, 0});

// (3, 2) seen transposed, and with the rows reversed.
constexpr any_layout transposed(shape{2, 3}, strides{1, 2});
constexpr any_layout plain(shape{2, 3});
constexpr auto turned = elementwise_nest<2>(plain.shape(), {plain.view(), transposed.view()});
static_assert(turned.rank == 2 && turned.strides[0] == std::array<index_t, 2>{3, 1});
static_assert(turned.strides[1] == std::array<index_t, 2>{1, 2});

// An extent 0 is kept, rank 0 has no loop.
static_assert(elementwise_nest<1>(shape{2, 0}, {any_layout(shape{2, 0}).view()}).extents[1] == 0);
static_assert(elementwise_nest<1>(shape{}, {scalar.view()}).rank == 0);

// Over axis 1 of (2, 3, 4).
constexpr auto middle = reduce_nest_of<1>(dense.shape(), 0b010, {dense.view()});
static_assert(middle.count == 3 && middle.outer.rank == 2 && middle.inner.rank == 1);
static_assert(middle.outer.strides[0] == std::array<index_t, 2>{4, 12});
static_assert(middle.outer.strides[1] == std::array<index_t, 2>{1, 1});
static_assert(middle.inner.extents[0] == 3 &&
              middle.inner.strides[0] == std::array<index_t, 2>{0, 4});

// Over all axes: one inner loop; over none: one element each.
constexpr auto all = reduce_nest_of<1>(dense.shape(), 0b111, {dense.view()});
static_assert(all.count == 24 && all.outer.rank == 0 && all.inner.rank == 1 &&
              all.inner.extents[0] == 24);
constexpr auto none = reduce_nest_of<1>(dense.shape(), 0, {dense.view()});
static_assert(none.count == 1 && none.inner.rank == 0 && none.outer.extents[0] == 24);
static_assert(reduce_nest_of<1>(shape{2, 0}, 0b10, {any_layout(shape{2, 0}).view()}).count == 0);

// Elements one after another in all operands.
static_assert(loop_nest<2>{}.contiguous == 1);
static_assert(elementwise_nest(dense.shape(), std::array{dense.view(), dense.view()}).contiguous == 24);
static_assert(elementwise_nest(dense.shape(), std::array{dense.view(), bias.view()}).contiguous == -1);
static_assert(elementwise_nest(shape{3}, std::array{any_layout(shape{3}, strides{2}).view()}).contiguous == -1);
static_assert(elementwise_nest(shape{0}, std::array{any_layout(shape{0}).view()}).contiguous == 0);
static_assert(elementwise_nest(shape{1, 1}, std::array{any_layout(shape{1, 1}).view()}).contiguous == 1);

// Rows of (2, 3, 4), with one value a row and a stretched row beside.
constexpr any_layout a_row(shape{2, 3, 1});
constexpr auto rows =
    row_nest_of<3>(dense.shape(), false, {dense.view(), a_row.view(), bias.view()});
static_assert(rows.length == 4 && rows.step == std::array<index_t, 4>{1, 1, 0, 1});
static_assert(rows.rows.rank == 1 && rows.rows.extents[0] == 6);
static_assert(rows.rows.strides[0] == std::array<index_t, 4>{4, 4, 1, 0} && rows.results() == 4);
constexpr auto sums = row_nest_of<1>(dense.shape(), true, {dense.view()});
static_assert(sums.length == 4 && sums.step == std::array<index_t, 2>{0, 1} && sums.results() == 1);
static_assert(sums.rows.extents[0] == 6 && sums.rows.strides[0] == std::array<index_t, 2>{1, 4});

// A mean divides by less, or by nothing.
static_assert(reduce_nest_of<1>(dense.shape(), 0b110, {dense.view()}, 1).count == 11);
static_assert(reduce_nest_of<1>(dense.shape(), 0b100, {dense.view()}, 5).count == 0);
static_assert(reduce_nest_of<1>(shape{2, 0}, 0b10, {any_layout(shape{2, 0}).view()}, -1).count == 0);

// (2, 3) times (3, 4); the right side transposed.
constexpr any_layout left(shape{2, 3}), right(shape{3, 4}, strides{1, 3});
constexpr auto product = matmul_nest_of(left.view(), right.view());
static_assert(product.m == 2 && product.n == 4 && product.k == 3 && product.batch.rank == 0);
static_assert(product.left_row == 3 && product.left_column == 1);
static_assert(product.right_row == 1 && product.right_column == 3);

// Rank 1 on either side.
constexpr any_layout vector(shape{3}, strides{-1});
constexpr auto by_row = matmul_nest_of(vector.view(), right.view());
static_assert(by_row.m == 1 && by_row.n == 4 && by_row.k == 3 && by_row.left_column == -1);
constexpr auto by_column = matmul_nest_of(left.view(), vector.view());
static_assert(by_column.m == 2 && by_column.n == 1 && by_column.k == 3 &&
              by_column.right_row == -1);
constexpr auto dot = matmul_nest_of(vector.view(), vector.view());
static_assert(dot.m == 1 && dot.n == 1 && dot.k == 3 && dot.batch.rank == 0);

// Batches (5, 1) and (7): (5, 1, 2, 3) times (7, 3, 4).
constexpr any_layout many(shape{5, 1, 2, 3}), more(shape{7, 3, 4});
constexpr auto batched = matmul_nest_of(many.view(), more.view());
static_assert(batched.batch.rank == 2 && batched.batch.extents[0] == 5 &&
              batched.batch.extents[1] == 7);
static_assert(batched.batch.strides[0] == std::array<index_t, 3>{56, 6, 0});
static_assert(batched.batch.strides[1] == std::array<index_t, 3>{8, 0, 12});

}  // namespace
