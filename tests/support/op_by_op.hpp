// guardjit: tests/support/op_by_op.hpp: an erased backend that walks the graph in double, and tells what it did
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_SUPPORT_OP_BY_OP_HPP
#define GUARDJIT_TESTS_SUPPORT_OP_BY_OP_HPP

#include <guardjit/compile/backend_guards.hpp>
#include <guardjit/compile/erased_plan.hpp>

#include <atomic>
#include <cmath>
#include <cstring>
#include <deque>
#include <stdexcept>
#include <string>
#include <vector>

namespace support {

using guardjit::index_t;

/// What the backends of one log did, and what they are to do.
struct backend_log {
  std::atomic<int> built = 0, ran = 0, resets = 0, asked = 0;
  std::atomic<bool> last_is_fixed = false;
  bool fails_to_build = false, fails_to_run = false, needs_alignment = false;
};

/// A log of its own for one run of a test, which lives as long as backends are kept: until the program ends.
inline backend_log& new_log() {
  static std::deque<backend_log> all;
  return all.emplace_back();
}

/// A graph, node by node, each value a row-major array of doubles.
class graph_walk {
 public:
  graph_walk(guardjit::graph_view const& g, backend_log* log) : g_(g), log_(log) {}

  index_t workspace_bytes(guardjit::path_call const&) const { return 200; }

  void run(guardjit::path_call const& call, void* const* bases, std::byte* workspace) const {
    ++log_->ran;
    log_->last_is_fixed = call.is_fixed;
    if (log_->fails_to_run) throw std::runtime_error("no power");
    if (reinterpret_cast<std::uintptr_t>(workspace) % 64 != 0) throw std::logic_error("workspace");
    std::memset(workspace, 0xAB, 200);
    std::vector<value> all;
    for (int k = 0; k < g_.size(); ++k) all.push_back(value_of_node(k, call, bases, all));
    for (std::size_t k = 0; k < g_.outputs.size(); ++k) {
      void* const to = bases[static_cast<std::size_t>(g_.arguments) + k];
      if (!to) continue;
      value const& from = all[static_cast<std::size_t>(g_.outputs[k])];
      guardjit::visit_dtype(g_[g_.outputs[k]].type, [&]<class T>(std::type_identity<T>) {
        for (std::size_t e = 0; e < from.elements.size(); ++e)
          static_cast<T*>(to)[e] = static_cast<T>(from.elements[e]);
      });
    }
  }

 private:
  struct value {
    guardjit::shape extents;
    std::vector<double> elements;
  };

  static double load(void const* from, guardjit::dtype type, index_t at) {
    return guardjit::visit_dtype(type, [&]<class T>(std::type_identity<T>) {
      return static_cast<double>(static_cast<T const*>(from)[at]);
    });
  }
  /// Calls `visit(index)` for each element of a shape, in order.
  static void for_each(guardjit::shape const& s, auto const& visit) {
    std::array<index_t, guardjit::max_rank> at{};
    for (index_t n = s.count(); n > 0; --n) {
      visit(at);
      for (int d = s.rank - 1; d >= 0; --d) {
        auto const axis = static_cast<std::size_t>(d);
        if (++at[axis] < s[d]) break;
        at[axis] = 0;
      }
    }
  }
  /// The element of `x` that belongs to an index of `result`, to which it is broadcast.
  static double at(value const& x, std::array<index_t, guardjit::max_rank> const& index, int rank) {
    index_t place = 0;
    for (int d = 0; d < x.extents.rank; ++d) {
      index_t const own = x.extents[d];
      place = place * own + (own == 1 ? 0 : index[static_cast<std::size_t>(d + rank - x.extents.rank)]);
    }
    return x.elements[static_cast<std::size_t>(place)];
  }
  static double apply(guardjit::op id, double a, double b, double c) {
    using guardjit::op;
    switch (id) {
      case op::add: return a + b;
      case op::sub: return a - b;
      case op::mul: return a * b;
      case op::neg: return -a;
      case op::maximum: return a > b || (a == b && !std::signbit(a)) ? a : b;
      case op::relu: return a > 0 ? a : 0;
      case op::gt: return a > b ? 1 : 0;
      case op::where: return a != 0 ? b : c;
      case op::to:
      case op::full: return a;
      case op::zeros: return 0;
      default: throw std::runtime_error(std::string("op_by_op has no ") + guardjit::name_of(id));
    }
  }

  value value_of_node(int k, guardjit::path_call const& call, void* const* bases,
                      std::vector<value> const& all) const {
    using guardjit::op;
    guardjit::node const& n = g_[k];
    value made;
    made.extents = g_.shape_of(k);
    for (int d = 0; d < made.extents.rank; ++d)
      made.extents[d] = guardjit::value_of(made.extents[d], call.symbols);
    auto const operand = [&](int i) -> value const& {
      return all[static_cast<std::size_t>(g_.operand(k, i))];
    };
    auto const look = [&](guardjit::layout_view const& l, index_t offset, auto const& element) {
      for_each(l.shape(), [&](auto const& index) {
        index_t place = offset;
        for (int d = 0; d < l.rank; ++d) place += index[static_cast<std::size_t>(d)] * l.strides[d];
        made.elements.push_back(element(place));
      });
    };
    guardjit::attributes const extra = g_.attributes_of(k);
    if (n.id == op::constant) {
      made.elements = {guardjit::is_floating(n.type) ? __builtin_bit_cast(double, n.bits)
                                                     : static_cast<double>(static_cast<index_t>(n.bits))};
    } else if (auto const word = static_cast<index_t>(n.bits); n.id == op::input && guardjit::is_symbol(word)) {
      made.elements = {static_cast<double>(guardjit::value_of(word, call.symbols))};
    } else if (n.id == op::input) {
      look(call.arguments[word], 0, [&](index_t place) { return load(bases[word], n.type, place); });
    } else if (guardjit::is_view(n.id)) {
      value const& from = operand(0);
      guardjit::any_layout const below(from.extents);
      guardjit::view_layout view;
      if (n.id == op::reshape) view.layout = guardjit::any_layout(made.extents);
      else view = guardjit::detail::view_in_call(g_, k, below.view(), call.symbols);
      look(view.layout.view(), view.offset,
           [&](index_t place) { return from.elements[static_cast<std::size_t>(place)]; });
    } else if (n.id == op::take) {
      value const &from = operand(0), &which = operand(1);
      for_each(made.extents, [&](auto const& index) {
        auto const wanted = static_cast<index_t>(which.elements[static_cast<std::size_t>(index[0])]);
        if (wanted < 0 || wanted >= from.extents[0]) guardjit::raise<guardjit::index_error>("take");
        auto source = index;
        source[0] = wanted;
        made.elements.push_back(at(from, source, from.extents.rank));
      });
    } else if (n.id == op::sum) {
      value const& from = operand(0);
      made.elements.assign(static_cast<std::size_t>(made.extents.count()), 0);
      for_each(from.extents, [&](auto const& index) {
        index_t place = 0;
        for (int d = 0; d < from.extents.rank; ++d)
          if ((extra.axes >> d & 1) == 0) place = place * from.extents[d] + index[static_cast<std::size_t>(d)];
        made.elements[static_cast<std::size_t>(place)] += at(from, index, from.extents.rank);
      });
    } else {
      int const rank = made.extents.rank, operands = g_.operands(k);
      for_each(made.extents, [&](auto const& index) {
        made.elements.push_back(apply(n.id, operands > 0 ? at(operand(0), index, rank) : 0,
                                      operands > 1 ? at(operand(1), index, rank) : 0,
                                      operands > 2 ? at(operand(2), index, rank) : 0));
      });
    }
    if (n.type == guardjit::dtype::f32)
      for (double& x : made.elements) x = static_cast<float>(x);
    return made;
  }

  guardjit::graph_view g_;
  backend_log* log_;
};

/// Backends with equal numbers and logs are the same.
struct op_by_op {
  backend_log* log;
  int number = 0;

  static char const* name() { return "op_by_op"; }
  graph_walk build(guardjit::graph_view const& g, guardjit::path_call const&) const {
    ++log->built;
    if (log->fails_to_build) throw std::runtime_error("no memory in the mill");
    return {g, log};
  }
  void guards(guardjit::backend_guards& to) const {
    ++log->asked;
    for (int k = 0; log->needs_alignment && k < to.arguments(); ++k)
      if (to.is_read(k)) to.require_aligned(k, 64);
  }
  void reset() const { ++log->resets; }
  bool operator==(op_by_op const&) const = default;
};

}  // namespace support

#endif
