// guardjit: tests/expr/loop_bodies.hpp: an elementwise op against the body of a loop
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_EXPR_LOOP_BODIES_HPP
#define GUARDJIT_TESTS_EXPR_LOOP_BODIES_HPP

#include "layouts.hpp"

namespace eager {

/// Operand number K of a row of shapes has `shapes[K]`, so that the result has the last one.
inline constexpr shape operand_shapes[][4] = {
    {{3, 17}, {17}, {3, 1}, {3, 17}}, {{}, {}, {}, {}}, {{2, 0}, {1, 1}, {}, {2, 0}}};

/// Op `Id` on operands of `T` gives what `f` gives of their elements, `ulp` apart at most: on
/// `any_tensor` in pairs of layouts, of rank 0 and without elements, and on typed tensors.
template <class Backend, gj::op Id, class T> void check_op(auto const& f, double ulp = 0) {
  CAPTURE(gj::name_of(Id));
  CAPTURE(gj::name_of(gj::dtype_v<T>));
  auto const check = [&]<int... K>(std::integer_sequence<int, K...>, auto const& shapes, form p, form q) {
    using result = decltype(f((static_cast<void>(K), T{})...));
    any_tensor const in[] = {make<T>(shapes[K], K % 2 == 0 ? p : q, 4 * K)...};
    std::vector<T> const values[] = {elements<T>(in[K])...};
    shape const& extents = shapes[3];
    std::vector<result> want;
    for (index_t k = 0; k < extents.count(); ++k)
      want.push_back(f(values[K][broadcast_index(k, shapes[K], extents)]...));
    check_elements<result>(run<Backend, Id>({}, in[K]...), extents, want, ulp);
    if (extents.count() < 51) return;
    auto const typed = [&]<int Operand>(std::integral_constant<int, Operand>) {
      if constexpr (Operand == 0) return in[0].template as<T, dyn, 17>();
      else if constexpr (Operand == 1) return in[1].template as<T, dyn>();
      else return in[2].template as<T, 3, 1>();
    };
    auto const got = run<Backend, Id>({}, typed(std::integral_constant<int, K>{})...);
    static_assert(decltype(got)::type() == gj::dtype_v<result> && decltype(got)::rank() == 2);
    check_elements<result>(got, extents, want, ulp);
  };
  for (auto const& shapes : operand_shapes)
    for (form p : all_forms)
      for (form q : {form::contiguous, form::reversed})
        check(std::make_integer_sequence<int, gj::info_of(Id).arity>{}, shapes, p, q);
}

}  // namespace eager

#endif
