// Residual, constraints, weights and energies against independent formulations.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "random_model.h"

namespace trammel::dynamics_test {
namespace {

/// f(element, number of its wrench, I, J) for every pair of markers that elements put wrenches on.
template <class F>
void for_pairs(const Model& model, F f) {
  int ends = 0, I = 0;
  model.for_wrench_tables([&](const auto& table) {
    for (const auto& e : table)
      e.for_ends([&](int marker) {
        if (ends++ % 2 == 0)
          I = marker;
        else
          f(e, ends / 2 - 1, I, marker);
      });
  });
}

using namespace test;

/// Two chains with holonomic, velocity-level and driven rows.
const char* constrained = R"(JOINT/1, REVOLUTE, I = 22, J = 12
JOINT/2, CYLINDRICAL, I = 23, J = 32
JOINT/3, CONVEL, I = 42, J = 33
JPRIM/4, INPLANE, I = 51, J = 33
JPRIM/5, PERPENDICULAR, I = 43, J = 22
MOTION/1, JOINT = 1, FUNCTION = 0.3*SIN(2*TIME)
MOTION/2, JOINT = 2, TRANSLATION, VELOCITY, FUNCTION = 0.2+0.3*TIME
MOTION/3, I = 43, J = 12, B3, ACCELERATION, FUNCTION = 0.7
GCON/1, FUNCTION = DX(42,32,22)*DY(22,12)-AZ(22,12)*TIME
GCON/2, FUNCTION = VX(42,12,22)-DY(42,32)*WZ(22,12)
)";

const char* loaded = R"(SPRINGDAMPER/1, TRANSLATION, I = 43, J = 12, K = 2, C = 0.1, LENGTH = 0.3
SPRINGDAMPER/2, ROTATION, I = 43, J = 13, KT = 2, CT = 0.1
BEAM/1, I = 42, J = 13, LENGTH = 0.7, AREA = 0.5, IXX = 0.3, IYY = 0.2, IZZ = 0.1, EMODULUS = 2, GMODULUS = 1
, CRATIO = 0.2
MATRIX/1, SPARSE, ROWS = 12, COLUMNS = 12, I = 1, 5, 8, 12, J = 2, 7, 11, 12, VALUES = 1, -2, 3, 1
NFORCE/1, IMARKERS = 23, 51, J = 33, KMATRIX = 1, CRATIO = 0.3
BUSHING/1, I = 42, J = 33, K = 1,2,3, C = 0.1,0.2,0.3, KT = 4,5,6, CT = 0.4,0.5,0.6
SFORCE/1, TRANSLATION, I = 43, J = 22, FUNCTION = VR(43,22)
SFORCE/2, ROTATION, ACTIONONLY, I = 33, J = 22, FUNCTION = TIME
GFORCE/2, I = 43, JFLOAT = 29, RM = 33
, FX = DX(43,22)\
, TX = 0.3
VFORCE/3, I = 51, JFLOAT = 19
, FX = DX(51,22)\
, FZ = 0.7
)";

struct Fixture {
  explicit Fixture(const std::string& deck, std::uint32_t seed = 1)
      : random(seed), model(compile_text(random_bodies(random) + deck)), assembler(model) {
    state = random_state(model, random);
    evaluate();
    assembler.current_angles(state, state.angle);
    evaluate();
  }
  void evaluate() { assembler.evaluate(state, in_dynamics); }
  Random random;
  Model model;
  State state;
  Assembler assembler;
};

/// The state a little later on the motion q + v t + a t²/2; states of motions s + ṡ t + s̈ t²/2.
State later(const Model& model, const State& at, const std::vector<double>& second, double h) {
  State s = at;
  s.t += h;
  for (std::size_t i = 0; i < s.q.size(); ++i) {
    s.q[i] += h * at.v[i] + 0.5 * h * h * at.a[i];
    s.v[i] += h * at.a[i];
  }
  for (std::size_t k = 0; k < s.s.size(); ++k) {
    if (!model.scalars[k].differential()) continue;
    s.s[k] += h * at.sdot[k] + 0.5 * h * h * second[k];
    s.sdot[k] += h * second[k];
  }
  return s;
}

TEST(Constraints, rates_are_time_derivatives_along_a_motion) {
  for (std::uint32_t seed : {1u, 2u, 3u, 4u}) {
    Fixture f(constrained, seed);
    // States of the motions move as their equations say: ṡ = f, s̈ = ḟ.
    std::vector<double> second(f.model.scalars.size());
    for (const ConstraintElement& e : f.model.constraint_elements) {
      if (e.level == 1) {
        f.state.sdot[e.scalar] = 0.2 + 0.3 * f.state.t;
        second[e.scalar] = 0.3;
      }
      if (e.level == 2) {
        f.state.sdot[e.scalar] = f.state.s[e.scalar + 1];
        f.state.sdot[e.scalar + 1] = second[e.scalar] = 0.7;
      }
    }
    f.evaluate();
    const int n = f.model.multipliers;
    const auto rows = [&](ConstraintLevel level, double h) {
      const State s = later(f.model, f.state, second, h);
      Vector x{std::vector<double>(n)};
      f.assembler.evaluate(s, in_dynamics);
      f.assembler.constraints(s, level, x.x);
      return x;
    };
    const Vector rate = rows(ConstraintLevel::velocity, 0),
                 acceleration = rows(ConstraintLevel::acceleration, 0);
    const Vector rate_expected = derivative([&](double h) { return rows(ConstraintLevel::position, h); });
    const Vector acceleration_expected =
        derivative([&](double h) { return rows(ConstraintLevel::velocity, h); });
    for (const ConstraintElement& e : f.model.constraint_elements)
      for (int k = e.first_row; k < e.first_row + e.rows; ++k) {
        // h^4 f^(5)/30 with derivatives up to 1e3 to 1e4
        EXPECT_NEAR(rate.x[k], rate_expected.x[k], 1e-8) << f.model.equation_name(f.model.coordinates + k);
        EXPECT_NEAR(acceleration.x[k], acceleration_expected.x[k], 1e-7)
            << f.model.equation_name(f.model.coordinates + k);
      }
    for (const GeneralConstraint& g : f.model.general_constraints) {
      if (!g.pfaffian) {
        EXPECT_NEAR(rate.x[g.row], rate_expected.x[g.row], 1e-8) << g.name.label();
      }
      EXPECT_NEAR(acceleration.x[g.row], acceleration_expected.x[g.row], 1e-7) << g.name.label();
    }
  }
}

TEST(Constraints, masked_rows_give_zero_and_all_constraints_sees_them) {
  Fixture f(constrained);
  std::vector<double> all(f.model.multipliers), some(f.model.multipliers), watched(f.model.multipliers);
  f.assembler.constraints(f.state, ConstraintLevel::position, all);
  for (int k = 0; k < f.model.multipliers; k += 2) f.state.dropped[k] = 1;
  f.evaluate();
  f.assembler.constraints(f.state, ConstraintLevel::position, some);
  f.assembler.all_constraints(f.state, watched);
  for (int k = 0; k < f.model.multipliers; ++k) {
    EXPECT_EQ(some[k], k % 2 ? all[k] : 0.0);
    EXPECT_EQ(watched[k], all[k]);
  }
}

TEST(Residual, constraint_rows_are_the_constraints_scaled) {
  Fixture f(constrained);
  const Coefficients c{1, 0.3, 0.2, 0.5, 0.5};
  std::vector<double> r(f.model.unknowns()), phi(f.model.multipliers), rate(f.model.multipliers);
  f.assembler.residual(f.state, c, r);
  f.assembler.constraints(f.state, ConstraintLevel::position, phi);
  f.assembler.constraints(f.state, ConstraintLevel::velocity, rate);
  for (int k = 0; k < f.model.multipliers; ++k) {
    bool pfaffian = false;
    for (const GeneralConstraint& g : f.model.general_constraints) pfaffian |= g.row == k && g.pfaffian;
    const double expected = pfaffian ? rate[k] / c.b : phi[k] / c.c;
    EXPECT_NEAR(r[f.model.coordinates + k], expected, 1e-13 * (1 + std::fabs(expected)));
  }
}

TEST(Residual, is_linear_in_accelerations_with_the_mass_matrix) {
  Fixture f(std::string(constrained) + loaded);
  const Coefficients c{1, 1, 1, 1, 1};
  std::vector<double> r(f.model.unknowns()), r0(f.model.unknowns()), Ma(f.model.coordinates);
  f.assembler.residual(f.state, c, r);
  f.assembler.mass_times_acceleration(f.state, Ma);
  State still = f.state;
  std::fill(still.a.begin(), still.a.end(), 0.0);
  f.assembler.evaluate(still, in_dynamics);
  f.assembler.residual(still, c, r0);
  for (int i = 0; i < f.model.coordinates; ++i)
    EXPECT_NEAR(Ma[i], r[i] - r0[i], 1e-12 * (1 + std::fabs(r[i])));
}

/// Newton and Euler for one free body, from its orientation matrix as a function of time and nothing else.
TEST(Residual, of_a_free_body_is_the_newton_euler_sum) {
  Random random(7);
  for (int n = 0; n < 5; ++n) {
    const Mat3d frame = random.rotation(), im = random.rotation();
    const Vec3d place = random.vector(), center = random.vector(0.5), point = random.vector(0.7);
    const double mass = 1.7;
    const Vec3d F{0.4, -1.1, 0.9}, T{0.3, 0.8, -0.5}, g{0.2, -9.81, 0.1};
    std::string deck = fmt::format(
        "ACCGRAV/IGRAV={:.17g}, JGRAV={:.17g}, KGRAV={:.17g}\nPART/1, GROUND\nMARKER/19, PART = 1, "
        "FLOATING\n",
        g.x, g.y, g.z);
    deck += fmt::format(
        "PART/2\n, MASS = {}\n, CM = 21\n, IM = 22\n, IP = 0.9, 1.1, 0.7, 0.05, -0.1, 0.08\n, QG = {}\n, "
        "REULER = {}\n",
        mass, list(place), euler(frame));
    deck += marker(21, "PART = 2", center, Mat3d::identity()) + marker(22, "PART = 2", center, im) +
            marker(23, "PART = 2", point, random.rotation());
    deck +=
        "GFORCE/1, I = 23, JFLOAT = 19\n, FX = 0.4\\\n, FY = -1.1\\\n, FZ = 0.9\\\n, TX = 0.3\\\n, TY = "
        "0.8\\\n, TZ = -0.5\n";
    const Model model = compile_text(deck);
    const State state = random_state(model, random);
    Assembler assembler(model);
    assembler.evaluate(state, in_dynamics);
    std::vector<double> r(6);
    assembler.residual(state, {}, r);

    const OrientationBasis& basis = state.basis[0];
    const auto angles = [&](double t) {
      Vec3d e;
      for (int k = 0; k < 3; ++k) e[k] = state.q[3 + k] + t * state.v[3 + k] + 0.5 * t * t * state.a[3 + k];
      return e;
    };
    const auto A = [&](double t) { return basis.G * rotation_313(angles(t)) * basis.R; };
    const auto w = [&](double t) {
      return axial(derivative([&](double h) { return A(t + h); }) * transpose(A(t)));
    };
    // IP: products are positive integrals, so they enter the tensor with a minus sign.
    const Mat3d J_im{{0.9, -0.05, 0.1, -0.05, 1.1, -0.08, 0.1, -0.08, 0.7}};
    const auto J = [&](double t) { return A(t) * im * J_im * transpose(A(t) * im); };
    const auto L = [&](double t) { return J(t) * w(t); };  // angular momentum about the centre of mass
    const Vec3d acceleration{state.a[0], state.a[1], state.a[2]};
    const Vec3d force = mass * acceleration - F - mass * g;
    const Vec3d arm = A(0) * (point - center);
    const Vec3d moment = derivative(L) - (T + cross(arm, F));
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(r[k], force[k], 1e-13);
      // Virtual rotation of angle k: axial(∂A/∂ε_k Aᵀ).
      const auto turned = [&](double h) {
        Vec3d e = angles(0);
        e[k] += h;
        return basis.G * rotation_313(e) * basis.R;
      };
      const Vec3d axis = axial(derivative(turned) * transpose(A(0)));
      EXPECT_NEAR(r[3 + k], dot(axis, moment), 1e-8);  // a difference of a difference: 2e-12/h with h = 1e-3
    }
  }
}

TEST(Energy, its_rate_is_the_power_of_all_wrenches_and_of_the_residual) {
  for (std::uint32_t seed : {1u, 2u, 3u}) {
    Fixture f(std::string(constrained) + loaded, seed);
    const auto energy = [&](double h) {
      f.assembler.evaluate(later(f.model, f.state, std::vector<double>(f.model.scalars.size()), h),
                           in_dynamics);
      return f.assembler.kinetic_energy() + f.assembler.gravity_energy();
    };
    const double rate = derivative(energy);
    f.evaluate();
    double power = 0, size = 1;
    const auto add = [&](double p) {
      power += p;
      size += std::fabs(p);
    };
    for_pairs(f.model, [&](const auto& e, int k, int I, int J) {
      if constexpr (std::is_same_v<decltype(e), const GeneralConstraint&>) return;
      const double* w = &f.assembler.wrenches()[12 * k];
      const auto work = [&](int m, const double* p) {
        const auto& kin = f.assembler.kinematics().marker(m);
        add(dot(Vec3d{p[0], p[1], p[2]}, kin.v) + dot(Vec3d{p[3], p[4], p[5]}, kin.w));
      };
      work(I, w);
      work(J, w + 6);
    });
    // The general constraints' reactions reach several markers: their power is −λ φ̇ of the part with
    // velocities, taken from the columns of the tangent.
    std::vector<double> values(f.assembler.pattern().nonzeros());
    f.assembler.tangent(f.state, {1, 0, 0, 0, 1}, values);
    const Dense m = dense(f.assembler.pattern(), values);
    for (const GeneralConstraint& g : f.model.general_constraints)
      for (int i = 0; i < f.model.coordinates; ++i)
        add(-f.state.lambda[g.row] * m[i][f.model.coordinates + g.row] * f.state.v[i]);
    std::vector<double> r(f.model.unknowns());
    f.assembler.residual(f.state, {}, r);
    for (int i = 0; i < f.model.coordinates; ++i) add(r[i] * f.state.v[i]);
    EXPECT_NEAR(rate, power, 1e-9 * size);  // fourth-order difference of an energy of size 1 to 10
  }
}

TEST(Energy, of_simple_motions) {
  const Model model = compile_text(
      "ACCGRAV/JGRAV=-10\nPART/1, GROUND\nPART/2, MASS = 2, CM = 21, IP = 3, 4, 5, QG = 0, 7, 0\nMARKER/21, "
      "PART = 2\n"
      "POINT_MASS/3, MASS = 3, CM = 31\nMARKER/31, POINT_MASS = 3\n");
  State state(model);
  state.q = {0, 7, 0, 0, std::acos(0.0), 0, 0, 0, 0};
  state.v = {1, 0, 2, 0.5, 0, 0, 0, 4, 0};  // ψ̇ about global z, which is the body's y at θ = 90°
  Assembler assembler(model);
  assembler.evaluate(state, in_dynamics);
  EXPECT_NEAR(assembler.kinetic_energy(), 0.5 * 2 * 5 + 0.5 * 4 * 0.25 + 0.5 * 3 * 16, 1e-13);
  EXPECT_NEAR(assembler.gravity_energy(), 2 * 10 * 7, 1e-12);
}

TEST(Wrenches, action_and_reaction_balance) {
  Fixture f(std::string(loaded) + "JOINT/1, TRANSLATIONAL, I = 22, J = 33\n");
  for_pairs(f.model, [&](const auto& e, int k, int I, int J) {
    const double* w = &f.assembler.wrenches()[12 * k];
    if constexpr (requires { e.law.action_only; })
      if (e.law.action_only) {
        for (int i = 6; i < 12; ++i) EXPECT_EQ(w[i], 0);
        return;
      }
    const Vec3d ri = f.assembler.kinematics().marker(I).r, rj = f.assembler.kinematics().marker(J).r;
    const Vec3d fi{w[0], w[1], w[2]}, ti{w[3], w[4], w[5]}, fj{w[6], w[7], w[8]}, tj{w[9], w[10], w[11]};
    EXPECT_LT(norm(fi + fj), 1e-13) << k;
    EXPECT_LT(norm(ti + tj + cross(ri, fi) + cross(rj, fj)), 1e-13) << k;
    EXPECT_GT(norm(fi) + norm(ti), 1e-3) << k;  // something to balance
  });
}

TEST(WeightedMatrix, is_the_quadratic_form_bordered_by_the_jacobian) {
  Fixture f(constrained);
  BodyWeights weights(f.model);
  for (std::size_t b = 0; b < weights.bodies.size(); ++b) {
    // Bodies without exact coordinates have no coupling of translation and rotation in the pattern.
    for (int i = 0; i < 6; ++i)
      for (int j = i; j < 6; ++j)
        weights[b][6 * i + j] = weights[b][6 * j + i] =
            (i < 3) == (j < 3) && (i >= 3 || i == j) ? f.random.uniform(-1, 1) : 0;
  }
  std::vector<double> values(f.assembler.pattern().nonzeros());
  f.assembler.weighted_matrix(f.state, weights, values);
  const Dense m = dense(f.assembler.pattern(), values);
  f.assembler.tangent(f.state, {1, 0, 0, 0, 1}, values);
  const Dense t = dense(f.assembler.pattern(), values);
  for (int n = 0; n < 10; ++n) {
    std::vector<double> d(f.model.coordinates);
    for (double& x : d) x = f.random.uniform(-1, 1);
    double form = 0, expected = 0;
    for (int i = 0; i < f.model.coordinates; ++i)
      for (int j = 0; j < f.model.coordinates; ++j) form += d[i] * m[i][j] * d[j];
    for (std::size_t b = 0; b < f.model.bodies.size(); ++b) {
      const Body& body = f.model.bodies[b];
      double x[6] = {};
      for (int k = 0; k < 3; ++k) x[k] = d[body.first + k];
      if (body.turns()) {
        const OrientationBasis& basis = f.state.basis[b];
        const auto A = [&](double h) {
          Vec3d e;
          for (int k = 0; k < 3; ++k) e[k] = f.state.q[body.first + 3 + k] + h * d[body.first + 3 + k];
          return basis.G * rotation_313(e) * basis.R;
        };
        const Vec3d turn = axial(derivative(A) * transpose(A(0)));
        for (int k = 0; k < 3; ++k) x[3 + k] = turn[k];
      }
      for (int i = 0; i < body.count(); ++i)
        for (int j = 0; j < body.count(); ++j) expected += x[i] * weights[b][6 * i + j] * x[j];
    }
    EXPECT_NEAR(form, expected, 1e-10);
  }
  for (int r = 0; r < f.model.unknowns(); ++r)
    for (int c = 0; c < f.model.unknowns(); ++c) {
      const bool border = (r >= f.model.coordinates) != (c >= f.model.coordinates);
      const bool scalar = r >= f.model.first_scalar() || c >= f.model.first_scalar();
      if (scalar || border) {
        EXPECT_EQ(m[r][c], scalar ? (r == c ? 1.0 : 0.0) : t[r][c]);
      }
    }
}

TEST(WeightedMatrix, exact_coordinates_couple_translation_and_rotation) {
  const Model model = compile_text(
      "PART/1, GROUND\nPART/2, MASS = 2, CM = 21, IP = 3, 4, 5, EXACT = X\nMARKER/21, PART = 2, QP = 1, 2, "
      "3\n");
  Random random(3);
  const State state = random_state(model, random);
  Assembler assembler(model);
  assembler.evaluate_constraints(state, initially(phase_position));
  BodyWeights weights(model);
  for (int i = 0; i < 6; ++i)
    for (int j = i; j < 6; ++j) weights[0][6 * i + j] = weights[0][6 * j + i] = random.uniform(-1, 1);
  std::vector<double> values(assembler.pattern().nonzeros());
  assembler.weighted_matrix(state, weights, values);
  const Dense m = dense(assembler.pattern(), values);
  const Mat3d H = assembler.kinematics().body(0).H;
  double T[6][6] = {};
  for (int k = 0; k < 3; ++k) {
    T[k][k] = 1;
    for (int l = 0; l < 3; ++l) T[3 + k][3 + l] = H(k, l);
  }
  for (int r = 0; r < 6; ++r)
    for (int c = 0; c < 6; ++c) {
      double expected = 0;
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) expected += T[i][r] * weights[0][6 * i + j] * T[j][c];
      EXPECT_NEAR(m[r][c], expected, 1e-14);
    }
}

TEST(JacobianRows, are_the_constraint_rows_of_the_tangent) {
  Fixture f(constrained);
  std::vector<double> values(f.assembler.pattern().nonzeros());
  f.assembler.tangent(f.state, {1, 1, 0, 0, 1}, values);  // velocity-level rows: derivative by q̇ alone
  const Dense t = dense(f.assembler.pattern(), values);
  const ConstraintRows rows = f.assembler.jacobian_rows();
  ASSERT_EQ(rows.rows(), f.model.multipliers);
  EXPECT_EQ(rows.columns, f.model.coordinates);
  for (int r = 0; r < rows.rows(); ++r) {
    std::vector<double> line(f.model.coordinates);
    for (int k = rows.row_start[r]; k < rows.row_start[r + 1]; ++k) line[rows.column[k]] += rows.value[k];
    const std::set<int> columns(rows.column.begin() + rows.row_start[r],
                                rows.column.begin() + rows.row_start[r + 1]);
    EXPECT_EQ(static_cast<int>(columns.size()), rows.row_start[r + 1] - rows.row_start[r]) << r;
    for (int c = 0; c < f.model.coordinates; ++c) {
      EXPECT_NEAR(line[c], t[f.model.coordinates + r][c], 1e-14) << r << " " << c;
      EXPECT_NEAR(line[c], t[c][f.model.coordinates + r], 1e-14) << r << " " << c;
    }
  }
  // Dropping rows changes the tangent but not these.
  std::fill(f.state.dropped.begin(), f.state.dropped.end(), 1);
  f.evaluate();
  EXPECT_EQ(f.assembler.jacobian_rows().value, rows.value);
}

/// Forces are not evaluated with constraints alone, nor accelerations of markers with the equations.
TEST(Evaluation, is_not_asked_for_more_than_it_covers) {
  Fixture f("JOINT/1, REVOLUTE, I = 22, J = 12\n");
  std::vector<double> r(f.model.unknowns()), rows(f.model.multipliers);
  f.assembler.evaluate_constraints(f.state, in_dynamics);
  EXPECT_NO_THROW(f.assembler.constraints(f.state, ConstraintLevel::acceleration, rows));
  EXPECT_THROW(f.assembler.residual(f.state, Coefficients::of_accelerations(), r), Failure);
  f.assembler.evaluate_equations(f.state, in_dynamics);
  EXPECT_NO_THROW(f.assembler.residual(f.state, Coefficients::of_accelerations(), r));
  EXPECT_THROW(f.assembler.constraints(f.state, ConstraintLevel::acceleration, rows), Failure);
  f.assembler.evaluate(f.state, in_dynamics);
  EXPECT_NO_THROW(f.assembler.constraints(f.state, ConstraintLevel::acceleration, rows));
}

TEST(Phases, hold_the_rows_that_belong_to_them) {
  Fixture f(
      "JOINT/1, REVOLUTE, I = 22, J = 12, IC = 0.1\nJOINT/2, SCREW, I = 32, J = 43, PITCH = 0.1\n"
      "MOTION/1, JOINT = 3, VELOCITY, FUNCTION = 1\nJOINT/3, REVOLUTE, I = 42, J = 13\n"
      "MOTION/2, I = 33, J = 13, Z, ACCELERATION, FUNCTION = 1, ICDISP = 0.2\nGCON/1, FUNCTION = "
      "VX(51,22)\n");
  const auto masked = [&](const char* label, int row, Phase phase) {
    std::vector<unsigned char> held(f.model.multipliers);
    f.assembler.held_multipliers(f.state, phase, held);
    for (int k = 0; k < f.model.multipliers; ++k)
      if (f.model.equation_name(f.model.coordinates + k).starts_with(label) && row-- == 0)
        return held[k] != 0;
    ADD_FAILURE() << label;
    return false;
  };
  const struct {
    const char* label;
    int row;
    bool held[6];  // positions and velocities of a motion that begins; of one that goes on; accelerations;
                   // steps
  } expected[] = {
      {"JOINT/1", 0, {true, true, true, true, true, true}},
      {"JOINT/1 AZ", 0, {false, true, false, false, false, false}},  // IC without a displacement
      {"JOINT/2", 0, {false, true, false, true, true, true}},        // offset from the assembled position
      {"MOTION/1", 0, {false, true, false, true, true, true}},       // no ICDISP
      {"MOTION/2", 0, {true, false, true, false, true, true}},       // ICDISP but no ICVEL
      {"GCON/1", 0, {false, true, false, true, true, true}},
  };
  const Phase phases[] = {phase_first_position, phase_first_velocity, phase_position,
                          phase_velocity,       phase_acceleration,   phase_dynamics};
  for (const auto& e : expected)
    for (int p = 0; p < 6; ++p)
      EXPECT_EQ(masked(e.label, e.row, phases[p]), !e.held[p]) << e.label << " phase " << p;
}

}  // namespace
}  // namespace trammel::dynamics_test
