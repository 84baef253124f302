// guardjit: tests/compile_fail/modes/missing_inlined_handler.cpp: pure and keyed modes without their members
// SPDX-License-Identifier: BSL-1.0
// Rules: M19
// expect-error: pure_mode<M>: M must have the member template template <class Call> static constexpr auto handle
// expect-error: keyed_mode<M>: M must have auto key\(\) const noexcept
// expect-error: keyed_mode<M>: M must have the member template template <class Call> static constexpr auto handle
// expect-error: lacks_handle
// expect-error: lacks_key
// expect-error: keyed_lacks_handle
// errors: 3
#include <guardjit/modes/mode_scope.hpp>
#include <guardjit/modes/pure_mode.hpp>

#include <tuple>

namespace gj = guardjit;

struct lacks_handle : gj::pure_mode<lacks_handle> {
#ifdef GUARDJIT_ACCEPT
  template <class Call> static constexpr auto handle(Call& call) { return call(); }
#endif
};
struct lacks_key : gj::keyed_mode<lacks_key> {
#ifdef GUARDJIT_ACCEPT
  auto key() const noexcept { return std::tuple{1}; }
#endif
  template <class Call> static constexpr auto handle(Call& call) { return call(); }
};
struct keyed_lacks_handle : gj::keyed_mode<keyed_lacks_handle> {
  auto key() const noexcept { return std::tuple{1}; }
#ifdef GUARDJIT_ACCEPT
  template <class Call> static constexpr auto handle(Call& call) { return call(); }
#endif
};

void use() {
  lacks_handle a;
  lacks_key b;
  keyed_lacks_handle c;
  gj::mode_scope scope_a{a};
  gj::mode_scope scope_b{b};
  gj::mode_scope scope_c{c};
}
