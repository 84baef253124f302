// guardjit: bench/call_cases.hpp: functions of 1 to 100 tensors, their kernels, and calls of both
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_BENCH_CALL_CASES_HPP
#define GUARDJIT_BENCH_CALL_CASES_HPP

#include "support.hpp"

#include <array>
#include <utility>
#include <vector>

namespace bench {

/// A case has a `function` of so many `arguments` of type `argument`, one by one or as a module.
struct one {
  using argument = matrix;
  static constexpr int arguments = 1;
  static constexpr bool is_module = false;
  static constexpr auto function = [](auto a) { return a * a; };
};
struct three {
  using argument = matrix;
  static constexpr int arguments = 3;
  static constexpr bool is_module = false;
  static constexpr auto function = [](auto a, auto b, auto c) { return a * b + c; };
};
struct eight {
  using argument = matrix;
  static constexpr int arguments = 8;
  static constexpr bool is_module = false;
  static constexpr auto function = [](auto a, auto b, auto c, auto d, auto e, auto f, auto g,
                                      auto h) { return (a * b + c * d) + (e * f + g * h); };
};
/// Reads the first 8 columns: the work is the same for all extents.
struct window {
  using argument = matrix;
  static constexpr int arguments = 3;
  static constexpr bool is_module = false;
  static constexpr auto function = [](auto a, auto b, auto c) {
    return gj::slice(a, 1, 0, 8) * gj::slice(b, 1, 0, 8) + gj::slice(c, 1, 0, 8);
  };
};
/// Ten ops.
struct ten_ops {
  using argument = matrix;
  static constexpr int arguments = 3;
  static constexpr bool is_module = false;
  static constexpr auto function = [](auto a, auto b, auto c) {
    auto const t = gj::relu(a * b + c), u = gj::abs(a - b);
    return (t + u) * (t - u) * 0.5f + gj::maximum(t, c);
  };
};
/// The sum of an array of tensors, as the parameters of a model come.
template <int Count, class Argument = matrix> struct sum_of {
  using argument = Argument;
  static constexpr int arguments = Count;
  static constexpr bool is_module = true;
  static constexpr auto function = [](auto const& a) {
    auto sum = a[0] + a[1];
    for (unsigned k = 2; k < unsigned{Count}; ++k) sum = sum + a[k];
    return sum;
  };
};

template <class Case> using arguments_of =
    std::array<typename Case::argument, static_cast<unsigned>(Case::arguments)>;

template <class Case> arguments_of<Case> make_arguments(index_t columns) {
  return [columns]<std::size_t... K>(std::index_sequence<K...>) {
    auto const fresh = [columns](unsigned seed) {
      return filled(typename Case::argument(filled(matrix(1, columns), seed)), seed);
    };
    return arguments_of<Case>{fresh(unsigned{K} + 1)...};
  }(std::make_index_sequence<std::size_t{Case::arguments}>{});
}

/// Calls `use` with the arguments as the case's function has them.
template <class Case, class Use>
[[gnu::always_inline]] inline auto with_arguments(arguments_of<Case> const& a, Use const& use) {
  if constexpr (Case::is_module) return use(a);
  else
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
      return use(a[K]...);
    }(std::make_index_sequence<std::size_t{Case::arguments}>{});
}

/// The same kernels, for the layouts of one set of arguments, called through a function pointer: what is
/// left of a compiled call without its guards.
template <class Case> class direct_call {
  template <class> struct facts;
  template <std::size_t... K> struct facts<std::index_sequence<K...>> {
    template <std::size_t> using nth = typename Case::argument;
    using function = std::remove_const_t<decltype(Case::function)>;
    using given = std::conditional_t<Case::is_module, gj::detail::argument_facts<function, 0, arguments_of<Case>>,
                                     gj::detail::argument_facts<function, 0, nth<K>...>>;
    using type = gj::specialization<typename given::function,
                                    gj::call_signature<gj::detail::argument_type_of<nth<K>>()...>,
                                    gj::backends::eigen>;
  };
  using spec = typename facts<std::make_index_sequence<std::size_t{Case::arguments}>>::type;
  using program = typename spec::facts::first_program;
  static constexpr auto count = static_cast<unsigned>(Case::arguments);

 public:
  explicit direct_call(arguments_of<Case> const& a) {
    std::vector<gj::layout_view> layouts;
    for (auto const& x : a) layouts.push_back(x.layout().view());
    gj::bound_call bound;
    gj::detail::bind_program<program>(layouts.data(), &plan_, bound);
    run_ = bound.run;
    workspace_.resize(static_cast<std::size_t>(bound.workspace_bytes / 64 + 1));
  }
  void operator()(auto& out, arguments_of<Case> const& a) const {
    void* bases[count + 3];
    for (unsigned k = 0; k < count; ++k) bases[k] = const_cast<float*>(a[k].data());
    bases[count] = out.data();
    bases[count + 1] = const_cast<block*>(workspace_.data());
    bases[count + 2] = const_cast<index_t*>(plan_.symbols.data());
    run_(&plan_, bases);
  }

 private:
  struct alignas(64) block {
    std::byte bytes[64];
  };
  gj::plan<program> plan_;
  void (*run_)(void const*, void* const*);
  std::vector<block> workspace_;
};

/// A compiled function as what is called with an output and arguments.
template <class Case, class Function> auto into_of(Function const& f) {
  return [&f](auto& out, arguments_of<Case> const& a) {
    with_arguments<Case>(a, [&](auto const&... x) { f.into(out, x...); });
  };
}

/// Ends the program where `callee` and a direct call differ.
template <class Case, class Callee> void require_right(Callee const& callee, arguments_of<Case> const& a) {
  typename Case::argument expected(filled(matrix(1, 8), 1)), out(filled(matrix(1, 8), 2));
  direct_call<Case>{a}(expected, a);
  callee(out, a);
  require_close(out.data(), expected.data(), 8, 0, "call");
}

/// `callee` with one set of arguments, the result checked first.
template <class Case, class Callee>
void run_same(benchmark::State& state, Callee const& callee, arguments_of<Case> const& a) {
  require_right<Case>(callee, a);
  typename Case::argument out(filled(matrix(1, 8), 1));
  measure(state, [&] {
    benchmark::DoNotOptimize(&callee);
    callee(out, a);
  });
}

}  // namespace bench

#endif
