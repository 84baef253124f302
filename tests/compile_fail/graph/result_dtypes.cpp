// guardjit: tests/compile_fail/graph/result_dtypes.cpp: paths whose results have different dtypes
// SPDX-License-Identifier: BSL-1.0
// expect-error: guardjit: the results of all paths must have one dtype
// expect-error: result_dtypes_differ<.*dtype::f32, .*dtype::f64, .*at<17, .*at<16, 
// errors: 1
#include "graph/traces.hpp"

#include <guardjit/graph/paths.hpp>

namespace gj = guardjit;
using gj::dtype, gj::dyn;
using namespace traces;

constexpr auto f = [](auto x) {
  if (x.extent(0) > 16)
    return gj::to<double>(x);
  return x * 2.0f;
};
#ifdef GUARDJIT_ACCEPT
using given = gj::call_signature<of(17, 4)>;
#else
using given = gj::call_signature<of(dyn, 4)>;
#endif
template void gj::require_paths<std::remove_cvref_t<decltype(f)>, given>();
#ifdef GUARDJIT_ACCEPT
static_assert(gj::paths<std::remove_cvref_t<decltype(f)>, given>::fine);
#endif
