// guardjit: base/errors.hpp: the exception types, and how an error is raised
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_BASE_ERRORS_HPP
#define GUARDJIT_BASE_ERRORS_HPP

#include <guardjit/base/fixed_text.hpp>

#include <exception>

namespace guardjit::inline GUARDJIT_ABI {

/// Base of all errors; the text lies inside the object, so copying cannot fail.
class GUARDJIT_VISIBLE error : public std::exception {
 public:
  explicit error(fixed_text const& text) noexcept : text_(text) {}
  char const* what() const noexcept override { return text_.c_str(); }

 private:
  fixed_text text_;
};

/// Extents that an op, a declaration or an output does not allow.
class GUARDJIT_VISIBLE shape_error : public error { using error::error; };
/// A dtype that an op or a conversion does not allow.
class GUARDJIT_VISIBLE dtype_error : public error { using error::error; };
/// A device that an op or an argument does not allow.
class GUARDJIT_VISIBLE device_error : public error { using error::error; };
/// An axis or index out of range.
class GUARDJIT_VISIBLE index_error : public error { using error::error; };
/// Memory that would be written twice, or while it is read.
class GUARDJIT_VISIBLE overlap_error : public error { using error::error; };
/// Strides that do not allow what was asked.
class GUARDJIT_VISIBLE layout_error : public error { using error::error; };
/// A workspace that is too small or misaligned.
class GUARDJIT_VISIBLE workspace_error : public error { using error::error; };
/// Misuse of function modes.
class GUARDJIT_VISIBLE mode_error : public error { using error::error; };
/// Misuse of stances.
class GUARDJIT_VISIBLE stance_error : public error { using error::error; };
/// Misuse of the options of `compile`.
class GUARDJIT_VISIBLE option_error : public error { using error::error; };
/// A compile was needed but is forbidden.
class GUARDJIT_VISIBLE recompile_error : public error { using error::error; };
/// A limit on entries or compiles was reached.
class GUARDJIT_VISIBLE limit_error : public error { using error::error; };
/// A user guard is false on the call that needs an entry.
class GUARDJIT_VISIBLE guard_error : public error { using error::error; };
/// A backend failed to make a plan; the original exception is nested.
class GUARDJIT_VISIBLE backend_error : public error { using error::error; };
/// A file that is malformed or hostile.
class GUARDJIT_VISIBLE format_error : public error { using error::error; };
/// A bug of the library: a guard failed on the call that created it.
class GUARDJIT_VISIBLE internal_error : public error { using error::error; };

/// Called instead of throwing where exceptions are off; must not return.
using error_handler = void (*)(error const&) noexcept;

namespace detail {
GUARDJIT_VISIBLE inline error_handler current_error_handler = nullptr;
}

/// Sets what is called instead of throwing under `-fno-exceptions`; returns the former one.
inline error_handler set_error_handler(error_handler handler) noexcept {
  return __atomic_exchange_n(&detail::current_error_handler, handler, __ATOMIC_ACQ_REL);
}

/// Throws `Error` with `text`, or calls the error handler where exceptions are off.
template <class Error>
[[noreturn, gnu::cold, gnu::noinline]] void raise(fixed_text const& text) {
#if GUARDJIT_EXCEPTIONS
  throw Error(text);
#else
  if (auto* handler = __atomic_load_n(&detail::current_error_handler, __ATOMIC_ACQUIRE)) handler(Error(text));
  __builtin_trap();
#endif
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
