// guardjit: compile/fixed_call.hpp: calls that leave hardly a guard: few elements, one kernel
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_FIXED_CALL_HPP
#define GUARDJIT_COMPILE_FIXED_CALL_HPP

#include <guardjit/compile/arguments.hpp>
#include <guardjit/compile/cache.hpp>
#include <guardjit/compile/specialization.hpp>
#include <guardjit/compile/word_compare.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// Number of elements of a shape, or `dyn` where it is not static.
constexpr index_t static_count(shape const& s) {
  index_t count = 1;
  for (int d = 0; d < s.rank; ++d) {
    if (s[d] < 0) return dyn;
    count *= s[d];
  }
  return count;
}

/// A function of one elementwise kernel on arguments that all have the elements of the result, or
/// one for all: their plan is one loop, known to the C++ compiler. Its kernel is inlined where the
/// backend has one for so few elements; it reads everything before it writes, so overlaps need no
/// guard. The number of elements is static, or the extent of vectors.
template <class Spec> class fixed_call {
  using program = typename Spec::facts::first_program;
  using backend = typename Spec::backend;
  static constexpr step what = program::steps == 0 ? step{} : program::kernels.steps[0];
  static constexpr index_t count = static_count(Spec::result_shape);
  static constexpr bool is_vector = Spec::result_rank == 1 && count == dyn;

  static constexpr shape const& shape_of(int argument) {
    return Spec::signature::arguments[static_cast<unsigned>(argument)].extents;
  }
  static constexpr int argument_of(int slot) {
    int const node = program::kernels.slots[static_cast<unsigned>(what.first_slot + slot)];
    return is_view(program::view()[node].id) ? -1 : argument_below<program>(node);
  }
  /// Whether an argument has the elements of the result. A shape with as many as a static one is
  /// the result's but for leading extents of 1.
  static constexpr bool has_all(int argument) {
    shape const& s = shape_of(argument);
    return is_vector ? s.rank == 1 && s[0] == dyn : static_count(s) == count;
  }
  static constexpr bool is_one_kernel() {
    if (Spec::data.paths.size() != 1 || program::steps != 1 || program::facts.copies) return false;
    if (what.kind != step_kind::elementwise || program::facts.backing != 0) return false;
    bool in_slot[Spec::arguments + 1]{}, some = false;
    for (int slot = 0; slot < what.slots; ++slot) {
      int const k = argument_of(slot);
      if (k < 0 || !(has_all(k) || static_count(shape_of(k)) == 1)) return false;
      in_slot[k] = true;
      some = some || has_all(k);
    }
    for (int k = 0; k < Spec::arguments; ++k)
      for (int d = 0; d < shape_of(k).rank; ++d)
        if (is_vector && !in_slot[k] && Spec::data.reads(k, d)) return false;
    return some && (is_vector || count > 0);
  }
  template <class Program> using formula =
      typename formula_of_step<Program, what, std::make_integer_sequence<int, what.words>>::type;

  static constexpr std::uint64_t repeated = [] {
    std::uint64_t bits = 0;
    if (is_one_kernel())
      for (int slot = 0; slot < what.slots; ++slot)
        if (!has_all(argument_of(slot))) bits |= std::uint64_t{1} << slot;
    return bits;
  }();
  static constexpr index_t limit() {
    if constexpr (!is_one_kernel() || !is_vector) return 0;
    else if constexpr (requires { backend::template short_limit<formula<program>>; })
      return backend::template short_limit<formula<program>>;
    else return 0;
  }
  static constexpr bool is_static() {
    if constexpr (!is_one_kernel() || is_vector) return false;
    else if constexpr (requires { backend::template has_fixed<formula<program>, count>; })
      return backend::template has_fixed<formula<program>, count>;
    else return false;
  }
  using slots = std::make_integer_sequence<int, what.slots>;

 public:
  /// Whether calls with an output of these static extents may be such.
  static constexpr bool is_possible(shape const& output) {
    return (is_static() || limit() > 0) && output == Spec::result_shape;
  }
  /// Whether there are no others.
  static constexpr bool is_certain = is_static();

  /// Runs the kernel, if `entries` tells that there is an entry for such arguments, and they are
  /// such. `values` is a tuple of them.
  [[gnu::always_inline]] static bool run(std::uint64_t entries, auto& out, auto const& values) noexcept {
    if constexpr (is_static()) {
      if ((entries & packed_entry) == 0 || !is_packed(out) || !are_packed(values, slots{})) [[unlikely]]
        return false;
      compute(out, values, slots{});
    } else {
      index_t const n = out.extent(0);
      if (n > limit() || (entries >> n & 1u) == 0 || !are_like(out, values, slots{})) return false;
      compute(out, values, slots{});
    }
    return true;
  }

 private:
  template <class Value> [[gnu::always_inline]] static bool is_packed(Value const& value) noexcept {
    if constexpr (is_tensor_v<Value>)
      return is_packed(value, std::make_integer_sequence<int, Value::rank()>{});
    else return true;
  }
  template <class Value, int... D> [[gnu::always_inline]] static bool is_packed(
      Value const& value, std::integer_sequence<int, D...>) noexcept {
    constexpr any_layout packed(Value::static_shape());
    return ((packed.extent(D) == 1 || value.layout().stride(D) == packed.stride(D)) && ...);
  }
  template <int... Slot> [[gnu::always_inline]] static bool are_packed(
      auto const& values, std::integer_sequence<int, Slot...>) noexcept {
    return (is_packed(std::get<argument_of(Slot)>(values)) && ...);
  }

  /// Whether all vectors have the extent and the stride of the output, 1.
  template <int... Slot> [[gnu::always_inline]] static bool are_like(
      auto const& out, auto const& values, std::integer_sequence<int, Slot...>) noexcept {
    word_compare words;
    words.add(out.layout().stride(0), 1);
    (add<Slot>(words, out, values), ...);
    return words.equal();
  }
  template <int Slot> [[gnu::always_inline]] static void add(word_compare& words, auto const& out,
                                                             auto const& values) noexcept {
    if constexpr (has_all(argument_of(Slot)))
      words.add<2>(out.layout().words(), std::get<argument_of(Slot)>(values).layout().words());
  }

  template <int... Slot> [[gnu::always_inline]] static void compute(
      auto& out, auto const& values, std::integer_sequence<int, Slot...>) noexcept {
    std::uint64_t scalars[what.slots + 1];
    void const* const in[] = {
        argument_address(std::get<argument_of(Slot)>(values), scalars[Slot])..., nullptr};
    if constexpr (is_vector)
      backend::template few<formula<program>, repeated>(out.data(), in, out.extent(0));
    else backend::template fixed<formula<program>, repeated, count>(out.data(), in);
  }
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
