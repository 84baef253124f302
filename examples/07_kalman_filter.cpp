// What you learn: small matrices of static extents: a Kalman filter, written as its equations, compiled.
// Run:    build/examples/07_kalman_filter
// Prints: how far measured and filtered positions of a moving body are off; returns 1 where the filter is wrong.
#include <guardjit/guardjit.hpp>

#include <cmath>
#include <cstdio>

namespace gj = guardjit;
using vec6 = gj::tensor<double, 6>;  // positions and velocities: x y z, vx vy vz
using mat6 = gj::tensor<double, 6, 6>;

// Prediction: the state x moves by f; so does its covariance p, which grows by the process noise q.
auto const move = gj::compile([](auto const& f, auto const& x) { return gj::matmul(f, x); });
auto const widen = gj::compile(
    [](auto const& f, auto const& p, auto const& q) { return gj::matmul(gj::matmul(f, p), gj::transpose(f)) + q; });

// Update by one number z = h x + noise of variance r. Since z is a scalar, no matrix is inverted.
constexpr auto gain = [](auto const& p, auto const& h, auto const& r) {
  auto const seen = gj::matmul(p, h);
  return seen / (gj::matmul(h, seen) + r);
};
auto const correct = gj::compile([](auto const& x, auto const& p, auto const& h, auto const& z, auto const& r) {
  return x + gain(p, h, r) * (z - gj::matmul(h, x));
});
auto const narrow = gj::compile([](auto const& p, auto const& h, auto const& r) {
  return p - gj::reshape(gain(p, h, r), {6, 1}) * gj::matmul(h, p);
});

/// The same by plain loops, in place.
void predict_by_hand(vec6& x, mat6& p, mat6 const& f, mat6 const& q) {
  mat6 const p0 = p.clone();
  for (int i = 0; i < 36; ++i) {
    p(i / 6, i % 6) = q(i / 6, i % 6);
    for (int k = 0; k < 36; ++k) p(i / 6, i % 6) += f(i / 6, k / 6) * p0(k / 6, k % 6) * f(i % 6, k % 6);
  }
  for (int i = 0; i < 3; ++i) x(i) += f(i, i + 3) * x(i + 3);
}
void correct_by_hand(vec6& x, mat6& p, int axis, double z, double r) {
  double const total = p(axis, axis) + r, wrong = z - x(axis);
  mat6 const p0 = p.clone();
  for (int i = 0; i < 6; ++i) {
    x(i) += p0(i, axis) / total * wrong;
    for (int j = 0; j < 6; ++j) p(i, j) -= p0(i, axis) / total * p0(axis, j);
  }
}
/// About normal, of variance 1: twelve uniform numbers of a fixed sequence.
double noise() {
  static std::uint64_t state = 42;
  double sum = -6;
  for (int k = 0; k < 12; ++k) sum += static_cast<double>((state = state * 6364136223846793005u + 1) >> 11) * 0x1p-53;
  return sum;
}

int main() {
  double const dt = 0.1, push = 0.3, r = 4;  // s; m/s² of unknown acceleration; m², variance of what is measured
  mat6 f, q, p, p_by_hand;
  for (int i = 0; i < 6; ++i) {
    f(i, i) = 1, p(i, i) = p_by_hand(i, i) = 100, q(i, i) = push * push * dt * dt * (i < 3 ? dt * dt / 4 : 1);
    if (i < 3) f(i, i + 3) = dt, q(i, i + 3) = q(i + 3, i) = push * push * dt * dt * dt / 2;
  }
  vec6 const sensors[] = {{1, 0, 0, 0, 0, 0}, {0, 1, 0, 0, 0, 0}, {0, 0, 1, 0, 0, 0}};  // of x, y and z
  vec6 truth{0, 5, 1, 20, -3, 1}, x, x_by_hand;
  double measured = 0, filtered = 0, promised = 0, off = 0;
  for (int step = 0; step < 1000; ++step) {
    x = move(f, x), p = widen(f, p, q);
    predict_by_hand(x_by_hand, p_by_hand, f, q);
    for (int d = 0; d < 3; ++d) {
      double const a = push * noise(), wrong = std::sqrt(r) * noise();
      truth(d) += dt * truth(d + 3) + dt * dt / 2 * a, truth(d + 3) += dt * a;
      x = correct(x, p, sensors[d], truth(d) + wrong, r), p = narrow(p, sensors[d], r);
      correct_by_hand(x_by_hand, p_by_hand, d, truth(d) + wrong, r);
      measured += wrong * wrong, filtered += std::pow(x(d) - truth(d), 2), promised += p(d, d);
    }
    off += double(gj::eval(gj::amax(gj::abs(x - x_by_hand)) + gj::amax(gj::abs(p - p_by_hand))));
  }
  std::printf("mean square error in m²: measured %.2f, filtered %.2f, expected %.2f; to plain loops: %.1e\n", measured / 3000,
              filtered / 3000, promised / 3000, off / 1000);
  return filtered > 0.7 * promised && filtered < 1.4 * promised && filtered < measured / 4 && off < 1e-9 ? 0 : 1;
}
