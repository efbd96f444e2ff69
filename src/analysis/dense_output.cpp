#include "analysis/dense_output.h"

namespace trammel {

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
  const auto blend = [&](std::vector<double>& out, const std::vector<double>& from,
                         const std::vector<double>& to) {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = from[i] + u * (to[i] - from[i]);
  };
  blend(s.lambda, b.lambda, end.lambda);
  blend(s.s, b.s, end.s);
  blend(s.sdot, b.sdot, end.sdot);
  for (std::size_t k = 0; k < model.scalars.size(); ++k)
    if (model.scalars[k].differential())  // cubic Hermite
      s.s[k] = b.s[k] + (3 * u2 - 2 * u3) * (end.s[k] - b.s[k]) +
               h * ((u - 2 * u2 + u3) * b.sdot[k] + (u3 - u2) * end.sdot[k]);
  return s;
}

}  // namespace trammel
