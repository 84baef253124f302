// guardjit: graph/leaf_names.hpp: how messages name the arguments of a function and their leaves
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_GRAPH_LEAF_NAMES_HPP
#define GUARDJIT_GRAPH_LEAF_NAMES_HPP

#include <guardjit/graph/structure.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// The place of one leaf, as in `arg[1].2.0` or `bound[0].weight`; what does not fit is cut.
struct leaf_path {
  char text[80]{};

  constexpr void append(char c) {
    unsigned end = 0;
    while (text[end] != '\0') ++end;
    if (end + 1 < sizeof text) text[end] = c;
  }
  constexpr void append(char const* more) {
    while (*more != '\0') append(*more++);
  }
  constexpr void append(int number) {
    if (number >= 10) append(number / 10);
    append(static_cast<char>('0' + number % 10));
  }
};

namespace detail {

struct any_visitor {
  constexpr void operator()(char const*, auto const&) const {}
};
/// Whether a module has the hook `for_each_leaf(module, visit)`, found by its namespace, which calls
/// `visit("name", field)` for fields or leaves further down.
template <class Module>
concept names_its_leaves = requires(Module& m, any_visitor visit) { for_each_leaf(m, visit); };

/// The name that the hook has for one part of a module, or null.
template <class Module, class Part> constexpr char const* hook_name(Module& m, Part const& part) {
  char const* found = nullptr;
  if constexpr (names_its_leaves<Module>)
    for_each_leaf(m, [&](char const* name, auto const& visited) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(visited)>, Part>)
        if (&visited == &part) found = name;
    });
  return found;
}

/// Writes the paths of all leaves of `value`, which has the path `here`, and moves `to` behind them.
template <class Value> constexpr void name_leaves(Value& value, leaf_path const& here, leaf_path*& to) {
  if constexpr (leaf<Value>) {
    *to++ = here;
  } else {
    auto const below = [&here](char const* name, int number) {
      leaf_path path = here;
      path.append('.');
      if (name) path.append(name);
      else path.append(number);
      return path;
    };
    leaf_path* const first = to;
    int number = 0;
    auto const descend = [&](auto& field) {
      name_leaves(field, below(hook_name(value, field), number++), to);
    };
    std::apply([&](auto&... field) { (descend(field), ...); }, fields_of(value));
    // The hook may name leaves of its fields, too.
    leaf_path* at = first;
    auto const rename = [&](auto const& part) {
      if (char const* const name = hook_name(value, part)) *at = below(name, 0);
      ++at;
    };
    std::apply([&](auto&... part) { (rename(part), ...); }, leaves_of(value));
  }
}

}  // namespace detail

/// Names for arguments of these types, with symbols in the places of leaves, of which the last
/// `Bound` are bound values.
template <int Bound, class... Symbolic> struct leaf_names {
  static constexpr int count = (0 + ... + detail::leaf_count<Symbolic>);
  static constexpr auto list = [] {
    std::array<leaf_path, static_cast<unsigned>(count) + 1> paths{};
    leaf_path* to = paths.data();
    int number = 0;
    auto const name = [&](auto value) {
      int const bound = number - (static_cast<int>(sizeof...(Symbolic)) - Bound);
      leaf_path here;
      here.append(bound < 0 ? "arg[" : "bound[");
      here.append(bound < 0 ? number : bound);
      here.append(']');
      detail::name_leaves(value, here, to);
      ++number;
    };
    (name(Symbolic{}), ...);
    return paths;
  }();
  static constexpr std::span<leaf_path const> names{list.data(), static_cast<unsigned>(count)};
};
/// Arguments that are leaves are named by their numbers, `arg[0]`.
struct numbered_leaves {
  static constexpr std::span<leaf_path const> names{};
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
