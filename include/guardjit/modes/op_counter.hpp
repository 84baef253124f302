// guardjit: modes/op_counter.hpp: an observer that counts ops by id
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_MODES_OP_COUNTER_HPP
#define GUARDJIT_MODES_OP_COUNTER_HPP

#include <guardjit/modes/observer_mode.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// Counts the ops that it is told of. Eager code and a compiled function that does the same
/// leave equal counters.
/// Rules: M97, M120. Example: examples/01_quickstart.cpp
class GUARDJIT_VISIBLE op_counter : public observer_mode {
 public:
  void observe(op_record const& record) override { ++counts_[static_cast<unsigned>(record.id)]; }

  std::int64_t count(op id) const noexcept { return counts_[static_cast<unsigned>(id)]; }
  std::int64_t total() const noexcept {
    std::int64_t total = 0;
    for (auto const n : counts_) total += n;
    return total;
  }
  void reset() noexcept { counts_ = {}; }
  /// Whether all counts are equal.
  bool operator==(op_counter const& other) const noexcept { return counts_ == other.counts_; }

 private:
  std::array<std::int64_t, op_count> counts_{};
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
