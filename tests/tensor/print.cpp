// guardjit: tests/tensor/print.cpp: tensors as text, by hand and beside NumPy
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/interop/npy.hpp>
#include <guardjit/tensor/print.hpp>

#include <doctest/doctest.h>
#include <support/files.hpp>
#include <support/tensors.hpp>

#include <iomanip>
#include <limits>
#include <sstream>
#include <string>

namespace gj = guardjit;
using gj::dyn, gj::tensor, gj::to_string;
using support::contains;
using namespace support;

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                 inf = std::numeric_limits<double>::infinity();

/// What stands below dtype and shape.
std::string elements_of(gj::any_tensor const& x) {
  auto const text = to_string(x);
  return text.substr(text.find('\n') + 1);
}

}  // namespace

TEST_CASE("print: dtype, shape and elements, typed or not") {
  tensor<float, 2, dyn> const x{{1, -2.5f, 3}, {4, 5, 600}};
  std::string const text =
      "f32 (2, 3)\n"
      "[[  1. ,  -2.5,   3. ],\n"
      " [  4. ,   5. , 600. ]]";
  CHECK(to_string(x) == text);
  CHECK(to_string(gj::any_tensor(x)) == text);
  CHECK(to_string(x.view()) == text);
  CHECK(to_string(tensor<double>(1)) == "f64 ()\n1.");
  CHECK(to_string(tensor<std::uint8_t, dyn>{7, 255}) == "u8 (2)\n[  7, 255]");
  CHECK(to_string(tensor<std::int64_t, dyn>{-7, 0}) == "i64 (2)\n[-7,  0]");
  CHECK(to_string(tensor<bool, dyn>{true, false}) == "bool (2)\n[ true, false]");
  CHECK(to_string(tensor<bool>(true)) == "bool ()\ntrue");
  CHECK(to_string(tensor<float, 3, 0>{}) == "f32 (3, 0)\n[]");
  CHECK(to_string(gj::any_tensor{}) == "no tensor");
  CHECK(to_string(gj::any_tensor::adopt({}, nullptr, gj::dtype::f32, gj::any_layout(gj::shape{3}),
                                        {gj::device_kind::cuda, 1})) == "f32 (3) on cuda:1");
}

TEST_CASE("print: elements of any strides in the order of their indices") {
  for (how l : all_layouts) {
    INFO(name_of(l));
    auto const x = laid_out<double, dyn, dyn>(l, {3, 4});
    CHECK(to_string(x) == to_string(x.clone()));
  }
}

TEST_CASE("print: as many digits as a number needs, eight behind the point at most") {
  CHECK(elements_of(tensor<float, 2>{0.1f, 1.0f / 3}) == "[0.1       , 0.33333334]");
  CHECK(elements_of(tensor<double, 2>{0.1, 1.0 / 3}) == "[0.1       , 0.33333333]");
  CHECK(elements_of(tensor<double, 2>{1e8, 1}) == "[1.e+08, 1.e+00]");
  CHECK(elements_of(tensor<double, 2>{99999999, 1e6}) == "[99999999.,  1000000.]");
  CHECK(elements_of(tensor<double, 2>{0.0001, 0.09}) == "[0.0001, 0.09  ]");
  CHECK(elements_of(tensor<double, 1>{0.00009}) == "[9.e-05]");
  CHECK(elements_of(tensor<double, 3>{1.25e10, -3, 0}) == "[ 1.25e+10, -3.00e+00,  0.00e+00]");
  CHECK(elements_of(tensor<float, 2>{0.1f, 123456.79f}) == "[1.0000000e-01, 1.2345679e+05]");
  CHECK(elements_of(tensor<double, 2>{1e100, 1e5}) == "[1.e+100, 1.e+005]");
  CHECK(elements_of(tensor<double, 4>{nan, -inf, 1.5, -0.0}) == "[ nan, -inf,  1.5, -0. ]");
  CHECK(elements_of(tensor<double, 2>{nan, -nan}) == "[nan, nan]");
  CHECK(elements_of(tensor<double, 1>{std::numeric_limits<double>::max()}) == "[1.79769313e+308]");
  CHECK(elements_of(tensor<double, 1>{-std::numeric_limits<double>::denorm_min()}) == "[-5.e-324]");
  CHECK(elements_of(tensor<std::int64_t, 1>{std::numeric_limits<std::int64_t>::min()}) ==
        "[-9223372036854775808]");
}

TEST_CASE("print: of more than a thousand elements three at each edge") {
  CHECK(elements_of(counted(tensor<std::int64_t, dyn>(1001), 0)) ==
        "[   0,    1,    2, ...,  998,  999, 1000]");
  CHECK(contains(elements_of(counted(tensor<std::int64_t, dyn>(1000), 0)), "498, 499"));
  CHECK(elements_of(counted(tensor<float, dyn, dyn>(500, 6), 0)) ==
        "[[0.000e+00, 1.000e+00, 2.000e+00, 3.000e+00, 4.000e+00, 5.000e+00],\n"
        " [6.000e+00, 7.000e+00, 8.000e+00, 9.000e+00, 1.000e+01, 1.100e+01],\n"
        " [1.200e+01, 1.300e+01, 1.400e+01, 1.500e+01, 1.600e+01, 1.700e+01],\n"
        " ...,\n"
        " [2.982e+03, 2.983e+03, 2.984e+03, 2.985e+03, 2.986e+03, 2.987e+03],\n"
        " [2.988e+03, 2.989e+03, 2.990e+03, 2.991e+03, 2.992e+03, 2.993e+03],\n"
        " [2.994e+03, 2.995e+03, 2.996e+03, 2.997e+03, 2.998e+03, 2.999e+03]]");
  // What is not shown is not looked at: this one has more elements than memory.
  float const zero = 0;
  gj::tensor_view<float const, dyn, dyn> const vast(
      &zero, gj::layout<2>({gj::index_t{1} << 31, gj::index_t{1} << 31}, {0, 0}));
  CHECK(to_string(vast).starts_with(
      "f32 (2147483648, 2147483648)\n[[0., 0., 0., ..., 0., 0., 0.],\n [0., "));
}

TEST_CASE("print: long rows go on below, and matrices are apart") {
  CHECK(elements_of(counted(tensor<std::uint8_t, dyn>(30), 100)) ==
        "[100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114,\n"
        " 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129]");
  CHECK(elements_of(counted(tensor<std::uint8_t, 2, 2, 2>{})) ==
        "[[[1, 2],\n"
        "  [3, 4]],\n"
        "\n"
        " [[5, 6],\n"
        "  [7, 8]]]");
}

TEST_CASE("print: streams take tensors between other texts, and ignore width and flags") {
  std::ostringstream out;
  out << std::setw(40) << std::scientific << tensor<float, 1>{2} << "; "
      << gj::any_tensor(tensor<bool>(false)) << '\n';
  CHECK(out.str() == "f32 (1)\n[2.]; bool ()\nfalse\n");
}

TEST_CASE("print: the text is NumPy's") {
  CHECK(elements_of(counted(tensor<float, 2, 2>{})) == "[[1., 2.],\n [3., 4.]]");
  if (python_with_numpy().empty()) return;
  temporary_folder const folder;
  REQUIRE(run_numpy("tests/conformance/artifacts/numpy_side.py", "text " + folder.path()));
  int compared = 0;
  for (; std::filesystem::exists(folder / std::to_string(compared) + ".txt"); ++compared) {
    auto const name = folder / std::to_string(compared);
    auto const x = gj::load_npy((name + ".npy").c_str());
    CHECK(elements_of(x) == content_of(name + ".txt"));
  }
  CHECK(compared > 60);
}
