// guardjit: bench/call_many.cpp: calls of functions of many tensors, which take the compiler some time
// SPDX-License-Identifier: BSL-1.0
#include "dispatchers.hpp"

namespace {

using namespace bench;

// 100, not 1,000: a tuple of more than 900 elements is nested deeper than g++ goes unless it is told to.
[[maybe_unused]] int const registered = [] {
  add_call_into<sum_of<35>>();
  add_call_into<sum_of<100>>();
  return 0;
}();

}  // namespace
