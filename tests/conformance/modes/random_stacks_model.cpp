// guardjit: tests/conformance/modes/random_stacks_model.cpp: dispatch as the rules say it, slow and plain
// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "conformance/modes/random_stacks.hpp"
#include "support/op_by_op.hpp"

namespace random_stacks {

namespace {

using gj::op;

/// An op as a model's observer is told of it: which operands are numbers.
struct told {
  op id{};
  std::vector<bool> numbers;
  bool operator==(told const&) const = default;
};

/// A tensor or a number.
struct value {
  std::vector<float> elements;
  bool is_number = false;
};
value number(float x) { return {{x}, true}; }

/// The rules of dispatch (M10 to M14) and of the fixtures, by recursion over the stack.
struct model {
  std::vector<slot> stack;
  std::vector<std::vector<told>> seen;  // by slot
  std::size_t count = 0;

  static float compute(op id, float a, float b) {
    switch (id) {
      case op::add: return a + b;
      case op::sub: return a - b;
      case op::mul: return a * b;
      case op::neg: return -a;
      case op::maximum: return a > b ? a : b;
      default: return 0;
    }
  }
  value kernel(op id, std::vector<value> const& in) const {
    value result;
    for (std::size_t k = 0; k < count; ++k) {
      auto const element = [&](std::size_t i) {
        if (i >= in.size()) return 0.0f;
        return in[i].is_number ? in[i].elements[0] : in[i].elements[k];
      };
      result.elements.push_back(compute(id, element(0), element(1)));
    }
    return result;
  }

  /// `id` on its way to the slots below `level`.
  value dispatch(op id, std::vector<value> const& in, std::size_t level) {
    while (level-- > 0) {
      slot const& s = stack[level];
      switch (s.what) {
        case kind::observer:
        case kind::runtime: {
          told t{id, {}};
          for (value const& x : in) t.numbers.push_back(x.is_number);
          seen[level].push_back(t);
          break;
        }
        case kind::zero:
          if (id == op::add) return dispatch(op::zeros, {}, level);
          break;
        case kind::one:
          if (id == op::mul) return dispatch(op::add, {dispatch(op::zeros, {}, level), number(1)}, level);
          break;
        case kind::plus100:
          if (id == op::add) return dispatch(op::sub, {dispatch(id, in, level), number(-100)}, level);
          break;
        case kind::scale:
          if (id == op::mul) return dispatch(op::mul, {dispatch(id, in, level), number(s.key)}, level);
          break;
        case kind::halves:
          if (id == op::mul) {
            // A product of numbers is no op.
            value const right = in[1].is_number ? number(in[1].elements[0] * 0.5f)
                                                : dispatch(op::mul, {in[1], number(0.5f)}, level);
            return dispatch(id, {in[0], right}, level);
          }
          break;
        default: break;
      }
    }
    return kernel(id, in);
  }

  value run(program const& p, value const& x, value const& y) {
    std::vector<value> values{x, y};
    for (int k = 0; k < p.count; ++k) {
      step const& s = p.steps[static_cast<unsigned>(k)];
      std::vector<value> in;
      for (input const& i : {s.a, s.b})
        in.push_back(i.is_number ? number(static_cast<float>(i.value)) : values[static_cast<unsigned>(i.value)]);
      if (s.id == op::neg) in.pop_back();
      constexpr slot inner[] = {{kind::pass1}, {kind::zero}, {kind::plus100}, {kind::scale, 2}};
      bool const is_inside = s.mode != around::nothing && s.id != op::neg;
      if (is_inside) stack.push_back(inner[static_cast<unsigned>(s.mode)]), seen.emplace_back();
      values.push_back(dispatch(s.id, in, stack.size()));
      if (is_inside) stack.pop_back(), seen.pop_back();
      if (p.broken == k) values.back() = dispatch(op::neg, {values.back()}, stack.size());
    }
    return values.back();
  }
};

/// A mode that needs the real values and notes what it is asked.
struct log_rt final : gj::function_mode {
  std::vector<fixtures::record>* seen;
  explicit log_rt(std::vector<fixtures::record>& list) : seen(&list) {}
  gj::op_result handle(gj::op_call& call) override {
    fixtures::record r{call.op(), {}, static_cast<int>(call.where().line)};
    for (gj::operand const& x : call.operands()) r.operands.push_back(x.info());
    seen->push_back(r);
    return call();
  }
};

using records = std::vector<std::vector<fixtures::record>>;
/// Calls `use` under the modes of a stack, from slot `k` on; what they were told is in `seen`.
void under_stack(std::vector<slot> const& stack, std::size_t k, records& seen, auto const& use) {
  if (k == stack.size()) return use();
  auto const go_on = [&](auto&& mode) {
    gj::mode_scope const scope(mode);
    under_stack(stack, k + 1, seen, use);
  };
  switch (stack[k].what) {
    case kind::zero: return go_on(zero{});
    case kind::one: return go_on(one{});
    case kind::plus100: return go_on(plus100{});
    case kind::pass1: return go_on(pass1{});
    case kind::halves: return go_on(halves{});
    case kind::scale: return go_on(scale(stack[k].key));
    case kind::infra: return go_on(fixtures::count_in{});
    case kind::runtime: return go_on(log_rt(seen[k]));
    case kind::observer: {
      fixtures::log_ob mode;
      go_on(mode);
      seen[k] = mode.seen;
    }
  }
}

std::vector<slot> draw_stack(dice& d, std::span<std::span<kind const> const> declared_stacks) {
  std::vector<slot> stack;
  auto const add_watchers = [&] {
    if (d(4) == 0) stack.push_back({kind::observer});
    if (d(8) == 0) stack.push_back({kind::infra});
    if (d(24) == 0) stack.push_back({kind::runtime});
  };
  auto const add = [&](kind what) {
    add_watchers();
    stack.push_back({what, static_cast<float>(d(7)) * 0.5f - 1});
  };
  unsigned const choice = d(5);
  if (choice < 3) {
    for (kind const what : declared_stacks[choice % declared_stacks.size()]) add(what);
  } else if (choice == 3) {
    for (unsigned left = d(4); left > 0; --left) add(static_cast<kind>(d(6)));
  }
  add_watchers();
  return stack;
}

/// Whether a call runs op by op whatever its stance is: for a mode that needs values, or a stack that the
/// function does not declare.
bool needs_replay(std::vector<slot> const& stack, std::span<std::span<kind const> const> declared_stacks) {
  std::vector<kind> rewriting;
  for (slot const& s : stack) {
    if (s.what == kind::runtime) return true;
    if (s.what < kind::observer) rewriting.push_back(s.what);
  }
  bool is_known = rewriting.empty();
  for (std::span<kind const> const one : declared_stacks)
    is_known = is_known || std::equal(one.begin(), one.end(), rewriting.begin(), rewriting.end());
  return !is_known;
}

/// What a call meets beside its stack: a stance, or one of two erased backends.
struct surroundings {
  gj::stance under = gj::stance::normal;
  int backend = -1;
};
surroundings draw_surroundings(dice& d) {
  surroundings here;
  if (d(5) == 0) here.under = static_cast<gj::stance>(1 + d(4));
  else if (d(8) == 0) here.backend = static_cast<int>(d(2));
  return here;
}
support::backend_log walks;
void call_in(surroundings const& here, auto const& call) {
  gj::stance_scope const scope{here.under};
  if (here.backend >= 0)
    gj::set_stance(gj::stance::normal, gj::force_backend(support::op_by_op{&walks, here.backend}));
  call();
}

std::vector<told> without_details(std::vector<fixtures::record> const& list) {
  std::vector<told> result;
  for (fixtures::record const& r : list) {
    told t{r.id, {}};
    for (gj::operand_info const& x : r.operands) t.numbers.push_back(x.weak);
    result.push_back(t);
  }
  return result;
}

}  // namespace

void check_calls(program const& p, std::span<std::span<kind const> const> declared_stacks, unsigned seed,
                 int calls, compiled_call const& compiled) {
  dice d{seed + 1u};
  int wrong = 0, told_ops = 0, disabled_calls = 0, refused = 0, walked = 0;
  for (int call = 0; call < calls; ++call) {
    matrix x(1 + static_cast<gj::index_t>(d(3)), 2), y(x.extent(0), 2);
    for (matrix* m : {&x, &y})
      for (gj::index_t k = 0; k < m->size(); ++k) m->data()[k] = static_cast<float>(d(9)) - 4;
    std::vector<slot> const stack = draw_stack(d, declared_stacks);
    bool const is_disabled = d(16) == 0;
    surroundings const here = draw_surroundings(d);

    records eager_told(stack.size()), compiled_told(stack.size());
    matrix eager, fused;
    auto const run_both = [&](auto const& use) {
      if (!is_disabled) return use();
      gj::dispatch_disabled const off;
      use();
    };
    under_stack(stack, 0, eager_told, [&] { run_both([&] { eager = run(p, x, y); }); });
    if (d(32) == 0) compiled.clear();
    int const walks_before = walks.ran, compiles_before = compiled.compiles();
    auto const call_compiled = [&](surroundings const& meets) {
      compiled_told.assign(stack.size(), {});
      under_stack(stack, 0, compiled_told,
                  [&] { run_both([&] { call_in(meets, [&] { fused = compiled.call(x, y); }); }); });
    };
    bool is_refused = false, compiles_rightly = true;
    try {
      call_compiled(here);
    } catch (gj::recompile_error const&) {
      is_refused = here.under == gj::stance::fail_on_recompile;
      // Nothing was told before it, and the call does need an entry.
      bool is_silent = true;
      for (auto const& list : compiled_told) is_silent = is_silent && (p.broken >= 0 || list.empty());
      compiles_rightly = is_refused && is_silent && compiled.compiles() == compiles_before;
      call_compiled({});
      compiles_rightly = compiles_rightly && compiled.compiles() > compiles_before;
    }
    bool const is_replay = !is_disabled && needs_replay(stack, declared_stacks);
    bool const makes_none = is_replay || (!is_refused && (here.under == gj::stance::force_eager ||
                                                          here.under == gj::stance::eager_on_recompile ||
                                                          here.under == gj::stance::fail_on_recompile));
    if (makes_none) compiles_rightly = compiles_rightly && compiled.compiles() == compiles_before;
    int const runs = here.backend < 0 || is_replay ? 0 : p.broken < 0 ? 1 : 2;
    compiles_rightly = compiles_rightly && walks.ran - walks_before == runs && !(is_replay && is_refused);
    refused += is_refused;
    walked += runs;

    model m;
    m.count = static_cast<std::size_t>(x.size());
    if (!is_disabled) m.stack = stack;
    m.seen.resize(m.stack.size());
    value const expected = m.run(p, {support::elements(x)}, {support::elements(y)});
    m.seen.resize(stack.size());

    bool fine = support::same_bits(eager, fused) && support::elements(fused) == expected.elements &&
                eager_told == compiled_told && compiles_rightly;
    for (std::size_t k = 0; k < stack.size(); ++k) {
      fine = fine && without_details(compiled_told[k]) == m.seen[k];
      told_ops += static_cast<int>(m.seen[k].size());
    }
    disabled_calls += is_disabled;
    if (fine) continue;
    ++wrong;
    std::string text;
    for (slot const& s : stack) text += " " + std::to_string(static_cast<int>(s.what));
    CAPTURE(seed);
    CAPTURE(call);
    CAPTURE(text);
    CAPTURE(is_disabled);
    CAPTURE(gj::name_of(here.under));
    CAPTURE(here.backend);
    CAPTURE(p.broken);
    CAPTURE(p.nested);
    CHECK(compiles_rightly);
    CHECK(support::elements(eager) == expected.elements);
    CHECK(support::elements(fused) == expected.elements);
    CHECK(eager_told == compiled_told);
    CHECK(fine);
    if (wrong == 3) return;
  }
  CHECK(wrong == 0);
  CHECK(told_ops > calls / 4);
  if (calls < 1000) return;
  CHECK(disabled_calls > 0);
  CHECK(refused > 0);
  CHECK(walked > 0);
}

}  // namespace random_stacks
