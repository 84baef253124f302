// guardjit: compile/table.hpp: the entries of one signature, immutable, and how a call finds its own
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_TABLE_HPP
#define GUARDJIT_COMPILE_TABLE_HPP

#include <guardjit/compile/guard_list.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// Static entries by the hash of their layouts. Complexity: constant in the number of entries.
class entry_slots {
 public:
  explicit entry_slots(std::size_t entries) {
    std::size_t count = 8;
    while (count < 8 * entries) count *= 2;
    slots_.resize(count);
    mask_ = count - 1;
  }
  void insert(entry const* e) {
    std::size_t at = e->hash & mask_;
    while (slots_[at]) at = (at + 1) & mask_;
    slots_[at] = e;
  }
  /// The first entry to try, or null.
  entry const* first(std::uint64_t hash) const noexcept { return slots_[hash & mask_]; }
  /// The entry for which `is_it(entry)` holds among those of one hash, or null.
  entry const* find(std::uint64_t hash, auto&& is_it) const {
    for (std::size_t at = hash & mask_; slots_[at]; at = (at + 1) & mask_)
      if (slots_[at]->hash == hash && is_it(*slots_[at])) return slots_[at];
    return nullptr;
  }

 private:
  std::vector<entry const*> slots_;
  std::size_t mask_ = 0;
};

/// Which entry serves a call depends on the call and on this table, on nothing else.
/// Rules: G13, G14, G15.
class entry_table {
 public:
  /// The entries of `old`, if any, but `gone`, and one more.
  [[gnu::cold]] entry_table(entry_table const* old, entry* added, entry const* gone = nullptr)
      : direct_(1 + (old ? old->all_.size() : 0)), indirect_(direct_) {
    if (old) all_ = old->all_;
    if (gone) std::erase(all_, gone);
    auto place = all_.begin();
    while (place != all_.end() && !comes_before(*added, **place)) ++place;
    all_.insert(place, added);
    // The newest one is the first that its calls try; else those of one hash are tried in lookup order.
    bool const is_first = has_slot(*added) && added->is_direct;
    if (is_first) slots_for(*added).insert(added);
    for (entry const* e : all_)
      if (!has_slot(*e)) scanned_.push_back(e);
      else if (e != added || !is_first) slots_for(*e).insert(e);
  }

  /// Another number for each table that ever was; never 0.
  std::uint64_t id() const noexcept { return id_; }
  /// Those that write the result straight into a packed output.
  entry_slots const& direct() const noexcept { return direct_; }
  /// The entry of a backend that was made first, or null.
  entry* oldest(detail::known_backend const* by) const noexcept {
    entry* found = nullptr;
    for (entry* e : all_)
      if (e->is_by(by) && (!found || e->number < found->number)) found = e;
    return found;
  }
  /// Entries of a backend.
  int count(detail::known_backend const* by) const noexcept {
    int n = 0;
    for (entry const* e : all_) n += e->is_by(by) ? 1 : 0;
    return n;
  }
  /// Whether a direct entry is for row-major arguments.
  bool has_packed() const noexcept {
    for (entry const* e : all_)
      if (e->is_direct && e->is_packed) return true;
    return false;
  }
  /// In lookup order.
  std::vector<entry*> const& entries() const noexcept { return all_; }

  /// The entry that serves a call, or null.
  entry const* find(function_spec const& fn, frame_view const& f, std::uint64_t overlaps,
                    index_t* room) const {
    int const path = fn.branches_on_scalars ? path_of(fn, f, room) : 0;
    std::uint64_t const held = f.held();
    auto const matches = [&](entry const& e) {
      return e.is_by(f.backend()) && e.stack == f.stack && e.overlaps == overlaps &&
             e.has_state(f.default_device) && (!fn.branches_on_scalars || e.path == path) &&
             (e.predicates & ~held) == 0 && e.has_layouts(fn, f) &&
             (!e.has_backend_guards || guards_hold(e, fn, f, overlaps, room));
    };
    if (all_.size() > scanned_.size()) {
      std::uint64_t const hash = packed_layouts::hash(fn, f);
      if (entry const* e = direct_.find(hash, matches)) return e;
      if (entry const* e = indirect_.find(hash, matches)) return e;
    }
    for (entry const* e : scanned_)
      if (e->is_by(f.backend()) && guards_hold(*e, fn, f, overlaps, room)) return e;
    return nullptr;
  }

  detail::retirable retired{};

 private:
  /// Whether a hash leads to an entry: those that leave something open have all guards checked.
  static bool has_slot(entry const& e) { return !e.is_dynamic && !e.is_open; }
  entry_slots& slots_for(entry const& e) { return e.is_direct ? direct_ : indirect_; }
  static int fixed_extents(entry const& e) {
    int fixed = 0;
    for (guard const& g : e.guards) fixed += g.kind == guard_kind::extent_is ? 1 : 0;
    return fixed;
  }
  /// Static ones first, among them by guards of the backend; then by fixed extents, then by conditions, then
  /// by age.
  static bool comes_before(entry const& a, entry const& b) {
    if (a.is_dynamic != b.is_dynamic) return !a.is_dynamic;
    if (!a.is_dynamic) return a.backend_guard_count() > b.backend_guard_count();
    int const x = fixed_extents(a), y = fixed_extents(b);
    return x != y ? x > y : a.guards.size() > b.guards.size();
  }

  static std::uint64_t next_id() noexcept {
    static constinit std::uint64_t last = 0;
    return __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
  }

  std::uint64_t id_ = next_id();
  entry_slots direct_, indirect_;
  std::vector<entry*> all_;
  std::vector<entry const*> scanned_;
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
