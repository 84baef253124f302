// What you learn: to write a backend, register it by name, and choose it at run time.
// Run:    build/examples/16_backend
// Prints: the backends there are, what the checked one found, and whose entries a function has then.
#include <guardjit/guardjit.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iostream>
#include <span>

namespace gj = guardjit;
using gj::index_t, gj::stance, gj::stance_scope;

// Runs each graph by `tiles`, which is fast, and once more by the plain loops of `reference`; keeps the
// largest difference between the two. Each entry of a function has one runner, which several threads may run.
struct checked_run {
  gj::graph_view graph;
  gj::graph_interpreter fast, slow;
  std::atomic<double>* largest;

  index_t elements(int result, gj::path_call const& call) const {
    return gj::shape_in_call(graph, graph.outputs[static_cast<std::size_t>(result)], call.symbols).count();
  }
  int results() const { return static_cast<int>(graph.outputs.size()); }
  // Elements of 8 bytes at most, each result on a cache line of its own.
  static index_t line(index_t elements) { return (8 * elements + 63) / 64 * 64; }

  // All memory of a run comes from the caller: the addresses, the second results, what the two runs need.
  index_t workspace_bytes(gj::path_call const& call) const {
    index_t bytes = line(graph.arguments + results());
    for (int k = 0; k < results(); ++k) bytes += line(elements(k, call));
    return bytes + std::max(fast.workspace_bytes(call), slow.workspace_bytes(call));
  }

  // `bases`: of the arguments, then of the results; null where a result is a view of an argument.
  void run(gj::path_call const& call, void* const* bases, std::byte* workspace) const {
    void** const again = reinterpret_cast<void**>(workspace);
    workspace += line(graph.arguments + results());
    for (int k = 0; k < graph.arguments; ++k) again[k] = bases[k];
    for (int k = 0; k < results(); ++k) {
      again[graph.arguments + k] = bases[graph.arguments + k] ? workspace : nullptr;
      workspace += line(elements(k, call));
    }
    fast.run(call, bases, workspace);
    slow.run(call, again, workspace);
    for (int k = 0; k < results(); ++k) {
      void const *a = bases[graph.arguments + k], *b = again[graph.arguments + k];
      bool const is_float = graph[graph.outputs[static_cast<std::size_t>(k)]].type == gj::dtype::f32;
      if (!a || !is_float) continue;
      compare(static_cast<float const*>(a), static_cast<float const*>(b), elements(k, call));
    }
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

constexpr auto layer_of = [](auto const& x, auto const& w, auto const& b) {
  return gj::softmax(gj::gelu(gj::matmul(x, w) + b), 1);
};

int main() {
  auto const layer = gj::compile(layer_of, gj::name<"layer">);
  gj::tensor<float, gj::dyn, gj::dyn> x(8, 64), w(64, 32);
  for (index_t k = 0; k < x.size(); ++k) x.data()[k] = std::sin(static_cast<float>(k));
  for (index_t k = 0; k < w.size(); ++k) w.data()[k] = std::cos(static_cast<float>(k));
  auto const b = gj::zeros<float>({32});
  auto const fused = layer(x, w, b);

  std::atomic<double> largest{0};
  gj::register_backend(checked{&largest});
  for (std::string const& name : gj::list_backends()) std::cout << "there is " << name << '\n';

  // In this scope all compiled functions of this thread run by it, with entries of their own.
  {
    stance_scope const all{stance::normal, gj::force_backend(gj::find_backend("checked"))};
    for (int k = 0; k < 3; ++k) layer(x, w, b);
  }
  std::cout << "checked: the largest relative difference is " << largest << '\n';

  // One call by another one. The fused kernels are as they were.
  auto const by_tiles = layer.with(gj::backend(gj::find_backend("tiles")))(x, w, b);
  for (gj::entry_info const& e : layer.entries()) std::cout << e.id << " is by " << e.backend << '\n';

  bool right = layer.compiles() == 3 && layer.entries().size() == 3 && largest < 1e-5;
  for (index_t k = 0; k < fused.size(); ++k) right = right && by_tiles.data()[k] == fused.data()[k];
  return right ? 0 : 1;
}
