// guardjit: compile/history.hpp: which extents have varied: automatic dynamic entries
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_HISTORY_HPP
#define GUARDJIT_COMPILE_HISTORY_HPP

#include <guardjit/compile/guard_list.hpp>
#include <guardjit/compile/options.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// What the entries of one signature were made for. An extent met with two values is open in the
/// next entry; so are the strides of an argument whose class stays while they change.
/// Rules: G27, G80, G81.
class extent_history {
 public:
  /// What an entry for this call leaves open.
  [[gnu::cold]]
  std::vector<open_dims> open_for(function_spec const& fn, frame_view const& f, dynamic_policy policy) const {
    std::vector<open_dims> open(fn.arguments.size());
    for (unsigned k = 0; k < fn.arguments.size(); ++k) {
      argument_type const& type = fn.arguments[k];
      if (type.scalar) continue;
      argument_facts const known = k < facts_.size() ? facts_[k] : argument_facts{};
      for (unsigned d = 0; d < static_cast<unsigned>(type.extents.rank); ++d) {
        // What nobody reads makes no entry dynamic.
        if (type.extents[static_cast<int>(d)] != dyn || !fn.reads(static_cast<int>(k), static_cast<int>(d)))
          continue;
        dynamic_policy const of_dim = policy_of(fn, k, d, policy);
        bool const other = known.met && known.values[d] != f.layouts[k].extents[d];
        bool const varies = of_dim == dynamic_policy::automatic && (known.varied[d] || other);
        if (of_dim == dynamic_policy::all || varies)
          open[k].extents = static_cast<std::uint8_t>(open[k].extents | 1u << d);
      }
      open[k].strides =
          policy != dynamic_policy::none && fn.reads_elements[k] && strides_vary(known, f.layouts[k]);
    }
    return open;
  }

  /// Remembers a compile that succeeded. Precondition: `reserve` was called.
  [[gnu::cold]] void remember(frame_view const& f, std::span<open_dims const> open) noexcept {
    for (unsigned k = 0; k < open.size(); ++k) {
      layout_view const& l = f.layouts[k];
      argument_facts& known = facts_[k];
      for (unsigned d = 0; d < static_cast<unsigned>(l.rank); ++d) {
        if (open[k].extents >> d & 1u) known.varied[d] = true;
        else known.values[d] = l.extents[d];
      }
      known.met = true;
      stride_facts& strides = known.strides[static_cast<unsigned>(class_of(l)) & 3u];
      strides = {true, strides.varies || open[k].strides, hash_of_extents(l), l.hash};
    }
  }
  /// Whether a call was remembered.
  bool has_met() const noexcept { return !facts_.empty(); }
  void reserve(std::size_t arguments) { facts_.resize(arguments); }

 private:
  struct stride_facts {
    bool met = false, varies = false;
    std::uint64_t extents = 0, layout = 0;  // hashes
  };
  struct argument_facts {
    bool met = false;
    std::array<index_t, max_rank> values{};
    std::array<bool, max_rank> varied{};
    std::array<stride_facts, 4> strides{};  // by stride_class
  };
  /// That of the function, but where `shape_of` says another one.
  static dynamic_policy policy_of(function_spec const& fn, unsigned k, unsigned d, dynamic_policy policy) {
    declared_extent const* const e = detail::declared_of(fn.declared, k, d);
    if (!e) return policy;
    if (e->is_open()) return dynamic_policy::all;
    return e->kind == declared_kind::fixed ? dynamic_policy::none : dynamic_policy::automatic;
  }
  static std::uint64_t hash_of_extents(layout_view const& l) {
    std::uint64_t h = 0;
    for (int d = 0; d < l.rank; ++d) h = detail::mix(h, static_cast<std::uint64_t>(l.extents[d]));
    return h;
  }
  static bool strides_vary(argument_facts const& known, layout_view const& l) {
    if (is_contiguous(l)) return false;
    stride_facts const& s = known.strides[static_cast<unsigned>(class_of(l)) & 3u];
    return s.varies || (s.met && s.layout != l.hash && s.extents == hash_of_extents(l));
  }

  std::vector<argument_facts> facts_;
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
