// guardjit: compile/explanation.hpp: what `explain` gives back
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_EXPLANATION_HPP
#define GUARDJIT_COMPILE_EXPLANATION_HPP

#include <guardjit/base/source_line.hpp>
#include <guardjit/tensor/shape.hpp>

#include <string>  // the texts
#include <vector>

namespace guardjit::inline GUARDJIT_ABI {

/// A name and how often.
struct named_count {
  std::string name;
  std::int64_t count = 0;
};

/// One kernel of a graph.
struct explained_kernel {
  std::string operations;  ///< that it computes, in order: `add relu`
  std::string result;      ///< dtype and shape of what it writes: `f32 (n, 64)`
  std::string why;         ///< it ends here, and does not go on into its reader
  source_line where{};     ///< of its last operation
};

/// One graph that calls ran: the function, or its part between two breaks, for given types and branches.
struct explained_graph {
  std::vector<std::string>
      arguments;         ///< `arg[0]: f32 (n, 64)`; letters stand for run-time extents
  std::string branches;  ///< the outcomes that it is for; empty where `f` does not branch
  std::string modes;     ///< the declared mode stack that it is for; empty for none
  char const* backend = "";
  int ops = 0;  ///< as modes are told of them
  std::vector<explained_kernel> kernels;  ///< none where the backend is a value, which keeps its own
  std::vector<std::string> entries;  ///< their ids, in order of making
  std::string text;                  ///< the graph itself, as `to_text` gives it
};

/// A call of `opaque` that was reached.
struct explained_break {
  std::string code;    ///< `opaque`
  std::string reason;  ///< why the graph ends there
  std::string hint;    ///< how to go on without
  source_line where{};
};

/// What must hold so that an entry serves a call.
struct explained_check {
  std::string entry;  ///< its id; empty where `proved`: it holds for all entries of `graph`
  std::string kind;   ///< as in `guard_kind`; proved ones may be `dtype_is` and `rank_is` as well
  std::string argument;  ///< `arg[0]`, where it is about one
  int dim = -1;          ///< where it is about one
  std::string expected;
  std::string text;     ///< all of it: `arg[0].extent(0) = 8`
  source_line where{};  ///< the line of `f` that needs it
  bool proved = false;  ///< by the types of the call, so that nothing is left to check
  int graph = 0;        ///< number of its graph, from 1
};

/// One entry, and how it came.
struct explained_entry {
  std::string id;
  int graph = 0;
  int call = 0;  ///< that made it, from 1; 0 where that is not known
  bool dynamic = false;
  std::vector<std::string> open;  ///< extents that it serves all values of
  std::string since;  ///< why no older one did: a line each
  std::int64_t plan_ns = 0, guards_ns = 0, install_ns = 0;
};

/// An extent that entries fix.
struct specialised_extent {
  std::string extent;           ///< `arg[0].extent(0)`
  std::vector<index_t> values;  ///< of the entries, each once
  bool varies = false;          ///< calls came with several values
  std::string advice;           ///< how to make it dynamic
};

/// How many variants the C++ compiler makes of a function: the product of these.
struct variant_factors {
  int paths = 1, mode_stacks = 1, signatures = 1, hot_extents = 1;
  int product() const { return paths * mode_stacks * signatures * hot_extents; }
};

/// One part of calls, its number and its time.
struct explained_time {
  std::string phase;  ///< `call`; within those that made an entry `plan guards install`
  std::int64_t count = 0, nanoseconds = 0;
};

/// What a function becomes: graphs, breaks, kernels, entries with their guards, and advice.
/// Rules: O20, G110, G111.
struct explanation {
  std::string function;  ///< its name, or its place
  source_line where{};   ///< of `explain`
  int graph_count =
      0;  ///< graphs with at least one op that calls ran; several entries may share one
  int break_count = 0;  ///< calls of `opaque` that were reached, each place of the trace once
  std::vector<explained_graph> graphs;
  std::vector<explained_break> breaks;
  int ops_total = 0;
  std::vector<named_count> ops_by_name;  ///< by name
  std::vector<int> ops_per_graph;
  std::vector<explained_entry> entries;
  std::vector<explained_check>
      guards;  ///< proved ones first, then entry by entry in the order of checks
  variant_factors variants;
  std::vector<specialised_extent> specialised;
  std::vector<std::string> advice;    ///< what to declare or to change: a line each
  std::vector<explained_time> times;  ///< the only member that differs from run to run
  std::vector<named_count> counters;
  std::string why_eager;  ///< why a call ran operation by operation, if one did
  std::string error;  ///< what the last call threw; empty where it returned

  /// A page for people. `with_times` false: the same in each run.
  std::string to_string(bool with_times = true) const;
  /// The same as data: one object, `schema` first. Rules: O41.
  std::string to_json(bool with_times = true) const;
};

/// The version of what `to_json` writes.
inline constexpr int explanation_schema = 1;

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
