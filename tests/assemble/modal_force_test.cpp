// MFORCE and the damping of the file between frame and modes, by the work that they do on the nodes.
#include <gtest/gtest.h>

#include "../support/temporary_file.h"
#include "check_tangent.h"
#include "flexible.h"
#include "flexible/mtx_file.h"

namespace trammel::modal_force_test {
namespace {

using namespace test;

constexpr int elastic = 3;

/// Loads on the nodes of a body, along the axes of its frame.
struct NodalLoads {
  std::vector<Vec3d> force, moment;
};

/// A body with six rigid modes, each a mixture of all six motions, and others; its load cases are what the
/// loads do to each mode, the second by the moments alone.
ModalBody loaded_body(Random& random, NodalLoads& loads) {
  ModalBody body = random_modal_body({}, 5, 6 + elastic, random);
  std::vector<double> first, second;
  for (int p = 0; p < body.nodes(); ++p) {
    loads.force.push_back(random.vector(1));
    loads.moment.push_back(random.vector(1));
  }
  for (int j = 0; j < body.modes; ++j) {
    const Vec3d a = random.vector(1), b = random.vector(1);
    double forces = 0, moments = 0;
    for (int p = 0; p < body.nodes(); ++p) {
      Vec3d &u = body.translation[p * body.modes + j], &turn = body.rotation[p * body.modes + j];
      if (j < 6) u = a + cross(b, body.position[p]), turn = b;
      forces += dot(loads.force[p], u);
      moments += dot(loads.moment[p], turn);
    }
    first.push_back(forces + moments);
    second.push_back(moments);
    body.frequency[j] = j < 6 ? 0 : j;
    for (int k = 0; k < body.modes && j < 6; ++k)
      body.stiffness[j * body.modes + k] = body.stiffness[k * body.modes + j] = 0;
  }
  body.loads = {second, first};
  body.invariants = lumped_invariants(body);
  return body;
}

/// The body beside those of random_bodies(), with markers at its nodes.
std::string deck_of(Random& random, const ModalBody& body, const TemporaryFile& file,
                    const std::string& more) {
  std::string deck = random_bodies(random) + "FLEX_BODY/9, MNF_FILE=" + file.path() + more + "\n";
  for (int p = 0; p < body.nodes(); ++p)
    deck += fmt::format("MARKER/9{}, FLEX_BODY=9, NODE_ID={}\n", p, body.node_id[p]);
  return deck;
}

int marker_at(const Model& model, int id) {
  for (std::size_t k = 0; k < model.markers.size(); ++k)
    if (model.markers[k].id == id) return static_cast<int>(k);
  throw std::runtime_error("no marker");
}

std::vector<double> residual_of(const Model& model, const State& state) {
  Assembler assembler(model);
  assembler.evaluate(state, in_dynamics);
  std::vector<double> r(model.unknowns());
  assembler.residual(state, {}, r);
  return r;
}

/// Its power at every velocity of frame and modes is that of the loads on the nodes, A F_p·v_p + A τ_p·ω_p.
/// Of a deformed body the moment of the loads about the frame lacks that by the displacements, Σ u_p × F_p,
/// and those of moments turn with the nodes: forces alone there.
TEST(ModalForce, does_the_work_of_its_nodal_loads) {
  for (const bool deformed : {false, true}) {
    SCOPED_TRACE(deformed);
    Random random(11);
    NodalLoads loads;
    ModalBody body = loaded_body(random, loads);
    if (deformed) {
      for (std::size_t j = 0; j < body.loads[1].size(); ++j) body.loads[1][j] -= body.loads[0][j];
      for (Vec3d& moment : loads.moment) moment = {};
    }
    const TemporaryFile file("loaded.mtx", write_mtx(body));
    constexpr double scale = 2.5;
    const std::string bodies = deck_of(random, body, file, "");
    const Model model = compile_text(bodies + "MFORCE/1, FLEX_BODY=9, CASE_INDEX=2, SCALE=2.5\n");
    const Model bare = compile_text(bodies);
    State state = random_state(model, random);
    const FlexibleBody& f = model.flexible_bodies[0];
    for (int j = 0; j < f.modes && !deformed; ++j) state.q[f.first + j] = 0;
    const std::vector<double> with = residual_of(model, state), without = residual_of(bare, state);
    double size = 0;
    for (int k = 0; k < model.coordinates; ++k) size = std::max(size, std::abs(with[k] - without[k]));
    Assembler assembler(model);
    for (int k = 0; k < model.coordinates; ++k) {
      std::fill(state.v.begin(), state.v.end(), 0.0);
      state.v[k] = 1;
      assembler.evaluate(state, in_dynamics);
      const BodyKinematics& frame = assembler.kinematics().body(f.body);
      double power = 0;
      for (int p = 0; p < body.nodes(); ++p) {
        const MarkerKinematics<double>& at = assembler.kinematics().marker(marker_at(model, 90 + p));
        const Vec3d force = frame.A * loads.force[p], u = at.r - frame.x - frame.A * body.position[p];
        power += dot(force, at.v) + dot(frame.A * loads.moment[p], at.w) - dot(frame.w, cross(u, force));
      }
      // residuals are sums of some hundred products of that size
      EXPECT_NEAR(without[k] - with[k], scale * power, 1e-12 * size) << model.unknown_name(k);
    }
  }
}

/// What acts on the frame acts the other way on the body of JFLOAT.
TEST(ModalForce, has_a_reaction_that_leaves_momenta_as_they_are) {
  Random random(12);
  NodalLoads loads;
  const ModalBody body = loaded_body(random, loads);
  const TemporaryFile file("reaction.mtx", write_mtx(body));
  const Model model = compile_text(deck_of(random, body, file, "") +
                                   "MFORCE/1, FLEX_BODY=9, CASE_INDEX=2, SCALE=-1.5, JFLOAT=39\n");
  const State state = random_state(model, random);
  Assembler assembler(model);
  assembler.evaluate(state, in_dynamics);
  const double* w = assembler.wrenches().data();
  const auto vector = [&](int k) { return Vec3d{w[3 * k], w[3 * k + 1], w[3 * k + 2]}; };
  const ExpressionForce& force = model.expression_forces[0];
  const Vec3d I = assembler.kinematics().marker(force.I).r, J = assembler.kinematics().marker(force.J).r;
  EXPECT_GT(norm(vector(0)), 0.1);
  EXPECT_LT(norm(vector(0) + vector(2)), 1e-14);
  EXPECT_LT(norm(vector(1) + cross(I, vector(0)) + vector(3) + cross(J, vector(2))), 1e-13);
}

/// SCALE reads markers at nodes, modes, states and rates; two forces share a body.
TEST(ModalForce, has_the_derivative_of_its_residual) {
  for (const std::uint32_t seed : {1u, 2u}) {
    Random random(20 + seed);
    NodalLoads loads;
    const ModalBody body = loaded_body(random, loads);
    const TemporaryFile file("tangent.mtx", write_mtx(body));
    const Model model = compile_text(
        deck_of(random, body, file, "") +
        "MFORCE/1, FLEX_BODY=9, CASE_INDEX=2, SCALE=DX(92,12)*VY(93,32,12)+Q(9,13)**2, JFLOAT=39\n"
        "MFORCE/2, FLEX_BODY=9, CASE_INDEX=1, SCALE=VARVAL(1)*DIF1(1)+WX(91)\n"
        "VARIABLE/1, FUNCTION=TIME*DY(42,92)\nDIFF/1, FUNCTION=VARVAL(1)-DIF(1)\n");
    check_tangent(model, seed, false, 2e-4);
  }
}

/// A floating marker of a flexible body takes a reaction at its frame.
TEST(FlexibleReaction, has_the_derivative_of_its_residual) {
  Random random(25);
  NodalLoads loads;
  const ModalBody body = loaded_body(random, loads);
  const TemporaryFile file("floating.mtx", write_mtx(body));
  check_tangent(compile_text(deck_of(random, body, file, "") +
                             "MARKER/99, FLEX_BODY=9, FLOATING\n"
                             "VFORCE/1, I=22, JFLOAT=99, RM=32, FX=DX(92,12)\\FY=VY(22,93)\\FZ=1\n"),
                5, false, 2e-4);
}

/// One out of force leaves the equations of a model without it.
TEST(ModalForce, that_is_deactivated_does_nothing) {
  Random random(13);
  NodalLoads loads;
  const ModalBody body = loaded_body(random, loads);
  const TemporaryFile file("inactive.mtx", write_mtx(body));
  const std::string bodies = deck_of(random, body, file, "");
  Diagnostics diagnostics;
  Description description = parse_dataset(
      "title\n" + bodies + "MFORCE/1, FLEX_BODY=9, CASE_INDEX=2, SCALE=3\nEND\n", "test.adm", diagnostics);
  for (Statement& s : description.statements) s.active = s.spec->keyword != "MFORCE";
  const Model model = compile(description, diagnostics);
  diagnostics.stop_on_errors();
  const State state = random_state(model, random);
  EXPECT_EQ(residual_of(model, state), residual_of(compile_text(bodies), state));
}

/// Random damping between all modes, the rigid ones too: power at every velocity is −η̇ᵀCη̇ by the rates η̇ of
/// the file's modes, where the motion of the nodes is Σ φ_j η̇_j.
TEST(GeneralizedDamping, takes_the_power_of_the_matrix_of_the_file) {
  Random random(14);
  NodalLoads loads;
  ModalBody body = loaded_body(random, loads);
  const int n = body.modes;
  for (int k = 0; k < n * n; ++k) body.damping.push_back(random.uniform(-1, 1));
  const TemporaryFile file("damped.mtx", write_mtx(body));
  const auto model_with = [&](const std::string& damping) {
    Random same(15);
    return compile_text(deck_of(same, body, file, damping));
  };
  const Model full = model_with(", GENERALIZED_DAMPING=FULL"), none = model_with(", CRATIO=0"),
              internal = model_with(", GENERALIZED_DAMPING=INTERNAL_ONLY");
  const FlexibleBody& f = full.flexible_bodies[0];
  State state = random_state(full, random);
  std::vector<double> eta(n);  // rates of the modes of the file
  for (double& x : eta) x = random.uniform(-1, 1);
  const BodyKinematics frame = [&] {
    Assembler assembler(full);
    assembler.evaluate(state, in_dynamics);
    return assembler.kinematics().body(f.body);
  }();
  // The motion a + b × s of the rigid modes is the frame's: a and b by two of the nodes and the rotation.
  Vec3d a{}, b{};
  for (int j = 0; j < 6; ++j) {
    const Vec3d turn = body.rotation[j];
    b += eta[j] * turn;
    a += eta[j] * (body.translation[j] - cross(turn, body.position[0]));
  }
  const Vec3d v = frame.A * a;
  const Mat3d H = frame.H;
  const Vec3d rates = inverse(H) * (frame.A * b);
  const int first = full.bodies[f.body].first;
  for (int i = 0; i < 3; ++i) state.v[first + i] = v[i], state.v[first + 3 + i] = rates[i];
  for (int j = 0; j < f.modes; ++j) state.v[f.first + j] = f.size[j] * eta[6 + j];
  double whole = 0, inside = 0, size = 0;
  for (int j = 0; j < n; ++j)
    for (int k = 0; k < n; ++k) {
      const double power = eta[j] * body.damping[j * n + k] * eta[k];
      whole += power;
      size += std::abs(power);
      if (j >= 6 && k >= 6) inside += power;
    }
  const std::vector<double> bare = residual_of(none, state);
  const auto power_of = [&](const Model& model) {
    const std::vector<double> r = residual_of(model, state);
    double power = 0;
    for (int i = 0; i < 6; ++i) power += (r[first + i] - bare[first + i]) * state.v[first + i];
    for (int j = 0; j < f.modes; ++j) power += (r[f.first + j] - bare[f.first + j]) * state.v[f.first + j];
    return power;
  };
  EXPECT_NEAR(power_of(full), whole, 1e-11 * size);
  EXPECT_NEAR(power_of(internal), inside, 1e-11 * size);
  check_tangent(full, 3, false, 2e-4);
}

std::string message_with(const ModalBody& body, const std::string& more, ExitCode code = ExitCode::input) {
  const TemporaryFile file("message.mtx", write_mtx(body));
  std::string text = message_of(
      "UNITS/UCF=1\nPART/1, GROUND\nMARKER/1, PART=1\nMARKER/2, PART=1, FLOATING\n"
      "FLEX_BODY/9, MNF_FILE=" +
          file.path() + "\nMARKER/8, FLEX_BODY=9, FLOATING\n" + more,
      code);
  for (std::size_t at; (at = text.find(file.path())) != text.npos;)
    text.replace(at, file.path().size(), "FILE");
  return text;
}

TEST(ModalForce, says_what_is_wrong) {
  Random random(16);
  NodalLoads loads;
  const ModalBody body = loaded_body(random, loads);
  const std::string head = "MFORCE/1, FLEX_BODY=9, ";
  EXPECT_EQ(message_with(body, head + "CASE_INDEX=3, SCALE=1\n"),
            "deck.adm:8: MFORCE/1: CASE_INDEX=3: FILE has 2 load cases");
  EXPECT_EQ(message_with(body, head + "CASE_INDEX=1, SCALE=1, JFLOAT=8\n"),
            "deck.adm:8: MFORCE/1: JFLOAT=8 is on FLEX_BODY/9 itself; it must be on another body");
  EXPECT_NE(message_with(body, head + "CASE_INDEX=1\n").find("SCALE"), std::string::npos);
  EXPECT_NE(message_with(body, head + "FORCE=USER(1,2)\n", ExitCode::unsupported).find("FORCE"),
            std::string::npos);
  ModalBody none = body;
  none.loads.clear();
  EXPECT_EQ(message_with(none, head + "CASE_INDEX=1, SCALE=1\n"),
            "deck.adm:8: MFORCE/1: CASE_INDEX=1: FILE has no load cases, which are the columns of its matrix "
            "MODLOAD");
  ModalBody bent = body;
  for (int p = 0; p < bent.nodes(); ++p) bent.translation[p * bent.modes] = random.vector(1);
  EXPECT_NE(
      message_with(bent, head + "CASE_INDEX=1, SCALE=1\n")
          .find(
              "MFORCE/1: FILE: mode 7 has a frequency as if it moved the body without deforming it, 0, but"),
      std::string::npos);
  ModalBody twice = body;
  for (int p = 0; p < twice.nodes(); ++p) {
    const int at = p * twice.modes;
    twice.translation[at] = twice.translation[at + 1], twice.rotation[at] = twice.rotation[at + 1];
  }
  EXPECT_EQ(message_with(twice, head + "CASE_INDEX=1, SCALE=1\n"),
            "deck.adm:8: MFORCE/1: FILE: its six rigid modes are 5 different motions only");
  ModalBody line = body;
  line.rotation.clear();
  for (int p = 0; p < line.nodes(); ++p) line.position[p] = {0.1 * p, 0, 0};
  EXPECT_EQ(message_with(line, head + "CASE_INDEX=1, SCALE=1\n"),
            "deck.adm:8: MFORCE/1: FILE: its 5 nodes do not tell how its rigid modes turn it; keep rotations "
            "(R_MODE) or three nodes that are not on a line");
}

}  // namespace
}  // namespace trammel::modal_force_test
