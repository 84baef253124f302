// guardjit: compile/output_view.hpp: tensors that a call writes, and what is tested of them
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_OUTPUT_VIEW_HPP
#define GUARDJIT_COMPILE_OUTPUT_VIEW_HPP

#include <guardjit/compile/any_call.hpp>
#include <guardjit/tensor/overlap.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// One output of `into`, or an argument that is written.
struct output_view {
  void* data = nullptr;
  layout_view form;
  int element = 0;  ///< bytes
  int argument = -1;

  memory_view memory() const { return {data, form, element}; }
};

[[noreturn, gnu::cold, gnu::noinline]] inline void raise_shared_elements(any_call const& c, int argument) {
  if (argument < 0)
    raise<overlap_error>(
        "guardjit: into(out, arguments...): out must not have elements that share memory");
  raise<overlap_error>(fixed_text("guardjit: ")
                       << c.fn.label().c_str() << ": " << argument_text(c.spec().names, argument).c_str()
                       << ", which is written, must not have elements that share memory");
}
[[noreturn, gnu::cold, gnu::noinline]] inline void raise_output_shape(shape const& out,
                                                                      shape const& expected) {
  fixed_text text(
      "guardjit: into(out, arguments...): out must have the shape of the result: expected ");
  text << expected << ", got ";
  raise<shape_error>(text << out);
}
inline void require_distinct_elements(any_call const& c, output_view const& out) {
  if (has_repeated_elements(out.form)) [[unlikely]]
    raise_shared_elements(c, out.argument);
}
inline void check_output(any_call const& c, output_view const& out, shape const& expected) {
  for (int d = 0; d < expected.rank; ++d)
    if (out.form.extents[d] != expected[d]) [[unlikely]]
      raise_output_shape(out.form.shape(), expected);
  require_distinct_elements(c, out);
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
