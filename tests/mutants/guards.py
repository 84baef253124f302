# guardjit: tests/mutants/guards.py: changes to guards, entries, history, limits and epochs, and the case that notices each
# SPDX-License-Identifier: BSL-1.0
GUARD = "guards/guard.cpp"
TABLE = "compile/entry_table.cpp"
MEMO = "compile/memo.cpp"
EPOCHS = "compile/epoch.cpp"
DYNAMIC = "conformance/guards/dynamic.cpp"
ENTRIES = "conformance/guards/entries.cpp"
FILTERS = "conformance/guards/filters.cpp"
LATE = "conformance/guards/late_conditions.cpp"
LAYOUTS = "conformance/guards/layouts.cpp"
LIMITS = "conformance/guards/limits.cpp"
PATHS = "conformance/guards/paths.cpp"
THREADS = "conformance/guards/threads.cpp"
USER = "conformance/guards/user_guards.cpp"
BACKENDS = "conformance/guards/backends.cpp"
EXTENTS = "conformance/guards/declared_extents.cpp"
FROZEN = "conformance/guards/frozen.cpp"
IN_OUT = "conformance/guards/in_out.cpp"
PINNED = "conformance/guards/pinned.cpp"
SPECIALIZED = "conformance/guards/specialized.cpp"
VARIANTS = "conformance/guards/variants.cpp"
STANCES = "conformance/guards/stances.cpp"
WAYS = "conformance/guards/eager_ways.cpp"
ERASED = "conformance/guards/erased.cpp"

BROKEN_CALL = "guardjit/compile/broken_call.hpp"
CACHE = "guardjit/compile/cache.hpp"
CALL = "guardjit/compile/call.hpp"
ENTRY_GUARDS = "guardjit/compile/entry_guards.hpp"
EPOCH = "guardjit/compile/epoch.hpp"
HISTORY = "guardjit/compile/history.hpp"
KINDS = "guardjit/guards/guard.hpp"
LIST = "guardjit/compile/guard_list.hpp"
OPAQUE = "guardjit/transforms/opaque.hpp"
PINNED_ENTRY = "guardjit/compile/pinned_entry.hpp"
SEGMENTS = "guardjit/transforms/segments.hpp"
OVERLAP = "guardjit/tensor/overlap.hpp"
OUTPUT = "guardjit/compile/output_view.hpp"
SLOW = "guardjit/compile/slow_call.hpp"
WRITE = "guardjit/compile/write_into.hpp"
STANCE = "guardjit/modes/stance.hpp"
CAUSE = "guardjit/compile/eager_cause.hpp"
COLLECTIVE = "guardjit/compile/guard_collective.hpp"
STATE = "guardjit/compile/function_state.hpp"
ORDER = "guardjit/compile/table.hpp"
ASAN = ("-fsanitize=address", "-g1")

MUTANTS = [
    # What a guard compares.
    Mutant("kind: extents_equal is satisfied by more", KINDS,
           "case guard_kind::extents_equal: return actual == value", "case guard_kind::extents_equal: return actual >= value",
           GUARD, "extents_equal: two extents"),
    Mutant("kind: multiple_of divides by 0", KINDS,
           "return divisor != 0 && actual", "return actual", GUARD, "multiple_of"),
    Mutant("kind: multiple_of is satisfied by more", KINDS,
           "actual % divisor == 0;", "actual >= divisor;", GUARD, "multiple_of"),
    Mutant("kind: extent_in leaves its bound out", KINDS,
           "return actual >= g.expected && actual", "return actual > g.expected && actual", DYNAMIC, "GRD-022"),
    Mutant("kind: a class of strides does not tell stride 0", KINDS,
           "zeros |= index_t{1} << d;", "zeros |= index_t{0} << d;", GUARD, "strides_are"),
    Mutant("kind: every inner stride is a unit", KINDS,
           "l.strides[l.rank - 1] == 1 ", "l.strides[l.rank - 1] >= 1 ", GUARD, "strides_are"),
    Mutant("kind: no_overlap reads the bits of another argument", KINDS,
           "return static_cast<index_t>(c.overlaps >> overlap_shift(g.argument) & 3u);",
           "return static_cast<index_t>(c.overlaps & 3u);", GUARD, "no_overlap"),
    Mutant("kind: path_is looks at the first condition", KINDS,
           "c.outcomes >> g.condition & 1u", "c.outcomes & 1u", PATHS, "GRD-010"),
    Mutant("kind: an extent of another dim", KINDS,
           "c.arguments[at].extents[g.dim] :", "c.arguments[at].extents[0] :", DYNAMIC, "GRD-005"),
    Mutant("kind: a predicate holds where it was not asked for", KINDS,
           "c.predicates >> g.condition & 1u", "c.predicates >> g.condition | 1u", USER, "GRD-067"),
    Mutant("kind: the reason names the last stride that is not row-major", KINDS,
           "      f.actual = l.strides[d];\n      break;", "      f.actual = l.strides[d];", LAYOUTS, "GRD-058"),

    # Which guards an entry has, and in which order.
    Mutant("list: what nobody reads is guarded", LIST,
           "if (fn.reads(k, d) && type.extents[d] == dyn", "if (type.extents[d] == dyn", DYNAMIC, "GRD-012"),
    Mutant("list: static extents are guarded", LIST,
           "if (fn.reads(k, d) && type.extents[d] == dyn && (", "if (fn.reads(k, d) && (", LAYOUTS, "GRD-016"),
    Mutant("list: open extents are guarded", LIST,
           " && (open.extents >> d & 1u) == 0)", ")", DYNAMIC, "GRD-002"),
    Mutant("list: contiguous is not guarded", LIST,
           "  if (is_contiguous(l)) {\n    to.push_back(", "  if (is_contiguous(l)) {\n    static_cast<void>(guard",
           LAYOUTS, "GRD-058"),
    Mutant("list: an entry of open extents assumes exact strides", LIST,
           "} else if (open.strides || open.extents != 0) {", "} else if (open.strides) {", LAYOUTS, "GRD-017"),
    Mutant("list: strides of one class are read at once", LIST,
           "} else if (open.strides || open.extents != 0) {", "} else if (true) {", ENTRIES, "GRD-081"),
    Mutant("list: a stretched side is bound as an equal one", LIST,
           "if (may_be_1 && left != right) {", "if (false && may_be_1 && left != right) {", DYNAMIC, "GRD-008"),
    Mutant("list: the other side is stretched", LIST,
           "g.left = left == 1 ? r.left : r.right;", "g.left = left == 1 ? r.right : r.left;", DYNAMIC, "GRD-008"),
    Mutant("list: equal guards are there twice", LIST,
           "    if (known == g) return;\n", "    if (&known == &g) return;\n", DYNAMIC, "GRD-008"),
    Mutant("list: shape rules make no guards", LIST,
           "    add_rules(path.written);\n", "", DYNAMIC, "GRD-023"),
    Mutant("list: arguments from the last on", LIST,
           "  for (int k = 0; k < f.arguments; ++k) {\n    detail::add_argument_guards",
           "  for (int k = f.arguments; k-- > 0;) {\n    detail::add_argument_guards", ENTRIES, "GRD-062"),
    Mutant("list: the relation of an output is not guarded", LIST,
           "  if (overlaps != 0 || !fn.in_outs.empty())\n", "  if (!fn.in_outs.empty())\n", LAYOUTS, "G42: an output"),
    Mutant("list: branches on extents are not guarded", LIST,
           "if (is_dynamic || reads_free_scalar", "if (reads_free_scalar", PATHS, "GRD-033"),
    Mutant("list: branches on scalars are not guarded", LIST,
           "if (is_dynamic || reads_free_scalar(c, fn.arguments))", "if (is_dynamic)", PATHS, "GRD-036"),
    Mutant("check: relations of memory do not count", LIST,
           "  if (e.overlaps != overlaps) return false;\n", "", TABLE, "GRD-072"),
    Mutant("reasons: an output in an argument is none", LIST,
           "bool tells_overlaps = e.overlaps == 0 && overlaps != 0;", "bool tells_overlaps = false;", LAYOUTS, "G42: an output"),
    Mutant("reasons: aliasing before extents", LIST,
           "  for (guard const& g : e.guards) {\n    if (g.kind > guard_kind::no_overlap) tell_overlaps();",
           "  for (guard const& g : e.guards) {\n    tell_overlaps();", LAYOUTS, "G42: an output"),
    Mutant("reasons: the last one is told", CACHE,
           "item.reasons.front()", "item.reasons.back()", LAYOUTS, "G42: an output"),
    Mutant("reasons: entries from the last on", CACHE,
           "    for (entry const* e : now->entries())\n      report",
           "    for (std::size_t k = now->entries().size(); k-- > 0;)\n"
           "      if (entry const* const e = now->entries()[k])\n        report", ENTRIES, "GRD-097"),

    # What has varied.
    Mutant("history: of none the first entry is dynamic", HISTORY,
           "bool const other = known.met && ", "bool const other = ", DYNAMIC, "GRD-002"),
    Mutant("history: another value changes nothing", HISTORY,
           "(known.varied[d] || other)", "known.varied[d]", DYNAMIC, "GRD-002"),
    Mutant("history: what varied is forgotten", HISTORY,
           "(known.varied[d] || other)", "other", DYNAMIC, "GRD-005"),
    Mutant("history: all is automatic", HISTORY,
           "of_dim == dynamic_policy::all || ", "", DYNAMIC, "GRD-003"),
    Mutant("history: none is automatic", HISTORY,
           "of_dim == dynamic_policy::automatic && ", "", DYNAMIC, "GRD-001"),
    Mutant("history: strides do not vary", HISTORY,
           "return s.varies || (s.met &&", "return s.varies || (false && s.met &&", LAYOUTS, "GRD-017"),
    Mutant("history: what nobody reads makes entries dynamic", HISTORY,
           "!= dyn || !fn.reads(static_cast<int>(k), static_cast<int>(d)))", "!= dyn)", DYNAMIC, "GRD-012"),
    Mutant("history: a compile that fails is remembered", CACHE,
           "    entry_holder made{entry::make(spec_, f)};\n",
           "    history_.reserve(spec_.arguments.size());\n    history_.remember(f, open);\n"
           "    entry_holder made{entry::make(spec_, f)};\n", DYNAMIC, "GRD-011"),
    Mutant("history: clear() keeps it", CACHE, "    history_ = {};\n", "", ENTRIES, "clear() drops entries"),

    # Lookup.
    Mutant("lookup: a hash is enough, inlined", "guardjit/compile/typed_match.hpp",
           "    return words.equal() && typed_path<Spec>::is_taken(e.path, arguments);\n  }\n\n  /// `matches`, and",
           "    return typed_path<Spec>::is_taken(e.path, arguments);\n  }\n\n  /// `matches`, and", ENTRIES, "calls of a function with many static entries"),
    Mutant("lookup: scalars choose no path, inlined", "guardjit/compile/typed_path.hpp",
           "all = all && compares(c.compare, a, b) == c.outcome;", "all = all && (a == b || true);", PATHS, "GRD-036"),
    Mutant("lookup: hashes are not compared", ORDER,
           "if (slots_[at]->hash == hash && is_it(*slots_[at]))", "if (is_it(*slots_[at]))", TABLE, "GRD-085"),
    Mutant("lookup: dynamic entries come first", ORDER,
           "if (a.is_dynamic != b.is_dynamic) return !a.is_dynamic;", "if (a.is_dynamic != b.is_dynamic) return a.is_dynamic;",
           DYNAMIC, "GRD-002"),
    Mutant("lookup: entries with fewer static extents come first", ORDER,
           "return x != y ? x > y :", "return x != y ? x < y :", ENTRIES, "GRD-081"),
    Mutant("lookup: entries with fewer conditions come first", ORDER,
           ": a.guards.size() > b.guards.size();", ": a.guards.size() < b.guards.size();", ENTRIES, "GRD-081"),
    Mutant("lookup: an entry for an output in an argument serves others", "guardjit/compile/entry.hpp",
           "is_direct = !is_dynamic && overlaps == 0 && ready.plain && !by;", "is_direct = !is_dynamic && ready.plain && !by;",
           LAYOUTS, "G42: an output"),
    Mutant("memo: plans of another table are found", "guardjit/compile/memo.hpp",
           "return p.table == table.id() ? p.what : nullptr;", "return p.table != 0 ? p.what : nullptr;",
           MEMO, "plans that a thread kept of one table"),
    Mutant("lookup: a path is taken where its last condition is as recorded", "guardjit/compile/path.hpp",
           "v.taken = v.taken && outcome ==", "v.taken = outcome ==", PATHS, "GRD-042"),
    Mutant("overlap: ranges that touch meet", OVERLAP,
           "x.end <= y.begin || y.end <= x.begin", "x.end < y.begin || y.end < x.begin", TABLE, "how two views"),
    Mutant("overlap: views of other strides are the same", OVERLAP,
           " && a.layout.strides[d] == b.layout.strides[d];", ";", TABLE, "how two views"),
    Mutant("overlap: windows of columns meet", OVERLAP,
           "return detail::in_other_columns(a, b) ? overlap::disjoint : overlap::overlapping;",
           "return overlap::overlapping;", TABLE, "how two views"),

    # A miss.
    Mutant("miss: no second look under the lock", CACHE,
           "    if (found && found != f.refused) return found;\n", "", TABLE, "G17: a call that waited"),
    Mutant("miss: shape rules are not asked", CACHE,
           "    require_shapes(spec_.paths[static_cast<unsigned>(path)], spec_, f, room.symbols);\n    int", "    int",
           DYNAMIC, "GRD-022"),
    Mutant("miss: outputs are tested behind the compile", SLOW, "  if (!outs.empty()) check_outputs(c, mine, outs);\n", "", LAYOUTS, "GRD-078"),
    Mutant("miss: outputs may have elements that share memory", OUTPUT,
           "if (has_repeated_elements(out.form))", "if (false && has_repeated_elements(out.form))", LAYOUTS, "GRD-078"),
    Mutant("miss: an output in an argument is written at once", WRITE,
           "bool direct = overlaps == 0 && b.plain;", "bool direct = b.plain;", LAYOUTS, "outputs that overlap an argument"),
    Mutant("miss: a new entry is not checked", CACHE, "if (guards_hold(e, spec_, f, overlaps, symbols) && fits) return;",
           "if (fits) return;", USER, "GRD-066"),
    Mutant("miss: the entry of a call that tests indices is not kept", CALL, "      if (how.is_kept_later) keep(c, 0, how);\n", "",
           LIMITS, "limits of functions that test indices"),

    # Limits.
    Mutant("limit: one entry more", CACHE, "entries >= fn.recompile_limit,", "entries > fn.recompile_limit,", ENTRIES, "GRD-089"),
    Mutant("limit: one compile more", CACHE, "bool const is_spent = fn.compile_count() >= fn.compile_limit;",
           "bool const is_spent = fn.compile_count() > fn.compile_limit;", LIMITS, "compile_limit bounds"),
    Mutant("limit: told each time", CACHE, "bool const first = what.at_limit && !__atomic_exchange_n",
           "bool const first = what.at_limit && __atomic_exchange_n", ENTRIES, "GRD-090"),
    Mutant("limit: clear() does not let it be told again", STATE,
           "    __atomic_store_n(&limit_told, false, __ATOMIC_RELEASE);\n", "", ENTRIES, "GRD-090"),
    Mutant("limit: calls that run op by op are counted", CACHE,
           "if (fn.at_limit == limit_action::eager || !is_call) return nullptr;", "if (!is_call) return nullptr;",
           LIMITS, "GRD-153"),
    Mutant("limit: fullgraph does not count", CACHE,
           "&& fn.fullgraph;", "&& false;", LIMITS, "GRD-092"),
    Mutant("limit: error is no error", CACHE, "&& fn.at_limit != limit_action::error) return;", ") return;",
           LIMITS, "GRD-091"),
    Mutant("limit: what is evicted stays in the table", ORDER, "    if (gone) std::erase(all_, gone);\n", "",
           LIMITS, "GRD-093"),
    Mutant("limit: the newest entry is evicted", ORDER,
           "(!found || e->number < found->number)", "(!found || e->number > found->number)",
           LIMITS, "GRD-093"),
    Mutant("limit: error_on_recompile does not count", CACHE,
           "bool const is_forbidden = fn.error_on_recompile &&", "bool const is_forbidden = false &&", LIMITS, "GRD-096"),
    Mutant("limit: clear() keeps the uncached calls", STATE,
           "    __atomic_store_n(&uncached_calls, 0, __ATOMIC_RELEASE);\n", "", LIMITS, "GRD-125"),
    Mutant("reset: backends are not told", "guardjit/compile/registry.hpp",
           "for (; place; place = place->next) place->reset();", "static_cast<void>(place);", LIMITS, "GRD-125"),

    # User guards and filters.
    Mutant("filter: extents may be dropped", "guardjit/guards/description.hpp",
           "return kind == guard_kind::predicate ||", "return kind == guard_kind::extent_is || kind == guard_kind::predicate ||",
           FILTERS, "GRD-129"),
    Mutant("filter: guards in the order of the list", ENTRY_GUARDS,
           "while (at != list.end() && !is_before(one.what, at->what)) ++at;", "at = list.end();",
           FILTERS, "a filter sees each guard once"),
    Mutant("filter: what is dropped is not listed", ENTRY_GUARDS,
           "(keeps[k] ? kept : e.dropped).push_back(e.guards[k]);", "if (keeps[k]) kept.push_back(e.guards[k]);",
           FILTERS, "a user guard that the filter drops"),
    Mutant("user guard: entries do not ask for it", ENTRY_GUARDS,
           "e.predicates |= std::uint64_t{1} << g.condition;", "e.predicates |= std::uint64_t{0} << g.condition;",
           USER, "GRD-067"),
    Mutant("user guard: one that throws is true", "guardjit/compile/user_guard.hpp",
           "      return false;\n    }\n#else", "      return true;\n    }\n#else", USER, "GRD-067"),

    # Retiring; what only a race or a leak shows is left to the address sanitizer.
    Mutant("retire: entries and tables are freed at once", EPOCH,
           "          at = &r->next;\n          continue;", "", THREADS, "GRD-137", ASAN),
    Mutant("retire: what is evicted is never freed", CACHE, "    if (gone) retire(gone);\n", "", LIMITS, "GRD-093", ASAN),
    Mutant("retire: a call says nothing of itself", EPOCH,
           "      this_epoch.since.store(now, std::memory_order_relaxed);\n", "", EPOCHS, "G19: what is retired stays"),
    Mutant("retire: a call says nothing of itself on the longer way", EPOCH,
           "      record_->since.store(since, std::memory_order_relaxed);\n",
           "      record_->since.store(outer_, std::memory_order_relaxed);\n", EPOCHS, "G19: what is retired stays"),
    Mutant("retire: the end of an inner call ends the outer one", EPOCH,
           "~call_epoch() { record_->since.store(outer_, std::memory_order_release); }",
           "~call_epoch() { record_->since.store(0, std::memory_order_release); }", EPOCHS, "G19: what is retired stays"),
    Mutant("retire: a call of the same epoch does not count", EPOCH,
           "if (r->epoch >= oldest) {", "if (r->epoch > oldest) {", EPOCHS, "G19: what is retired stays"),
    Mutant("retire: the epoch does not grow", EPOCH,
           "current_epoch.fetch_add(1, std::memory_order_seq_cst)", "current_epoch.fetch_add(0, std::memory_order_seq_cst)",
           EPOCHS, "G19: calls that began later"),

    # What options declare.
    Mutant("declared: any extent is automatic", HISTORY,
           "if (e->is_open()) return dynamic_policy::all;", "", EXTENTS, "GRD-029"),
    Mutant("declared: a static extent is automatic", HISTORY,
           "declared_kind::fixed ? dynamic_policy::none :", "declared_kind::fixed ? dynamic_policy::automatic :",
           EXTENTS, "GRD-028"),
    Mutant("declared: a broken call is not told", SLOW,
           "  require_declared(c.spec(), f, c.fn);\n", "", EXTENTS, "GRD-025"),
    Mutant("declared: names may differ", "guardjit/compile/declared_shapes.hpp",
           "e.kind == declared_kind::named && extent != other", "false && extent != other", EXTENTS, "GRD-027"),
    Mutant("declared: a range has no end", KINDS,
           "actual >= g.expected && actual <= g.right", "actual >= g.expected", EXTENTS, "GRD-026"),
    Mutant("specialized: the value is no guard", LIST,
           "if (fn.arguments[k].by_value && fn.reads_elements[k])", "if (false && fn.reads_elements[k])",
           SPECIALIZED, "GRD-047"),
    Mutant("specialized: a dropped value is not kept", SLOW,
           "  if (e->keeps_scalars) use_recorded_scalars(*e, c.f);\n", "", SPECIALIZED, "GRD-128"),
    Mutant("hot: one extent of several decides", "guardjit/compile/variants.hpp",
           " == First && have_extents<Dims>(leaves, First))", " == First)", VARIANTS, "hot_extent: each variant"),

    # Tensors that are written, and those that never are.
    Mutant("in-out: overlap is not seen", WRITE,
           "std::uint64_t const overlaps = overlaps_of(c, outs);", "std::uint64_t const overlaps = overlaps_of(c, outs) & 0;",
           IN_OUT, "GRD-074"),
    Mutant("frozen: the storage is no guard", LIST, "if ((forms >> n & 1u) != 0)\n", "if (false && (forms >> n & 1u) != 0)\n",
           FROZEN, "GRD-151"),
    Mutant("frozen: entries keep nothing alive", CACHE,
           "if (g.kind == guard_kind::same_storage) e.kept", "if (false) e.kept", FROZEN, "G29: entries keep"),

    # Handles, and guards of backends.
    Mutant("pinned: a check asks nothing", PINNED_ENTRY,
           "return guards_hold(e, spec, f, e.overlaps, symbols);", "return true;", PINNED,
           "pinned: a dynamic entry"),
    Mutant("pinned: the entry is not kept", PINNED_ENTRY, "  e->keep();\n", "", PINNED, "GRD-130", ASAN),
    Mutant("backend: alignment is no guard", LIST,
           "    add_of_backend(guard_kind::aligned, k);\n", "", BACKENDS, "GRD-065"),
    Mutant("backend: thread count is no guard", LIST,
           "  add_of_backend(guard_kind::state_is, -1);\n", "", BACKENDS, "GRD-138"),

    # Functions that opaque cuts.
    Mutant("break: the first path that goes on is taken", BROKEN_CALL,
           "          taken = path_of(fn, f, room);\n", "", LATE, "GRD-155"),
    Mutant("break: a part keeps what its first path needs", SEGMENTS,
           "    for_each_type(typename Paths::list{}, add);\n", "    add(std::type_identity<here>{});\n", LATE, "GRD-155"),
    Mutant("break: each path has parts of its own", "guardjit/transforms/path_tree.hpp",
           "path_script start{0, size_before(g, s).conditions};", "path_script start{0, size_before(g, max_breaks).conditions};",
           LATE, "GRD-155"),
    Mutant("break: rules in front of an idle callable are not checked", BROKEN_CALL,
           "return !here::runs && ", "return false && ", LATE, "G100: rules of ops"),
    Mutant("break: rules behind a break are checked in front of it", SEGMENTS,
           "if (S > 0) size.requirements -= size_before(g, S - 1).requirements;", "size.requirements = S > 0 ? 0 : size.requirements;",
           LATE, "G100: rules of ops"),
    Mutant("break: results of callables have no names", SEGMENTS,
           'put("opaque#", k + 1, "");', 'put("arg[", k + given, "]");', LATE, "G100: reasons name"),
    Mutant("break: a result need not be what was declared", OPAQUE,
           "  check_opaque<R>(result, where);\n", "", LATE, "GRD-156"),
    Mutant("break: what is written may overlap", BROKEN_CALL,
           "  void into(auto const& outs) const {\n    if constexpr (writes_arguments) require_apart_arguments(outs);\n",
           "  void into(auto const& outs) const {\n", IN_OUT, "GRD-121"),
    Mutant("break: declared extents are looked at too late", BROKEN_CALL,
           "          if (Throws && S == 0) require_declared(fn, f, home_.fn);\n", "",
           "conformance/guards/declared_calls.cpp", "G100: a function with opaque"),
    # Stances, and calls that run by no entry.
    Mutant("stance: a scope does not restore", STANCE,
           "~stance_scope() { detail::change_stance(former_); }", "~stance_scope() {}", STANCES, "GRD-108"),
    Mutant("stance: an option that does not go with it", STANCE,
           "if (to.kind != stance::fail_on_recompile)", "if (false)", STANCES, "G73: options"),
    Mutant("stance: force_eager is not seen by hits", STANCE,
           "to.acts_on_hits() ? stance_bit : 0", "0", STANCES, "GRD-102"),
    Mutant("stance: with is that of the thread", CALL,
           "          if constexpr (has_own_stance<Guards>) view.under = guards_.calls;\n", "", STANCES, "GRD-154"),
    Mutant("stance: with(force_eager) hits", CALL,
           "if (guards_.calls.acts_on_hits()) return false;", "{}", STANCES, "GRD-154"),
    Mutant("stance: the first call is not remembered", SLOW,
           "    c.entries.remember(c.fn, c.f);\n", "    {}\n", STANCES, "GRD-101"),
    Mutant("stance: allow_first allows all", CACHE,
           "(f.under.allows_first && !has_entries(f))", "f.under.allows_first", STANCES, "GRD-104"),
    Mutant("stance: a wrong call is a miss", CACHE,
           "    require_shapes(spec_.paths[static_cast<unsigned>(path)], spec_, f, room.symbols);\n"
           "    if (f.under.kind == stance::eager_on_recompile)", "    if (path, f.under.kind == stance::eager_on_recompile)",
           STANCES, "GRD-104"),
    Mutant("stance: pin makes entries", PINNED_ENTRY,
           "    if (answer.runs_eagerly) require_entry(fn, eager_cause::stance, f.under.kind);\n", "", STANCES, "GRD-103"),
    Mutant("stance: the graph of declared modes is replayed", SLOW, "  f.stack = 0;\n", "", STANCES,
           "G71: force_eager under declared modes"),
    Mutant("disabled: compiles", CAUSE,
           "  if (fn.disabled) return eager_cause::disabled;\n", "", WAYS, "GRD-115"),
    Mutant("compile again: what was bound first comes first", "guardjit/compile/compile.hpp",
           "std::tuple_cat(split::bound(options...), compiled_parts::bound(g))",
           "std::tuple_cat(compiled_parts::bound(g), split::bound(options...))", WAYS, "GRD-117"),
    Mutant("suppressed: the kernels of the backend run", SLOW,
           "cause == eager_cause::backend ? path.fallback : path.kernels", "path.kernels", WAYS, "GRD-119"),
    Mutant("collective: asked without an entry", SLOW, "ask = to && table &&", "ask = to &&", WAYS, "GRD-131"),
    Mutant("collective: hits do not ask", COLLECTIVE, "  if (ask) detail::leave_short_ways();\n", "", WAYS, "GRD-131"),
    Mutant("collective: hits come to ask no more", "guardjit/compile/caches.hpp",
           "return has_run_subscribers() || collective();", "return has_run_subscribers();", WAYS, "GRD-131"),
    Mutant("collective: calls op by op forget who refused", SLOW, ", to->refused = refused", "", WAYS, "GRD-131"),
    Mutant("collective: the refused entry stays", CACHE,
           "evicts ? now->oldest(f.backend()) : const_cast<entry*>(found)",
           "evicts ? now->oldest(f.backend()) : nullptr", WAYS, "GRD-131"),
    Mutant("backend: entries of another one are found", ORDER, "return e.is_by(f.backend()) && e.stack", "return e.stack",
           ERASED, "GRD-084"),
    Mutant("backend: limits count the entries of all", ORDER, "n += e->is_by(by) ? 1 : 0;", "n += e ? 1 : 0;",
           ERASED, "GRD-106"),
    Mutant("backend: an entry of another one is evicted", ORDER, "if (e->is_by(by) && (!found", "if ((!found",
           ERASED, "GRD-106"),
    Mutant("backend: what its plans rely on is not guarded", "guardjit/compile/erased_build.hpp",
           "return required_by_erased(fn, spec, path, f);", "return {};", ERASED, "GRD-106"),
    Mutant("backend: what it throws is not told as its error", "guardjit/compile/erased_plan.hpp",
           "    std::throw_with_nested(backend_error(text));", "    throw;", ERASED, "GRD-106"),
    Mutant("backend: force_backend goes with other stances", "guardjit/compile/force_backend.hpp",
           "if (to.kind != stance::normal)", "if (false)", ERASED, "GRD-107"),
]
