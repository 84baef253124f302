// guardjit: compile/shared_function.hpp: what copies of a compiled function share
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_SHARED_FUNCTION_HPP
#define GUARDJIT_COMPILE_SHARED_FUNCTION_HPP

#include <guardjit/compile/caches.hpp>
#include <guardjit/compile/kept_options.hpp>

#include <tuple>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// What copies of a compiled function share, and what it is under other backends.
template <class Kept, class... Bound> struct shared_function {
  function_caches caches;
  std::tuple<Bound...> bound;
  std::atomic<int> owners{1};
  Kept kept;

  shared_function(std::tuple<Bound...> values, Kept options)
      : bound(std::move(values)), kept(std::move(options)) {
    kept.join(caches.fn);
  }
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
