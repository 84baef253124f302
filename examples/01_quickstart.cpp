// What you learn: describe a tensor function as a lambda, compile it, watch it.
// Run:    ./dev demo            (argument: the folder of the data, default examples/data/digits)
// Prints: how well a small network reads 450 handwritten digits, and what happened on the way.
#include <guardjit/guardjit.hpp>
#include <guardjit/interop/npy.hpp>

#include <cmath>
#include <cstdio>
#include <string>

namespace gj = guardjit;
using gj::dyn, gj::tensor;

// [readme]
constexpr auto network = [](auto const& x, auto const& w1, auto const& b1, auto const& w2, auto const& b2,
                            auto const& w3, auto const& b3) {
  auto const h1 = gj::relu(gj::matmul(x, w1) + b1);
  auto const h2 = gj::relu(gj::matmul(h1, w2) + b2);
  return gj::matmul(h2, w3) + b3;
};
// [/readme]

int main(int count, char** arguments) try {
  std::string const folder = count > 1 ? arguments[1] : "examples/data/digits";
  auto const load = [&folder](char const* name) { return gj::load_npy((folder + "/" + name + ".npy").c_str()); };

  // Files have dtype and rank at run time; `as` checks them once and gives a typed handle.
  tensor images = load("images_u8").as<std::uint8_t, dyn, 64>();
  tensor labels = load("labels").as<std::int64_t, dyn>();
  tensor expected = load("expected_logits_f64").as<double, dyn, 10>();
  auto weights = gj::bind(load("w1").as<float, 64, 128>(), load("b1").as<float, 128>(),
                          load("w2").as<float, 128, 64>(), load("b2").as<float, 64>(),
                          load("w3").as<float, 64, 10>(), load("b3").as<float, 10>());

  // The C++ compiler has traced and fused the network; here only the weights are bound to it.
  auto classify = gj::compile(network, gj::name<"digits">, weights);

  gj::op_counter compiled_ops, eager_ops;
  gj::index_t right = 0, total = images.extent(0);
  double error = 0;
  std::string reason;
  for (gj::index_t first = 0; first < total; first += 64) {
    // An expression runs when it gives a tensor its value. The last batch has 2 images.
    tensor<float, dyn, 64> batch(gj::to<float>(gj::slice(images, 0, first, first + 64)) / 16.0f);

    if (reason.empty() && classify.compiles() == 1 && classify.find(batch).empty())
      reason = classify.explain_miss(batch).to_string();
    tensor logits = [&] {
      gj::mode_scope watch{compiled_ops};  // is told of the ops, while fused kernels run
      return classify(batch);
    }();
    {
      gj::mode_scope watch{eager_ops};
      std::apply([&](auto const&... w) { return gj::eval(network(batch, w...)); }, weights.values);
    }
    for (gj::index_t i = 0; i < logits.extent(0); ++i) {
      gj::index_t best = 0;
      for (gj::index_t k = 0; k < 10; ++k) {
        if (logits(i, k) > logits(i, best)) best = k;
        error = std::fmax(error, std::fabs(double{logits(i, k)} - expected(first + i, k)));
      }
      right += best == labels(first + i) ? 1 : 0;
    }
  }

  std::printf("right: %lld of %lld; largest difference to the f64 logits: %.1e\n", static_cast<long long>(right),
              static_cast<long long>(total), error);
  for (gj::entry_info const& entry : classify.entries())
    std::printf("entry %s: %s, %zu guards, by %s\n", entry.id.c_str(), entry.dynamic ? "any batch" : "one batch size",
                entry.guards.size(), entry.backend);
  std::printf("made a second entry since %s\n", reason.c_str());
  std::printf("ops seen: %d compiled, %d eager\n", static_cast<int>(compiled_ops.total()), static_cast<int>(eager_ops.total()));

  bool const fine = right == 434 && error < 1e-4 && classify.compiles() == 2 && !reason.empty() && compiled_ops == eager_ops;
  return fine ? 0 : 1;
} catch (std::exception const& e) {
  std::printf("%s\n", e.what());
  return 1;
}
