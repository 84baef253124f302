// guardjit: tests/compile_fail/modes/other_extent.cpp: a declared handler gives another dtype, rank or extent
// SPDX-License-Identifier: BSL-1.0
// Rules: M15, MODE-083
// expect-error: guardjit: a mode must keep the extents of the result
// expect-error: extent_of_handler<.*add.*, 3, 4, 0, .*mode<'h', 'a', 'l', 'f'
// expect-error: guardjit: a mode must keep the dtype of the result
// expect-error: dtype_of_handler<.*add.*f32.*mode<'w', 'i', 'd', 'e', 'n'
// expect-error: guardjit: a mode must keep the rank of the result
// expect-error: rank_of_handler<.*add.*, 0, 1, .*mode<'s', 'u', 'm', 's'
// errors: 4
#include <guardjit/compile/compile.hpp>
#include <guardjit/kernels/reference.hpp>

namespace gj = guardjit;

#ifdef GUARDJIT_ACCEPT
constexpr bool is_wrong = false;
#else
constexpr bool is_wrong = true;
#endif

struct half : gj::pure_mode<half> {
  template <class Call> static constexpr typename Call::value handle(Call& call) {
    if (is_wrong && call.op() == gj::op::add) return gj::slice(call.arg(0), 0, 1);
    return call();
  }
};
struct widens : gj::pure_mode<widens> {
  template <class Call> static constexpr typename Call::value handle(Call& call) {
    if (is_wrong && call.op() == gj::op::add) return call.cast(call(), gj::dtype::f64);
    return call();
  }
};
struct sums : gj::pure_mode<sums> {
  template <class Call> static constexpr typename Call::value handle(Call& call) {
    if (is_wrong && call.op() == gj::op::add) return gj::sum(call.arg(0));
    return call();
  }
};

void use() {
  gj::tensor<float, 4> x;
  gj::tensor<float, gj::dyn> y(4);
  auto const f = [](auto const& z) { return z + 1; };
  gj::compile(f, gj::inline_modes<half>, gj::backend(gj::reference))(x);
  gj::compile(f, gj::inline_modes<half>, gj::backend(gj::reference))(y);  // symbols differ, too
  gj::compile(f, gj::inline_modes<widens>, gj::backend(gj::reference))(x);
  gj::compile(f, gj::inline_modes<sums>, gj::backend(gj::reference))(x);
}
