// guardjit: tests/static/modes/scopes.cpp: what the types of the modes layer promise
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/modes/default_device.hpp>
#include <guardjit/modes/dispatch.hpp>
#include <guardjit/modes/dispatch_scopes.hpp>
#include <guardjit/modes/mode_scope.hpp>
#include <guardjit/modes/mode_stack.hpp>
#include <guardjit/modes/nan_check.hpp>
#include <guardjit/modes/no_allocation.hpp>
#include <guardjit/modes/op_counter.hpp>
#include <guardjit/modes/stash_modes.hpp>
#include <guardjit/modes/thread_snapshot.hpp>

#include <memory>

namespace gj = guardjit;

// MODE-026
template <class Scope> inline constexpr bool stays_put =
    !std::is_copy_constructible_v<Scope> && !std::is_move_constructible_v<Scope> &&
    !std::is_copy_assignable_v<Scope> && !std::is_move_assignable_v<Scope> && !requires {
  new Scope;
}
&&std::is_nothrow_destructible_v<Scope>;

static_assert(stays_put<gj::mode_scope<gj::op_counter&>>);
static_assert(stays_put<gj::mode_scope<gj::op_counter>>);
static_assert(stays_put<gj::mode_scope<std::shared_ptr<gj::op_counter>>>);
static_assert(stays_put<gj::stash_modes>);
static_assert(stays_put<gj::reinstate_modes>);
static_assert(stays_put<gj::dispatch_disabled>);
static_assert(stays_put<gj::dispatch_enabled>);
static_assert(stays_put<gj::inert_scope>);
static_assert(stays_put<gj::default_device_scope>);
static_assert(stays_put<gj::thread_state_scope>);
static_assert(stays_put<gj::no_allocation> && std::is_nothrow_default_constructible_v<gj::no_allocation>);

// What a scope holds: a reference, the mode, or the pointer.
static_assert(std::is_same_v<decltype(gj::mode_scope{std::declval<gj::op_counter&>()}),
                             gj::mode_scope<gj::op_counter&>>);
static_assert(
    std::is_same_v<decltype(gj::mode_scope{gj::op_counter{}}), gj::mode_scope<gj::op_counter>>);
static_assert(
    std::is_same_v<decltype(gj::mode_scope{std::declval<std::shared_ptr<gj::op_counter>&>()}),
                   gj::mode_scope<std::shared_ptr<gj::op_counter>>>);
template <class Held>
concept scopable = requires(Held&& held) {
  gj::mode_scope{static_cast<Held&&>(held)};
};
static_assert(scopable<gj::op_counter&> && scopable<std::shared_ptr<gj::function_mode> const&>);
static_assert(!scopable<gj::op_counter const&> && !scopable<gj::op_counter*> && !scopable<int&>);

// M19: a mode without its handler is abstract.
struct lacks_handle : gj::function_mode {};
struct lacks_observe : gj::observer_mode {};
struct lacks_infra_handle : gj::infra_mode {};
static_assert(std::is_abstract_v<lacks_handle> && std::is_abstract_v<lacks_observe> &&
              std::is_abstract_v<lacks_infra_handle>);

// A test of a result goes through any layout without the heap.
static_assert(noexcept(gj::detail::find_refused(std::declval<gj::any_tensor const&>(), {})));

// M7, M72
static_assert(noexcept(gj::mode_stack::depth()) && noexcept(gj::mode_stack::top()));
static_assert(noexcept(gj::mode_stack::active()) && noexcept(gj::mode_stack::enabled()));
static_assert(noexcept(gj::current_word()) && noexcept(gj::dispatch_active()) && noexcept(
    gj::observers_active()));
static_assert(noexcept(gj::mode_scope<gj::op_counter&>(std::declval<gj::op_counter&>())));
static_assert(noexcept(gj::stash_modes()) && noexcept(gj::dispatch_disabled()) && noexcept(
    gj::inert_scope()));
static_assert(noexcept(gj::reinstate_modes(std::declval<gj::stash_modes&>())));

// M26
constexpr gj::op_set some = {gj::op::add, gj::op::full};
static_assert(some.contains(gj::op::add) && some.contains(gj::op::full) &&
              !some.contains(gj::op::sub));
static_assert(!gj::op_set{}.contains(gj::op::add) && gj::op_set{} != some);

// M40 to M48: plain reads and writes of the thread.
static_assert(noexcept(gj::default_device()) && noexcept(gj::set_default_device({})) && noexcept(
    gj::clear_default_device()));
static_assert(noexcept(gj::default_device_scope({})));

// M53: a snapshot owns what it holds, and outlives its scopes.
static_assert(std::is_nothrow_move_constructible_v<gj::thread_state> &&
              std::is_nothrow_move_assignable_v<gj::thread_state> &&
              !std::is_copy_constructible_v<gj::thread_state>);
static_assert(std::is_constructible_v<gj::thread_state_scope, gj::thread_state const&> &&
              !std::is_constructible_v<gj::thread_state_scope, gj::thread_state>);
