// guardjit: compile/typed_path.hpp: the branches on scalar arguments, for arguments whose types are known
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_TYPED_PATH_HPP
#define GUARDJIT_COMPILE_TYPED_PATH_HPP

#include <guardjit/compile/arguments.hpp>
#include <guardjit/compile/path.hpp>

#include <tuple>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// What `path_of` says of scalars, unrolled. Layouts decide the branches on extents; so a static
/// entry whose layouts are those of a call serves it where the branches on scalars, too, are those
/// of its path.
template <class Spec> class typed_path {
 public:
  /// Whether the layouts and the scalars that are guarded by value do not tell the outcome.
  static constexpr bool reads_free(condition const& c) {
    return reads_free_scalar(c, Spec::signature::arguments);
  }
  /// Whether all branches on other scalars compare them with each other or with numbers.
  static constexpr bool is_known = [] {
    for (path_spec const& path : Spec::data.paths)
      for (condition const& c : path.graph.conditions)
        if (reads_free(c) && (c.left.kind == term::extent || c.right.kind == term::extent)) return false;
    return true;
  }();

  /// Whether the scalars of a call lead along path `path`. `values` is a tuple of the arguments.
  /// Precondition: `is_known`.
  static bool is_taken(int path, auto const& values) noexcept {
    if constexpr (!Spec::data.branches_on_scalars || !is_known) return true;
    else return is_taken(path, values, std::make_integer_sequence<int, count>{});
  }

 private:
  static constexpr int count = static_cast<int>(Spec::data.paths.size());

  static constexpr std::span<condition const> conditions(int path) {
    return Spec::data.paths[static_cast<unsigned>(path)].graph.conditions;
  }

  template <int... Path> static bool is_taken(int path, auto const& values,
                                              std::integer_sequence<int, Path...>) noexcept {
    bool taken = false;
    ((taken = taken || (path == Path && holds<Path>(values))), ...);
    return taken;
  }
  template <int Path> static bool holds(auto const& values) noexcept {
    bool all = true;
    for_each_index<static_cast<int>(conditions(Path).size())>([&]<class C>(C) {
      constexpr condition c = conditions(Path)[static_cast<unsigned>(C::value)];
      if constexpr (reads_free(c)) {
        double const a = value_of_term<Path, C::value, true>(values),
                     b = value_of_term<Path, C::value, false>(values);
        all = all && compares(c.compare, a, b) == c.outcome;
      }
    });
    return all;
  }
  template <int Path, int C, bool IsLeft> static double value_of_term(auto const& values) noexcept {
    constexpr condition c = conditions(Path)[static_cast<unsigned>(C)];
    constexpr term t = IsLeft ? c.left : c.right;
    if constexpr (t.kind == term::number) {
      return t.real;
    } else {
      auto const& value = std::get<static_cast<std::size_t>(t.value)>(values);
      using element_type = element_t<scalar_type<std::remove_cvref_t<decltype(value)>>()>;
      return static_cast<double>(static_cast<element_type>(value));
    }
  }
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
