// guardjit: tests/compile_fail/compile/max_paths.cpp: more paths than the function allows
// SPDX-License-Identifier: BSL-1.0
// Rules: G91
// expect-error: guardjit: too many branches on run-time values; use where or opaque
// expect-error: too_many_paths<2, .*use_where_or_opaque, .*at<13, 'm', 'a', 'x', '_', 'p', 'a', 't', 'h', 's', '.', 'c', 'p', 'p'>
// errors: 1
#include <guardjit/core.hpp>

namespace gj = guardjit;
using gj::any_tensor, gj::dyn, gj::tensor;

constexpr auto f = [](auto x) {
  if (x.extent(0) > 8) return x * 2;
  if (x.extent(0) > 4) return x * 3;
  return x;
};

void use(tensor<float, dyn> const& x) {
  constexpr auto plain = gj::backend(gj::backends::reference{});
#ifdef GUARDJIT_ACCEPT
  gj::compile(f, plain, gj::max_paths<3>)(x);
#else
  gj::compile(f, plain, gj::max_paths<2>)(x);
#endif
}
