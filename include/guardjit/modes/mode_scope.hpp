// guardjit: modes/mode_scope.hpp: a mode on the stack for the life of a scope
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_MODES_MODE_SCOPE_HPP
#define GUARDJIT_MODES_MODE_SCOPE_HPP

#include <guardjit/base/type_name.hpp>
#include <guardjit/modes/mode_slot.hpp>

#include <concepts>
#include <new>

namespace guardjit::inline GUARDJIT_ABI {

/// A class of modes.
template <class Mode>
concept mode = std::derived_from<Mode, function_mode> && !std::is_const_v<Mode>;

/// A shared owning pointer to a mode, `std::shared_ptr` or of its form.
template <class Pointer>
concept mode_pointer = std::copyable<Pointer> && requires(Pointer const& p) {
  p.get();
  requires mode<std::remove_reference_t<decltype(*p)>>;
};

namespace detail {
template <class Held> struct held_mode { using type = Held; };
template <mode Mode> struct held_mode<Mode&> { using type = Mode; };
template <mode_pointer Pointer> struct held_mode<Pointer> {
  using type = std::remove_reference_t<decltype(*std::declval<Pointer const&>())>;
};

/// Whether modes of a class are pure or keyed and can be copied, so that a copy does for the mode.
/// Rules: M53.
template <class Mode> constexpr bool is_value_mode() {
  if constexpr (requires { Mode::class_of_mode; })
    return is_inlined(Mode::class_of_mode) && std::is_copy_constructible_v<Mode>;
  else return false;
}

/// Another owner of a mode: a copy of the mode, or of the shared pointer to it. `Owner` is its type.
template <class Owner> owned_mode owner_like(void const* held) {
  // In a class without virtual functions: destructors of modes are not virtual, which compilers warn of.
  struct box {
    Owner value;
  };
  auto* const owner = new box{*static_cast<Owner const*>(held)};
  auto const release = [](void* gone) noexcept { delete static_cast<box*>(gone); };
  if constexpr (mode_pointer<Owner>) return {owner->value.get(), &owner->value, owner, release};
  else return {&owner->value, &owner->value, owner, release};
}

template <class Mode> constexpr op_set const* interests_of() noexcept {
  if constexpr (requires { Mode::interests; }) return &Mode::interests;
  else return nullptr;
}
/// How the key of a mode is read, once for a compiled call; null where it has none.
template <class Mode> constexpr auto key_reader_of() noexcept {
  using reader = void (*)(function_mode const&, void*);
  if constexpr (requires(Mode const& m) { requires Mode::class_of_mode == mode_class::keyed; m.key(); }) {
    using keys = decltype(std::declval<Mode const&>().key());
    static_assert(sizeof(keys) <= key_bytes && std::is_trivially_destructible_v<keys>,
                  "guardjit: keyed_mode<M>: key() has too many elements");
    return reader([](function_mode const& mode, void* room) {
      new (room) keys(static_cast<Mode const&>(mode).key());
    });
  } else {
    return reader(nullptr);
  }
}

/// As what a slot is known: by the type of another mode than the one that it holds.
struct mode_identity {
  void const* tag;
  char const* name;
  op_set const* interests;
};
template <class Mode> constexpr mode_identity mode_identity_of() noexcept {
  return {mode_tag<Mode>, type_name<Mode>(), interests_of<Mode>()};
}
}  // namespace detail

/// Pushes a mode; the destructor removes this slot. One mode may hold several slots.
///
/// `mode_scope s{m};` refers to an lvalue `m`, owns an rvalue, shares what a shared owning
/// pointer points to.
/// Complexity: no allocation.
/// Throws: `mode_error` for a null pointer.
/// Rules: M1 to M6, M26, M35.
template <class Held>
  requires(mode<std::remove_reference_t<Held>> || mode_pointer<Held>)
class [[nodiscard]] mode_scope : scope_base {
  using mode_type = typename detail::held_mode<Held>::type;

 public:
  explicit mode_scope(Held&& held) noexcept(!mode_pointer<Held> &&
                                            std::is_nothrow_constructible_v<Held, Held&&>)
      : held_(std::forward<Held>(held)) {
    push();
  }
  explicit mode_scope(Held const& held)
    requires mode_pointer<Held>
      : held_(held) {
    push();
  }
  /// For what stands in for another mode.
  mode_scope(Held&& held, detail::mode_identity const& known) noexcept : held_(std::forward<Held>(held)) {
    push();
    slot_.tag = known.tag;
    slot_.name = known.name;
    slot_.interests = known.interests;
  }
  ~mode_scope() { detail::pop(slot_); }

 private:
  void push() noexcept(!mode_pointer<Held>) {
    if constexpr (mode_pointer<Held>) {
      if (!held_.get())
        raise<mode_error>(fixed_text{} << "guardjit: mode_scope(p): null pointer to "
                                       << type_name<mode_type>());
      slot_.mode = held_.get();
    } else {
      slot_.mode = &held_;
    }
    slot_.name = type_name<mode_type>();
    slot_.interests = detail::interests_of<mode_type>();
    slot_.tag = mode_tag<mode_type>;
    slot_.read_key = detail::key_reader_of<mode_type>();
    slot_.held = &held_;
    if constexpr (mode_pointer<Held>) slot_.own = &detail::owner_like<Held>;
    else if constexpr (detail::is_value_mode<mode_type>()) slot_.own = &detail::owner_like<mode_type>;
    detail::push(slot_);
  }

  Held held_;
  detail::mode_slot slot_;
};
template <mode Mode> mode_scope(Mode&) -> mode_scope<Mode&>;
template <mode Mode> mode_scope(Mode&, detail::mode_identity const&) -> mode_scope<Mode&>;
template <mode Mode> mode_scope(Mode&&) -> mode_scope<Mode>;
template <mode_pointer Pointer> mode_scope(Pointer) -> mode_scope<Pointer>;

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
