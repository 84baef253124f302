// guardjit: tests/paths/random_graph.hpp: draws graphs of all ops by their rules, with what the oracle says of each
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_PATHS_RANDOM_GRAPH_HPP
#define GUARDJIT_TESTS_PATHS_RANDOM_GRAPH_HPP

#include <guardjit/graph/append.hpp>
#include <guardjit/graph/tracer.hpp>

#include <optional>

#include "draw.hpp"

namespace paths {

using gj::dtype;
using gj::op;
using gj::op_form;

inline constexpr int capacity = 256;
inline constexpr index_t most_elements = 8192;

/// A node, and what it is to the oracle.
struct drawn_value {
  int node;
  known_operand oracle;
  dtype type;
  gj::shape form;
  bool weak = false;

  bool is_exact() const { return !oracle.error; }
};

/// Draws a graph by the rules of the ops, and computes each node as it comes.
class graph_draw {
 public:
  explicit graph_draw(dice& random) : random_(random), table_(gj::graph_builder::table_size(capacity)), to_(1) {
    tracer_.emplace(to_[0], table_.data(), gj::path_script{});
    add_arguments();
    auto const wanted = static_cast<int>(1 + random_.below(40));
    for (int k = 0; k < wanted && !tracer_->failed() && !throws_; ++k) add_op();
    add_outputs();
  }

  bool is_whole() const { return !tracer_->failed() && to_[0].size.outputs > 0; }
  bool throws() const { return throws_; }
  gj::graph_buffer<capacity> const& buffer() const { return to_[0]; }
  std::vector<any_tensor> const& arguments() const { return arguments_; }
  std::vector<known> const& results() const { return results_; }
  /// Ops that are nodes, by number.
  std::array<int, gj::op_count> counts{};

 private:
  static constexpr dtype types[] = {dtype::f32, dtype::f32, dtype::f32, dtype::f64, dtype::f64,
                                    dtype::i32, dtype::i64, dtype::i64, dtype::u8,  dtype::boolean};
  static constexpr char const* forms[] = {"mn", "mn", "mn", "n",  "m1", "mnk", "nk", "km",   "",        "1n",
                                          "k",  "kk", "2",  "mm", "m2", "2mn", "n3", "21m1n", "1m1211n2", "221212"};

  void add_arguments() {
    subject s{"", {}, {any_sizes}};
    auto const count = 1 + random_.below(4);
    for (index_t k = 0; k < count; ++k) s.parameters.push_back({random_.one_of(types), random_.one_of(forms)});
    constexpr dtype scalars[] = {dtype::boolean, dtype::i64, dtype::f32, dtype::f64};
    if (random_.once_in(3)) s.parameters.push_back({random_.one_of(scalars), "", true});
    // Few are so long that tiles end within them.
    if (random_.once_in(8)) s.drawn[0] = {30 + random_.below(40), 20 + random_.below(40), 1 + random_.below(3)};
    arguments_ = draw(s, 0, static_cast<layout_kind>(random_.below(layout_kinds)), random_);
    to_[0].arguments = static_cast<int>(arguments_.size());
    tracer_->set_argument_count(to_[0].arguments);
    for (std::size_t k = 0; k < arguments_.size(); ++k) add_argument(k, s.parameters[k].weak);
  }
  void add_argument(std::size_t k, bool weak) {
    any_tensor const& x = arguments_[k];
    gj::node n;
    n.id = op::input;
    n.type = x.type();
    n.weak = weak;
    n.bits = k;
    gj::shape form = x.shape();
    bool const open = random_.once_in(2);
    for (int d = 0; d < form.rank; ++d)
      if (open || random_.once_in(4)) {
        form[d] = tracer_->extent_of_argument(static_cast<int>(k), d);
        if (random_.once_in(3)) add_extent(form[d], x.extent(d));
      }
    n.form = tracer_->add_shape(form);
    int const node = tracer_->push(n);
    if (!weak) return void(values_.push_back({node, known(x), x.type(), x.shape()}));
    gj::visit_dtype(x.type(), [&]<class T>(std::type_identity<T>) {
      if constexpr (gj::scalar_operand<T>)
        weak_.push_back({node, known_operand(x.item<T>()), x.type(), {}, true});
    });
  }
  void add_extent(index_t symbol, index_t extent) {
    gj::node n;
    n.id = op::input;
    n.type = dtype::i64;
    n.weak = true;
    n.bits = static_cast<std::uint64_t>(symbol);
    n.form = tracer_->add_shape({});
    weak_.push_back({tracer_->push(n), known_operand(extent), dtype::i64, {}, true});
  }
  drawn_value constant() {
    constexpr double numbers[] = {0.5, 2.0, -1.5, 0.0, -0.0, 3.25, 1.0};
    if (random_.once_in(2)) {
      std::int64_t const number = random_.below(7);
      int const node = gj::add_constant(*tracer_, dtype::i64, gj::scalar_bits::of(number), true, {});
      return {node, known_operand(number), dtype::i64, {}, true};
    }
    if (random_.once_in(6))
      return {gj::add_constant(*tracer_, dtype::boolean, gj::scalar_bits::of(true), true, {}),
              known_operand(true), dtype::boolean, {}, true};
    double const number = random_.one_of(numbers);
    bool const narrow = random_.once_in(2);
    int const node = gj::add_constant(*tracer_, narrow ? dtype::f32 : dtype::f64, gj::scalar_bits::of(number),
                                      true, {});
    if (narrow) return {node, known_operand(static_cast<float>(number)), dtype::f32, {}, true};
    return {node, known_operand(number), dtype::f64, {}, true};
  }
  drawn_value scalar() {
    if (!weak_.empty() && random_.once_in(2)) return weak_[static_cast<std::size_t>(random_.below(size(weak_)))];
    return constant();
  }
  static index_t size(auto const& list) { return static_cast<index_t>(list.size()); }

  /// A value, most often one of the last.
  drawn_value const& any_value() {
    index_t const count = size(values_);
    return values_[static_cast<std::size_t>(random_.once_in(2) ? count - 1 - random_.below(count < 4 ? count : 4)
                                                               : random_.below(count))];
  }
  drawn_value const* find(auto const& accept) {
    for (int attempt = 0; attempt < 12; ++attempt)
      if (drawn_value const& v = any_value(); accept(v)) return &v;
    return nullptr;
  }

  /// One op, with operands and attributes that it allows.
  void add_op() {
    for (int attempt = 0; attempt < 100; ++attempt) {
      constexpr int first = static_cast<int>(op::add);
      auto const id = static_cast<op>(first + random_.below(gj::op_count - first));
      for (int more = 0; more < 4; ++more)
        if (try_op(id)) return;
    }
  }
  bool try_op(op id) {
    gj::attributes extra;
    std::vector<drawn_value> in;
    op_form const form = gj::info_of(id).form;
    if (id == op::full) in.push_back(constant());
    else if (gj::info_of(id).arity > 0) in.push_back(any_value());
    if (form == op_form::elementwise || form == op_form::contraction || id == op::concat) {
      bool const scalars = form == op_form::elementwise;
      while (static_cast<int>(in.size()) < gj::info_of(id).arity)
        in.push_back(scalars && random_.once_in(4) ? scalar() : any_value());
      if (in.size() == 2 && scalars && random_.once_in(4)) std::swap(in[0], in[1]);
      if (id == op::to) extra.type = random_.one_of(types);
    }
    if (!set_attributes(id, in, extra)) return false;
    return append(id, extra, in) >= 0;
  }

  bool set_attributes(op id, std::vector<drawn_value>& in, gj::attributes& extra) {
    int const rank = in.empty() ? 0 : in[0].form.rank;
    auto const form = in.empty() ? gj::shape{} : in[0].form;
    if (gj::is_reduction(id)) {
      extra.axes = static_cast<std::uint8_t>(random_.below(index_t{1} << rank));
      extra.keepdims = random_.once_in(2);
      extra.lowest_of_none = id == op::amax && random_.once_in(4);
      extra.correction = id == op::mean ? random_.below(3) : 0;
      return true;
    }
    if (gj::is_factory(id)) {
      extra.type = id == op::arange ? dtype::i64 : random_.one_of(types);
      extra.target.rank = id == op::arange ? 1 : static_cast<int>(random_.below(4));
      for (int d = 0; d < extra.target.rank; ++d) extra.target[d] = random_.below(5);
      return true;
    }
    bool const has_axis = id == op::slice || id == op::select || id == op::concat || id == op::take || id == op::gather;
    if (has_axis) {
      if (rank == 0) return false;
      extra.axis = static_cast<std::int8_t>(random_.below(rank));
    }
    switch (id) {
      case op::permute:
        for (int d = 0; d < rank; ++d) {
          auto const other = static_cast<unsigned>(random_.below(d + 1));
          extra.order[static_cast<unsigned>(d)] = extra.order[other];
          extra.order[other] = static_cast<std::int8_t>(d);
        }
        return true;
      case op::slice:
        extra.step = random_.once_in(2) ? 1 : random_.below(5) - 2;
        extra.start = random_.below(7) - 3;
        if (random_.once_in(2)) extra.stop = random_.below(9) - 3;
        return extra.step != 0;
      case op::select: {
        index_t const extent = form[extra.axis];
        extra.start = extent == 0 ? 0 : random_.below(2 * extent) - extent;
        return extent > 0;
      }
      case op::expand: {
        auto const shift = static_cast<int>(random_.below(3));
        if (rank + shift > gj::max_rank) return false;
        extra.target.rank = rank + shift;
        for (int d = 0; d < extra.target.rank; ++d) {
          index_t const own = d < shift ? 1 : form[d - shift];
          extra.target[d] = own == 1 && random_.once_in(2) ? random_.below(4) : own;
        }
        return true;
      }
      case op::reshape: return set_target(form, extra);
      case op::take:
      case op::gather: return set_index(id, in, extra);
      default: return true;
    }
  }
  /// Other axes of as many elements.
  bool set_target(gj::shape const& from, gj::attributes& extra) {
    gj::shape& to = extra.target;
    if (random_.once_in(4)) {
      to = random_.once_in(2) ? gj::shape{-1} : gj::shape{1, from.count()};
      return from.count() > 0;
    }
    for (int d = 0; d < from.rank; ++d) {
      bool const joins = to.rank > 0 && random_.once_in(2);
      if (joins) to[to.rank - 1] *= from[d];
      else if (from[d] % 2 == 0 && from[d] > 2 && random_.once_in(2) && to.rank + 2 < gj::max_rank)
        to[to.rank++] = 2, to[to.rank++] = from[d] / 2;
      else if (to.rank < gj::max_rank) to[to.rank++] = from[d];
      else return false;
      if (to.rank < gj::max_rank - from.rank && random_.once_in(6)) to[to.rank++] = 1;
    }
    return true;
  }
  /// An exact index, most often made to fit.
  bool set_index(op id, std::vector<drawn_value>& in, gj::attributes const& extra) {
    drawn_value const x = in[0];
    index_t const extent = x.form[extra.axis];
    auto const fits = [&](drawn_value const& v) {
      if (!v.is_exact() || (v.type != dtype::i32 && v.type != dtype::i64)) return false;
      return id == op::take ? v.form.count() * x.form.count() <= most_elements : v.form.rank == x.form.rank;
    };
    drawn_value const* const found = find(fits);
    if (!found) return false;
    drawn_value index = *found;
    if (!random_.once_in(12)) {
      if (extent == 0 && index.form.count() > 0) return false;
      if (extent > 0) {
        int const node = gj::add_constant(*tracer_, dtype::i64, gj::scalar_bits::of(extent), true, {});
        int const place = append(op::remainder, {}, {index, {node, known_operand(extent), dtype::i64, {}, true}});
        if (place < 0) return false;
        index = values_[static_cast<std::size_t>(place)];
      }
    }
    in = {x, index};
    return true;
  }

  /// The number of the new value, or -1 where the op refuses the operands.
  int append(op id, gj::attributes const& extra, std::vector<drawn_value> const& in) {
    bool weak = !in.empty() && id != op::full;
    std::vector<gj::operand_type> types_of;
    std::vector<gj::shape> shapes;
    std::vector<int> nodes;
    std::vector<known_operand> inputs;
    for (drawn_value const& v : in) {
      weak = weak && v.weak;
      types_of.push_back({v.type, v.weak});
      shapes.push_back(v.form);
      nodes.push_back(v.node);
      inputs.push_back(v.oracle);
    }
    if (weak) return -1;
    gj::mistake wrong;
    gj::typed_op const typed = gj::dtypes_of(id, types_of, extra, wrong);
    gj::known_extents context{id, {}};
    gj::shape form = gj::shape_of_result(context, id, shapes, extra);
    if (wrong || context.wrong || form.rank > gj::max_rank || form.count() > most_elements) return -1;
    for (int d = form.rank; d < gj::max_rank; ++d) form[d] = 0;
    int const node = gj::detail::append_node(*tracer_, id, extra, {}, nodes);
    ++counts[static_cast<std::size_t>(id)];
    known result;
    try {
      result = run(id, extra, {}, inputs);
    } catch (gj::index_error const&) {
      throws_ = true;
      result.value = any_tensor::uninitialized(typed.result, form);
    }
    values_.push_back({node, result, typed.result, form});
    return static_cast<int>(values_.size()) - 1;
  }

  void add_outputs() {
    add_output(values_.size() - 1);
    for (index_t more = random_.below(4); more > 0; --more)
      add_output(static_cast<std::size_t>(random_.below(size(values_))));
  }
  void add_output(std::size_t k) {
    auto& b = to_[0];
    b.outputs[static_cast<unsigned>(b.size.outputs++)] = static_cast<std::int16_t>(values_[k].node);
    known result(values_[k].oracle.plain.tensor());
    result.error = values_[k].oracle.error;
    results_.push_back(result);
  }

  dice& random_;
  std::vector<std::int32_t> table_;
  std::vector<gj::graph_buffer<capacity>> to_;
  std::optional<gj::tracer> tracer_;
  std::vector<any_tensor> arguments_;
  std::vector<drawn_value> values_, weak_;
  std::vector<known> results_;
  bool throws_ = false;
};

}  // namespace paths

#endif
