// guardjit: observe/profiler.hpp: time and bytes of each op of eager code and each kernel of compiled calls
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_OBSERVE_PROFILER_HPP
#define GUARDJIT_OBSERVE_PROFILER_HPP

#include <guardjit/modes/kernel_observer.hpp>
#include <guardjit/modes/op_text.hpp>

#include <chrono>
#include <string>
#include <vector>

namespace guardjit::inline GUARDJIT_ABI {

/// All calls of one op, or of one kernel, from one line.
struct profile_row {
  bool is_kernel = false;
  char const* function = "";  ///< of a kernel: the name of its compiled function, where it has one
  std::span<op const> ops{};  ///< one op; those of a kernel in order, none where it copies a result
  source_line where{};
  std::int64_t calls = 0;
  std::int64_t nanoseconds = 0;
  std::int64_t bytes_read = 0;
  std::int64_t bytes_written = 0;
  char const* backend = "";  ///< an erased one, whose runs are one kernel each, without ops
};

namespace detail {

/// All op ids, so that one of them can be a span of constants.
inline constexpr auto all_ops = []<int... Id>(std::integer_sequence<int, Id...>) {
  return std::array{static_cast<op>(Id)...};
}(std::make_integer_sequence<int, op_count>{});

inline std::int64_t steady_nanoseconds() noexcept {
  auto const now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

/// Bytes of the different elements of a tensor: stretched axes count once.
inline std::int64_t bytes_of(any_tensor const& x) noexcept {
  std::int64_t bytes = size_of(x.type());
  for (int d = 0; d < x.rank(); ++d) bytes *= x.stride(d) == 0 && x.extent(d) > 1 ? 1 : x.extent(d);
  return bytes;
}

}  // namespace detail

/// Measures what runs under it, by line: each op of eager code and of replays, each fused kernel of
/// compiled calls, whose plans are those that run without it.
///
///     gj::profiler prof;
///     { gj::mode_scope watch{prof}; for (auto const& x : batches) f(x, w, b); }
///     std::puts(prof.to_string().c_str());
///
/// prints, the dearest first (GB/s: bytes read and written in the time),
///
///         ns  calls     read  written  GB/s  what
///     193210      8  1856512    20480   9.7  layer: matmul      layer.cpp:12
///       2480      8    20800    20480  16.6  layer: add relu    layer.cpp:13
///
/// Functions without a name are `kernel`, ops of eager code `op exp`. Times are those of a clock around
/// the op or kernel, with some 20 to 50 ns of the clock in each; what lower modes do for an op counts as
/// its time. Views take no bytes. Products read their operands once, whatever caches do.
/// A machinery mode: entering it is no miss, and no guard sees it. Expressions run op by op under it, as
/// under each mode.
/// Throws: `std::bad_alloc` before an op or the kernels of a call run.
/// Complexity: two readings of the clock and a search of the rows for each op or kernel.
/// Thread safety: that of one thread. Rules: M110.
class GUARDJIT_VISIBLE profiler : public kernel_observer {
 public:
  /// A clock in nanoseconds, or in what is to be counted instead.
  using clock = std::int64_t (*)() noexcept;
  explicit profiler(clock now = &detail::steady_nanoseconds) noexcept : now_(now) {}

  op_result handle(op_call& call) override {
    make_room(1);
    std::int64_t const begin = now_();
    op_result result = call();
    std::int64_t const time = now_() - begin;
    bool in_operand = !result;
    std::int64_t read = 0, written = result ? detail::bytes_of(result) : 0;
    for (int k = 0; k < call.size(); ++k) {
      if (call.arg(k).is_scalar()) continue;
      any_tensor const& x = call.arg(k).tensor();
      in_operand = in_operand || (x.storage() && x.storage() == result.storage());
      std::int64_t const bytes = detail::bytes_of(x);
      bool const picks = k == 0 && info_of(call.op()).types == dtype_rule::indexed;
      read += picks && written < bytes ? written : bytes;
    }
    if (in_operand) read = written = 0;
    add({.ops = {&detail::all_ops[static_cast<unsigned>(call.op())], 1},
         .where = call.where(),
         .nanoseconds = time,
         .bytes_read = read,
         .bytes_written = written});
    return result;
  }
  void call_begins(int kernels) override { make_room(static_cast<std::size_t>(kernels)); }
  void kernel_begins() noexcept override { begin_ = now_(); }
  void kernel_ends(kernel_record const& record) noexcept override {
    add({.is_kernel = true,
         .function = record.function,
         .ops = record.ops,
         .where = record.where,
         .nanoseconds = now_() - begin_,
         .bytes_read = record.bytes_read,
         .bytes_written = record.bytes_written,
         .backend = record.backend});
  }

  /// In the order of first calls. Lifetime: until the next op or kernel, or `reset`.
  std::span<profile_row const> rows() const noexcept { return rows_; }
  /// Of all rows.
  std::int64_t nanoseconds() const noexcept {
    std::int64_t time = 0;
    for (profile_row const& row : rows_) time += row.nanoseconds;
    return time;
  }
  void reset() noexcept { rows_.clear(); }

  /// A table with a line a row, most time first.
  /// Throws: `std::bad_alloc`.
  std::string to_string() const;

 private:
  void make_room(std::size_t count) {
    std::size_t const size = rows_.size();
    if (rows_.capacity() - size < count) rows_.reserve(2 * size + count);
  }
  static bool is_same(profile_row const& a, profile_row const& b) noexcept {
    bool same = a.is_kernel == b.is_kernel && a.ops.size() == b.ops.size() && a.where.line == b.where.line;
    for (std::size_t k = 0; same && k < a.ops.size(); ++k) same = a.ops[k] == b.ops[k];
    return same && __builtin_strcmp(a.where.file, b.where.file) == 0 &&
           __builtin_strcmp(a.function, b.function) == 0 && __builtin_strcmp(a.backend, b.backend) == 0;
  }
  void add(profile_row const& what) {
    profile_row* row = nullptr;
    for (profile_row& known : rows_)
      if (is_same(known, what)) row = &known;
    if (!row) {
      row = &rows_.emplace_back(profile_row{what.is_kernel, what.function, what.ops, what.where});
      row->backend = what.backend;
    }
    ++row->calls;
    row->nanoseconds += what.nanoseconds;
    row->bytes_read += what.bytes_read;
    row->bytes_written += what.bytes_written;
  }

  std::vector<profile_row> rows_;
  clock now_;
  std::int64_t begin_ = 0;
};

namespace detail {

/// Appends `layer: add relu`, `op exp`, `layer: copy`.
inline void write_profiled(growing_text& text, profile_row const& row) {
  if (!row.is_kernel) text << "op";
  else if (*row.function) text << row.function << ':';
  else text << "kernel";
  for (op const id : row.ops) text << ' ' << name_of(id);
  if (*row.backend) text << " by " << row.backend;
  else if (row.ops.empty()) text << " copy";
}

/// Billions of bytes a second, with a digit behind the point; a dash where there is no time.
inline std::string rate_of(profile_row const& row) {
  if (row.nanoseconds <= 0) return "-";
  std::int64_t const tenths = (row.bytes_read + row.bytes_written) * 10 / row.nanoseconds;
  return std::to_string(tenths / 10) + '.' + std::to_string(tenths % 10);
}

}  // namespace detail

inline std::string profiler::to_string() const {
  std::vector<profile_row const*> order;
  for (profile_row const& row : rows_) {
    auto at = order.end();
    while (at != order.begin() && (*(at - 1))->nanoseconds < row.nanoseconds) --at;
    order.insert(at, &row);
  }
  constexpr std::size_t columns = 5;
  std::vector<std::array<std::string, columns>> cells{{"ns", "calls", "read", "written", "GB/s"}};
  std::vector<detail::growing_text> names(1);
  names[0] << "what";
  for (profile_row const* row : order) {
    cells.push_back({std::to_string(row->nanoseconds), std::to_string(row->calls),
                     std::to_string(row->bytes_read), std::to_string(row->bytes_written),
                     detail::rate_of(*row)});
    detail::write_profiled(names.emplace_back(), *row);
  }
  std::size_t widths[columns]{}, name_width = 0;
  for (std::size_t line = 0; line < cells.size(); ++line) {
    for (std::size_t c = 0; c < columns; ++c)
      if (cells[line][c].size() > widths[c]) widths[c] = cells[line][c].size();
    if (names[line].text().size() > name_width) name_width = names[line].text().size();
  }
  detail::growing_text text;
  for (std::size_t line = 0; line < cells.size(); ++line) {
    for (std::size_t c = 0; c < columns; ++c)
      text << std::string(widths[c] - cells[line][c].size(), ' ') << cells[line][c] << "  ";
    if (line > 0 && order[line - 1]->where.line != 0) {
      names[line].pad_to(name_width + 4);
      detail::write_line(names[line], order[line - 1]->where);
    }
    text << names[line].text() << '\n';
  }
  return text.text();
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
