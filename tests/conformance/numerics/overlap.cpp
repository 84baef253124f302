// guardjit: tests/conformance/numerics/overlap.cpp: both sides of an assignment in one memory, every way they can meet
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/guardjit.hpp>

#include <doctest/doctest.h>

#include "support/tensors.hpp"

namespace gj = guardjit;
using gj::dyn;
using gj::index_t;

namespace {

using vec = gj::tensor<float, dyn>;
using mat = gj::tensor<float, dyn, dyn>;

/// Where the elements of a view lie in a memory.
template <std::size_t Rank> struct place {
  index_t offset;
  std::array<index_t, Rank> extents, strides;
};
using line = place<1>;
using block = place<2>;

/// All lines of `count` elements within `size`, by steps of either sign.
std::vector<line> lines(index_t size, index_t count) {
  std::vector<line> all;
  for (index_t step : {1, -1, 2, -2, 3})
    for (index_t start = 0; start < size; ++start)
      if (index_t const last = start + (count - 1) * step; last >= 0 && last < size)
        all.push_back({start, {count}, {step}});
  return all;
}
/// All square blocks of a matrix, as they lie, transposed, upside down and turned.
std::vector<block> blocks(index_t size, index_t count) {
  std::vector<block> all;
  for (index_t i = 0; i + count <= size; ++i)
    for (index_t j = 0; j + count <= size; ++j) {
      index_t const first = i * size + j, below = first + (count - 1) * size;
      all.push_back({first, {count, count}, {size, 1}});
      all.push_back({first, {count, count}, {1, size}});
      all.push_back({below, {count, count}, {-size, 1}});
      all.push_back({below, {count, count}, {1, -size}});
    }
  return all;
}

/// Elements 1, 2, … of one memory.
vec memory_of(index_t size, vec const&) { return support::vec(size); }
mat memory_of(index_t size, mat const&) { return support::mat(size, size); }

template <class Tensor, std::size_t Rank> Tensor view_of(Tensor const& memory, place<Rank> const& p) {
  return Tensor::adopt(memory.storage(), const_cast<float*>(memory.data()) + p.offset,
                       gj::layout<int{Rank}>(p.extents, p.strides));
}

/// `assign(left, right)` writes what `value(left, right)` gives of copies, and nothing else.
template <class Tensor, std::size_t Rank>
void sweep(index_t size, std::vector<place<Rank>> const& places, auto const& assign, auto const& value) {
  int wrong = 0;
  for (auto const& l : places)
    for (auto const& r : places) {
      auto const memory = memory_of(size, Tensor()), want = memory_of(size, Tensor());
      Tensor left = view_of(memory, l);
      Tensor const right = view_of(memory, r);
      Tensor const result = value(left.clone(), right.clone());
      gj::copy_elements(sizeof(float), view_of(want, l).layout().view(), const_cast<float*>(want.data()) + l.offset,
                        result.layout().view(), result.data());
      assign(left, right);
      wrong += support::same_bits(memory, want) ? 0 : 1;
      if (wrong > 0) {
        CAPTURE(l.offset);
        CAPTURE(l.strides[0]);
        CAPTURE(r.offset);
        CAPTURE(r.strides[0]);
        REQUIRE(wrong == 0);
      }
    }
  CHECK(places.size() > 8);
  CHECK(wrong == 0);
}

template <class Tensor, std::size_t Rank> void sweep_forms(index_t size, std::vector<place<Rank>> const& places) {
  auto const check = [&](auto const& assign, auto const& value) { sweep<Tensor>(size, places, assign, value); };
  check([](auto& l, auto const& r) { l.view() = r; }, [](auto const&, auto const& r) { return r; });
  check([](auto& l, auto const& r) { gj::slice(l, 0, 0) = r; }, [](auto const&, auto const& r) { return r; });
  check([](auto& l, auto const& r) { l.view() = r * 2 - l; },
        [](auto const& l, auto const& r) { return Tensor(r * 2 - l); });
  check([](auto& l, auto const& r) { l += r; }, [](auto const& l, auto const& r) { return Tensor(l + r); });
  check([](auto& l, auto const& r) { l -= r * l; },
        [](auto const& l, auto const& r) { return Tensor(l - r * l); });
  auto const scaled = [](auto const& l, auto const& r) { return r / gj::amax(r, gj::axes(0), gj::keepdims) + l; };
  check([&](auto& l, auto const& r) { l.view() = scaled(l, r); },
        [&](auto const& l, auto const& r) { return Tensor(scaled(l, r)); });
}

}  // namespace

TEST_CASE("lines of one memory: every start, step and overlap") {
  for (index_t count : {1, 2, 5}) sweep_forms<vec>(11, lines(11, count));
  sweep_forms<vec>(40, lines(40, 17));
}

TEST_CASE("blocks of one matrix: every shift, transposed and turned") {
  for (index_t count : {2, 3}) sweep_forms<mat>(5, blocks(5, count));
  sweep<mat>(
      5, blocks(5, 3), [](auto& l, auto const& r) { l.view() = gj::matmul(r, l); },
      [](auto const& l, auto const& r) { return mat(gj::matmul(r, l)); });
}

TEST_CASE("a handle takes a value of its own transposed elements, whatever its layout") {
  for (index_t n : {1, 2, 5, 16, 17})
    for (block const& p : blocks(n, n))
      for (bool shared : {false, true}) {
        mat x = view_of(support::mat(n, n), p);
        mat const before = x.clone(), other = shared ? x : mat();
        x = x + gj::transpose(x);
        bool right = true;
        for (index_t i = 0; i < n; ++i)
          for (index_t j = 0; j < n; ++j)
            right = right && x(i, j) == before(i, j) + before(j, i) && (!shared || other(i, j) == before(i, j));
        CHECK(right);
      }
}
