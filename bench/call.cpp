// guardjit: bench/call.cpp: what a guarded call costs over a call of the same kernel, by number of tensors
// SPDX-License-Identifier: BSL-1.0
#include "dispatchers.hpp"

namespace {

using namespace bench;

/// One entry for all extents, whose plan the thread remembers.
template <class Case> void add_dynamic() {
  add("call_into", "dynamic", std::to_string(Case::arguments), [](benchmark::State& state) {
    auto const f = gj::compile(Case::function, gj::dynamic::all);
    run_same<Case>(state, into_of<Case>(f), make_arguments<Case>(8));
  });
}
template <class Case> void add_predicted() {
  add_call_into<Case>();
  add_dynamic<Case>();
}

/// Memory for intermediates from the caller; fresh results; arguments whose types are known at run time.
void add_other_forms() {
  add("call_workspace", "guardjit", "3", [](benchmark::State& state) {
    auto const f = gj::compile(three::function);
    auto const callee = [&f](matrix& out, arguments_of<three> const& a) {
      f.into(out, a[0], a[1], a[2], std::span<std::byte>{});
    };
    run_same<three>(state, callee, make_arguments<three>(8));
  });
  add("call_returned", "guardjit", "3", [](benchmark::State& state) {
    auto const f = gj::compile(three::function);
    auto const callee = [&f](matrix& out, arguments_of<three> const& a) { out = f(a[0], a[1], a[2]); };
    run_same<three>(state, callee, make_arguments<three>(8));
  });
  add("call_any", "guardjit", "3", [](benchmark::State& state) {
    auto const f = gj::compile(three::function, gj::signature<matrix, matrix, matrix>);
    auto const a = make_arguments<three>(8);
    gj::any_tensor const x = a[0], y = a[1], z = a[2];
    auto const callee = [&](matrix& out, arguments_of<three> const&) {
      gj::any_tensor to = out;
      f.into(to, x, y, z);
    };
    require_right<three>(callee, a);
    gj::any_tensor out = matrix(1, 8);
    measure(state, [&] { f.into(out, x, y, z); });
  });
  for (char const* subject : {"call_workspace", "call_returned", "call_any"})
    add(subject, "direct", "3", [](benchmark::State& state) {
      auto const a = make_arguments<three>(8);
      run_same<three>(state, direct_call<three>(a), a);
    });
}

template <class Case> void add_misses(std::string const& arguments) {
  add("call_miss", "entry", arguments, [](benchmark::State& state) {
    auto const f = gj::compile(Case::function);
    auto const callee = [&f](matrix& out, arguments_of<Case> const& a) {
      f.clear();
      into_of<Case>(f)(out, a);
    };
    run_same<Case>(state, callee, make_arguments<Case>(8));
  });
  add("call_miss", "uncached", arguments, [](benchmark::State& state) {
    auto const f = gj::compile(Case::function, gj::dynamic::none, gj::recompile_limit{1});
    matrix first(1, 9);
    f.into(first, first, first, first);
    run_same<Case>(state, into_of<Case>(f), make_arguments<Case>(8));
  });
  add("call_miss", "direct", arguments, [](benchmark::State& state) {
    auto const a = make_arguments<Case>(8);
    run_same<Case>(state, direct_call<Case>(a), a);
  });
}

[[maybe_unused]] int const registered = [] {
  add_predicted<one>();
  add_predicted<three>();
  add_predicted<eight>();
  add_other_forms();
  add_misses<three>("2ops");
  add_misses<ten_ops>("10ops");
  return 0;
}();

}  // namespace
