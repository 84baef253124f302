// guardjit: tests/conformance/modes/table.cpp: each op of the table, as handlers see it in both worlds
// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "conformance/modes/fixtures.hpp"
#include "graph/traces.hpp"

namespace gj = guardjit;
using gj::dyn;
using gj::op;

namespace {

/// Notes what it sees: in eager code in a list, in a trace by zeros that nobody needs; any op but `Id`
/// it refuses there.
template <op Id> struct sees : gj::pure_mode<sees<Id>> {
  static inline std::vector<op> seen;
  template <class Call> static constexpr typename Call::value handle(Call& call) {
    if constexpr (!Call::tracing) {
      seen.push_back(call.op());
    } else {
      if (call.op() != Id) return call.refuse("another op");
      call.zeros();
    }
    return call();
  }
};

/// A function of f32, i32 and bool matrices that consists of op `Id`.
template <op Id> struct only {
  constexpr auto operator()(auto const& x, auto const& n, auto const& c) const {
    if constexpr (Id == op::add) return gj::add(x, x);
    else if constexpr (Id == op::sub) return gj::sub(x, x);
    else if constexpr (Id == op::mul) return gj::mul(x, x);
    else if constexpr (Id == op::div) return gj::div(x, x);
    else if constexpr (Id == op::neg) return gj::neg(x);
    else if constexpr (Id == op::maximum) return gj::maximum(x, x);
    else if constexpr (Id == op::minimum) return gj::minimum(x, x);
    else if constexpr (Id == op::relu) return gj::relu(x);
    else if constexpr (Id == op::fmax) return gj::fmax(x, x);
    else if constexpr (Id == op::fmin) return gj::fmin(x, x);
    else if constexpr (Id == op::abs) return gj::abs(x);
    else if constexpr (Id == op::sign) return gj::sign(x);
    else if constexpr (Id == op::square) return gj::square(x);
    else if constexpr (Id == op::reciprocal) return gj::reciprocal(x);
    else if constexpr (Id == op::clip) return gj::clip(x, -1, 1);
    else if constexpr (Id == op::floor) return gj::floor(x);
    else if constexpr (Id == op::ceil) return gj::ceil(x);
    else if constexpr (Id == op::round) return gj::round(x);
    else if constexpr (Id == op::floor_divide) return gj::floor_divide(x, x);
    else if constexpr (Id == op::trunc_divide) return gj::trunc_divide(x, x);
    else if constexpr (Id == op::remainder) return gj::remainder(x, x);
    else if constexpr (Id == op::fmod) return gj::fmod(x, x);
    else return more(x, n, c);
  }

 private:
  static constexpr auto more(auto const& x, auto const& n, auto const& c) {
    if constexpr (Id == op::exp) return gj::exp(x);
    else if constexpr (Id == op::log) return gj::log(x);
    else if constexpr (Id == op::tanh) return gj::tanh(x);
    else if constexpr (Id == op::sqrt) return gj::sqrt(x);
    else if constexpr (Id == op::rsqrt) return gj::rsqrt(x);
    else if constexpr (Id == op::expm1) return gj::expm1(x);
    else if constexpr (Id == op::log1p) return gj::log1p(x);
    else if constexpr (Id == op::pow) return gj::pow(x, x);
    else if constexpr (Id == op::sin) return gj::sin(x);
    else if constexpr (Id == op::cos) return gj::cos(x);
    else if constexpr (Id == op::erf) return gj::erf(x);
    else if constexpr (Id == op::sigmoid) return gj::sigmoid(x);
    else if constexpr (Id == op::silu) return gj::silu(x);
    else if constexpr (Id == op::softplus) return gj::softplus(x);
    else if constexpr (Id == op::gelu) return gj::gelu(x);
    else if constexpr (Id == op::gelu_tanh) return gj::gelu(x, gj::tanh_form);
    else if constexpr (Id == op::lt) return gj::lt(x, x);
    else if constexpr (Id == op::gt) return gj::gt(x, x);
    else if constexpr (Id == op::eq) return gj::eq(x, x);
    else if constexpr (Id == op::le) return gj::le(x, x);
    else if constexpr (Id == op::ge) return gj::ge(x, x);
    else if constexpr (Id == op::ne) return gj::ne(x, x);
    else if constexpr (Id == op::where) return gj::where(c, x, x);
    else if constexpr (Id == op::to) return gj::to<double>(x);
    else if constexpr (Id == op::logical_and) return gj::logical_and(c, c);
    else if constexpr (Id == op::logical_or) return gj::logical_or(c, c);
    else if constexpr (Id == op::logical_xor) return gj::logical_xor(c, c);
    else if constexpr (Id == op::logical_not) return gj::logical_not(c);
    else if constexpr (Id == op::bitwise_and) return gj::bitwise_and(n, n);
    else if constexpr (Id == op::bitwise_or) return gj::bitwise_or(n, n);
    else if constexpr (Id == op::bitwise_xor) return gj::bitwise_xor(n, n);
    else if constexpr (Id == op::bitwise_not) return gj::bitwise_not(n);
    else if constexpr (Id == op::shift_left) return gj::shift_left(n, n);
    else if constexpr (Id == op::shift_right) return gj::shift_right(n, n);
    else return rest(x, n);
  }
  static constexpr auto rest(auto const& x, auto const& n) {
    if constexpr (Id == op::sum) return gj::sum(x);
    else if constexpr (Id == op::amax) return gj::amax(x);
    else if constexpr (Id == op::mean) return gj::mean(x);
    else if constexpr (Id == op::prod) return gj::prod(x);
    else if constexpr (Id == op::amin) return gj::amin(x);
    else if constexpr (Id == op::argmax) return gj::argmax(x, 0);
    else if constexpr (Id == op::argmin) return gj::argmin(x, 0);
    else if constexpr (Id == op::any) return gj::any(x);
    else if constexpr (Id == op::all) return gj::all(x);
    else if constexpr (Id == op::matmul) return gj::matmul(x, x);
    else if constexpr (Id == op::permute) return gj::permute(x, gj::axes(1, 0));
    else if constexpr (Id == op::reshape) return gj::reshape(x, {-1});
    else if constexpr (Id == op::expand) return gj::expand(x, {3, 2, 2});
    else if constexpr (Id == op::slice) return gj::slice(x, 0, 1);
    else if constexpr (Id == op::select) return gj::select(x, 0, 1);
    else if constexpr (Id == op::arange) return gj::arange(0, x.extent(0));
    else if constexpr (Id == op::concat) return gj::concat(x, x, 0);
    else if constexpr (Id == op::take) return gj::take(x, n, 0);
    else if constexpr (Id == op::gather) return gj::gather(x, n, 0);
    else if constexpr (Id == op::zeros) return gj::zeros<float>(x.extent(0), 2);
    else if constexpr (Id == op::ones) return gj::ones<float>(x.extent(0), 2);
    else if constexpr (Id == op::full) return gj::full(1.5f, x.extent(0), 2);
  }
};

using types = gj::call_signature<traces::of(dyn, dyn), traces::of<gj::dtype::i32>(dyn, dyn),
                                 traces::of<gj::dtype::boolean>(dyn, dyn)>;
/// How often the handler saw `Id` in a trace; -1 where it saw another op.
template <op Id> constexpr int times_seen_in_trace() {
  using paths = gj::moded_paths<only<Id>, types, gj::type_list<gj::type_list<sees<Id>>>>;
  if constexpr (!paths::fine) return -1;
  else
    return traces::count_of(gj::nth_type_t<1, typename paths::list>::graph.view(), op::zeros) -
           (Id == op::zeros ? 1 : 0);
}

template <op Id> void check_row() {
  CAPTURE(gj::name_of(Id));
  if constexpr (!gj::info_of(Id).overridable) {
    CHECK((Id == op::input || Id == op::constant));
  } else {
    auto const x = support::mat(2, 2);
    gj::tensor<std::int32_t, dyn, dyn> const n(2, 2);
    gj::tensor<bool, dyn, dyn> const c(2, 2);
    sees<Id> mode;
    {
      gj::mode_scope const scope(mode);
      gj::eval(only<Id>{}(x, n, c));
    }
    CHECK(mode.seen == std::vector{Id});
    constexpr int in_trace = times_seen_in_trace<Id>();
    CHECK(in_trace == 1);
  }
}

}  // namespace

TEST_CASE("MODE-052: in a trace a handler sees each op of the table as in eager code") {
  gj::for_each_index<gj::op_count>([]<int K>(std::integral_constant<int, K>) { check_row<static_cast<op>(K)>(); });
}
