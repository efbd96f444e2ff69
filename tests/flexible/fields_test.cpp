// Displacements and stresses of modes, added up to a static solution, against CalculiX's own.
#include "flexible/modal_fields.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "../support/calculix.h"
#include "../support/solid_bar.h"
#include "base/diagnostics.h"
#include "flexible/full_files.h"
#include "flexible/reduction.h"

namespace trammel::fields_test {
namespace {

using test::SolidBar;

/// Modal coordinates of the body whose first point is held and whose second has a load: least
/// ½ qᵀKq − f·u of all rigid motions and modes.
Eigen::VectorXd held_and_loaded(const ModalBody& body, const Vec3d& force) {
  const int m = body.modes, n = 6 + m;
  const auto rows = [&](int point) {
    Eigen::MatrixXd out = Eigen::MatrixXd::Zero(6, n);
    const int p = body.node(point);
    const Mat3d arm = skew(body.position[p]);
    for (int d = 0; d < 3; ++d) {
      out(d, d) = out(3 + d, 3 + d) = 1;
      for (int i = 0; i < 3; ++i) out(d, 3 + i) = -arm(d, i);
      for (int j = 0; j < m; ++j) {
        out(d, 6 + j) = body.translation[static_cast<std::size_t>(p) * m + j][d];
        out(3 + d, 6 + j) = body.rotation[static_cast<std::size_t>(p) * m + j][d];
      }
    }
    return out;
  };
  const Eigen::MatrixXd held = rows(1001);
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n + 6, n + 6);
  for (int j = 0; j < m; ++j) K(6 + j, 6 + j) = body.stiffness[static_cast<std::size_t>(j) * m + j];
  const double size = K.diagonal().maxCoeff();
  K.block(n, 0, 6, n) = size * held;
  K.block(0, n, n, 6) = size * held.transpose();
  Eigen::VectorXd f = Eigen::VectorXd::Zero(n + 6);
  f.head(n) = rows(1002).topRows(3).transpose() * Eigen::Vector3d(force.x, force.y, force.z);
  return K.fullPivLu().solve(f).segment(6, m);
}

/// The root held, equal forces on the nodes of the tip. The basis has the static shapes of the interface, so
/// displacements are exact; what is left are the five digits of CalculiX's file. (One percent is what one
/// would ask of stresses.)
TEST(Fields, add_up_to_the_stresses_of_CalculiX) {
  const SolidBar bar("C3D20R");
  const test::CalculixFolder calculix;
  calculix.run("s",
               bar.inp("*BOUNDARY\nROOT, 1, 3\n*STEP\n*STATIC\n*CLOAD\nTIP, 2, 100.\nTIP, 1, -300.\nTIP, 3, "
                       "50.\n*NODE FILE\nU\n*EL FILE\nS, E\n*END STEP\n"));
  calculix.run("m", bar.inp("*STEP\n*FREQUENCY, SOLVER=MATRIXSTORAGE\n1\n*END STEP\n"));
  const InputMesh mesh = read_inp(calculix.path("m.inp"));
  const FullModel model = read_calculix(calculix.path("m.inp"), mesh);
  ReductionOptions options;
  const std::vector<int> tip = mesh.set.at("TIP");
  Vec3d middle{};
  for (const int id : tip) middle += (1.0 / static_cast<double>(tip.size())) * mesh.node.at(id);
  options.spiders = {{1001, {0, 0, 0}, mesh.set.at("ROOT"), true}, {1002, middle, tip, false}};
  options.keep_shapes = true;
  const Reduction done = reduce(model, options);
  const ModalFields fields = modal_fields(mesh, model, done.shapes, done.body, nullptr);
  ASSERT_EQ(fields.nodes(), bar.nodes());
  ASSERT_EQ(fields.cells(), bar.elements());
  const auto loads = static_cast<double>(tip.size());
  const Eigen::VectorXd q = held_and_loaded(done.body, {-300 * loads, 100 * loads, 50 * loads});

  const auto compare = [&](const char* block, const std::vector<float>& field, double factor) {
    const std::vector<double> theirs = calculix.tensors("s", block, bar.nodes());
    double largest = 0, worst = 0;
    for (int p = 0; p < bar.nodes(); ++p)
      for (int c = 0; c < 6; ++c) {
        double ours = 0;
        for (int j = 0; j < fields.modes(); ++j)
          ours += field[(6 * static_cast<std::size_t>(p) + c) * fields.modes() + j] * q[j];
        largest = std::max(largest, std::abs(theirs[6 * p + c]));
        worst = std::max(worst, std::abs(factor * ours - theirs[6 * p + c]));
      }
    EXPECT_GT(largest, 0) << block;
    EXPECT_LT(worst, 1e-4 * largest) << block;
  };
  compare("STRESS", fields.stress, 1);
  compare("TOSTRAIN", fields.strain, 1);
}

class RefusedFields : public testing::Test {
 protected:
  std::string refusal() const {
    const SolidBar bar("C3D8");
    FullModel model;
    model.source = "bar.inp";
    for (const auto& [id, at] : mesh.node) {
      model.node_id.push_back(id);
      model.position.push_back(at);
      model.first.push_back(model.unknowns());
      for (unsigned char d = 0; d < 3; ++d) model.direction.push_back(d);
    }
    model.first.push_back(model.unknowns());
    ModalBody body;
    body.modes = 1;
    body.mode_id = {1};
    body.frequency = {1};
    try {
      modal_fields(mesh, model, std::vector<double>(model.direction.size()), body, nullptr);
    } catch (const Failure& failure) {
      return failure.what();
    }
    return "accepted";
  }
  RefusedFields() {
    mesh.node = {{1, {0, 0, 0}}, {2, {1, 0, 0}}, {3, {0, 1, 0}}, {4, {0, 0, 1}}};
    mesh.elements = {{"C3D4", solid_kind("C3D4"), {7}, {1, 2, 3, 4}}};
    mesh.element_set["E"] = {7};
    mesh.material["M"].elastic = Elasticity{1, 0.3};
    mesh.sections = {{"E", "M"}};
  }
  InputMesh mesh;
};

TEST_F(RefusedFields, say_what_is_missing) {
  EXPECT_EQ(refusal(), "accepted");
  mesh.elements[0].node[3] = 5;
  EXPECT_EQ(refusal(), "bar.inp: node 5 of element 7 has no unknowns in the matrices");
  mesh.elements[0].node = {1, 3, 2, 4};
  EXPECT_EQ(refusal(), "bar.inp: element 7 is flat or turned inside out");
  mesh.elements[0].node = {1, 2, 3, 4};
  mesh.material["M"].elastic.reset();
  EXPECT_EQ(
      refusal(),
      "bar.inp: material M of *SOLID SECTION, ELSET=E has no isotropic *ELASTIC, by which stresses follow");
  mesh.sections = {{"NONE", "M"}};
  EXPECT_EQ(refusal(), "bar.inp: *SOLID SECTION, ELSET=NONE: there is no such set of elements");
  mesh.sections.clear();
  EXPECT_EQ(refusal(), "bar.inp: element 7 is in no *SOLID SECTION");
  mesh.elements[0] = {"S4", nullptr, {}, {}};
  EXPECT_EQ(
      refusal(),
      "bar.inp: stresses of elements S4 are not known; they are of C3D4, C3D10, C3D6, C3D15, C3D8, C3D8R, "
      "C3D8I, C3D20, C3D20R");
  mesh.elements.clear();
  EXPECT_EQ(refusal(), "bar.inp: has no solid elements (*ELEMENT)");
}

}  // namespace
}  // namespace trammel::fields_test
