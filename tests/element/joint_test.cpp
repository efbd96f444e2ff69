// Joint types: at an assembled random pose the rows are independent, leave the documented freedoms, do no
// work on a common rigid motion.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <numbers>
#include <string>
#include <vector>

#include "../support/random.h"
#include "element/joint_types.h"
#include "math/rotation.h"

namespace trammel::joint_test {
namespace {

/// Motion of marker I while J stands: velocity of its origin and angular velocity, global axes.
struct Twist {
  Vec3d v, w;
};

using Matrix = std::vector<std::vector<double>>;

/// Rank by Gram-Schmidt with the largest remaining row first; rows of size ~1, threshold 1e-9.
int rank(Matrix rows) {
  int r = 0;
  std::vector<bool> used(rows.size());
  while (true) {
    int best = -1;
    double size = 1e-9;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      double n = 0;
      for (double x : rows[i]) n += x * x;
      if (!used[i] && std::sqrt(n) > size) {
        size = std::sqrt(n);
        best = static_cast<int>(i);
      }
    }
    if (best < 0) return r;
    used[best] = true;
    ++r;
    for (double& x : rows[best]) x /= size;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (used[i]) continue;
      double along = 0;
      for (std::size_t k = 0; k < rows[i].size(); ++k) along += rows[i][k] * rows[best][k];
      for (std::size_t k = 0; k < rows[i].size(); ++k) rows[i][k] -= along * rows[best][k];
    }
  }
}

/// What a type leaves free, as twists of I at an assembled pose; from the field table's help and the dataset
/// language's description of each type.
using Freedoms = std::function<std::vector<Twist>(const Pose<double>&, const Pose<double>&)>;

Twist turn(const Vec3d& axis) {
  return {{}, axis};
}
Twist slide(const Vec3d& axis) {
  return {axis, {}};
}
/// Turn about an axis through the origin of J.
Twist turn_about_j(const Pose<double>& I, const Pose<double>& J, const Vec3d& axis) {
  return {cross(axis, I.r - J.r), axis};
}

const std::map<std::string, Freedoms> freedoms = {
    {"REVOLUTE", [](auto&, auto& J) { return std::vector{turn(J.A.column(2))}; }},
    {"TRANSLATIONAL", [](auto&, auto& J) { return std::vector{slide(J.A.column(2))}; }},
    {"CYLINDRICAL",
     [](auto&, auto& J) {
       return std::vector{slide(J.A.column(2)), turn(J.A.column(2))};
     }},
    {"SPHERICAL",
     [](auto&, auto&) {
       return std::vector{turn({1, 0, 0}), turn({0, 1, 0}), turn({0, 0, 1})};
     }},
    {"UNIVERSAL",
     [](auto& I, auto& J) {
       return std::vector{turn(I.A.column(2)), turn(J.A.column(2))};
     }},
    {"HOOKE",
     [](auto& I, auto& J) {
       return std::vector{turn(I.A.column(0)), turn(J.A.column(1))};
     }},
    // The row x_I.y_J = y_I.x_J forbids relative rotation about z_I + z_J: bending about any axis of the
    // plane that bisects the shafts is free.
    {"CONVEL",
     [](auto& I, auto& J) {
       const Vec3d sum = I.A.column(2) + J.A.column(2), across = cross(I.A.column(2), J.A.column(2));
       return std::vector{turn(across), turn(cross(sum, across))};
     }},
    {"PLANAR",
     [](auto&, auto& J) {
       return std::vector{slide(J.A.column(0)), slide(J.A.column(1)), turn(J.A.column(2))};
     }},
    {"FIXED", [](auto&, auto&) { return std::vector<Twist>{}; }},
    {"SCREW",
     [](auto& I, auto& J) {  // with parallel axes: one turn advances by the pitch; everything else is free
       return std::vector{Twist{0.7 * J.A.column(2), J.A.column(2)}, slide(J.A.column(0)),
                          slide(J.A.column(1)), turn_about_j(I, J, J.A.column(0)),
                          turn_about_j(I, J, J.A.column(1))};
     }},
    {"RACKPIN",
     [](auto& I, auto& J) {  // spin θ about z_I moves the rack by PD/2 θ, so I against the rack by −PD/2 θ
       const Vec3d w = J.A.column(2), z = I.A.column(2);
       return std::vector{Twist{-0.35 * w, z}, slide(J.A.column(0)), slide(J.A.column(1))};
     }},
    {"ATPOINT",
     [](auto&, auto&) {
       return std::vector{turn({1, 0, 0}), turn({0, 1, 0}), turn({0, 0, 1})};
     }},
    {"INLINE",
     [](auto&, auto& J) {
       return std::vector{slide(J.A.column(2)), turn({1, 0, 0}), turn({0, 1, 0}), turn({0, 0, 1})};
     }},
    {"INPLANE",
     [](auto&, auto& J) {
       return std::vector{slide(J.A.column(0)), slide(J.A.column(1)), turn({1, 0, 0}), turn({0, 1, 0}),
                          turn({0, 0, 1})};
     }},
    {"ORIENTATION",
     [](auto&, auto&) {
       return std::vector{slide({1, 0, 0}), slide({0, 1, 0}), slide({0, 0, 1})};
     }},
    {"PARALLEL_AXES",
     [](auto&, auto& J) {
       return std::vector{slide({1, 0, 0}), slide({0, 1, 0}), slide({0, 0, 1}), turn(J.A.column(2))};
     }},
    {"PERPENDICULAR",
     [](auto& I, auto& J) {
       return std::vector{slide({1, 0, 0}), slide({0, 1, 0}), slide({0, 0, 1}), turn(I.A.column(2)),
                          turn(J.A.column(2))};
     }},
};

/// A random pose that satisfies the rows: random start, then Gauss-Newton on I (least norm, dense 6x6 normal
/// equations by Gaussian elimination).
class Assembled {
 public:
  Assembled(const JointType& type, test::Random& random) {
    for (int k = 0; k < type.rows; ++k) {
      rows.push_back(type.row[k].row);
      if (rows.back().kind == RowKind::screw) rows.back().parameter = 0.7 * 2 * std::numbers::pi;
      if (rows.back().kind == RowKind::rack) rows.back().parameter = 0.35;
    }
    const bool coupling = type.rows == 1 && (rows[0].kind == RowKind::screw || rows[0].kind == RowKind::rack);
    J = {random.vector(), random.rotation()};
    if (coupling) {  // used with a joint that holds the axes: parallel for the screw, at right angles for the
                     // rack
      const bool screw = rows[0].kind == RowKind::screw;
      const Mat3d axes = screw ? Mat3d::identity() : Mat3d::from_columns({0, 0, 1}, {1, 0, 0}, {0, 1, 0});
      I = {J.r + random.uniform(-1, 1) * J.A.column(2), J.A * axes * rotation_z(random.uniform(-1, 1))};
      return;
    }
    // Within 60° of the assembled side, so that z axes come out parallel and not opposite.
    I = {J.r + random.vector(), J.A * test::exponential(random.vector(0.6))};
    for (int n = 0; n < 100 && violation() > 1e-14; ++n) correct();
  }
  double violation() const {
    double v = 0;
    for (const ConstraintRow& row : rows) v = std::fmax(v, std::fabs(row_value(row, I, J)));
    return v;
  }
  /// Gradients with respect to I, and to both.
  Matrix jacobian(bool both) const {
    Matrix m;
    for (const ConstraintRow& row : rows) {
      const RowGradient<double> g = row_gradient(row, I, J);
      std::vector<double> line;
      for (const Vec3d* p : {&g.fi, &g.ti, &g.fj, &g.tj})
        for (int k = 0; k < 3 && (both || line.size() < 6); ++k) line.push_back((*p)[k]);
      m.push_back(line);
    }
    return m;
  }

  std::vector<ConstraintRow> rows;
  Pose<double> I, J;

 private:
  /// d = -Gᵀ (G Gᵀ)⁻¹ φ
  void correct() {
    const Matrix g = jacobian(false);
    const int n = static_cast<int>(g.size());
    Matrix a(n, std::vector<double>(n + 1));
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < 6; ++k) a[i][j] += g[i][k] * g[j][k];
      a[i][n] = -row_value(rows[i], I, J);
    }
    for (int p = 0; p < n; ++p) {
      int best = p;
      for (int i = p; i < n; ++i)
        if (std::fabs(a[i][p]) > std::fabs(a[best][p])) best = i;
      std::swap(a[p], a[best]);
      for (int i = 0; i < n; ++i) {
        if (i == p) continue;
        const double f = a[i][p] / a[p][p];
        for (int j = p; j <= n; ++j) a[i][j] -= f * a[p][j];
      }
    }
    double d[6] = {};
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < 6; ++k) d[k] += g[i][k] * a[i][n] / a[i][i];
    I.r += Vec3d{d[0], d[1], d[2]};
    I.A = orthonormalized(test::exponential({d[3], d[4], d[5]}) * I.A);
  }
};

class JointTypes : public ::testing::TestWithParam<const JointType*> {};

TEST_P(JointTypes, rows_are_independent_at_an_assembled_pose) {
  test::Random random(21);
  for (int n = 0; n < 20; ++n) {
    const Assembled pose(*GetParam(), random);
    if (pose.rows.size() > 1) {
      ASSERT_LT(pose.violation(), 1e-13);
    }
    EXPECT_EQ(rank(pose.jacobian(true)), GetParam()->rows);
    EXPECT_EQ(rank(pose.jacobian(false)), GetParam()->rows);
  }
}

TEST_P(JointTypes, the_documented_motions_are_free_and_no_others) {
  test::Random random(22);
  const std::string name(GetParam()->name);
  ASSERT_TRUE(freedoms.count(name)) << "no description of " << name;
  for (int n = 0; n < 20; ++n) {
    const Assembled pose(*GetParam(), random);
    const std::vector<Twist> free = freedoms.at(name)(pose.I, pose.J);
    Matrix motions;
    for (const Twist& t : free) motions.push_back({t.v.x, t.v.y, t.v.z, t.w.x, t.w.y, t.w.z});
    for (const std::vector<double>& g : pose.jacobian(false))
      for (const std::vector<double>& m : motions) {
        double rate = 0;
        for (int k = 0; k < 6; ++k) rate += g[k] * m[k];
        EXPECT_NEAR(rate, 0, 1e-12);  // assembled to 1e-14
      }
    if (name == "RACKPIN") continue;  // the other two freedoms depend on where the pinion is held
    EXPECT_EQ(rank(motions), 6 - GetParam()->rows);
  }
}

TEST_P(JointTypes, reactions_do_no_work_on_a_common_rigid_motion) {
  test::Random random(23);
  for (int n = 0; n < 20; ++n) {
    const Assembled pose(*GetParam(), random);
    const Vec3d v = random.vector(), w = random.vector();
    for (const ConstraintRow& row : pose.rows) {
      const double lambda = random.uniform(-5, 5);
      const RowGradient<double> g = row_gradient(row, pose.I, pose.J);
      // F = −λ f, T = −λ t; both markers move as one rigid body
      const double power = -lambda * (dot(g.fi, v + cross(w, pose.I.r)) + dot(g.ti, w) +
                                      dot(g.fj, v + cross(w, pose.J.r)) + dot(g.tj, w));
      EXPECT_NEAR(power, 0, 2e-13);
    }
  }
}

TEST_P(JointTypes, finds_itself_by_name) {
  EXPECT_EQ(find_joint_type(GetParam()->statement, GetParam()->name), GetParam());
  EXPECT_EQ(find_joint_type("PART", GetParam()->name), nullptr);
}

std::vector<const JointType*> types() {
  std::vector<const JointType*> list;
  for (const JointType& type : joint_types) list.push_back(&type);
  return list;
}

INSTANTIATE_TEST_SUITE_P(all, JointTypes, testing::ValuesIn(types()), [](const auto& type) {
  return std::string(type.param->statement) + "_" + std::string(type.param->name);
});

/// With both z axes pointing away from the joint the spins about them are equal and opposite, in line and
/// bent: the shafts turn alike.
TEST(JointTypes, convel_with_axes_pointing_away_has_opposite_spins) {
  const ConstraintRow row{RowKind::constant_velocity, 0, 0, 1};
  for (double bend : {0.0, 0.3, 0.8}) {
    const Pose<double> I{{}, Mat3d::identity()},
        J{{}, rotation_x(std::numbers::pi - bend)};  // x axes parallel
    const RowGradient<double> g = row_gradient(row, I, J);
    EXPECT_GT(norm(g.ti), 0.5) << bend;
    const double rate = dot(g.ti, I.A.column(2)) + dot(g.tj, -J.A.column(2));  // spins 1 and −1
    EXPECT_NEAR(rate, 0, 1e-15) << bend;
  }
}

/// Numbers of equations of the dataset language.
TEST(JointTypes, equations_of_each_type) {
  const std::map<std::string, int> expected = {
      {"REVOLUTE", 5},      {"TRANSLATIONAL", 5}, {"CYLINDRICAL", 4}, {"SPHERICAL", 3}, {"UNIVERSAL", 4},
      {"HOOKE", 4},         {"CONVEL", 4},        {"PLANAR", 3},      {"FIXED", 6},     {"RACKPIN", 1},
      {"SCREW", 1},         {"ATPOINT", 3},       {"INLINE", 2},      {"INPLANE", 1},   {"ORIENTATION", 3},
      {"PARALLEL_AXES", 2}, {"PERPENDICULAR", 1}};
  EXPECT_EQ(std::size(joint_types), expected.size());
  for (const JointType& type : joint_types)
    EXPECT_EQ(type.rows, expected.at(std::string(type.name))) << type.name;
}

}  // namespace
}  // namespace trammel::joint_test
