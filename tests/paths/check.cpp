// guardjit: tests/paths/check.cpp: calls a function on each path and compares with the oracle
// SPDX-License-Identifier: BSL-1.0
#include <cmath>
#include <cstring>
#include <string>

#include "draw.hpp"

namespace paths {

namespace {

/// A result, or what was thrown in its place.
struct outcome {
  known result;
  char const* thrown = nullptr;
  std::string text{};
};

outcome outcome_of(auto const& call) {
  try {
    return {known(call())};
  } catch (gj::shape_error const& e) {
    return {{}, "shape_error", e.what()};
  } catch (gj::index_error const& e) {
    return {{}, "index_error", e.what()};
  } catch (gj::dtype_error const& e) {
    return {{}, "dtype_error", e.what()};
  } catch (std::exception const& e) {
    return {{}, "another error", e.what()};
  }
}

template <class T> std::string text_of(T v) {
  char text[64];
  if constexpr (std::is_floating_point_v<T>)
    std::snprintf(text, sizeof text, "%.17g", static_cast<double>(v));
  else std::snprintf(text, sizeof text, "%lld", static_cast<long long>(v));
  return text;
}

/// Dtype, extents, strides and elements in logical order, at full precision.
std::string text_of(any_tensor const& x) {
  std::string text = std::string(gj::name_of(x.type())) + " (";
  for (int d = 0; d < x.rank(); ++d)
    text += (d ? ", " : "") + std::to_string(x.extent(d)) + " by " + std::to_string(x.stride(d));
  text += ") {";
  any_tensor const packed = x.clone();
  gj::visit_dtype(x.type(), [&]<class T>(std::type_identity<T>) {
    for (index_t k = 0; k < packed.size(); ++k) text += (k ? ", " : "") + text_of(packed.data_as<T>()[k]);
  });
  return text + "}";
}

/// Rules: POL-17.
template <class T> bool agree(T got, T want, double bound) {
  if (!(bound < std::numeric_limits<double>::infinity())) return true;
  if constexpr (std::is_floating_point_v<T>) {
    if (want != want) return got != got;
    if (bound > 0) {
      double const g = static_cast<double>(got), w = static_cast<double>(want);
      if (std::isinf(want)) return got == want;
      if (std::isinf(got)) return std::fabs(w) + bound >= static_cast<double>(std::numeric_limits<T>::max());
      return std::fabs(g - w) <= bound;
    }
  } else if (bound > 0) {
    return true;
  }
  return std::memcmp(&got, &want, sizeof(T)) == 0;
}

any_tensor packed(any_tensor const& x) { return x && !x.is_contiguous() ? x.clone() : x; }

}  // namespace

std::string difference(any_tensor const& got, known const& want) {
  if (got.type() != want.type()) return std::string("dtype ") + gj::name_of(got.type());
  if (!(got.shape() == want.value.shape())) return "other extents";
  any_tensor const g = packed(got), w = packed(want.value), e = packed(want.error);
  return gj::visit_dtype(g.type(), [&]<class T>(std::type_identity<T>) -> std::string {
    for (index_t k = 0; k < g.size(); ++k) {
      double const bound = e ? e.data_as<double>()[k] : 0;
      T const a = g.data_as<T>()[k], b = w.data_as<T>()[k];
      if (!agree(a, b, bound))
        return "element " + std::to_string(k) + " is " + text_of(a) + ", expected " + text_of(b) +
               (bound > 0 ? " within " + text_of(bound) : "");
    }
    return "";
  });
}

namespace {

/// The same of results or what was thrown.
std::string disagreement(outcome const& got, outcome const& want) {
  if (!got.thrown && !want.thrown) return difference(got.result.value, want.result);
  if (got.thrown && want.thrown && std::strcmp(got.thrown, want.thrown) == 0) return "";
  auto const what = [](outcome const& o) {
    return o.thrown ? std::string(o.thrown) + ": " + o.text : "a result: " + text_of(o.result.value);
  };
  return what(got) + "; expected " + what(want);
}

}  // namespace

void check(subject const& s, std::uint64_t seed, int draws) {
  constexpr int most_reports = 3;
  int reports = 0, results = 0;
  for (int n = 0; n < draws && reports < most_reports; ++n) {
    auto const turn = static_cast<unsigned>(n) % static_cast<unsigned>(s.drawn.size());
    dice random(seed + static_cast<std::uint64_t>(n) * 0x51ed2701u);
    auto const layout = static_cast<layout_kind>(n / static_cast<int>(s.drawn.size()) % layout_kinds);
    auto const in = draw(s, turn, layout, random);
    std::vector<any_tensor> before;
    for (any_tensor const& x : in) before.push_back(x.clone());
    outcome const want = outcome_of([&] { return s.oracle(in); });
    results += want.thrown ? 0 : 1;
    auto const report = [&](std::string const& where, std::string const& wrong) {
      std::string operands_text;
      for (any_tensor const& x : in) operands_text += "\n  " + text_of(x);
      CHECK_MESSAGE(wrong.empty(), where, ", seed ", seed, ", draw ", n, ": ", wrong, "\n  ", s.text, operands_text);
      ++reports;
    };
    for (path const& p : s.all) {
      if ((p.takes >> turn & 1u) == 0) continue;
      std::string const wrong = disagreement(outcome_of([&] { return p.call(p.function, in); }), want);
      if (!wrong.empty()) report(p.name, wrong);
    }
    for (std::size_t k = 0; k < in.size(); ++k)
      if (!difference(in[k], known(before[k])).empty())
        report("some path", "operand " + std::to_string(k) + " has changed, it was " + text_of(before[k]));
  }
  // Most draws fit, or nothing would be compared.
  CHECK_MESSAGE((reports > 0 || results > draws / 4), results, " results of ", draws, " draws: ", s.text);
}

}  // namespace paths
