// guardjit: core.hpp: everything but a fast backend: tensors, ops, modes, tracing, compile, reference
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_CORE_HPP
#define GUARDJIT_CORE_HPP

#include <guardjit/compile/compile.hpp>
#include <guardjit/compile/evaluator.hpp>
#include <guardjit/expr/composite/arange.hpp>
#include <guardjit/expr/composite/concat.hpp>
#include <guardjit/expr/composite/flip.hpp>
#include <guardjit/expr/composite/index.hpp>
#include <guardjit/expr/composite/layer_norm.hpp>
#include <guardjit/expr/composite/like.hpp>
#include <guardjit/expr/composite/log_softmax.hpp>
#include <guardjit/expr/composite/logsumexp.hpp>
#include <guardjit/expr/composite/outer.hpp>
#include <guardjit/expr/composite/pad.hpp>
#include <guardjit/expr/composite/softmax.hpp>
#include <guardjit/expr/composite/split.hpp>
#include <guardjit/expr/composite/transpose.hpp>
#include <guardjit/expr/composite/tril.hpp>
#include <guardjit/expr/composite/unsqueeze.hpp>
#include <guardjit/expr/composite/var.hpp>
#include <guardjit/expr/eager.hpp>
#include <guardjit/expr/in_place.hpp>
#include <guardjit/expr/operators.hpp>
#include <guardjit/kernels/reference.hpp>
#include <guardjit/kernels/reference_interpreter.hpp>
#include <guardjit/modes/compute_in.hpp>
#include <guardjit/modes/default_device.hpp>
#include <guardjit/modes/dispatch_scopes.hpp>
#include <guardjit/modes/mode_scope.hpp>
#include <guardjit/modes/mode_stack.hpp>
#include <guardjit/modes/nan_check.hpp>
#include <guardjit/modes/no_allocation.hpp>
#include <guardjit/modes/op_counter.hpp>
#include <guardjit/modes/override_op.hpp>
#include <guardjit/modes/pure_mode.hpp>
#include <guardjit/modes/stance.hpp>
#include <guardjit/modes/stash_modes.hpp>
#include <guardjit/modes/strict_shapes.hpp>
#include <guardjit/modes/thread_snapshot.hpp>
#include <guardjit/transforms/opaque.hpp>
#include <guardjit/transforms/with_modes.hpp>

#endif
