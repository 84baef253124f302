// guardjit: compile/explanation_json.hpp: an explanation as JSON
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_EXPLANATION_JSON_HPP
#define GUARDJIT_COMPILE_EXPLANATION_JSON_HPP

#include <guardjit/compile/explanation.hpp>
#include <guardjit/graph/json.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// One object for each part of an explanation.
class explanation_writer {
 public:
  [[gnu::cold]] std::string write(explanation const& e, bool with_times) {
    json_.object([&] {
      json_.member("schema", explanation_schema);
      json_.member("function", e.function);
      json_.line(e.where);
      json_.member("graph_count", e.graph_count);
      json_.member("break_count", e.break_count);
      json_.member("ops_total", e.ops_total);
      counts("ops_by_name", e.ops_by_name);
      json_.key("ops_per_graph").list(e.ops_per_graph, [this](int ops) { json_.value(ops); });
      objects("graphs", e.graphs, [this](explained_graph const& g) { graph(g); });
      objects("breaks", e.breaks, [this](explained_break const& b) {
        json_.member("code", b.code);
        json_.member("reason", b.reason);
        json_.member("hint", b.hint);
        json_.line(b.where);
      });
      objects("entries", e.entries, [&](explained_entry const& one) { entry(one, with_times); });
      objects("guards", e.guards, [this](explained_check const& g) { guard(g); });
      json_.key("variants").object([&] {
        json_.member("paths", e.variants.paths);
        json_.member("mode_stacks", e.variants.mode_stacks);
        json_.member("signatures", e.variants.signatures);
        json_.member("hot_extents", e.variants.hot_extents);
        json_.member("all", e.variants.product());
      });
      objects("specialised", e.specialised, [this](specialised_extent const& s) {
        json_.member("extent", s.extent);
        json_.key("values").list(s.values, [this](index_t v) { json_.value(v); });
        json_.member("varies", s.varies);
        json_.member("advice", s.advice);
      });
      json_.key("advice").list(e.advice, [this](std::string const& line) { json_.value(line); });
      if (with_times)
        objects("times", e.times, [this](explained_time const& t) {
          json_.member("phase", t.phase);
          json_.member("count", t.count);
          json_.member("nanoseconds", t.nanoseconds);
        });
      counts("counters", e.counters);
      json_.member("why_eager", e.why_eager);
      json_.member("error", e.error);
    });
    return json_.text();
  }

 private:
  void objects(char const* name, auto const& list, auto const& members) {
    json_.key(name).list(list, [&](auto const& one) { json_.object([&] { members(one); }); });
  }
  [[gnu::cold]] void counts(char const* name, std::vector<named_count> const& list) {
    json_.key(name).object([&] {
      for (named_count const& one : list) json_.member(one.name, one.count);
    });
  }
  [[gnu::cold]] void graph(explained_graph const& g) {
    json_.key("arguments").list(g.arguments, [this](std::string const& one) { json_.value(one); });
    json_.member("branches", g.branches);
    json_.member("modes", g.modes);
    json_.member("backend", g.backend);
    json_.member("ops", g.ops);
    objects("kernels", g.kernels, [this](explained_kernel const& k) {
      json_.member("operations", k.operations);
      json_.member("result", k.result);
      json_.member("why", k.why);
      json_.line(k.where);
    });
    json_.key("entries").list(g.entries, [this](std::string const& id) { json_.value(id); });
    json_.member("text", g.text);
  }
  [[gnu::cold]] void entry(explained_entry const& e, bool with_times) {
    json_.member("id", e.id);
    json_.member("graph", e.graph);
    json_.member("call", e.call);
    json_.member("dynamic", e.dynamic);
    json_.key("open").list(e.open, [this](std::string const& one) { json_.value(one); });
    json_.member("since", e.since);
    if (!with_times) return;
    json_.member("plan_ns", e.plan_ns);
    json_.member("guards_ns", e.guards_ns);
    json_.member("install_ns", e.install_ns);
  }
  [[gnu::cold]] void guard(explained_check const& g) {
    json_.member("entry", g.entry);
    json_.member("kind", g.kind);
    json_.member("argument", g.argument);
    json_.member("dim", g.dim);
    json_.member("expected", g.expected);
    json_.member("text", g.text);
    json_.line(g.where);
    json_.member("proved", g.proved);
    json_.member("graph", g.graph);
  }

  json_writer json_;
};

}  // namespace detail

[[gnu::cold]] inline std::string explanation::to_json(bool with_times) const {
  return detail::explanation_writer().write(*this, with_times);
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
