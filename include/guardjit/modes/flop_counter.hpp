// guardjit: modes/flop_counter.hpp: an observer that counts floating operations
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_MODES_FLOP_COUNTER_HPP
#define GUARDJIT_MODES_FLOP_COUNTER_HPP

#include <guardjit/modes/flops.hpp>
#include <guardjit/modes/logged_op.hpp>
#include <guardjit/modes/op_text.hpp>

#include <span>

namespace guardjit::inline GUARDJIT_ABI {

/// The calls of one op with one set of dtypes and shapes.
struct flop_row {
  logged_op what;  ///< the first of them
  std::int64_t calls = 0;
  std::int64_t flops = 0;  ///< of all calls
};

/// Counts floating operations by op, dtypes and shapes, in eager code and in compiled calls, whose fused
/// kernels still run: what the function as written needs. `flops_of` says what counts.
///
///     gj::flop_counter flops;
///     { gj::mode_scope watch{flops}; f(x, w, b); }
///     std::puts(flops.to_string().c_str());
///
/// prints
///
///       flops  calls  op
///     1003520      1  matmul(f32[64, 784], f32[784, 10]) -> f32[64, 10]
///         640      1  add(f32[64, 10], f32[10]) -> f32[64, 10]
///     1004160      2  total
///
/// Throws: `std::bad_alloc` for a first call of its kind; the op then does not run.
/// Complexity: linear in the rows; allocates for new rows only. Rules: M25, M97, M120.
class GUARDJIT_VISIBLE flop_counter : public observer_mode {
 public:
  void observe(op_record const& record) override {
    flop_row& row = row_of(record);
    std::int64_t const flops = flops_of(record);
    ++row.calls;
    row.flops += flops;
    total_ += flops;
  }

  /// Of all ops since the start or `reset`.
  std::int64_t total() const noexcept { return total_; }
  /// Of one op, all shapes.
  std::int64_t flops(op id) const noexcept {
    std::int64_t sum_of_op = 0;
    for (flop_row const& row : rows_)
      if (row.what.id == id) sum_of_op += row.flops;
    return sum_of_op;
  }
  /// In the order of first calls. Lifetime: until the next op or `reset`.
  std::span<flop_row const> rows() const noexcept { return rows_; }
  void reset() noexcept {
    rows_.clear();
    total_ = 0;
  }

  /// A table with a line a row, and the total.
  /// Throws: `std::bad_alloc`.
  std::string to_string() const {
    std::int64_t calls = 0;
    for (flop_row const& row : rows_) calls += row.calls;
    constexpr std::size_t least = 5;  // of both titles
    std::size_t const wide = std::to_string(total_).size(), narrow = std::to_string(calls).size();
    detail::growing_text text;
    auto const cell = [&text](std::string const& number, std::size_t width) {
      width = width > least ? width : least;
      text << std::string(width - number.size(), ' ') << number << "  ";
    };
    auto const line = [&](std::string const& flops, std::string const& count) -> auto& {
      cell(flops, wide);
      cell(count, narrow);
      return text;
    };
    line("flops", "calls") << "op\n";
    for (flop_row const& row : rows_) {
      line(std::to_string(row.flops), std::to_string(row.calls));
      detail::write_op(text, row.what.record());
      text << '\n';
    }
    line(std::to_string(total_), std::to_string(calls)) << "total\n";
    return text.text();
  }

 private:
  flop_row& row_of(op_record const& r) {
    for (flop_row& row : rows_) {
      logged_op const& known = row.what;
      bool same = known.id == r.id && known.operands.size() == r.operands.size() && known.result == r.result;
      for (std::size_t k = 0; same && k < r.operands.size(); ++k) same = known.operands[k] == r.operands[k];
      if (same) return row;
    }
    return rows_.emplace_back(flop_row{logged_op(r)});
  }

  std::vector<flop_row> rows_;
  std::int64_t total_ = 0;
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
