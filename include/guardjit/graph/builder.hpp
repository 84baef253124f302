// guardjit: graph/builder.hpp: makes graphs: merges equal nodes, decides what symbols allow
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_GRAPH_BUILDER_HPP
#define GUARDJIT_GRAPH_BUILDER_HPP

#include <guardjit/graph/extent_range.hpp>
#include <guardjit/graph/part_table.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// Uses of `with_modes` in one function, at most, times their modes.
inline constexpr int max_scopes = 32;

/// Room for a graph that is being made. `Capacity` bounds the nodes, and the other parts with them.
template <int Capacity, int Passing = 1> struct graph_buffer {
  static constexpr int room = Capacity / 4 + 32;
  /// Arguments of run-time shapes have several each, and so have the ops that join them.
  static constexpr int extent_room = Capacity / 2 + 32;
  std::array<node, Capacity> nodes{};
  std::array<shape, room> shapes{};
  std::array<extent_node, extent_room> extents{};
  std::array<attributes, room> extra{};
  std::array<requirement, room> requirements{};
  std::array<condition, 64> conditions{};
  std::array<std::int16_t, max_results> outputs{};
  std::array<trace_scope, max_scopes> scopes{};
  std::array<passing_op, Passing> passing{};
  std::array<break_point, max_breaks> breaks{};
  graph_size size{};
  int arguments = 0;
  /// The arguments whose final values the last outputs are, in order.
  std::array<std::int16_t, max_results> in_outs{};
  int in_out_count = 0;
  mistake wrong{};
  source_line wrong_line{};
  char const* wrong_mode = "";
  char const* wrong_text = "";
};

/// Adds nodes to a `graph_buffer`, whatever its capacity, and remembers the first mistake. It is
/// also the arithmetic of symbolic extents that the shape rules are given.
class graph_builder {
 public:
  /// `slots` are `table_size(Capacity)` numbers, all 0.
  template <int Capacity, int Passing>
  constexpr graph_builder(graph_buffer<Capacity, Passing>& to, std::int32_t* slots)
      : nodes_(to.nodes.data()), shapes_(to.shapes.data()), extents_(to.extents.data()),
        extra_(to.extra.data()), requirements_(to.requirements.data()), conditions_(to.conditions.data()),
        size_(&to.size), wrong_(&to.wrong), wrong_line_(&to.wrong_line), table_(slots, Capacity),
        scopes_(to.scopes.data()), breaks_(to.breaks.data()), passing_(to.passing.data()),
        wrong_mode_(&to.wrong_mode), wrong_text_(&to.wrong_text), capacity_(Capacity),
        room_(graph_buffer<Capacity>::room), extent_room_(graph_buffer<Capacity>::extent_room),
        passing_room_(Passing) {}
  static constexpr unsigned table_size(int capacity) { return detail::part_table::slots(capacity); }

  constexpr node const& operator[](int k) const { return nodes_[k]; }
  constexpr shape const& shape_of(int k) const { return shapes_[nodes_[k].form]; }
  constexpr shape const& shape_of_form(int form) const { return shapes_[form]; }
  constexpr attributes attributes_of(int k) const {
    return nodes_[k].attribute < 0 ? attributes{} : extra_[nodes_[k].attribute];
  }
  constexpr bool is_full() const { return wrong_->kind == mistake_kind::too_many_nodes; }
  constexpr bool failed() const { return wrong_->kind != mistake_kind::none; }

  /// The node equal to `n`, made if there is none. Complexity: constant.
  constexpr int push(node const& n) {
    return kept(table_.intern(detail::graph_part::node, nodes_, size_->nodes, capacity_, n));
  }

  /// A node of its own, though an equal one be there: each call of an op counts.
  constexpr int push_apart(node const& n) {
    if (size_->nodes == capacity_) return overflow();
    nodes_[size_->nodes] = n;
    return size_->nodes++;
  }

  constexpr std::int16_t add_shape(shape const& s) {
    return kept(table_.intern(detail::graph_part::shape, shapes_, size_->shapes, room_, s));
  }
  constexpr std::int16_t add_attributes(attributes const& a) {
    for (int k = size_->extra - 1; k >= 0; --k)
      if (extra_[k] == a) return static_cast<std::int16_t>(k);
    if (size_->extra < room_) extra_[size_->extra++] = a;
    else overflow();
    return static_cast<std::int16_t>(size_->extra - 1);
  }

  /// Takes over shapes, extents and attributes, under the numbers that they have in `from`.
  /// Precondition: nothing was added yet.
  constexpr void adopt(graph_view const& from) {
    for (shape const& s : from.shapes) (void)add_shape(s);
    for (extent_node const& e : from.extents) (void)intern_extent(e);
    for (attributes const& a : from.extra) extra_[size_->extra++] = a;
  }

  /// The number of a scope, as in `node::scope`.
  constexpr std::int16_t add_scope(trace_scope const& s) {
    if (size_->scopes == max_scopes) return static_cast<std::int16_t>(overflow());
    scopes_[size_->scopes++] = s;
    return static_cast<std::int16_t>(size_->scopes);
  }
  /// Cuts the graph. False where there are too many.
  constexpr bool add_break(break_point const& b) {
    if (size_->breaks == max_breaks) return false;
    breaks_[size_->breaks++] = b;
    return true;
  }
  constexpr int break_count() const { return size_->breaks; }
  /// What there is so far.
  constexpr graph_size const& size_so_far() const { return *size_; }
  constexpr void add_passing(passing_op const& p) {
    if (size_->passing == passing_room_) return void(overflow());
    passing_[size_->passing++] = p;
  }

  /// Begins the shape rule of an op: what it requires belongs to `where`.
  constexpr void begin(op id, source_line where) { current_ = id, line_ = where; }
  constexpr void fail(mistake_kind kind, index_t left, index_t right, int axis, dtype type = {}) {
    if (failed() && !(is_full() && kind == mistake_kind::too_many_paths)) return;
    *wrong_ = {kind, current_, left, right, axis, type};
    *wrong_line_ = line_;
  }
  /// The same, with the mode that is to blame and its words.
  constexpr void fail_by(char const* mode, char const* text, mistake_kind kind, index_t left = 0,
                         index_t right = 0, int axis = 0, dtype type = {}) {
    if (failed()) return;
    fail(kind, left, right, axis, type);
    *wrong_mode_ = mode;
    *wrong_text_ = text;
  }

  // The arithmetic of extents that shape rules use.
  constexpr index_t broadcast(index_t a, index_t b, int axis) {
    if (a == b || b == 1) return a;
    if (a == 1) return b;
    if (!is_symbol(a) && !is_symbol(b)) return fail(mistake_kind::extents_differ, a, b, axis), a;
    if (is_stretched(a, b)) return a;
    if (is_stretched(b, a)) return b;
    require({requirement_kind::broadcast, mistake_kind::extents_differ, a, b, axis});
    if (!is_symbol(a)) return a;
    if (!is_symbol(b)) return b;
    return a < b ? combine(extent_op::broadcast, a, b) : combine(extent_op::broadcast, b, a);
  }
  /// The rule is that of node number `of`, if given, else of the one that comes next.
  constexpr void require_equal(index_t a, index_t b, mistake_kind kind, int axis, char const* mode = "",
                               int of = -1) {
    if (a == b) return;
    if (!is_symbol(a) && !is_symbol(b)) return fail(kind, a, b, axis);
    require({requirement_kind::equal, kind, a, b, axis, 0, mode}, of);
  }
  constexpr void require_stretch(index_t from, index_t to, int axis) {
    if (from == 1 || from == to) return;
    if (!is_symbol(from) && !is_symbol(to)) return fail(mistake_kind::extents_differ, from, to, axis);
    require({requirement_kind::stretch, mistake_kind::extents_differ, from, to, axis});
  }
  constexpr void require_multiple(index_t a, index_t divisor) {
    if (divisor == 1) return;
    if (is_symbol(a) || is_symbol(divisor))
      return require({requirement_kind::multiple, mistake_kind::count_is_no_multiple, a, divisor, 0});
    if (divisor == 0 || a % divisor != 0) fail(mistake_kind::count_is_no_multiple, a, divisor, 0);
  }
  constexpr void require_positive(index_t a, int axis) {
    mistake_kind const kind = mistake_kind::reduced_extent_is_zero;
    if (is_symbol(a)) return require({requirement_kind::positive, kind, a, 0, axis});
    if (a == 0) fail(kind, 0, 0, axis);
  }
  constexpr void require_index(index_t i, index_t n, int axis,
                               mistake_kind kind = mistake_kind::index_out_of_range) {
    bool const is_lowest = is_symbol(i);  // below all extents, and no symbol: indices are numbers
    if (is_symbol(n) && !is_lowest) return require({requirement_kind::index, kind, i, n, axis});
    if (is_lowest || i < -n || i >= n) fail(kind, i, is_symbol(n) ? 0 : n, axis);
  }
  /// What an in-out argument needs: that a node, its final value, has its dtype and shape. Rules: G4.
  constexpr void require_assignable(int argument, int value) {
    node const &to = nodes_[argument], &from = nodes_[value];
    begin(from.id, from.where);
    if (to.weak) return fail(mistake_kind::assigned_to_scalar, 0, 0, 0, to.type);
    if (from.type != to.type) return fail(mistake_kind::assigned_dtype_differs, 0, 0, 0, to.type);
    shape const &wanted = shapes_[to.form], &given = shapes_[from.form];
    if (wanted.rank != given.rank)
      return fail(mistake_kind::assigned_rank_differs, given.rank, wanted.rank, 0);
    for (int d = 0; d < wanted.rank; ++d)
      require_equal(given[d], wanted[d], mistake_kind::assigned_extent_differs, d, "", value);
  }
  /// Takes over what in-out arguments need from a graph whose extents were adopted.
  constexpr void require_assignable_as(graph_view const& from, int const* moved) {
    for (requirement r : from.requirements)
      if (r.otherwise == mistake_kind::assigned_extent_differs) {
        r.node = moved[r.node];
        add_requirement(r);
      }
  }
  constexpr index_t add(index_t a, index_t b) {
    if (b == 0) return a;
    return a == 0 ? b : combine(extent_op::plus, a, b);
  }
  constexpr index_t sub(index_t a, index_t b) {
    if (a == b) return 0;
    return b == 0 ? a : combine(extent_op::minus, a, b);
  }
  constexpr index_t mul(index_t a, index_t b) {
    if (b == 1) return a;
    return a == 1 ? b : combine(extent_op::times, a, b);
  }
  constexpr index_t div(index_t a, index_t b) { return b == 1 ? a : combine(extent_op::quotient, a, b); }
  /// Most symbols are known to be no less than 0, which settles the bounds of most slices.
  constexpr index_t min(index_t a, index_t b) {
    if (int const first = is_first_least(a, b); first >= 0) return first != 0 ? a : b;
    if (a == b || (a == 0 && is_not_negative(b))) return a;
    return combine(extent_op::min, a, b);
  }
  constexpr index_t max(index_t a, index_t b) {
    if (int const first = is_first_least(a, b); first >= 0) return first != 0 ? b : a;
    if (a == b || (b <= 0 && !is_symbol(b) && is_not_negative(a))) return a;
    return combine(extent_op::max, a, b);
  }
  /// Whether an extent cannot be negative, whatever the arguments.
  constexpr bool is_not_negative(index_t a) const {
    if (!is_symbol(a)) return a >= 0;
    extent_node const& n = extents_[number_of(a)];
    if (n.id == extent_op::input) return true;
    if (n.id == extent_op::minus) return false;
    if (n.id == extent_op::max) return is_not_negative(n.left) || is_not_negative(n.right);
    return is_not_negative(n.left) && is_not_negative(n.right);
  }
  /// The symbol of an extent of an argument.
  constexpr index_t input_extent(int argument, int dim) {
    return intern_extent({extent_op::input, argument, dim});
  }

  /// What options say of extents of arguments. Lifetime: that of the trace.
  constexpr void set_declared(std::span<declared_extent const> declared) { declared_ = declared; }
  /// The symbol that stands for an extent of an argument: of one name, the first.
  constexpr index_t extent_of_argument(int argument, int dim) {
    index_t const own = input_extent(argument, dim);
    declared_extent const* const d = detail::declared_of(declared_, argument, dim);
    if (!d) return own;
    declared_extent const& first = detail::first_of_name(declared_, *d);
    return input_extent(first.argument, first.dim);
  }

  constexpr void add_condition(condition const& c) {
    if (size_->conditions < 64) conditions_[size_->conditions++] = c;
  }
  constexpr std::span<condition const> conditions() const {
    return {conditions_, static_cast<unsigned>(size_->conditions)};
  }

 protected:
  constexpr extent_range range_before(index_t e) const {
    if (!declared_.empty()) return facts().range_of(e);
    return {is_not_negative(e) ? 0 : -extent_range::far, extent_range::far};
  }
  constexpr bool is_no_multiple(index_t e, index_t value) const {
    return !declared_.empty() && !facts().may_equal(e, value);
  }
  /// A comparison of two extents: 1, 0, or -1 where ranges do not tell.
  constexpr int by_declaration(condition const& c) const {
    if (declared_.empty() || c.right.kind != term::extent) return -1;
    return facts().outcome_of(c.compare, c.left.value, c.right.value);
  }

 private:
  constexpr detail::extent_facts facts() const {
    return {declared_, {extents_, static_cast<unsigned>(size_->extents)}, conditions()};
  }
  /// Whether `a` is never larger than `b` (1), never less (0), or neither is known (-1).
  constexpr int is_first_least(index_t a, index_t b) const {
    return declared_.empty() ? -1 : facts().outcome_of(op::le, a, b);
  }
  /// Whether declarations settle a rule of an op, which then holds or is a mistake. Rules: G87.
  constexpr bool is_settled(requirement const& r) {
    int const outcome = facts().outcome_of(r);
    if (outcome > 0) return true;
    if (outcome == 0) {
      auto const wanted = facts().wanted(r);
      if (declared_extent const* const d = wanted.extent)
        fail(mistake_kind::declared_range_never_fits, d->argument, wanted.value, d->dim);
      else fail(r.otherwise, r.left, r.right, r.axis);
      return true;
    }
    auto const needed = facts().needed(r);
    if (needed.extent)
      fail(mistake_kind::declared_extent_needs_value, needed.extent->argument, needed.value,
           needed.extent->dim);
    return needed.extent != nullptr;
  }

  constexpr int overflow() {
    *wrong_ = {mistake_kind::too_many_nodes, current_, capacity_, 0, 0, {}};
    *wrong_line_ = line_;
    return 0;
  }
  /// Where a list is full the trace starts again with more room.
  constexpr std::int16_t kept(int place) { return static_cast<std::int16_t>(place < 0 ? overflow() : place); }
  constexpr index_t intern_extent(extent_node const& n) {
    return symbol(kept(table_.intern(detail::graph_part::extent, extents_, size_->extents, extent_room_, n)));
  }
  /// Whether `whole` came about by broadcasting `part` with others, so that they fit already.
  constexpr bool is_stretched(index_t whole, index_t part) const {
    if (!is_symbol(whole) || extents_[number_of(whole)].id != extent_op::broadcast) return false;
    extent_node const& n = extents_[number_of(whole)];
    return n.left == part || n.right == part || is_stretched(n.left, part) || is_stretched(n.right, part);
  }
  constexpr index_t combine(extent_op id, index_t a, index_t b) {
    if (!is_symbol(a) && !is_symbol(b)) return apply(id, a, b);
    return intern_extent({id, a, b});
  }
  constexpr void add_requirement(requirement const& r) {
    (void)kept(table_.intern(detail::graph_part::requirement, requirements_, size_->requirements, room_, r));
  }
  constexpr void require(requirement r, int of = -1) {
    if (!declared_.empty() && is_settled(r)) return;
    r.node = of < 0 ? size_->nodes : of;
    add_requirement(r);
  }

  node* nodes_;
  shape* shapes_;
  extent_node* extents_;
  attributes* extra_;
  requirement* requirements_;
  condition* conditions_;
  graph_size* size_;
  mistake* wrong_;
  source_line* wrong_line_;
  detail::part_table table_;
  trace_scope* scopes_;
  break_point* breaks_;
  passing_op* passing_;
  char const** wrong_mode_;
  char const** wrong_text_;
  std::span<declared_extent const> declared_{};
  int capacity_, room_, extent_room_, passing_room_;
  op current_{};
  source_line line_{};
};

namespace detail {
constexpr void copy_first(auto const& from, auto& to, int count) {
  for (int k = 0; k < count; ++k) to[static_cast<unsigned>(k)] = from[static_cast<unsigned>(k)];
}
}  // namespace detail

/// Copies a buffer into a graph of exactly its size.
template <auto const& Buffer> constexpr auto exact_graph() {
  graph<Buffer.size> g;
  detail::copy_first(Buffer.nodes, g.nodes, Buffer.size.nodes);
  detail::copy_first(Buffer.shapes, g.shapes, Buffer.size.shapes);
  detail::copy_first(Buffer.extents, g.extents, Buffer.size.extents);
  detail::copy_first(Buffer.extra, g.extra, Buffer.size.extra);
  detail::copy_first(Buffer.requirements, g.requirements, Buffer.size.requirements);
  detail::copy_first(Buffer.conditions, g.conditions, Buffer.size.conditions);
  detail::copy_first(Buffer.outputs, g.outputs, Buffer.size.outputs);
  detail::copy_first(Buffer.scopes, g.scopes, Buffer.size.scopes);
  detail::copy_first(Buffer.passing, g.passing, Buffer.size.passing);
  detail::copy_first(Buffer.breaks, g.breaks, Buffer.size.breaks);
  g.arguments = Buffer.arguments;
  g.wrong = Buffer.wrong;
  g.wrong_line = Buffer.wrong_line;
  g.wrong_mode = Buffer.wrong_mode;
  g.wrong_text = Buffer.wrong_text;
  return g;
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
