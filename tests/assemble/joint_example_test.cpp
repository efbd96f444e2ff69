// The joint that docs/add_joint.md shows, compiled from that page: motions that it allows satisfy its rows,
// and one about its axis may be driven.
#include <gtest/gtest.h>

#include "../support/deck.h"
#include "assemble/assembler.h"

namespace trammel {

extern const JointType pin_in_slot;  // of the page
}  // namespace trammel

namespace trammel::joint_example_test {
namespace {

using namespace test;

void add(Model& model, ConstraintElement e) {
  e.first_row = model.multipliers;
  model.multipliers += e.rows;
  model.force_output.push_back(-1);
  model.constraint_elements.push_back(e);
}

constexpr double psi = 0.4, theta = 1.1, phi = -0.3;  // of the slot's marker in ground

/// The pin's marker is the part's own frame; it is to turn about z of the slot by 0.3 + t²/2.
Model mechanism() {
  Model model = compile_text(
      fmt::format("UNITS/UCF=1\nPART/1,GROUND\nMARKER/10,PART=1,QP=1,2,3,REULER={},{},{}\n"
                  "PART/2,MASS=2,CM=20,IP=1,1,1\nMARKER/20,PART=2\nVARIABLE/1,FUNCTION=0.3+TIME**2/2\n",
                  psi, theta, phi));
  const auto index_of = [&](int id) {
    int m = 0;
    while (model.markers[m].id != id) ++m;
    return m;
  };
  const int I = index_of(20), J = index_of(10);
  ConstraintElement joint;
  joint.I = I, joint.J = J, joint.rows = pin_in_slot.rows;
  for (int k = 0; k < joint.rows; ++k) joint.row[k] = pin_in_slot.row[k].row;
  add(model, joint);
  ConstraintElement motion;
  motion.I = I, motion.J = J, motion.rows = 1, motion.motion = true;
  motion.row[0] = {RowKind::angle_z};
  motion.angle[0] = model.angles++;
  motion.tape = model.scalars[0].tape;
  add(model, motion);
  return model;
}

const Mat3d slot =
    rotation_z(psi) *
    Mat3d{{1, 0, 0, 0, std::cos(theta), -std::sin(theta), 0, std::sin(theta), std::cos(theta)}} *
    rotation_z(phi);

TEST(JointExample, of_the_documents_allows_and_follows_its_motion) {
  ASSERT_TRUE(pin_in_slot.turns());
  ASSERT_FALSE(pin_in_slot.slides());
  const Model model = mechanism();
  ASSERT_EQ(model.multipliers, 5);
  Assembler assembler(model);
  State state(model);
  state.t = 0.7;
  const double t = state.t;
  // Along the slot by sin 3t, about its z by the motion: ψ and θ stay, φ grows.
  const Vec3d x = Vec3d{1, 2, 3} + slot * Vec3d{0, std::sin(3 * t), 0},
              v = slot * Vec3d{0, 3 * std::cos(3 * t), 0}, a = slot * Vec3d{0, -9 * std::sin(3 * t), 0};
  for (int k = 0; k < 3; ++k) state.q[k] = x[k], state.v[k] = v[k], state.a[k] = a[k];
  state.q[3] = psi, state.q[4] = theta, state.q[5] = phi + 0.3 + t * t / 2;
  state.v[5] = t, state.a[5] = 1;
  state.s[0] = 0.3 + t * t / 2;
  std::vector<double> rows(5);
  for (const ConstraintLevel level :
       {ConstraintLevel::position, ConstraintLevel::velocity, ConstraintLevel::acceleration}) {
    assembler.evaluate(state, in_dynamics);
    assembler.constraints(state, level, rows);
    for (const double row : rows) EXPECT_NEAR(row, 0, 1e-13) << static_cast<int>(level);
  }
  // Out of the slot, along x and z of it: what the separations are.
  const Vec3d out = slot * Vec3d{0.01, 0, -0.02};
  for (int k = 0; k < 3; ++k) state.q[k] += out[k];
  assembler.evaluate(state, in_dynamics);
  assembler.constraints(state, ConstraintLevel::position, rows);
  EXPECT_NEAR(rows[0], 0.01, 1e-13);
  EXPECT_NEAR(rows[1], -0.02, 1e-13);
  // Tilted by δθ the axes are no longer parallel, and beyond the motion the angle is what was added.
  state.q[4] += 1e-3;
  state.q[5] += 0.05;
  assembler.evaluate(state, in_dynamics);
  assembler.constraints(state, ConstraintLevel::position, rows);
  EXPECT_NEAR(std::hypot(rows[2], rows[3]), std::sin(1e-3), 1e-9);
  EXPECT_NEAR(rows[4], 0.05, 1e-6);
}

}  // namespace
}  // namespace trammel::joint_example_test
