// Contacts between bodies that nothing else holds: their forces and moments, and what the equations have of
// them, are none together.
#include <gtest/gtest.h>

#include "random_model.h"

namespace trammel::isolated_heap_test {
namespace {

using namespace test;

const char* const shapes[] = {
    "GRAPHICS/{0}, ELLIPSOID, CM={0}0, XSCALE=0.9, YSCALE=0.9, ZSCALE=0.9\n",
    "GRAPHICS/{0}, ELLIPSOID, CM={0}0, XSCALE=0.7, YSCALE=0.7, ZSCALE=0.7\n",
    "GRAPHICS/{0}, BOX, CORNER={0}1, X=0.8, Y=0.6, Z=0.7\n",
    "GRAPHICS/{0}, BOX, CORNER={0}1, X=0.5, Y=0.7, Z=0.9\n",
    "GRAPHICS/{0}, CYLINDER, CM={0}1, LENGTH=0.8, RADIUS=0.4\n",
    "GRAPHICS/{0}, ELLIPSOID, CM={0}0, XSCALE=0.7, YSCALE=1.1, ZSCALE=0.8\n",
};
constexpr int bodies = 6;

const char* const impact = ", IMPACT, STIFFNESS=3E4, EXPONENT=1.6, DAMPING=200, DMAX=0.01";
const char* const poisson = ", POISSON, PENALTY=3E4, RESTITUTION_COEFFICIENT=0.5";
const char* const slides =
    "\n, COULOMB_FRICTION=ON, MU_STATIC=0.7, MU_DYNAMIC=0.4, STICTION_TRANSITION_VELOCITY=1.5"
    ", FRICTION_TRANSITION_VELOCITY=4";
const char* const sticks = ", STICTION=ON, MAX_STICTION_DEFORMATION=0.8";

/// Balls, boxes, a cylinder and an ellipsoid about each other, of which pairs other than with balls are
/// meshes.
std::string parts(Random& random) {
  std::string text = "PART/1, GROUND\n";
  for (int k = 2; k < 2 + bodies; ++k)
    text += fmt::format(
                "PART/{0}, MASS=1.3, IP=0.3,0.4,0.5, CM={0}0, QG={1}, REULER={2}\nMARKER/{0}0, PART={0}\n"
                "MARKER/{0}1, PART={0}, QP=-0.2,-0.3,-0.1\n",
                k, list(random.vector(0.4)), euler(random.rotation())) +
            fmt::format(fmt::runtime(shapes[k - 2]), k);
  return text;
}
std::string of_pairs(const std::string& law) {
  std::string text;
  int id = 0;
  for (int k = 3; k < 2 + bodies; ++k)
    for (int j = 2; j < k; ++j) text += fmt::format("CONTACT/{}, IGEOM={}, JGEOM={}{}\n", ++id, k, j, law);
  return text;
}
std::string of_all(const std::string& law) {
  std::string ids;
  for (int k = 2; k < 2 + bodies; ++k) ids += fmt::format("{}{}", k > 2 ? ", " : "", k);
  return "CONTACT/1, IGEOM=" + ids + ", JGEOM=" + ids + law + "\n";
}

/// A force and a moment about the origin, and the sums of the sizes of what they are made of.
struct Sum {
  Vec3d force, moment;
  double forces = 0, moments = 0;
  void add(const Vec3d& at, const Vec3d& f, const Vec3d& t) {
    force += f;
    moment += cross(at, f) + t;
    forces += norm(f);
    moments += norm(at) * norm(f) + norm(t);
  }
};

Sum sum_of_wrenches(const Model& model, const Assembler& assembler) {
  Sum sum;
  const auto wrenches = assembler.wrenches();
  const auto add = [&](int marker, const double* w) {
    sum.add(assembler.kinematics().marker(marker).r, {w[0], w[1], w[2]}, {w[3], w[4], w[5]});
  };
  std::size_t n = 0;
  for (const ContactElement& c : model.contacts) {
    add(c.I, &wrenches[12 * n]);
    add(c.J, &wrenches[12 * n + 6]);
    ++n;
  }
  for (const ContactMember& m : model.contact_members) add(m.I, &wrenches[12 * n++]);
  return sum;
}

/// The axes of the angles that the coordinates of a turning body are: z of G, then x, then z, each as turned
/// by those before.
std::array<Vec3d, 3> axes_of_angles(const State& state, int body, int first) {
  const Mat3d& G = state.basis[body].G;
  const Mat3d first_turn = G * rotation_z(state.q[first]);
  const Mat3d second_turn = first_turn * rotation_x(state.q[first + 1]);
  return {G.column(2), first_turn.column(0), second_turn.column(2)};
}

/// What the rows of the bodies have more in a model with contacts than in one without: −f and −Hᵀ t, t about
/// the centre of mass.
Sum sum_of_rows(const Model& model, const State& state, std::span<const double> with,
                std::span<const double> without) {
  Sum sum;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    const auto row = [&](int k) { return without[k] - with[k]; };
    const auto h = axes_of_angles(state, static_cast<int>(b), body.angles());
    const Vec3d by_angles{row(body.angles()), row(body.angles() + 1), row(body.angles() + 2)};
    // t from its products with three axes.
    const double volume = dot(h[0], cross(h[1], h[2]));
    const Vec3d t = (1 / volume) * (by_angles.x * cross(h[1], h[2]) + by_angles.y * cross(h[2], h[0]) +
                                    by_angles.z * cross(h[0], h[1]));
    const Vec3d at{state.q[body.first], state.q[body.first + 1], state.q[body.first + 2]};
    sum.add(at, {row(body.first), row(body.first + 1), row(body.first + 2)}, t);
  }
  return sum;
}

std::vector<double> residual_of(Assembler& assembler, const Model& model, const State& state) {
  std::vector<double> r(model.unknowns());
  assembler.evaluate(state, in_dynamics);
  assembler.residual(state, Coefficients{}, r);
  return r;
}

TEST(IsolatedHeap, contacts_make_no_force_and_no_moment_together) {
  const std::string laws[] = {impact,
                              poisson,
                              std::string(impact) + slides,
                              std::string(poisson) + slides,
                              std::string(impact) + slides + sticks,
                              std::string(poisson) + slides + sticks};
  double off = 0, rows_off = 0;
  int states = 0;
  for (const std::string& law : laws)
    for (const bool group : {false, true}) {
      if (group && law.find(sticks) != std::string::npos) continue;  // refused
      Random random(7);
      const std::string bodies_text = parts(random);
      const Model model = compile_text(bodies_text + (group ? of_all(law) : of_pairs(law))),
                  bare = compile_text(bodies_text);
      Assembler assembler(model), of_bare(bare);
      for (int n = 0; n < 100; ++n) {
        State state = random_state(model, random);
        std::fill(state.a.begin(), state.a.end(), 0.0);
        State alone(bare);
        alone.t = state.t, alone.q = state.q, alone.v = state.v, alone.a = state.a, alone.basis = state.basis;
        const auto with = residual_of(assembler, model, state), without = residual_of(of_bare, bare, alone);
        const Sum wrenches = sum_of_wrenches(model, assembler);
        if (wrenches.forces == 0) continue;
        ++states;
        const Sum rows = sum_of_rows(model, state, with, without);
        // What acts on the bodies is the same by both ways: rows are differences of residuals, and a body's
        // wrenches have been added up.
        EXPECT_GT(wrenches.forces, 100);
        EXPECT_GT(rows.forces, 0.01 * wrenches.forces);
        off =
            std::max({off, norm(wrenches.force) / wrenches.forces, norm(wrenches.moment) / wrenches.moments});
        rows_off =
            std::max({rows_off, norm(rows.force) / wrenches.forces, norm(rows.moment) / wrenches.moments});
      }
    }
  EXPECT_GT(states, 500);
  // Rounding of a sum of 15 pairs; of rows besides that of H, which is near singular by 1/sin θ < 2.5.
  EXPECT_LT(off, 1e-15);
  EXPECT_LT(rows_off, 2e-15);
  RecordProperty("wrenches", fmt::format("{:.2g}", off));
  RecordProperty("rows", fmt::format("{:.2g}", rows_off));
  RecordProperty("states", states);
}

}  // namespace
}  // namespace trammel::isolated_heap_test
