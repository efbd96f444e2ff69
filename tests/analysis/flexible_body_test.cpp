// Flexible bodies in motion, at rest and linearised, against the finite elements that they are from.
#include <gtest/gtest.h>

#include "../support/beam_body.h"
#include "analysis/continuation.h"
#include "flexible/modal_file.h"
#include "linearized.h"
#include "tumbling.h"

namespace trammel::flexible_body_test {
namespace {

using namespace test;

const std::string head =
    "flexible\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\nMARKER/1, PART=1\n";
const std::string clamp = "MARKER/21, FLEX_BODY=2, NODE_ID=1\nJOINT/1, FIXED, I=21, J=1\n";

std::string flexible(const TemporaryFile& file, const std::string& more) {
  return "FLEX_BODY/2, MNF_FILE=" + file.path() + more + "\n";
}

/// With all modes a reduced body is the finite-element model: held at one end it has its frequencies.
TEST(FlexibleBody, has_the_frequencies_of_the_elements_held_at_one_end) {
  const Beam beam{.elements = 6};
  const TemporaryFile file("beam.mtx", write_mtx(modes_of(beam, {1}, -1)));
  const Linear l = linearized(head + flexible(file, ", CRATIO=0") + clamp + "END\n");
  const Eigen::VectorXd expected = frequencies(beam.stiffness(), beam.masses(), {0, 1, 2, 3, 4, 5});
  ASSERT_EQ(l.modes.modes.size(), static_cast<std::size_t>(expected.size()));
  // Rounding of stiffnesses 1e7 times that of the lowest mode.
  for (Eigen::Index k = 0; k < expected.size(); ++k)
    EXPECT_NEAR(std::abs(l.modes.modes[k].s) / (2 * std::numbers::pi), expected[k], 1e-7 * expected[k]) << k;
}

/// The frame is part of the mode: of a free body six motions without stiffness, and its own frequencies.
TEST(FlexibleBody, that_is_free_has_its_own_frequencies) {
  const Beam beam{.elements = 8};
  const ModalBody body = modes_of(beam, {1, 9}, 6);
  const TemporaryFile file("free.mtx", write_mtx(body));
  const Linear l = linearized(head + flexible(file, ", CRATIO=0.02") + "END\n");
  std::vector<std::complex<double>> found;
  for (const Mode& mode : l.modes.modes)
    if (std::abs(mode.s) > 1) found.push_back(mode.s);
  ASSERT_EQ(found.size(), body.frequency.size() - 6);
  for (std::size_t k = 0; k < found.size(); ++k) {
    const double frequency = std::abs(found[k]) / (2 * std::numbers::pi);
    EXPECT_NEAR(frequency, body.frequency[6 + k], 1e-9 * frequency);
    EXPECT_NEAR(-found[k].real() / std::abs(found[k]), 0.02, 1e-9);  // CRATIO
  }
}

/// Six masses of 1 kg, 0.3 m from their centre, on six springs under their weight, with one mode; the origin
/// of their frame lies `far` from it.
std::string masses_on_springs(const std::string& file, double far, const std::string& method) {
  constexpr double anchors[6][3] = {{1.19, 0.22, 0.05},   {-1.23, -0.14, -0.18}, {-0.04, -0.01, -0.02},
                                    {-0.24, -0.96, 0.44}, {0.44, 0.85, 0.33},    {-0.20, -0.27, -1.07}};
  std::string out =
      head +
      fmt::format("ACCGRAV/KGRAV=-9.81\nFLEX_BODY/2, MNF_FILE={}, CRATIO=0, QG={}, 0, 0\n", file, -far);
  for (int k = 1; k <= 6; ++k)
    out += fmt::format(
        "MARKER/2{0}, FLEX_BODY=2, NODE_ID={0}\nMARKER/1{0}, PART=1, QP={1}, {2}, {3}\n"
        "SPRINGDAMPER/{0}, TRANSLATION, I=2{0}, J=1{0}, K=100, C=1, LENGTH=0.2\n",
        k, anchors[k - 1][0], anchors[k - 1][1], anchors[k - 1][2]);
  return out +
         "REQUEST/1, F2=DX(21,1)\\, F3=DY(21,1)\\, F4=DZ(21,1)\\, F6=DX(26,1)\\, F7=DY(26,1)\\, "
         "F8=DZ(26,1)\n" +
         "EQUILIBRIUM/METHOD=" + method + "\nEND\n";
}
std::string masses_file(double far) {
  return fmt::format(
      "** RECORD GROUP 1\nREV0 6 1 0 0 0\n** RECORD GROUP 2\n1 2 3 4 5 6\n** RECORD GROUP 3\n0\n"
      "** RECORD GROUP 4\n0\n** RECORD GROUP 5\n{:.17g} {:.17g} {} {} {} {}\n** RECORD GROUP 6\n0 0 0.3 -0.3 "
      "0 0\n"
      "** RECORD GROUP 7\n0 0 0 0 0.3 -0.3\n** RECORD GROUP 8\n1 0 0 0 0 0\n-1 0 0 0 0 0\n0 0 0 0 0 0\n"
      "0 0 0 0 0 0\n0 0 0 0 0 0\n0 0 0 0 0 0\n** RECORD GROUP 9\n2\n** RECORD GROUP 10\n20000\n"
      "** RECORD GROUP 11\n1 1 1 0 0 0\n1 1 1 0 0 0\n1 1 1 0 0 0\n1 1 1 0 0 0\n1 1 1 0 0 0\n1 1 1 0 0 0\n",
      far + 0.3, far - 0.3, far, far, far, far);
}
/// Where a frame has its origin is a matter of description: the trust region is one of the body's own
/// inertia, and goes the same way to the same places, to the rounding of these distances.
TEST(FlexibleBody, rests_where_it_does_wherever_its_frame_is) {
  std::vector<double> places;
  for (const double far : {0.0, 2.0, 8.0})
    for (const std::string method : {"ADVANCED", "FUNNEL"}) {
      const TemporaryFile file("masses.fem", masses_file(far));
      Recording r(masses_on_springs(file.path(), far, method));
      ASSERT_NO_THROW(r.simulation->run(statics_analysis)) << far << " " << method;
      EXPECT_LT(r.simulation->counters().iterations, method == "FUNNEL" ? 100 : 30) << far << " " << method;
      std::vector<double> found;
      for (const char* component : {"F2", "F3", "F4", "F6", "F7", "F8"})
        found.push_back(r.at(0, "REQUEST/1", component));
      if (places.empty()) places = found;
      for (std::size_t k = 0; k < found.size(); ++k)
        EXPECT_NEAR(found[k], places[k], 1e-9) << far << " " << method;
    }
}

/// Own weight of a beam that is held at one end: K u = m g of the finite elements, small enough to be linear.
TEST(FlexibleBody, sags_as_the_elements_do) {
  const Beam beam{.elements = 8};
  const TemporaryFile file("sag.mtx", write_mtx(modes_of(beam, {1, 9}, 8)));
  constexpr double g = 1e-3;
  Recording r(head + "ACCGRAV/JGRAV=" + std::to_string(-g) + "\n" + flexible(file, "") + clamp +
              "MARKER/22, FLEX_BODY=2, NODE_ID=9\nREQUEST/1, F2=DY(22,1)\\, F3=AZ(22,1)\nEND\n");
  r.simulation->run(statics_analysis);
  Eigen::VectorXd f = Eigen::VectorXd::Zero(6 * beam.nodes());
  const Eigen::VectorXd M = beam.masses();
  for (int p = 0; p < beam.nodes(); ++p) f[6 * p + 1] = -g * M[6 * p];
  const Eigen::VectorXd u = held_beam(beam, f).tail(6);  // of its tip
  // Constraint modes and eight others: a uniform load is not all in them; the tip's deflection by the load
  // is.
  EXPECT_NEAR(r.at(0, "REQUEST/1", "F2"), u[1], 1e-4 * std::abs(u[1]));
  EXPECT_NEAR(r.at(0, "REQUEST/1", "F3"), u[5], 1e-4 * std::abs(u[5]));
  EXPECT_NEAR(r.at(0, "JOINT/1", "FY"), beam.mass() * g, 1e-9 * beam.mass() * g);
}

/// A force at an interface node moves it as the finite elements say: constraint modes hold that exactly.
TEST(FlexibleBody, gives_way_to_a_force_at_its_interface_as_the_elements_do) {
  const Beam beam{.elements = 8};
  const TemporaryFile file("tip.mtx", write_mtx(modes_of(beam, {1, 9}, 0)));
  constexpr double force = 1e-3;
  Recording r(
      head + flexible(file, "") + clamp +
      "MARKER/22, FLEX_BODY=2, NODE_ID=9\nMARKER/19, PART=1, FLOATING\nVFORCE/1, I=22, JFLOAT=19, RM=1, "
      "FX=0\\FY=0.001\\FZ=0\nREQUEST/1, F2=DY(22,1)-0*TIME\nEND\n");
  r.simulation->run(statics_analysis);
  const double L = beam.length, expected = force * L * L * L / (3 * beam.E * beam.Iz);
  EXPECT_NEAR(r.at(0, "REQUEST/1", "F2"), expected, 1e-8 * expected);
}

TEST(FlexibleBody, that_is_free_keeps_momenta_and_energy) {
  const Beam beam{.elements = 6};
  const ModalBody body = modes_of(beam, {1, 7}, 0);
  const TemporaryFile file("tumble.mtx", write_mtx(body));
  double before = 0;
  for (const double error : {1e-8, 1e-12}) {
    Recording r(head + fmt::format("INTEGRATOR/RADAU, ERROR={}\n", error) +
                flexible(file, ", CRATIO=0, VX=1, VY=2, WX=3, WY=20, WZ=30, DMODE=0.01,-0.01,0,0,0,0") +
                "END\n");
    r.simulation->initialize();
    const Tumbling begin = state_of(body, *r.simulation);
    r.simulation->run(dynamics_analysis, {0.2, 10});
    const Tumbling end = state_of(body, *r.simulation);
    EXPECT_NEAR(end.energy, end.scale, 1e-11 * end.scale);  // of the nodes, of the invariants
    EXPECT_LT(norm(end.momentum - begin.momentum), 30 * error + 1e-8);
    const double drift =
        std::abs(end.scale - begin.scale) / begin.scale + norm(end.spin - begin.spin) / norm(begin.spin);
    if (before > 0) {
      EXPECT_LT(drift, 0.05 * before);
    }
    before = drift;
  }
  EXPECT_LT(before, 1e-8);  // RADAU takes energy from the highest modes, less with smaller ERROR
}

/// Modal damping takes energy from the motion that remains, at every moment.
TEST(FlexibleBody, that_is_damped_loses_energy_and_keeps_momenta) {
  const Beam beam{.elements = 6};
  const ModalBody body = modes_of(beam, {1, 7}, 0);
  const TemporaryFile file("damped.mtx", write_mtx(body));
  for (const char* method : {"GSTIFF, SI2, ERROR=1E-8", "HHT, ERROR=1E-8", "RADAU, ERROR=1E-8"}) {
    SCOPED_TRACE(method);
    Recording r(head + fmt::format("INTEGRATOR/{}\n", method) +
                flexible(file, ", CRATIO=0.01, VX=1, VY=2, WX=3, WY=20, WZ=30, DMODE=0.01,-0.01,0,0,0,0") +
                "END\n");
    r.simulation->initialize();
    const Tumbling begin = state_of(body, *r.simulation);
    Tumbling before = begin;
    for (int n = 1; n <= 40; ++n) {
      r.simulation->run(dynamics_analysis, {0.005 * n, 1});
      const Tumbling now = state_of(body, *r.simulation);
      EXPECT_LT(now.energy, before.energy + 1e-6 * begin.energy) << n;  // what ERROR leaves of a rigid motion
      before = now;
    }
    EXPECT_LT(before.energy, 0.99 * begin.energy);
    // HHT turns at its ERROR, and the modes' part of the momentum with it: 2e-5.
    EXPECT_LT(norm(before.momentum - begin.momentum), 1e-4 * norm(begin.momentum));
  }
}

/// Energy and angular momentum about the centre of mass of a body whose frame is there, by (65) with the
/// invariants of its file.
struct Kept {
  double energy;
  Vec3d spin;
};
Kept kept_by(const ModalBody& body, Session& session) {
  const FlexibleBody& f = session.model().flexible_bodies[0];
  const Invariants& in = body.invariants;
  Assembler& assembler = session.assembler();
  const State state = session.state();
  assembler.evaluate(state, {AnalysisMode::dynamics, phase_dynamics});
  const BodyKinematics& k = assembler.kinematics().body(0);
  const Vec3d w = transpose_times(k.A, k.w);
  Vec3d spin = in.I7 * w;
  for (int i = 0; i < f.modes; ++i) {
    const double q = state.q[f.first + i] / f.size[i], rate = state.v[f.first + i] / f.size[i];
    spin += rate * in.I4[i] - q * ((in.I8[i] + transpose(in.I8[i])) * w);
    for (int j = 0; j < f.modes; ++j) {
      const int pair = i * f.modes + j;
      spin += q * (state.v[f.first + j] / f.size[j] * in.I5[pair]) -
              q * (state.q[f.first + j] / f.size[j] * (in.I9[pair] * w));
    }
  }
  return {assembler.kinetic_energy() + assembler.elastic_energy(), k.A * spin};
}

/// The frame of models/tumbling_frame, whose deformations are a percent of its length, turns over about its
/// middle axis of inertia; it begins without deformation.
TEST(FlexibleBody, of_solid_elements_keeps_momenta_and_energy_while_it_tumbles) {
  const std::string folder = TRAMMEL_SOURCE_DIR "/models/tumbling_frame/";
  Diagnostics diagnostics;
  const ModalBody body = read_modal_body(folder + "frame.mtx", diagnostics);
  const Invariants& in = body.invariants;
  const Vec3d v{0.5, -0.2, 1}, w{0.4, 22, 0.3};
  const double energy = 0.5 * in.mass * dot(v, v) + 0.5 * dot(w, in.I7 * w);
  double before = 0;
  for (const double error : {1e-8, 1e-10}) {
    Recording r(
        head + fmt::format("INTEGRATOR/RADAU, ERROR={}\nFLEX_BODY/2, MNF_FILE={}frame.mtx, CRATIO=0, VX=0.5, "
                           "VY=-0.2, VZ=1, WX=0.4, WY=22, WZ=0.3\nEND\n",
                           error, folder));
    r.simulation->run(dynamics_analysis, {1.0, 10});
    const Kept end = kept_by(body, *r.simulation);
    const double drift = std::abs(end.energy / energy - 1) + norm(end.spin - in.I7 * w) / norm(in.I7 * w);
    if (before > 0) {
      EXPECT_LT(drift, 0.05 * before);
    }
    before = drift;
  }
  EXPECT_LT(before, 1.5e-7);  // 1.01e-7 of the integrator, falls with ERROR
}

/// Without modes it is the rigid part of its mass, centre and inertia.
TEST(FlexibleBody, without_modes_is_a_part) {
  const Beam beam{.elements = 4};
  const ModalBody body = modes_of(beam, {1}, 2);
  const TemporaryFile file("rigid.mtx", write_mtx(body));
  const std::string rest =
      "ACCGRAV/JGRAV=-9.81\nINTEGRATOR/RADAU, ERROR=1E-10\nJOINT/1, SPHERICAL, I=21, J=1\nREQUEST/1, "
      "F2=DX(22,1)\\, F3=DY(22,1)\\, F4=DZ(22,1)\nEND\n";
  Recording soft(head + flexible(file, ", REPRESENTATION=RIGID, WZ=1, WY=2, WX=3") +
                 "MARKER/21, FLEX_BODY=2, NODE_ID=1\nMARKER/22, FLEX_BODY=2, NODE_ID=5\n" + rest);
  const Mat3d& J = body.invariants.I7;
  Recording stiff(
      head +
      fmt::format("PART/2, MASS={:.17g}, CM=20, IM=21, IP={:.17g},{:.17g},{:.17g}, VY=0.5, VZ=-1, "
                  "WZ=1, WY=2, WX=3\nMARKER/20, PART=2, QP=0.5,0,0\nMARKER/21, PART=2\n"
                  "MARKER/22, PART=2, QP=1,0,0\n",
                  body.invariants.mass, J(0, 0), J(1, 1), J(2, 2)) +
      rest);
  for (Recording* r : {&soft, &stiff}) r->simulation->run(dynamics_analysis, {0.5, 5});
  ASSERT_EQ(soft.values.size(), stiff.values.size());
  for (std::size_t k = 0; k < soft.values.size(); ++k)
    for (const char* c : {"F2", "F3", "F4"}) {
      EXPECT_NEAR(soft.at(k, "REQUEST/1", c), stiff.at(k, "REQUEST/1", c), 1e-8) << k;
    }
}

/// Q, QDOT and QDDOT are the modal coordinate and its derivatives, in units of the file.
TEST(FlexibleBody, has_modal_coordinates_that_expressions_read) {
  const Beam beam{.elements = 4};
  const TemporaryFile file("q.mtx", write_mtx(modes_of(beam, {1, 5}, 1)));
  Recording r(head + "ACCGRAV/JGRAV=-9.81\n" + flexible(file, ", CRATIO=STEP(FXFREQ, 100, 0, 1000, 0.1)") +
              clamp +
              "VARIABLE/1, FUNCTION=QDOT(2,7)\nDIFF/1, FUNCTION=QDDOT(2,7)\nREQUEST/1, F2=Q(2,7)\nEND\n");
  r.simulation->run(dynamics_analysis, {0.02, 4});
  for (std::size_t k = 0; k < r.values.size(); ++k)
    EXPECT_NEAR(r.at(k, "REQUEST/1", "F2"), r.at(k, "FLEX_BODY/2", "Q7"), 1e-15);
  EXPECT_NEAR(r.at(4, "VARIABLE/1", "Q"), r.at(4, "DIFF/1", "Q"),
              1e-5 * std::abs(r.at(4, "VARIABLE/1", "Q")));
}

TEST(FlexibleBody, is_no_matter_of_kinematics) {
  const TemporaryFile file("kin.mtx", write_mtx(modes_of({.elements = 2}, {1, 3}, 0)));
  Recording r(head + flexible(file, "") + clamp + "END\n");
  try {
    r.simulation->run(kinematics_analysis, {0.1, 1});
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_STREQ(failure.what(),
                 "SIMULATE/KINEMATICS: FLEX_BODY/2 has modes, whose motion must be integrated; use "
                 "SIMULATE/DYNAMICS, or TRANSIENT, which chooses");
  }
}

/// A motion that is cut and goes on, as a change of the model makes it, keeps its shape.
TEST(FlexibleBody, keeps_its_shape_when_its_motion_goes_on) {
  const TemporaryFile file("goes_on.mtx", write_mtx(modes_of({.elements = 4}, {1, 5}, 1)));
  const std::string deck =
      head + "ACCGRAV/JGRAV=-9.81\nINTEGRATOR/RADAU, ERROR=1E-10\n" + flexible(file, "") + clamp + "END\n";
  Recording first(deck);
  first.simulation->run(dynamics_analysis, {0.01, 1});
  const Model& model = first.simulation->model();
  const InitialValues values = values_to_go_on_with(model, model, first.simulation->state(), {});
  ASSERT_EQ(values.modes.size(), 7u);
  for (int k = 0; k < 7; ++k) {
    EXPECT_EQ(values.modes[k].value, first.simulation->state().q[model.first_modal() + k]);
    EXPECT_EQ(values.modes[k].rate, first.simulation->state().v[model.first_modal() + k]);
  }
}

std::string refusal_of(const std::string& deck) {
  try {
    Recording r(deck);
  } catch (const Failure& failure) {
    return failure.what();
  }
  return "accepted";
}

TEST(FlexibleBody, tells_what_is_wrong) {
  const TemporaryFile file("wrong.mtx", write_mtx(modes_of({.elements = 2}, {1, 3}, 0)));
  const auto says = [&](const std::string& more, const std::string& markers, const std::string& expected) {
    const std::string text = refusal_of(head + flexible(file, more) + markers + "END\n");
    EXPECT_NE(text.find(expected), std::string::npos) << text;
  };
  says("", "MARKER/21, FLEX_BODY=2, NODE_ID=4\n", "has no node 4; it has 3 nodes, 1 to 3");
  says("", "MARKER/21, FLEX_BODY=2\n", "NODE_ID");
  says("", "MARKER/21, FLEX_BODY=2, NODE_ID=3, QP=0.5,0,0\n",
       "QP is not where node 3 is, at 1, 0, 0; leave QP out");
  says(", MEXACT=3", "", "MEXACT=3: no such mode takes part");
  says(", DMODE=1,2", "", "DMODE has 2 values; 6 modes take part");
  says(", CRATIO=0.01*DX(21,1)", "MARKER/21, FLEX_BODY=2, NODE_ID=1\n",
       "CRATIO: only numbers, FXFREQ, FXMODE, TIME and splines may stand in CRATIO");
  says(", DYNAMIC_LIMIT=-1", "", "DYNAMIC_LIMIT=-1 is out of range; it must be >=0");
  says(", DYNAMIC_LIMIT=1, STABILITY_FACTOR=-2", "", "STABILITY_FACTOR=-2 is out of range; it must be >=0");
  says(", GENERALIZED_DAMPING=INTERNAL_ONLY", "", "has no damping matrix");
  const std::string none = refusal_of(head + "FLEX_BODY/2\nEND\n");
  EXPECT_NE(none.find("names no modes; add MATRICES=... or MNF_FILE=..."), std::string::npos) << none;
}

/// What the deck's checks tell of a body; mistakes are none.
std::string told_of(const std::string& deck) {
  Diagnostics diagnostics;
  const Description description = parse_dataset(deck, "test.adm", diagnostics);
  compile(description, diagnostics);
  std::string text;
  for (const Diagnostic& d : diagnostics.list()) text += to_string(d) + "\n";
  EXPECT_FALSE(diagnostics.has_errors()) << text;
  return text;
}

TEST(FlexibleBody, tells_what_is_left_out) {
  ModalBody body = modes_of({.elements = 2}, {1, 3}, 0);
  const TemporaryFile file("whole.mtx", write_mtx(body));
  const auto told = [](const TemporaryFile& of, const std::string& more, const std::string& expected) {
    return told_of(head + flexible(of, more) + "END\n").find(expected) != std::string::npos;
  };
  const std::string rigid = ", INVARIANTS=T:T:F:F:F:F:T:F:F, DMODE=1,2,3",
                    mass = "move the mass of the body as a whole";
  EXPECT_TRUE(told(file, rigid, "no mode takes part, as with"));
  EXPECT_TRUE(told(file, rigid, "DMODE says nothing where no mode takes part"));
  EXPECT_TRUE(told(file, ", INVARIANTS=T:F:T:T:F:T:T:T:F", "which are used all the same"));
  EXPECT_FALSE(told(file, ", DYNAMIC_LIMIT=0", mass));
  // As a clamped shape does: |I3|² is a quarter of the mass times the modal mass.
  ModalBody moves = body;
  const std::size_t seventh = 6;
  moves.invariants.I3[seventh] = {
      0.5 * std::sqrt(moves.invariants.mass * moves.invariants.I6[seventh * moves.modes + seventh]), 0, 0};
  const TemporaryFile clamped("clamped.mtx", write_mtx(moves));
  EXPECT_TRUE(told(clamped, ", DYNAMIC_LIMIT=0", mass + " (7)"));
  EXPECT_FALSE(told(clamped, "", mass));
  body.rotation.clear();
  const TemporaryFile without("places.mtx", write_mtx(body));
  const std::string markers = "MARKER/21, FLEX_BODY=2, NODE_ID=1\nMARKER/22, FLEX_BODY=2, NODE_ID=3\n";
  const std::string text = told_of(head + flexible(without, "") + markers + "END\n");
  const std::size_t first = text.find("tells no rotations of nodes");
  EXPECT_NE(first, std::string::npos) << text;
  EXPECT_EQ(text.find("tells no rotations of nodes", first + 1), std::string::npos) << text;
}

}  // namespace
}  // namespace trammel::flexible_body_test
