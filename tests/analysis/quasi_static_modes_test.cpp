// Modes above DYNAMIC_LIMIT, which have no inertia, and damping by functions of time.
#include <complex>

#include <gtest/gtest.h>
#include <Eigen/LU>
#include <Eigen/QR>

#include "../support/beam_body.h"
#include "analysis/linear/mode_energies.h"
#include "linearized.h"

namespace trammel::quasi_static_modes_test {
namespace {

using namespace test;

const std::string head =
    "modes\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\nMARKER/1, PART=1\n";
const std::string clamp = "MARKER/21, FLEX_BODY=2, NODE_ID=1\nJOINT/1, FIXED, I=21, J=1\n";
const std::string tip =
    "MARKER/22, FLEX_BODY=2, NODE_ID=5\nMARKER/19, PART=1, FLOATING\nREQUEST/1, F2=DY(22,1)\n";

std::string flexible(const TemporaryFile& file, const std::string& more) {
  return "FLEX_BODY/2, MNF_FILE=" + file.path() + more + "\n";
}
std::string force(const std::string& of_time) {
  return "VFORCE/1, I=22, JFLOAT=19, RM=1, FX=0\\FY=" + of_time + "\\FZ=0\n";
}
/// Of a force at the tip of a beam that is held at the other end.
double compliance(const Beam& beam) {
  return beam.length * beam.length * beam.length / (3 * beam.E * beam.Iz);
}

class QuasiStatic : public ::testing::TestWithParam<const char*> {};

/// The modes of a beam held at its first node, where its frame is, are all above the limit: it follows a
/// force as its compliance says, from the start on.
TEST_P(QuasiStatic, follows_its_load_by_its_compliance) {
  const Beam beam{.elements = 4};
  const TemporaryFile file("still.mtx", write_mtx(cantilever_modes(beam)));
  Recording r(head + "INTEGRATOR/" + GetParam() + "\n" + flexible(file, ", CRATIO=0, DYNAMIC_LIMIT=0") +
              clamp + tip + force("2+SIN(30*TIME)") + "END\n");
  r.simulation->run(dynamics_analysis, {0.3, 30});
  ASSERT_EQ(r.values.size(), 31u);
  for (std::size_t k = 0; k < r.values.size(); ++k) {
    const double load = 2 + std::sin(30 * r.time[k]), expected = load * compliance(beam);
    // A corrector may leave ERROR.
    EXPECT_NEAR(r.at(k, "REQUEST/1", "F2"), expected, 1e-7 * expected + 1e-9) << r.time[k];
    EXPECT_NEAR(r.at(k, "JOINT/1", "FY"), -load, 1e-6 * load) << r.time[k];  // of Newton, in reactions
  }
}
INSTANTIATE_TEST_SUITE_P(of, QuasiStatic,
                         testing::Values("HHT, ERROR=1E-9", "GSTIFF, ERROR=1E-9", "GSTIFF, SI2, ERROR=1E-9",
                                         "WSTIFF, ERROR=1E-9", "RADAU, ERROR=1E-9"),
                         [](const auto& p) {
                           std::string name;
                           for (const char* c = p.param; *c; ++c)
                             if (std::isalnum(*c)) name += *c;
                           return name;
                         });

/// What carries a beam moves with a constant acceleration, which loads its modes by their inertia.
TEST(QuasiStaticModes, are_loaded_by_inertia_of_the_frame) {
  const Beam beam{.elements = 4};
  const TemporaryFile file("weight.mtx", write_mtx(cantilever_modes(beam)));
  constexpr double g = 0.01;
  Recording r(head +
              "INTEGRATOR/RADAU, ERROR=1E-8\nPART/3, MASS=1, CM=31, IP=1,1,1\nMARKER/31, PART=3\n"
              "MARKER/32, PART=3, REULER=0,-90D,0\nMARKER/2, PART=1, REULER=0,-90D,0\n"
              "JOINT/2, TRANSLATIONAL, I=32, J=2\nMOTION/2, JOINT=2, FUNCTION=0.005*TIME**2\n" +
              flexible(file, ", CRATIO=0, DYNAMIC_LIMIT=0") +
              "MARKER/21, FLEX_BODY=2, NODE_ID=1\nJOINT/1, FIXED, I=21, J=31\n"
              "MARKER/22, FLEX_BODY=2, NODE_ID=5\nREQUEST/1, F2=DY(22,31)\nEND\n");
  r.simulation->run(dynamics_analysis, {0.2, 4});
  const Eigen::VectorXd M = beam.masses();
  Eigen::VectorXd f = Eigen::VectorXd::Zero(6 * beam.nodes());
  for (int p = 0; p < beam.nodes(); ++p) f[6 * p + 1] = -g * M[6 * p];
  const Eigen::Index tip_y = f.size() - 5;
  const double u = held_beam(beam, f)[tip_y];
  // The load is constant and the equation linear; the stiffnesses differ by 1e7.
  for (std::size_t k = 0; k < r.values.size(); ++k)
    EXPECT_NEAR(r.at(k, "REQUEST/1", "F2"), u, 1e-5 * std::abs(u)) << k;
}

/// A mass of 1 on a frame that turns with ω moves by u = (q₁ + ½ q₂, q₂), so that T = ½ |u̇ + ω × u|²:
///     M q̈ + 2 ω G q̇ + (K − ω² M) q = 0,   M_jk = φ_j·φ_k,   G_jk = φ_j·(e_z × φ_k).
/// The slow motion q = v e^{iΩt} of both modes with inertia is that of the stiff mode without, which is
/// loaded by M₂₁ q̈₁ and by Coriolis' force 2 ω G₂₁ q̇₁, to order (Ω/ω₂)².
TEST(QuasiStaticModes, are_loaded_by_the_motion_of_others) {
  constexpr double turning = 1.5, soft = 6, stiff = 6e4;
  const TemporaryFile file(
      "pair.fem",
      fmt::format("** RECORD GROUP 1\nREV0 2 2 0 0 0\n** RECORD GROUP 2\n1 2\n** RECORD GROUP 3\n0 0\n"
                  "** RECORD GROUP 4\n0 0\n** RECORD GROUP 5\n0 0\n** RECORD GROUP 6\n0 0\n"
                  "** RECORD GROUP 7\n0 0\n** RECORD GROUP 8\n1 0 0 0 0 0\n0 0 0 0 0 0\n0.5 1 0 0 0 0\n"
                  "0 0 0 0 0 0\n** RECORD GROUP 9\n1 0.5\n0.5 1.25\n** RECORD GROUP 10\n{} 0\n0 {}\n"
                  "** RECORD GROUP 11\n1 1 1 0 0 0\n1 1 1 1 1 1\n",
                  soft, stiff));
  // P(s) v = 0 with P = (s² − ω²) M + 2 ω s G + K. With x = s² − ω² the determinant of P,
  //     (x M₁₁ + K₁)(x M₂₂ + K₂) − x² M₁₂² + 4 ω² (x + ω²) G₂₁²,
  // vanishes at two x < 0, of which the greater one is that of the slow motion.
  constexpr double M[2][2] = {{1, 0.5}, {0.5, 1.25}}, G = 1, rate = 2 * turning * G;
  constexpr double a = M[0][0] * M[1][1] - M[0][1] * M[0][1],
                   b = M[0][0] * stiff + M[1][1] * soft + rate * rate,
                   c = soft * stiff + rate * rate * turning * turning;
  const double x = -2 * c / (b + std::sqrt(b * b - 4 * a * c));
  const std::complex<double> w = std::sqrt(std::complex<double>(x + turning * turning)),
                             v[2] = {0.1, 0.1 * (x * M[0][0] + soft) / (rate * w - x * M[0][1])};
  Recording r(head + "INTEGRATOR/GSTIFF, SI2, ERROR=1E-10\n" +
              flexible(file, fmt::format(", CRATIO=0, DYNAMIC_LIMIT=5, WZ={}, DMODE=0.1,0, VMODE={:.17g},0",
                                         turning, (w * v[0]).real())) +
              "MARKER/21, FLEX_BODY=2, NODE_ID=2\nJOINT/1, REVOLUTE, I=21, J=1\n" +
              fmt::format("MOTION/1, JOINT=1, ROTATION, FUNCTION={}*TIME\nEND\n", turning));
  r.simulation->run(dynamics_analysis, {2, 10});
  const double left_out = std::norm(w) * M[1][1] / stiff;  // (Ω/ω₂)²
  for (std::size_t k = 0; k < r.values.size(); ++k)
    for (int j = 0; j < 2; ++j)
      EXPECT_NEAR(r.at(k, "FLEX_BODY/2", fmt::format("Q{}", j + 1)), (v[j] * std::exp(w * r.time[k])).real(),
                  (3 + std::abs(w) * r.time[k]) * left_out * std::abs(v[j]))  // and in phase
          << j << " " << r.time[k];
}

/// With damping C = τ K of the file the beam lags as τ u̇ + u = F/k.
TEST(QuasiStaticModes, lag_by_their_damping) {
  constexpr double tau = 0.02, w = 30;
  const Beam beam{.elements = 4};
  ModalBody body = cantilever_modes(beam);
  for (const double k : body.stiffness) body.damping.push_back(tau * k);
  const TemporaryFile file("lag.mtx", write_mtx(body));
  Recording r(head + "INTEGRATOR/RADAU, ERROR=1E-9\n" +
              flexible(file, ", GENERALIZED_DAMPING=INTERNAL_ONLY, DYNAMIC_LIMIT=0") + clamp + tip +
              force("SIN(30*TIME)") + "END\n");
  r.simulation->run(dynamics_analysis, {0.3, 30});
  for (std::size_t k = 0; k < r.values.size(); ++k) {
    const double t = r.time[k];
    const double lag =
        (std::sin(w * t) - tau * w * (std::cos(w * t) - std::exp(-t / tau))) / (1 + tau * tau * w * w);
    // ERROR = 1e-9 beside a compliance of 1e-4
    EXPECT_NEAR(r.at(k, "REQUEST/1", "F2"), compliance(beam) * lag, 1e-5 * compliance(beam)) << t;
  }
}

/// STABILITY_FACTOR is a part of critical damping 2 √(k m) beside CRATIO, of modes above the limit alone.
TEST(QuasiStaticModes, have_the_damping_of_STABILITY_FACTOR) {
  const ModalBody body = modes_of({.elements = 4}, {1, 5}, 0);
  const TemporaryFile file("factor.mtx", write_mtx(body));
  const double limit = body.frequency[8];
  Recording r(
      head +
      flexible(file, fmt::format(", CRATIO=0.03, STABILITY_FACTOR=0.5, DYNAMIC_LIMIT={:.17g}", limit)) +
      clamp + "END\n");
  const FlexibleBody& f = r.simulation->model().flexible_bodies[0];
  ASSERT_EQ(f.dynamic, 3);
  for (int j = 0; j < f.modes; ++j) {
    // k = m ω², of mass-normalized modes m = 1/size² in the coordinate of the program
    const double mass = 1 / (f.size[j] * f.size[j]);
    const double critical = 2 * mass * 2 * std::numbers::pi * f.frequency[j];
    EXPECT_NEAR(f.damping[j * f.modes + j], (j < 3 ? 0.03 : 0.53) * critical, 1e-9 * critical);
    EXPECT_EQ(f.mass[j * f.modes + j] == 0, j >= 3);
  }
}

/// Without a limit there are no such modes: it says so, and damping is that of CRATIO alone.
TEST(QuasiStaticModes, STABILITY_FACTOR_without_a_limit_is_told) {
  const TemporaryFile file("no_limit.mtx", write_mtx(modes_of({.elements = 4}, {1, 5}, 0)));
  const auto damping = [&](const std::string& more, std::string& told) {
    Diagnostics diagnostics;
    const Description description = parse_dataset(
        head + flexible(file, ", CRATIO=0.03" + more) + clamp + "END\n", "test.adm", diagnostics);
    const Model model = compile(description, diagnostics);
    EXPECT_FALSE(diagnostics.has_errors());
    for (const Diagnostic& d : diagnostics.list()) {
      if (d.severity == Severity::note) continue;
      told += d.text;
      EXPECT_GT(d.where.line, 0);
    }
    EXPECT_EQ(model.flexible_bodies[0].dynamic, model.flexible_bodies[0].modes);
    return model.flexible_bodies[0].damping;
  };
  std::string with, without;
  EXPECT_EQ(damping(", STABILITY_FACTOR=0.5", with), damping("", without));
  EXPECT_EQ(with, "FLEX_BODY/2: STABILITY_FACTOR damps modes above DYNAMIC_LIMIT, which is not given");
  EXPECT_EQ(without, "");
}

/// Below the limit frequencies stay, above it there are none.
TEST(QuasiStaticModes, leave_slow_modes_as_they_are) {
  const Beam beam{.elements = 6};
  const ModalBody body = cantilever_modes(beam);
  const TemporaryFile file("slow.mtx", write_mtx(body));
  const Eigen::VectorXd expected = frequencies(beam.stiffness(), beam.masses(), {0, 1, 2, 3, 4, 5});
  constexpr int slow = 5;
  const double limit = expected[slow - 1] * (1 + 1e-9);
  const Linear l = linearized(head + flexible(file, fmt::format(", CRATIO=0, DYNAMIC_LIMIT={:.17g}", limit)) +
                              clamp + "END\n");
  ASSERT_EQ(l.modes.modes.size(), static_cast<std::size_t>(slow));
  for (int k = 0; k < slow; ++k)  // rounding of stiffnesses 1e7 times that of the lowest mode
    EXPECT_NEAR(std::abs(l.modes.modes[k].s) / (2 * std::numbers::pi), expected[k], 1e-7 * expected[k]) << k;
}

/// The shapes at the first node of modes `begin` to `end` of the file: displacements and rotations.
Eigen::MatrixXd shapes_at_first_node(const ModalBody& body, int begin, int end) {
  Eigen::MatrixXd out(6, end - begin);
  for (int j = begin; j < end; ++j)
    for (int i = 0; i < 3; ++i)
      out(i, j - begin) = body.translation[j][i], out(3 + i, j - begin) = body.rotation[j][i];
  return out;
}

/// The mass matrix of the undeformed beam about its centre.
Eigen::MatrixXd rigid_mass(const Beam& beam) {
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(6, 6);
  const Eigen::VectorXd masses = beam.masses();
  for (int p = 0; p < beam.nodes(); ++p) {
    const double x = p * beam.element() - beam.length / 2;
    for (int i = 0; i < 6; ++i) M(i, i) += masses[6 * p + i];
    M(4, 4) += masses[6 * p] * x * x, M(5, 5) += masses[6 * p] * x * x;
  }
  return M;
}

/// A beam with free ends and `slow` modes with inertia q, below the limit, that a joint holds at a node: its
/// frame x and q swing on the modes s without inertia, whose energy ½ s K s is least with Rx + Φq + Φ_s s =
/// 0: ½ (Rx + Φq)ᵀ (Φ_s K⁻¹ Φ_sᵀ)⁻¹ (Rx + Φq). Free modes have no part in the momentum of the frame.
class HeldByQuasiStaticModes : public ::testing::TestWithParam<int> {};
TEST_P(HeldByQuasiStaticModes, the_frame_swings_on_their_stiffness) {
  constexpr int rigid = 6;
  const Beam beam{.elements = 4};
  const ModalBody body = modes_of(beam, {1, 5}, 6);
  const int slow = GetParam(), first = rigid + slow;
  const TemporaryFile file("frame.mtx", write_mtx(body));
  const double limit = slow > 0 ? body.frequency[first - 1] * (1 + 1e-9) : 0.0;
  const Linear l = linearized(head + flexible(file, fmt::format(", CRATIO=0, DYNAMIC_LIMIT={:.17g}", limit)) +
                              clamp + "END\n");
  const auto stiffness = [&](int j) { return body.stiffness[j * body.modes + j]; };
  const Eigen::MatrixXd held = shapes_at_first_node(body, first, body.modes);
  Eigen::VectorXd compliance(held.cols());
  for (int j = first; j < body.modes; ++j) compliance[j - first] = 1 / stiffness(j);
  Eigen::MatrixXd at_node(6, first), M = Eigen::MatrixXd::Identity(first, first);
  at_node.leftCols(rigid).setIdentity();
  at_node(1, 5) = -beam.length / 2, at_node(2, 4) = beam.length / 2;  // v − ω × (L/2, 0, 0)
  at_node.rightCols(slow) = shapes_at_first_node(body, rigid, first);
  M.topLeftCorner(rigid, rigid) = rigid_mass(beam);
  Eigen::MatrixXd K =
      at_node.transpose() * (held * compliance.asDiagonal() * held.transpose()).inverse() * at_node;
  for (int j = rigid; j < first; ++j) K(j, j) += stiffness(j);
  const Eigen::VectorXd expected = angular_frequencies(K, M);
  ASSERT_EQ(l.modes.modes.size(), static_cast<std::size_t>(first));
  for (int k = 0; k < first; ++k) {
    const double w = expected[k];
    EXPECT_NEAR(std::abs(l.modes.modes[k].s), w, 1e-7 * w) << k;  // rounding of stiffnesses 1e7 apart
  }
}
INSTANTIATE_TEST_SUITE_P(slow, HeldByQuasiStaticModes, testing::Values(0, 2, 4));

/// What constraints the modes without inertia take up leaves the frame free; the others bind it.
TEST(QuasiStaticModes, leave_as_many_modes_as_constraints_say) {
  const Beam beam{.elements = 6};
  const ModalBody body = modes_of(beam, {1, beam.last()}, -1);
  const TemporaryFile file("count.mtx", write_mtx(body));
  for (const int slow : {0, 8, 18, 24, 30}) {
    const int first = 6 + slow;
    const double limit = slow > 0 ? body.frequency[first - 1] * (1 + 1e-9) : 0.0;
    const Linear l = linearized(
        head + flexible(file, fmt::format(", CRATIO=0, DYNAMIC_LIMIT={:.17g}", limit)) + clamp + "END\n");
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> taken(shapes_at_first_node(body, first, body.modes));
    taken.setThreshold(1e-10);
    EXPECT_EQ(l.modes.modes.size(), static_cast<std::size_t>(slow + taken.rank())) << slow;
  }
}

/// The damping ratio of a mode that swings alone is that of the time: q̈ + 2 ζ ω q̇ + ω² q = 0 in two pieces.
TEST(DampingRatio, follows_time) {
  const ModalBody body = modes_of({.elements = 4}, {1, 5}, 0);
  const TemporaryFile file("in_time.mtx", write_mtx(body));
  const double w = 2 * std::numbers::pi * body.frequency[6], T = 2 * std::numbers::pi / w;
  Recording r(
      head + "INTEGRATOR/RADAU, ERROR=1E-10\n" +
      flexible(file, fmt::format(", MODES=7, DMODE=0.01, CRATIO=IF(TIME-{:.17g}: 0.02, 0.3, 0.3)", T)) +
      "END\n");
  r.simulation->run(dynamics_analysis, {2 * T, 40});
  const auto piece = [&](double zeta, double q, double v, double t, double& rate) {
    const double d = w * std::sqrt(1 - zeta * zeta), b = (v + zeta * w * q) / d, e = std::exp(-zeta * w * t);
    rate = e * ((b * d - zeta * w * q) * std::cos(d * t) - (q * d + zeta * w * b) * std::sin(d * t));
    return e * (q * std::cos(d * t) + b * std::sin(d * t));
  };
  double rate = 0;
  const double middle = piece(0.02, 0.01, 0, T, rate), middle_rate = rate;
  for (std::size_t k = 0; k < r.values.size(); ++k) {
    const double t = r.time[k];
    const double expected =
        t <= T ? piece(0.02, 0.01, 0, t, rate) : piece(0.3, middle, middle_rate, t - T, rate);
    EXPECT_NEAR(r.at(k, "FLEX_BODY/2", "Q7"), expected, 1e-7)
        << t;  // 1,000 ERROR: the file's mode is not 1 long
  }
}

/// A function of time that has no jump is the same as the number that it is.
TEST(DampingRatio, of_time_is_that_of_a_number) {
  const TemporaryFile file("same.mtx", write_mtx(modes_of({.elements = 4}, {1, 5}, 0)));
  const auto tip_at_end = [&](const std::string& ratio) {
    Recording r(head + "ACCGRAV/JGRAV=-9.81\nINTEGRATOR/RADAU, ERROR=1E-9\n" +
                flexible(file, ", CRATIO=" + ratio) + clamp + tip + "END\n");
    r.simulation->run(dynamics_analysis, {0.02, 1});
    return r.at(1, "REQUEST/1", "F2");
  };
  const double number = tip_at_end("0.05+FXMODE/1000");
  // C is rounded otherwise by the tape, which steps and their errors amplify.
  EXPECT_NEAR(tip_at_end("0.05+FXMODE/1000+0*TIME"), number, 1e-9 * std::abs(number));
}

/// s²m + sc + k = 0 of each mode, of what the matrices are in its shape: so what dampers take, ½ |s|² c, is
/// −2 Re(s) times its kinetic energy ½ |s|² m, wherever the damping is from.
TEST(DissipatedEnergy, of_modes_is_what_their_decay_says) {
  ModalBody body = modes_of({.elements = 4}, {1, 5}, 0);
  for (int j = 0; j < body.modes; ++j)
    for (int k = 0; k < body.modes; ++k)  // α M + τ K
      body.damping.push_back(j == k ? 3 + 1e-5 * body.stiffness[j * body.modes + j] : 0.0);
  const TemporaryFile file("decay.mtx", write_mtx(body));
  for (const char* damping : {", CRATIO=0.05+0.01*FXMODE", ", CRATIO=0.05+TIME", ", GENERALIZED_DAMPING=FULL",
                              ", GENERALIZED_DAMPING=INTERNAL_ONLY"}) {
    Recording r(head + flexible(file, damping) + clamp + "END\n");
    const Linear l = linearized(*r.simulation);
    ASSERT_EQ(l.modes.modes.size(), 6u) << damping;
    for (const Mode& mode : l.modes.modes) {
      const ModeEnergies e =
          mode_energies(r.simulation->model(), r.simulation->assembler(), r.simulation->motion(), mode);
      double power = 0;
      for (const EnergyRow& row : e.of_dampers) power += row.sum();
      // Rounding of shapes among stiffnesses 1e7 apart, beside damping ratios from 0.01
      EXPECT_NEAR(power / e.kinetic, -2 * mode.s.real(), 1e-6 * std::abs(mode.s.real())) << damping;
    }
  }
}

TEST(QuasiStaticModes, are_refused_where_accelerations_need_inertia) {
  const TemporaryFile file("refused.mtx", write_mtx(modes_of({.elements = 4}, {1, 5}, 0)));
  for (const char* method : {"ABAM", "RKF45", "NEWMARK, HINIT=1E-4, JACOBIAN=MASS"}) {
    Recording r(head + "INTEGRATOR/" + method + "\n" + flexible(file, ", DYNAMIC_LIMIT=0") + clamp + "END\n");
    try {
      r.simulation->run(dynamics_analysis, {0.01, 1});
      FAIL() << method;
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.code(), ExitCode::unsupported);
      EXPECT_NE(
          std::string(failure.what()).find("FLEX_BODY/2: its modes above DYNAMIC_LIMIT have no inertia"),
          std::string::npos)
          << failure.what();
    }
  }
}

}  // namespace
}  // namespace trammel::quasi_static_modes_test
