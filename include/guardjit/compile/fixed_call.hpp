// guardjit: compile/fixed_call.hpp: calls whose types leave hardly a guard: few elements, one kernel
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_FIXED_CALL_HPP
#define GUARDJIT_COMPILE_FIXED_CALL_HPP

#include <guardjit/compile/arguments.hpp>
#include <guardjit/compile/specialization.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Number of elements of a shape, or -1 where it is not static.
constexpr index_t static_count(shape const& s) {
  index_t count = 1;
  for (int d = 0; d < s.rank; ++d) {
    if (s[d] < 0) return -1;
    count *= s[d];
  }
  return count;
}

/// A function of one elementwise kernel on arguments of static extents, of which each has as many
/// elements as the result, or one for all. Where the backend has a kernel for such a number
/// (`has_fixed`), the plan is known to the C++ compiler: the kernel is inlined, its loops are
/// constants, and what is left to check is that strides are row-major. It reads everything before
/// it writes, so overlaps need no guard.
template <class Spec> class fixed_call {
  using program = typename Spec::facts::first_program;
  static constexpr step what = program::steps == 0 ? step{} : program::kernels.steps[0];
  static constexpr shape const& result_shape = Spec::result_types[0].extents;
  static constexpr index_t count = static_count(result_shape);

  static constexpr int argument_of(int slot) {
    int const node = program::kernels.slots[static_cast<unsigned>(what.first_slot + slot)];
    return is_view(program::view()[node].id) ? -1 : argument_below<program>(node);
  }
  static constexpr shape const& shape_of(int argument) {
    return Spec::signature::arguments[static_cast<unsigned>(argument)].extents;
  }

  static constexpr bool has_fixed_shapes() {
    if (Spec::data.paths.size() != 1 || Spec::data.checks_scalars) return false;
    if (!Spec::data.declared.empty()) return false;
    for (argument_type const& a : Spec::signature::arguments)
      if (a.by_value) return false;
    if (Spec::results != 1 || program::steps != 1 || program::facts[0].copies) return false;
    if (what.kind != step_kind::elementwise || program::facts[0].backing != 0) return false;
    for (int slot = 0; slot < what.slots; ++slot) {
      int const k = argument_of(slot);
      if (k < 0) return false;
      index_t const elements = static_count(shape_of(k));
      if (elements != count && elements != 1) return false;
      // A shape with as many elements is the result's, but for leading extents of 1.
    }
    return count > 0;
  }
  static constexpr bool has_kernel() {
    if constexpr (!has_fixed_shapes()) return false;
    else if constexpr (requires { Spec::backend::template has_fixed<formula<program>, count>; })
      return Spec::backend::template has_fixed<formula<program>, count>;
    else return false;
  }
  template <class Program> using formula =
      typename formula_of_step<Program, what, std::make_integer_sequence<int, what.words>>::type;

  static constexpr std::uint64_t repeated = [] {
    std::uint64_t bits = 0;
    if (has_fixed_shapes() && count != 1)
      for (int slot = 0; slot < what.slots; ++slot)
        if (static_count(shape_of(argument_of(slot))) == 1) bits |= std::uint64_t{1} << slot;
    return bits;
  }();

 public:
  /// Whether a call with an output of these extents, `dyn` where its type does not tell, may be one.
  static constexpr bool is_possible(shape const& output) {
    if (!has_kernel()) return false;
    for (int d = 0; d < output.rank; ++d)
      if (output[d] != dyn && output[d] != result_shape[d]) return false;
    return true;
  }

  /// Whether the output has the result's extents, and it and the arguments that are read lie row-major.
  /// `values` is a tuple; the extents of the arguments are those of the signature.
  [[gnu::always_inline]] static bool matches(auto const& out, auto const& values) noexcept {
    return has_shape(out, axes<result_shape.rank>{}) && is_packed<-1>(out) && are_packed(values, slots{});
  }
  [[gnu::always_inline]] static void run(auto& out, auto const& values) noexcept {
    run(out, values, slots{});
  }

 private:
  using slots = std::make_integer_sequence<int, what.slots>;
  template <int Rank> using axes = std::make_integer_sequence<int, Rank>;

  template <class Out, int... D> [[gnu::always_inline]] static bool has_shape(
      Out const& out, std::integer_sequence<int, D...>) noexcept {
    return ((Out::static_extent(D) != dyn || out.extent(D) == result_shape[D]) && ...);
  }
  /// `Argument`: its number, or -1 for the output.
  template <int Argument, class Value> [[gnu::always_inline]] static bool is_packed(
      Value const& value) noexcept {
    if constexpr (is_argument_tensor_v<Value>) return is_packed<Argument>(value, axes<Value::rank()>{});
    else return true;
  }
  template <int Argument, class Value, int... D> [[gnu::always_inline]] static bool is_packed(
      Value const& value, std::integer_sequence<int, D...>) noexcept {
    constexpr any_layout packed(Argument < 0 ? result_shape : shape_of(Argument));
    return ((packed.extent(D) == 1 || value.layout().stride(D) == packed.stride(D)) && ...);
  }
  template <int... Slot> [[gnu::always_inline]] static bool are_packed(
      auto const& values, std::integer_sequence<int, Slot...>) noexcept {
    return (is_packed<argument_of(Slot)>(std::get<argument_of(Slot)>(values)) && ...);
  }
  template <int... Slot> [[gnu::always_inline]] static void run(
      auto& out, auto const& values, std::integer_sequence<int, Slot...>) noexcept {
    std::uint64_t scalars[what.slots + 1];
    void const* const in[] = {
        argument_address(std::get<argument_of(Slot)>(values), scalars[Slot])..., nullptr};
    Spec::backend::template fixed<formula<program>, count, repeated>(out.data(), in);
  }
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
