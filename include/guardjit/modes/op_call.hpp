// guardjit: modes/op_call.hpp: one op on its way through the visible modes to its kernel
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_MODES_OP_CALL_HPP
#define GUARDJIT_MODES_OP_CALL_HPP

#include <guardjit/modes/default_device.hpp>
#include <guardjit/modes/infer.hpp>
#include <guardjit/modes/mode_slot.hpp>
#include <guardjit/ops/lane.hpp>
#include <guardjit/reference/element.hpp>

namespace guardjit::inline GUARDJIT_ABI {

class op_call;

/// Computes one op without asking modes. It takes all operands that the op allows, since a
/// handler may go on with others than those of the caller.
using op_kernel = any_tensor (*)(op_call const&);

/// The static type of a result; an extent may be `dyn`.
struct op_promise {
  dtype type = dtype::f32;
  guardjit::shape shape{};
};

/// The parts of a call.
/// Lifetime: what it refers to outlives the call.
struct op_request {
  guardjit::op id{};
  std::span<operand const> operands{};
  attributes const* attribute = nullptr;  ///< null: the defaults
  op_kernel kernel = nullptr;
  source_line where{};
  guardjit::device const* device = nullptr;  ///< the requested one, if any
  bool in_place = false;                     ///< the compound form: `a += b`
  op_promise const* promise = nullptr;       ///< null: any dtype and shape (`any_tensor`)
  void const* keys = nullptr;                ///< the key of the mode that is asked, if fixed
};

namespace detail {

inline constexpr attributes no_attributes{};

any_tensor walk(op_call& call);
/// The kernel of `to` for a call. A template, since few programs need it.
template <class Operand> any_tensor converted(op_call const& call);

}  // namespace detail

inline any_tensor dispatch(op_call& call);

/// One op as a handler sees it.
/// Rules: M11, M14, M16, M22, M92.
class op_call {
 public:
  using value = operand;
  using result = op_result;
  /// Whether the handler runs in a trace.
  static constexpr bool tracing = false;

  explicit op_call(op_request const& parts) noexcept : parts_(parts) {
    if (!parts_.attribute) parts_.attribute = &detail::no_attributes;
  }

  guardjit::op op() const noexcept { return parts_.id; }
  /// Number of operands.
  int size() const noexcept { return static_cast<int>(parts_.operands.size()); }
  operand const& arg(int k) const noexcept {
    GUARDJIT_ASSERT(k >= 0 && k < size());
    return parts_.operands[static_cast<std::size_t>(k)];
  }
  std::span<operand const> operands() const noexcept { return parts_.operands; }
  attributes const& attribute() const noexcept { return *parts_.attribute; }
  /// The requested device; null where none was, whatever the default device is (M41).
  guardjit::device const* device() const noexcept { return parts_.device; }
  /// For kernels of factories: the requested device, else the thread's default. Rules: M40.
  guardjit::device device_of_result() const noexcept {
    return detail::factory_device(parts_.device, parts_.promise != nullptr);
  }
  bool in_place() const noexcept { return parts_.in_place; }
  source_line where() const noexcept { return parts_.where; }
  op_promise const* promise() const noexcept { return parts_.promise; }
  op_kernel kernel() const noexcept { return parts_.kernel; }
  void const* keys() const noexcept { return parts_.keys; }
  /// The dtype that the op gives for these operands.
  dtype result_type() const {
    return infer_op(parts_.id, parts_.operands, *parts_.attribute, parts_.where).types.result;
  }

  /// Goes on: to the next visible mode, then to the kernel.
  op_result operator()();
  /// Goes on with other operands.
  /// Throws: as the op does for wrong operands, before any mode is asked; `mode_error` where
  /// their number is wrong.
  template <std::convertible_to<operand>... Operands>
    requires(sizeof...(Operands) > 0 && sizeof...(Operands) <= max_operands)
  op_result operator()(Operands&&... operands) {
    operand const others[] = {operand(std::forward<Operands>(operands))...};
    // What the caller's types promise holds for the caller's operands only.
    op_request parts = parts_;
    check_count(static_cast<int>(sizeof...(Operands)));
    parts.operands = others;
    parts.promise = nullptr;
    infer_op(parts.id, parts.operands, *parts.attribute, parts.where);
    return op_call(parts)();
  }

  /// Zeros of the result's dtype and shape: an op of its own, which lower modes see.
  op_result zeros() const;

  /// A value in another dtype: an op of its own, which lower modes see.
  template <std::convertible_to<operand> Value> operand cast(Value&& x, dtype type) const {
    operand const in[] = {operand(std::forward<Value>(x))};
    attributes extra;
    extra.type = type;
    op_call call({.id = guardjit::op::to,
                  .operands = in,
                  .attribute = &extra,
                  .kernel = &detail::converted<operand>,
                  .where = parts_.where});
    return dispatch(call);
  }

  /// Refuses the op where two of its tensors have other shapes.
  /// Throws: `mode_error`, as `refuse`.
  void require_equal_shapes(char const* text) const {
    operand const* first = nullptr;
    for (operand const& x : parts_.operands) {
      if (x.is_scalar()) continue;
      if (!first) first = &x;
      if (!(first->shape() == x.shape())) refuse(text);
    }
  }

  /// Refuses the op; lower modes are not tried.
  /// Throws: `mode_error` with op, mode and `text`.
  [[noreturn]] op_result refuse(char const* text) const {
    raise<mode_error>(fixed_text{} << "guardjit: " << name_of(op()) << ": refused by mode "
                                   << handler_ << ": " << text << "; " << where());
  }

 private:
  friend any_tensor detail::walk(op_call&);

  void check_count(int given) const {
    if (given != size())
      raise<mode_error>(fixed_text{} << "guardjit: " << name_of(op()) << ": mode " << handler_
                                     << " goes on with " << given << " operands, expected "
                                     << size() << "; " << where());
  }

  op_request parts_;
  char const* handler_ = "";  // the mode that is asked now
};

namespace detail {

/// The most handlers that run inside each other.
inline constexpr int max_nesting = 128;

/// A handler of `slot`, or an observer, while it runs: its slot and those above are hidden.
struct handler_frame : mode_frame {
  /// Throws: `mode_error` at the bound of M13.
  explicit handler_frame(mode_slot const& slot) : mode_frame(next_below(slot), slot.name) {
    ++this_thread.nesting;
  }
  ~handler_frame() { --this_thread.nesting; }

 private:
  static mode_slot* next_below(mode_slot const& slot) {
    if (this_thread.nesting >= max_nesting)
      raise<mode_error>(fixed_text{} << "guardjit: mode " << slot.name << ": more than "
                                     << max_nesting << " nested dispatches");
    return slot.below;
  }
};

/// M15: what a handler returned is what the caller's types say.
inline void check_result(op_call const& call, char const* mode, any_tensor const& result) {
  auto const wrong = [&]() -> fixed_text {
    return fixed_text{} << "guardjit: " << name_of(call.op()) << ": mode " << mode << " returned ";
  };
  if (!result) raise<mode_error>(wrong() << "no tensor; " << call.where());
  op_promise const* const promise = call.promise();
  if (!promise) return;
  bool fits = result.type() == promise->type && result.rank() == promise->shape.rank;
  for (int d = 0; fits && d < result.rank(); ++d)
    fits = promise->shape[d] == dyn || promise->shape[d] == result.extent(d);
  if (!fits)
    raise<mode_error>(wrong() << name_of(result.type()) << ' ' << result.shape() << ", expected "
                              << name_of(promise->type) << ' ' << promise->shape << "; "
                              << call.where());
}

/// The walk of a call through the visible modes that want it.
[[gnu::noinline]] inline any_tensor walk(op_call& call) {
  mode_slot* slot = info_of(call.op()).overridable ? this_thread.visible : nullptr;
  while (slot && !slot->wants(call.op())) slot = slot->below;
  if (!slot) return call.kernel()(call);

  char const* const name = slot->name;  // the slot may be gone when the handler returns
  struct asked_mode {
    op_call& call;
    char const* name;
    void const* keys;
    ~asked_mode() { call.handler_ = name, call.parts_.keys = keys; }
  } const restored{call, call.handler_, call.parts_.keys};
  op_result result = [&] {
    handler_frame frame(*slot);
    call.handler_ = name;
    call.parts_.keys = slot->keys;
    return slot->mode->handle(call);
  }();
  check_result(call, name, result);
  return result;
}

}  // namespace detail

/// Runs one op: through the visible modes, top first, then its kernel. The operands were checked
/// by the caller (M20).
/// Complexity: without modes one predictable branch; dispatch itself allocates nothing.
/// Throws: what handlers and the kernel throw; `mode_error` for a result that breaks the promise.
/// Rules: M10 to M16, M21, M26.
inline any_tensor dispatch(op_call& call) {
  if (!dispatch_active()) [[likely]]
    return call.kernel()(call);
  return detail::walk(call);
}

namespace detail {

template <class Operand> any_tensor converted(op_call const& call) {
  Operand const& given = call.arg(0);
  any_tensor const x = given.is_scalar() ? tensor_of_scalar(given) : given.tensor();
  any_tensor const packed = x.is_contiguous() ? x : x.clone();
  any_tensor result = any_tensor::uninitialized(call.attribute().type, x.shape(), x.where());
  visit_dtype(result.type(), [&]<class To>(std::type_identity<To>) {
    visit_dtype(x.type(), [&]<class From>(std::type_identity<From>) {
      for (index_t k = 0; k < result.size(); ++k)
        store_element(result.data(), k, convert<To>(load_element<From>(packed.data(), k)));
    });
  });
  return result;
}

}  // namespace detail

inline op_result op_call::operator()() { return dispatch(*this); }

inline op_result op_call::zeros() const {
  auto const inferred = infer_op(parts_.id, parts_.operands, *parts_.attribute, parts_.where);
  attributes extra;
  extra.type = inferred.types.result;
  extra.target = inferred.extents;
  guardjit::device on;
  guardjit::device const* requested = parts_.device;
  for (operand const& x : parts_.operands)
    if (!requested && !x.is_scalar()) {
      on = x.tensor().where();
      requested = &on;
    }
  op_call call({.id = guardjit::op::zeros,
                .attribute = &extra,
                .kernel =
                    [](op_call const& c) {
                      return any_tensor(c.attribute().type, c.attribute().target, c.device_of_result());
                    },
                .where = parts_.where,
                .device = requested,
                .promise = requested ? nullptr : parts_.promise});
  return dispatch(call);
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
