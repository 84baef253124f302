// guardjit: base/config.hpp: every macro of the library, and the name of its inline namespace
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_BASE_CONFIG_HPP
#define GUARDJIT_BASE_CONFIG_HPP

#include <guardjit/base/version.hpp>

#if defined(__FAST_MATH__) && !(defined(GUARDJIT_ALLOW_FAST_MATH) && GUARDJIT_ALLOW_FAST_MATH)
#error "guardjit: -ffast-math breaks the numeric rules (NaN, signed zero, order of operations)"
#endif

/// 1: results under -ffast-math are the caller's own risk. No cost.
#ifndef GUARDJIT_ALLOW_FAST_MATH
#define GUARDJIT_ALLOW_FAST_MATH 0
#endif

/// 1 where the compiler has exceptions; 0: errors go to `set_error_handler`. No cost.
#ifndef GUARDJIT_EXCEPTIONS
#ifdef __cpp_exceptions
#define GUARDJIT_EXCEPTIONS 1
#else
#define GUARDJIT_EXCEPTIONS 0
#endif
#endif

/// 1: internal invariants are checked, and each call of a pinned entry checks its guards (some 100 ns).
/// Units of one program may differ in it: a handle does what the unit says that calls `pin`.
#ifndef GUARDJIT_EXTRA_CHECKS
#define GUARDJIT_EXTRA_CHECKS 0
#endif

/// An internal invariant; evaluated under GUARDJIT_EXTRA_CHECKS only.
#ifndef GUARDJIT_ASSERT
#if GUARDJIT_EXTRA_CHECKS
#define GUARDJIT_ASSERT(...) ((__VA_ARGS__) ? void() : __builtin_trap())
#else
#define GUARDJIT_ASSERT(...) void()
#endif
#endif

/// 1 under ThreadSanitizer: epochs then use fences that it sees. No cost otherwise.
#ifndef GUARDJIT_THREAD_SANITIZER
#if defined(__SANITIZE_THREAD__)
#define GUARDJIT_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define GUARDJIT_THREAD_SANITIZER 1
#else
#define GUARDJIT_THREAD_SANITIZER 0
#endif
#else
#define GUARDJIT_THREAD_SANITIZER 0
#endif
#endif

/// 1: deflated members of .npz files are read. Costs <zlib.h> in `interop/inflate.hpp`, and linking
/// zlib (`-lz`).
#ifndef GUARDJIT_HAS_ZLIB
#define GUARDJIT_HAS_ZLIB 0
#endif

/// Marks a type or variable that must be one across shared libraries. No cost.
#ifndef GUARDJIT_VISIBLE
#define GUARDJIT_VISIBLE __attribute__((visibility("default")))
#endif

/// Marks functions that also run on the device when nvcc compiles. No cost.
#ifndef GUARDJIT_HD
#ifdef __CUDACC__
#define GUARDJIT_HD __host__ __device__
#else
#define GUARDJIT_HD
#endif
#endif

/// The backend of `compile` and of eager ops when none is named: `eigen` or `reference`.
/// Part of the inline namespace's name, so that units that differ in it do not link.
#ifndef GUARDJIT_DEFAULT_BACKEND
#define GUARDJIT_DEFAULT_BACKEND eigen
#endif

/// Inlined by all means where code is optimized; elsewhere that would only take the compiler longer.
#ifdef __OPTIMIZE__
#define GUARDJIT_DETAIL_INLINE __attribute__((always_inline))
#else
#define GUARDJIT_DETAIL_INLINE
#endif

#define GUARDJIT_DETAIL_JOIN(version, backend) version##_##backend
#define GUARDJIT_DETAIL_NAME(version, backend) GUARDJIT_DETAIL_JOIN(version, backend)
/// `v0_1_eigen`: the inline namespace of everything, from minor version and default backend.
#define GUARDJIT_ABI GUARDJIT_DETAIL_NAME(v0_1, GUARDJIT_DEFAULT_BACKEND)

/// guardjit: tensor functions compiled by the C++ compiler, guarded at run time.
namespace guardjit::inline GUARDJIT_ABI {
namespace backends {
struct eigen;
struct reference;
}  // namespace backends

/// The backend that is used when none is named; complete once its header is included.
using default_backend = backends::GUARDJIT_DEFAULT_BACKEND;
}  // namespace guardjit::inline GUARDJIT_ABI

#endif
