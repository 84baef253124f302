// guardjit: ops/attribute_text.hpp: the attributes of an op as text
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_OPS_ATTRIBUTE_TEXT_HPP
#define GUARDJIT_OPS_ATTRIBUTE_TEXT_HPP

#include <guardjit/ops/attributes.hpp>
#include <guardjit/ops/table.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Appends what an op takes besides its operands, and what the shape of its result does not say:
/// `axes 0 1, keepdims`. `rank` is that of the first operand, `behind` says whether something stands
/// before. Extents may be symbolic: `extent(n)` appends one.
template <class Text, class Extent>
void write_attributes(Text& text, op id, attributes const& a, int rank, bool behind, Extent const& extent) {
  auto const begin = [&](char const* name) -> Text& { return text << (behind ? ", " : "") << name; };
  if (is_reduction(id)) {
    begin("axes");
    for (int d = 0; d < rank; ++d)
      if (a.axes >> d & 1) text << " " << d;
    if (a.keepdims) text << ", keepdims";
    if (a.correction != 0) text << ", correction " << a.correction;
  } else if (id == op::permute) {
    begin("axes");
    for (int d = 0; d < rank; ++d) text << " " << int{a.order[static_cast<unsigned>(d)]};
  } else if (id == op::select) {
    begin("axis ") << int{a.axis} << ", index " << a.start;
  } else if (info_of(id).form == op_form::movement && id != op::arange) {
    begin("axis ") << int{a.axis};
  } else if (id == op::slice) {
    begin("axis ") << int{a.axis} << ", ";
    extent(a.start);
    text << " to ";
    if (a.stop == slice_end) text << "end";
    else extent(a.stop);
    text << " by " << a.step;
  }
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
