// guardjit: compile/visible_stack.hpp: which declared mode stack a call is made under, and its keys
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_VISIBLE_STACK_HPP
#define GUARDJIT_COMPILE_VISIBLE_STACK_HPP

#include <guardjit/base/type_name.hpp>
#include <guardjit/compile/arguments.hpp>
#include <guardjit/compile/spec.hpp>
#include <guardjit/transforms/moded_paths.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// The visible modes of the declared stack `Modes`, from the bottom.
template <class... Modes> struct visible_modes {
  static constexpr int count = static_cast<int>(sizeof...(Modes));
  std::array<mode_slot const*, sizeof...(Modes)> slots;

  /// Whether the visible pure and keyed modes have exactly these types. Complexity: a compare a mode.
  /// Rules: M61.
  [[gnu::always_inline]] bool find() noexcept {
    constexpr std::array<void const*, sizeof...(Modes)> tags{mode_tag<Modes>...};
    mode_slot const* slot = this_thread.visible;
    return [&]<int... K>(std::integer_sequence<int, K...>) {
      bool const fits = (is_next(slot, tags[count - 1 - K], slots[count - 1 - K]) && ...);
      return fits && (!slot || !slot->filtered);
    }(std::make_integer_sequence<int, count>{});
  }

 private:
  /// The next filtered slot from `at` on, which moves below it.
  [[gnu::always_inline]] static bool is_next(mode_slot const*& at, void const* tag,
                                             mode_slot const*& found) noexcept {
    found = at ? at->filtered : nullptr;
    if (!found || found->tag != tag) return false;
    at = found->below;
    return true;
  }
};

template <class Mode> constexpr auto no_key() {
  if constexpr (Mode::class_of_mode == mode_class::keyed)
    return decltype(std::declval<Mode const&>().key()){};
  else return std::tuple<>{};
}
/// The key of a mode: the one that is fixed for a call, else asked now.
template <class Mode> auto key_of(mode_slot const& slot) {
  if constexpr (Mode::class_of_mode == mode_class::keyed) {
    using keys = decltype(std::declval<Mode const&>().key());
    alignas(16) std::byte room[key_bytes];
    if (!slot.keys) slot.read_key(*slot.mode, room);
    return *static_cast<keys const*>(slot.keys ? slot.keys : room);
  } else {
    return std::tuple<>{};
  }
}
template <class... Elements> auto as_scalars(std::tuple<Elements...> const& keys) {
  return std::apply([](auto const&... each) { return std::tuple{key_scalar(each)...}; }, keys);
}

/// What a call finds on the thread: the number of its declared stack (0: no mode; -1: another stack, or a
/// mode that needs the real values), and the keys of all declared stacks, those of other stacks 0.
template <class Stacks> struct call_modes;
template <class... Stacks> struct call_modes<type_list<Stacks...>> {
  static constexpr int count = static_cast<int>(sizeof...(Stacks));

  template <class... Modes> static auto keys_of_none(type_list<Modes...>) {
    return std::tuple_cat(as_scalars(no_key<Modes>())...);
  }
  using keys_type = decltype(std::tuple_cat(keys_of_none(Stacks{})...));

  int stack = 0;
  keys_type keys{};

  [[gnu::always_inline]] static call_modes of_this_thread() {
    call_modes result;
    std::uint64_t const word = current_word();
    if (word == 0) [[likely]]
      return result;
    // Inside of guards and the like no mode is there.
    if (!is_inert()) result.find(word);
    return result;
  }

 private:
  [[gnu::always_inline]] void find(std::uint64_t word) {
    if ((word & (filtered_bits | word_bit(mode_class::runtime))) == 0) return;
    stack = -1;
    if (word & word_bit(mode_class::runtime)) return;
    int number = 0;
    (try_stack<keys_before<Stacks>()>(++number, Stacks{}), ...);
  }
  template <class Stack> static constexpr int keys_before() {
    int before = 0;
    bool found = false;
    ((found = found || std::is_same_v<Stack, Stacks>, before += found ? 0 : count_stack_keys(Stacks{})), ...);
    return before;
  }
  template <int First, class... Modes>
  [[gnu::always_inline]] void try_stack(int number, type_list<Modes...>) {
    visible_modes<Modes...> modes;
    if (stack >= 0 || !modes.find()) return;
    stack = number;
    if constexpr ((0 + ... + key_count<Modes>) > 0) {
      auto const mine = [&]<std::size_t... K>(std::index_sequence<K...>) {
        return std::tuple_cat(as_scalars(key_of<Modes>(*modes.slots[K]))...);
      }(std::index_sequence_for<Modes...>{});
      [&]<std::size_t... K>(std::index_sequence<K...>) {
        ((std::get<static_cast<std::size_t>(First) + K>(keys) = std::get<K>(mine)), ...);
      }(std::make_index_sequence<std::tuple_size_v<std::remove_const_t<decltype(mine)>>>{});
    }
  }
};

/// The declared stack that is visible in a call; of functions that declare none there is nothing to keep.
struct stack_of_call {
  int number;
};
struct no_stack_of_call {
  static constexpr int number = 0;
  constexpr explicit no_stack_of_call(int) {}
};

/// `F` with parameters behind its own that it does not read: the keys of modes.
template <class F, int Count> struct with_keys {
  template <class... Arguments>
    requires(takes_syms<F>(std::make_integer_sequence<int, static_cast<int>(sizeof...(Arguments)) - Count>{}))
  constexpr auto operator()(Arguments&... arguments) const {
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
      std::tuple<Arguments&...> const all(arguments...);
      return F{}(std::get<K>(all)...);
    }(std::make_index_sequence<sizeof...(Arguments) - static_cast<std::size_t>(Count)>{});
  }
};

/// Names for the keys of modes behind those of the arguments: `scale.key<0>`.
template <class Names, int Arguments, class Stacks> struct names_with_keys {
  static constexpr int keys = std::tuple_size_v<typename call_modes<Stacks>::keys_type>;
  static constexpr auto list = [] {
    std::array<leaf_path, static_cast<unsigned>(Arguments + keys)> all{};
    for (int k = 0; k < Arguments; ++k) {
      leaf_path& to = all[static_cast<unsigned>(k)];
      if (Names::names.empty()) {
        to.append("arg[");
        to.append(k);
        to.append(']');
      } else {
        to = Names::names[static_cast<unsigned>(k)];
      }
    }
    unsigned at = Arguments;
    for_each_type(Stacks{}, [&]<class... Modes>(std::type_identity<type_list<Modes...>>) {
      auto const add = [&]<class Mode>(std::type_identity<Mode>) {
        for (int k = 0; k < key_count<Mode>; ++k) {
          leaf_path& to = all[at++];
          to.append(type_name<Mode>());
          to.append(".key<");
          to.append(k);
          to.append('>');
        }
      };
      (add(std::type_identity<Modes>{}), ...);
    });
    return all;
  }();
  static constexpr std::span<leaf_path const> names{list};
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
