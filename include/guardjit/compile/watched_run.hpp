// guardjit: compile/watched_run.hpp: the kernels of a plan one by one, while a mode observes them
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_WATCHED_RUN_HPP
#define GUARDJIT_COMPILE_WATCHED_RUN_HPP

#include <guardjit/compile/erased_plan.hpp>
#include <guardjit/compile/path.hpp>
#include <guardjit/compile/run.hpp>
#include <guardjit/modes/kernel_observer.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// What a kernel reads: a node, and the node below its views that owns the memory.
struct watched_slot {
  std::int16_t node = -1, memory = -1;
};

/// One kernel, or the copy of a result.
struct watched_step {
  std::span<op const> ops{};
  std::span<watched_slot const> slots{};
  int root = -1;
  bool picks = false;  ///< reads of its first slot only as much as it writes
  stored_because why{};  ///< why it ends here; nothing where a result is copied
  /// False where there was nothing to do.
  bool (*run)(void const* plan, void* const* bases) = nullptr;
};

/// The kernels of a program in order.
struct watched_program {
  graph_view graph{};
  std::span<watched_step const> steps{};
};

namespace detail {

template <class Program, int K> bool run_one_step(void const* bound, void* const* bases) {
  auto const& p = *static_cast<plan<Program> const*>(bound);
  if constexpr (Program::kernels.steps[K].kind == step_kind::contiguous)
    if (p.skipped[K]) return false;
  run_step<Program, K>(p, bases);
  return true;
}
template <class Program, int K> bool run_one_copy(void const* bound, void* const* bases) {
  auto const& p = *static_cast<plan<Program> const*>(bound);
  if (p.results[K].at.base != Program::arguments + K) return false;
  copy_result<Program, K>(p, bases);
  return true;
}

/// The ops of step `K`; a formula names them, other kernels are their root.
template <class Program, int K> struct ops_of_step {
  static constexpr step what = Program::kernels.steps[K];
  static constexpr bool has_formula = what.nodes > 0 && what.kind != step_kind::contiguous;
  static constexpr op at(int k) {
    return formula_node::of(Program::kernels.words[static_cast<unsigned>(what.first_word + k)]).id;
  }
  static constexpr bool counts(op id) { return id != op::input && id != op::constant; }
  static constexpr unsigned count = [] {
    unsigned n = has_formula ? 0 : 1;
    for (int k = 0; has_formula && k < what.nodes; ++k) n += counts(at(k)) ? 1 : 0;
    return n;
  }();
  static constexpr auto list = [] {
    std::array<op, count> ids{};
    unsigned n = 0;
    if (!has_formula) ids[0] = Program::view()[what.root].id;
    for (int k = 0; has_formula && k < what.nodes; ++k)
      if (counts(at(k))) ids[n++] = at(k);
    return ids;
  }();
  static constexpr auto slots = [] {
    std::array<watched_slot, static_cast<unsigned>(what.slots)> all{};
    for (unsigned k = 0; k < all.size(); ++k) {
      int const node = Program::kernels.slots[static_cast<unsigned>(what.first_slot) + k];
      all[k] = {static_cast<std::int16_t>(node),
                static_cast<std::int16_t>(memory_of(Program::view(), Program::kernels, node))};
    }
    return all;
  }();
};

template <class Program, int K> constexpr watched_step step_to_watch() {
  using facts = ops_of_step<Program, K>;
  return {facts::list, facts::slots, facts::what.root, facts::what.kind == step_kind::indexed,
          Program::fates.why[static_cast<unsigned>(facts::what.root)], &run_one_step<Program, K>};
}
/// Results that may be copied; the others have no step.
template <class Program, int K> inline constexpr watched_slot copied_slot{
    Program::view().outputs[K],
    static_cast<std::int16_t>(memory_of(Program::view(), Program::kernels, Program::view().outputs[K]))};

template <class Program> struct steps_to_watch {
  static constexpr int copies = Program::copies_before(Program::results);
  static constexpr auto list = [] {
    std::array<watched_step, static_cast<unsigned>(Program::steps + copies)> all{};
    for_each_index<Program::steps>(
        [&all]<class K>(K) { all[K::value] = step_to_watch<Program, K::value>(); });
    for_each_index<Program::results>([&all]<class K>(K) {
      if constexpr (Program::facts[K::value].copies)
        all[static_cast<unsigned>(Program::steps + Program::copies_before(K::value))] = {
            {}, {&copied_slot<Program, K::value>, 1}, Program::view().outputs[K::value], false,
            stored_because::nothing, &run_one_copy<Program, K::value>};
    });
    return all;
  }();
};

template <class Program>
inline constexpr watched_program watched_program_of{Program::view(), steps_to_watch<Program>::list};

/// What is told of a kernel. `symbols` are those of the plan.
[[gnu::cold]] inline kernel_record record_of(watched_program const& w, watched_step const& s,
                                             std::span<index_t const> symbols, char const* function) {
  graph_view const& g = w.graph;
  shape const result = shape_in_call(g, s.root, symbols);
  auto const bytes = [&g](int node, index_t elements) { return elements * size_of(g[node].type); };
  index_t read = 0;
  for (std::size_t k = 0; k < s.slots.size(); ++k) {
    watched_slot const& slot = s.slots[k];
    index_t elements = shape_in_call(g, slot.node, symbols).count();
    index_t const below = shape_in_call(g, slot.memory, symbols).count();
    if (below < elements) elements = below;
    if (s.picks && k == 0 && result.count() < elements) elements = result.count();
    read += bytes(slot.node, elements);
  }
  return {.function = function ? function : "",
          .ops = s.ops,
          .result = {g[s.root].type, false, result},
          .bytes_read = read,
          .bytes_written = bytes(s.root, result.count()),
          .where = g[s.root].where};
}

/// The run of an erased backend's plan, whose kernels only the backend knows: all in one.
[[gnu::cold]] inline kernel_record record_of_erased(function_spec const& fn, path_spec const& path,
                                                    bound_call const& b, frame_view const& f,
                                                    char const* function) {
  kernel_record all{.function = function ? function : ""};
  for (int k = 0; k < f.arguments; ++k)
    if (fn.reads_elements[k])
      all.bytes_read += f.layouts[k].count() * size_of(fn.arguments[static_cast<std::size_t>(k)].type);
  for (std::size_t k = 0; k < fn.results.size(); ++k) all.bytes_written += b.results[k].bytes;
  all.result = {fn.results[0].type, false, b.results[0].layout.shape()};
  all.where = path.graph[path.graph.outputs[0]].where;
  all.backend = static_cast<erased_plan const*>(b.plan)->backend;
  return all;
}

/// A plan that a call runs. While a mode observes kernels they run one by one, and it is told; else
/// this is the plan itself.
class watched_call {
 public:
  /// Throws: what `call_begins` throws.
  watched_call(bound_call const& served, function_spec const& fn, frame_view const& f, int path,
               char const* name)
      : served_(served), observer_(visible_kernel_observer()) {
    if (observer_) [[unlikely]]
      watch(fn, f, path, name);
  }
  watched_call(watched_call const&) = delete;
  watched_call& operator=(watched_call const&) = delete;

  bound_call const& call() const noexcept { return observer_ ? own_ : served_; }

 private:
  [[gnu::cold, gnu::noinline]] void watch(function_spec const& fn, frame_view const& f, int path,
                                           char const* name) {
    path_spec const& taken = fn.paths[static_cast<unsigned>(path)];
    program_ = taken.watched;
    name_ = name;
    if (served_.is_erased) whole_ = record_of_erased(fn, taken, served_, f, name);
    own_ = served_;
    own_.plan = this;
    own_.run = [](void const* self, void* const* bases) {
      static_cast<watched_call const*>(self)->run(bases);
    };
    observer_->call_begins(served_.is_erased ? 1 : static_cast<int>(program_->steps.size()));
  }
  [[gnu::cold]] void run(void* const* bases) const {
    if (served_.is_erased) {
      observer_->kernel_begins();
      served_.run(served_.plan, bases);
      return observer_->kernel_ends(whole_);
    }
    std::span const symbols(served_.extents, program_->graph.extents.size());
    for (watched_step const& s : program_->steps) {
      observer_->kernel_begins();
      if (s.run(served_.plan, bases)) observer_->kernel_ends(record_of(*program_, s, symbols, name_));
    }
  }

  bound_call const& served_;
  kernel_observer* observer_;
  watched_program const* program_ = nullptr;
  char const* name_ = nullptr;
  kernel_record whole_;  // of an erased backend
  bound_call own_;
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
