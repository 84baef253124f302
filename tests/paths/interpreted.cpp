// guardjit: tests/paths/interpreted.cpp: graphs as data, run by an interpreter
// SPDX-License-Identifier: BSL-1.0
#include "interpreted.hpp"

#include <guardjit/kernels/tiles.hpp>

#include <doctest/doctest.h>

#include <cstring>

#include "support/allocation_counter.hpp"
#include "support/allocation_counter_unit.hpp"

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

std::size_t bytes_of(any_tensor const& x) {
  return static_cast<std::size_t>(x.size() * gj::size_of(x.type()));
}

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
  // The workspace has what it needs, and no byte behind it is written; nor any of an output where an index is
  // wrong.
  constexpr unsigned char mark = 0xA5;
  constexpr std::size_t behind = 64;
  auto const bytes = static_cast<std::size_t>(runner.workspace_bytes(call));
  any_tensor workspace =
      any_tensor::uninitialized(gj::dtype::u8, gj::shape{static_cast<gj::index_t>(bytes + behind)});
  auto* const room = static_cast<unsigned char*>(workspace.data());
  std::memset(room, mark, bytes + behind);
  for (any_tensor& x : outputs)
    if (x.size() > 0) std::memset(x.data(), mark, bytes_of(x));
  auto const is_marked = [](unsigned char const* at, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k)
      if (at[k] != mark) return false;
    return true;
  };
  auto const go = [&] { runner.run(call, bases.data(), static_cast<std::byte*>(workspace.data())); };
  try {
    long const calls = support::heap_calls_of(go);
    CHECK(calls == 0);
  } catch (gj::index_error const&) {
    for (any_tensor& x : outputs) CHECK(is_marked(static_cast<unsigned char*>(x.data()), bytes_of(x)));
    throw;
  }
  CHECK(is_marked(room + bytes, behind));
  return outputs;
}

}  // namespace

gj::erased_backend tiles_backend() { return gj::backends::tiles{}; }

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
