// What you learn: batches of any size by one entry: what automatic does, and what `shape_of` saves, promises and refuses.
// Run:    build/examples/11_dynamic_batch [folder with digits, by default examples/data/digits]
// Prints: the entries with and without declared extents, and what wrong batches are told.
#include <guardjit/guardjit.hpp>
#include <guardjit/interop/npy.hpp>

#include <cstdio>
#include <string>

namespace gj = guardjit;
using gj::any_extent, gj::dyn, gj::index_t, gj::shape_of, gj::tensor;
using matrix = tensor<float, dyn, dyn>;

constexpr auto network = [](auto const& x, auto const& w1, auto const& b1, auto const& w2, auto const& b2, auto const& w3,
                            auto const& b3) {
  auto const h1 = gj::relu(gj::matmul(x, w1) + b1);
  auto const h2 = gj::relu(gj::matmul(h1, w2) + b2);
  return gj::matmul(h2, w3) + b3;
};
constexpr auto count_right = [](auto const& logits, auto const& labels) {
  return gj::sum(gj::to<std::int64_t>(gj::argmax(logits, 1) == labels));
};

/// The entries of a function, and what they guard of extents.
void print_entries(char const* what, auto const& g, auto const& x) {
  std::printf("%s: %d compiles\n", what, g.compiles());
  for (gj::entry_info const& e : g.entries()) {
    std::printf("  %s, %s", e.id.c_str(), e.dynamic ? "dynamic" : "static");
    for (gj::guard const& one : e.guards)
      if (one.kind == gj::guard_kind::extent_is) std::printf(", %s", gj::text_of(one, g.graph(x)).c_str());
    std::printf("\n");
  }
}
int main(int argc, char** argv) try {
  std::string const folder = argc > 1 ? argv[1] : "examples/data/digits";
  auto const load = [&folder](char const* name) { return gj::load_npy((folder + "/" + name + ".npy").c_str()); };
  matrix const images(gj::to<float>(load("images_u8").as<std::uint8_t, dyn, dyn>()) / 16.0f);
  tensor const labels = load("labels").as<std::int64_t, dyn>();
  auto const weights = gj::bind(load("w1").as<float, 64, 128>(), load("b1").as<float, 128>(), load("w2").as<float, 128, 64>(),
                                load("b2").as<float, 64>(), load("w3").as<float, 64, 10>(), load("b3").as<float, 10>());

  // By default the first batch makes an entry for its own size, and the first of another size one for all sizes.
  auto const automatic = gj::compile(network, weights, gj::name<"automatic">);
  // [readme]
  // Who knows better says so. One entry serves every batch, from the first call on; 64 is a constant in the trace and in the
  // type of the result, and what comes in with another number of pixels is a shape_error instead of an entry.
  auto const classify = gj::compile(network, weights, gj::name<"digits">, shape_of<0, any_extent, 64>);
  // Two arguments with extents of one name must agree: no broadcast, no guard for one. A range says how large it gets.
  auto const score = gj::compile(count_right, gj::name<"score">, shape_of<0, gj::named<"batch">, gj::extent_between{2, 10}>,
                                 shape_of<1, gj::named<"batch">>);
  // [/readme]
  // `shape_of<0, any_extent, any_extent>` does not compile: the product with w1 needs 64, as the error says.

  index_t right = 0, differences = 0;
  for (index_t first = 0; first < images.extent(0); first += 64) {
    matrix const batch = gj::slice(images, 0, first, first + 64);  // the last one has 2 images
    matrix const expected = automatic(batch), logits = classify(batch);
    for (index_t k = 0; k < logits.size(); ++k) differences += logits.data()[k] == expected.data()[k] ? 0 : 1;
    right += score(logits, gj::slice(labels, 0, first, first + 64)).item();
  }
  print_entries("automatic", automatic, images);
  print_entries("declared", classify, images);
  std::printf("%lld of 450 images are read right\n", static_cast<long long>(right));

  std::string pixels, number;
  try { classify(matrix(3, 63)); } catch (gj::shape_error const& e) { pixels = e.what(); }
  try { score(matrix(3, 10), gj::slice(labels, 0, 0, 4)); } catch (gj::shape_error const& e) { number = e.what(); }
  std::printf("refused: %s\nrefused: %s\n", pixels.c_str(), number.c_str());
  bool const refused = pixels.find("arg[0].extent(1) is declared 64, got 63") != pixels.npos &&
                       number.find("are declared named<\"batch\">, got 3 and 4") != number.npos;
  bool const saved = automatic.compiles() == 2 && classify.compiles() == 1 && score.compiles() == 1;
  return right == 434 && differences == 0 && refused && saved ? 0 : 1;
} catch (std::exception const& e) {
  std::printf("%s\n", e.what());
  return 1;
}
