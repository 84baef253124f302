// A plain local lambda: traced in this unit, fused, and run as numbers by Thrust, on the host and on
// the GPU, compared to plain loops. No closure type reaches a kernel, so no --extended-lambda.
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/compile/run.hpp>
#include <guardjit/graph/trace.hpp>
#include <guardjit/kernels/reference.hpp>
#include <guardjit/kernels/thrust.hpp>

#include <cuda_runtime.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>

#include <cstdio>

namespace gj = guardjit;

namespace {

/// The one kernel of `F` over vectors of f32, for a backend that fuses.
template <class F, int Arguments> struct fused {
  static constexpr gj::argument_type vector{gj::dtype::f32, false, gj::shape(gj::dyn)};
  using traced = std::conditional_t<Arguments == 1, gj::traced<F, gj::call_signature<vector>>,
                                    gj::traced<F, gj::call_signature<vector, vector>>>;
  using program = gj::program<traced, gj::backends::thrust_cpp>;
  static_assert(program::steps == 1);
  static constexpr gj::step what = program::kernels.steps[0];
  using formula = typename gj::detail::formula_of_step<
      program, what, std::make_integer_sequence<int, what.words>>::type;
};

constexpr int extent = 1000;

/// Runs an elementwise formula and a reduction with a backend, over arrays of its memory.
template <class Backend, class Chain, class Average>
void run(float* out, float* one, float const* x, float const* w) {
  void const* in[] = {x, w};
  gj::loop_nest<3> nest;
  nest.add_inner(extent, {1, 1, 1});
  Backend::template elementwise<Chain>(nest, out, in);
  gj::reduce_nest<3> reduction;
  reduction.inner.add_inner(extent, {0, 1, 1});
  reduction.count = extent;
  Backend::template reduce<Average>(reduction, one, in);
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
  auto const chain = [](auto x, auto w) { return gj::where(x > w, gj::relu(x * w + 0.5f), x / w); };
  auto const average = [](auto x, auto w) { return gj::mean(x * w); };  // accumulates in f64
  using chain_formula = fused<std::remove_const_t<decltype(chain)>, 2>::formula;
  using average_formula = fused<std::remove_const_t<decltype(average)>, 2>::formula;

  thrust::host_vector<float> x(extent), w(extent), expected(extent + 1), got(extent + 1);
  for (int i = 0; i < extent; ++i) {
    x[i] = static_cast<float>(i % 17) - 8.25f;
    w[i] = static_cast<float>(i % 5) - 2.0f;
  }
  run<gj::backends::reference, chain_formula, average_formula>(expected.data(), expected.data() + extent, x.data(), w.data());
  run<gj::backends::thrust_cpp, chain_formula, average_formula>(got.data(), got.data() + extent, x.data(), w.data());
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
  run<gj::backends::thrust_cuda, chain_formula, average_formula>(dout.data().get(), dout.data().get() + extent, dx.data().get(),
                                 dw.data().get());
  thrust::copy(dout.begin(), dout.end(), got.begin());
  int const n = differences(expected.data(), got.data());
  std::printf("host: equal; device: %d results differ\n", n);
  return n == 0 ? 0 : 1;
}
