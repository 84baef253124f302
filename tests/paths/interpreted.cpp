// guardjit: tests/paths/interpreted.cpp: graphs as data, run by an interpreter
// SPDX-License-Identifier: BSL-1.0
#include "interpreted.hpp"

#include <guardjit/kernels/tiles.hpp>

namespace paths {

namespace gj = guardjit;
using gj::any_tensor;

namespace {

struct call_layouts {
  std::vector<gj::any_layout> layouts;
  std::vector<gj::layout_view> views;

  explicit call_layouts(std::span<any_tensor const> arguments, bool packed) {
    for (any_tensor const& x : arguments) layouts.push_back(packed ? gj::any_layout(x.shape()) : x.layout());
    for (gj::any_layout const& l : layouts) views.push_back(l.view());
  }
};

std::vector<any_tensor> run(gj::graph_interpreter const& runner, gj::graph_view const& g,
                            std::span<any_tensor const> arguments, gj::path_call const& call) {
  std::vector<void*> bases;
  for (any_tensor const& x : arguments) bases.push_back(const_cast<void*>(x.data()));
  std::vector<any_tensor> outputs;
  for (std::int16_t k : g.outputs) {
    gj::shape form = g.shape_of(k);
    for (int d = 0; d < form.rank; ++d) form[d] = gj::value_of(form[d], call.symbols);
    outputs.push_back(any_tensor::uninitialized(g[k].type, form));
    bases.push_back(outputs.back().data());
  }
  any_tensor const workspace =
      any_tensor::uninitialized(gj::dtype::u8, gj::shape{runner.workspace_bytes(call)});
  runner.run(call, bases.data(), static_cast<std::byte*>(const_cast<void*>(workspace.data())));
  return outputs;
}

}  // namespace

std::vector<any_tensor> interpreted(interpreter by, gj::graph_view const& g,
                                    std::span<any_tensor const> arguments, first_call first) {
  call_layouts const as_called(arguments, false), packed(arguments, true);
  std::vector<gj::index_t> symbols(g.extents.size());
  gj::evaluate_extents(g.extents, symbols, [&](int k) { return as_called.views[static_cast<unsigned>(k)].extents; });
  gj::path_call const call{as_called.views.data(), symbols, first == first_call::fixed};
  gj::path_call const other{packed.views.data(), symbols, false};
  gj::path_call const& begin = first == first_call::other ? other : call;
  return run(by == interpreter::tiles ? gj::backends::tiles{}.build(g, begin)
                                      : gj::backends::reference_interpreter{}.build(g, begin),
             g, arguments, call);
}

}  // namespace paths
