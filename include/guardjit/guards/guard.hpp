// guardjit: guards/guard.hpp: one condition under which an entry may serve a call, as data
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_GUARDS_GUARD_HPP
#define GUARDJIT_GUARDS_GUARD_HPP

#include <guardjit/graph/graph.hpp>
#include <guardjit/modes/default_device.hpp>
#include <guardjit/tensor/overlap.hpp>
#include <guardjit/tensor/storage.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// Kinds of guards, in the order in which reasons are told (G21).
enum class guard_kind : std::uint8_t {
  mode_stack_is,  ///< the visible pure and keyed modes are those of a declared stack, by type
  state_is,       ///< a state of the thread: `left` says which
  extent_is,      ///< an extent of an argument has one value
  contiguous,     ///< an argument is row-major without gaps
  strides_are,    ///< one stride of an argument, or (dim -1) its class of strides
  aligned,        ///< the data pointer of an argument is a multiple of `expected`
  extents_equal,  ///< two extents, or sums and products of extents
  multiple_of,    ///< an extent divides by another
  extent_in,      ///< an extent is at least `expected`, at most `right`
  no_overlap,     ///< the relation of the output to an argument
  same_storage,   ///< a frozen argument is the one whose packed form the plan has
  scalar_is,      ///< a scalar argument has the recorded bits; `left` is its dtype
  path_is,        ///< a condition of the function has the recorded outcome
  predicate,      ///< a user guard is true
  backend,        ///< no guard: of a failure only, of an entry that another backend made
};

/// States of the thread that `state_is` guards, as its `left`: the default device, as `device_word`, and
/// `thread_count()`. Rules: G35.
inline constexpr index_t default_device_state = 0, thread_count_state = 1;

/// Modes that `inline_modes` declares, from the bottom to the top.
struct declared_stack {
  std::span<void const* const> tags{};  ///< of their types
  char const* const* names = nullptr;
};

/// No device, among device words.
inline constexpr index_t no_device = -1;
/// A device, or none, as the number that guards keep. Rules: M46, M60.
constexpr index_t device_word(std::optional<device> const& on) noexcept {
  return on ? static_cast<index_t>(on->kind) << 8 | on->number : no_device;
}
/// The device of such a word; `cpu:0` where there is none.
constexpr device device_of_word(index_t word) noexcept {
  if (word == no_device) return {};
  return {static_cast<device_kind>(word >> 8), static_cast<std::uint8_t>(word & 0xFF)};
}

/// How the strides of an argument look; kernels need no more than that. Rules: G27.
enum class stride_class : std::uint8_t { contiguous, unit_inner, general };

/// The class of a layout, and which extents above 1 have stride 0 (from bit 8).
constexpr index_t class_of(layout_view const& l) {
  stride_class const c = is_contiguous(l)                                          ? stride_class::contiguous
                         : l.rank == 0 || l.strides[l.rank - 1] == 1               ? stride_class::unit_inner
                                                                                   : stride_class::general;
  index_t zeros = 0;
  for (int d = 0; d < l.rank; ++d)
    if (l.extents[d] > 1 && l.strides[d] == 0) zeros |= index_t{1} << d;
  return static_cast<index_t>(c) | zeros << 8;
}

/// The upper bound of an extent that has none.
inline constexpr index_t no_bound = INT64_MAX;

/// One run-time guard. What the signature proves has none. Rules: G20.
struct guard {
  guard_kind kind{};
  std::int16_t argument = -1;
  std::int8_t dim = -1;
  std::int16_t condition = -1;  ///< `path_is`, `predicate`: its number
  index_t expected = 0;
  index_t left = 0, right = 0;  ///< extents and symbols of relations; `extent_in`: right is the upper bound
  source_line where{};          ///< the line of the function that needs it

  constexpr bool operator==(guard const& o) const {
    return kind == o.kind && argument == o.argument && dim == o.dim && condition == o.condition &&
           expected == o.expected && left == o.left && right == o.right;
  }
};

/// Arguments that have two bits of their own in a word of overlaps; the last of them stands for all
/// behind it as well.
inline constexpr int overlap_arguments = 32;
/// Where the bits of argument `k` are.
constexpr int overlap_shift(int k) { return 2 * (k < overlap_arguments ? k : overlap_arguments - 1); }
/// The word in which `how` is noted for argument `k`; of several the last in the order of `overlap` stays.
constexpr std::uint64_t with_overlap(std::uint64_t word, int k, overlap how) {
  int const shift = overlap_shift(k);
  auto const bits = static_cast<std::uint64_t>(how);
  return (word >> shift & 3u) >= bits ? word : (word & ~(std::uint64_t{3} << shift)) | bits << shift;
}

/// User guards as bits: all of them are true.
inline constexpr std::uint64_t all_predicates = ~std::uint64_t{0};

/// What guards are checked against: the arguments, and what the function's path makes of them.
struct guard_context {
  layout_view const* arguments = nullptr;
  std::span<index_t const> extents{};       ///< values of the symbols
  std::uint64_t outcomes = 0;               ///< bit k: condition k is true
  std::uint64_t overlaps = 0;               ///< two bits an argument: an `overlap`
  int stack = 0;                            ///< the declared stack that is visible; 0: none
  index_t default_device = no_device;       ///< of the thread
  std::uint64_t const* scalars = nullptr;   ///< bits of scalar arguments, 0 above their own
  std::uint64_t predicates = all_predicates;  ///< bit k: user guard k is true
  void* const* data = nullptr;              ///< of each argument, for `aligned`
  int thread_count = 1;                     ///< of the thread
  storage const* const* owners = nullptr;   ///< of the arguments
};

/// How far an address is behind a multiple of `bytes`.
inline index_t offset_from(void const* address, index_t bytes) noexcept {
  return static_cast<index_t>(reinterpret_cast<std::uintptr_t>(address) % static_cast<std::uintptr_t>(bytes));
}

/// A storage as a number that guards compare. An entry keeps those of its guards alive, so that no other
/// storage has their numbers.
inline index_t storage_word(storage const& x) noexcept {
  return static_cast<index_t>(reinterpret_cast<std::uintptr_t>(x.block()));
}

/// What a guard compares with `expected`.
constexpr index_t actual_value(guard const& g, guard_context const& c) noexcept {
  auto const at = static_cast<unsigned>(g.argument < 0 ? 0 : g.argument);
  switch (g.kind) {
    case guard_kind::mode_stack_is: return c.stack;
    case guard_kind::state_is: return g.left == thread_count_state ? c.thread_count : c.default_device;
    case guard_kind::aligned: return offset_from(c.data[at], g.expected);
    case guard_kind::extent_is:
      return g.argument >= 0 ? c.arguments[at].extents[g.dim] : value_of(g.left, c.extents);
    case guard_kind::contiguous: return is_contiguous(c.arguments[at]) ? 1 : 0;
    case guard_kind::strides_are:
      return g.dim >= 0 ? c.arguments[at].strides[g.dim] : class_of(c.arguments[at]);
    case guard_kind::extents_equal:
    case guard_kind::multiple_of:
    case guard_kind::extent_in: return value_of(g.left, c.extents);
    case guard_kind::no_overlap: return static_cast<index_t>(c.overlaps >> overlap_shift(g.argument) & 3u);
    case guard_kind::same_storage: return c.owners ? storage_word(*c.owners[at]) : 0;
    case guard_kind::scalar_is: return static_cast<index_t>(c.scalars[at]);
    case guard_kind::path_is: return static_cast<index_t>(c.outcomes >> g.condition & 1u);
    case guard_kind::predicate: return static_cast<index_t>(c.predicates >> g.condition & 1u);
    case guard_kind::backend: break;
  }
  return 0;
}

/// Whether a guard holds. Complexity: constant in everything but the rank; no allocation.
/// Rules: G23.
constexpr bool holds(guard const& g, guard_context const& c) noexcept {
  index_t const actual = actual_value(g, c);
  switch (g.kind) {
    case guard_kind::extents_equal: return actual == value_of(g.right, c.extents);
    case guard_kind::multiple_of: {
      index_t const divisor = value_of(g.right, c.extents);
      return divisor != 0 && actual % divisor == 0;
    }
    case guard_kind::extent_in: return actual >= g.expected && actual <= g.right;
    case guard_kind::aligned: return actual == 0;
    default: return actual == g.expected;
  }
}

/// A guard that did not hold, with what was found. Trivially copyable; `to_string` gives the text.
struct guard_failure {
  guard_kind kind{};
  std::int16_t argument = -1;
  std::int8_t dim = -1;
  std::int16_t condition = -1;
  index_t expected = 0;
  index_t actual = 0;
  index_t left = 0,
          right = 0;  ///< as in the guard; `path_is`: values of both sides, those of scalars as bits of f64
  source_line where{};
};
static_assert(std::is_trivially_copyable_v<guard_failure>);

/// The failure of a guard that does not hold. For `contiguous` it names the first stride that is
/// not row-major.
constexpr guard_failure failure_of(guard const& g, guard_context const& c) noexcept {
  guard_failure f{g.kind, g.argument, g.dim,  g.condition, g.expected, actual_value(g, c),
                  g.left, g.right,    g.where};
  if (g.kind == guard_kind::extents_equal || g.kind == guard_kind::multiple_of)
    f.expected = value_of(g.right, c.extents);
  if (g.kind == guard_kind::contiguous) {
    layout_view const& l = c.arguments[g.argument];
    index_t step = 1;
    for (int d = l.rank - 1; d >= 0; step *= l.extents[d], --d) {
      if (l.strides[d] == step) continue;
      f.dim = static_cast<std::int8_t>(d);
      f.expected = step;
      f.actual = l.strides[d];
      break;
    }
  }
  return f;
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
