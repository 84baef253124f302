// guardjit: graph/graph.hpp: a traced function as flat arrays
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_GRAPH_GRAPH_HPP
#define GUARDJIT_GRAPH_GRAPH_HPP

#include <guardjit/base/source_line.hpp>
#include <guardjit/graph/extent.hpp>
#include <guardjit/ops/attributes.hpp>
#include <guardjit/ops/dtype_rules.hpp>
#include <guardjit/ops/mistake.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// Results of one function, at most.
inline constexpr int max_results = 64;
/// Operands of one node, at most.
inline constexpr int max_node_operands = 3;

/// What decides the device of a node where that is no argument. Rules: M40.
inline constexpr std::int16_t host_source = -2;     ///< nothing: scalars, and what is made of them alone
inline constexpr std::int16_t default_source = -1;  ///< the thread: a factory that was given none

/// One operation, argument or constant of a graph, with the user's line.
struct node {
  op id{};
  dtype type{};
  bool weak = false;                          ///< a C++ scalar
  std::int16_t attribute = -1;                ///< number of its attributes, or -1
  std::int16_t form = 0;                      ///< number of its shape
  std::array<std::int16_t, max_node_operands> in{-1, -1, -1};
  std::int16_t source = host_source;          ///< the argument whose device it has, or see above
  std::uint64_t bits = 0;                     ///< `constant`: value; `input`: argument
  source_line where{};
  std::int16_t scope = 0;                     ///< the `with_modes` around it: number + 1, or 0

  /// Whether two nodes compute the same; the line does not count.
  constexpr bool same_as(node const& other) const {
    return id == other.id && type == other.type && in[0] == other.in[0] && in[1] == other.in[1] &&
           in[2] == other.in[2] && bits == other.bits && attribute == other.attribute &&
           form == other.form && weak == other.weak && scope == other.scope;
  }
};

/// Numbers in the key of one mode, at most.
inline constexpr int max_keys = 4;
class any_tensor;
class operand;
class trace_call;
class sym;

namespace detail {
/// What is still to do under a mode at run time.
struct continuation {
  void (*run)(void* context) = nullptr;
  void* context = nullptr;
};
}  // namespace detail

/// A mode as a trace sees it: its handler, made for `trace_call`.
struct trace_mode {
  sym (*handle)(trace_call&) = nullptr;
  bool (*wants)(op) = nullptr;
  /// At run time, of `with_modes`: goes on under the mode.
  void (*run_under)(operand const* keys, detail::continuation next) = nullptr;
  char const* name = "";
  std::array<std::int16_t, max_keys> keys{};  ///< the nodes of its key
};
/// A `with_modes` in `f`: one mode, and what is around it, as in `node::scope`.
struct trace_scope {
  trace_mode mode{};
  std::int16_t around = 0;
};

/// Operands of one `opaque` callable, at most.
inline constexpr int max_opaque_operands = 8;
/// Calls of `opaque` in one function, at most.
inline constexpr int max_breaks = 8;

/// How many of each part a graph has.
struct graph_size {
  int nodes = 0, shapes = 0, extents = 0, extra = 0, requirements = 0, conditions = 0, outputs = 0;
  int scopes = 0, passing = 0, breaks = 0;
};

/// A call of `opaque` in `f`: there the graph is cut. The result of the k-th one is an `input` behind
/// the arguments.
struct break_point {
  any_tensor (*call)(std::span<operand const> operands, source_line where) = nullptr;
  std::array<std::int16_t, max_opaque_operands> in{};
  int operands = 0;
  std::int16_t result = 0;  ///< its node
  std::int16_t scope = 0;   ///< the `with_modes` around it
  source_line where{};
  graph_size before{};      ///< what the graph had when `f` came here, the operands included
};

/// An op as it came by between two modes: what an observer there is told of.
struct passing_op {
  node what{};
  int below = 0;  ///< modes of the declared stack that are still to come
};

/// What a shape rule could not decide in the trace; checked when extents are bound.
enum class requirement_kind : std::uint8_t {
  equal, broadcast, stretch, multiple, positive,
  index,  ///< `left`, a number, is an index of an axis of extent `right`
};
struct requirement {
  requirement_kind kind{};
  mistake_kind otherwise{};
  index_t left = 0, right = 0;
  int axis = 0;
  int node = 0;  ///< the op whose rule it is
  char const* mode = "";  ///< the mode whose rule it is, if any

  constexpr bool operator==(requirement const& o) const {
    if (kind != o.kind) return false;
    bool const either_way = kind == requirement_kind::equal || kind == requirement_kind::broadcast;
    return (left == o.left && right == o.right) || (either_way && left == o.right && right == o.left);
  }
  constexpr bool holds(index_t a, index_t b) const {
    switch (kind) {
      case requirement_kind::equal: return a == b;
      case requirement_kind::broadcast: return a == b || a == 1 || b == 1;
      case requirement_kind::stretch: return a == b || a == 1;
      case requirement_kind::multiple: return b != 0 && a % b == 0;
      case requirement_kind::positive: return a > 0;
      case requirement_kind::index: return a >= -b && a < b;
    }
    return false;
  }
};

/// One side of a condition: an extent, the value of a scalar argument, or a number.
struct term {
  enum kind_t : std::uint8_t { extent, scalar, number } kind = extent;
  index_t value = 0;      ///< extent: number or symbol; scalar: the argument
  double real = 0;        ///< number

  constexpr bool operator==(term const&) const = default;
};

/// The outcome of a comparison, one of lt, gt, le, ge and eq.
constexpr bool compares(op id, auto a, auto b) {
  switch (id) {
    case op::lt: return a < b;
    case op::gt: return a > b;
    case op::le: return a <= b;
    case op::ge: return a >= b;
    default: return a == b;
  }
}
/// How a comparison is written.
constexpr char const* sign_of(op compare) {
  switch (compare) {
    case op::lt: return " < ";
    case op::gt: return " > ";
    case op::le: return " <= ";
    case op::ge: return " >= ";
    default: return " == ";
  }
}

/// A branch that `f` took on values of the call. Rules: G34, G90.
struct condition {
  op compare = op::lt;  ///< lt, gt, le, ge or eq
  term left{}, right{};
  source_line where{};
  bool outcome = false;

  constexpr bool reads_scalar() const {
    return left.kind == term::scalar || right.kind == term::scalar;
  }
  constexpr bool same_question(condition const& o) const {
    return compare == o.compare && left == o.left && right == o.right;
  }
};

/// A graph of any size, borrowed.
struct graph_view {
  std::span<node const> nodes{};
  std::span<shape const> shapes{};
  std::span<extent_node const> extents{};
  std::span<attributes const> extra{};
  std::span<requirement const> requirements{};
  std::span<condition const> conditions{};
  std::span<std::int16_t const> outputs{};  ///< the node of each result
  int arguments = 0;
  std::span<trace_scope const> scopes{};
  std::span<passing_op const> passing{};  ///< of a graph that modes rewrote, in order
  std::span<break_point const> breaks{};

  // Passes run these once and more per node inside the compiler; `data()` takes clang a third of
  // the steps of a checked subscript.
  constexpr int size() const { return static_cast<int>(nodes.size()); }
  constexpr node const& operator[](int k) const { return nodes.data()[k]; }
  constexpr shape const& shape_of(int k) const { return shapes.data()[nodes.data()[k].form]; }
  constexpr attributes attributes_of(int k) const {
    int const at = nodes.data()[k].attribute;
    return at < 0 ? attributes{} : extra.data()[at];
  }
  /// Number of operands of a node.
  constexpr int operands(int k) const {
    int n = 0;
    while (n < max_node_operands && (*this)[k].in[static_cast<unsigned>(n)] >= 0) ++n;
    return n;
  }
  constexpr int operand(int k, int i) const { return (*this)[k].in[static_cast<unsigned>(i)]; }
};

namespace detail {
/// An array that may have no elements.
template <class T, int Size> using exact_array = std::array<T, Size == 0 ? 1 : static_cast<unsigned>(Size)>;
template <int Size, class T> constexpr std::span<T const> first(exact_array<T, Size> const& a) {
  return {a.data(), static_cast<unsigned>(Size)};
}
}  // namespace detail

/// The capacity that a pass over `from` starts with: twice its nodes, and room for its other parts. Many
/// arguments of run-time shapes have more extents than nodes.
constexpr int capacity_for(graph_view const& from) {
  int capacity = 64;
  std::size_t const parts[] = {from.shapes.size(), from.extents.size() / 2, from.extra.size(),
                               from.requirements.size()};
  for (std::size_t part : parts)
    while (capacity < 2 * from.size() + 64 || capacity / 4 < static_cast<int>(part)) capacity *= 2;
  return capacity;
}

/// A graph of exact size: what a trace or a pass leaves behind. A literal value.
template <graph_size Size> struct graph {
  detail::exact_array<guardjit::node, Size.nodes> nodes{};
  detail::exact_array<shape, Size.shapes> shapes{};
  detail::exact_array<extent_node, Size.extents> extents{};
  detail::exact_array<attributes, Size.extra> extra{};
  detail::exact_array<requirement, Size.requirements> requirements{};
  detail::exact_array<condition, Size.conditions> conditions{};
  detail::exact_array<std::int16_t, Size.outputs> outputs{};
  detail::exact_array<trace_scope, Size.scopes> scopes{};
  detail::exact_array<passing_op, Size.passing> passing{};
  detail::exact_array<break_point, Size.breaks> breaks{};
  int arguments = 0;
  mistake wrong{};
  source_line wrong_line{};
  char const* wrong_mode = "";  ///< the mode that is to blame
  char const* wrong_text = "";  ///< what it says

  constexpr graph_view view() const {
    return {detail::first<Size.nodes>(nodes),
            detail::first<Size.shapes>(shapes),
            detail::first<Size.extents>(extents),
            detail::first<Size.extra>(extra),
            detail::first<Size.requirements>(requirements),
            detail::first<Size.conditions>(conditions),
            detail::first<Size.outputs>(outputs),
            arguments,
            detail::first<Size.scopes>(scopes),
            detail::first<Size.passing>(passing),
            detail::first<Size.breaks>(breaks)};
  }
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
