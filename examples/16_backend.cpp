// What you learn: to write a backend, register it by name, and choose it at run time.
// Run:    build/examples/16_backend
// Prints: the backends there are, what the checked one found, and whose entries a function has then.
#include <guardjit/guardjit.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iostream>
#include <vector>

namespace gj = guardjit;
using gj::index_t;

// Runs each graph by `tiles`, which is fast, and once more by the plain loops of `reference`; keeps the
// largest difference between the two. Each entry of a function has one runner, which several threads may run.
struct checked_run {
  gj::graph_view graph;
  gj::graph_interpreter fast, slow;
  std::atomic<double>* largest;

  index_t workspace_bytes(gj::path_call const& call) const {
    return std::max(fast.workspace_bytes(call), slow.workspace_bytes(call));
  }

  // `bases`: of the arguments, then of the results; null where a result is a view of an argument. The second
  // results are memory of its own, since it is for tests: others take all from the workspace.
  void run(gj::path_call const& call, void* const* bases, std::byte* workspace) const {
    std::size_t const results = graph.outputs.size();
    void* const* const first = bases + graph.arguments;
    std::vector<void*> again(bases, first + results);
    std::vector<std::vector<double>> room(results);  // 8 bytes for an element of any dtype
    auto const count = [&](std::size_t k) { return gj::shape_in_call(graph, graph.outputs[k], call.symbols).count(); };
    for (std::size_t k = 0; k < results; ++k) {
      room[k].resize(static_cast<std::size_t>(count(k)) + 1);
      if (first[k]) again[again.size() - results + k] = room[k].data();
    }
    fast.run(call, bases, workspace);
    slow.run(call, again.data(), workspace);
    for (std::size_t k = 0; k < results; ++k)
      if (first[k] && graph[graph.outputs[k]].type == gj::dtype::f32)
        compare(static_cast<float const*>(first[k]), reinterpret_cast<float const*>(room[k].data()), count(k));
  }

  void compare(float const* a, float const* b, index_t count) const {
    for (index_t k = 0; k < count; ++k) {
      double const found = std::abs(a[k] - b[k]) / std::max(1.0f, std::abs(b[k]));
      for (double known = *largest; found > known && !largest->compare_exchange_weak(known, found);) {}
    }
  }
};

struct checked {
  std::atomic<double>* largest;

  char const* name() const { return "checked"; }
  checked_run build(gj::graph_view const& graph, gj::path_call const& first) const {
    return {graph, gj::backends::tiles{}.build(graph, first),
            gj::backends::reference_interpreter{}.build(graph, first), largest};
  }
  bool operator==(checked const&) const = default;  // equal backends share entries
};

int main() {
  auto const layer = gj::compile(
      [](auto const& x, auto const& w) { return gj::softmax(gj::gelu(gj::matmul(x, w)), 1); }, gj::name<"layer">);
  gj::tensor<float, gj::dyn, gj::dyn> x(8, 64), w(64, 32);
  for (index_t k = 0; k < x.size(); ++k) x.data()[k] = std::sin(static_cast<float>(k));
  for (index_t k = 0; k < w.size(); ++k) w.data()[k] = std::cos(static_cast<float>(k));
  layer(x, w);

  static std::atomic<double> largest{0};  // the backend, which refers to it, stays until the program ends
  gj::register_backend(checked{&largest});
  for (std::string const& name : gj::list_backends()) std::cout << "there is " << name << '\n';

  // While the scope lasts all compiled functions of this thread run by it, with entries of their own.
  gj::stance_scope const all{gj::stance::normal, gj::force_backend(gj::find_backend("checked"))};
  for (int k = 0; k < 3; ++k) layer(x, w);
  std::cout << "checked: the largest relative difference is " << largest << '\n';
  for (gj::entry_info const& e : layer.entries()) std::cout << e.id << " is by " << e.backend << '\n';
  return layer.compiles() == 2 && layer.entries().size() == 2 && largest < 1e-5 ? 0 : 1;
}
