// guardjit: transforms/trace_call.hpp: one op of a trace as the handler of a mode sees it
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TRANSFORMS_TRACE_CALL_HPP
#define GUARDJIT_TRANSFORMS_TRACE_CALL_HPP

#include <guardjit/base/type_name.hpp>
#include <guardjit/graph/append.hpp>
#include <guardjit/modes/pure_mode.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// One op in a trace: what `op_call` is in eager code, with symbols for tensors.
/// Lifetime: while the handler runs.
/// Rules: M11, M14, M16, M92.
class trace_call {
 public:
  using value = sym;
  using result = sym;
  /// Whether the handler runs in a trace.
  static constexpr bool tracing = true;

  constexpr trace_call(tracer& t, guardjit::op id, attributes const& extra, source_line where,
                       std::span<int const> in, node const& promised, trace_mode const& mode)
      : t_(&t), id_(id), extra_(&extra), where_(where), in_(in), promised_(&promised), mode_(&mode) {}

  constexpr guardjit::op op() const { return id_; }
  /// Number of operands.
  constexpr int size() const { return static_cast<int>(in_.size()); }
  constexpr sym arg(int k) const { return {t_, in_.data()[k]}; }
  constexpr attributes const& attribute() const { return *extra_; }
  /// No factory in a trace names a device.
  constexpr guardjit::device const* device() const { return nullptr; }
  /// A trace has no compound forms.
  constexpr bool in_place() const { return false; }
  constexpr source_line where() const { return where_; }
  /// The dtype that the op gives for these operands.
  constexpr dtype result_type() const { return promised_->type; }

  /// Goes on: to the next mode, then to the graph.
  constexpr sym operator()() const { return {t_, detail::append_node(*t_, id_, *extra_, where_, in_)}; }
  /// Goes on with other operands.
  template <std::convertible_to<sym_operand>... Operands>
    requires(sizeof...(Operands) > 0)
  constexpr sym operator()(Operands const&... operands) const {
    if (static_cast<int>(sizeof...(Operands)) != size()) {
      t_->begin(id_, where_);
      t_->fail_by(mode_->name, "", mistake_kind::operands_of_handler,
                  static_cast<index_t>(sizeof...(Operands)), size());
      return (*this)();
    }
    int const in[] = {sym_operand(operands, where_).node_in(*t_)...};
    return {t_, detail::append_node(*t_, id_, *extra_, where_, in)};
  }

  /// Zeros of the result's dtype and shape: an op of its own, which lower modes see.
  constexpr sym zeros() const {
    attributes extra;
    extra.type = promised_->type;
    extra.target = t_->shape_of_form(promised_->form);
    extra.beside = promised_->source;
    return {t_, detail::append_node(*t_, guardjit::op::zeros, extra, where_, {})};
  }
  /// A value in another dtype.
  constexpr sym cast(sym const& x, dtype type) const {
    attributes extra;
    extra.type = type;
    int const in[] = {x.id()};
    return {t_, detail::append_node(*t_, guardjit::op::to, extra, where_, in)};
  }

  /// Refuses the op where two of its tensors have shapes that are known to differ. What depends on the
  /// arguments becomes a rule of the function: a call that breaks it throws `mode_error`.
  constexpr void require_equal_shapes(char const* text) const {
    int first = -1;
    t_->begin(id_, where_);
    for (int const k : in_) {
      if ((*t_)[k].weak) continue;
      if (first < 0) first = k;
      shape const a = t_->shape_of(first), b = t_->shape_of(k);
      bool is_other = a.rank != b.rank;
      for (int d = 0; !is_other && d < a.rank; ++d)
        is_other = !is_symbol(a[d]) && !is_symbol(b[d]) && a[d] != b[d];
      if (is_other) return t_->fail_by(mode_->name, text, mistake_kind::refused_by_mode);
      for (int d = 0; d < a.rank; ++d)
        t_->require_equal(a[d], b[d], mistake_kind::shapes_differ, d, mode_->name);
    }
  }

  /// Refuses the op: a C++ compile error with op, mode, text and line.
  constexpr sym refuse(char const* text) const {
    t_->begin(id_, where_);
    t_->fail_by(mode_->name, text, mistake_kind::refused_by_mode);
    return (*this)();
  }

  constexpr trace_mode const& mode() const { return *mode_; }
  constexpr tracer* trace() const { return t_; }

 private:
  tracer* t_;
  guardjit::op id_;
  attributes const* extra_;
  source_line where_;
  std::span<int const> in_;
  node const* promised_;
  trace_mode const* mode_;
};

/// An element of a key that is an enum, in a trace: it compares with its values.
template <class Enum> class enum_sym {
 public:
  constexpr explicit enum_sym(sym number) : number_(number) {}
  friend constexpr auto operator==(enum_sym const& a, Enum b) {
    return a.number_ == static_cast<std::int64_t>(b);
  }
  friend constexpr auto operator!=(enum_sym const& a, Enum b) {
    return a.number_ != static_cast<std::int64_t>(b);
  }

 private:
  sym number_;
};

/// A call in a trace as the handler of a keyed mode sees it.
template <class Keys> class keyed_trace_call : public trace_call {
 public:
  constexpr explicit keyed_trace_call(trace_call const& call) : trace_call(call) {}
  /// Element `I` of the mode's key: a scalar symbol.
  template <int I> constexpr auto key() const {
    sym const number(trace(), mode().keys[I]);
    using element = std::tuple_element_t<I, Keys>;
    if constexpr (std::is_enum_v<element>) return enum_sym<element>(number);
    else return number;
  }
};

namespace detail {

template <class Mode> constexpr sym handle_in_trace(trace_call& call) {
  if constexpr (Mode::class_of_mode == mode_class::keyed) {
    using keys = decltype(std::declval<Mode const&>().key());
    static_assert(std::tuple_size_v<keys> <= max_keys,
                  "guardjit: keyed_mode<M>: key() has too many elements");
    using keyed = keyed_trace_call<keys>;
    static_assert(handles_calls<Mode, keyed>,
                  "guardjit: keyed_mode<M>: M must have the member template "
                  "template <class Call> static constexpr auto handle(Call& call)");
    keyed with_key(call);
    if constexpr (handles_calls<Mode, keyed>) return Mode::template handle<keyed>(with_key);
    else return call();
  } else {
    static_assert(handles_calls<Mode, trace_call>,
                  "guardjit: pure_mode<M>: M must have the member template "
                  "template <class Call> static constexpr auto handle(Call& call)");
    if constexpr (handles_calls<Mode, trace_call>) return Mode::template handle<trace_call>(call);
    else return call();
  }
}
template <class Mode> constexpr bool is_interested(op id) {
  if constexpr (requires { Mode::interests; }) return Mode::interests.contains(id);
  else return true;
}

/// A mode as a trace sees it, without its key and what it does at run time.
template <inlinable_mode Mode> constexpr trace_mode trace_mode_of() {
  return {&handle_in_trace<Mode>, &is_interested<Mode>, nullptr, type_name<Mode>(), {}};
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
