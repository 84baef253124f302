// guardjit: tests/paths/op.hpp: one op by each path, backend and kind of signature, for the generated units
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_PATHS_OP_HPP
#define GUARDJIT_TESTS_PATHS_OP_HPP

#if PATHS_THRUST
#include <guardjit/kernels/thrust.hpp>
#endif

#include <tuple>

#include "function.hpp"

namespace paths {

/// An operand of eager code by the kernels of `Backend`, of run-time dtype and rank.
template <class Backend> struct eager : gj::tensor_operators<eager<Backend>> {
  using backend = Backend;
  any_tensor value;

  explicit eager(any_tensor x) : value(std::move(x)) {}
  int rank() const { return value.rank(); }
  gj::dtype type() const { return value.type(); }
  index_t extent(int d) const { return value.extent(d); }
  gj::shape const& shape() const { return value.shape(); }
};
template <class Value> inline constexpr bool is_eager = false;
template <class Backend> inline constexpr bool is_eager<eager<Backend>> = true;

template <class First, class... More> struct first_eager : first_eager<More...> {};
template <class Backend, class... More> struct first_eager<eager<Backend>, More...> {
  using type = eager<Backend>;
};

template <class Backend> any_tensor const& plain(eager<Backend> const& x) { return x.value; }
template <gj::scalar_operand Scalar> Scalar plain(Scalar x) { return x; }

template <gj::op Id, int Dims, class To, class First, class... More>
  requires(is_eager<First> || ... || is_eager<More>)
auto apply_op(gj::op_tag<Id, Dims, To>, gj::attributes const& extra, gj::source_line where,
              First const& a, More const&... more) {
  using operand = typename first_eager<First, More...>::type;
  return operand(gj::detail::run_any<typename operand::backend, Id, To>(extra, where, false, plain(a), plain(more)...));
}

}  // namespace paths

template <class Backend> inline constexpr bool guardjit::is_operand_v<paths::eager<Backend>> = true;

namespace paths {

/// One op, by the kernels of one backend and for operands of one signature: as an expression and compiled.
template <class Backend, class Signature, class F> struct typed_paths {
  evaluated<Backend, F> expression{};
  decltype(gj::compile(F{}, gj::backend(Backend{}))) compiled = gj::compile(F{}, gj::backend(Backend{}));

  void append(std::vector<path>& all, std::string const& kind, unsigned takes) const {
    std::string const by = Backend::name + (", " + kind);
    all.push_back(Signature::path_of(by + ", expression", takes, expression));
    all.push_back(Signature::path_of(by + ", compiled", takes, compiled));
  }
};
/// One op by the kernels of one backend: on tensors whose dtype and rank are known at run time, and typed
/// with no, some and all extents known, and with an extent 0 that is.
template <class Backend, class F, class Open, class Mixed, class Fixed, class... Empty> struct backend_paths {
  typed_paths<Backend, Open, F> open;
  typed_paths<Backend, Mixed, F> mixed;
  typed_paths<Backend, Fixed, F> fixed;
  std::tuple<typed_paths<Backend, Empty, F>...> empty;

  /// `drawn` has any extents, those of `Mixed`, of `Fixed` and of `Empty`, in this order.
  void append(std::vector<path>& all) const {
    constexpr unsigned all_turns = 0b1111;
    all.push_back({std::string(Backend::name) + ", eager", all_turns, nullptr, [](void const*, operands in) {
                     return Open::template call_on<eager<Backend>, F>(in).value;
                   }});
    open.append(all, "no static extents", all_turns);
    mixed.append(all, "some static extents", 0b1110);
    fixed.append(all, "static extents", 0b0100);
    std::apply([&](auto const&... e) { (e.append(all, "static extents, one is 0", 0b1000), ...); }, empty);
  }
};

/// One op on each path. `Signatures`: of the extents in `backend_paths`.
template <class... Signatures, class F> void check_op(F, subject s, std::uint64_t seed, int draws) {
  backend_paths<gj::backends::reference, F, Signatures...> const reference;
  backend_paths<gj::backends::eigen, F, Signatures...> const eigen;
  reference.append(s.all);
  eigen.append(s.all);
#if PATHS_THRUST
  backend_paths<gj::backends::thrust_cpp, F, Signatures...> const thrust;
  thrust.append(s.all);
#endif
  s.oracle = &std::tuple_element_t<0, std::tuple<Signatures...>>::template call_on<known, F>;
  check(s, seed, draws);
}

}  // namespace paths

#endif
