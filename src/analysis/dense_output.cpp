#include "analysis/dense_output.h"

#include <cmath>

namespace trammel {

namespace {

/// λ, scalars and Ẋ at t, by Lagrange's polynomial through both ends of the step and the stages inside.
class Collocated {
 public:
  Collocated(const Integrator::StepStart& b, const State& end, double t) : b_(b) {
    times_ = {b.t};
    for (const auto& point : b.inside) times_.push_back(point.t);
    times_.push_back(end.t);
    for (const double own : times_) {
      double w = 1;
      for (const double other : times_)
        if (other != own) w *= (t - other) / (own - other);
      weight_.push_back(w);
    }
  }
  double lambda(std::size_t i, double end) const {
    return sum(b_.lambda[i], end, [i](const auto& point) { return point.lambda[i]; });
  }
  double scalar(std::size_t k, double end) const {
    return sum(b_.s[k], end, [k](const auto& point) { return point.s[k]; });
  }
  double rate(std::size_t k, double end) const {
    return sum(b_.sdot[k], end, [k](const auto& point) { return point.sdot[k]; });
  }

 private:
  template <class Value>
  double sum(double begin, double end, Value value) const {
    double out = weight_.front() * begin + weight_.back() * end;
    for (std::size_t k = 0; k < b_.inside.size(); ++k) out += weight_[k + 1] * value(b_.inside[k]);
    return out;
  }

  const Integrator::StepStart& b_;
  std::vector<double> times_, weight_;
};

/// Replaces all but q and q̇. The rate of a stiff state is not known well enough for Hermite's polynomial: an
/// error δ of the state is one of |λ| δ in it. `f2` ...: second derivatives of the basis functions of the
/// quintic polynomial.
void take_collocated(const Model& model, const Integrator::StepStart& b, const State& end, State& s) {
  const double h = end.t - b.t, u = (s.t - b.t) / h, u2 = u * u, u3 = u2 * u;
  const double f2 = 60 * u - 180 * u2 + 120 * u3, g2 = -36 * u + 96 * u2 - 60 * u3,
               g2_end = -24 * u + 84 * u2 - 60 * u3, k2 = 1 - 9 * u + 18 * u2 - 10 * u3,
               k2_end = 3 * u - 12 * u2 + 10 * u3;
  for (std::size_t i = 0; i < s.q.size(); ++i)
    s.a[i] = (f2 * (end.q[i] - b.q[i]) / h + g2 * b.v[i] + g2_end * end.v[i]) / h + k2 * b.a[i] +
             k2_end * end.a[i];
  const Collocated inside(b, end, s.t);
  for (std::size_t i = 0; i < s.lambda.size(); ++i) s.lambda[i] = inside.lambda(i, end.lambda[i]);
  for (std::size_t k = 0; k < s.s.size(); ++k) {
    s.s[k] = inside.scalar(k, end.s[k]);
    if (model.scalars[k].differential()) s.sdot[k] = inside.rate(k, end.sdot[k]);
  }
}

/// Whether q changes otherwise than its velocities say, as where a short step moves places by ERROR: a
/// derivative of the quintic polynomial would have the difference over h. Of a smooth motion it is
///   Δq − h (q̇_0 + q̇_1)/2 − h² (q̈_0 − q̈_1)/12 = h⁵ q⁽⁵⁾/720,  below h (h³ q⁽⁴⁾/6)/40 up to h ω = 3,
/// with h³ q⁽⁴⁾/6 = h (q̈_0 + q̈_1) − 2 (q̇_1 − q̇_0).
bool places_are_apart(const Integrator::StepStart& b, const State& end, std::size_t i) {
  constexpr double least_part = 1.0 / 16;
  const double h = end.t - b.t,
               apart = (end.q[i] - b.q[i]) / h - 0.5 * (b.v[i] + end.v[i]) - h / 12 * (b.a[i] - end.a[i]),
               third = h * (b.a[i] + end.a[i]) - 2 * (end.v[i] - b.v[i]);
  return std::fabs(apart) > least_part * std::fabs(third);
}

}  // namespace

State state_inside_step(const Model& model, const Integrator::StepStart& b, const State& end, double t) {
  State s = end;
  const double h = end.t - b.t, u = (t - b.t) / h;
  s.t = t;
  const double u2 = u * u, u3 = u2 * u, u4 = u3 * u, u5 = u4 * u;
  const double f1 = 10 * u3 - 15 * u4 + 6 * u5, g0 = u - 6 * u3 + 8 * u4 - 3 * u5,
               g1 = -4 * u3 + 7 * u4 - 3 * u5;
  const double k0 = 0.5 * (u2 - 3 * u3 + 3 * u4 - u5), k1 = 0.5 * (u3 - 2 * u4 + u5);
  const double F1 = 30 * u2 - 60 * u3 + 30 * u4, G0 = 1 - 18 * u2 + 32 * u3 - 15 * u4,
               G1 = -12 * u2 + 28 * u3 - 15 * u4;
  const double K0 = 0.5 * (2 * u - 9 * u2 + 12 * u3 - 5 * u4), K1 = 0.5 * (3 * u2 - 8 * u3 + 5 * u4);
  for (std::size_t i = 0; i < s.q.size(); ++i) {
    const double dq = end.q[i] - b.q[i];
    s.q[i] = b.q[i] + f1 * dq + h * (g0 * b.v[i] + g1 * end.v[i]) + h * h * (k0 * b.a[i] + k1 * end.a[i]);
    s.v[i] = F1 * dq / h + G0 * b.v[i] + G1 * end.v[i] + h * (K0 * b.a[i] + K1 * end.a[i]);
    s.a[i] = b.a[i] + u * (end.a[i] - b.a[i]);
  }
  // Cubic Hermite
  const double c1 = 3 * u2 - 2 * u3, d0 = u - 2 * u2 + u3, d1 = u3 - u2;
  for (std::size_t i = 0; i < s.v.size(); ++i)
    if (b.velocities_apart || places_are_apart(b, end, i))
      s.v[i] = b.v[i] + c1 * (end.v[i] - b.v[i]) + h * (d0 * b.a[i] + d1 * end.a[i]);
  const auto blend = [&](std::vector<double>& out, const std::vector<double>& from,
                         const std::vector<double>& to) {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = from[i] + u * (to[i] - from[i]);
  };
  blend(s.lambda, b.lambda, end.lambda);
  blend(s.s, b.s, end.s);
  blend(s.sdot, b.sdot, end.sdot);
  for (std::size_t k = 0; k < model.scalars.size(); ++k)
    if (model.scalars[k].differential())
      s.s[k] = b.s[k] + c1 * (end.s[k] - b.s[k]) + h * (d0 * b.sdot[k] + d1 * end.sdot[k]);
  if (!b.inside.empty()) take_collocated(model, b, end, s);
  return s;
}

State moved_on(const Model& model, const State& from, double h) {
  State s = from;
  s.t += h;
  for (std::size_t i = 0; i < s.q.size(); ++i) {
    s.q[i] += h * (from.v[i] + 0.5 * h * from.a[i]);
    s.v[i] += h * from.a[i];
  }
  for (std::size_t k = 0; k < s.s.size(); ++k)
    if (model.scalars[k].differential()) s.s[k] += h * from.sdot[k];
  return s;
}

}  // namespace trammel
