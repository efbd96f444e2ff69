// Constraint rows: gradients and second derivatives of every kind, joint types, work balance.
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <numbers>
#include <vector>

#include "../support/random.h"
#include "../support/variation.h"
#include "element/constraint_row.h"
#include "element/joint_types.h"
#include "math/rotation.h"

namespace trammel::row_test {
namespace {

using test::derivative;
constexpr double pi = std::numbers::pi;

using test::moved, test::numbers, test::Variation;

Variation unit(int k) {
  Variation v{};
  v[k] = 1;
  return v;
}

/// Every row that the enumeration and its axes allow.
std::vector<ConstraintRow> all_rows() {
  std::vector<ConstraintRow> rows;
  for (int kind = 0; kind <= static_cast<int>(RowKind::b3); ++kind) {
    const RowKind k = static_cast<RowKind>(kind);
    if (row_is_curve({k})) continue;  // curve_test.cpp
    const bool i = k == RowKind::dot, j = i || k == RowKind::separation || k == RowKind::separation_global;
    for (int a = 0; a < (i ? 3 : 1); ++a)
      for (int b = 0; b < (j ? 3 : 1); ++b) {
        ConstraintRow row{k, static_cast<signed char>(a), static_cast<signed char>(b), 0.0};
        if (k == RowKind::screw || k == RowKind::rack) row.parameter = 0.7;
        rows.push_back(row);
      }
  }
  return rows;
}

/// Poses away from the places where an angle row has no value (its axis along the line of sight).
void random_poses(test::Random& random, Pose<double>& I, Pose<double>& J) {
  while (true) {
    I = {random.vector(), random.rotation()};
    J = {random.vector(), random.rotation()};
    const Mat3d r = transpose(J.A) * I.A;
    const auto far = [](double x, double y) { return std::hypot(x, y) > 0.4; };
    if (far(r(1, 0), r(0, 0)) && far(r(1, 2), r(2, 2)) && far(r(0, 1), r(0, 0)) && far(r(2, 0), r(2, 1)) &&
        std::fabs(r(0, 2)) < 0.9)
      return;
  }
}

class Rows : public ::testing::Test {
 protected:
  template <class F>
  void each(const F& check) {
    test::Random random(11);
    for (const ConstraintRow& row : all_rows())
      for (int n = 0; n < 10; ++n) {
        random_poses(random, I, J);
        SCOPED_TRACE(testing::Message() << "kind " << static_cast<int>(row.kind) << " axes " << int(row.i)
                                        << int(row.j) << " pose " << n);
        check(row);
      }
  }
  Pose<double> I, J;
};

/// Fourth-order differences at h = 1e-3 of functions whose fifth derivative is below ~1e5 at 0.4 from a
/// singular place: 1e-12/30 * 1e5 = 3e-9.
constexpr double tolerance = 1e-8;

TEST_F(Rows, gradient_is_the_derivative_of_the_value) {
  each([&](const ConstraintRow& row) {
    const Variation g = numbers(row_gradient(row, I, J));
    const double here = row_value(row, I, J);
    for (int k = 0; k < 12; ++k) {
      const Variation d = unit(k);
      const double expected = derivative([&](double h) {
        return row_value(row, moved(I, &d[0], h), moved(J, &d[6], h), row_has_angle(row) ? here : 0.0);
      });
      // `last` keeps the angle continuous; screw and rack take the angle itself, not their value, as last.
      const double slack = row.kind == RowKind::screw || row.kind == RowKind::rack ? 0 : tolerance;
      if (slack > 0) {
        EXPECT_NEAR(g[k], expected, slack) << k;
        continue;
      }
      const auto angle_free = [&](double h) {
        const double jump = row_value(row, moved(I, &d[0], h), moved(J, &d[6], h)) - row_value(row, I, J);
        const double turn = row.kind == RowKind::screw ? row.parameter : 2 * pi * row.parameter;
        return jump - turn * std::round(jump / turn);
      };
      EXPECT_NEAR(g[k], derivative(angle_free), tolerance) << k;
    }
  });
}

TEST_F(Rows, hessian_is_the_derivative_of_the_gradient) {
  each([&](const ConstraintRow& row) {
    double h[12][12] = {};
    row_hessian(row, I, J, -1.7, h);
    for (int c = 0; c < 12; ++c) {
      const Variation d = unit(c);
      for (int r = 0; r < 12; ++r) {
        const double expected = derivative(
            [&](double s) { return numbers(row_gradient(row, moved(I, &d[0], s), moved(J, &d[6], s)))[r]; });
        EXPECT_NEAR(h[r][c], -1.7 * expected, tolerance) << r << " " << c;
      }
    }
  });
}

/// Second derivatives by dual numbers through row_gradient: what a row without a closed form gets.
void dual_hessian(const ConstraintRow& row, const Pose<double>& I, const Pose<double>& J,
                  double (&h)[12][12]) {
  using D = Dual<double, 12>;
  Pose<D> p[2];
  const Pose<double>* in[2] = {&I, &J};
  for (int m = 0; m < 2; ++m)
    for (int k = 0; k < 3; ++k) {
      p[m].r[k] = D::variable(in[m]->r[k], 6 * m + k);
      Vec3d axis{};
      axis[k] = 1;
      for (int column = 0; column < 3; ++column) {
        const Vec3d turned = cross(axis, in[m]->A.column(column));
        for (int r = 0; r < 3; ++r) {
          p[m].A(r, column).v = in[m]->A(r, column);
          p[m].A(r, column).d[6 * m + 3 + k] = turned[r];
        }
      }
    }
  const RowGradient<D> g = row_gradient(row, p[0], p[1]);
  const Vec3<D>* part[4] = {&g.fi, &g.ti, &g.fj, &g.tj};
  for (int b = 0; b < 4; ++b)
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 12; ++c) h[3 * b + r][c] = (*part[b])[r].d[c];
}

TEST_F(Rows, closed_forms_of_the_hessian_agree_with_dual_numbers) {
  each([&](const ConstraintRow& row) {
    double closed[12][12] = {}, dual[12][12] = {};
    row_hessian(row, I, J, 1.0, closed);
    dual_hessian(row, I, J, dual);
    for (int r = 0; r < 12; ++r)
      for (int c = 0; c < 12; ++c)
        EXPECT_NEAR(closed[r][c], dual[r][c], 1e-13) << r << " " << c;  // sums of a few products: rounding
  });
}

/// A pose in motion, as numbers with two derivatives in time: Ȧ = ω̃ A, Ä = (α̃ + ω̃ω̃) A.
using Jet = Dual<Dual<double, 1>, 1>;
Pose<Jet> along_motion(const MarkerKinematics<double>& k) {
  const auto jet = [](double value, double first, double second) {
    Jet j;
    j.v.v = value;
    j.v.d[0] = j.d[0].v = first;
    j.d[0].d[0] = second;
    return j;
  };
  Pose<Jet> out;
  for (int i = 0; i < 3; ++i) out.r[i] = jet(k.r[i], k.v[i], k.a[i]);
  for (int column = 0; column < 3; ++column) {
    const Vec3d u = k.A.column(column), rate = cross(k.w, u), second = cross(k.alpha, u) + cross(k.w, rate);
    for (int i = 0; i < 3; ++i) out.A(i, column) = jet(u[i], rate[i], second[i]);
  }
  return out;
}

TEST_F(Rows, closed_forms_of_the_rates_agree_with_dual_numbers) {
  test::Random random(12);
  int closed = 0;
  each([&](ConstraintRow row) {
    for (const double parameter : {0.7, -0.7}) {
      row.parameter = parameter;
      MarkerKinematics<double> i, j;
      static_cast<Pose<double>&>(i) = I;
      static_cast<Pose<double>&>(j) = J;
      for (auto* m : {&i, &j})
        for (Vec3d* x : {&m->v, &m->w, &m->a, &m->alpha}) *x = random.vector();
      const Jet phi = row_value(row, along_motion(i), along_motion(j));
      RowRates rate{1, 2};  // to which it adds
      if (!add_closed_rates(row, i, j, rate)) continue;
      ++closed;
      EXPECT_NEAR(rate.first - 1, phi.d[0].v, 1e-13);  // sums of a few products: rounding
      EXPECT_NEAR(rate.second - 2, phi.d[0].d[0], 1e-13);
    }
  });
  EXPECT_EQ(closed, 20 * (3 + 3 + 9 + 1));  // separations, products of axes, constant velocity
}

TEST_F(Rows, hessian_adds_to_what_is_there_and_scales_with_the_weight) {
  each([&](const ConstraintRow& row) {
    double once[12][12] = {}, twice[12][12] = {};
    row_hessian(row, I, J, 1.0, once);
    row_hessian(row, I, J, 0.25, twice);
    row_hessian(row, I, J, 1.75, twice);
    for (int r = 0; r < 12; ++r)
      for (int c = 0; c < 12; ++c) EXPECT_NEAR(twice[r][c], 2 * once[r][c], 1e-13);
  });
}

TEST_F(Rows, the_flags_say_what_a_row_depends_on) {
  each([&](const ConstraintRow& row) {
    const Variation g = numbers(row_gradient(row, I, J));
    double h[12][12] = {};
    row_hessian(row, I, J, 1.0, h);
    double translation = 0, second = 0;
    for (int k = 0; k < 3; ++k) translation += std::fabs(g[k]) + std::fabs(g[6 + k]);
    for (auto& line : h)
      for (double x : line) second += std::fabs(x);
    EXPECT_EQ(row_is_rotational(row), translation == 0);
    EXPECT_EQ(row_is_linear(row), second == 0);
  });
}

TEST(RowValues, closed_forms_at_simple_poses) {
  const Pose<double> ground{{1, 2, 3}, Mat3d::identity()};
  const auto at = [&](const Vec3d& d, const Mat3d& A) { return Pose<double>{ground.r + d, A}; };
  for (double angle : {-3.0, -1.0, 0.2, 2.9}) {
    const Pose<double> turned = at({0, 0, 0.5}, rotation_z(angle));
    EXPECT_NEAR(row_value({RowKind::angle_z}, turned, ground), angle, 1e-15);
    // counted from the last value
    EXPECT_NEAR(row_value({RowKind::angle_z}, turned, ground, angle + 6.1 * pi), angle + 6 * pi, 1e-14);
    // SCREW, pitch p: dz - p angle/2π
    EXPECT_NEAR(row_value({RowKind::screw, 0, 0, 0.3}, turned, ground), 0.5 - 0.3 * angle / (2 * pi), 1e-15);
    // RACKPIN: pinion axis z of I is global -y, rack along global z: dz + PD/2 * spin
    const Mat3d pinion = Mat3d::from_columns({0, 0, 1}, {1, 0, 0}, {0, 1, 0}) * rotation_z(angle);
    EXPECT_NEAR(row_value({RowKind::rack, 0, 0, 0.25}, at({0, 0, 0.5}, pinion), ground), 0.5 + 0.25 * angle,
                1e-15);
  }
  // 1-2-3 angles
  for (double b1 : {-2.0, 0.4})
    for (double b2 : {-1.2, 0.3})
      for (double b3 : {-0.7, 2.2}) {
        const Mat3d ry{{std::cos(b2), 0, std::sin(b2), 0, 1, 0, -std::sin(b2), 0, std::cos(b2)}};
        const Pose<double> I = at({}, rotation_x(b1) * ry * rotation_z(b3));
        EXPECT_NEAR(row_value({RowKind::b1}, I, ground), b1, 1e-15);
        EXPECT_NEAR(row_value({RowKind::b2}, I, ground), b2, 1e-15);
        EXPECT_NEAR(row_value({RowKind::b3}, I, ground), b3, 1e-15);
      }
  const Pose<double> I = at({0.1, 0.2, 0.3}, Mat3d::identity());
  for (signed char k = 0; k < 3; ++k) {
    EXPECT_NEAR(row_value({RowKind::separation_global, 0, k}, I, ground), 0.1 * (k + 1), 1e-15);
    // J turned by 90° about z: its x is global y, its y is global -x
    const Pose<double> J{ground.r, rotation_z(pi / 2)};
    const double expected[3] = {0.2, -0.1, 0.3};
    EXPECT_NEAR(row_value({RowKind::separation, 0, k}, I, J), expected[k], 1e-15);
  }
}

}  // namespace
}  // namespace trammel::row_test
