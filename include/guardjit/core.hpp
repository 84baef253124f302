// guardjit: core.hpp: everything but a fast backend: tensors, ops, modes, tracing, compile, reference
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_CORE_HPP
#define GUARDJIT_CORE_HPP

#include <guardjit/compile/compile.hpp>
#include <guardjit/kernels/reference.hpp>
#include <guardjit/modes/dispatch_scopes.hpp>
#include <guardjit/modes/mode_scope.hpp>
#include <guardjit/modes/mode_stack.hpp>
#include <guardjit/modes/op_counter.hpp>

#endif
