// guardjit: compile/history.hpp: which extents have varied: automatic dynamic entries
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_HISTORY_HPP
#define GUARDJIT_COMPILE_HISTORY_HPP

#include <guardjit/compile/guard_list.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// What the entries of one signature were made for. An extent met with two values is open in the
/// next entry; so are the strides of an argument whose class stays while they change.
/// Rules: G27, G80, G81.
template <class Spec> class extent_history {
 public:
  using frame = typename Spec::frame;
  using open_type = open_dims<Spec::arguments>;

  /// What an entry for this call leaves open. `policy`: see `dynamic_option`.
  open_type open_for(frame const& f, int policy) const {
    open_type open;
    for (unsigned k = 0; k < static_cast<unsigned>(Spec::arguments); ++k) {
      argument_type const& type = Spec::signature::arguments[k];
      if (type.scalar) continue;
      for (unsigned d = 0; d < static_cast<unsigned>(type.extents.rank); ++d) {
        if (type.extents[static_cast<int>(d)] != dyn || policy == 2) continue;
        bool const varies = policy == 1 || varied_[k][d] || (met_[k] && values_[k][d] != f.layouts[k].extents[d]);
        if (varies) open.extents[k] = static_cast<std::uint8_t>(open.extents[k] | 1u << d);
      }
      open.strides[k] = Spec::usage.elements[k] && policy != 2 && strides_vary(k, f.layouts[k]);
    }
    return open;
  }

  /// Remembers a compile that succeeded.
  void remember(frame const& f, open_type const& open) {
    for (unsigned k = 0; k < static_cast<unsigned>(Spec::arguments); ++k) {
      layout_view const& l = f.layouts[k];
      for (unsigned d = 0; d < static_cast<unsigned>(l.rank); ++d) {
        if (open.extents[k] >> d & 1u) varied_[k][d] = true;
        else values_[k][d] = l.extents[d];
      }
      met_[k] = true;
      stride_fact& fact = strides_[k][static_cast<unsigned>(class_of(l)) & 3u];
      if (open.strides[k]) fact.varies = true;
      fact.met = true;
      fact.extents_hash = hash_of_extents(l);
      fact.hash = l.hash;
    }
  }

 private:
  struct stride_fact {
    bool met = false, varies = false;
    std::uint64_t extents_hash = 0, hash = 0;
  };
  static std::uint64_t hash_of_extents(layout_view const& l) {
    std::uint64_t h = 0;
    for (int d = 0; d < l.rank; ++d) h = detail::mix(h, static_cast<std::uint64_t>(l.extents[d]));
    return h;
  }
  bool strides_vary(unsigned k, layout_view const& l) const {
    if (is_contiguous(l)) return false;
    stride_fact const& fact = strides_[k][static_cast<unsigned>(class_of(l)) & 3u];
    return fact.varies || (fact.met && fact.hash != l.hash && fact.extents_hash == hash_of_extents(l));
  }

  static constexpr unsigned slots = Spec::frame::slots;
  std::array<std::array<index_t, max_rank>, slots> values_{};
  std::array<std::array<bool, max_rank>, slots> varied_{};
  std::array<bool, slots> met_{};
  std::array<std::array<stride_fact, 4>, slots> strides_{};
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
