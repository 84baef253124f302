// guardjit: compile/declared_shapes.hpp: whether a call keeps the extents that `shape_of` declares
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_DECLARED_SHAPES_HPP
#define GUARDJIT_COMPILE_DECLARED_SHAPES_HPP

#include <guardjit/base/errors.hpp>
#include <guardjit/compile/function_state.hpp>
#include <guardjit/compile/spec.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

[[gnu::cold]] inline fixed_text& operator<<(fixed_text& text, declared_extent const& e) {
  if (e.name) return text << "named<\"" << e.name << "\">, " << e.lo;
  if (e.kind == declared_kind::multiple) return text << "a multiple of " << e.divisor;
  if (e.kind == declared_kind::range) return text << e.lo << " to " << e.hi;
  return text << e.lo;
}

[[noreturn, gnu::cold, gnu::noinline]] inline void raise_undeclared_extent(
    function_spec const& spec, function_state const& fn, declared_extent const& e, index_t extent,
    declared_extent const& first, index_t other) {
  auto const place = [&](declared_extent const& at) {
    fixed_text text(argument_text(spec.names, at.argument).c_str());
    return text << ".extent(" << static_cast<int>(at.dim) << ")";
  };
  fixed_text text("guardjit: ");
  text << fn.label().c_str() << ": shape_of: ";
  if (e.kind == declared_kind::named)
    text << place(first) << " and " << place(e) << " are declared named<\"" << e.name << "\">, got " << other
         << " and " << extent;
  else text << place(e) << " is declared " << e << ", got " << extent;
  if (fn.name && fn.where.line != 0) text << "; " << fn.where;
  raise<shape_error>(text);
}

/// Throws where a call breaks what is declared of its extents. Called for calls that find no entry: entries
/// guard it.
/// Throws: `shape_error` with argument, dim, what is declared, what was found, and the function's place.
/// Rules: G86.
inline void require_declared(function_spec const& spec, frame_view const& f, function_state const& fn) {
  for (declared_extent const& e : spec.declared) {
    if (!e.is_checked()) continue;
    declared_extent const& first = first_of_name(spec.declared, e);
    index_t const extent = f.layouts[e.argument].extents[e.dim];
    index_t const other = f.layouts[first.argument].extents[first.dim];
    bool const fits = extent >= e.lo && extent <= e.hi && extent % e.divisor == 0;
    if (!fits || (e.kind == declared_kind::named && extent != other)) [[unlikely]]
      raise_undeclared_extent(spec, fn, e, extent, first, other);
  }
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
