// MFORCE, preload and the choice of modes of flexible bodies, against the finite elements that they are from.
#include <gtest/gtest.h>

#include "../support/beam_body.h"
#include "../support/deck.h"
#include "../support/simulate.h"
#include "flexible/selection.h"

namespace trammel::modal_force_test {
namespace {

using namespace test;

const std::string head =
    "UNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\nMARKER/1, PART=1\n";
const std::string clamp = "MARKER/21, FLEX_BODY=2, NODE_ID=1\nJOINT/1, FIXED, I=21, J=1\n";
std::string tip(const Beam& beam) {
  return fmt::format("MARKER/22, FLEX_BODY=2, NODE_ID={}\nREQUEST/1, F2=DY(22,1)\\, F3=AZ(22,1)\n",
                     beam.last());
}

/// What forces on all unknowns do to each mode.
std::vector<double> on_modes(const ModalBody& body, const Eigen::VectorXd& f) {
  std::vector<double> out(body.modes);
  for (int p = 0; p < body.nodes(); ++p)
    for (int j = 0; j < body.modes; ++j)
      for (int i = 0; i < 3; ++i)
        out[j] += f[6 * p + i] * body.translation[p * body.modes + j][i] +
                  f[6 * p + 3 + i] * body.rotation[p * body.modes + j][i];
  return out;
}

/// A load that grows along a beam, at rest. All modes are there, so what is left is that turned forces are of
/// second order in displacements, of 1e-6 of its length here.
TEST(ModalForce, bends_a_beam_as_the_elements_say) {
  const Beam beam{.elements = 6};
  ModalBody body = modes_of(beam, {1}, -1);
  Eigen::VectorXd f = Eigen::VectorXd::Zero(6 * beam.nodes());
  for (int p = 0; p < beam.nodes(); ++p) f[6 * p + 1] = 1e-3 * p;
  body.loads = {on_modes(body, f)};
  const TemporaryFile file("loaded.mtx", write_mtx(body));
  Recording r("title\n" + head + "FLEX_BODY/2, MNF_FILE=" + file.path() + "\n" + clamp + tip(beam) +
              "MFORCE/1, FLEX_BODY=2, CASE_INDEX=1, SCALE=2\nEND\n");
  r.simulation->run(statics_analysis);
  const Eigen::VectorXd u = held_beam(beam, 2 * f);
  const Eigen::Index last = u.size() - 6;
  EXPECT_NEAR(r.at(0, "REQUEST/1", "F2"), u[last + 1], 1e-5 * u[last + 1]);
  EXPECT_NEAR(r.at(0, "REQUEST/1", "F3"), u[last + 5], 1e-5 * u[last + 5]);
  const double total = 2 * f.sum();
  EXPECT_NEAR(r.at(0, "JOINT/1", "FY"), -total, 1e-9 * total);
  EXPECT_NEAR(r.at(0, "MFORCE/1", "FY"), total, 1e-9 * total);
  EXPECT_EQ(r.at(0, "MFORCE/1", "SCALE"), 2);
}

/// Momentum: a free beam under a load case falls as its mass does, whatever its modes do meanwhile.
TEST(ModalForce, moves_the_centre_of_mass) {
  const Beam beam{.elements = 6};
  ModalBody body = modes_of(beam, {1, 7}, 1);
  Eigen::VectorXd f = Eigen::VectorXd::Zero(6 * beam.nodes());
  for (int p = 0; p < beam.nodes(); ++p) f[6 * p + 1] = p == 0 || p == beam.elements ? 5 : 10;
  body.loads = {on_modes(body, f)};
  const TemporaryFile file("thrown.mtx", write_mtx(body));
  Recording r("title\n" + head + "INTEGRATOR/RADAU, ERROR=1E-10\nFLEX_BODY/2, MNF_FILE=" + file.path() +
              "\n" + "MFORCE/1, FLEX_BODY=2, CASE_INDEX=1, SCALE=SIN(TIME)\nEND\n");
  r.simulation->run(dynamics_analysis, {0.5, 5});
  const double m = beam.mass();
  for (std::size_t k = 0; k < r.values.size(); ++k) {
    const double t = r.time[k];
    EXPECT_NEAR(r.at(k, "FLEX_BODY/2", "Y"), 60 / m * (t - std::sin(t)), 1e-8) << t;
    EXPECT_NEAR(r.at(k, "FLEX_BODY/2", "VY"), 60 / m * (1 - std::cos(t)), 1e-7) << t;
  }
}

/// PRELOAD is a force on the modes that is always there: forces in balance bend the held beam so.
TEST(Preload, bends_the_body) {
  const Beam beam{.elements = 6};
  ModalBody body = modes_of(beam, {1}, -1);
  Eigen::VectorXd f = Eigen::VectorXd::Zero(6 * beam.nodes());
  for (const int p : {2, 6}) f[6 * p + 1] = 1e-3;
  f[6 * 4 + 1] = -2e-3;
  body.preload = on_modes(body, f);
  const TemporaryFile file("preload.mtx", write_mtx(body));
  Recording r("title\n" + head + "FLEX_BODY/2, MNF_FILE=" + file.path() + "\n" + clamp + tip(beam) + "END\n");
  r.simulation->run(statics_analysis);
  const Eigen::VectorXd u = held_beam(beam, f);
  const Eigen::Index last = u.size() - 6;
  EXPECT_NEAR(r.at(0, "REQUEST/1", "F2"), u[last + 1], 1e-5 * std::abs(u[last + 1]));
  EXPECT_NEAR(r.at(0, "REQUEST/1", "F3"), u[last + 5], 1e-5 * std::abs(u[last + 5]));
  EXPECT_NEAR(r.at(0, "JOINT/1", "FY"), 0, 1e-12);
}

/// Damping α M of all modes of the file slows the free body by exp(−αt) with FULL; with INTERNAL_ONLY nothing
/// brakes it.
TEST(GeneralizedDamping, brakes_the_free_body_where_it_is_full) {
  const Beam beam{.elements = 4};
  ModalBody body = modes_of(beam, {1, 5}, 1);
  constexpr double alpha = 3;
  for (const double mass : body.invariants.I6) body.damping.push_back(alpha * mass);
  const TemporaryFile file("braked.mtx", write_mtx(body));
  for (const char* which : {"FULL", "INTERNAL_ONLY"}) {
    Recording r("title\n" + head + "INTEGRATOR/RADAU, ERROR=1E-9\nFLEX_BODY/2, MNF_FILE=" + file.path() +
                ", VX=1, VY=2, WX=0.5, GENERALIZED_DAMPING=" + which + "\nEND\n");
    r.simulation->run(dynamics_analysis, {0.4, 4});
    const bool full = which[0] == 'F';
    for (std::size_t k = 0; k < r.values.size(); ++k) {
      const double left = full ? std::exp(-alpha * r.time[k]) : 1;
      EXPECT_NEAR(r.at(k, "FLEX_BODY/2", "VX"), left, 1e-7) << which;
      EXPECT_NEAR(r.at(k, "FLEX_BODY/2", "VY"), 2 * left, 1e-7) << which;
      EXPECT_NEAR(r.at(k, "FLEX_BODY/2", "WX"), 0.5 * left, 1e-7) << which;
    }
  }
}

struct Choice : ::testing::Test {
  const ModalBody body = modes_of({.elements = 3}, {1, 4}, 2);
  const TemporaryFile file{"all.mtx", write_mtx(body)};
  Model model_with(const std::string& more) const {
    return compile_text(head + "FLEX_BODY/2, MNF_FILE=" + file.path() + more + "\n");
  }
  std::string message_with(const std::string& more) const {
    std::string text = message_of(head + "FLEX_BODY/2, MNF_FILE=" + file.path() + more + "\n");
    const std::size_t at = text.find(file.path());
    return at == text.npos ? text : text.replace(at, file.path().size(), "FILE");
  }
};

/// MODES, MODES_OFF and a file of those modes give the same tables.
TEST_F(Choice, of_modes_is_what_a_file_of_them_is) {
  const TemporaryFile some("some.mtx", write_mtx(with_modes(body, {8, 9, 12})));
  const Model on = model_with(", MODES=12,8,9"), off = model_with(", MODES_OFF=7,10,11,13,14"),
              of_file = compile_text(head + "FLEX_BODY/2, MNF_FILE=" + some.path() + "\n");
  const ModalTables& expected = of_file.flexible_bodies[0];
  EXPECT_EQ(expected.modes, 3);
  for (const Model* model : {&on, &off}) {
    const ModalTables& found = model->flexible_bodies[0];
    EXPECT_EQ(found.mode_id, expected.mode_id);
    EXPECT_EQ(found.stiffness, expected.stiffness);
    EXPECT_EQ(found.damping, expected.damping);
    EXPECT_EQ(found.mass, expected.mass);
    EXPECT_EQ(found.size, expected.size);
  }
  EXPECT_EQ(model_with("").flexible_bodies[0].modes, 8);
}

TEST_F(Choice, says_what_is_wrong) {
  EXPECT_EQ(message_with(", MODES=7,15"),
            "deck.adm:5: FLEX_BODY/2: MODES=15: FILE has no such mode; it has 14 modes, 1 to 14");
  EXPECT_EQ(message_with(", MODES_OFF=8,9,8"), "deck.adm:5: FLEX_BODY/2: MODES_OFF: mode 8 stands twice");
  EXPECT_EQ(message_with(", MODES=3"),
            "deck.adm:5: FLEX_BODY/2: MODES=3: that mode moves it as a rigid body, as its frame does");
  EXPECT_NE(message_with(", MODES=8, MODES_OFF=9"), "accepted");
  EXPECT_EQ(message_with(", MODES=8, MEXACT=9"),
            "deck.adm:5: FLEX_BODY/2: MEXACT=9: no such mode takes part");
}

}  // namespace
}  // namespace trammel::modal_force_test
