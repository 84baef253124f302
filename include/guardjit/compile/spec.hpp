// guardjit: compile/spec.hpp: one function under one signature as data: what run-time code needs
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_SPEC_HPP
#define GUARDJIT_COMPILE_SPEC_HPP

#include <guardjit/compile/bound_call.hpp>
#include <guardjit/graph/leaf_names.hpp>
#include <guardjit/graph/signature.hpp>
#include <guardjit/guards/guard.hpp>
#include <guardjit/guards/predicates.hpp>
#include <guardjit/modes/op_call.hpp>

namespace guardjit::inline GUARDJIT_ABI {

class entry;
namespace detail {
class built_runner;
struct known_backend;
}  // namespace detail

/// The arguments of one call as kernels and guards see them, borrowed. Behind the bases of the
/// arguments there is room for those of a plan: outputs, workspace, extents.
struct frame_view {
  int arguments = 0;
  void** bases = nullptr;
  layout_view const* layouts = nullptr;
  storage const* const* owners = nullptr;
  std::uint64_t const* scalars = nullptr;  ///< bits of scalar arguments, 0 above their own
  index_t default_device = no_device;  ///< the thread's when the call began, as `device_word`
  int stack = 0;  ///< the declared stack that is visible; 0: none is; -1: one that is not declared
  predicate_outcomes const* predicates = nullptr;  ///< of the user guards, if there are some
  int thread_count = 1;  ///< the thread's when the call began
  std::span<guard const> dropped{};  ///< of the entry that is checked or run: see `scalar`
  detail::stance_setting under{};  ///< the stance of the call: the thread's, or that of `with`
  entry const* refused = nullptr;  ///< what was found, where the guard collective says that it is a miss

  /// Whose entries the call uses; null: those of the function's own backend.
  detail::known_backend const* backend() const noexcept {
    return static_cast<detail::known_backend const*>(under.backend);
  }

  /// The bits of scalar argument `k`: those that an entry recorded where its guard of them was dropped.
  std::uint64_t scalar(index_t k) const noexcept {
    for (guard const& g : dropped)
      if (g.kind == guard_kind::scalar_is && g.argument == k) return static_cast<std::uint64_t>(g.expected);
    return scalars[k];
  }
  /// The user guards that are true, as bits.
  std::uint64_t held() const noexcept { return predicates ? predicates->held : all_predicates; }
};

/// Whether a branch depends on a scalar that entries do not guard by value. Of other branches the layouts
/// and these values, which entries are found by, tell the outcome.
constexpr bool reads_free_scalar(condition const& c, std::span<argument_type const> arguments) {
  for (term const& t : {c.left, c.right})
    if (t.kind == term::scalar && !arguments[static_cast<std::size_t>(t.value)].by_value) return true;
  return false;
}

struct watched_program;
class backend_guards;

/// One path of a function. Everything points to constants. Only `bind` and `kernels` lead to code
/// that is made for this function; the rest of the run-time machinery is shared by all functions.
struct path_spec {
  graph_view written{};                      ///< the function as written
  graph_view graph{};                        ///< what runs, after all modes that are inlined
  std::span<std::int16_t const> order{};     ///< nodes of `graph` as modes are told of them (M25)
  op_kernel const* kernels = nullptr;        ///< the one-node kernel of each node, for replay; stack 0
  op_kernel const* fallback = nullptr;       ///< by `reference`, of functions that suppress backend errors
  int stack = 0;                             ///< the declared stack that it is for
  /// Makes a plan in `room` and tells how to run it.
  void (*bind)(layout_view const* arguments, void* room, bound_call& to) = nullptr;
  watched_program const* watched = nullptr;  ///< its kernels one by one, for modes that observe them
  /// What the backend does before a plan is kept or run for the first time; null where it does nothing.
  void (*build)(graph_view const& written) = nullptr;
  /// Finds or makes the packed forms of frozen arguments for a plan that is bound; gives the operands that
  /// have some, by their places in `function_spec::frozen`, as bits. Null where none may have.
  std::uint64_t (*take_forms)(frame_view const& f, void* plan) = nullptr;
  bool reads_default_device = false;         ///< `graph` has a factory that was given no device
  /// What the backend's plan relies on; null where that is nothing but layouts.
  void (*guards)(backend_guards& to) = nullptr;
  graph_view optimized{};                    ///< `graph` after all passes: what erased backends get

  /// Binds a plan for a call, the forms of frozen arguments included; as `take_forms`.
  std::uint64_t bind_call(frame_view const& f, void* room, bound_call& to) const {
    bind(f.layouts, room, to);
    return take_forms ? take_forms(f, room) : 0;
  }
  constexpr bool is_rewritten() const { return graph.nodes.data() != written.nodes.data(); }
  /// What decides the device of a result: `node::source`.
  constexpr std::int16_t source_of_result(std::size_t r) const {
    return graph.nodes.data()[graph.outputs[r]].source;
  }
};

/// One result: extents are `dyn` where the call decides.
struct declared_result {
  dtype type{};
  shape extents{};
};

/// A function under one signature, for one backend.
struct function_spec {
  static constexpr unsigned places = 8;

  std::span<argument_type const> arguments{};
  std::span<leaf_path const> names{};             ///< of the arguments; none where numbers do
  std::span<declared_extent const> declared{};    ///< by `shape_of`, of extents that types leave open
  unsigned place = 0;                             ///< a hash of the arguments, below `places`
  bool const* reads_elements = nullptr;           ///< of each argument (G25)
  std::uint8_t const* reads_extents = nullptr;    ///< bit d: dim d
  std::span<std::int16_t const> frozen{};         ///< arguments of which plans may keep packed forms
  std::span<path_spec const> paths{};             ///< those of stack 0 first, then stack by stack
  std::span<declared_stack const> stacks{};       ///< stack k at k - 1
  bool branches_on_scalars = false;               ///< on some that are not guarded by value
  bool checks_scalars = false;                    ///< some may be out of range; see `require_scalars`
  bool tests_indices = false;                     ///< kernels may refuse elements: `index_error`
  bool reads_default_device = false;              ///< a path has a factory that was given no device
  std::size_t plan_bytes = 0;                     ///< room that any plan fits in, aligned to 64
  std::size_t symbols = 0;                        ///< most symbols of a path
  std::span<declared_result const> results{};
  std::span<int const> in_outs{};                 ///< the arguments that the last results are written to
  char const* backend = "";

  /// Whether an argument is the only one that a call writes, so that it lies to no other one.
  constexpr bool is_written_alone(int k) const { return in_outs.size() == 1 && in_outs[0] == k; }
  /// Results that a call gives back; those behind them are written to arguments.
  constexpr std::size_t returned() const { return results.size() - in_outs.size(); }

  /// The bits of the thread's word that a call asks for; the default device is none where nothing reads it.
  constexpr std::uint64_t word_mask() const {
    return reads_default_device ? ~std::uint64_t{0} : ~default_device_bit;
  }
  /// Whether extents of dim `d` of argument `k` are read; strides are where elements are.
  constexpr bool reads(int k, int d) const { return reads_elements[k] || (reads_extents[k] >> d & 1u) != 0; }
};

/// Memory of one call that no entry was ready for: a plan, and the values of symbols.
/// Lifetime: on the stack of the caller, who knows the sizes.
struct call_room {
  void* plan = nullptr;
  index_t* symbols = nullptr;
  detail::built_runner* runner = nullptr;  ///< of an erased backend, where the call ran by one of its own
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
