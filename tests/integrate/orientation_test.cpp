// Re-basing of orientations: the motion stays the same, only the angles change. Extrapolation of polynomials.
#include "integrate/orientation.h"

#include <gtest/gtest.h>

#include <numbers>

#include "../support/deck.h"
#include "device_api/executor.h"
#include "integrate/predictor.h"
#include "math/rotation.h"

namespace trammel::orientation_test {
namespace {

using namespace test;
constexpr double pi = std::numbers::pi;

const char* two_bodies =
    "PART/1, GROUND\nPART/2, MASS = 1, CM = 21, IP = 1, 2, 2.5\nMARKER/21, PART = 2\nPOINT_MASS/3, MASS = 1, "
    "CM = 31\n"
    "MARKER/31, POINT_MASS = 3\nPART/4, MASS = 1, CM = 41, IP = 1, 2, 2.5\nMARKER/41, PART = 4\n";

State random_orientations(const Model& model, Random& random) {
  State state(model);
  for (auto* v : {&state.q, &state.v, &state.a})
    for (double& x : *v) x = random.uniform(-1, 1);
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    state.basis[b] = {random.rotation(), random.rotation()};
    if (model.bodies[b].turns())
      state.q[model.bodies[b].first + 4] = random.uniform(0.1, 3);  // also near singular
  }
  return state;
}

struct Point {
  std::vector<double> q, v, a;
  CoordinatePoint view() { return {q.data(), v.data(), a.data()}; }
};

struct Motion {
  Mat3d A;
  Vec3d w, alpha;
};

Motion motion(const Model& model, const State& state, int b, const std::vector<double>& q,
              const std::vector<double>& v, const std::vector<double>& a) {
  // A = G A₃₁₃ R, ω = G E ε̇, α = G (E ε̈ + Ė ε̇)
  const int at = model.bodies[b].first + 3;
  const Vec3d e{q[at], q[at + 1], q[at + 2]}, ed{v[at], v[at + 1], v[at + 2]},
      edd{a[at], a[at + 1], a[at + 2]};
  const OrientationBasis& basis = state.basis[b];
  const AngularVelocityMap map(e);
  return {basis.G * rotation_313(e) * basis.R, basis.G * (map.E * ed),
          basis.G * (map.E * edd + map.rate(ed) * ed)};
}

/// ε̇ and ε̈ in the old angles may be large where sin θ = 0.1: E⁻¹ ~ 10, products of them 1e2, times rounding.
void expect_same(const Motion& x, const Motion& y) {
  EXPECT_LT(largest(x.A - y.A), 1e-13);
  EXPECT_LT(norm(x.w - y.w), 1e-13 * (1 + norm(y.w)));
  EXPECT_LT(norm(x.alpha - y.alpha), 1e-13 * (10 + norm(y.alpha)));
}

TEST(Rebase, keeps_orientation_velocity_and_acceleration_of_state_and_history) {
  const Model model = compile_text(two_bodies);
  Random random(1);
  for (int n = 0; n < 100; ++n)
    for (int b : {0, 2}) {
      State state = random_orientations(model, random);
      const State before = state;
      Point points[3];
      for (Point& p : points) {  // near the state, as the points of a history are
        p = {state.q, state.v, state.a};
        for (auto* x : {&p.q, &p.v, &p.a})
          for (double& y : *x) y += random.uniform(-0.1, 0.1);
      }
      const Point points_before[3] = {points[0], points[1], points[2]};
      CoordinatePoint views[3] = {points[0].view(), points[1].view(), points[2].view()};
      rebase(model, b, state, views);
      const int at = model.bodies[b].first;
      expect_same(motion(model, state, b, state.q, state.v, state.a),
                  motion(model, before, b, before.q, before.v, before.a));
      for (int k = 0; k < 3; ++k) {
        const Point &p = points[k], &o = points_before[k];
        expect_same(motion(model, state, b, p.q, p.v, p.a), motion(model, before, b, o.q, o.v, o.a));
      }
      // At ψ = 0, θ = 90°, φ = 0, with the third axis along ω.
      EXPECT_NEAR(state.q[at + 3], 0, 1e-13);
      EXPECT_NEAR(state.q[at + 4], pi / 2, 1e-13);
      EXPECT_NEAR(state.q[at + 5], 0, 1e-13);
      EXPECT_NEAR(state.v[at + 3], 0, 1e-12);
      EXPECT_NEAR(state.v[at + 4], 0, 1e-12);
      EXPECT_GT(state.v[at + 5], 0);
      EXPECT_FALSE(needs_rebase(model.bodies[b], state));
      for (const Mat3d& m : {state.basis[b].G, state.basis[b].R}) {
        EXPECT_LT(largest(m * transpose(m) - Mat3d::identity()), 1e-14);
        EXPECT_NEAR(determinant(m), 1, 1e-14);
      }
      // Nothing else is touched: positions, the other bodies, other bases.
      for (int i = 0; i < model.coordinates; ++i) {
        if (i >= at + 3 && i < at + 6) continue;
        EXPECT_EQ(state.q[i], before.q[i]);
        EXPECT_EQ(state.v[i], before.v[i]);
        EXPECT_EQ(points[1].a[i], points_before[1].a[i]);
      }
      EXPECT_EQ(largest(state.basis[2 - b].G - before.basis[2 - b].G), 0);
    }
}

TEST(Rebase, angles_of_history_are_continuous_with_the_state) {
  const Model model = compile_text(two_bodies);
  Random random(2);
  for (int n = 0; n < 50; ++n) {
    const Mat3d start = random.rotation();
    const Vec3d w = random.vector(1) + Vec3d{0, 0, 2};
    State state(model);
    const auto at = [&](double t) {  // a steady turn: A = exp(ω t) A0
      State s(model);
      set_orientation(model.bodies[0], s, 0, exponential(t * w) * start, w, {});
      return s;
    };
    // In one common basis: that of t = 0, seen a little later.
    State base = at(0);
    const auto in_base = [&](double t) {
      const double turn = t * norm(w);
      Point p{base.q, base.v, base.a};
      p.q[5] = base.q[5] + turn;  // third angle is the spin about ω
      return p;
    };
    Point now = in_base(1.0), back[3] = {in_base(0.9), in_base(0.8), in_base(0.7)};
    state = base;
    state.q = now.q;
    CoordinatePoint views[3] = {back[0].view(), back[1].view(), back[2].view()};
    rebase(model, 0, state, views);
    for (int k = 0; k < 3; ++k)
      for (int i = 3; i < 6; ++i) EXPECT_NEAR(back[k].q[i], state.q[i] - 0.1 * (k + 1) * state.v[i], 1e-12);
  }
}

TEST(Rebase, a_body_at_rest_uses_its_acceleration_or_its_own_axis) {
  const Model model = compile_text(two_bodies);
  Random random(3);
  const Mat3d A = random.rotation();
  State state(model);
  set_orientation(model.bodies[0], state, 0, A, {}, {0.3, -0.2, 0.9});
  Motion m = motion(model, state, 0, state.q, state.v, state.a);
  EXPECT_LT(largest(m.A - A), 1e-14);
  EXPECT_LT(norm(m.w), 1e-15);
  EXPECT_LT(norm(m.alpha - Vec3d{0.3, -0.2, 0.9}), 1e-14);
  EXPECT_NEAR(state.a[3], 0, 1e-14);
  EXPECT_NEAR(state.a[4], 0, 1e-14);
  set_orientation(model.bodies[0], state, 0, A, {}, {});
  m = motion(model, state, 0, state.q, state.v, state.a);
  EXPECT_LT(largest(m.A - A), 1e-14);
  EXPECT_EQ(norm(m.w) + norm(m.alpha), 0);
}

TEST(Rebase, is_due_when_sine_theta_is_below_one_half) {
  const Model model = compile_text(two_bodies);
  State state(model);
  for (const auto& [theta, due] : {std::pair{0.1, true},
                                   {0.52, true},
                                   {0.53, false},
                                   {1.6, false},
                                   {2.61, false},
                                   {2.63, true},
                                   {3.2, true},
                                   {-1.5, false}}) {
    state.q[4] = theta;
    EXPECT_EQ(needs_rebase(model.bodies[0], state), due) << theta;
  }
  EXPECT_FALSE(needs_rebase(model.bodies[1], state));  // a point mass has no angles
}

TEST(PredictorTest, reproduces_polynomials_of_its_order_on_any_times) {
  Random random(4);
  for (int order = 0; order <= 3; ++order)
    for (int n = 0; n < 20; ++n) {
      double c[2][4];
      for (auto& row : c)
        for (double& x : row) x = random.uniform(-1, 1);
      const auto value = [&](int k, double t) {
        double sum = 0;
        for (int i = order; i >= 0; --i) sum = sum * t + c[k][i];
        return sum;
      };
      Executor run{Parallel()};
      Predictor predictor;
      predictor.arrays(2, [&](double*& array, int size) { array = run.room(size); });
      double t = 0;
      for (int point = 0; point < 7; ++point) {
        t += random.uniform(0.2, 1);
        double* u = predictor.push(t);
        for (int k = 0; k < 2; ++k) u[k] = value(k, t);
      }
      EXPECT_EQ(predictor.points(), 4);
      EXPECT_EQ(predictor.time(0), t);
      const double next = t + random.uniform(0.2, 1);
      const Extrapolation own = predictor.at(next, order);
      // Weights of extrapolation up to (1+1/0.2)^3 ~ 2e2, values up to 8^3: 1e5 u
      for (int k = 0; k < 2; ++k) EXPECT_NEAR(own(k), value(k, next), 1e-10);
      if (order == 3) continue;
      const Extrapolation higher = predictor.at(next, order + 1);  // reproduces it too
      for (int k = 0; k < 2; ++k) EXPECT_NEAR(higher(k), value(k, next), 1e-10);
    }
}

/// What an extrapolation misses: nothing of a polynomial of its order, and of a value that alternates by ±1
/// from one to the next of equal steps 2^{k+1} − 1 with the present one: (1 − E)^{k+1} applied to (−1)^n.
TEST(PredictorTest, tells_what_each_order_misses) {
  Executor run{Parallel()};
  Predictor predictor;
  predictor.arrays(3, [&](double*& value, int size) { value = run.room(size); });
  for (int n = 0; n < 4; ++n) {
    double* value = predictor.push(n);
    value[0] = 7, value[1] = 1 + 2.0 * n - 0.5 * n * n, value[2] = n % 2 == 0 ? 1 : -1;
  }
  const double present[2] = {1 + 2.0 * 4 - 0.5 * 16, 1};
  const auto parabola = run.reduce(predictor.misses(4).of(1, present), 1);
  const auto alternating = run.reduce(predictor.misses(4).of(2, present + 1), 1);
  run.collect();
  EXPECT_NEAR(parabola->x[0], 2.25, 1e-13);  // 1 instead of 2.5
  EXPECT_NEAR(parabola->x[1], 1, 1e-13);     // its second difference
  EXPECT_NEAR(parabola->x[2], 0, 1e-26);     // rounding, squared
  EXPECT_NEAR(parabola->x[3], 0, 1e-26);
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(alternating->x[k], std::pow(4, k + 1), 1e-11) << k;  // (2^{k+1})²
}

TEST(PredictorTest, uses_what_points_there_are_and_forgets_on_clear) {
  Executor run{Parallel()};
  Predictor predictor;
  predictor.arrays(1, [&](double*& value, int size) { value = run.room(size); });
  predictor.push(1)[0] = 5;
  EXPECT_EQ(predictor.at(3, 3)(0), 5);  // one point: constant
  predictor.push(2)[0] = 7;
  EXPECT_NEAR(predictor.at(3, 3)(0), 9, 1e-14);  // two: a line
  EXPECT_EQ(predictor.point(1)[0], 5);
  predictor.clear();
  EXPECT_EQ(predictor.points(), 0);
  predictor.push(4)[0] = 1;
  EXPECT_EQ(predictor.at(9, 3)(0), 1);
}

}  // namespace
}  // namespace trammel::orientation_test
