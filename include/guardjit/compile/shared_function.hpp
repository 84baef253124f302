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

/// One owner of it.
template <class Shared> class function_owner {
 public:
  /// Of a new one.
  explicit function_owner(Shared* fresh) noexcept : shared_(fresh) {}
  function_owner(function_owner const& other) noexcept : shared_(other.shared_) {
    shared_->owners.fetch_add(1, std::memory_order_relaxed);
  }
  function_owner& operator=(function_owner other) noexcept {
    std::swap(shared_, other.shared_);
    return *this;
  }
  ~function_owner() {
    if (shared_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete shared_;
  }
  Shared* operator->() const noexcept { return shared_; }

 private:
  Shared* shared_;
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
