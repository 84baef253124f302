// What you learn: windows of a signal as a view of strides 1 and 1; several results of one compiled function.
// Run:    build/examples/08_moving_statistics
// Prints: the clicks that were found in a noisy recording; returns 1 where others were, or a statistic is wrong.
#include <guardjit/guardjit.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <tuple>

namespace gj = guardjit;
using gj::dyn, gj::index_t, gj::tensor;

constexpr index_t samples = 48000, window = 240, clicks[] = {4801, 17230, 17301, 39999};

/// One second of a hum of 50 Hz that grows louder, with noise, and four clicks.
tensor<float, dyn> recording() {
  tensor<float, dyn> x(samples);
  std::uint64_t state = 1;
  for (index_t k = 0; k < samples; ++k) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    double const noise = static_cast<double>(state >> 40) / 16777216.0 - 0.5, at = static_cast<double>(k) / samples;
    x.data()[k] = static_cast<float>((0.2 + 0.1 * at) * std::sin(314.159265 * at) + 0.02 * noise);
  }
  for (index_t k : clicks) x.data()[k] += 0.25f;
  return x;
}

/// Row k is the window from sample k on: the same memory, seen once for each sample of a window. Nothing is copied.
tensor<float, dyn, dyn> windows_of(tensor<float, dyn> const& x) {
  gj::layout<2> const overlapping({x.size() - window + 1, window}, {1, 1});
  return tensor<float, dyn, dyn>::adopt(x.storage(), const_cast<float*>(x.data()), overlapping);
}

int main() {
  // One function of four results: one look at the entries, no window is copied.
  auto const statistics = gj::compile(
      [](auto const& w) {
        return std::tuple(gj::mean(w, gj::axes(1)), gj::std(w, gj::axes(1)), gj::amin(w, gj::axes(1)),
                          gj::amax(w, gj::axes(1)));
      },
      gj::name<"statistics">);

  // A click stands out of how much neighbours differ, not of the hum.
  tensor const signal = recording();
  tensor const steps = gj::eval(signal(gj::range(1, samples)) - signal(gj::range(0, samples - 1)));
  tensor const windows = windows_of(steps);
  auto const [mean, deviation, least, most] = statistics(windows);

  // The step in the middle of each window, in units of its deviation.
  index_t const middle = window / 2, count = windows.extent(0);
  tensor const score = gj::eval((steps(gj::range(middle, middle + count)) - mean) / deviation);
  index_t found = 0, right = 0;
  for (index_t k = 0; k < count; ++k) {
    if (score(k) < 6 || most(k) - least(k) < 0.2f) continue;
    index_t const sample = k + middle + 1;
    std::printf("click at sample %lld, %.1f deviations\n", static_cast<long long>(sample), static_cast<double>(score(k)));
    ++found;
    for (index_t click : clicks) right += click == sample ? 1 : 0;
  }

  // The statistics of some windows by hand.
  double worst = 0;
  for (index_t k = 0; k < count; k += 997) {
    double sum = 0, squares = 0;
    for (index_t j = 0; j < window; ++j) sum += static_cast<double>(steps(k + j));
    for (index_t j = 0; j < window; ++j) squares += std::pow(static_cast<double>(steps(k + j)) - sum / window, 2);
    worst = std::fmax(worst, std::fabs(static_cast<double>(mean(k)) - sum / window));
    worst = std::fmax(worst, std::fabs(static_cast<double>(deviation(k)) - std::sqrt(squares / (window - 1))));
  }
  std::printf("%lld of 4 clicks found; largest difference to plain loops %.1e\n", static_cast<long long>(right), worst);
  return right == 4 && found == 4 && worst < 1e-7 && windows.storage() == steps.storage() ? 0 : 1;
}
