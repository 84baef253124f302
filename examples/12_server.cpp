// What you learn: serve a network from several threads without going to the heap, with weights that never change.
// Run:    build/examples/12_server            (argument: the folder of the data, default examples/data/digits)
// Prints: how many of 450 handwritten digits four threads read rightly, one image at a time.
#include <guardjit/guardjit.hpp>
#include <guardjit/interop/npy.hpp>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace gj = guardjit;
using gj::dyn, gj::tensor;

constexpr auto network = [](auto x, auto w1, auto b1, auto w2, auto b2, auto w3, auto b3) {
  auto const h1 = gj::relu(gj::matmul(x, w1) + b1);
  auto const h2 = gj::relu(gj::matmul(h1, w2) + b2);
  return gj::matmul(h2, w3) + b3;
};

int argmax(tensor<float, 1, 10> const& logits) {
  int best = 0;
  for (int k = 1; k < 10; ++k) best = logits(0, k) > logits(0, best) ? k : best;
  return best;
}

/// Answers requests until there are none left; `reader` gives the logits of one image.
int serve(auto const& reader, tensor<float, dyn, 64> const& images, tensor<std::int64_t, dyn> const& labels,
          std::atomic<gj::index_t>& next) {
  // All memory that a thread needs, before the first request.
  tensor<float, 1, 64> image;
  tensor<float, 1, 10> logits;
  auto const bytes = static_cast<std::size_t>(reader.workspace_bytes(image));  // makes the entry as well
  std::unique_ptr<void, decltype(&std::free)> const room(std::aligned_alloc(64, bytes), &std::free);
  std::span<std::byte> const workspace(static_cast<std::byte*>(room.get()), bytes);

  gj::no_allocation const none;  // from here on tensor storage is an error
  int right = 0;
  for (gj::index_t request = next++; request < images.extent(0); request = next++) {
    for (gj::index_t k = 0; k < 64; ++k) image(0, k) = images(request, k);
    reader.into(logits, image, workspace);
    right += argmax(logits) == labels(request) ? 1 : 0;
  }
  return right;
}

int main(int count, char** arguments) try {
  std::string const folder = count > 1 ? arguments[1] : "examples/data/digits";
  auto const load = [&folder](char const* name) { return gj::load_npy((folder + "/" + name + ".npy").c_str()); };

  // The elements of a frozen tensor never change, so that its products keep them in the order that they like best.
  auto const reader = gj::compile(
      network, gj::name<"digits">, gj::fullgraph,
      gj::bind(gj::freeze(load("w1").as<float, 64, 128>()), gj::freeze(load("b1").as<float, 128>()),
               gj::freeze(load("w2").as<float, 128, 64>()), gj::freeze(load("b2").as<float, 64>()),
               gj::freeze(load("w3").as<float, 64, 10>()), gj::freeze(load("b3").as<float, 10>())));
  tensor<std::int64_t, dyn> const labels = load("labels").as<std::int64_t, dyn>();
  tensor<float, dyn, 64> const images(gj::to<float>(load("images_u8").as<std::uint8_t, dyn, 64>()) / 16.0f);

  std::atomic<gj::index_t> next{0};
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k) threads.emplace_back([&] { right += serve(reader, images, labels, next); });
  for (std::thread& t : threads) t.join();

  std::printf("right: %d of %d, by %d entry\n", right.load(), static_cast<int>(labels.extent(0)), reader.compiles());
  return right == 434 && reader.compiles() == 1 ? 0 : 1;
} catch (std::exception const& e) {
  std::printf("%s\n", e.what());
  return 1;
}
