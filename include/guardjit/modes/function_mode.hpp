// guardjit: modes/function_mode.hpp: base of the modes that handle ops
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_MODES_FUNCTION_MODE_HPP
#define GUARDJIT_MODES_FUNCTION_MODE_HPP

#include <guardjit/modes/thread_state.hpp>
#include <guardjit/tensor/any_tensor.hpp>

namespace guardjit::inline GUARDJIT_ABI {

class op_call;

/// What a handler returns; today every op has one result.
using op_result = any_tensor;

/// A mode that needs the real values: its handler runs instead of the kernel of each op.
/// Making one does nothing, a `mode_scope` activates it. Owners delete it by its own type, as
/// `std::make_shared` does; one that derives from this class is `final`, or has a virtual destructor, so that
/// compilers know that. A compiled function that is called under it runs op by op.
/// Rules: M6, M19, M98.
class GUARDJIT_VISIBLE function_mode {
 public:
  /// Returns a result, goes on with `call()`, refuses, or throws.
  virtual op_result handle(op_call& call) = 0;

  mode_class cls() const noexcept { return class_; }
  /// Whether it is a `kernel_observer`.
  bool watches_kernels() const noexcept { return watches_kernels_; }

 protected:
  constexpr function_mode() noexcept = default;
  // Not virtual, so that modes are literal types: traced functions make them. None is deleted by a
  // pointer to this class.
  ~function_mode() = default;
  constexpr function_mode(function_mode const&) = default;
  function_mode& operator=(function_mode const&) = default;

 private:
  friend class observer_mode;
  friend class infra_mode;
  template <class Derived> friend class pure_mode;
  template <class Derived> friend class keyed_mode;
  constexpr explicit function_mode(mode_class c) noexcept : class_(c) {}

  mode_class class_ = mode_class::runtime;
  bool watches_kernels_ = false;
};

/// A mode of machinery: it handles the ops of eager code, and compiled functions ignore it.
/// Rules: M110.
class GUARDJIT_VISIBLE infra_mode : public function_mode {
 public:
  virtual ~infra_mode() = default;

 protected:
  infra_mode() noexcept : function_mode(mode_class::infra) {}

 private:
  friend class kernel_observer;
  void watch_kernels() noexcept { watches_kernels_ = true; }
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
