// Invariants of flexible bodies against the sums that they stand for.
#include "flexible/invariants.h"

#include <gtest/gtest.h>

#include <random>

namespace trammel::invariants_test {
namespace {

/// A body of a few nodes with random shapes.
ModalBody random_body(int nodes, int modes, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> u(-1, 1);
  const auto vector = [&] { return Vec3d{u(random), u(random), u(random)}; };
  ModalBody body;
  body.modes = modes;
  for (int p = 0; p < nodes; ++p) {
    body.node_id.push_back(10 + p);
    body.position.push_back(vector());
    body.node_mass.push_back(1.5 + u(random));
    body.node_inertia.push_back(Mat3d::diagonal(0.2, 0.3, 0.25 + 0.1 * u(random)));
    for (int j = 0; j < modes; ++j) {
      body.translation.push_back(vector());
      body.rotation.push_back(vector());
    }
  }
  return body;
}

/// Kinetic energy by the mass matrix that the invariants give, against ½ Σ m ṙ² + ½ Ω·J Ω of each node with
/// Ω = ω + Σ φ* q̇, in the axes of the frame; J stays where the node was, as in the invariants.
TEST(Invariants, give_the_kinetic_energy_of_the_nodes) {
  constexpr int modes = 4;
  const ModalBody body = random_body(7, modes, 3);
  const Invariants in = lumped_invariants(body);
  std::mt19937 random(8);
  std::uniform_real_distribution<double> u(-1, 1);
  for (int k = 0; k < 20; ++k) {
    const Vec3d v{u(random), u(random), u(random)}, w{u(random), u(random), u(random)};
    double q[modes], rate[modes];
    for (int j = 0; j < modes; ++j) q[j] = u(random), rate[j] = u(random);
    double energy = 0;
    for (int p = 0; p < body.nodes(); ++p) {
      Vec3d s = body.position[p], change{}, turning = w;
      for (int j = 0; j < modes; ++j) {
        s += q[j] * body.translation[p * modes + j];
        change += rate[j] * body.translation[p * modes + j];
        turning += rate[j] * body.rotation[p * modes + j];
      }
      const Vec3d velocity = v + cross(w, s) + change;
      energy += 0.5 * body.node_mass[p] * dot(velocity, velocity) +
                0.5 * dot(turning, body.node_inertia[p] * turning);
    }
    Vec3d c = in.first, momentum{}, spin{};
    Mat3d J = in.I7;
    double modal = 0;
    for (int i = 0; i < modes; ++i) {
      c += q[i] * in.I3[i];
      momentum += rate[i] * in.I3[i];
      spin += rate[i] * in.I4[i];
      J += -q[i] * (in.I8[i] + transpose(in.I8[i]));
      for (int j = 0; j < modes; ++j) {
        J += (-q[i] * q[j]) * in.I9[i * modes + j];
        spin += (q[i] * rate[j]) * in.I5[i * modes + j];
        modal += 0.5 * rate[i] * rate[j] * in.I6[i * modes + j];
      }
    }
    const double by_invariants = 0.5 * in.mass * dot(v, v) + dot(v, cross(w, c) + momentum) +
                                 0.5 * dot(w, J * w) + dot(w, spin) + modal;
    EXPECT_NEAR(by_invariants, energy, 1e-13 * energy);  // some hundred products
  }
}

}  // namespace
}  // namespace trammel::invariants_test
