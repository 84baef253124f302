// guardjit: tests/conformance/guards/random_calls.hpp: drawn calls of many functions against a plain model
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TESTS_CONFORMANCE_GUARDS_RANDOM_CALLS_HPP
#define GUARDJIT_TESTS_CONFORMANCE_GUARDS_RANDOM_CALLS_HPP

#include <guardjit/core.hpp>

#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "support/fragile_backend.hpp"
#include "support/tensors.hpp"

// Functions are called with drawn arguments under drawn limits. What each call does, which entry serves it, whether
// one is made, what is thrown and which reasons are told, is foretold by the model of random_calls_model.cpp, which
// is written from the rules and knows nothing of the library but the facts below; values are those of eager code.
namespace random_calls {

namespace gj = guardjit;
using gj::dyn, gj::index_t;
using backend = support::fragile_backend<14>;

/// Arguments and outputs of one dtype lie in one pool, so that they may overlap.
inline constexpr index_t pool_elements = 512;
template <class T> inline gj::tensor<T, dyn> pool(pool_elements);
template <class T> gj::tensor<T, dyn>& pool_of() { return pool<T>; }

/// What a parameter takes: a scalar, or a tensor whose extents are numbers or `dyn`.
struct form {
  gj::dtype type{};
  bool is_scalar = false;
  std::vector<index_t> extents;
};
/// A drawn argument or output: a part of its pool, or a number.
struct drawn {
  form what;
  std::vector<index_t> extents, strides;
  index_t offset = 0;
  double number = 0;
};
using drawn_call = std::vector<drawn>;

/// An erased backend of plain loops, equal to others of this number; those of both have one name. It throws while
/// `erased_fails`. In erased_backends.cpp, which has the loops of all ops.
gj::erased_backend const& walker(int number);
inline bool erased_fails = false;

/// What the user guards of guarded functions ask: an extent, and this switch. Bit k: the filter keeps guard k.
inline bool is_on = true;
inline unsigned kept_guards = 3;

/// A shape rule of an op. Extents are written "0.1" (argument 0, dim 1), "4", "(0.0 + 1.0)".
struct rule {
  enum kind { equal, broadcast, multiple, positive, index } what;
  std::string left, right;
};
/// A branch: sides are extents, or "s1" for scalar argument 1.
struct condition {
  std::string left, sign, right;
};
/// The conditions that a path has, by number, and their outcomes.
using path = std::vector<std::pair<std::size_t, bool>>;
enum class policy { automatic, all, none };

/// What the model knows of a function.
struct facts {
  std::string name;
  /// "0": elements of argument 0; "1.0": extent 0 of argument 1 alone.
  std::vector<std::string> reads{};
  std::vector<rule> rules{};
  std::vector<condition> conditions{};
  std::vector<path> paths{{}};
  bool is_strict = false;    ///< `error_on_recompile`
  bool has_indices = false;  ///< elements of an argument are indices
  bool is_guarded = false;   ///< by the user guards "short" and "switch", under a filter
};

struct settings {
  int recompile_limit = 8, compile_limit = 256;
  gj::limit_action at_limit = gj::limit_action::uncached;
};

/// What became of a call: the name of the error, or the shape and the elements.
struct outcome {
  std::string error;
  std::vector<index_t> extents;
  std::string bytes;
};
inline outcome outcome_of(auto const& call) {
  try {
    return call();
  } catch (gj::shape_error const&) {
    return {"shape_error", {}, {}};
  } catch (gj::overlap_error const&) {
    return {"overlap_error", {}, {}};
  } catch (gj::index_error const&) {
    return {"index_error", {}, {}};
  } catch (gj::recompile_error const&) {
    return {"recompile_error", {}, {}};
  } catch (gj::limit_error const&) {
    return {"limit_error", {}, {}};
  } catch (gj::guard_error const&) {
    return {"guard_error", {}, {}};
  } catch (gj::backend_error const&) {
    return {"backend_error", {}, {}};
  } catch (std::exception const& e) {
    return {e.what(), {}, {}};
  }
}

/// One function of the pool, compiled.
struct subject {
  facts what;
  policy extents{};
  std::vector<form> parameters{};
  form result{};

  subject(facts f, policy p) : what(std::move(f)), extents(p) {}
  subject(subject const&) = delete;
  virtual ~subject() = default;
  virtual void renew(settings const& s) = 0;
  virtual outcome eager(drawn_call const& c) = 0;
  /// By `with(backend(*by))`, if any.
  virtual outcome call(drawn_call const& c, drawn const* out, bool on_copy, gj::erased_backend const* by) = 0;
  virtual std::string find(drawn_call const& c) = 0;
  virtual gj::miss_report explain(drawn_call const& c) = 0;
  virtual std::vector<gj::entry_info> entries() = 0;
  virtual int compiles() = 0;
  virtual int uncached_calls() = 0;
  virtual void clear() = 0;
};

template <class T> struct form_of {
  static form get() { return {gj::dtype_v<T>, true, {}}; }
  static T value(drawn const& d) { return static_cast<T>(d.number); }
};
template <class T, index_t... E> struct form_of<gj::tensor<T, E...>> {
  using type = gj::tensor<T, E...>;
  static form get() { return {gj::dtype_v<T>, false, {E...}}; }
  static type value(drawn const& d) {
    typename type::layout_type::values sizes{}, steps{};
    for (unsigned k = 0; k < sizeof...(E); ++k) sizes[k] = d.extents[k], steps[k] = d.strides[k];
    gj::tensor<T, dyn>& memory = pool_of<T>();
    return type::adopt(memory.storage(), memory.data() + d.offset, typename type::layout_type(sizes, steps));
  }
};
template <class T, index_t... E> outcome outcome_with(gj::tensor<T, E...> const& x) {
  outcome o;
  for (int d = 0; d < x.rank(); ++d) o.extents.push_back(x.extent(d));
  gj::tensor<T, E...> const packed = x.clone();
  if (x.size() > 0)
    o.bytes.assign(reinterpret_cast<char const*>(packed.data()), static_cast<std::size_t>(x.size()) * sizeof(T));
  return o;
}

/// What `row` takes for an option that has no type of its own.
struct guarded_option {};
template <class Option> auto options_of() {
  if constexpr (std::is_same_v<Option, guarded_option>)
    return std::tuple(
        gj::user_guard([](auto const& x, auto const&...) { return x.extent(0) < 5; }, "short"),
        gj::user_guard([](auto const&...) { return is_on; }, "switch"),
        gj::guard_filter([](gj::guard_description const& g) {
          return g.kind != gj::guard_kind::predicate || (kept_guards >> g.condition & 1u) != 0;
        }));
  else return std::tuple(Option{});
}

template <class F, class Options, class Result, class... A> struct compiled_subject final : subject {
  static auto make(settings const& s) {
    return []<class... Option>(settings const& all, gj::type_list<Option...>) {
      return std::apply(
          [&all](auto... option) {
            return gj::compile(F{}, gj::backend(backend{}), gj::name<"g">, gj::recompile_limit{all.recompile_limit},
                               gj::compile_limit{all.compile_limit}, gj::on_limit{all.at_limit}, option...);
          },
          std::tuple_cat(options_of<Option>()...));
    }(s, Options{});
  }
  decltype(make({})) g = make({});

  compiled_subject(facts f, policy p) : subject(std::move(f), p) {
    parameters = {form_of<A>::get()...};
    result = form_of<Result>::get();
  }
  static auto with(drawn_call const& c, auto const& use) {
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
      return use(form_of<A>::value(c[K])...);
    }(std::index_sequence_for<A...>{});
  }
  void renew(settings const& s) override { g = make(s); }
  outcome eager(drawn_call const& c) override {
    return outcome_of([&] {
      return with(c, [](A const&... x) {
        auto const value = F{}(x...);
        if constexpr (gj::expression<std::remove_cvref_t<decltype(value)>>)
          return outcome_with(value.template evaluate<gj::backends::reference>());
        else return outcome_with(value);
      });
    });
  }
  outcome call(drawn_call const& c, drawn const* out, bool on_copy, gj::erased_backend const* by) override {
    auto const copy = g;
    auto const& used = on_copy ? copy : g;
    auto const use = [&](auto const& callee) {
      return outcome_of([&] {
        return with(c, [&](A const&... x) {
          if (!out) return outcome_with(callee(x...));
          Result to = form_of<Result>::value(*out);
          callee.into(to, x...);
          return outcome_with(to);
        });
      });
    };
    return by ? use(used.with(gj::backend(*by))) : use(used);
  }
  std::string find(drawn_call const& c) override {
    return with(c, [this](A const&... x) { return g.find(x...); });
  }
  gj::miss_report explain(drawn_call const& c) override {
    return with(c, [this](A const&... x) { return g.explain_miss(x...); });
  }
  std::vector<gj::entry_info> entries() override { return g.entries(); }
  int compiles() override { return g.compiles(); }
  int uncached_calls() override { return g.uncached_calls(); }
  void clear() override { g.clear(); }
};

using subjects = std::vector<std::unique_ptr<subject>>;
/// Draws calls of all functions in turn and compares. `unit` tells files apart.
void check_calls(subjects const& all, unsigned unit);

using f0 = gj::tensor<float>;
using f1 = gj::tensor<float, dyn>;
using f2 = gj::tensor<float, dyn, dyn>;
using d1 = gj::tensor<double, dyn>;
using d2 = gj::tensor<double, dyn, dyn>;
using d3 = gj::tensor<double, dyn, dyn, dyn>;
using i1 = gj::tensor<std::int32_t, dyn>;
using i2 = gj::tensor<std::int32_t, dyn, dyn>;

template <policy Policy> using policy_option =
    gj::dynamic_option<Policy == policy::automatic ? gj::dynamic_policy::automatic
                       : Policy == policy::all     ? gj::dynamic_policy::all
                                                   : gj::dynamic_policy::none>;
/// One row: `F` is called with `A…` and gives a `Result`; `Option…` are further options.
template <policy Policy, class... Option> struct row {
  template <class Result, class... A, class F> static void add(subjects& to, F, facts f) {
    using options = gj::type_list<policy_option<Policy>, Option...>;
    f.is_strict = (std::is_same_v<Option, gj::error_on_recompile_option> || ...);
    f.is_guarded = (std::is_same_v<Option, guarded_option> || ...);
    to.push_back(std::make_unique<compiled_subject<F, options, Result, A...>>(std::move(f), Policy));
  }
};
using automatic = row<policy::automatic>;
using all_open = row<policy::all>;
using none_open = row<policy::none>;
using strict = row<policy::automatic, gj::error_on_recompile_option>;
template <policy Policy> using guarded = row<Policy, guarded_option>;

}  // namespace random_calls

#endif
