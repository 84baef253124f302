// guardjit: tests/static/base/events.cpp: what the types of events and source lines promise
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/base/events.hpp>

namespace gj = guardjit;

static_assert(std::is_trivially_copyable_v<gj::event> &&
              std::is_trivially_copyable_v<gj::source_line>);
static_assert(noexcept(gj::has_subscribers()) && noexcept(gj::send(gj::event{})));

using sink = void (*)(gj::event const&);
static_assert(!std::is_copy_constructible_v<gj::subscription<sink>> &&
              !std::is_move_constructible_v<gj::subscription<sink>> &&
              std::is_nothrow_destructible_v<gj::subscription<sink>>);

constexpr gj::source_line here = std::source_location::current();
static_assert(here.line == __LINE__ - 1);
static_assert(gj::source_line{}.line == 0);
