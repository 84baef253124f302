// guardjit: tests/support/bare_cache.hpp: the entries of one signature, without the function around them
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_SUPPORT_BARE_CACHE_HPP
#define GUARDJIT_TESTS_SUPPORT_BARE_CACHE_HPP

#include <guardjit/compile/arguments.hpp>
#include <guardjit/compile/cache.hpp>
#include <guardjit/compile/specialization.hpp>
#include <guardjit/kernels/reference.hpp>

#include <cstddef>
#include <functional>

#include "support/tensors.hpp"

namespace support {

struct doubled {
  constexpr auto operator()(auto x) const { return x * 2; }
};

/// Entries of x * 2 for f32 of rank 1, whose making may be disturbed.
class bare_cache {
 public:
  using spec =
      guardjit::specialization<doubled, guardjit::call_signature<guardjit::argument_type{guardjit::dtype::f32, false, {dyn}}>,
                               guardjit::backends::reference>;
  static_assert(spec::data.paths.size() == 1);

  bare_cache() {
    path_.bind = [](guardjit::layout_view const* arguments, void* room, guardjit::bound_call& to) {
      if (before_bind) before_bind(arguments[0].extents[0]);
      spec::data.paths[0].bind(arguments, room, to);
    };
    data.paths = {&path_, 1};
    before_bind = nullptr;
  }
  ~bare_cache() { before_bind = nullptr; }

  /// The entry for a vector of `n` elements, found or made.
  guardjit::entry const* entry_for(index_t n) {
    auto const x = vec(n);
    guardjit::detail::call_frame<1> frame(x);
    alignas(64) std::byte plan[spec::data.plan_bytes];
    index_t symbols[spec::data.symbols];
    if (guardjit::entry const* const e = find(frame.view(), symbols)) return e;
    return entries.miss(fn, frame.view(), 0, {plan, symbols});
  }
  /// Makes or finds the entry, a static one, and runs it: whether the values are right.
  bool is_right(index_t n) {
    guardjit::detail::call_epoch const epoch;
    guardjit::entry const& e = *entry_for(n);
    if (e.is_dynamic) return false;
    auto const x = vec(n);
    auto y = vec(n);
    void* const bases[] = {const_cast<float*>(x.data()), y.data(), nullptr, const_cast<index_t*>(e.ready.extents)};
    e.ready.run(e.ready.plan, bases);
    return same_bits(y, counted(y.clone(), 2, 2));
  }
  guardjit::entry const* find(guardjit::frame_view const& f, index_t* symbols) const {
    auto const* const table = entries.table();
    return table ? table->find(data, f, 0, symbols) : nullptr;
  }

  /// Called with the extent when a plan is made; may throw, as a backend may.
  static inline std::function<void(index_t)> before_bind;

  guardjit::function_spec data = spec::data;
  guardjit::detail::function_state fn{};
  guardjit::cache entries{data};

 private:
  guardjit::path_spec path_ = spec::data.paths[0];
};

}  // namespace support

#endif
