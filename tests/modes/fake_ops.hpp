// guardjit: tests/modes/fake_ops.hpp: ops with kernels of one line, and modes that note what they see
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_MODES_FAKE_OPS_HPP
#define GUARDJIT_TESTS_MODES_FAKE_OPS_HPP

#include <guardjit/modes/dispatch.hpp>
#include <guardjit/modes/mode_scope.hpp>
#include <guardjit/modes/mode_stack.hpp>

#include <string>
#include <vector>

namespace fake {

namespace gj = guardjit;

/// Calls of kernels since it was set to 0, in this thread.
inline thread_local int kernels = 0;

inline double value_of(gj::operand const& x) {
  return x.is_scalar() ? x.scalar<double>() : x.tensor().item<double>();
}

inline gj::any_tensor number(double value) {
  gj::any_tensor x(gj::dtype::f64, gj::shape{});
  *x.data_as<double>() = value;
  return x;
}

/// One f64 element computed from those of the operands.
template <gj::op Id> gj::any_tensor kernel(gj::op_call const& call) {
  ++kernels;
  double const a = call.size() > 0 ? value_of(call.arg(0)) : 0;
  double const b = call.size() > 1 ? value_of(call.arg(1)) : 0;
  switch (Id) {
    case gj::op::add: return number(a + b);
    case gj::op::sub: return number(a - b);
    case gj::op::mul: return number(a * b);
    case gj::op::neg: return number(-a);
    default: return number(0);
  }
}

template <gj::op Id> gj::any_tensor call_with(gj::op_promise const* promise, gj::source_line where,
                                              auto const&... operands) {
  gj::operand const list[] = {gj::operand(operands)..., gj::operand(0)};
  gj::op_call call({.id = Id,
                    .operands = {list, sizeof...(operands)},
                    .kernel = &kernel<Id>,
                    .where = where,
                    .promise = promise});
  return gj::dispatch(call);
}

using location = std::source_location;

inline gj::any_tensor add(gj::operand const& a, gj::operand const& b,
                          location where = location::current()) {
  return call_with<gj::op::add>(nullptr, where, a, b);
}
inline gj::any_tensor sub(gj::operand const& a, gj::operand const& b,
                          location where = location::current()) {
  return call_with<gj::op::sub>(nullptr, where, a, b);
}
inline gj::any_tensor mul(gj::operand const& a, gj::operand const& b,
                          location where = location::current()) {
  return call_with<gj::op::mul>(nullptr, where, a, b);
}
inline gj::any_tensor zeros(location where = location::current()) {
  return call_with<gj::op::zeros>(nullptr, where);
}

/// Appends its tag (or the op's name) to a shared list, then goes on.
struct log_mode : gj::function_mode {
  std::vector<std::string>* seen;
  std::string tag;
  explicit log_mode(std::vector<std::string>& list, std::string name = "")
      : seen(&list), tag(std::move(name)) {}
  virtual ~log_mode() = default;
  gj::op_result handle(gj::op_call& call) override {
    seen->push_back(tag.empty() ? gj::name_of(call.op()) : tag);
    return call();
  }
};

/// Calls a function with each op; the function answers for it.
template <class Function> struct handler_mode : gj::function_mode {
  Function function;
  explicit handler_mode(Function f) : function(f) {}
  gj::op_result handle(gj::op_call& call) override { return function(call); }
};

/// The same for an observer.
template <class Function> struct watching_mode : gj::observer_mode {
  Function function;
  explicit watching_mode(Function f) : function(f) {}
  void observe(gj::op_record const& record) override { function(record); }
};

/// Events as `reason: name`, with their texts.
struct event_list {
  std::vector<std::string> seen, texts;
  void operator()(gj::event const& e) {
    seen.push_back(std::string(e.reason) + ": " + e.name);
    texts.push_back(e.text);
  }
};

using words = std::vector<std::string>;

}  // namespace fake

#endif
