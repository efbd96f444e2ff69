// Finite-element models in files: CalculiX itself, matrices by nodes, and what is wrong with them.
#include "flexible/full_files.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

#include "../support/beam_body.h"
#include "../support/block_mesh.h"
#include "../support/calculix.h"
#include "base/diagnostics.h"
#include "flexible/reduction.h"

namespace trammel::full_files_test {
namespace {

using test::Block;

class FullFiles : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path(name); }
  void write(const std::string& name, const std::string& text) const { folder_.write(name, text); }
  std::string calculix(const std::string& name, const std::string& inp) const {
    return folder_.run(name, inp);
  }
  std::string refusal() const {
    try {
      const std::string inp = path("m.inp");
      read_calculix(inp, read_inp(inp));
    } catch (const Failure& failure) {
      const std::string text = failure.what(), folder = folder_.path();
      return text.starts_with(folder) ? text.substr(folder.size()) : text;
    }
    return "accepted";
  }
  test::CalculixFolder folder_;
};

/// A model of C3D8 with other elements of eight nodes.
std::string of(const std::string& element, std::string inp) {
  return inp.replace(inp.find("C3D8"), 4, element);
}

constexpr const char* store = "*STEP\n*FREQUENCY, SOLVER=MATRIXSTORAGE\n1\n*END STEP\n";

Block small_block() {
  Block block;
  block.nx = 8, block.size = {0.5, 0.06, 0.04};
  return block;
}

/// Cycles per time of the table of eigenvalues in a .dat file.
std::vector<double> frequencies(const std::string& dat) {
  std::istringstream lines(dat);
  std::vector<double> out;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    int mode;
    double square, radians, cycles;
    if (words >> mode >> square >> radians >> cycles && mode == static_cast<int>(out.size()) + 1)
      out.push_back(cycles);
  }
  return out;
}

/// CalculiX's element C3D8 is the one of the tests (trilinear, 2 × 2 × 2 points) up to how its shear is
/// integrated: mass is the same, frequencies are held against its own.
TEST_F(FullFiles, of_CalculiX_have_its_frequencies) {
  const Block block = small_block();
  calculix("m", block.inp(store));
  const FullModel model = read_calculix(path("m.inp"), read_inp(path("m.inp")));
  EXPECT_EQ(model.unknowns(), 3 * block.nodes());
  const std::string dat = calculix("f", block.inp("*STEP\n*FREQUENCY\n16\n*END STEP\n"));
  const std::vector<double> frequency = frequencies(dat);
  ASSERT_EQ(frequency.size(), 16u) << dat;
  ReductionOptions options;
  options.spiders = {{1001, {0, 0, 0}, block.face(0), false}, {1002, {0.5, 0, 0}, block.face(8), false}};
  const ModalBody body = reduce(model, options).body;
  for (std::size_t k = 0; k < 10; ++k) EXPECT_NEAR(body.frequency[k] / frequency[6 + k], 1, 1e-3) << k;
  EXPECT_NEAR(body.invariants.mass, block.mass(), 1e-12 * block.mass());
}

/// C3D8I has nine unknowns of its own per element, which are taken out: CalculiX keeps them, with their mass.
TEST_F(FullFiles, of_elements_with_unknowns_of_their_own_have_CalculiX_s_frequencies) {
  Block block = small_block();
  block.nx = 40;
  calculix("m", of("C3D8I", block.inp(store)));
  const FullModel model = read_calculix(path("m.inp"), read_inp(path("m.inp")));
  EXPECT_EQ(model.unknowns(), 3 * block.nodes());
  const std::vector<double> frequency =
      frequencies(calculix("f", of("C3D8I", block.inp("*STEP\n*FREQUENCY\n16\n*END STEP\n"))));
  ASSERT_EQ(frequency.size(), 16u);
  ReductionOptions options;
  options.modes = 10;
  const ModalBody body = reduce(model, options).body;
  const ModalBody locked = reduce(block.model(), options).body;
  // What the own unknowns would do by their inertia is left out: some (ω/ω_i)² of their frequencies ω_i.
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(body.frequency[k] / frequency[6 + k], 1, 1e-3) << k;
  EXPECT_GT(locked.frequency[0], 1.03 * body.frequency[0]);  // the same mesh without these unknowns
  EXPECT_NEAR(body.invariants.mass, block.mass(), 1e-12 * block.mass());
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(body.invariants.I7(k, k), locked.invariants.I7(k, k), 1e-9 * locked.invariants.I7(k, k)) << k;
}

/// A face held, a force on the other: displacements of CalculiX have seven digits.
TEST_F(FullFiles, of_CalculiX_have_its_static_solution) {
  for (const std::string element : {"C3D8", "C3D8I"}) {
    const Block block = small_block();
    calculix("m", of(element, block.inp(store)));
    const InputMesh mesh = read_inp(path("m.inp"));
    ASSERT_EQ(mesh.set.at("END1"), block.face(8));
    std::string step = "*BOUNDARY\nEND0, 1, 3\n*STEP\n*STATIC\n*CLOAD\n";
    for (const int id : block.face(8)) step += fmt::format("{}, 3, 100.\n{}, 1, -30.\n", id, id);
    const std::string dat =
        calculix("s", of(element, block.inp(step + "*NODE PRINT, NSET=END1\nU\n*END STEP\n")));
    ReductionOptions options;
    options.interface_nodes = mesh.set.at("END0");
    options.spiders = {{1002, {0.5, 0, 0}, block.face(8), false}};
    options.nodes = block.face(8);
    const ModalBody body = reduce(read_calculix(path("m.inp"), mesh), options).body;
    // The modes and rigid motions under the load, the face held by multipliers.
    const auto n = 6 + body.modes;
    const auto displacement = [&](int id) {
      Eigen::MatrixXd out = Eigen::MatrixXd::Zero(3, n);
      const int p = body.node(id);
      const Mat3d arm = skew(body.position[p]);
      for (int d = 0; d < 3; ++d) {
        out(d, d) = 1;
        for (int i = 0; i < 3; ++i) out(d, 3 + i) = -arm(d, i);
        for (int j = 0; j < body.modes; ++j)
          out(d, 6 + j) = body.translation[static_cast<std::size_t>(p) * body.modes + j][d];
      }
      return out;
    };
    const int m = 3 * static_cast<int>(options.interface_nodes.size());
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n + m, n + m);
    for (int j = 0; j < body.modes; ++j)
      K(6 + j, 6 + j) = body.stiffness[static_cast<std::size_t>(j) * body.modes + j];
    const double size = K.diagonal().maxCoeff();
    Eigen::VectorXd f = Eigen::VectorXd::Zero(n + m);
    for (int k = 0; k < m / 3; ++k) {
      const Eigen::MatrixXd held = size * displacement(options.interface_nodes[k]);
      K.block(n + 3 * k, 0, 3, n) = held;
      K.block(0, n + 3 * k, n, 3) = held.transpose();
    }
    for (const int id : block.face(8))
      f.head(n) += displacement(id).transpose() * Eigen::Vector3d(-30, 0, 100);
    const Eigen::VectorXd q = K.fullPivLu().solve(f).head(n);
    std::istringstream lines(dat);
    int compared = 0;
    double largest = 0, worst = 0;
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      int id;
      Eigen::Vector3d u;
      if (!(words >> id >> u[0] >> u[1] >> u[2])) continue;
      worst = std::max(worst, (displacement(id) * q - u).norm());
      largest = std::max(largest, u.norm());
      ++compared;
    }
    EXPECT_EQ(compared, block.layer()) << dat;
    EXPECT_LT(worst, 1e-6 * largest) << element;
  }
}

TEST_F(FullFiles, by_nodes_are_the_same_model) {
  const Block block = small_block();
  const FullModel model = block.model();
  write("m.inp", block.inp(""));
  write("K.mtx", "** stiffness\n" + test::node_matrix(model, model.stiffness));
  write("M.mtx", test::node_matrix(model, model.mass));
  const FullModel read =
      read_node_matrices(path("m.inp"), read_inp(path("m.inp")), path("K.mtx"), path("M.mtx"));
  EXPECT_EQ(read.pattern.row, model.pattern.row);
  EXPECT_EQ(read.stiffness, model.stiffness);
  EXPECT_EQ(read.mass, model.mass);
  EXPECT_EQ(read.node_id, model.node_id);
}

TEST_F(FullFiles, of_nodes_have_sets_and_others_included) {
  write("m.inp",
        "*HEADING\nanything, 1\n*NODE, NSET=All\n 1, 0., 1D-1, 2.\n**comment\n5, 1.5\n*INCLUDE, "
        "INPUT=more.inp\n"
        "*NSET, NSET=few, GENERATE\n2, 8, 3\n*NSET,NSET=both\nALL, 7\n");
  write("more.inp", "*NODE\n7, 3., 2., 1.\n");
  const InputMesh mesh = read_inp(path("m.inp"));
  ASSERT_EQ(mesh.node.size(), 3u);
  EXPECT_EQ(mesh.node.at(1).y, 0.1);
  EXPECT_EQ(mesh.node.at(5).x, 1.5);
  EXPECT_EQ(mesh.node.at(5).z, 0);
  EXPECT_EQ(mesh.node.at(7).z, 1);
  EXPECT_EQ(mesh.set.at("ALL"), (std::vector<int>{1, 5}));
  EXPECT_EQ(mesh.set.at("FEW"), (std::vector<int>{2, 5, 8}));
  EXPECT_EQ(mesh.set.at("BOTH"), (std::vector<int>{1, 5, 7}));
}

TEST_F(FullFiles, refusals) {
  EXPECT_NE(refusal().find("m.inp cannot be read"), std::string::npos);
  write("m.inp", "*NODE\n1, 0, x, 0\n");
  EXPECT_EQ(refusal(), "m.inp:2: 'x' is no coordinate of node 1");
  write("m.inp", "*NODE\none, 0, 0, 0\n");
  EXPECT_EQ(refusal(), "m.inp:2: the number of a node is expected, found 'one'");
  write("m.inp", "*NSET, NSET=A, GENERATE\n5, 2\n");
  EXPECT_EQ(refusal(), "m.inp:2: no set goes from 5 to 2");
  write("m.inp", "*NSET, NSET=A, GENERATE\n5\n");
  EXPECT_EQ(refusal(), "m.inp:2: first, last and increment of a set are expected, found '5'");
  write("m.inp", "*INCLUDE, INPUT=m.inp\n");
  EXPECT_EQ(refusal(), "m.inp:1: *INCLUDE within ten others");
  write("m.inp", "*NODE\n1,0,0,0\n*Boundary\n1,1,3\n");
  EXPECT_EQ(refusal(),
            "m.inp:3: *BOUNDARY holds nodes against ground; a flexible body is free, so take it out");
  write("m.inp", "*EQUATION\n2\n");
  EXPECT_EQ(
      refusal(),
      "m.inp:1: *EQUATION makes unknowns depend on others, which the matrices do not show; tie nodes by "
      "--rigid or --averaged here");
  write("m.inp", "*NODE\n1,0,0,0\n");
  const std::string missing = refusal();
  EXPECT_TRUE(missing.starts_with("m.dof is missing. CalculiX makes it: end ")) << missing;
  EXPECT_TRUE(missing.ends_with("and run 'ccx m'")) << missing;
  write("m.dof", "1.1\n1.2\n");
  write("m.sti", "1 1 2.0\n1 2 0.5\n2 2 2.0\n");
  write("m.mas", "1 1 1.0\n2 2 1.0\n");
  EXPECT_EQ(refusal(), "accepted");
  write("m.sti", "1 1 2.0\n1 3 0.5\n");
  EXPECT_EQ(refusal(), "m.sti:2: a column is 3; 1 to 2 is possible");
  write("m.sti", "1 1 2.0\n\n1 2 much\n");
  EXPECT_EQ(refusal(), "m.sti:3: a value is expected, found 'much'");
  write("m.sti", "1 1 2.0\n1 2 0.5\n2 1 0.75\n2 2 2\n");
  EXPECT_EQ(
      refusal(),
      "m.inp: the entry of nodes 1 and 1, directions 2 and 1, stands twice, with 0.5 and 0.75: the matrix "
      "is not symmetric");
  write("m.dof", "1.1\n1.7\n");
  EXPECT_EQ(refusal(), "m.dof:2: a direction is 7; 1 to 6 is possible");
  write("m.dof", "1.1\n12\n");
  EXPECT_EQ(refusal(), "m.dof:2: node.direction is expected, found '12'");
  write("m.dof", "1.1\n1.1\n");
  EXPECT_EQ(refusal(), "m.inp: direction 1 of node 1 stands twice among the unknowns");
  write("m.dof", "1.1\n2.1\n");
  EXPECT_EQ(
      refusal(),
      "m.inp: node 2 of the matrices is not among its nodes. CalculiX makes nodes of its own for shells and "
      "beams: model them with solids");
  write("m.dof", "1.1\n1.2\n");
  write("m.sti", "\n");
  EXPECT_EQ(refusal(),
            "m.inp: its matrix of stiffness has no entries; its file was cut off, or the step that writes it "
            "failed");
  write("m.dof", "");
  EXPECT_EQ(refusal(), "m.inp: its matrices have no unknowns");
}

}  // namespace
}  // namespace trammel::full_files_test
