// guardjit: tests/tensor/thrown.hpp: the text of the error that a call throws
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_TENSOR_THROWN_HPP
#define GUARDJIT_TESTS_TENSOR_THROWN_HPP

#include <guardjit/base/errors.hpp>

#include <string>

namespace tests {

/// The text of the `Error` that `call` throws; "nothing was thrown" if it returns.
template <class Error> std::string thrown(auto&& call) {
  try {
    call();
  } catch (Error const& e) {
    return e.what();
  }
  return "nothing was thrown";
}

inline bool contains(std::string const& text, char const* part) {
  return text.find(part) != std::string::npos;
}

}  // namespace tests

#endif
