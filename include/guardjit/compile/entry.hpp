// guardjit: compile/entry.hpp: guard values and a plan: what a compiled call finds and runs
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_ENTRY_HPP
#define GUARDJIT_COMPILE_ENTRY_HPP

#include <guardjit/compile/overlap.hpp>
#include <guardjit/compile/run.hpp>
#include <guardjit/compile/specialization.hpp>

#include <vector>

namespace guardjit::inline GUARDJIT_ABI {

/// A plan ready to run, whatever its program.
/// Lifetime: that of the plan it points to.
template <int Rank> struct bound_call {
  void const* plan = nullptr;
  void (*run)(void const* plan, void* const* bases) = nullptr;
  index_t const* extents = nullptr;
  layout<Rank> result_layout;
  operand_address result{};
  index_t output_bytes = 0;
  index_t workspace_bytes = 0;
  bool plain = false;  ///< the result is the whole output, row-major

  template <class Program> static bound_call of(guardjit::plan<Program> const& p) {
    bound_call b;
    b.plan = &p;
    b.run = [](void const* any, void* const* bases) {
      guardjit::run(*static_cast<guardjit::plan<Program> const*>(any), bases);
    };
    b.extents = p.extents.data();
    typename layout<Rank>::values extents{}, strides{};
    for (int d = 0; d < Rank; ++d) {
      extents[static_cast<unsigned>(d)] = p.result_layout.extent(d);
      strides[static_cast<unsigned>(d)] = p.result_layout.stride(d);
    }
    b.result_layout = layout<Rank>(extents, strides);
    b.result = p.result;
    b.output_bytes = p.output_bytes;
    b.workspace_bytes = p.workspace_bytes;
    b.plain = p.result.base == guardjit::plan<Program>::output_base && p.result.offset == 0 &&
              is_contiguous(b.result_layout.view());
    return b;
  }
};

namespace detail {

/// Places of the extents and strides of the arguments in one packed array; of an argument whose
/// elements nobody reads only the extents that are read.
template <class Spec> struct packed_layouts {
  static constexpr int arguments = Spec::arguments;
  static constexpr int rank(int k) { return Spec::signature::arguments[static_cast<unsigned>(k)].extents.rank; }
  static constexpr int total = [] {
    int sum = 0;
    for (int k = 0; k < arguments; ++k) sum += 2 * rank(k);
    return sum;
  }();
  std::array<index_t, total == 0 ? 1 : total> values{};
  std::uint64_t hash = 0;

  template <class Visit> static constexpr void for_each_read(Visit&& visit) {
    for_each_index<arguments>([&]<class K>(K) {
      constexpr auto k = static_cast<unsigned>(K::value);
      constexpr int first = [] {
        int sum = 0;
        for (int j = 0; j < K::value; ++j) sum += 2 * rank(j);
        return sum;
      }();
      for_each_index<rank(K::value)>([&]<class D>(D) {
        constexpr bool elements = Spec::usage.elements[k];
        constexpr bool is_read = elements || (Spec::usage.extents[k] >> D::value & 1u) != 0;
        if constexpr (is_read) visit(k, D::value, static_cast<unsigned>(first + 2 * D::value), elements);
      });
    });
  }
  static std::uint64_t hash_of(typename Spec::frame const& f) {
    std::uint64_t h = 0;
    for_each_index<arguments>([&]<class K>(K) {
      constexpr auto k = static_cast<unsigned>(K::value);
      if constexpr (Spec::usage.elements[k] && rank(K::value) > 0) h = mix(h, f.layouts[k].hash);
    });
    for_each_read([&](unsigned k, int d, unsigned, bool elements) {
      if (!elements) h = mix(h, static_cast<std::uint64_t>(f.layouts[k].extents[d]));
    });
    return h;
  }
  void store(typename Spec::frame const& f) {
    for_each_read([&](unsigned k, int d, unsigned at, bool) {
      values[at] = f.layouts[k].extents[d];
      values[at + 1] = f.layouts[k].strides[d];
    });
    hash = hash_of(f);
  }
  bool equals(typename Spec::frame const& f) const noexcept {
    index_t differs = 0;
    for_each_read([&](unsigned k, int d, unsigned at, bool elements) {
      differs |= values[at] ^ f.layouts[k].extents[d];
      if (elements) differs |= values[at + 1] ^ f.layouts[k].strides[d];
    });
    return differs == 0;
  }
};

}  // namespace detail

/// One entry of a compiled function: for which calls it is, and its plan. Immutable once installed.
/// Rules: G12.
template <class Spec> struct entry {
  static constexpr int rank = Spec::result_rank;
  using frame = typename Spec::frame;

  detail::packed_layouts<Spec> key;
  std::uint64_t overlaps = 0;  ///< two bits an argument, for `into`; see `overlap`
  int path = 0;
  int number = 0;              ///< compiles of the function before it
  bool is_dynamic = false;
  bound_call<rank> ready;      ///< of static entries
  std::array<element_span, frame::slots> spans{};  ///< bytes that each argument reaches
  /// Binds a dynamic entry to a call, in `scratch`.
  bound_call<rank> (*bind)(frame const&, void* scratch) = nullptr;
  std::vector<guard> guards;
  void (*release)(void const* plan) = nullptr;

  entry() = default;
  entry(entry const&) = delete;
  entry& operator=(entry const&) = delete;
  ~entry() {
    if (release) release(ready.plan);
  }

  /// Whether this static entry serves the call. Complexity: one compare an extent and a stride.
  bool matches(frame const& f, std::uint64_t call_overlaps) const noexcept {
    if constexpr (Spec::branches_on_scalars)
      if (Spec::path_of(f) != path) return false;
    return overlaps == call_overlaps && key.equals(f);
  }
};

namespace detail {

/// Room for any plan of a specialization.
template <class Programs> struct plan_room;
template <class... Programs> struct plan_room<type_list<Programs...>> {
  static constexpr std::size_t size = [] {
    std::size_t most = 0;
    ((most = sizeof(plan<Programs>) > most ? sizeof(plan<Programs>) : most), ...);
    return most;
  }();
};
template <class Spec> struct alignas(64) plan_scratch {
  std::byte bytes[plan_room<typename Spec::programs>::size];
};

template <class Spec, int Path> bound_call<Spec::result_rank> bind_in(typename Spec::frame const& f, void* scratch) {
  using program = typename Spec::template program_at<Path>;
  auto* p = new (scratch) plan<program>;
  bind(*p, f.layouts.data());
  return bound_call<Spec::result_rank>::of(*p);
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
