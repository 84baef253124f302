// guardjit: kernels/thrust.hpp: the backends on Thrust: its CPP system, and CUDA where nvcc compiles
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_KERNELS_THRUST_HPP
#define GUARDJIT_KERNELS_THRUST_HPP

#include <guardjit/kernels/thrust/bodies.hpp>

// Thrust takes CUDA for its device unless told otherwise, with headers that only nvcc has.
#if !defined(__CUDACC__) && !defined(THRUST_DEVICE_SYSTEM)
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_CPP
#endif
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/system/cpp/execution_policy.h>
#ifdef __CUDACC__
#include <thrust/system/cuda/execution_policy.h>
#endif
#include <thrust/transform_reduce.h>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Kernels as Thrust algorithms over counting iterators; `Policy::get()` says where they run.
template <class Policy> struct thrust_kernels {
  static constexpr bool fuses = true;

  template <class Formula> static void elementwise(loop_nest<Formula::inputs + 1> const& nest,
                                                   void* out, void const* const* in) {
    element_body<Formula> const body{flat_nest<Formula::inputs + 1>(nest), {out, in}};
    run(body.nest.count(), body);
  }
  template <class Formula> static void reduce(reduce_nest<Formula::inputs + 1> const& nest,
                                              void* out, void const* const* in) {
    using loops = flat_nest<Formula::inputs + 1>;
    reduction_body<Formula> const body{loops(nest.outer), loops(nest.inner), nest.count, {out, in}};
    run(body.outer.count(), body);
  }
  template <class Formula>
  static void rows(row_nest<Formula::inputs + 1> const& nest, void* out, void const* const* in) {
    row_body<Formula> body{flat_nest<Formula::inputs + 1>(nest.rows), nest.length, nest.results(), {},
                           {out, in}};
    for (unsigned k = 0; k <= Formula::inputs; ++k) body.step[k] = nest.step[k];
    run(body.rows.count(), body);
  }
  template <class T>
  static void matmul(matmul_nest const& nest, void* out, void const* left, void const* right) {
    product_body<T> const body{flat_nest<3>(nest.batch),
                               nest.m,
                               nest.n,
                               nest.k,
                               nest.left_row,
                               nest.left_column,
                               nest.right_row,
                               nest.right_column,
                               static_cast<T*>(out),
                               static_cast<T const*>(left),
                               static_cast<T const*>(right)};
    run(body.batch.count() * nest.m * nest.n, body);
  }
  template <element T, element Index>
  static void gather(gather_nest const& nest, void* out, void const* x, void const* index) {
    gather_body<T, Index> const body{flat_nest<3>(nest.loops), nest.step, nest.extent, out, x, index};
    run(body.loops.count(), body);
  }
  template <element Index>
  static outside_index first_outside(loop_nest<1> const& nest, void const* index, index_t extent) {
    outside_body<Index> const body{flat_nest<1>(nest), extent, index};
    ::thrust::counting_iterator<index_t> const first(0);
    numbered_index const found = ::thrust::transform_reduce(
        Policy::get(), first, first + body.loops.count(), body, numbered_index{}, earlier_index{});
    return {found.number != INT64_MAX, found.value};
  }
  static void arange(std::int64_t* out, index_t count) { run(count, arange_body{out}); }

 private:
  template <class Body> static void run(index_t steps, Body const& body) {
    ::thrust::for_each_n(Policy::get(), ::thrust::counting_iterator<index_t>(0), steps, body);
  }
};

struct thrust_cpp_policy {
  static auto get() { return ::thrust::cpp::par; }
};
#ifdef __CUDACC__
struct thrust_cuda_policy {
  static auto get() { return ::thrust::cuda::par; }
};
#endif

}  // namespace detail

namespace backends {

/// Thrust on the host: tests the formulas and loops of the GPU without one.
struct thrust_cpp : detail::thrust_kernels<detail::thrust_cpp_policy> {
  static constexpr char const* name = "thrust_cpp";
};

#ifdef __CUDACC__
/// Thrust on the GPU; arrays are device memory.
struct thrust_cuda : detail::thrust_kernels<detail::thrust_cuda_policy> {
  static constexpr char const* name = "thrust_cuda";
};
#endif

}  // namespace backends

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
