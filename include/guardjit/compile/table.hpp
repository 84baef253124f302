// guardjit: compile/table.hpp: the entries of one signature, immutable, and how a call finds its own
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_TABLE_HPP
#define GUARDJIT_COMPILE_TABLE_HPP

#include <guardjit/compile/guard_list.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// Which entry serves a call depends on the call and on this table, on nothing else.
/// Rules: G13, G14, G15.
class entry_table {
 public:
  /// The entries of `old`, if any, and one more.
  entry_table(entry_table const* old, entry* added) {
    if (old) all_ = old->all_;
    auto place = all_.begin();
    while (place != all_.end() && !comes_before(*added, **place)) ++place;
    all_.insert(place, added);
    std::size_t slots = 8;
    while (slots < 4 * all_.size()) slots *= 2;
    slots_.resize(slots);
    mask_ = slots - 1;
    for (entry const* e : all_) {
      if (e->is_dynamic) {
        dynamic_.push_back(e);
        continue;
      }
      std::uint64_t const hash = slot_hash(e->hash, e->overlaps);
      std::size_t at = hash & mask_;
      while (slots_[at].what) at = (at + 1) & mask_;
      slots_[at] = {hash, e};
    }
    predicted_ = added->is_dynamic ? nullptr : added;
  }

  detail::retirable retired{};

  /// The entry installed last, if it is static: the first guess.
  entry const* predicted() const noexcept { return predicted_; }
  /// In lookup order.
  std::vector<entry*> const& entries() const noexcept { return all_; }

  bool has_static() const noexcept { return all_.size() > dynamic_.size(); }

  /// The static entry for which `is_it(entry)` holds among those of one hash, or null.
  /// Complexity: constant in the number of entries.
  entry const* find_static(std::uint64_t layouts, std::uint64_t overlaps, auto&& is_it) const {
    std::uint64_t const hash = slot_hash(layouts, overlaps);
    for (std::size_t at = hash & mask_; slots_[at].what; at = (at + 1) & mask_)
      if (slots_[at].hash == hash && is_it(*slots_[at].what)) return slots_[at].what;
    return nullptr;
  }

  /// The first dynamic entry whose guards hold, or null.
  entry const* find_dynamic(function_spec const& fn, frame_view const& f, std::uint64_t overlaps,
                            index_t* room) const {
    for (entry const* e : dynamic_)
      if (guards_hold(*e, fn, f, overlaps, room)) return e;
    return nullptr;
  }

  /// The entry that serves a call, or null.
  entry const* find(function_spec const& fn, frame_view const& f, std::uint64_t overlaps,
                    index_t* room) const {
    int const path = fn.branches_on_scalars ? path_of(fn, f, room) : 0;
    auto const matches = [&](entry const& e) {
      return e.overlaps == overlaps && (!fn.branches_on_scalars || e.path == path) &&
             e.has_layouts(fn, f);
    };
    if (has_static())
      if (entry const* e = find_static(packed_layouts::hash(fn, f), overlaps, matches)) return e;
    return find_dynamic(fn, f, overlaps, room);
  }

 private:
  struct slot {
    std::uint64_t hash = 0;
    entry const* what = nullptr;
  };
  static std::uint64_t slot_hash(std::uint64_t layouts, std::uint64_t overlaps) {
    return overlaps == 0 ? layouts : detail::mix(layouts, overlaps);
  }
  static int fixed_extents(entry const& e) {
    int fixed = 0;
    for (guard const& g : e.guards) fixed += g.kind == guard_kind::extent_is ? 1 : 0;
    return fixed;
  }
  /// Static ones first, then by fixed extents, then by conditions, then by age.
  static bool comes_before(entry const& a, entry const& b) {
    if (a.is_dynamic != b.is_dynamic) return !a.is_dynamic;
    if (!a.is_dynamic) return false;
    int const x = fixed_extents(a), y = fixed_extents(b);
    return x != y ? x > y : a.guards.size() > b.guards.size();
  }

  entry const* predicted_ = nullptr;
  std::vector<slot> slots_;
  std::size_t mask_ = 0;
  std::vector<entry*> all_;
  std::vector<entry const*> dynamic_;
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
