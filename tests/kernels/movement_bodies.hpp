// guardjit: tests/kernels/movement_bodies.hpp: what every backend must do to move elements
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_KERNELS_MOVEMENT_BODIES_HPP
#define GUARDJIT_TESTS_KERNELS_MOVEMENT_BODIES_HPP

#include "harness.hpp"

#include <guardjit/reference/movement.hpp>
#include <guardjit/tensor/views.hpp>

#include <memory>

namespace kernel_tests {

/// A layout of some extents in an array: row-major with gaps, transposed, or reversed.
struct placed {
  any_layout layout;
  index_t offset = 0, size = 0;

  placed(shape const& extents, int how) {
    std::array<index_t, max_rank> strides{};
    index_t step = how == 1 ? 2 : 1;
    for (int n = 0; n < extents.rank; ++n) {
      int const d = how == 2 ? n : extents.rank - 1 - n;
      strides[static_cast<unsigned>(d)] = how == 3 ? -step : step;
      if (how == 3) offset += (extents[d] - 1) * step;
      step *= extents[d] + (how == 1 ? 1 : 0);
    }
    size = step + 2;
    layout = any_layout(extents, strides);
  }
  index_t at(std::array<index_t, 3> const& index) const {
    index_t place = offset;
    for (int d = 0; d < layout.rank(); ++d) place += index[static_cast<unsigned>(d)] * layout.stride(d);
    return place;
  }
};

/// take and gather along each axis of rank 3, for every layout of x and of the index.
template <class Backend, class T, class Index> void chosen_elements() {
  shape const from(3, 4, 17);
  for (op id : {op::take, op::gather})
    for (int axis = 0; axis < 3; ++axis)
      for (int how = 0; how < 16; ++how) {
        placed const x(from, how % 4);
        shape form = from;
        form[axis] = 5;
        placed const i(id == op::take ? shape(5) : form, how / 4);
        auto const in = std::make_unique<T[]>(static_cast<std::size_t>(x.size));
        for (index_t k = 0; k < x.size; ++k) in[static_cast<std::size_t>(k)] = random_value<T>();
        index_t const extent = from[axis];
        std::vector<Index> indices(static_cast<std::size_t>(i.size));
        for (Index& value : indices)
          value = static_cast<Index>(static_cast<index_t>(next_random()) % (2 * extent) - extent);
        any_layout const to(form);
        auto const out = std::make_unique<T[]>(static_cast<std::size_t>(form.count()));
        gather_nest const nest = gather_nest_of(id, to.view(), x.layout.view(), i.layout.view(), axis);
        Backend::template gather<T, Index>(nest, out.get(), in.get() + x.offset, indices.data() + i.offset);
        int wrong = 0;
        for (index_t k = 0; k < form.count(); ++k) {
          std::array<index_t, 3> place{k / form[2] / form[1], k / form[2] % form[1], k % form[2]};
          index_t& along = place[static_cast<unsigned>(axis)];
          index_t const at = id == op::take ? i.at({along}) : i.at(place);
          index_t const chosen = static_cast<index_t>(indices[static_cast<std::size_t>(at)]);
          along = chosen < 0 ? chosen + extent : chosen;
          wrong += same(out[static_cast<std::size_t>(k)], in[static_cast<std::size_t>(x.at(place))]) ? 0 : 1;
        }
        CAPTURE(axis);
        CAPTURE(how);
        CHECK(wrong == 0);
      }
}

/// The first index out of range, in order of the logical index, for every layout.
template <class Backend, class Index> void first_wrong_index() {
  for (int how = 0; how < 4; ++how) {
    placed const i(shape(7, 5), how);
    std::vector<Index> indices(static_cast<std::size_t>(i.size), 99);
    for (index_t k = 0; k < 35; ++k)
      indices[static_cast<std::size_t>(i.at({k / 5, k % 5}))] = static_cast<Index>(k % 9 - 4);
    loop_nest<1> const nest = index_nest_of(i.layout.view());
    auto const test = [&](index_t extent) {
      return Backend::template first_outside<Index>(nest, indices.data() + i.offset, extent);
    };
    CHECK_FALSE(test(5).found);
    CHECK(test(4).found);  // 4
    CHECK(test(4).value == 4);
    CHECK(test(3).value == -4);
    CHECK(test(0).value == -4);
    indices[static_cast<std::size_t>(i.at({6, 4}))] = -6;
    CHECK(test(5).value == -6);
    indices[static_cast<std::size_t>(i.at({1, 0}))] = 5;
    CHECK(test(5).value == 5);
  }
  CHECK_FALSE(Backend::template first_outside<Index>(index_nest_of(any_layout(shape(0)).view()), nullptr, 0).found);
}

template <class Backend> void whole_numbers() {
  std::vector<std::int64_t> out(1001, -1);
  Backend::arange(out.data(), 1000);
  int wrong = 0;
  for (std::size_t k = 0; k < 1000; ++k) wrong += out[k] == static_cast<std::int64_t>(k) ? 0 : 1;
  CHECK(wrong == 0);
  CHECK(out[1000] == -1);
}

template <class Backend> void moved_elements() {
  chosen_elements<Backend, bool, std::int32_t>();
  chosen_elements<Backend, std::uint8_t, std::int64_t>();
  chosen_elements<Backend, std::int32_t, std::int32_t>();
  chosen_elements<Backend, std::int64_t, std::int64_t>();
  chosen_elements<Backend, float, std::int32_t>();
  chosen_elements<Backend, double, std::int64_t>();
  first_wrong_index<Backend, std::int32_t>();
  first_wrong_index<Backend, std::int64_t>();
  whole_numbers<Backend>();
}

}  // namespace kernel_tests

#endif
