#include "analysis/linear/along_motion.h"

namespace trammel {

namespace {

State after(const State& state, double tau) {
  State out = state;
  out.t += tau;
  for (std::size_t k = 0; k < out.q.size(); ++k) {
    out.q[k] += tau * (state.v[k] + 0.5 * tau * state.a[k]);
    out.v[k] += tau * state.a[k];
  }
  for (std::size_t k = 0; k < out.s.size(); ++k) out.s[k] += tau * state.sdot[k];
  return out;
}

}  // namespace

MatrixJet along_motion(const State& state, double frequency,
                       const std::function<Eigen::MatrixXd(const State&)>& matrix) {
  constexpr double first[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  constexpr double middle = -205.0 / 72, second[] = {8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};
  MatrixJet out;
  out.value = matrix(state);
  out.rate = Eigen::MatrixXd::Zero(out.value.rows(), out.value.cols());
  out.second = out.rate;
  if (!(frequency > 0)) return out;
  const double h = 0.02 / frequency;
  out.second = middle * out.value;
  for (int k = 0; k < 4; ++k) {
    const Eigen::MatrixXd ahead = matrix(after(state, (k + 1) * h)),
                          behind = matrix(after(state, -(k + 1) * h));
    out.rate += first[k] * (ahead - behind);
    out.second += second[k] * (ahead + behind);
  }
  out.rate /= h;
  out.second /= h * h;
  return out;
}

}  // namespace trammel
