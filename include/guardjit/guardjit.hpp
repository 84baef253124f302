// guardjit: guardjit.hpp: the library with its Eigen backend
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_GUARDJIT_HPP
#define GUARDJIT_GUARDJIT_HPP

#include <guardjit/core.hpp>
#include <guardjit/kernels/eigen.hpp>
#include <guardjit/modes/flop_counter.hpp>
#include <guardjit/modes/op_log.hpp>

#endif
