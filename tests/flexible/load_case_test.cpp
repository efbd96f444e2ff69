// Load cases of a reduction, and what they are to the frame; modes chosen from a body.
#include "flexible/load_case.h"

#include <gtest/gtest.h>

#include "../support/beam_body.h"
#include "../support/block_mesh.h"
#include "base/diagnostics.h"
#include "flexible/modal_check.h"
#include "flexible/reduction.h"
#include "flexible/rigid_motions.h"
#include "flexible/selection.h"

namespace trammel::load_case_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::Block;
using test::dense;
using test::TemporaryFile;

const InputMesh mesh = [] {
  InputMesh m;
  m.node = {{1, {}}, {2, {1, 0, 0}}, {7, {2, 0, 0}}};
  m.set = {{"TOP", {2, 7}}};
  return m;
}();

TEST(LoadCase, reads_nodes_and_sets) {
  const TemporaryFile file("case.txt", "** gust\n*CLOAD\n 1, 3, -2.5\n\ntop, 1, 1e3\n");
  const std::vector<NodalLoad> loads = read_load_case(file.path(), mesh);
  ASSERT_EQ(loads.size(), 3u);
  const NodalLoad expected[] = {{1, 2, -2.5}, {2, 0, 1e3}, {7, 0, 1e3}};
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(loads[k].node, expected[k].node);
    EXPECT_EQ(loads[k].direction, expected[k].direction);
    EXPECT_EQ(loads[k].value, expected[k].value);
  }
}

TEST(LoadCase, says_where_it_is_wrong) {
  const std::pair<const char*, const char*> wrong[] = {
      {"1, 3\n", ":1: node or set, direction and value are expected, found '1, 3'"},
      {"1, 3, 4, 5\n", ":1: node or set, direction and value are expected, found '1, 3, 4, 5'"},
      {"\n1, 7, 4\n", ":2: the direction must be 1 to 3 of a force or 4 to 6 of a moment, found '7'"},
      {"1, z, 4\n", ":1: the direction must be 1 to 3 of a force or 4 to 6 of a moment, found 'z'"},
      {"1, 1, four\n", ":1: 'four' is no value of a load"},
      {"SIDE, 1, 4\n", ":1: 'SIDE' is neither a node nor a set (*NSET)"},
      {"-1, 1, 4\n", ":1: '-1' is neither a node nor a set (*NSET)"},
      {"** nothing\n", ": there is no load in it"}};
  for (const auto& [text, message] : wrong) {
    const TemporaryFile file("wrong.txt", text);
    try {
      read_load_case(file.path(), mesh);
      ADD_FAILURE() << text;
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.what(), file.path() + message);
    }
  }
}

struct Loaded {
  Block block;
  FullModel model = block.model();
  std::vector<int> held = block.corners(0);
  std::vector<NodalLoad> loads;
  ReductionOptions options;
  Loaded() {
    options.interface_nodes = held;
    options.modes = 3;
    options.inertia = 0;
    const std::vector<int> face = block.face(block.nx / 2);
    loads = {{face[0], 2, 100}, {face[4], 1, -30}, {face[8], 0, 50}};
    options.nodes = face;
    options.load_cases = {loads};
  }
};

/// Held at its interface, under the load case alone, loaded nodes are where K u = f of all elements has them:
/// its shape is in the basis.
TEST(LoadCase, bends_the_body_as_the_elements_do) {
  const Loaded l;
  const ModalBody body = reduce(l.model, l.options).body;
  std::vector<int> free;
  for (int u = 0; u < l.model.unknowns(); ++u)
    if (std::find(l.held.begin(), l.held.end(), u / 3 + 1) == l.held.end()) free.push_back(u);
  VectorXd f = VectorXd::Zero(l.model.unknowns());
  for (const NodalLoad& load : l.loads) f[3 * (load.node - 1) + load.direction] += load.value;
  VectorXd full = VectorXd::Zero(l.model.unknowns());
  const MatrixXd stiffness = dense(l.model.pattern, l.model.stiffness)(free, free);
  const VectorXd force = f(free), solved = stiffness.ldlt().solve(force);
  full(free) = solved;
  const int n = body.modes, m = 3 * static_cast<int>(l.held.size());
  const auto shape = [&](int id, int d, int j) {
    return body.translation[static_cast<std::size_t>(body.node(id)) * n + j][d];
  };
  MatrixXd K = MatrixXd::Zero(n + m, n + m);
  for (int j = 0; j < n; ++j) K(j, j) = body.stiffness[static_cast<std::size_t>(j) * (n + 1)];
  const double size = K.diagonal().maxCoeff();
  for (int k = 0; k < m; ++k)
    for (int j = 0; j < n; ++j) K(n + k, j) = K(j, n + k) = size * shape(l.held[k / 3], k % 3, j);
  VectorXd Q = VectorXd::Zero(n + m);
  for (int j = 0; j < n; ++j) Q[j] = body.loads[0][j];
  const VectorXd q = K.fullPivLu().solve(Q);
  for (const NodalLoad& load : l.loads)
    for (int d = 0; d < 3; ++d) {
      double u = 0;
      for (int j = 0; j < n; ++j) u += q[j] * shape(load.node, d, j);
      // rounding of stiffnesses that are 1e7 apart
      EXPECT_NEAR(u, full[3 * (load.node - 1) + d], 1e-7 * full.cwiseAbs().maxCoeff())
          << load.node << ' ' << d;
    }
}

/// Force and moment of the load case are those of its nodal forces.
TEST(LoadCase, tells_the_force_on_the_frame) {
  const Loaded l;
  const ModalBody body = reduce(l.model, l.options).body;
  const std::vector<int> rigid = rigid_modes(body);
  EXPECT_EQ(rigid, (std::vector<int>{0, 1, 2, 3, 4, 5}));
  Vec3d force{}, moment{};
  for (const NodalLoad& load : l.loads) {
    Vec3d f{};
    f[load.direction] = load.value;
    force += f;
    moment += cross(l.model.position[load.node - 1], f);
  }
  const RigidLoad found = rigid_load(body, rigid, 0);
  EXPECT_LT(norm(found.force - force), 1e-11 * norm(force));
  EXPECT_LT(norm(found.moment - moment), 1e-11 * norm(moment));
}

TEST(LoadCase, adds_the_rigid_modes_and_its_own_shape) {
  Loaded l;
  const ModalBody with = reduce(l.model, l.options).body;
  l.options.load_cases.clear();
  const ModalBody without = reduce(l.model, l.options).body;
  EXPECT_TRUE(without.loads.empty());
  EXPECT_GT(without.frequency[0], 0);
  EXPECT_EQ(with.modes, without.modes + 6 + 1) << "the rigid ones and the shape of the load";
  // One shape more lowers frequencies, by Rayleigh.
  for (int k = 0; k < without.modes; ++k) EXPECT_LE(with.frequency[6 + k], without.frequency[k] * (1 + 1e-9));
}

TEST(LoadCase, of_nodes_that_cannot_have_it_is_refused) {
  Loaded l;
  const auto says = [&](const NodalLoad& load) {
    l.options.load_cases = {{load}};
    try {
      reduce(l.model, l.options);
    } catch (const Failure& failure) {
      return std::string(failure.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(says({9999, 0, 1}), "block.inp: there is no node 9999 with unknowns");
  EXPECT_EQ(says({1, 4, 1}),
            "block.inp: node 1 has no rotations that a moment could act on; give forces on nodes around it");
}

/// What is left belongs to the modes that are named, pairs and nodes alike.
TEST(ChosenModes, have_what_they_had) {
  ModalBody body = test::modes_of({.elements = 3}, {1, 4}, 2);
  body.damping = body.stiffness;
  for (std::size_t k = 0; k < body.damping.size(); ++k) body.damping[k] = static_cast<double>(k);
  body.preload.assign(body.modes, 0.0);
  for (int j = 0; j < body.modes; ++j) body.preload[j] = 10 + j;
  body.loads = {body.preload};
  const ModalBody some = with_modes(body, {12, 3, 9});
  EXPECT_EQ(some.mode_id, (std::vector<int>{3, 9, 12}));
  EXPECT_EQ(some.nodes(), body.nodes());
  const std::vector<int> from{2, 8, 11};
  const int n = body.modes;
  for (int j = 0; j < 3; ++j) {
    EXPECT_EQ(some.frequency[j], body.frequency[from[j]]);
    EXPECT_EQ(some.loads[0][j], 10 + from[j]);
    EXPECT_EQ(some.invariants.I8[j].m[5], body.invariants.I8[from[j]].m[5]);
    for (int k = 0; k < 3; ++k) {
      EXPECT_EQ(some.damping[3 * j + k], n * from[j] + from[k]);
      EXPECT_EQ(some.invariants.I5[3 * j + k].y, body.invariants.I5[n * from[j] + from[k]].y);
    }
    for (int p = 0; p < body.nodes(); ++p)
      EXPECT_EQ(some.translation[3 * p + j].y, body.translation[n * p + from[j]].y);
  }
  EXPECT_THROW(with_modes(body, {99}), Failure);
}

}  // namespace
}  // namespace trammel::load_case_test
