// guardjit: modes/strict_shapes.hpp: a mode that refuses to broadcast
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_MODES_STRICT_SHAPES_HPP
#define GUARDJIT_MODES_STRICT_SHAPES_HPP

#include <guardjit/modes/pure_mode.hpp>

namespace guardjit::inline GUARDJIT_ABI {

/// Refuses elementwise ops on tensors of other shapes; C++ scalars are allowed. Eager code throws
/// `mode_error`. In a compiled function that declares it, shapes that are known to differ are a C++ compile
/// error; where extents are known at the call only, a call in which they differ throws `mode_error`, and
/// nothing has changed.
/// Rules: M16.
struct GUARDJIT_VISIBLE strict_shapes : pure_mode<strict_shapes> {
  template <class Call> static constexpr typename Call::result handle(Call& call) {
    if (is_elementwise(call.op())) call.require_equal_shapes("the shapes of the tensors differ");
    return call();
  }
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
