// guardjit: modes/op_log.hpp: an observer that keeps a record of each op
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_MODES_OP_LOG_HPP
#define GUARDJIT_MODES_OP_LOG_HPP

#include <guardjit/modes/logged_op.hpp>
#include <guardjit/modes/op_text.hpp>

#include <span>
#include <utility>

namespace guardjit::inline GUARDJIT_ABI {

/// Keeps what it is told of each op: dtypes, shapes, attributes and the user's line. Eager code and a
/// compiled function that does the same leave the same records; the fused kernel still runs.
///
///     gj::op_log log;
///     { gj::mode_scope watch{log}; f(x, w, b); }
///     std::puts(log.to_string().c_str());
///
/// prints, one op a line:
///
///     matmul(f32[64, 784], f32[784, 10]) -> f32[64, 10]    layer.cpp:12
///     add(f32[64, 10], f32[10]) -> f32[64, 10]             layer.cpp:12
///     relu(f32[64, 10]) -> f32[64, 10]                     layer.cpp:12
///
/// Operands without brackets are C++ scalars: `mul(f32[64, 10], weak f32)`.
/// Throws: `std::bad_alloc` where a record does not fit; the op then does not run.
/// Complexity: of an op its record and two allocations at most.
/// Lifetime: owns its records; it holds no tensor. Rules: M14, M25, M97, M120.
class GUARDJIT_VISIBLE op_log : public observer_mode {
 public:
  void observe(op_record const& record) override { records_.emplace_back(record); }

  /// In the order in which the ops ran. Lifetime: until the next op or `clear`.
  std::span<logged_op const> records() const noexcept { return records_; }
  void clear() noexcept { records_.clear(); }

  /// A line an op, the places in one column; the empty text where there is no record.
  /// Throws: `std::bad_alloc`.
  std::string to_string() const {
    std::vector<detail::growing_text> lines(records_.size());
    std::size_t width = 0;
    for (std::size_t k = 0; k < lines.size(); ++k) {
      detail::write_op(lines[k], records_[k].record());
      if (lines[k].text().size() > width) width = lines[k].text().size();
    }
    detail::growing_text all;
    for (std::size_t k = 0; k < lines.size(); ++k) {
      if (records_[k].where.line != 0) lines[k].pad_to(width + 4);
      detail::write_line(lines[k], records_[k].where);
      all << lines[k].text() << '\n';
    }
    return std::move(all).text();
  }

 private:
  std::vector<logged_op> records_;
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
