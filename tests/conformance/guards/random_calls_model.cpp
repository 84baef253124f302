// guardjit: tests/conformance/guards/random_calls_model.cpp: draws calls, and compares them with the model
// SPDX-License-Identifier: BSL-1.0
#include "conformance/guards/random_calls_model.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <cstring>
#include <functional>

namespace random_calls {

namespace {

struct dice {
  std::uint64_t state;
  index_t operator()(index_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<index_t>(state >> 33) % below;
  }
  bool one_in(index_t n) { return (*this)(n) == 0; }
};

/// Small values, so that sums and products are exact.
template <class T> void fill(dice d) {
  T* const to = pool_of<T>().data();
  for (index_t k = 0; k < pool_elements; ++k) {
    int const value = static_cast<int>(d(std::is_same_v<T, std::int64_t> ? 4 : 9)) - (std::is_same_v<T, std::int64_t> ? 1 : 4);
    to[k] = static_cast<T>(value);
  }
}
/// The bytes of all pools.
struct memory {
  std::vector<std::string> pools;
  template <class T> static std::string bytes_of() {
    return {reinterpret_cast<char const*>(pool_of<T>().data()), sizeof(T) * std::size_t{pool_elements}};
  }
  static memory now() {
    return {{bytes_of<float>(), bytes_of<double>(), bytes_of<std::int32_t>(), bytes_of<std::int64_t>(), bytes_of<bool>()}};
  }
  template <class T> static void put(std::string const& bytes) { std::memcpy(pool_of<T>().data(), bytes.data(), bytes.size()); }
  void restore() const {
    put<float>(pools[0]), put<double>(pools[1]), put<std::int32_t>(pools[2]), put<std::int64_t>(pools[3]), put<bool>(pools[4]);
  }
  std::string& of(gj::dtype t) {
    return pools[t == gj::dtype::f32 ? 0 : t == gj::dtype::f64 ? 1 : t == gj::dtype::i32 ? 2 : t == gj::dtype::i64 ? 3 : 4];
  }
  /// Writes row-major elements where `to` lies.
  void write(drawn const& to, std::string const& bytes) {
    std::string& pool = of(to.what.type);
    std::size_t const size = static_cast<std::size_t>(gj::size_of(to.what.type));
    std::vector<index_t> index(to.extents.size(), 0);
    for (std::size_t done = 0; done < bytes.size(); done += size) {
      index_t element = to.offset;
      for (std::size_t d = 0; d < index.size(); ++d) element += index[d] * to.strides[d];
      pool.replace(static_cast<std::size_t>(element) * size, size, bytes, done, size);
      for (std::size_t d = index.size(); d-- > 0;) {
        if (++index[d] < to.extents[d]) break;
        index[d] = 0;
      }
    }
  }
};

void lay_out(drawn& t, dice& d, index_t first, index_t room) {
  std::size_t const rank = t.extents.size();
  t.strides.assign(rank, 0);
  for (bool is_plain = d(5) < 2;; is_plain = true) {
    bool const is_turned = !is_plain && d.one_in(3);
    index_t step = 1;
    for (std::size_t k = rank; k-- > 0;) {
      std::size_t const dim = is_turned ? rank - 1 - k : k;
      t.strides[dim] = step * (!is_plain && d.one_in(5) ? 2 : 1);
      step = t.strides[dim] * std::max<index_t>(t.extents[dim], 1) + (!is_plain && d.one_in(5) ? 1 + d(4) : 0);
      if (!is_plain && d.one_in(8)) t.strides[dim] = -t.strides[dim];
      if (!is_plain && d.one_in(12)) t.strides[dim] = 0;
    }
    t.offset = 0;
    auto const [low, high] = is_empty(t) ? std::pair<index_t, index_t>{0, 0} : reach(t);
    if (high - low >= room) continue;
    t.offset = first + d(room - (high - low)) - low;
    break;
  }
  for (std::size_t k = 0; k < rank; ++k)
    if ((t.extents[k] == 1 || is_empty(t)) && d.one_in(4)) t.strides[k] = d(2) == 0 ? -7 : 1000;
}
drawn draw_argument(form const& what, dice& d, index_t usual) {
  drawn t{what, {}, {}, 0, 0};
  if (what.is_scalar) {
    t.number = static_cast<double>(d(7) - 3);
    return t;
  }
  for (index_t const declared : what.extents)
    t.extents.push_back(declared != dyn ? declared : d(5) < 3 ? usual : d(3) < 2 ? 1 + d(3) : d(7));
  lay_out(t, d, 0, d.one_in(2) ? pool_elements / 2 : pool_elements);
  return t;
}
std::string text_of(drawn_call const& c, drawn const* out) {
  std::string text;
  auto const add = [&text](drawn const& t) {
    if (t.what.is_scalar) return void(text += " " + number_text(t.number));
    text += " [";
    for (std::size_t d = 0; d < t.extents.size(); ++d) text += to_string(t.extents[d]) + ":" + to_string(t.strides[d]) + " ";
    text += "@" + to_string(t.offset) + "]";
  };
  for (drawn const& a : c) add(a);
  if (out) text += " into", add(*out);
  return text;
}

/// A reason without the place of the function's line, which must be in one of these files.
std::string without_line(std::string const& reason) {
  std::size_t const place = reason.rfind(" (");
  bool const has_line = reason.back() == ')' && reason.find("random_calls_", place) != std::string::npos;
  return has_line ? reason.substr(0, place) : reason;
}

/// A function with its model.
struct watched {
  subject* of;
  settings limits;
  model foretold;
  std::vector<drawn_call> recent;

  explicit watched(subject& s) : of(&s), foretold(s, {}) {}
  void renew(dice& d) {
    limits.recompile_limit = d.one_in(3) ? 8 : 1 + static_cast<int>(d(4));
    limits.compile_limit = d.one_in(2) ? 256 : 1 + static_cast<int>(d(16));
    limits.at_limit = static_cast<gj::limit_action>(d(4));
    of->renew(limits);
    foretold = model(*of, limits);
  }
};

class check {
 public:
  check(subjects const& all, std::uint64_t seed) : dice_{seed} {
    for (auto const& s : all) functions_.emplace_back(*s).renew(dice_);
    fill<float>(dice_), fill<double>(dice_), fill<std::int32_t>(dice_), fill<std::int64_t>(dice_), fill<bool>(dice_);
    full_ = memory::now();
  }
  int hits = 0, compiles = 0, refused = 0, uncached = 0;
  int by_walkers = 0, guards_false = 0;  // of these

  /// What is wrong about one call, empty where nothing is.
  std::string next() {
    if (dice_.one_in(2000)) {
      gj::reset();
      for (watched& w : functions_) w.foretold.clear();
    }
    watched& w = functions_[static_cast<std::size_t>(dice_(static_cast<index_t>(functions_.size())))];
    if (dice_.one_in(150)) w.renew(dice_);
    if (dice_.one_in(100)) {
      w.of->clear();
      w.foretold.clear();
    }
    return run(w, draw_call(w));
  }

 private:
  drawn_call draw_call(watched& w) {
    drawn_call c;
    if (!w.recent.empty() && dice_.one_in(2)) {
      c = w.recent[static_cast<std::size_t>(dice_(static_cast<index_t>(w.recent.size())))];
      std::size_t const k = static_cast<std::size_t>(dice_(static_cast<index_t>(c.size())));
      if (dice_.one_in(2)) c[k] = draw_argument(c[k].what, dice_, dice_(7));
      else if (dice_.one_in(2) && !c[k].what.is_scalar) lay_out(c[k], dice_, 0, pool_elements);
    } else {
      for (int tries = 0; tries < 8 && (c.empty() || !w.foretold.broken_rule(c).empty()); ++tries) {
        index_t const usual = dice_(4) < 3 ? 2 + dice_(2) : dice_(7);
        c.clear();
        for (form const& f : w.of->parameters) c.push_back(draw_argument(f, dice_, usual));
        if (dice_.one_in(20)) break;
      }
    }
    if (w.recent.size() < 6) w.recent.push_back(c);
    else w.recent[static_cast<std::size_t>(dice_(6))] = c;
    return c;
  }
  std::optional<drawn> draw_output(watched const& w, drawn_call const& c, outcome const& expected) {
    if (expected.error == "index_error" || dice_.one_in(2)) return {};
    drawn out{w.of->result, expected.extents, {}, 0, 0};
    if (!expected.error.empty()) out = draw_argument(out.what, dice_, 2);
    for (drawn const& a : c)
      if (a.what.type == out.what.type && !a.what.is_scalar && a.extents == out.extents && dice_.one_in(4)) {
        out.strides = a.strides;
        out.offset = a.offset;
        return out;
      }
    for (std::size_t d = 0; d < out.extents.size(); ++d)
      if (w.of->result.extents[d] == dyn && dice_.one_in(60)) ++out.extents[d];
    bool const is_apart = dice_.one_in(2);
    lay_out(out, dice_, is_apart ? pool_elements / 2 : 0, is_apart ? pool_elements / 2 : pool_elements);
    return out;
  }

  surroundings draw_surroundings(bool backend_fails) {
    surroundings here{.peers_miss = dice_.one_in(16), .backend_fails = backend_fails};
    if (dice_.one_in(5)) here.under = static_cast<gj::stance>(1 + dice_(4));
    here.allows_first = here.under == gj::stance::fail_on_recompile && dice_.one_in(2);
    if (dice_.one_in(5)) here.by = static_cast<int>(dice_(2));
    here.by_with = here.by != own_backend && dice_.one_in(2);
    if (here.by != own_backend && !here.by_with) here.under = gj::stance::normal, here.allows_first = false;
    is_on = here.is_on = !dice_.one_in(6);
    if (dice_.one_in(12)) kept_guards = static_cast<unsigned>(dice_(4));
    here.kept_guards = kept_guards;
    return here;
  }
  /// What the guard collective was told of the call.
  static inline std::string asked;
  static bool peers_miss(bool hit) {
    asked += hit ? "hit" : "miss";
    return false;
  }
  static outcome call_in(surroundings const& here, auto const& call) {
    gj::set_guard_collective(here.peers_miss ? &peers_miss : nullptr);
    if (here.allows_first) gj::set_stance(here.under, gj::allow_first);
    else if (here.by != own_backend && !here.by_with) gj::set_stance(here.under, gj::force_backend(walker(here.by)));
    else gj::set_stance(here.under);
    outcome const got = call();
    gj::set_stance(gj::stance::normal);
    gj::set_guard_collective(nullptr);
    return got;
  }

  std::string run(watched& w, drawn_call const& c) {
    full_.restore();
    subject& f = *w.of;
    outcome const expected = f.eager(c);
    std::optional<drawn> const drawn_output = draw_output(w, c, expected);
    drawn const* const out = drawn_output ? &*drawn_output : nullptr;
    memory const before = memory::now();
    std::string wrong;
    auto const require = [&](std::string const& what, std::string const& want, std::string const& got) {
      if (want != got) wrong += "\n  " + what + ": expected " + want + ", got " + got;
    };
    bool const fails = !f.what.has_indices && dice_.one_in(30);
    surroundings const here = draw_surroundings(fails);
    auto const require_entries = [&](char const* when) {
      // What tells of calls has no `with`: it asks the thread.
      gj::stance_scope scope{gj::stance::normal};
      if (here.by != own_backend) gj::set_stance(gj::stance::normal, gj::force_backend(walker(here.by)));
      seen_call const plain = w.foretold.see(c, nullptr, here.is_on);
      entry const* const e = w.foretold.find(plain, here.by);
      require(std::string("find ") + when, e ? "g/" + to_string(e->number) : "", f.find(c));
      if (!dice_.one_in(4)) return;
      texts want, got;
      for (entry const& one : w.foretold.entries) {
        want.push_back("g/" + to_string(one.number));
        for (std::string const& reason : w.foretold.failures_of(one, plain, here.by)) want.push_back(reason);
      }
      for (gj::entry_failures const& one : f.explain(c).entries) {
        got.push_back(one.id);
        for (std::string const& reason : one.reasons) got.push_back(without_line(reason));
      }
      require(std::string("reasons ") + when, joined(want), joined(got));
    };
    require_entries("before");

    verdict const v = w.foretold.call(c, out, here, expected);
    int const compiles_before = f.compiles();
    failures_.clear();
    limit_events_ = 0;
    eager_.clear();
    asked.clear();
    backend::fails = erased_fails = fails;
    outcome const got =
        call_in(here, [&] { return f.call(c, out, dice_.one_in(8), here.by_with ? &walker(here.by) : nullptr); });
    backend::fails = erased_fails = false;

    require("error", v.error, got.error);
    require("compiles", to_string(w.foretold.compiles), to_string(f.compiles()));
    require("uncached_calls", to_string(w.foretold.uncached_calls), to_string(f.uncached_calls()));
    require("guard_failure events", joined(v.failures), joined(failures_));
    require("eager_call events", v.eager, eager_);
    require("guard collective", v.asked, asked);
    require("limit events", to_string(v.limit_events), to_string(limit_events_));
    if (v.error.empty()) {
      require("shape", "the same", got.extents == expected.extents ? "the same" : "another");
      require("elements", "the same", got.bytes == expected.bytes ? "the same" : "others");
    }
    memory after = before;
    if (v.writes) after.write(canonical(*out), expected.bytes);
    require("memory", "as foretold", after.pools == memory::now().pools ? "as foretold" : "something else");
    bool const compiled = f.compiles() != compiles_before;
    if (compiled || dice_.one_in(4)) require_entries("after");
    if (compiled || dice_.one_in(16)) require("entries", listed(w.foretold), listed(f.entries()));
    ++(!v.error.empty() ? refused : compiled ? compiles : w.foretold.find(w.foretold.see(c, out, here.is_on), here.by) ? hits : uncached);
    by_walkers += here.by != own_backend && v.error.empty() && v.eager.empty();
    guards_false += v.error == "guard_error";
    if (wrong.empty()) return "";
    return "function \"" + f.what.name + "\", recompile_limit " + to_string(w.limits.recompile_limit) + ", compile_limit " +
           to_string(w.limits.compile_limit) + ", on_limit " + to_string(static_cast<int>(w.limits.at_limit)) +
           (fails ? ", the backend fails" : "") +
           (here.by == own_backend ? "" : (here.by_with ? ", with " : ", forced ") + backend_name(here.by) + to_string(here.by)) +
           (here.is_on ? "" : ", switched off") + ", stance " + gj::name_of(here.under) +
           (here.allows_first ? " (allow_first)" : "") + (here.peers_miss ? ", peers miss" : "") + ", arguments" + text_of(c, out) + wrong;
  }

  static std::string joined(texts const& all) {
    std::string text;
    for (std::string const& one : all) text += "\n    " + one;
    return text;
  }
  static std::string listed(model const& m) {
    texts all;
    for (entry const& e : m.entries)
      all.push_back("g/" + to_string(e.number) + (e.is_dynamic ? " dynamic " : " static ") + to_string(e.guards.size()) +
                    " " + backend_name(e.by));
    return joined(all);
  }
  static std::string listed(std::vector<gj::entry_info> const& entries) {
    texts all;
    for (gj::entry_info const& e : entries)
      all.push_back(e.id + (e.dynamic ? " dynamic " : " static ") + to_string(e.guards.size()) + " " + e.backend);
    return joined(all);
  }

  dice dice_;
  std::vector<watched> functions_;
  memory full_;
  texts failures_;
  std::string eager_;
  int limit_events_ = 0;
  gj::subscription<std::function<void(gj::event const&)>> listener_{[this](gj::event const& e) {
    if (e.kind == gj::event_kind::guard_failure) failures_.push_back(without_line(e.text));
    limit_events_ += e.kind == gj::event_kind::limit;
    if (e.kind == gj::event_kind::eager_call) eager_ += e.reason;
  }};
};

std::uint64_t setting(char const* name, std::uint64_t otherwise) {
  char const* const text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

/// Calls of each unit, which sanitizers make slow.
#if defined(__SANITIZE_ADDRESS__)
constexpr std::uint64_t usual_calls = 3000;
#elif defined(__has_feature)
constexpr std::uint64_t usual_calls = __has_feature(address_sanitizer) ? 3000 : 12000;
#else
constexpr std::uint64_t usual_calls = 12000;
#endif

}  // namespace

void check_calls(subjects const& all, unsigned unit) {
  std::uint64_t const calls = setting("GUARDJIT_RANDOM_CALLS", usual_calls), seed = setting("GUARDJIT_RANDOM_SEED", 1);
  check c(all, 2 * seed + unit);
  int wrong = 0;
  for (std::uint64_t k = 0; k < calls && wrong < 3; ++k)
    if (std::string const what = c.next(); !what.empty()) {
      ++wrong;
      FAIL_CHECK("call ", k, " of unit ", unit, ", replay: GUARDJIT_RANDOM_SEED=", seed, " GUARDJIT_RANDOM_CALLS=", k + 1,
                 "\n  ", what);
    }
  std::printf("random calls %u: seed %llu, %llu calls: %d hits, %d compiles, %d uncached or eager, %d refused; by walkers %d\n", unit,
              static_cast<unsigned long long>(seed), static_cast<unsigned long long>(calls), c.hits, c.compiles, c.uncached,
              c.refused, c.by_walkers);
  CHECK(wrong == 0);
  if (calls < 1000) return;
  CHECK(c.hits > static_cast<int>(calls / 4));
  CHECK(c.compiles > static_cast<int>(calls / 20));
  CHECK(c.uncached > static_cast<int>(calls / 20));
  CHECK(c.refused > static_cast<int>(calls / 50));
  CHECK(c.by_walkers > static_cast<int>(calls / 20));
  CHECK(c.guards_false > 0);
}

}  // namespace random_calls
