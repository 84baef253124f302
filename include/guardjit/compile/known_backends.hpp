// guardjit: compile/known_backends.hpp: the erased backends of a program: forced, used, or registered by name
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_KNOWN_BACKENDS_HPP
#define GUARDJIT_COMPILE_KNOWN_BACKENDS_HPP

#include <guardjit/compile/erased_backend.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// An erased backend in the list of all. Equal ones are one item, and items stay, so that calls and entries
/// compare addresses. Flags by __atomic.
struct GUARDJIT_VISIBLE known_backend {
  erased_backend what;
  known_backend* next = nullptr;
  mutable bool is_used = false;  ///< built a runner
  bool is_named = false;         ///< by `register_backend`

  void note_use() const noexcept { __atomic_store_n(&is_used, true, __ATOMIC_RELEASE); }
};
GUARDJIT_VISIBLE constinit inline known_backend* known_backends = nullptr;  // by __atomic; grows at the front

inline known_backend* first_known_backend() noexcept {
  return __atomic_load_n(&known_backends, __ATOMIC_ACQUIRE);
}
/// The item that is `b`, before `end`; or null.
inline known_backend* known_among(known_backend* first, known_backend const* end, erased_backend const& b) {
  while (first != end && !(first->what == b)) first = first->next;
  return first == end ? nullptr : first;
}
/// The item of a backend, added where there is none. Complexity: linear in the backends of the program; no
/// lock, and no allocation but of a new item.
inline known_backend& known(erased_backend const& b) {
  known_backend* before = first_known_backend();
  if (known_backend* const found = known_among(before, nullptr, b)) return *found;
  auto* const fresh = new known_backend{b};
  fresh->next = before;
  while (!__atomic_compare_exchange_n(&known_backends, &fresh->next, fresh, false, __ATOMIC_ACQ_REL,
                                      __ATOMIC_ACQUIRE)) {
    if (known_backend* const found = known_among(fresh->next, before, b)) {
      delete fresh;
      return *found;
    }
    before = fresh->next;
  }
  return *fresh;
}

/// Calls `reset()` of each backend that was used.
inline void reset_known_backends() {
  for (known_backend* at = first_known_backend(); at; at = at->next)
    if (__atomic_load_n(&at->is_used, __ATOMIC_ACQUIRE)) at->what.base()->reset();
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
