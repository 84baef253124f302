// guardjit: tests/paths/graphs.cpp: random graphs as data, interpreted and compared with plain loops op by op
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/graph/passes/optimize.hpp>

#include <cstdlib>

#include "interpreted.hpp"
#include "random_graph.hpp"

using namespace paths;

namespace {

gj::graph_view view_of(auto const& b) {
  auto const first = [](auto const& list, int count) { return std::span(list.data(), static_cast<std::size_t>(count)); };
  gj::graph_view g;
  g.nodes = first(b.nodes, b.size.nodes);
  g.shapes = first(b.shapes, b.size.shapes);
  g.extents = first(b.extents, b.size.extents);
  g.extra = first(b.extra, b.size.extra);
  g.outputs = first(b.outputs, b.size.outputs);
  g.arguments = b.arguments;
  return g;
}

/// What `optimized` makes of a trace, at run time.
class optimized_graph {
 public:
  explicit optimized_graph(gj::graph_view const& from) : buffer_(1), table_(gj::graph_builder::table_size(2 * capacity)) {
    auto& to = buffer_[0];
    gj::graph_builder builder(to, table_.data());
    builder.adopt(from);
    auto const needed = gj::needed_nodes<capacity>(from);
    std::vector<int> moved(from.nodes.size());
    for (int k = 0; k < from.size(); ++k)
      if (needed[static_cast<unsigned>(k)])
        moved[static_cast<unsigned>(k)] = gj::detail::rebuild(from, k, moved.data(), builder);
    for (std::int16_t output : from.outputs)
      to.outputs[static_cast<unsigned>(to.size.outputs++)] =
          static_cast<std::int16_t>(moved[static_cast<unsigned>(output)]);
    to.arguments = from.arguments;
    drop();
  }
  gj::graph_view view() const { return view_of(buffer_[0]); }

 private:
  void drop() {
    auto& to = buffer_[0];
    auto const needed = gj::needed_nodes<2 * capacity>(view());
    std::vector<std::int16_t> moved(static_cast<std::size_t>(to.size.nodes));
    int count = 0;
    for (unsigned k = 0; k < moved.size(); ++k) {
      if (!needed[k]) continue;
      gj::node n = to.nodes[k];
      for (std::int16_t& o : n.in)
        if (o >= 0) o = moved[static_cast<unsigned>(o)];
      moved[k] = static_cast<std::int16_t>(count);
      to.nodes[static_cast<unsigned>(count++)] = n;
    }
    for (int k = 0; k < to.size.outputs; ++k) {
      std::int16_t& o = to.outputs[static_cast<unsigned>(k)];
      o = moved[static_cast<unsigned>(o)];
    }
    to.size.nodes = count;
  }

  std::vector<gj::graph_buffer<2 * capacity>> buffer_;
  std::vector<std::int32_t> table_;
};

std::string text_of(gj::graph_view const& g, std::vector<any_tensor> const& arguments) {
  std::string text;
  for (int k = 0; k < g.size(); ++k) {
    text += "\n  " + std::to_string(k) + ": " + gj::name_of(g[k].id) + " " + gj::name_of(g[k].type) + " rank " +
            std::to_string(g.shape_of(k).rank);
    for (int i = 0; i < g.operands(k); ++i) text += " " + std::to_string(g.operand(k, i));
  }
  for (std::int16_t o : g.outputs) text += "\n  output " + std::to_string(o);
  for (any_tensor const& x : arguments) {
    text += std::string("\n  argument ") + gj::name_of(x.type());
    for (int d = 0; d < x.rank(); ++d) text += " " + std::to_string(x.extent(d)) + " by " + std::to_string(x.stride(d));
  }
  return text;
}

/// Empty, or how the outputs of one interpreter differ from what is expected. The plain loops give the bits
/// of the oracle's.
std::string disagreement(interpreter by, graph_draw const& drawn, gj::graph_view const& g, first_call first) {
  std::vector<any_tensor> got;
  try {
    got = interpreted(by, g, drawn.arguments(), first);
  } catch (gj::index_error const&) {
    return drawn.throws() ? "" : "index_error";
  } catch (std::exception const& e) {
    return e.what();
  }
  if (drawn.throws()) return "results; expected index_error";
  for (std::size_t r = 0; r < got.size(); ++r) {
    known want = drawn.results()[r];
    if (by == interpreter::reference) want.error = {};
    std::string const wrong = difference(got[r], want);
    if (!wrong.empty()) return "output " + std::to_string(r) + ": " + wrong;
  }
  return "";
}

}  // namespace

TEST_CASE("paths: random graphs as data agree with each op by plain loops") {
  char const* const asked = std::getenv("GUARDJIT_RANDOM_GRAPHS");
  char const* const seeded = std::getenv("GUARDJIT_RANDOM_SEED");
  long const count = asked ? std::atol(asked) : 2000;
  std::uint64_t const seed = seeded ? std::strtoull(seeded, nullptr, 10) : 1;
  std::array<int, gj::op_count> counts{};
  int reports = 0, whole = 0, thrown = 0;
  for (long n = 0; n < count && reports < 3; ++n) {
    dice random(seed * 0x9e3779b9u + static_cast<std::uint64_t>(n));
    auto const drawn = graph_draw(random);
    if (!drawn.is_whole()) continue;
    ++whole;
    thrown += drawn.throws() ? 1 : 0;
    for (std::size_t k = 0; k < counts.size(); ++k) counts[k] += drawn.counts[k];
    optimized_graph const optimized(view_of(drawn.buffer()));
    auto const first = static_cast<first_call>(random.below(3));
    for (interpreter by : {interpreter::tiles, interpreter::reference}) {
      std::string const wrong = disagreement(by, drawn, optimized.view(), first);
      if (wrong.empty()) continue;
      ++reports;
      CHECK_MESSAGE(false, (by == interpreter::tiles ? "tiles" : "reference"), ", GUARDJIT_RANDOM_SEED=", seed,
                    ", graph ", n, ": ", wrong, text_of(optimized.view(), drawn.arguments()));
    }
  }
  CHECK(whole > count * 9 / 10);
  MESSAGE(whole, " graphs, ", thrown, " with a wrong index, seed ", seed);
  if (count < 500) return;
  for (int k = static_cast<int>(op::add); k < gj::op_count; ++k)
    CHECK_MESSAGE(counts[static_cast<std::size_t>(k)] > 0, gj::name_of(static_cast<op>(k)));
}
