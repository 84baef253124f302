# guardjit: tests/mutants/modes.py: changes to the mode stack and the compile window, and the case that notices each
# SPDX-License-Identifier: BSL-1.0
BREAKS = "conformance/modes/breaks.cpp"
COMPILED = "conformance/modes/compiled.cpp"
DEVICES = "conformance/modes/default_device.cpp"
STACK = "conformance/modes/stack.cpp"
THREADS = "conformance/modes/threads.cpp"
WINDOW = "conformance/modes/window_steps.cpp"
ALLOCATION = "modes/no_allocation.cpp"
DISPATCH = "modes/dispatch.cpp"
OBSERVER = "modes/observer_mode.cpp"
WORD = "modes/thread_state.cpp"

INERT = "dispatch: inert scopes nest"
COPIED = "thread_state: pure and keyed modes are copied"
NOT_ASKED = "dispatch: no mode is asked under inert_scope"

MUTANTS = [
    # The stack and its scopes.
    Mutant("stack: a push hides what is below", "guardjit/modes/mode_slot.hpp",
           "slot.below = state.visible;", "slot.below = nullptr;", STACK, "MODE-001"),
    Mutant("stack: at(0) is the top", "guardjit/modes/mode_stack.hpp",
           "int above = count - 1 - index;", "int above = index;", STACK, "MODE-009"),
    Mutant("stack: at(depth()) is allowed", "guardjit/modes/mode_stack.hpp",
           "index < 0 || index >= count", "index < 0 || index > count", STACK, "MODE-016"),
    Mutant("stack: the end of a scope takes what is above with it", "guardjit/modes/mode_slot.hpp",
           "if (this_thread.visible == &slot && this_thread.frame == slot.frame) return show(slot.below);",
           "if (this_thread.frame == slot.frame) return show(slot.below);", STACK, "MODE-018"),
    Mutant("stack: a wrong order of scopes is not told", "guardjit/modes/mode_slot.hpp",
           "set_all_flags(top);\n      return top;", "set_all_flags(top);\n      return nullptr;", STACK, "MODE-018"),
    Mutant("stack: the end of a scope below leaves the word of the others", "guardjit/modes/mode_slot.hpp",
           "slot->below = gone.below;\n      set_all_flags(top);", "slot->below = gone.below;",
           WORD, "mode_scope: scopes that end in any order"),
    Mutant("stack: scopes that end inside of a frame come back behind it", "guardjit/modes/mode_slot.hpp",
           "this_thread.visible == &slot && this_thread.frame == slot.frame", "this_thread.visible == &slot",
           WORD, "mode_scope: scopes that end inside handlers and stashes"),
    Mutant("stack: the word does not follow", "guardjit/modes/mode_slot.hpp",
           "this_thread.visible = top;\n  refresh_word();", "this_thread.visible = top;",
           WORD, "thread word: the classes of the visible slots"),
    Mutant("stack: a handler's leftovers stay", "guardjit/modes/mode_slot.hpp",
           "    show(saved);\n    if (left", "    if (left", STACK, "MODE-015"),
    Mutant("stack: leftovers are not told", "guardjit/modes/mode_slot.hpp",
           "left != base && has_subscribers()", "left == base && has_subscribers()", STACK, "MODE-015"),
    Mutant("stack: a stash empties nothing", "guardjit/modes/stash_modes.hpp",
           'frame_(nullptr, "stash_modes")', 'frame_(detail::this_thread.visible, "stash_modes")', STACK, "MODE-080"),
    Mutant("stack: reinstate_modes shows nothing", "guardjit/modes/stash_modes.hpp",
           "frame_(stash.frame_.saved,", "frame_(stash.frame_.base,", STACK, "MODE-080"),

    # One op on its way.
    Mutant("dispatch: the own slot is not hidden", "guardjit/modes/op_call.hpp",
           "return slot.below;", "return const_cast<mode_slot*>(&slot);", STACK, "MODE-010"),
    Mutant("dispatch: interests do not count", "guardjit/modes/mode_slot.hpp",
           "return !interests || interests->contains(id);", "return !interests || !interests->contains(id) || true;",
           STACK, "MODE-024"),
    Mutant("dispatch: disabled, and the word does not follow", "guardjit/modes/dispatch_scopes.hpp",
           "this_thread.enabled = enabled;\n    refresh_word();", "this_thread.enabled = enabled;", STACK, "MODE-012"),
    Mutant("dispatch: the end of a scope enables always", "guardjit/modes/dispatch_scopes.hpp",
           "{ set(former_); }", "{ set(true); }", STACK, "MODE-013"),
    Mutant("dispatch: the inert counter does not count", "guardjit/modes/thread_state.hpp",
           "!= 0 && !is_inert()", "!= 0", DISPATCH, NOT_ASKED),
    Mutant("dispatch: the inert counter is not raised", "guardjit/base/inert.hpp",
           "inert_scope() noexcept { ++detail::inert_count; }", "inert_scope() noexcept { detail::inert_count = 0; }",
           DISPATCH, NOT_ASKED),
    Mutant("dispatch: inert scopes do not nest", "guardjit/base/inert.hpp",
           "inert_scope() noexcept { ++detail::inert_count; }", "inert_scope() noexcept { detail::inert_count = 1; }",
           DISPATCH, INERT),
    Mutant("dispatch: the inert counter is not restored", "guardjit/base/inert.hpp",
           "--detail::inert_count;", "static_cast<void>(detail::inert_count);", DISPATCH, INERT),
    Mutant("dispatch: ops that may not be overridden are told", "guardjit/modes/op_call.hpp",
           "info_of(call.op()).overridable ? this_thread.visible : nullptr", "this_thread.visible",
           DISPATCH, NOT_ASKED),
    Mutant("dispatch: handlers nest without bound", "guardjit/modes/op_call.hpp",
           "max_nesting = 128", "max_nesting = 160", DISPATCH, "dispatch: endless nesting"),
    Mutant("dispatch: the depth of handlers is not lowered", "guardjit/modes/op_call.hpp",
           "--this_thread.nesting;", "static_cast<void>(this_thread.nesting);", DISPATCH, "dispatch: endless nesting"),
    Mutant("dispatch: a handler may break the promise", "guardjit/modes/op_call.hpp",
           "if (!promise) return;", "if (promise || !promise) return;",
           DISPATCH, "dispatch: a result that breaks the promise"),
    Mutant("dispatch: other operands are bound to the promise", "guardjit/modes/op_call.hpp",
           "    parts.promise = nullptr;\n", "", DISPATCH, "dispatch: other operands of a handler"),
    Mutant("dispatch: other operands are not checked", "guardjit/modes/op_call.hpp",
           "    infer_op(parts.id, parts.operands, *parts.attribute, parts.where);\n", "",
           DISPATCH, "op_call: wrong other operands are refused"),
    Mutant("dispatch: a refusal names a lower mode", "guardjit/modes/op_call.hpp",
           "~asked_mode() { call.handler_ = name, call.parts_.keys = keys; }",
           "~asked_mode() { call.parts_.keys = keys; }", DISPATCH, "op_call: refuse() names op"),
    Mutant("dispatch: zeros() pass lower modes by", "guardjit/modes/op_call.hpp",
           ".promise = requested ? nullptr : parts_.promise});\n  return dispatch(call);",
           ".promise = requested ? nullptr : parts_.promise});\n  return call.kernel()(call);",
           DISPATCH, "op_call: zeros() is an op that lower modes see"),

    # Observers.
    Mutant("observer: told behind the kernel", "guardjit/modes/observer_mode.hpp",
           "    {\n      // Scopes", "    op_result const early = call();\n    {\n      // Scopes",
           OBSERVER, "observer: is told op"),
    Mutant("observer: what it leaves behind sees its op", "guardjit/modes/observer_mode.hpp",
           'detail::mode_frame frame(detail::this_thread.visible, "an observer");', "",
           OBSERVER, "observer: scopes that it makes or ends count"),
    Mutant("observer: records reach it while inert", "guardjit/modes/dispatch.hpp",
           "!= 0 && !is_inert()", "!= 0", OBSERVER, "tell_observers: nobody where nobody would see"),
    Mutant("observer: interests do not count for records", "guardjit/modes/dispatch.hpp",
           "!is_told || !slot->wants(record.id)", "!is_told", OBSERVER, "tell_observers: interests hold"),

    # State that is no mode.
    Mutant("device: the end of a scope clears it", "guardjit/modes/default_device.hpp",
           "detail::change_default_device(former_);", "clear_default_device();", DEVICES, "MODE-029"),
    Mutant("device: it wins over an explicit one", "guardjit/modes/default_device.hpp",
           "if (requested) return *requested;", "if (requested && (this_thread.word & default_device_bit) == 0) "
           "return *requested;", DEVICES, "MODE-028"),
    Mutant("no_allocation: the inner scope ends the outer one", "guardjit/modes/no_allocation.hpp",
           "--detail::thread_storage.forbidden;", "detail::thread_storage.forbidden = 0;",
           ALLOCATION, "M120: scopes nest"),
    Mutant("thread: the end of a scope keeps the state", "guardjit/modes/thread_snapshot.hpp",
           "~thread_state_scope() { set(former_device_, former_enabled_); }", "~thread_state_scope() {}",
           THREADS, "MODE-074"),
    Mutant("thread: the default device is not copied", "guardjit/modes/thread_snapshot.hpp",
           "device_(guardjit::default_device()), enabled_(", "device_(std::nullopt), enabled_(", THREADS, "MODE-074"),
    Mutant("thread: the dispatch state is not copied", "guardjit/modes/thread_snapshot.hpp",
           "enabled_(detail::this_thread.enabled) {}", "enabled_(true) {}", THREADS, "MODE-074"),
    Mutant("thread: a copy refers to the mode of its origin", "guardjit/modes/thread_snapshot.hpp",
           "    kept.slot.mode = kept.owned.mode;\n", "",
           THREADS, COPIED),

    # The window of a compiled call, step by step.
    Mutant("window 1: user guards are asked as by the caller", "guardjit/compile/user_guard.hpp",
           "    inert_scope const inert;\n    were_asked_", "    were_asked_", WINDOW, "M82"),
    Mutant("window 1: user guards are asked where nothing is looked up", "guardjit/compile/call.hpp",
           "if (cause_before_lookup(home_.fn, view) == eager_cause::none) view.predicates", "view.predicates",
           WINDOW, "M98"),
    Mutant("window 1: a runtime mode is not seen", "guardjit/compile/call.hpp",
           "has_stacks ? stack_.number : call_modes<type_list<>>::of_this_thread().stack", "has_stacks ? stack_.number : 0",
           WINDOW, "M98"),
    Mutant("window 1: a hit does not look at the stack", "guardjit/compile/call.hpp",
           "if ((current_word() & asked) != 0) [[unlikely]]", "if ((current_word() & asked & 0) != 0) [[unlikely]]",
           WINDOW, "M98"),
    Mutant("window 1: declared stacks are compared upside down", "guardjit/compile/visible_stack.hpp",
           "is_next(slot, tags[count - 1 - K],", "is_next(slot, tags[K],", THREADS, COPIED),
    Mutant("window 1: keys are not read", "guardjit/compile/visible_stack.hpp",
           "if constexpr ((0 + ... + key_count<Modes>) > 0) {", "if constexpr ((0 + ... + key_count<Modes>) > 99) {",
           THREADS, COPIED),
    Mutant("window 1: the stack counts while inert", "guardjit/compile/visible_stack.hpp",
           "if (!is_inert()) result.find(word);", "result.find(word);", WINDOW, "M66"),
    Mutant("window 2 to 8 are not inert", "guardjit/compile/cache.hpp",
           "    inert_scope const inert;\n    std::lock_guard", "    std::lock_guard", WINDOW, "M82"),
    Mutant("window 4: stashed before the miss is told", "guardjit/compile/cache.hpp",
           "    inert_scope const inert;\n    std::lock_guard",
           "    inert_scope const inert;\n    stash_modes const early;\n    std::lock_guard", WINDOW, "M82"),
    Mutant("window 5: built under the caller's stack", "guardjit/compile/cache.hpp",
           "= detail::get_ready(fn, spec_, e, taken, f, room);\n",
           "= [&] {\n      reinstate_modes const early(stash);\n"
           "      return detail::get_ready(fn, spec_, e, taken, f, room);\n    }();\n",
           WINDOW, "M82"),
    Mutant("window 6: guards are built under the empty stack", "guardjit/compile/cache.hpp",
           "reinstate_modes const visible(stash);", "", WINDOW, "M82"),
    Mutant("window 7: the new guards are not checked", "guardjit/compile/cache.hpp",
           "      verify(fn, e, f, overlaps, room.symbols);\n", "", WINDOW, "M70"),
    Mutant("window 7 behind 8: the entry is there before its guards are checked", "guardjit/compile/cache.hpp", """\
      verify(fn, e, f, overlaps, room.symbols);
    }
    fn.begin(detail::compile_phase::install);
    history_.reserve(spec_.arguments.size());
    auto* const fresh = new entry_table(table(), made.what, gone);
    made.what = nullptr;
    history_.remember(f, open);
    if (entry_table* const old = table_.exchange(fresh, std::memory_order_acq_rel)) retire(old);
""", """\
    }
    history_.reserve(spec_.arguments.size());
    auto* const fresh = new entry_table(table(), made.what, gone);
    made.what = nullptr;
    history_.remember(f, open);
    if (entry_table* const old = table_.exchange(fresh, std::memory_order_acq_rel)) retire(old);
    {
      reinstate_modes const visible(stash);
      verify(fn, e, f, overlaps, room.symbols);
    }
""", WINDOW, "M70"),
    Mutant("window 9: results are made, and observers are not told", "guardjit/compile/call.hpp",
           "      if (observers_active()) tell(c, path);\n", "", WINDOW, "M82"),
    Mutant("window 9: outputs are written, and observers are not told", "guardjit/compile/write_into.hpp",
           "  if (observers_active()) tell(c, path);\n", "", WINDOW, "M105"),
    Mutant("window 9: observers are told while inert", "guardjit/compile/write_into.hpp",
           "  if (observers_active()) tell(c, path);\n",
           "  inert_scope const early;\n  if (observers_active()) tell(c, path);\n", WINDOW, "M105"),
    Mutant("window 9: observers are told twice", "guardjit/compile/call.hpp",
           "      if (observers_active()) tell(c, path);\n",
           "      if (observers_active()) tell(c, path);\n      if (observers_active()) tell(c, path);\n",
           WINDOW, "M82"),
    Mutant("window 9 behind 10: observers are told when the kernels ran", "guardjit/compile/write_into.hpp",
           "  if (observers_active()) tell(c, path);\n",
           "  struct behind {\n    any_call const& c;\n    int path;\n    ~behind() noexcept(false) { tell(c, path); }\n"
           "  } const told{c, path};\n", WINDOW, "M105"),

    # Replays.
    Mutant("replay: keys are read for each op", "guardjit/compile/slow_call.hpp",
           "  fixed_keys const keys;\n", "", WINDOW, "M96"),
    Mutant("replay: keys stay fixed behind it", "guardjit/compile/replay_modes.hpp",
           "if (r.slot == &slot) slot.keys = r.outer;", "if (r.slot == &slot) slot.keys = r.key;", WINDOW, "M96"),
    Mutant("replay: told of what C++ computes", "guardjit/compile/replay.hpp",
           "g[k].weak ? call.kernel()(call) : dispatch(call)", "dispatch(call)",
           COMPILED, "scalars that a function computes stay weak"),
    Mutant("records: told of what C++ computes", "guardjit/compile/op_sequence.hpp",
           "overridable && !g[k].weak", "overridable", COMPILED, "scalars that a function computes stay weak"),

    # Breaks, and modes in f.
    Mutant("break: what the callable left stays", "guardjit/compile/break_point.hpp",
           '  mode_frame const frame(this_thread.visible, "an opaque callable");\n', "", BREAKS, "MODE-067"),
    Mutant("break: no modes of f around the callable", "guardjit/compile/break_point.hpp",
           "  if (scope == 0) return next.run(next.context);", "  if (scope >= 0) return next.run(next.context);",
           BREAKS, "MODE-064"),
    Mutant("pass: modes of f are not there", "guardjit/transforms/mode_pass.hpp",
           "for (; scope > 0; ++length)", "for (scope = 0; scope > 0; ++length)", BREAKS, "MODE-064"),
    Mutant("pass: declared modes are not asked", "guardjit/transforms/mode_pass.hpp",
           "for (int level = w.visible;; --level)", "for (int level = 0;; --level)", THREADS, COPIED),
]
