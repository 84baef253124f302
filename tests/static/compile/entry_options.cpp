// guardjit: tests/static/compile/entry_options.cpp: what the options of the entry layer cost where they are not given
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/core.hpp>

using namespace guardjit;

namespace {

struct twice {
  constexpr auto operator()(auto x) const { return x * 2; }
};
using argument = tensor<float, dyn>;
using spec = specialization<twice, call_signature<argument_type{.type = dtype::f32, .extents = {dyn}}>, backends::reference>;

// Without user guards a call holds its function and its arguments, as ever.
static_assert(sizeof(detail::typed_call<spec, detail::no_user_guards, argument>) == 2 * sizeof(void*));
static_assert(detail::no_user_guards::hold() && noexcept(detail::no_user_guards::hold()));

// What an entry has beside its plan fills four cache lines; the last is what a hit reads.
static_assert(sizeof(entry) == 256);

// Settings, whatever their order.
constexpr compile_settings both = [] {
  compile_settings all;
  detail::apply_setting(all, fullgraph);
  detail::apply_setting(all, on_limit{limit_action::evict});
  detail::apply_setting(all, compile_limit{3});
  detail::apply_setting(all, dynamic::all);
  return all;
}();
static_assert(both.fullgraph && both.at_limit == limit_action::evict && both.compile_limit == 3);
static_assert(both.recompile_limit == 8 && !both.error_on_recompile && compile_settings{}.compile_limit == 256);

// Only what an entry can do without may be dropped.
static_assert(may_be_dropped(guard_kind::predicate) && may_be_dropped(guard_kind::scalar_is));
static_assert(!may_be_dropped(guard_kind::extent_is) && !may_be_dropped(guard_kind::path_is));
static_assert(!may_be_dropped(guard_kind::no_overlap) && !may_be_dropped(guard_kind::strides_are));

// The outcome of a user guard is one bit of a word that the call brings along.
constexpr guard second{.kind = guard_kind::predicate, .condition = 1, .expected = 1};
static_assert(holds(second, {.predicates = 2}) && !holds(second, {.predicates = 5}) && holds(second, {}));

}  // namespace
