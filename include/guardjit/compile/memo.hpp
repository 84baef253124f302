// guardjit: compile/memo.hpp: plans that a thread bound lately, for layouts that come again
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_MEMO_HPP
#define GUARDJIT_COMPILE_MEMO_HPP

#include <guardjit/compile/table.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// A few static entries of one thread alone, bound for the latest calls that dynamic entries served:
/// where the same layouts come again, their plan is found as that of an entry. What the table says
/// of a call with given layouts and path never changes, so these and the table are compared.
/// Fixed memory: what does not fit is bound at each call.
class bound_memo {
 public:
  /// The entry for the hash of a call's layouts in one table, or null. Its layouts are still to be
  /// compared.
  entry const* first(entry_table const& table, std::uint64_t hash) const noexcept {
    place const& p = places_[place_of(table, hash)];
    return p.table == table.id() ? p.what : nullptr;
  }

  /// Binds a path for a call that a dynamic entry of `table` serves. Null where the plan is too
  /// large, or does not write the result straight into a packed output.
  entry const* remember(entry_table const& table, function_spec const& fn, frame_view const& f, int path) {
    if (entry::bytes(fn) > room_bytes) return nullptr;
    std::size_t const at = place_of(table, packed_layouts::hash(fn, f));
    place& p = places_[at];
    p.table = 0;
    p.what = entry::make_at(rooms_[at], fn, f);
    p.what->path = path;
    p.what->stack = f.stack;
    p.what->bind(fn, f);
    if (!p.what->is_direct) return nullptr;
    p.table = table.id();
    return p.what;
  }

 private:
  static constexpr std::size_t places = 16, room_bytes = 4096;
  struct place {
    std::uint64_t table = 0;  // 0: of none
    entry* what = nullptr;
  };
  static std::size_t place_of(entry_table const& table, std::uint64_t hash) noexcept {
    return (hash + table.id()) % places;
  }

  place places_[places];
  alignas(64) std::byte rooms_[places][room_bytes];
};

/// Made at the thread's first call that a dynamic entry serves, kept until the thread ends.
GUARDJIT_VISIBLE constinit inline thread_local bound_memo* this_memo = nullptr;

struct GUARDJIT_VISIBLE memo_closer {
  ~memo_closer() { delete std::exchange(this_memo, nullptr); }
};
[[gnu::cold, gnu::noinline]] inline bound_memo& make_memo() {
  static thread_local memo_closer const closer;
  static_cast<void>(&closer);
  this_memo = new bound_memo;
  return *this_memo;
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
