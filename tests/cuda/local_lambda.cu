// A fused formula as numbers, through Thrust on the GPU and on the host, compared to plain loops.
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/kernels/reference.hpp>
#include <guardjit/kernels/thrust.hpp>

#include <cuda_runtime.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>

#include <cstdio>

namespace gj = guardjit;
using gj::dtype, gj::op;

namespace {

constexpr std::uint64_t node(op id, dtype type, int a = 0, int b = 0, int c = 0) {
  return gj::formula_node{id, type, a, b, c}.word();
}
constexpr std::uint64_t bits(double v) { return __builtin_bit_cast(std::uint64_t, v); }
constexpr auto f = dtype::f32;

/// relu(x * w + 0.5) where x > w, else x / w.
using chain = gj::numbers<2, 9, node(op::input, f, 0), node(op::input, f, 1),
                          node(op::constant, f, 9), node(op::mul, f, 0, 1), node(op::add, f, 3, 2),
                          node(op::relu, f, 4), node(op::gt, dtype::boolean, 0, 1),
                          node(op::div, f, 0, 1), node(op::where, f, 6, 5, 7), bits(0.5)>;
/// mean(x * w), which accumulates in f64.
using average = gj::numbers<2, 4, node(op::input, f, 0), node(op::input, f, 1),
                            node(op::mul, f, 0, 1), node(op::mean, f, 2)>;

constexpr int extent = 1000;

/// Runs both formulas with a backend over arrays of its memory.
template <class Backend> void run(float* out, float* one, float const* x, float const* w) {
  void const* in[] = {x, w};
  gj::loop_nest<3> nest;
  nest.add_inner(extent, {1, 1, 1});
  Backend::template elementwise<chain>(nest, out, in);
  gj::reduce_nest<3> reduction;
  reduction.inner.add_inner(extent, {0, 1, 1});
  reduction.count = extent;
  Backend::template reduce<average>(reduction, one, in);
}

/// Number of results whose bits differ; there is no inexact function in the formulas.
int differences(float const* a, float const* b) {
  int n = 0;
  for (int i = 0; i <= extent; ++i)
    n += __builtin_bit_cast(std::uint32_t, a[i]) != __builtin_bit_cast(std::uint32_t, b[i]);
  return n;
}

}  // namespace

int main() {
  thrust::host_vector<float> x(extent), w(extent), expected(extent + 1), got(extent + 1);
  for (int i = 0; i < extent; ++i) {
    x[i] = static_cast<float>(i % 17) - 8.25f;
    w[i] = static_cast<float>(i % 5) - 2.0f;
  }
  run<gj::backends::reference>(expected.data(), expected.data() + extent, x.data(), w.data());
  run<gj::backends::thrust_cpp>(got.data(), got.data() + extent, x.data(), w.data());
  if (int const n = differences(expected.data(), got.data())) {
    std::printf("thrust on the host: %d results differ\n", n);
    return 1;
  }
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::puts("host: equal; no CUDA device: compiled and linked, not run on one");
    return 0;
  }
  thrust::device_vector<float> dx = x, dw = w, dout(extent + 1);
  run<gj::backends::thrust_cuda>(dout.data().get(), dout.data().get() + extent, dx.data().get(),
                                 dw.data().get());
  thrust::copy(dout.begin(), dout.end(), got.begin());
  int const n = differences(expected.data(), got.data());
  std::printf("host: equal; device: %d results differ\n", n);
  return n == 0 ? 0 : 1;
}
