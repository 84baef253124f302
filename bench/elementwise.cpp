// guardjit: bench/elementwise.cpp: fused chains of elementwise ops, against Eigen and plain loops
// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"

namespace {

using namespace bench;
using eigen_in = Eigen::Map<Eigen::ArrayXf const, Eigen::Aligned64>;
using eigen_out = Eigen::Map<Eigen::ArrayXf, Eigen::Aligned64>;

/// One formula three times: traced, as an Eigen expression, and for the elements of a loop.
struct gelu {
  static constexpr char const* name = "gelu";
  static constexpr int inputs = 3;
  static constexpr auto traced = [](auto const& x, auto const& w, auto const& b) {
    auto const u = x * w + b;
    return 0.5f * u * (1.0f + gj::tanh(0.79788456f * (u + 0.044715f * u * u * u)));
  };
  template <class Out, class In> static void eigen(Out y, In const& x, In const& w, In const& b) {
    auto const u = x * w + b;
    y = 0.5f * u * (1.0f + (0.79788456f * (u + 0.044715f * u * u * u)).tanh());
  }
  static float hand(float x, float w, float b) {
    float const u = x * w + b;
    return 0.5f * u * (1.0f + std::tanh(0.79788456f * (u + 0.044715f * u * u * u)));
  }
};

struct cheap {
  static constexpr char const* name = "cheap";
  static constexpr int inputs = 4;
  static constexpr auto traced = [](auto const& a, auto const& b, auto const& c, auto const& d) {
    return a * b + c - d;
  };
  template <class Out, class In>
  static void eigen(Out y, In const& a, In const& b, In const& c, In const& d) {
    y = a * b + c - d;
  }
  static float hand(float a, float b, float c, float d) { return a * b + c - d; }
};

[[gnu::noinline]] void hand_loop(gelu, float* __restrict y, float const* x, float const* w,
                                 float const* b, index_t n) {
  for (index_t i = 0; i < n; ++i) y[i] = gelu::hand(x[i], w[i], b[i]);
}
[[gnu::noinline]] void hand_loop(cheap, float* __restrict y, float const* a, float const* b,
                                 float const* c, float const* d, index_t n) {
  for (index_t i = 0; i < n; ++i) y[i] = cheap::hand(a[i], b[i], c[i], d[i]);
}

enum class how { guardjit, tiles, hot, expression, eigen, eigen_static, hand };

/// The graph of a chain of vectors, as an interpreter sees it.
template <class Chain, int... K> struct interpreted_graph {
  template <int> static constexpr gj::argument_type type = gj::detail::argument_type_of<vector>();
  using function = std::remove_const_t<decltype(Chain::traced)>;
  static constexpr auto graph = gj::optimized<gj::traced<function, gj::call_signature<type<K>...>>>::graph;
};

template <class Chain, how How, int... K>
void run_chain(benchmark::State& state, index_t n, std::integer_sequence<int, K...>) {
  vector const in[] = {filled(vector(n), K + 1u, -3, 3)...};
  vector y(n), expected(n);
  hand_loop(Chain{}, expected.data(), in[K].data()..., n);
  auto const check = [&] { require_close(y.data(), expected.data(), n, 1e-5, Chain::name); };
  auto const call = [&](auto const& f) {
    f.into(y, in[K]...);
    check();
    f.into(y, in[K]...);
    check();
    measure(state, [&] { f.into(y, in[K]...); });
  };
  if constexpr (How == how::guardjit) {
    call(gj::compile(Chain::traced));
  } else if constexpr (How == how::tiles) {
    // The interpreter alone, without the lookup of an entry, beside kernels with it.
    gj::layout_view const one = in[0].layout().view();
    gj::layout_view const layouts[] = {(static_cast<void>(K), one)...};
    constexpr auto graph = interpreted_graph<Chain, K...>::graph.view();
    std::array<index_t, graph.extents.size()> symbols{};
    gj::evaluate_extents(graph.extents, symbols, [&](int k) { return layouts[k].extents; });
    gj::path_call const fixed{layouts, symbols, true};
    auto const runner = gj::backends::tiles{}.build(graph, fixed);
    vector const workspace(runner.workspace_bytes(fixed) / index_t{sizeof(float)} + 1);
    void* const bases[] = {const_cast<float*>(in[K].data())..., y.data()};
    auto* const room = static_cast<std::byte*>(static_cast<void*>(const_cast<float*>(workspace.data())));
    auto const run = [&] { runner.run(fixed, bases, room); };
    run();
    check();
    measure(state, run);
  } else if constexpr (How == how::hot) {
    call(gj::compile(Chain::traced, gj::hot_extent<0, 0, 4, 16>));
  } else if constexpr (How == how::expression) {
    auto const to = y.view();
    auto const run = [&] { to = Chain::traced(in[K]...); };
    run();
    check();
    measure(state, run);
  } else if constexpr (How == how::eigen) {
    auto const run = [&] { Chain::eigen(eigen_out(y.data(), n), eigen_in(in[K].data(), n)...); };
    run();
    check();
    measure(state, run);
  } else {
    measure(state, [&] { hand_loop(Chain{}, y.data(), in[K].data()..., n); });
  }
}

template <class Chain> void add_chain() {
  constexpr std::make_integer_sequence<int, Chain::inputs> inputs;
  for (index_t n : {4, 15, 16, 17, 31, 33, 256, 1000, 4096, 65536, 1048576}) {
    auto const size = std::to_string(n);
    add(Chain::name, "guardjit", size,
        [=](benchmark::State& s) { run_chain<Chain, how::guardjit>(s, n, inputs); });
    add(Chain::name, "tiles", size,
        [=](benchmark::State& s) { run_chain<Chain, how::tiles>(s, n, inputs); });
    if (n <= 17)  // 4 and 16 are listed, 15 and 17 are not
      add(Chain::name, "hot", size, [=](benchmark::State& s) { run_chain<Chain, how::hot>(s, n, inputs); });
    add(Chain::name, "expression", size,
        [=](benchmark::State& s) { run_chain<Chain, how::expression>(s, n, inputs); });
    add(Chain::name, "eigen", size,
        [=](benchmark::State& s) { run_chain<Chain, how::eigen>(s, n, inputs); });
    add(Chain::name, "hand", size,
        [=](benchmark::State& s) { run_chain<Chain, how::hand>(s, n, inputs); });
  }
}

/// The same for tensors whose extent is static, beside Eigen with and without that knowledge.
template <class Chain, how How, int N, int... K>
void run_static(benchmark::State& state, std::integer_sequence<int, K...>) {
  using fixed = tensor<float, N>;
  using array = Eigen::Array<float, N, 1>;
  fixed const in[] = {filled(fixed(), K + 1u, -3, 3)...};
  fixed y;
  vector expected(N);
  hand_loop(Chain{}, expected.data(), in[K].data()..., N);
  auto const check = [&] { require_close(y.data(), expected.data(), N, 1e-5, Chain::name); };
  if constexpr (How == how::guardjit) {
    auto const f = gj::compile(Chain::traced);
    f.into(y, in[K]...);
    check();
    f.into(y, in[K]...);
    check();
    measure(state, [&] { f.into(y, in[K]...); });
  } else if constexpr (How == how::eigen) {
    index_t n = N;
    benchmark::DoNotOptimize(n);  // what Eigen is not told
    auto const run = [&] { Chain::eigen(eigen_out(y.data(), n), eigen_in(in[K].data(), n)...); };
    run();
    check();
    measure(state, run);
  } else {
    auto const run = [&] {
      Chain::eigen(Eigen::Map<array, Eigen::Aligned64>(y.data()),
                   Eigen::Map<array const, Eigen::Aligned64>(in[K].data())...);
    };
    run();
    check();
    measure(state, run);
  }
}

template <class Chain, int... N> void add_static(std::integer_sequence<int, N...>) {
  constexpr std::make_integer_sequence<int, Chain::inputs> inputs;
  auto const subject = std::string(Chain::name) + "_static";
  auto const add_size = [&]<int Size>(std::integral_constant<int, Size>) {
    auto const size = std::to_string(Size);
    add(subject, "guardjit", size,
        [=](benchmark::State& s) { run_static<Chain, how::guardjit, Size>(s, inputs); });
    add(subject, "eigen", size,
        [=](benchmark::State& s) { run_static<Chain, how::eigen, Size>(s, inputs); });
    add(subject, "eigen_static", size,
        [=](benchmark::State& s) { run_static<Chain, how::eigen_static, Size>(s, inputs); });
  };
  (add_size(std::integral_constant<int, N>{}), ...);
}

/// Gelu with one bias for all rows.
template <how How> void run_bias(benchmark::State& state) {
  constexpr index_t rows = 64, columns = 128;
  using array = Eigen::Array<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  matrix const x = filled(matrix(rows, columns), 1, -3, 3), w = filled(matrix(rows, columns), 2);
  vector const b = filled(vector(columns), 3);
  matrix y(rows, columns), expected(rows, columns);
  auto const by_hand = [&](matrix& to) {
    for (index_t i = 0; i < rows; ++i)
      hand_loop(gelu{}, to.data() + i * columns, x.data() + i * columns, w.data() + i * columns,
                b.data(), columns);
  };
  by_hand(expected);
  auto const check = [&] { require_close(y.data(), expected.data(), y.size(), 1e-5, "bias_gelu"); };
  if constexpr (How == how::guardjit) {
    auto const f = gj::compile(gelu::traced);
    f.into(y, x, w, b);
    check();
    measure(state, [&] { f.into(y, x, w, b); });
  } else if constexpr (How == how::eigen) {
    Eigen::Map<array const, Eigen::Aligned64> const ex(x.data(), rows, columns),
        ew(w.data(), rows, columns);
    Eigen::Map<Eigen::Array<float, 1, Eigen::Dynamic> const, Eigen::Aligned64> const eb(b.data(),
                                                                                        columns);
    Eigen::Map<array, Eigen::Aligned64> ey(y.data(), rows, columns);
    auto const run = [&] {
      auto const u = (ex * ew).rowwise() + eb;
      ey = 0.5f * u * (1.0f + (0.79788456f * (u + 0.044715f * u * u * u)).tanh());
    };
    run();
    check();
    measure(state, run);
  } else {
    measure(state, [&] { by_hand(y); });
  }
}

[[maybe_unused]] int const registered = [] {
  add_chain<gelu>();
  add_chain<cheap>();
  add_static<gelu>(std::integer_sequence<int, 4, 15, 16, 17, 31, 33>{});
  add_static<cheap>(std::integer_sequence<int, 4, 15, 16, 17, 31, 33>{});
  add("bias_gelu", "guardjit", "64x128", run_bias<how::guardjit>);
  add("bias_gelu", "eigen", "64x128", run_bias<how::eigen>);
  add("bias_gelu", "hand", "64x128", run_bias<how::hand>);
  return 0;
}();

}  // namespace
