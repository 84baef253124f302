// guardjit: tests/conformance/modes/twins_apart.cpp: a mode named twin in an unnamed namespace of its own
// SPDX-License-Identifier: BSL-1.0
#include "conformance/modes/twins.hpp"

#include <guardjit/guardjit.hpp>

namespace {
struct twin : guardjit::pure_mode<twin> {
  template <class Call> static constexpr auto handle(Call& call) { return call(); }
};
}  // namespace

void under_other_twin(void (*use)(void*), void* context) {
  twin mode;
  guardjit::mode_scope const scope(mode);
  use(context);
}
void const* tag_of_other_twin() { return guardjit::mode_tag<twin>; }
char const* name_of_other_twin() { return guardjit::type_name<twin>(); }
