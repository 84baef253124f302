// guardjit: tests/conformance/modes/fixtures.hpp: the modes of the specification's cases
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_CONFORMANCE_MODES_FIXTURES_HPP
#define GUARDJIT_TESTS_CONFORMANCE_MODES_FIXTURES_HPP

#include <guardjit/guardjit.hpp>

#include <string>
#include <vector>

#include "support/tensors.hpp"

// Section 4 of the specification. Handlers count their runs at run time: in a compiled call there are none.
namespace fixtures {

namespace gj = guardjit;

/// Runs of the handler of `Mode` since the program began, outside of traces.
template <class Mode> inline thread_local int runs = 0;
template <class Mode, class Call> constexpr void count_run(Call const&) {
  if constexpr (!Call::tracing) ++runs<Mode>;
}

/// For `add` gives zeros.
struct zero : gj::pure_mode<zero> {
  template <class Call> static constexpr auto handle(Call& call) {
    count_run<zero>(call);
    if (call.op() == gj::op::add) return call.zeros();
    return call();
  }
};
/// For `mul` gives ones.
struct one : gj::pure_mode<one> {
  template <class Call> static constexpr typename Call::value handle(Call& call) {
    count_run<one>(call);
    if (call.op() == gj::op::mul) return call.zeros() + 1;
    return call();
  }
};
/// Adds 100 to what `add` gives.
struct plus100 : gj::pure_mode<plus100> {
  template <class Call> static constexpr typename Call::value handle(Call& call) {
    count_run<plus100>(call);
    typename Call::value const sum = call();
    if (call.op() == gj::op::add) return gj::sub(sum, -100);
    return sum;
  }
};
struct pass1 : gj::pure_mode<pass1> {
  template <class Call> static constexpr auto handle(Call& call) {
    count_run<pass1>(call);
    return call();
  }
};
struct pass2 : gj::pure_mode<pass2> {
  template <class Call> static constexpr auto handle(Call& call) {
    count_run<pass2>(call);
    return call();
  }
};
/// Multiplies the result of `mul` by its key.
struct scale : gj::keyed_mode<scale> {
  float k = 1;
  int note = 0;  // not in the key
  constexpr scale() = default;
  constexpr explicit scale(float factor) : k(factor) {}
  constexpr auto key() const noexcept { return std::tuple{k}; }
  template <class Call> static constexpr typename Call::value handle(Call& call) {
    count_run<scale>(call);
    if (call.op() == gj::op::mul) return call() * call.template key<0>();
    return call();
  }
};

/// Appends its tag to a shared text.
struct log final : gj::function_mode {
  std::string* seen;
  std::string tag;
  log(std::string& text, std::string name) : seen(&text), tag(std::move(name)) {}
  gj::op_result handle(gj::op_call& call) override {
    *seen += tag;
    return call();
  }
};
struct count_rt final : gj::function_mode {
  int told = 0;
  gj::op_result handle(gj::op_call& call) override {
    ++told;
    return call();
  }
};
struct count_ob final : gj::observer_mode {
  int told = 0;
  void observe(gj::op_record const&) override { ++told; }
};
struct count_in final : gj::infra_mode {
  int told = 0;
  gj::op_result handle(gj::op_call& call) override {
    ++told;
    return call();
  }
};

/// All that an observer is told of one op.
struct record {
  gj::op id{};
  std::vector<gj::operand_info> operands;
  int line = 0;

  bool operator==(record const& other) const {
    if (id != other.id || line != other.line || operands.size() != other.operands.size()) return false;
    for (std::size_t k = 0; k < operands.size(); ++k) {
      gj::operand_info const &a = operands[k], &b = other.operands[k];
      if (a.type != b.type || a.weak != b.weak || !(a.shape == b.shape)) return false;
    }
    return true;
  }
};
struct log_ob final : gj::observer_mode {
  std::vector<record> seen;
  void observe(gj::op_record const& r) override {
    seen.push_back({r.id, {r.operands.begin(), r.operands.end()}, static_cast<int>(r.where.line)});
  }
  std::vector<gj::op> ids() const {
    std::vector<gj::op> list;
    for (record const& r : seen) list.push_back(r.id);
    return list;
  }
};

/// Calls `use` under modes, the first one lowest.
template <class Use> void under(Use const& use) { use(); }
template <class Use, class First, class... Rest> void under(Use const& use, First& first, Rest&... rest) {
  gj::mode_scope const scope(first);
  under(use, rest...);
}

using matrix = gj::tensor<float, gj::dyn, gj::dyn>;
/// The specification's x.
inline matrix ones22() { return support::counted(matrix(2, 2), 1, 0); }

}  // namespace fixtures

#endif
