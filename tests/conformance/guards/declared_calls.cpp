// guardjit: tests/conformance/guards/declared_calls.cpp: declared extents in every kind of call, and what traces make of them
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/core.hpp>
#include <guardjit/transforms/opaque.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <string>

#include "support/allocation_counter.hpp"
#include "support/modules.hpp"
#include "support/tensors.hpp"

namespace gj = guardjit;
using gj::any_extent;
using gj::dyn;
using gj::index_t;
using gj::shape_of;
using gj::tensor;
using support::mat;
using support::vec;

namespace {

constexpr auto on_loops = gj::backend(gj::backends::reference{});

/// Several kernels, so that there are intermediates.
struct scores {
  constexpr auto operator()(auto x, auto w, auto b) const { return gj::relu(gj::matmul(x, w) * 2) + b; }
};
/// A batch of any number of rows, weights of one inner extent, outputs of one name.
auto compiled_scores(auto... more) {
  constexpr auto out = gj::named<"out">;
  return gj::compile(scores{}, on_loops, shape_of<0, any_extent, 3>, shape_of<1, 3, out>, shape_of<2, out>,
                     gj::name<"scores">, more...);
}

template <class Error = gj::shape_error> std::string text_of_error(auto const& call) {
  try {
    call();
  } catch (Error const& e) {
    return e.what();
  }
  return "";
}
bool has(std::string const& text, char const* part) { return text.find(part) != std::string::npos; }

tensor<float, dyn, dyn> expected_scores(tensor<float, dyn, dyn> const& x, tensor<float, dyn, dyn> const& w,
                                        tensor<float, dyn> const& b) {
  tensor<float, dyn, dyn> y(x.extent(0), w.extent(1));
  for (index_t i = 0; i < y.extent(0); ++i)
    for (index_t j = 0; j < y.extent(1); ++j) {
      float sum = 0;
      for (index_t k = 0; k < x.extent(1); ++k) sum += x(i, k) * w(k, j);
      y(i, j) = (sum > 0 ? sum * 2 : 0) + b(j);
    }
  return y;
}

/// Runs op by op whatever it sees.
struct watcher final : gj::function_mode {
  int told = 0;
  gj::op_result handle(gj::op_call& call) override {
    ++told;
    return call();
  }
};

/// Its handler asks for extents in the trace.
struct keyed_scale : gj::keyed_mode<keyed_scale> {
  float factor = 1;
  constexpr explicit keyed_scale(float f) : factor(f) {}
  constexpr auto key() const noexcept { return std::tuple{factor}; }
  template <class Call> static constexpr typename Call::value handle(Call& call) {
    if constexpr (Call::tracing)
      return call.arg(0).extent(0) > 8 ? call() * 1000 : call() * call.template key<0>();
    else return call();
  }
};

int heard = 0;
constexpr auto listen = [](tensor<float, dyn> const& x) {
  ++heard;
  return x.clone();
};

struct alignas(64) workspace_room {
  std::byte bytes[4096];
};

}  // namespace

TEST_CASE("G86: every kind of call keeps to what is declared") {
  auto const g = compiled_scores();
  auto const x = mat(2, 3), w = mat(3, 4, -5);
  auto const b = vec(4), short_b = vec(3);
  char const* const text = "arg[1].extent(1) and arg[2].extent(0) are declared named<\"out\">, got 4 and 3";
  auto out = tensor<float, dyn, dyn>(2, 4);
  auto const refused = [&](auto const& call) { return has(text_of_error(call), text) && g.compiles() <= 1; };

  // Before there is an entry, and beside one.
  CHECK(refused([&] { g(x, w, short_b); }));
  CHECK(g.compiles() == 0);
  CHECK(support::same_bits(g(x, w, b), expected_scores(x, w, b)));
  CHECK(refused([&] { g(x, w, short_b); }));
  CHECK(refused([&] { g.into(out, x, w, short_b); }));
  CHECK(refused([&] { g.workspace_bytes(x, w, short_b); }));
  CHECK(has(text_of_error([&] { g(mat(2, 4), mat(4, 4), b); }), "arg[0].extent(1) is declared 3, got 4"));

  alignas(64) workspace_room room;
  for (index_t rows : {2, 7, 1}) {
    auto const more = mat(rows, 3);
    auto y = tensor<float, dyn, dyn>(rows, 4);
    g.into(y, more, w, b, std::span<std::byte>(room.bytes));
    CHECK(support::same_bits(y, expected_scores(more, w, b)));
    g.into(y, more, w, b);
    CHECK(support::heap_calls_of([&] { g.into(y, more, w, b); }) == 0);
    CHECK(support::same_bits(y, expected_scores(more, w, b)));
    CHECK(refused([&] { g.into(y, more, w, short_b, std::span<std::byte>(room.bytes)); }));
  }
  CHECK(g.compiles() == 1);

  // A replay looks, too, before any mode is told of an op.
  watcher mode;
  gj::mode_scope const scope(mode);
  CHECK(support::same_bits(g(x, w, b), expected_scores(x, w, b)));
  CHECK(mode.told == 4);
  CHECK(refused([&] { g(x, w, short_b); }));
  CHECK(refused([&] { g.into(out, x, w, short_b); }));
  CHECK(mode.told == 4);
  CHECK(g.compiles() == 1);
}

TEST_CASE("G86: a broken declaration is told before limits") {
  auto const x = mat(2, 3), w = mat(3, 4);
  auto const b = vec(4);
  auto const g = compiled_scores(gj::error_on_recompile);
  g(x, w, b);
  CHECK(has(text_of_error([&] { g(x, w, vec(5)); }), "named<\"out\">"));
  auto const none_kept = compiled_scores(gj::compile_limit{0});
  CHECK(support::same_bits(none_kept(x, w, b), expected_scores(x, w, b)));
  CHECK(none_kept.uncached_calls() == 1);
  CHECK(has(text_of_error([&] { none_kept(x, w, vec(5)); }), "named<\"out\">"));
  CHECK(none_kept.uncached_calls() == 1);
  auto const eager = compiled_scores(gj::compile_limit{0}, gj::on_limit{gj::limit_action::eager});
  CHECK(support::same_bits(eager(x, w, b), expected_scores(x, w, b)));
  CHECK(has(text_of_error([&] { eager(x, w, vec(5)); }), "named<\"out\">"));
}

TEST_CASE("G8, G86: arguments of run-time types keep to it behind their signature") {
  using matrix = tensor<float, dyn, dyn>;
  auto const g = compiled_scores(gj::signature<matrix, matrix, tensor<float, dyn>>);
  auto const x = mat(2, 3), w = mat(3, 4);
  auto const b = vec(4);
  for (index_t rows : {2, 5, 0}) {
    gj::any_tensor const more(mat(rows, 3));
    CHECK(support::same_bits(g(more, w, b).as<float, dyn, dyn>(), expected_scores(mat(rows, 3), w, b)));
  }
  CHECK(g.compiles() == 1);
  CHECK(has(text_of_error([&] { g(gj::any_tensor(x), gj::any_tensor(w), gj::any_tensor(vec(9))); }),
            "arg[1].extent(1) and arg[2].extent(0) are declared named<\"out\">, got 4 and 9"));
  CHECK(has(text_of_error([&] { g(gj::any_tensor(mat(2, 5)), mat(5, 4), b); }), "arg[0].extent(1) is declared 3, got 5"));
  CHECK(g.compiles() == 1);
}

TEST_CASE("G80, G150: bound values and leaves are parameters as well") {
  auto w = mat(3, 4);
  auto const b = vec(4);
  auto const g = gj::compile(scores{}, on_loops, gj::bind(std::ref(w), b), shape_of<1, 3, any_extent>,
                             shape_of<0, any_extent, gj::auto_extent>, gj::name<"bound">);
  for (index_t rows : {2, 3}) CHECK(support::same_bits(g(mat(rows, 3)), expected_scores(mat(rows, 3), w, b)));
  CHECK(g.compiles() == 1);
  w = mat(5, 4);
  CHECK(has(text_of_error([&] { g(mat(2, 5)); }), "bound[0].extent(0) is declared 3, got 5"));
  CHECK(g.compiles() == 1);
  // A parameter behind a module: its number is that of the parameter, not of the leaf.
  auto const layer = gj::compile([](auto const& net, auto const& x) { return net(x); }, on_loops,
                                 shape_of<1, any_extent, gj::extent_between{2, 4}>, gj::name<"layer">);
  support::dense_layer const net = support::layer(3, 2);
  layer(net, mat(1, 3));
  layer(net, mat(6, 3));
  CHECK(layer.compiles() == 1);
  CHECK(has(text_of_error([&] { layer(net, mat(1, 5)); }), "arg[1].extent(1) is declared 2 to 4, got 5"));
}

TEST_CASE("G86: what f does not read is declared all the same") {
  auto const g = gj::compile([](auto x, auto) { return x + 1; }, on_loops, shape_of<1, 4>);
  CHECK(g(vec(2), vec(4))(0) == 2);
  CHECK(g(vec(2), vec(4))(1) == 3);
  CHECK(has(text_of_error([&] { g(vec(2), vec(5)); }), "arg[1].extent(0) is declared 4, got 5"));
  CHECK(g.compiles() == 1);
}

TEST_CASE("G100: a function with opaque looks before the first callable") {
  auto const g = gj::compile([](auto x) { return gj::opaque(listen)(x) * 2 + x; }, on_loops, gj::dynamic::all,
                             shape_of<0, gj::extent_between{2, 4}>, gj::name<"cut">);
  CHECK(g(vec(2))(1) == 6);
  CHECK(g(vec(4))(3) == 12);
  CHECK(g.compiles() == 1);  // nothing is computed before the callable
  heard = 0;
  CHECK(has(text_of_error([&] { g(vec(5)); }), "cut: shape_of: arg[0].extent(0) is declared 2 to 4, got 5"));
  CHECK(heard == 0);
  CHECK(g.compiles() == 1);
}

TEST_CASE("M80, G80: under declared modes as well") {
  constexpr auto few = gj::extent_between{2, 8};
  auto const g = gj::compile([](auto x, auto y) { return x + y; }, on_loops, shape_of<0, few>, shape_of<1, few>,
                             gj::inline_modes<keyed_scale>, gj::name<"scaled">);
  CHECK(g(vec(3), vec(3))(2) == 6);
  keyed_scale mode(10);
  gj::mode_scope const scope(mode);
  for (index_t n : {3, 4, 8}) CHECK(g(vec(n), vec(n))(2) == 60);
  CHECK(g.compiles() == 2);
  CHECK(g.graph(vec(3), vec(3)).conditions.empty());
  CHECK(has(text_of_error([&] { g(vec(3), vec(9)); }), "scaled: shape_of: arg[1].extent(0) is declared 2 to 8, got 9"));
  CHECK(g.compiles() == 2);
}

TEST_CASE("G90: declared ranges decide branches") {
  auto const g = gj::compile(
      [](auto x, auto y) {
        if (x.extent(0) > 16 && y.extent(0) < x.extent(0)) return x * 2;
        return x * 3;
      },
      on_loops, shape_of<0, gj::extent_between{32, 64}>, shape_of<1, gj::extent_between{0, 31}>);
  CHECK(g(vec(32), vec(31))(0) == 2);
  CHECK(g.graph(vec(32), vec(31)).conditions.empty());
  CHECK(has(text_of_error([&] { g(vec(10), vec(3)); }), "arg[0].extent(0) is declared 32 to 64, got 10"));
  CHECK(g.compiles() == 1);
}
