// What you learn: tensors whose dtype and shape a file decides: ops on them, and compiled functions with `signature`.
// Run:    build/examples/09_run_time_types [folder with digits, by default examples/data/digits]
// Prints: what the files hold, a summary for each dtype, why other extents miss, what an unexpected tensor is told.
#include <guardjit/guardjit.hpp>
#include <guardjit/interop/npy.hpp>
#include <guardjit/tensor/print.hpp>

#include <iostream>
#include <string>
#include <tuple>

namespace gj = guardjit;
using gj::any_tensor;

double value(any_tensor const& x) { return gj::to<double>(x).item<double>(); }
gj::fixed_text type_of(any_tensor const& x) { return gj::fixed_text(gj::name_of(x.type())) << ' ' << x.shape(); }

int main(int argc, char** argv) try {
  std::string const folder = argc > 1 ? argv[1] : "examples/data/digits";
  any_tensor const images = gj::load_npy((folder + "/images_u8.npy").c_str());
  any_tensor const weights = gj::load_npy((folder + "/w1.npy").c_str());

  // Ops on tensors of run-time types run at once, by the rules of the dtypes that they meet.
  any_tensor const bright = gj::to<std::int32_t>(gj::round(gj::mean(images, gj::axes(0))));
  std::cout << "images: " << type_of(images).c_str() << ", weights: " << type_of(weights).c_str() << "\nmean image: "
            << gj::reshape(bright, {8, 8}) << '\n';

  // [readme]
  // A compiled function names what it may be given: here each of three dtypes, as a matrix or as a stack of matrices.
  // For each pair a kernel is ready; a call looks at dtype and rank, then at its guards.
  auto const summary = gj::compile(
      [](auto const& x) { return std::tuple(gj::amin(x), gj::amax(x), gj::mean(x)); }, gj::name<"summary">,
      gj::signatures<gj::dtypes<std::uint8_t, float, double>, gj::ranks<2>, gj::ranks<3>>);
  // [/readme]
  for (any_tensor const& x : {images, weights, gj::to<double>(weights), gj::unsqueeze(images, 0)}) {
    auto const [least, most, mean] = summary(x);
    std::cout << type_of(x).c_str() << ": from " << value(least) << " to " << value(most) << ", mean of type "
              << gj::name_of(mean.type()) << ' ' << value(mean) << '\n';
  }

  // Each pair has entries of its own: half of the images misses the one of u8 and rank 2.
  any_tensor const half = gj::slice(images, 0, 0, images.extent(0) / 2);
  std::string const reasons = summary.explain_miss(half).to_string();
  std::cout << type_of(half).c_str() << " would miss, since " << reasons << '\n';

  // What it does not know is refused, with all that it knows.
  std::string refusal;
  try {
    summary(gj::to<std::int64_t>(images));
  } catch (gj::dtype_error const& e) {
    refusal = e.what();
  }
  std::cout << refusal << '\n';

  // The same values as the ops one by one, four entries, and no fifth for what was refused.
  auto const [least, most, mean] = summary(images);
  bool const right = least.item<std::uint8_t>() == gj::amin(images).item<std::uint8_t>() &&
                     most.item<std::uint8_t>() == gj::amax(images).item<std::uint8_t>() &&
                     mean.item<double>() == gj::mean(images).item<double>() && summary.compiles() == 4;
  bool const told = reasons == "summary/0: arg[0].extent(0): expected 450, got 225" &&
                    refusal.find("arg[0] is i64 of rank 2") != std::string::npos;
  return right && told ? 0 : 1;
} catch (std::exception const& e) {
  std::cout << e.what() << '\n';
  return 1;
}
