// What you learn: group weights in modules, give a network as one argument, or bind it.
// Run:    build/examples/05_module            (argument: the folder of the data, default examples/data/digits)
// Prints: how well the network reads 450 handwritten digits, and what one more output would mean to it.
#include <guardjit/guardjit.hpp>
#include <guardjit/interop/npy.hpp>

#include <cstdio>
#include <string>

namespace gj = guardjit;
using gj::dyn, gj::tensor;

// [readme]
// An aggregate whose template parameters are the types of its fields: tensors, scalars, or modules again.
template <class Weight, class Bias> struct dense {
  Weight weight;
  Bias bias;
  constexpr auto operator()(auto const& x) const { return gj::matmul(x, weight) + bias; }
  friend constexpr void for_each_leaf(dense const& layer, auto const& visit) {  // names for messages: optional
    visit("weight", layer.weight);
    visit("bias", layer.bias);
  }
};
template <class First, class Second, class Third> struct mlp {
  First first;
  Second second;
  Third third;
  constexpr auto operator()(auto const& x) const { return third(gj::relu(second(gj::relu(first(x))))); }
};
// In the trace `net` is the same structure with symbols for tensors.
constexpr auto run = [](auto const& x, auto const& net) { return net(x); };
// [/readme]

template <gj::index_t Inputs, gj::index_t Outputs>
using layer = dense<tensor<float, Inputs, Outputs>, tensor<float, Outputs>>;
using network = mlp<layer<64, 128>, layer<128, 64>, layer<64, dyn>>;

int correct(tensor<float, dyn, dyn> const& logits, tensor<std::int64_t, dyn> const& labels) {
  int right = 0;
  for (gj::index_t i = 0; i < logits.extent(0); ++i) {
    gj::index_t best = 0;
    for (gj::index_t k = 1; k < logits.extent(1); ++k) best = logits(i, k) > logits(i, best) ? k : best;
    right += best == labels(i) ? 1 : 0;
  }
  return right;
}

int main(int count, char** arguments) try {
  std::string const folder = count > 1 ? arguments[1] : "examples/data/digits";
  auto const load = [&folder](char const* name) { return gj::load_npy((folder + "/" + name + ".npy").c_str()); };

  network net{{load("w1").as<float, 64, 128>(), load("b1").as<float, 128>()},
              {load("w2").as<float, 128, 64>(), load("b2").as<float, 64>()},
              {load("w3").as<float, 64, dyn>(), load("b3").as<float, dyn>()}};
  tensor labels = load("labels").as<std::int64_t, dyn>();
  tensor<float, dyn, 64> const x(gj::to<float>(load("images_u8").as<std::uint8_t, dyn, 64>()) / 16.0f);

  auto const classify = gj::compile(run, gj::name<"digits">);
  int const by_argument = correct(classify(x, net), labels);

  auto const reader = gj::compile(run, gj::bind(net));  // keeps handles of the tensors
  int const by_binding = correct(reader(x), labels);

  tensor<float, dyn, dyn> const eager(net(x));  // a module is plain C++: here it gives an expression
  int const by_hand = correct(eager, labels);

  // A miss is told with the name of the leaf.
  network wider = net;
  wider.third = {tensor<float, 64, dyn>(11), tensor<float, dyn>(11)};
  std::string const reason = classify.explain_miss(x, wider).to_string();

  std::printf("right: %d as an argument, %d bound, %d eager, of %d\n", by_argument, by_binding, by_hand,
              static_cast<int>(labels.extent(0)));
  std::printf("%s\n", reason.c_str());
  bool const fine = by_argument == 434 && by_binding == 434 && by_hand == 434 && classify.compiles() == 1;
  return fine && reason == "digits/0: arg[1].2.weight.extent(1): expected 10, got 11" ? 0 : 1;
} catch (std::exception const& e) {
  std::printf("%s\n", e.what());
  return 1;
}
