#include "analysis/linear/modes.h"

#include <algorithm>

#include "analysis/linear/spectrum.h"

namespace trammel {

namespace {

using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;

/// Whether two modes have one vector: rounding parts a double eigenvalue with one vector, and its vectors, by
/// the root of rounding.
bool shares_vector(const Mode& a, const Mode& b, double scale) {
  constexpr double root = 3e-7;
  if (std::abs(a.s - b.s) > root * scale) return false;
  const double sizes = a.q.norm() * b.q.norm();
  return sizes > 0 && std::abs(a.q.dot(b.q)) > (1 - 1e-6) * sizes;
}

}  // namespace

void sort_modes(std::vector<Mode>& modes) {
  std::stable_sort(modes.begin(), modes.end(), [](const Mode& a, const Mode& b) {
    if (a.paired() != b.paired()) return b.paired();
    return std::pair(std::abs(a.s), a.s.real()) < std::pair(std::abs(b.s), b.s.real());
  });
}

Modes modes_of(const Model& model, const SmallMotions& motions, const StateEquations& equations) {
  const FinitePart& finite = equations.finite;
  const Spectrum spectrum = spectrum_of(finite.A, motions.accuracy);
  const Index p = motions.coordinates, n = motions.size();
  const MatrixXd Z = finite.X.topRows(n), V = finite.X.middleRows(n, p);
  Modes out;
  out.states = static_cast<int>(spectrum.s.size());
  out.error = spectrum.error;
  out.neutral = motions.F * (Z * spectrum.still);
  std::vector<Index> kept;  // one of each conjugate pair
  for (Index k = 0; k < spectrum.s.size(); ++k)
    if (!(spectrum.s[k].imag() < 0)) kept.push_back(k);
  const VectorXcd s = spectrum.s(kept);
  const MatrixXcd x = spectrum.vector(Eigen::all, kept), all_z = product(Z, x);
  // δq̇ = F ż + F₁ z; rates of scalars are s z
  MatrixXcd z_rate = all_z * s.asDiagonal();
  z_rate.topRows(p) = product(V, x);
  const MatrixXcd q = product(motions.F, all_z), v = product(motions.F, z_rate) + product(motions.F1, all_z);
  for (Index k = 0; k < s.size(); ++k) {
    Mode mode;
    mode.s = s[k];
    const auto z = all_z.col(k);
    mode.q = q.col(k);
    mode.v = v.col(k);
    mode.scalar = VectorXcd::Zero(static_cast<Index>(model.scalars.size()));
    for (std::size_t i = 0; i < motions.scalars.size(); ++i)
      mode.scalar[motions.scalars[i]] = z[p + static_cast<Index>(i)];
    out.modes.push_back(std::move(mode));
  }
  sort_modes(out.modes);
  const double scale = spectrum.s.size() > 0 ? spectrum.s.cwiseAbs().maxCoeff() : 0.0;
  for (std::size_t k = 1; k < out.modes.size(); ++k)
    for (std::size_t i = k; i-- > 0;) {
      if (std::abs(std::abs(out.modes[i].s) - std::abs(out.modes[k].s)) > 3e-7 * scale) break;
      if (shares_vector(out.modes[i], out.modes[k], scale)) {
        out.defective.push_back(static_cast<int>(k));
        break;
      }
    }
  return out;
}

}  // namespace trammel
