// guardjit: compile/table.hpp: the entries of one signature, immutable, and how a call finds its own
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_TABLE_HPP
#define GUARDJIT_COMPILE_TABLE_HPP

#include <guardjit/compile/guard_list.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Number of open extents of an entry's guards decides its place (G13).
template <class Spec> int fixed_extents(entry<Spec> const& e) {
  int fixed = 0;
  for (guard const& g : e.guards) fixed += g.kind == guard_kind::extent_is ? 1 : 0;
  return fixed;
}

}  // namespace detail

/// Which entry serves a call depends on the call and on this table, on nothing else.
/// Rules: G13, G14, G15.
template <class Spec> class entry_table {
 public:
  using entry_type = entry<Spec>;
  using frame = typename Spec::frame;

  entry_table() = default;
  /// The entries of `old` and one more.
  entry_table(entry_table const* old, entry_type* added) {
    if (old) all_ = old->all_;
    auto place = all_.begin();
    while (place != all_.end() && !comes_before(*added, **place)) ++place;
    all_.insert(place, added);
    std::size_t slots = 8;
    while (slots < 4 * all_.size()) slots *= 2;
    slots_.resize(slots);
    for (entry_type* e : all_) {
      if (e->is_dynamic) continue;
      std::size_t at = slot_hash(e->key.hash, e->overlaps) & (slots - 1);
      while (slots_[at].what) at = (at + 1) & (slots - 1);
      slots_[at] = {slot_hash(e->key.hash, e->overlaps), e};
    }
    predicted_ = added->is_dynamic ? nullptr : added;
  }

  /// The entry installed last, if it is static: the first guess.
  entry_type const* predicted() const noexcept { return predicted_; }
  std::vector<entry_type*> const& entries() const noexcept { return all_; }

  /// The entry that serves a call, or null. Complexity: constant in the number of static entries.
  entry_type const* find(frame const& f, std::uint64_t overlaps) const {
    if (predicted_ && predicted_->matches(f, overlaps)) return predicted_;
    if (!slots_.empty()) {
      std::uint64_t const hash = slot_hash(detail::packed_layouts<Spec>::hash_of(f), overlaps);
      std::size_t const mask = slots_.size() - 1;
      for (std::size_t at = hash & mask; slots_[at].what; at = (at + 1) & mask)
        if (slots_[at].hash == hash && slots_[at].what->matches(f, overlaps)) return slots_[at].what;
    }
    for (entry_type const* e : all_)
      if (e->is_dynamic && guards_hold(*e, f, overlaps)) return e;
    return nullptr;
  }

 private:
  struct slot {
    std::uint64_t hash = 0;
    entry_type const* what = nullptr;
  };
  static std::uint64_t slot_hash(std::uint64_t layouts, std::uint64_t overlaps) {
    return overlaps == 0 ? layouts : detail::mix(layouts, overlaps);
  }
  /// Static ones first, then by open extents, then by conditions, then by age.
  static bool comes_before(entry_type const& a, entry_type const& b) {
    if (a.is_dynamic != b.is_dynamic) return !a.is_dynamic;
    if (!a.is_dynamic) return false;
    int const x = detail::fixed_extents(a), y = detail::fixed_extents(b);
    return x != y ? x > y : a.guards.size() > b.guards.size();
  }

  std::vector<entry_type*> all_;
  std::vector<slot> slots_;
  entry_type const* predicted_ = nullptr;
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
