// guardjit: tests/compile_fail/compile/erased_in_explain.cpp: backends of calls, and calls by with, are no matter of compile, explain and export_graph
// SPDX-License-Identifier: BSL-1.0
// Rules: G75, G78, G110, A120
// expect-error: guardjit: explain\(f, backend\(b\)\): b must be a static backend
// expect-error: guardjit: export_graph\(f, backend\(b\), .*\): the graph is the same for all backends
// expect-error: guardjit: compile\(g.with\(s\)\): with is about calls
// errors: 3
#include <guardjit/compile/explain.hpp>
#include <guardjit/compile/export_graph.hpp>
#include <guardjit/core.hpp>

namespace gj = guardjit;

void use(gj::tensor<float, gj::dyn> const& x, gj::erased_backend const& b) {
  constexpr auto plain = gj::backend(gj::reference);
  auto const g = gj::compile([](auto const& v) { return v * 2; }, plain);
#ifdef GUARDJIT_ACCEPT
  g.with(gj::backend(b))(x);
  gj::explain(g, plain)(x);
  gj::export_graph(g, plain, x);
  gj::compile(g, plain).with(gj::stance::normal)(x);
#else
  gj::explain(g, gj::backend(b));
  gj::export_graph(g, gj::backend(b), x);
  gj::compile(g.with(gj::stance::normal));
#endif
}
