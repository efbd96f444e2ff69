// A free flexible body that tumbles: what methods keep of momenta and energy, and their orders.
#include <gtest/gtest.h>
#include <algorithm>

#include <Eigen/Dense>

#include "../support/simulate.h"
#include "flexible/selection.h"
#include "tumbling.h"

namespace trammel::flexible_order_test {
namespace {

using namespace test;

/// The modes with the given numbers of a soft beam, its frame in its middle, where the centre of mass is.
ModalBody soft_modes(const std::vector<int>& ids) {
  const Beam beam{.E = 2e7, .G = 8e6, .Iy = 1.2e-7, .Iz = 1.5e-7, .torsion = 2e-7, .elements = 6};
  ModalBody body = with_modes(modes_of(beam, {1, 7}, 0), ids);
  for (Vec3d& s : body.position) s.x -= 0.5;
  body.invariants = lumped_invariants(body);
  return body;
}

/// Four bending modes, the slowest of 20 radians a second; it turns at 3.
struct SoftBeam {
  const ModalBody body = soft_modes({7, 8, 9, 10});
  const TemporaryFile file{"soft.mtx", write_mtx(body)};
  std::string deck(const std::string& integrator) const {
    return "title\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\nMARKER/1, "
           "PART=1\n"
           "INTEGRATOR/" +
           integrator + "\nFLEX_BODY/2, MNF_FILE=" + file.path() +
           ", CRATIO=0, VX=1, VY=2, WX=1, WY=2, WZ=2.5, DMODE=0.02,-0.01,0,0\nEND\n";
  }
};

struct Found {
  std::vector<double> where;      ///< positions, angles and modes at the end
  double energy, spin, momentum;  ///< changes, relative
};
Found run(const SoftBeam& beam, const std::string& integrator) {
  Recording r(beam.deck(integrator));
  r.simulation->initialize();
  const Tumbling begin = state_of(beam.body, *r.simulation);
  r.simulation->run(dynamics_analysis, {0.5, 5});
  const Tumbling end = state_of(beam.body, *r.simulation);
  Found out{{},
            std::abs(end.scale - begin.scale) / begin.scale,
            norm(end.spin - begin.spin) / norm(begin.spin),
            norm(end.momentum - begin.momentum) / norm(begin.momentum)};
  for (const char* name : {"X", "Y", "Z", "PSI", "THETA", "PHI", "Q7", "Q8", "Q9", "Q10"})
    out.where.push_back(r.at(r.values.size() - 1, "FLEX_BODY/2", name));
  return out;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return std::sqrt(sum);
}

/// With fixed steps what HHT errs in the motion and loses of spin and energy is of second order.
TEST(FreeFlexibleBody, is_followed_by_HHT_with_second_order) {
  const SoftBeam beam;
  const Found exact = run(beam, "RADAU, ERROR=1E-12");
  std::vector<Found> found;
  std::vector<double> error;
  for (const double h : {1e-3, 5e-4, 2.5e-4}) {
    found.push_back(run(beam, fmt::format("HHT, ERROR=1E-9, HINIT={0}, HMIN={0}, HMAX={0}", h)));
    error.push_back(distance(found.back().where, exact.where));
  }
  for (std::size_t k = 1; k < error.size(); ++k) {
    SCOPED_TRACE(k);
    EXPECT_NEAR(std::log2(error[k - 1] / error[k]), 2, 0.15);
    EXPECT_NEAR(std::log2(found[k - 1].spin / found[k].spin), 2, 0.05);
    EXPECT_GT(std::log2(found[k - 1].energy / found[k].energy), 1.9);  // that of the damping falls faster
    EXPECT_LT(found[k].momentum, 1e-14);                               // no force acts: rounding
  }
}

/// Of methods that choose their steps errors, energy and spin follow ERROR: a ten-thousandth of it leaves a
/// hundredth at most, or twenty times ERROR, for orders vary with steps and the coarsest run may be lucky.
TEST(FreeFlexibleBody, is_followed_as_ERROR_says) {
  const SoftBeam beam;
  const Found exact = run(beam, "RADAU, ERROR=1E-12");
  for (const char* method : {"RADAU", "GSTIFF, SI2", "WSTIFF, SI2", "GSTIFF"}) {
    SCOPED_TRACE(method);
    const Found loose = run(beam, fmt::format("{}, ERROR=1E-4", method)),
                tight = run(beam, fmt::format("{}, ERROR=1E-8", method));
    EXPECT_LT(distance(tight.where, exact.where), std::max(0.01 * distance(loose.where, exact.where), 2e-7));
    EXPECT_LT(tight.energy, 0.01 * loose.energy);
    EXPECT_LT(tight.spin, 0.01 * loose.spin);
    for (const Found& f : {loose, tight}) EXPECT_LT(f.momentum, 1e-14);  // no force acts: rounding
  }
}

/// Its amplification of (q, h q̇, h² a) in a step, ω q being the force, after Hilber, Hughes and Taylor
/// (1977): a₊ = −Ω² ((1 + α) q₊ − α q),  q₊ = q + h q̇ + h² (½ − β) a + β h² a₊,  h q̇₊ = h q̇ + (1 − γ) h² a +
/// γ h² a₊.
Eigen::Matrix3d amplification(double alpha, double omega) {
  const double beta = (1 - alpha) * (1 - alpha) / 4, gamma = 0.5 - alpha, square = omega * omega;
  Eigen::Matrix3d implicit, explicit_part;
  implicit << 1, 0, -beta, 0, 1, -gamma, (1 + alpha) * square, 0, 1;
  explicit_part << 1, 1, 0.5 - beta, 0, 1, 1 - gamma, alpha * square, 0, 0;
  return implicit.partialPivLu().solve(explicit_part);
}

/// A mode of which a step passes over 3 to 16 periods dies away as α says: its coordinate follows the
/// characteristic polynomial of the amplification.
TEST(FreeFlexibleBody, has_high_modes_that_HHT_damps_by_its_alpha) {
  const ModalBody body = soft_modes({9});
  const TemporaryFile file("high.mtx", write_mtx(body));
  for (const double alpha : {-0.3, -0.1, -0.01})
    for (const double periods : {3.0, 16.0}) {
      SCOPED_TRACE(fmt::format("{} {}", alpha, periods));
      const double h = periods / body.frequency[0];
      constexpr int steps = 24;
      Recording r(
          fmt::format("title\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\n"
                      "PART/1, GROUND\nMARKER/1, PART=1\n"
                      "INTEGRATOR/HHT, ERROR=1E-7, ALPHA={0}, HINIT={1:.17g}, HMIN={1:.17g}, HMAX={1:.17g}\n"
                      "FLEX_BODY/2, MNF_FILE={2}, CRATIO=0, DMODE=1E-4\nEND\n",
                      alpha, h, file.path()));
      r.simulation->run(dynamics_analysis, {steps * h, steps});
      std::vector<double> q;
      for (std::size_t k = 0; k < r.values.size(); ++k) q.push_back(r.at(k, "FLEX_BODY/2", "Q9"));
      ASSERT_EQ(q.size(), steps + 1u);
      const Eigen::Matrix3d A = amplification(alpha, 2 * std::numbers::pi * periods);
      const double trace = A.trace(), minors = 0.5 * (trace * trace - (A * A).trace());
      // from the second step on, which begins with what the method keeps
      for (int k = 1; k + 3 <= steps; ++k)
        EXPECT_NEAR(q[k + 3] - trace * q[k + 2] + minors * q[k + 1] - A.determinant() * q[k], 0,
                    1e-8 * std::abs(q[k]) + 1e-15)
            << k;
    }
}

}  // namespace
}  // namespace trammel::flexible_order_test
