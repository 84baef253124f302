// guardjit: tests/golden/case.hpp: a case of the golden files as plain data
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_GOLDEN_CASE_HPP
#define GUARDJIT_TESTS_GOLDEN_CASE_HPP

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace golden {

/// A tensor, or a C++ scalar, by its bytes in row-major order.
struct value_data {
  bool present = true;  ///< false: an operand that is left out
  bool weak = false;    ///< a C++ scalar
  std::string dtype{};
  std::string result{};  ///< outputs: the dtype that comes back
  std::string layout{};  ///< empty: contiguous
  std::vector<std::int64_t> shape{};
  std::vector<unsigned char> bytes{};
};

/// A value of `attrs`. Numbers are kept as both kinds, so that readers take the one they need.
struct attribute {
  bool given = false;  ///< false: missing or null
  std::int64_t integer = 0;  ///< also 0 or 1 for false or true
  double real = 0;
  std::string text;
  std::vector<attribute> list;

  explicit operator bool() const { return integer != 0; }
  /// The numbers of a list.
  std::vector<std::int64_t> integers() const {
    std::vector<std::int64_t> numbers;
    for (attribute const& a : list) numbers.push_back(a.integer);
    return numbers;
  }
};

struct tolerance {
  bool exact = false;
  double ulp = 0, atol = 0, rtol = 0;
};

struct test_case {
  std::string id, family, op;
  std::vector<value_data> inputs, outputs;
  std::map<std::string, attribute, std::less<>> attributes;
  std::string error;    ///< empty, or the type that must be thrown
  std::string compare;  ///< empty, or a comparison of its own
  tolerance bound;

  attribute const& at(char const* name) const {
    static attribute const none;
    auto const found = attributes.find(name);
    return found == attributes.end() ? none : found->second;
  }
};

/// All cases, family by family. `op` of a derivative's case is "grad", of a function of several ops
/// "composite".
std::vector<test_case> const& all_cases();
/// The case of an id, which must exist.
test_case const& case_of(std::string const& id);

}  // namespace golden

#endif
