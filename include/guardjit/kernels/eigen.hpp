// guardjit: kernels/eigen.hpp: the backends on Eigen's packets: `eigen`, and `tiles` by its name
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_KERNELS_EIGEN_HPP
#define GUARDJIT_KERNELS_EIGEN_HPP

#include <guardjit/kernels/eigen/backend.hpp>
#include <guardjit/kernels/tiles.hpp>

#endif
