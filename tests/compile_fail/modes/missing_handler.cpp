// guardjit: tests/compile_fail/modes/missing_handler.cpp: a mode without its handler, by class and member
// SPDX-License-Identifier: BSL-1.0
// Rules: M19
// expect-error: abstract.*lacks_handle|lacks_handle.*abstract
// expect-error: (pure|handle).*handle\(?.*
// expect-error: abstract.*lacks_observe|lacks_observe.*abstract
// expect-error: (pure|observe).*observe\(?.*
// errors: 2
#include <guardjit/modes/mode_scope.hpp>
#include <guardjit/modes/observer_mode.hpp>

namespace gj = guardjit;

struct lacks_handle : gj::function_mode {
#ifdef GUARDJIT_ACCEPT
  gj::op_result handle(gj::op_call& call) override { return call(); }
#endif
};
struct lacks_observe : gj::observer_mode {
#ifdef GUARDJIT_ACCEPT
  void observe(gj::op_record const&) override {}
#endif
};

void use() {
  lacks_handle a;
  lacks_observe b;
  gj::mode_scope scope_a{static_cast<gj::function_mode&>(a)};
  gj::mode_scope scope_b{static_cast<gj::function_mode&>(b)};
}
