// guardjit: compile/specialization.hpp: one function under one signature: its paths and programs
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_SPECIALIZATION_HPP
#define GUARDJIT_COMPILE_SPECIALIZATION_HPP

#include <guardjit/compile/arguments.hpp>
#include <guardjit/compile/program.hpp>
#include <guardjit/compile/usage.hpp>
#include <guardjit/graph/paths.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// What a path makes of a call: the values of its symbols and the outcomes of its conditions.
template <class Traced> struct path_values {
  static constexpr graph_view g = Traced::graph.view();
  std::array<index_t, Traced::graph.extents.size()> extents{};
  std::uint64_t outcomes = 0;

  template <int Arguments> explicit path_values(call_frame<Arguments> const& frame) {
    evaluate_extents(g.extents, extents, [&frame](int k) { return frame.layouts[static_cast<unsigned>(k)].extents; });
    for (unsigned k = 0; k < g.conditions.size(); ++k) {
      condition const& c = g.conditions[k];
      if (compare(c, frame)) outcomes |= std::uint64_t{1} << k;
    }
  }
  /// Whether the call takes this path.
  bool taken() const {
    for (unsigned k = 0; k < g.conditions.size(); ++k)
      if (g.conditions[k].outcome != ((outcomes >> k & 1u) != 0)) return false;
    return true;
  }

 private:
  template <int Arguments> bool compare(condition const& c, call_frame<Arguments> const& frame) const {
    if (c.left.kind == term::extent && c.right.kind == term::extent) {
      index_t const a = value_of(c.left.value, extents), b = value_of(c.right.value, extents);
      return c.compare == op::lt ? a < b : c.compare == op::gt ? a > b : a == b;
    }
    double const a = real(c.left, frame), b = real(c.right, frame);
    return c.compare == op::lt ? a < b : c.compare == op::gt ? a > b : a == b;
  }
  template <int Arguments> double real(term const& t, call_frame<Arguments> const& frame) const {
    if (t.kind == term::number) return t.real;
    if (t.kind == term::extent) return static_cast<double>(value_of(t.value, extents));
    auto const at = static_cast<unsigned>(t.value);
    return scalar_value(frame.scalars[at], scalar_types[at]);
  }
  static constexpr auto scalar_types = [] {
    std::array<dtype, Traced::graph.arguments == 0 ? 1 : Traced::graph.arguments> types{};
    for (node const& n : g.nodes)
      if (n.id == op::input && !is_symbol(static_cast<index_t>(n.bits))) types[static_cast<unsigned>(n.bits)] = n.type;
    return types;
  }();
};

template <class First, class... Rest> struct first_type {
  using type = First;
};
template <class List, class Backend> struct programs_of;
template <class... Traced, class Backend> struct programs_of<type_list<Traced...>, Backend> {
  using type = type_list<program<Traced, Backend>...>;
  static constexpr bool branches_on_scalars = [] {
    bool found = false;
    auto const look = [&found](graph_view g) {
      for (condition const& c : g.conditions)
        found = found || c.left.kind == term::scalar || c.right.kind == term::scalar;
    };
    (look(Traced::graph.view()), ...);
    return found;
  }();
  static constexpr auto usage = [] {
    auto all = usage_of<typename first_type<Traced...>::type>();
    (all.merge(usage_of<Traced>()), ...);
    return all;
  }();
  /// An extent of the result is static where all paths agree (G95).
  static constexpr shape result_shape = [] {
    shape const shapes[] = {program<Traced, Backend>::result_shape...};
    shape s = shapes[0];
    for (shape const& other : shapes)
      for (int d = 0; d < s.rank; ++d)
        if (other[d] != s[d]) s[d] = dyn;
    return s;
  }();
};

}  // namespace detail

/// A function under one signature, for one backend: everything the C++ compiler decides.
template <class F, class Signature, class Backend> struct specialization {
  using signature = Signature;
  using backend = Backend;
  using all_paths = paths<F, Signature>;
  using programs = typename detail::programs_of<typename all_paths::list, Backend>::type;
  static constexpr int arguments = Signature::size;
  static constexpr int path_count = all_paths::count;
  template <int Path> using program_at =
      typename decltype(detail::nth_element<Path>(programs{}))::type;

  static constexpr bool branches_on_scalars =
      detail::programs_of<typename all_paths::list, Backend>::branches_on_scalars;
  static constexpr auto usage = detail::programs_of<typename all_paths::list, Backend>::usage;
  static constexpr shape result_shape = detail::programs_of<typename all_paths::list, Backend>::result_shape;
  static constexpr int result_rank = result_shape.rank;
  static constexpr dtype result_type = program_at<0>::result_type;

  using frame = detail::call_frame<arguments>;

  /// The path that a call takes. Complexity: linear in the conditions.
  static int path_of(frame const& f) {
    if constexpr (path_count == 1) return 0;
    int found = -1;
    for_each_index<path_count>([&]<class K>(K) {
      if (found >= 0) return;
      using traced = typename program_at<K::value>::traced;
      if (detail::path_values<traced>(f).taken()) found = K::value;
    });
    return found;
  }
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
