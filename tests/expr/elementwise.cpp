// guardjit: tests/expr/elementwise.cpp: elementwise ops of eager code against plain loops
// SPDX-License-Identifier: BSL-1.0
#include "layouts.hpp"

using namespace eager;
using gj::op;

namespace {

template <class T> T wrapped(std::uint64_t bits) { return static_cast<T>(bits); }

/// The op in the dtype in which it computes, as a loop's body would have it.
template <op Id, class T> auto plain(T a, T b) {
  using gj::op;
  constexpr bool is_bool = std::is_same_v<T, bool>;
  [[maybe_unused]] auto const u =
      static_cast<std::uint64_t>(std::is_integral_v<T> ? static_cast<std::int64_t>(a) : 0);
  [[maybe_unused]] auto const v =
      static_cast<std::uint64_t>(std::is_integral_v<T> ? static_cast<std::int64_t>(b) : 0);
  if constexpr (Id == op::lt) return a < b;
  else if constexpr (Id == op::gt) return a > b;
  else if constexpr (Id == op::eq) return a == b;
  else if constexpr (Id == op::maximum || Id == op::minimum || Id == op::relu) {
    if constexpr (std::is_floating_point_v<T>) {
      if (a != a || b != b) return std::numeric_limits<T>::quiet_NaN();
      bool const negative = Id == op::minimum ? std::signbit(a) || std::signbit(b)
                                              : std::signbit(a) && std::signbit(b);
      if (a == b && a == T(0)) return negative ? -T(0) : T(0);
    }
    return Id == op::minimum ? (b < a ? b : a) : (a < b ? b : a);
  } else if constexpr (is_bool) return Id == op::add ? a || b : a && b;
  else if constexpr (std::is_integral_v<T>)
    return wrapped<T>(Id == op::add   ? u + v
                      : Id == op::sub ? u - v
                      : Id == op::mul ? u * v
                                      : 0 - u);
  else
    return Id == op::add   ? a + b
           : Id == op::sub ? a - b
           : Id == op::mul ? a * b
           : Id == op::div ? a / b
                           : -a;
}

template <op Id> constexpr double tolerance(bool single) {
  if (Id == op::exp || Id == op::log) return 2;
  return Id == op::tanh ? (single ? 5 : 4) : 0;
}
template <op Id, class T> T precise(T a) {
  auto const x = static_cast<long double>(a);
  if (Id == op::exp) return static_cast<T>(std::exp(x));
  if (Id == op::log) return static_cast<T>(std::log(x));
  if (Id == op::tanh) return static_cast<T>(std::tanh(x));
  return std::sqrt(a);
}

struct shape_pair {
  shape left, right;
};
shape_pair const pairs[] = {{{3, 5}, {3, 5}},  {{3, 5}, {5}},       {{3, 1}, {1, 17}},
                            {shape{}, {2, 3}}, {{2, 3}, shape{}},   {shape{}, shape{}},
                            {{2, 0}, {1, 1}},  {{2, 1, 33}, {3, 1}}};

shape broadcast(shape const& a, shape const& b) {
  gj::known_extents context;
  return gj::detail::broadcast_shapes(context, a, b);
}

template <op Id, class T>
void check_against_loop(any_tensor const& got, any_tensor const& a, any_tensor const& b) {
  using result = decltype(plain<Id, T>(T{}, T{}));
  auto const extents = broadcast(a.shape(), b.shape());
  auto const left = elements<T>(a), right = elements<T>(b);
  std::vector<result> want;
  for (index_t k = 0; k < extents.count(); ++k)
    want.push_back(plain<Id, T>(left[broadcast_index(k, a.shape(), extents)],
                                right[broadcast_index(k, b.shape(), extents)]));
  check_elements<result>(got, extents, want);
}

template <class Backend, op Id, class T> void check_binary() {
  CAPTURE(gj::name_of(Id));
  CAPTURE(gj::name_of(gj::dtype_v<T>));
  for (auto const& [left, right] : pairs)
    for (form f : all_forms)
      for (form g : all_forms) {
        any_tensor const a = make<T>(left, f), b = make<T>(right, g, 4);
        check_against_loop<Id, T>(run<Backend, Id>({}, a, b), a, b);
      }
  for (form f : all_forms) {
    any_tensor const a = make<T>({3, 5}, f), b = make<T>({1, 5}, form::contiguous, 2);
    for_each_typed<T, 3, 5>(a, [&](auto const& x) {
      auto const y = run<Backend, Id>({}, x, b.as<T, 1, 5>());
      static_assert(decltype(y)::static_extent(1) == 5);
      check_against_loop<Id, T>(y, a, b);
    });
  }
}

template <class Backend, op Id, class T> void check_unary() {
  CAPTURE(gj::name_of(Id));
  CAPTURE(gj::name_of(gj::dtype_v<T>));
  constexpr bool exact = Id == op::neg || Id == op::relu;
  using result = std::conditional_t<exact || std::is_floating_point_v<T>, T, double>;
  for (shape const& s : {shape{3, 5}, shape{}, shape{0}, shape{2, 0, 3}, shape{41}})
    for (form f : all_forms) {
      any_tensor const a = make<T>(s, f);
      std::vector<result> want;
      for (T v : elements<T>(a)) {
        if constexpr (exact) want.push_back(plain<Id, T>(v, T(0)));
        else want.push_back(precise<Id, result>(static_cast<result>(v)));
      }
      check_elements<result>(run<Backend, Id>({}, a), s, want, tolerance<Id>(sizeof(result) == 4));
      if (s == shape{3, 5})
        for_each_typed<T, 3, 5>(a, [&](auto const& x) {
          auto const y = run<Backend, Id>({}, x);
          static_assert(decltype(y)::static_shape() ==
                        std::remove_cvref_t<decltype(x)>::static_shape());
          check_elements<result>(y, s, want, tolerance<Id>(sizeof(result) == 4));
        });
    }
}

template <class Backend, class From, class To> void check_conversion() {
  for (form f : all_forms) {
    any_tensor const a = make<From>({3, 5}, f);
    std::vector<To> want;
    for (From v : elements<From>(a)) want.push_back(gj::convert<To>(v));
    gj::attributes extra;
    extra.type = gj::dtype_v<To>;
    check_elements<To>(run<Backend, op::to, 0, To>(extra, a), {3, 5}, want);
    auto const typed = run<Backend, op::to, 0, To>(extra, a.as<From, 3, dyn>());
    static_assert(std::is_same_v<decltype(typed), gj::tensor<To, 3, dyn> const>);
    check_elements<To>(typed, {3, 5}, want);
  }
}

}  // namespace

// The kernels of Eigen have tests of their own, over formulas; here they stand in the cases at the
// end only, since each op on each dtype is a kernel to compile.
TEST_CASE_TEMPLATE("binary ops equal plain loops", Backend, gj::backends::reference) {
  gj::for_each_type(gj::element_types{}, []<class T>(std::type_identity<T>) {
    check_binary<Backend, op::add, T>();
    check_binary<Backend, op::mul, T>();
    check_binary<Backend, op::maximum, T>();
    check_binary<Backend, op::minimum, T>();
    check_binary<Backend, op::lt, T>();
    check_binary<Backend, op::gt, T>();
    check_binary<Backend, op::eq, T>();
    if constexpr (!std::is_same_v<T, bool>) check_binary<Backend, op::sub, T>();
    if constexpr (std::is_floating_point_v<T>) check_binary<Backend, op::div, T>();
  });
}

TEST_CASE_TEMPLATE("unary ops equal plain loops", Backend, gj::backends::reference) {
  gj::for_each_type(gj::element_types{}, []<class T>(std::type_identity<T>) {
    if constexpr (!std::is_same_v<T, bool>) {
      check_unary<Backend, op::neg, T>();
      check_unary<Backend, op::relu, T>();
    }
    check_unary<Backend, op::exp, T>();
    check_unary<Backend, op::log, T>();
    check_unary<Backend, op::tanh, T>();
    check_unary<Backend, op::sqrt, T>();
  });
}

TEST_CASE_TEMPLATE("conversions between all dtypes", Backend, gj::backends::reference) {
  gj::for_each_type(gj::element_types{}, []<class From>(std::type_identity<From>) {
    gj::for_each_type(gj::element_types{}, []<class To>(std::type_identity<To>) {
      check_conversion<Backend, From, To>();
    });
  });
}

TEST_CASE_TEMPLATE("where takes elements by a condition that is broadcast, too", Backend,
                   gj::backends::reference, gj::backends::eigen) {
  gj::for_each_type(gj::element_types{}, []<class T>(std::type_identity<T>) {
    for (form f : all_forms) {
      any_tensor const c = make<bool>({5}, f), a = make<T>({3, 5}, f), b = make<T>({3, 1}, f, 3);
      auto const flags = elements<bool>(c);
      auto const left = elements<T>(a), right = elements<T>(b);
      std::vector<T> want;
      for (std::size_t k = 0; k < 15; ++k) want.push_back(flags[k % 5] ? left[k] : right[k / 5]);
      check_elements<T>(run<Backend, op::where>({}, c, a, b), {3, 5}, want);
      auto const typed =
          run<Backend, op::where>({}, c.as<bool, 5>(), a.as<T, dyn, 5>(), b.as<T, 3, 1>());
      static_assert(std::is_same_v<decltype(typed), gj::tensor<T, 3, 5> const>);
      check_elements<T>(typed, {3, 5}, want);
    }
  });
}

TEST_CASE_TEMPLATE("operands of two dtypes are promoted", Backend, gj::backends::reference,
                   gj::backends::eigen) {
  gj::for_each_type(gj::element_types{}, []<class A>(std::type_identity<A>) {
    gj::for_each_type(gj::element_types{}, []<class B>(std::type_identity<B>) {
      using result = gj::element_t<gj::promote(gj::dtype_v<A>, gj::dtype_v<B>)>;
      any_tensor const a = make<A>({2, 3}, form::reversed), b = make<B>({3}, form::strided, 5);
      auto const left = elements<A>(a);
      auto const right = elements<B>(b);
      std::vector<result> want;
      for (std::size_t k = 0; k < 6; ++k)
        want.push_back(plain<op::mul, result>(gj::convert<result>(left[k]),
                                              gj::convert<result>(right[k % 3])));
      check_elements<result>(run<Backend, op::mul>({}, a, b), {2, 3}, want);
      auto const typed = run<Backend, op::mul>({}, a.as<A, 2, dyn>(), b.as<B, 3>());
      static_assert(std::is_same_v<decltype(typed), gj::tensor<result, 2, 3> const>);
      check_elements<result>(typed, {2, 3}, want);
      check_elements<result>(run<Backend, op::mul>({}, a.as<A, 2, dyn>(), b), {2, 3}, want);
    });
  });
}
