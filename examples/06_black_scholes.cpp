// What you learn: a closed formula over a table: scalars, broadcasting and functions inside functions, compiled.
// Run:    build/examples/06_black_scholes
// Prints: prices and deltas of calls by strike and maturity; returns 1 where a known value or the parity is missed.
#include <guardjit/guardjit.hpp>

#include <cmath>
#include <cstdio>
#include <numbers>

namespace gj = guardjit;
using gj::dyn, gj::tensor;

// Formulas of Black and Scholes (1973) and Merton (1973), without dividends. Spot, rate and volatility are scalars, strikes a
// column, years a row: the results are tables. Functions call functions; the compiler fuses what they write down.
constexpr auto normal = [](auto const& x) { return 0.5 * (1.0 + gj::erf(x * (0.5 * std::numbers::sqrt2))); };
constexpr auto d1 = [](auto const& spot, auto const& strike, auto const& years, auto const& rate, auto const& volatility) {
  auto const drift = rate + 0.5 * volatility * volatility;
  return (gj::log(spot / strike) + drift * years) / (volatility * gj::sqrt(years));
};
constexpr auto call_price = [](auto const& spot, auto const& strike, auto const& years, auto const& rate, auto const& volatility) {
  auto const d = d1(spot, strike, years, rate, volatility);
  auto const paid = strike * gj::exp(-rate * years);
  return spot * normal(d) - paid * normal(d - volatility * gj::sqrt(years));
};
constexpr auto put_price = [](auto const& spot, auto const& strike, auto const& years, auto const& rate, auto const& volatility) {
  auto const d = d1(spot, strike, years, rate, volatility);
  auto const paid = strike * gj::exp(-rate * years);
  return paid * normal(volatility * gj::sqrt(years) - d) - spot * normal(-d);
};
/// How much a call gains where the spot gains 1.
constexpr auto call_delta = [](auto const&... market) { return normal(d1(market...)); };

/// The same by hand, for one option.
double call_by_hand(double spot, double strike, double years, double rate, double volatility) {
  double const spread = volatility * std::sqrt(years);
  double const d = (std::log(spot / strike) + (rate + 0.5 * volatility * volatility) * years) / spread;
  auto const below = [](double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); };
  return spot * below(d) - strike * std::exp(-rate * years) * below(d - spread);
}

int main() {
  auto const calls = gj::compile(call_price, gj::name<"calls">);
  auto const puts = gj::compile(put_price, gj::name<"puts">);
  auto const deltas = gj::compile(call_delta, gj::name<"deltas">);
  bool right = true;

  double const spot = 42, rate = 0.1, volatility = 0.2;
  tensor<double, dyn, 1> const strikes{{36}, {38}, {40}, {42}, {44}};
  tensor<double, dyn> const years{0.25, 0.5, 1};
  tensor const prices = calls(spot, strikes, years, rate, volatility);
  tensor const slopes = deltas(spot, strikes, years, rate, volatility);
  for (int i = 0; i < prices.extent(0); ++i) {
    std::printf("strike %2.0f:", strikes(i, 0));
    for (int j = 0; j < prices.extent(1); ++j) {
      std::printf("  %7.4f (%.3f)", prices(i, j), slopes(i, j));
      double const want = call_by_hand(spot, strikes(i, 0), years(j), rate, volatility);
      right = right && std::fabs(prices(i, j) - want) < 1e-12 * spot;
    }
    std::printf("\n");
  }

  // Put-call parity: a call less a put is the spot less what the strike is worth today. This runs as an expression.
  tensor const cheap = puts(spot, strikes, years, rate, volatility);
  double const gap = gj::amax(gj::abs(prices - cheap - (spot - strikes * gj::exp(-rate * years))));
  std::printf("put-call parity holds up to %.1e\n", gap);
  right = right && gap < 1e-12 * spot;

  // J. Hull, Options, Futures, and Other Derivatives. Black-Scholes-Merton: spot 42, strike 40, half a year: 4.76 and 0.81,
  // N(d1) is 0.7791. Greek letters: spot 49, strike 50, 20 weeks, 5 %, 20 %: a delta of 0.522 and a price of 2.40.
  tensor<double, 1, 1> const strike{{50}};
  tensor<double, 1> const weeks{0.3846};
  auto const is = [](double got, double printed, double digit) { return std::fabs(got - printed) <= digit / 2; };
  right = right && is(prices(2, 1), 4.76, 0.01) && is(cheap(2, 1), 0.81, 0.01) && is(slopes(2, 1), 0.7791, 1e-4);
  right = right && is(deltas(49.0, strike, weeks, 0.05, 0.2)(0, 0), 0.522, 1e-3);
  right = right && is(calls(49.0, strike, weeks, 0.05, 0.2)(0, 0), 2.40, 0.01);
  return right ? 0 : 1;
}
