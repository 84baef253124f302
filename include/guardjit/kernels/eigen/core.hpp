// guardjit: kernels/eigen/core.hpp: Eigen, without the warnings that g++ 12 finds inside
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_KERNELS_EIGEN_CORE_HPP
#define GUARDJIT_KERNELS_EIGEN_CORE_HPP

// g++ 12 takes the undefined operands inside the AVX-512 intrinsics for mistakes (its bug 105593).
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <Eigen/Core>
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#endif
