// guardjit: transforms/mode_stand_in.hpp: a mode of a traced function on the stack of a thread
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TRANSFORMS_MODE_STAND_IN_HPP
#define GUARDJIT_TRANSFORMS_MODE_STAND_IN_HPP

#include <guardjit/expr/evaluate.hpp>
#include <guardjit/graph/graph.hpp>
#include <guardjit/modes/mode_scope.hpp>
#include <guardjit/modes/pure_mode.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Stands for a keyed mode of a traced function at run time: all that is left of it is its key.
template <class Mode, class Keys> class mode_stand_in final : public keyed_mode<mode_stand_in<Mode, Keys>> {
 public:
  explicit mode_stand_in(Keys const& keys) : keys_(keys) {}
  auto key() const noexcept { return keys_; }
  template <class Call> static auto handle(Call& call) { return Mode::template handle<Call>(call); }

 private:
  Keys keys_;
};

/// An element of a key from a scalar of the graph.
template <class Element> Element key_element(operand const& x) {
  if constexpr (std::is_enum_v<Element>) return static_cast<Element>(x.scalar<std::int64_t>());
  else if constexpr (std::is_same_v<Element, bool>) return x.scalar<bool>();
  else if constexpr (std::is_integral_v<Element>) return static_cast<Element>(x.scalar<std::int64_t>());
  else return static_cast<Element>(x.scalar<double>());
}

/// Goes on with a mode of a traced function on the stack of this thread.
template <class Mode> void run_under_mode(operand const* keys, continuation next) {
  if constexpr (Mode::class_of_mode == mode_class::keyed) {
    using tuple = decltype(std::declval<Mode const&>().key());
    auto const values = [keys]<std::size_t... K>(std::index_sequence<K...>) {
      return tuple(key_element<std::tuple_element_t<K, tuple>>(keys[K])...);
    }(std::make_index_sequence<std::tuple_size_v<tuple>>{});
    mode_stand_in<Mode, tuple> mode(values);
    mode_scope scope(mode, mode_identity_of<Mode>());
    next.run(next.context);
  } else {
    static_assert(std::is_default_constructible_v<Mode>,
                  "guardjit: pure_mode<M>: M must be default constructible where opaque runs under it");
    Mode mode;
    mode_scope scope(mode);
    next.run(next.context);
  }
}

/// What runs callables of `opaque` under a mode. Without the default backend handlers cannot run at run
/// time, and there is none. (A parameter, so that the question is asked where a function is compiled.)
template <class Mode, class Backend = default_backend>
constexpr auto runner_under_mode() -> void (*)(operand const*, continuation) {
  if constexpr (complete<Backend>) return &run_under_mode<Mode>;
  else return nullptr;
}

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
