// guardjit: tests/conformance/modes/window.cpp: cases of compiles that fail under modes
// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "conformance/modes/fixtures.hpp"

namespace gj = guardjit;
using namespace fixtures;

namespace {

struct steps {
  constexpr auto operator()(auto const& x) const { return x * 2; }
};
using types = gj::call_signature<gj::argument_type{gj::dtype::f32, false, {gj::dyn, gj::dyn}}>;
using spec = gj::specialization<steps, types, gj::backends::reference, gj::numbered_leaves,
                                gj::type_list<gj::mode_list<pass1>>>;
static_assert(spec::data.paths.size() == 2 && spec::data.paths[1].stack == 1);

bool is_broken = true;
int depth_in_build = -1;

}  // namespace

TEST_CASE("MODE-069: a backend that throws while it builds leaves everything as it was") {
  std::array<gj::path_spec, 2> paths{spec::data.paths[0], spec::data.paths[1]};
  paths[1].bind = [](gj::layout_view const* arguments, void* room, gj::bound_call& to) {
    depth_in_build = gj::mode_stack::depth();
    if (is_broken) gj::raise<gj::backend_error>("no plan today");
    spec::data.paths[1].bind(arguments, room, to);
  };
  gj::function_spec data = spec::data;
  data.paths = paths;
  gj::cache entries(data);
  gj::detail::function_state fn;

  auto const x = ones22();
  gj::detail::call_frame<1> frame(x);
  gj::frame_view f = frame.view();
  f.stack = 1;
  alignas(64) std::byte plan[spec::data.plan_bytes];
  gj::index_t symbols[spec::data.symbols];
  auto const call = [&]() -> gj::entry const* {
    gj::detail::call_epoch const epoch;
    return entries.miss(fn, f, 0, {plan, symbols});
  };

  pass1 mode;
  count_ob watch;
  gj::mode_scope const below(mode);
  gj::mode_scope const above(watch);
  std::uint64_t const word = gj::current_word();
  for (int k = 0; k < 2; ++k) {
    is_broken = true;
    depth_in_build = -1;
    CHECK_THROWS_AS(call(), gj::backend_error);
    CHECK(depth_in_build == 0);
    CHECK(gj::mode_stack::depth() == 2);
    CHECK(gj::mode_stack::top() == &watch);
    CHECK(gj::mode_stack::active());
    CHECK(gj::current_word() == word);
    std::vector<gj::entry_info> list;
    entries.describe(fn, list);
    CHECK(list.empty());
  }
  is_broken = false;
  gj::entry const* const made = call();
  REQUIRE(made);
  CHECK(made->stack == 1);
  CHECK(watch.told == 0);
  CHECK(fn.compile_count() == 3);
}
