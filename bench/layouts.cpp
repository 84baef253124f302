// guardjit: bench/layouts.cpp: chains over a broadcast row, a transposed and a stepped input, against Eigen and loops
// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"

namespace {

using namespace bench;
using array = Eigen::Array<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using row = Eigen::Array<float, 1, Eigen::Dynamic>;

/// What each element becomes, for symbols, Eigen's expressions and floats.
struct gelu {
  static constexpr char const* name = "gelu";
  static constexpr auto formula = [](auto const& u, auto const& hyperbolic) {
    return 0.5f * u * (1.0f + hyperbolic(0.79788456f * (u + 0.044715f * u * u * u)));
  };
  static constexpr auto traced = [](auto const& x, auto const& w, auto const& b) {
    return formula(x * w + b, gj::tanh);
  };
};
struct cheap {
  static constexpr char const* name = "cheap";
  static constexpr auto formula = [](auto const& u, auto const&) { return u; };
  static constexpr auto traced = [](auto const& x, auto const& w, auto const& b) { return x * w + b; };
};

/// Where element (i, j) of the first input lies, and how the others do.
enum class form { bias, transposed, stepped };
constexpr char const* name_of(form f) {
  return f == form::bias ? "bias_" : f == form::transposed ? "transposed_" : "stepped_";
}

template <class Chain, form Form> struct task {
  index_t m, n;
  matrix x = filled(Form == form::transposed ? matrix(n, m) : matrix(m, Form == form::stepped ? 2 * n : n), 1, -3, 3);
  matrix w = filled(matrix(m, n), 2, -1, 1);
  matrix b = filled(matrix(Form == form::bias ? 1 : m, n), 3);

  static constexpr auto traced = [](auto const& first, auto const& second, auto const& third) {
    if constexpr (Form == form::transposed) return Chain::traced(gj::transpose(first), second, third);
    else return Chain::traced(first, second, third);
  };
  void hand(float* __restrict y) const {
    index_t const down = Form == form::transposed ? 1 : x.stride(0);
    index_t const along = Form == form::transposed ? m : Form == form::stepped ? 2 : 1;
    index_t const next = Form == form::bias ? 0 : n;
    auto const hyperbolic = [](float v) { return std::tanh(v); };
    for (index_t i = 0; i < m; ++i)
      for (index_t j = 0; j < n; ++j)
        y[i * n + j] = Chain::formula(x.data()[i * down + j * along] * w.data()[i * n + j] + b.data()[i * next + j],
                                      hyperbolic);
  }
  void eigen(float* out) const {
    Eigen::Map<array> y(out, m, n);
    Eigen::Map<array const> const second(w.data(), m, n);
    auto const hyperbolic = [](auto const& v) { return v.tanh(); };
    if constexpr (Form == form::bias) {
      auto const u = (Eigen::Map<array const>(x.data(), m, n) * second).rowwise() + Eigen::Map<row const>(b.data(), n);
      y = Chain::formula(u, hyperbolic);
    } else if constexpr (Form == form::transposed) {
      auto const u = Eigen::Map<array const>(x.data(), n, m).transpose() * second + Eigen::Map<array const>(b.data(), m, n);
      y = Chain::formula(u, hyperbolic);
    } else {
      Eigen::Map<array const, 0, Eigen::Stride<Eigen::Dynamic, 2>> const first(
          x.data(), m, n, Eigen::Stride<Eigen::Dynamic, 2>(2 * n, 2));
      auto const u = first * second + Eigen::Map<array const>(b.data(), m, n);
      y = Chain::formula(u, hyperbolic);
    }
  }
};

enum class how { guardjit, eigen, hand };

template <class Chain, form Form, how How> void run(benchmark::State& state, index_t m, index_t n) {
  task<Chain, Form> const t{m, n};
  matrix y(m, n), expected(m, n);
  t.hand(expected.data());
  auto const check = [&] { require_close(y.data(), expected.data(), y.size(), 1e-5, Chain::name); };
  if constexpr (How == how::guardjit) {
    auto const f = gj::compile(task<Chain, Form>::traced);
    matrix const x = Form == form::stepped ? gj::slice(t.x, 1, 0, gj::slice_end, 2) : t.x;
    f.into(y, x, t.w, t.b);
    check();
    measure(state, [&] { f.into(y, x, t.w, t.b); });
  } else if constexpr (How == how::eigen) {
    t.eigen(y.data());
    check();
    measure(state, [&] { t.eigen(y.data()); });
  } else {
    measure(state, [&] { t.hand(y.data()); });
  }
}

template <class Chain, form Form> void add_form() {
  auto const subject = std::string(name_of(Form)) + Chain::name;
  for (auto [m, n] : {std::array<index_t, 2>{16, 256}, {256, 256}, {1024, 1024}}) {
    auto const size = std::to_string(m) + "x" + std::to_string(n);
    add(subject, "guardjit", size, [m, n](benchmark::State& s) { run<Chain, Form, how::guardjit>(s, m, n); });
    add(subject, "eigen", size, [m, n](benchmark::State& s) { run<Chain, Form, how::eigen>(s, m, n); });
    add(subject, "hand", size, [m, n](benchmark::State& s) { run<Chain, Form, how::hand>(s, m, n); });
  }
}

[[maybe_unused]] int const registered = [] {
  add_form<gelu, form::bias>();
  add_form<gelu, form::transposed>();
  add_form<gelu, form::stepped>();
  add_form<cheap, form::bias>();
  add_form<cheap, form::transposed>();
  add_form<cheap, form::stepped>();
  return 0;
}();

}  // namespace
