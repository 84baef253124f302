// guardjit: modes/strict_shapes.hpp: an observer that refuses implicit broadcasting
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_MODES_STRICT_SHAPES_HPP
#define GUARDJIT_MODES_STRICT_SHAPES_HPP

#include <guardjit/modes/observer_mode.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// What `strict_shapes` lets pass.
enum class broadcasting : std::uint8_t {
  none,        ///< equal shapes only
  equal_rank,  ///< also extents of 1 against others, as `keepdims`, `unsqueeze` and `newaxis` make them
};

/// Refuses elementwise ops whose tensor operands have different shapes. C++ scalars and tensors of rank 0
/// go with any shape; `expand` and `matmul` say what they do and pass.
///
///     gj::strict_shapes strict;
///     gj::mode_scope scope{strict};
///     gj::tensor const error = prediction - target;            // (64, 1) and (64)
///
/// throws, instead of giving a matrix of 64 rows and 64 columns,
///
///     guardjit: sub(a, b): strict_shapes: shapes must be equal; shapes (64, 1) (64); loss.cpp:31
///
/// With `broadcasting::equal_rank` what misses an axis is refused, and an extent of 1 is not: so
/// `softmax`, `layer_norm` and `var` run, which take such values from their rows.
/// An observer: a compiled function keeps its fused kernels, and is refused in the words of eager code
/// before any of them runs.
/// Throws: `mode_error`. Complexity: linear in the ranks; no allocation. Rules: M97, M105, M120.
class GUARDJIT_VISIBLE strict_shapes : public observer_mode {
 public:
  explicit strict_shapes(broadcasting allowed = broadcasting::none) noexcept : allowed_(allowed) {}

  void observe(op_record const& record) override {
    if (!is_elementwise(record.id)) return;
    operand_info const* first = nullptr;
    for (operand_info const& x : record.operands) {
      if (x.weak || x.shape.rank == 0) continue;
      if (!first) first = &x;
      else if (!fits(first->shape, x.shape)) refuse(record);
    }
  }

 private:
  bool fits(shape const& a, shape const& b) const noexcept {
    if (a.rank != b.rank) return false;
    bool const may_stretch = allowed_ == broadcasting::equal_rank;
    for (int d = 0; d < a.rank; ++d)
      if (a[d] != b[d] && !(may_stretch && (a[d] == 1 || b[d] == 1))) return false;
    return true;
  }
  [[noreturn, gnu::cold, gnu::noinline]] void refuse(op_record const& record) const {
    fixed_text text;
    text << "guardjit: " << name_of(record.id) << signature_of(record.id) << ": strict_shapes: "
         << (allowed_ == broadcasting::none ? "shapes must be equal" : "ranks must be equal") << "; shapes";
    for (operand_info const& x : record.operands)
      if (!x.weak) text << ' ' << x.shape;
    raise<mode_error>(text << "; " << record.where);
  }

  broadcasting allowed_;
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
