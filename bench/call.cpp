// guardjit: bench/call.cpp: what a guarded call costs over a call of the same kernel
// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"
#include <functional>
#include <random>
#include <unordered_map>
#include <vector>

namespace {

using namespace bench;

struct one {
  static constexpr int arguments = 1;
  static constexpr auto function = [](auto a) { return a * a; };
};
struct three {
  static constexpr int arguments = 3;
  static constexpr auto function = [](auto a, auto b, auto c) { return a * b + c; };
};
struct eight {
  static constexpr int arguments = 8;
  static constexpr auto function = [](auto a, auto b, auto c, auto d, auto e, auto f, auto g,
                                      auto h) { return (a * b + c * d) + (e * f + g * h); };
};
/// Reads the first 8 columns: the work is the same for all extents.
struct window {
  static constexpr int arguments = 3;
  static constexpr auto function = [](auto a, auto b, auto c) {
    return gj::slice(a, 1, 0, 8) * gj::slice(b, 1, 0, 8) + gj::slice(c, 1, 0, 8);
  };
};

template <class Case> using arguments_of =
    std::array<matrix, static_cast<unsigned>(Case::arguments)>;
template <class Case> constexpr std::make_integer_sequence<unsigned, Case::arguments> each{};

template <class Case> arguments_of<Case> make_arguments(index_t columns) {
  return [columns]<unsigned... K>(std::integer_sequence<unsigned, K...>) {
    return arguments_of<Case>{filled(matrix(1, columns), K + 1)...};
  }
  (each<Case>);
}

template <unsigned> using nth_matrix = matrix;
template <class Case, class Sequence> struct kernel_for;
/// The fused kernel of a case, and the loops for one call of it.
template <class Case, unsigned... K>
struct kernel_for<Case, std::integer_sequence<unsigned, K...>> {
  using spec = gj::specialization<std::remove_const_t<decltype(Case::function)>,
                                  gj::call_signature<gj::detail::argument_type_of<nth_matrix<K>>()...>,
                                  gj::backends::eigen>;
  using program = typename spec::facts::first_program;
  static_assert(program::steps == 1);
  static constexpr gj::step what = program::kernels.steps[0];
  using formula =
      typename gj::detail::formula_of_step<program, what,
                                           std::make_integer_sequence<int, what.words>>::type;
  using nest_type = gj::loop_nest<Case::arguments + 1>;
  using pointer = void (*)(nest_type const&, void*, void const* const*);
  using function = std::function<void(matrix&, nth_matrix<K> const&...)>;

  pointer run = &gj::backends::eigen::elementwise<formula>;
  nest_type nest;

  explicit kernel_for(arguments_of<Case> const& a) {
    nest = gj::elementwise_nest({1, 8},
                                std::array{gj::layout<2>({1, 8}).view(), a[K].layout().view()...});
  }
  void operator()(matrix& out, nth_matrix<K> const&... a) const {
    void const* const in[] = {a.data()...};
    run(nest, out.data(), in);
  }
};
template <class Case> using kernel_of = kernel_for<Case, std::remove_const_t<decltype(each<Case>)>>;

/// Calls `callee(out, arguments…)`.
template <class Case> void apply(auto const& callee, matrix& out, arguments_of<Case> const& a) {
  [&]<unsigned... K>(std::integer_sequence<unsigned, K...>) { callee(out, a[K]...); }
  (each<Case>);
}

/// `callee` with one set of arguments, the result checked first.
template <class Case, class Callee>
void run_same(benchmark::State& state, Callee& callee, arguments_of<Case> const& a) {
  kernel_of<Case> const kernel(a);
  matrix out(1, 8), expected(1, 8);
  apply<Case>(kernel, expected, a);
  apply<Case>(callee, out, a);
  require_close(out.data(), expected.data(), 8, 0, "call");
  measure(state, [&] {
    benchmark::DoNotOptimize(callee);
    apply<Case>(callee, out, a);
  });
}

template <class Case> void add_predicted(std::string const& arguments) {
  add("call_into", "guardjit", arguments, [](benchmark::State& state) {
    auto const f = gj::compile(Case::function);
    auto const callee = [&f](matrix& out, auto const&... a) { f.into(out, a...); };
    run_same<Case>(state, callee, make_arguments<Case>(8));
  });
  add("call_into", "guardjit_workspace", arguments, [](benchmark::State& state) {
    auto const f = gj::compile(Case::function);
    auto const callee = [&f](matrix& out, auto const&... a) {
      f.into(out, a..., std::span<std::byte>{});
    };
    run_same<Case>(state, callee, make_arguments<Case>(8));
  });
  add("call_into", "dynamic", arguments, [](benchmark::State& state) {
    auto const f = gj::compile(Case::function, gj::dynamic::all);
    auto const callee = [&f](matrix& out, auto const&... a) { f.into(out, a...); };
    run_same<Case>(state, callee, make_arguments<Case>(8));
  });
  add("call_into", "direct", arguments, [](benchmark::State& state) {
    auto const a = make_arguments<Case>(8);
    kernel_of<Case> const kernel(a);
    run_same<Case>(state, kernel, a);
  });
  add("call_into", "std_function", arguments, [](benchmark::State& state) {
    auto const a = make_arguments<Case>(8);
    typename kernel_of<Case>::function const callee = kernel_of<Case>(a);
    run_same<Case>(state, callee, a);
  });
}

template <class Case> void add_returned(std::string const& arguments) {
  add("call_returned", "guardjit", arguments, [](benchmark::State& state) {
    auto const f = gj::compile(Case::function);
    auto const callee = [&f](matrix& out, auto const&... a) { out = f(a...); };
    run_same<Case>(state, callee, make_arguments<Case>(8));
  });
  add("call_returned", "direct", arguments, [](benchmark::State& state) {
    auto const a = make_arguments<Case>(8);
    kernel_of<Case> const kernel(a);
    run_same<Case>(state, kernel, a);
  });
}

std::uint64_t hash_of(auto const&... a) {
  std::uint64_t h = 0;
  ((h = gj::detail::mix(h, a.layout().hash())), ...);
  return h;
}

/// Calls among many entries, in an order that repeats after 4096.
void run_among(benchmark::State& state, std::vector<arguments_of<window>> const& sets, bool random,
               auto& callee) {
  matrix out(1, 8), expected(1, 8);
  for (auto const& a : sets) {
    apply<window>(kernel_of<window>(a), expected, a);
    apply<window>(callee, out, a);
    require_close(out.data(), expected.data(), 8, 0, "call among entries");
  }
  std::mt19937 generator(1);
  std::vector<std::uint32_t> order(4096);
  for (auto& o : order)
    o = static_cast<std::uint32_t>(random ? generator() % sets.size() : sets.size() - 1);
  std::size_t at = 0;
  measure(state, [&] {
    benchmark::DoNotOptimize(callee);
    apply<window>(callee, out, sets[order[at++ & 4095]]);
  });
}

void add_among(index_t entries, bool random) {
  // All sets share their elements, so that what is measured is the way to them.
  auto const make_sets = [entries] {
    std::vector<arguments_of<window>> sets;
    auto const all = make_arguments<window>(8 + entries);
    for (index_t k = 0; k < entries; ++k) {
      gj::layout<2> const form({1, 8 + k});
      auto const part = [&](matrix x) { return matrix::adopt(x.storage(), x.data(), form); };
      sets.push_back({part(all[0]), part(all[1]), part(all[2])});
    }
    return sets;
  };
  std::string const subject = random ? "call_random" : "call_predicted",
                    arguments = std::to_string(entries);
  add(subject, "guardjit", arguments, [=](benchmark::State& state) {
    auto const f = gj::compile(window::function, gj::dynamic::none, gj::recompile_limit{1000},
                               gj::compile_limit{1000});
    auto const callee = [&f](matrix& out, auto const&... a) { f.into(out, a...); };
    run_among(state, make_sets(), random, callee);
  });
  if (random)  // more layouts than a thread remembers the plans of
    add(subject, "dynamic", arguments, [=](benchmark::State& state) {
      auto const f = gj::compile(window::function, gj::dynamic::all);
      auto const callee = [&f](matrix& out, auto const&... a) { f.into(out, a...); };
      run_among(state, make_sets(), random, callee);
    });
  add(subject, "direct", arguments, [=](benchmark::State& state) {
    auto const sets = make_sets();
    kernel_of<window> const callee(sets[0]);
    run_among(state, sets, random, callee);
  });
  add(subject, "hash_map", arguments, [=](benchmark::State& state) {
    auto const sets = make_sets();
    std::unordered_map<std::uint64_t, typename kernel_of<window>::function> map;
    for (auto const& a : sets) map[hash_of(a[0], a[1], a[2])] = kernel_of<window>(a);
    auto const callee = [&map](matrix& out, auto const&... a) {
      map.find(hash_of(a...))->second(out, a...);
    };
    run_among(state, sets, random, callee);
  });
}

void add_misses() {
  add("call_miss", "entry", "3", [](benchmark::State& state) {
    auto const f = gj::compile(three::function);
    auto const callee = [&f](matrix& out, auto const&... a) {
      f.clear();
      f.into(out, a...);
    };
    run_same<three>(state, callee, make_arguments<three>(8));
  });
  add("call_miss", "uncached", "3", [](benchmark::State& state) {
    auto const f = gj::compile(three::function, gj::dynamic::none, gj::recompile_limit{1});
    matrix first(1, 9);
    f.into(first, first, first, first);
    auto const callee = [&f](matrix& out, auto const&... a) { f.into(out, a...); };
    run_same<three>(state, callee, make_arguments<three>(8));
  });
  add("call_miss", "direct", "3", [](benchmark::State& state) {
    auto const a = make_arguments<three>(8);
    kernel_of<three> const kernel(a);
    run_same<three>(state, kernel, a);
  });
}

[[maybe_unused]] int const registered = [] {
  add_predicted<one>("1");
  add_predicted<three>("3");
  add_predicted<eight>("8");
  add_returned<three>("3");
  for (index_t entries : {1, 8, 64, 1000})
    for (bool random : {false, true}) add_among(entries, random);
  add_misses();
  return 0;
}();

}  // namespace
