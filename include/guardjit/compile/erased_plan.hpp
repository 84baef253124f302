// guardjit: compile/erased_plan.hpp: a path bound for a runner of an erased backend
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_ERASED_PLAN_HPP
#define GUARDJIT_COMPILE_ERASED_PLAN_HPP

#include <guardjit/compile/binder.hpp>
#include <guardjit/compile/erased_backend.hpp>
#include <guardjit/compile/spec.hpp>
#include <guardjit/compile/written_arguments.hpp>

#include <exception>  // throw_with_nested
#include <new>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// What a call of a runner needs, in the room of a plan. Behind it lie the results, the layouts with their
/// extents and strides, and the values of the symbols, so that the plan of an entry refers to itself alone.
struct erased_plan {
  path_call call{};
  runner_base const* runner = nullptr;
  char const* backend = "";
  int arguments = 0, results = 0;
  bool has_views = false;  ///< results that are views of arguments: the runner gets bases of its own
};

/// Bytes of an erased plan, aligned to 64.
constexpr std::size_t erased_plan_bytes(std::span<argument_type const> arguments, std::size_t results,
                                        std::size_t symbols) {
  std::size_t words = symbols;
  for (argument_type const& a : arguments) words += 2 * static_cast<std::size_t>(a.extents.rank);
  std::size_t const bytes = sizeof(erased_plan) + results * sizeof(bound_result) +
                            arguments.size() * sizeof(layout_view) + words * sizeof(index_t);
  return (bytes + 63) / 64 * 64;
}

/// Puts a result that is a view of an argument where it lies; false where the strides allow no view.
/// Rules: G5.
inline bool put_argument_view(graph_view const& g, int node, layout_view const* arguments,
                              std::span<index_t const> symbols, bound_result& to) {
  if (!is_view(g[node].id)) {
    auto const argument = static_cast<int>(g[node].bits);
    to.at = {argument, 0};
    to.layout = any_layout(arguments[argument]);
    return true;
  }
  if (!put_argument_view(g, g[node].in[0], arguments, symbols, to)) return false;
  any_layout const below = to.layout;
  if (g[node].id == op::reshape) {
    shape target = g.shape_of(node);
    for (int d = 0; d < target.rank; ++d) target[d] = value_of(target[d], symbols);
    reshaped_layout const view = reshaped(below.view(), target);
    to.layout = view.layout;
    return view.possible;
  }
  view_layout const view = view_in_call(g, node, below.view(), symbols);
  to.at.offset += view_offset(view, below.view(), g[node].type);
  to.layout = view.layout;
  return true;
}

/// The argument that a call gives back, or a view of it, as result `k`: -1 where it gives back fresh memory.
/// Those that are written or frozen are copied.
inline int viewed_argument(function_spec const& fn, path_spec const& path, std::size_t k) {
  if (k >= fn.returned()) return -1;
  int const below = argument_under(path.graph, path.graph.outputs[k]);
  if (below < 0 || argument_under(path.optimized, path.optimized.outputs[k]) != below) return -1;
  bool copied = fn.arguments[static_cast<std::size_t>(below)].frozen;
  for (int written : fn.in_outs) copied = copied || written == below;
  return copied ? -1 : below;
}

/// Throws: `index_error` and other errors of the library as they are, all others nested in a `backend_error`.
inline void run_erased(void const* bound, void* const* bases) {
  auto const& p = *static_cast<erased_plan const*>(bound);
  int const outputs = p.arguments, count = p.arguments + p.results;
  auto* workspace = static_cast<std::byte*>(bases[count]);
  if (p.has_views) {
    auto* const results = reinterpret_cast<bound_result const*>(&p + 1);
    auto** const own = new (workspace) void*[static_cast<std::size_t>(count)];
    for (int k = 0; k < count; ++k)
      own[k] = k >= outputs && results[k - outputs].at.base < outputs ? nullptr : bases[k];
    bases = own;
    workspace += rounded_up(count * index_t{sizeof(void*)});
  }
#if GUARDJIT_EXCEPTIONS
  try {
    p.runner->run(p.call, bases, workspace);
  } catch (error const&) {
    throw;
  } catch (...) {
    fixed_text text("guardjit: backend ");
    text << p.backend << " failed in a call: " << exception_text(std::current_exception()).c_str();
    std::throw_with_nested(backend_error(text));
  }
#else
  p.runner->run(p.call, bases, workspace);
#endif
}

/// Binds a path for a call in `room`; `to` says how to run it. The runner must outlive the plan.
/// Complexity: linear in arguments, symbols and results; no allocation.
inline void bind_erased(function_spec const& fn, path_spec const& path, erased_backend const& by,
                        runner_base const& runner, frame_view const& f, bool is_fixed, void* room,
                        bound_call& to) {
  std::size_t const arguments = fn.arguments.size(), results = fn.results.size();
  graph_view const& g = path.optimized;
  auto* const p = new (room) erased_plan;
  auto* const result = reinterpret_cast<bound_result*>(p + 1);
  auto* const layouts = reinterpret_cast<layout_view*>(result + results);
  auto* word = reinterpret_cast<index_t*>(layouts + arguments);
  for (std::size_t k = 0; k < arguments; ++k) {
    layout_view const& from = f.layouts[k];
    for (int d = 0; d < from.rank; ++d) word[d] = from.extents[d], word[from.rank + d] = from.strides[d];
    new (layouts + k) layout_view{from.rank, word, word + from.rank, from.hash};
    word += 2 * from.rank;
  }
  std::span<index_t> const symbols(word, g.extents.size());
  evaluate_extents(g.extents, symbols, [layouts](int k) { return layouts[k].extents; });

  *p = {{layouts, symbols, is_fixed}, &runner, by.name(), static_cast<int>(arguments),
        static_cast<int>(results), false};
  // What a runner writes may be read until its end, unless it is apart from all arguments; and where it tests
  // indices, what it wrote must not be seen.
  to.plain = fn.in_outs.empty() && !fn.tests_indices;
  for (std::size_t k = 0; k < results; ++k) {
    bound_result& r = *new (result + k) bound_result;
    if (viewed_argument(fn, path, k) >= 0 && put_argument_view(g, g.outputs[k], layouts, symbols, r)) {
      p->has_views = true;
      to.plain = false;
      continue;
    }
    shape extents = g.shape_of(g.outputs[k]);
    for (int d = 0; d < extents.rank; ++d) extents[d] = value_of(extents[d], symbols);
    r.layout = any_layout(extents);
    r.at = {static_cast<int>(arguments + k), 0};
    r.bytes = byte_count(extents, fn.results[k].type);
  }
  auto const bytes = static_cast<index_t>((arguments + results) * sizeof(void*));
  to.workspace_bytes = (p->has_views ? rounded_up(bytes) : 0) + rounded_up(runner.workspace_bytes(p->call));
  to.is_erased = true;
  to.results = result;
  to.extents = symbols.data();
  to.plan = p;
  to.run = &run_erased;
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
