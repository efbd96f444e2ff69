// State and equations of the public interface, against closed forms and differences.
#include <cmath>
#include <random>

#include "decks.h"

namespace trammel_test::equations_test {
namespace {

using trammel::Coefficients;
using trammel::Model;
using trammel::Point;
using trammel::Quantity;

/// A point of all quantities, to be changed.
struct Values {
  explicit Values(Model& m)
      : q(m.get(Quantity::coordinates)),
        v(m.get(Quantity::velocities)),
        a(m.get(Quantity::accelerations)),
        lambda(m.get(Quantity::multipliers)),
        s(m.get(Quantity::scalars)),
        rates(m.get(Quantity::rates)),
        time(m.time()) {}
  Point point() const { return {time, q.data(), v.data(), a.data(), lambda.data(), s.data(), rates.data()}; }
  std::vector<double> q, v, a, lambda, s, rates;
  double time;
};

TEST(ApiState, sizes_and_names_fit_together) {
  Model m = Model::of_text(of_all_kinds());
  const trammel::Sizes n = m.sizes();
  EXPECT_EQ(n.coordinates, 6u);
  EXPECT_EQ(n.multipliers, 3u);
  EXPECT_EQ(n.unknowns, n.coordinates + n.multipliers + n.scalars);
  EXPECT_EQ(m.unknown_name(0), "PART/2 X");
  EXPECT_EQ(m.unknown_name(5), "PART/2 Phi");
  EXPECT_EQ(m.equation_name(6).substr(0, 8), "JOINT/1 ");
  EXPECT_EQ(m.unknown_name(n.unknowns - n.scalars).substr(0, 6), "DIFF/1");
  EXPECT_EQ(m.get(Quantity::rates).size(), n.scalars);
  EXPECT_EQ(thrown([&] { m.unknown_name(n.unknowns); }).status, TRAMMEL_USAGE);
}

TEST(ApiState, quantities_are_those_of_the_motion) {
  Model m = Model::of_text(oscillator("INTEGRATOR/HHT,ERROR=1E-9\n"));
  m.advance(1, 0.1);
  EXPECT_NEAR(m.get(Quantity::coordinates)[0], std::cos(2.0), 1e-5);
  EXPECT_NEAR(m.get(Quantity::velocities)[0], -2 * std::sin(2.0), 1e-4);
  EXPECT_NEAR(m.get(Quantity::accelerations)[0], -4 * std::cos(2.0), 1e-3);
}

TEST(ApiState, a_free_body_goes_on_from_where_it_is_set) {
  Model m = Model::of_text(falling_body());
  m.advance(1, 0.1);
  std::vector<double> q = m.get(Quantity::coordinates), v = m.get(Quantity::velocities);
  q[0] = 3, q[2] = 7, v[0] = 0, v[2] = 3;
  m.set(q, v);
  EXPECT_EQ(m.standing(), trammel::Standing::none);
  EXPECT_EQ(m.time(), 1);
  m.advance(2, 0.1);
  EXPECT_NEAR(m.value("PART/2.X"), 3.25, 1e-9);
  EXPECT_NEAR(m.value("PART/2.Z"), 7 + 3 - 5, 1e-8);
}

/// The pin of the rod, 1 m from its centre, is at (4, 0).
TEST(ApiState, what_is_set_comes_onto_the_constraints) {
  Model m(model("pendulum/pendulum.acf"));
  m.advance(0.2, 0.1);
  std::vector<double> q = m.get(Quantity::coordinates), v = m.get(Quantity::velocities);
  q[0] += 0.01, v[1] += 0.5;
  m.set(q, v);
  q = m.get(Quantity::coordinates), v = m.get(Quantity::velocities);
  EXPECT_NEAR(std::hypot(q[0] - 4, q[1]), 1, 1e-10);
  EXPECT_NEAR((q[0] - 4) * v[0] + q[1] * v[1], 0, 1e-10);
  // θ̈ = −m g cos θ / (J + m), J = 1/3; gravity as the deck has it.
  const double before = m.value("PART/2.ACCY");
  EXPECT_LT(before, 0);
  m.advance(0.4, 0.1);
  q = m.get(Quantity::coordinates);
  EXPECT_NEAR(std::hypot(q[0] - 4, q[1]), 1, 1e-8);
}

TEST(ApiState, what_cannot_be_set_changes_nothing) {
  Model m = Model::of_text(four_bar()), other = Model::of_text(four_bar());
  for (Model* each : {&m, &other}) each->advance(0.2, 0.1);
  const std::vector<double> q = m.get(Quantity::coordinates), v = m.get(Quantity::velocities);
  std::vector<double> nan = q, far = q;
  nan[1] = std::nan("");
  EXPECT_EQ(thrown([&] { m.set(nan, v); }).status, TRAMMEL_USAGE);
  far[0] = 1e300;
  EXPECT_EQ(thrown([&] { m.set(far, v); }).status, TRAMMEL_SOLVER);
  for (Model* each : {&m, &other}) each->advance(0.4, 0.1);
  EXPECT_TRUE(same_bits(m.values(), other.values()));
}

/// 2 kg under 1 N along X and gravity: m a − F.
TEST(ApiEquations, residual_of_a_free_body_is_its_balance) {
  Model m = Model::of_text(falling_body());
  const Coefficients c{1, 1, 1, 1, 1};
  for (const double r : m.residual(c)) EXPECT_NEAR(r, 0, 1e-13);
  std::vector<double> a = m.get(Quantity::accelerations);
  a[0] = 3, a[1] = -4, a[2] = 5;
  Point point{};
  point.accelerations = a.data();
  const std::vector<double> r = m.residual(c, &point);
  EXPECT_NEAR(r[0], 2 * 3 - 1, 1e-13);
  EXPECT_NEAR(r[1], 2 * -4, 1e-13);
  EXPECT_NEAR(r[2], 2 * 5 + 20, 1e-13);
}

/// Of a spring of 8 N/m: 2 kg times the coefficient of accelerations, and 8 N/m times that of coordinates.
TEST(ApiEquations, tangent_of_an_oscillator_is_mass_and_stiffness) {
  Model m = Model::of_text(oscillator());
  const trammel::Pattern pattern = m.tangent_pattern();
  const std::vector<double> values = m.tangent({0.25, 0.5, 3, 1, 1});
  ASSERT_EQ(values.size(), pattern.row.size());
  double first = 0;
  for (int k = pattern.column_start[0]; k < pattern.column_start[1]; ++k)
    if (pattern.row[k] == 0) first = values[k];
  EXPECT_NEAR(first, 2 * 3 + 8 * 0.25, 1e-12);
}

/// Every entry of the tangent, also those that the pattern leaves out, at points off the motion.
TEST(ApiEquations, tangent_is_what_differences_say) {
  Model m = Model::of_text(of_all_kinds());
  m.advance(0.5, 0.1);
  const trammel::Sizes n = m.sizes();
  const trammel::Pattern pattern = m.tangent_pattern();
  std::mt19937 random(5);
  std::uniform_real_distribution<double> small(-0.1, 0.1);
  Values at(m);
  for (auto* list : {&at.q, &at.v, &at.a, &at.lambda, &at.s, &at.rates})
    for (double& x : *list) x += small(random);
  for (const Coefficients c : {Coefficients{1, 1, 1, 1, 1}, Coefficients{0.01, 0.1, 1, 0.3, 2}}) {
    const Point point = at.point();
    const std::vector<double> values = m.tangent(c, &point);
    const auto residual = [&](std::size_t unknown, double d) {
      Values moved = at;
      const std::size_t scalar = unknown - n.coordinates - n.multipliers;
      if (unknown < n.coordinates)
        moved.q[unknown] += c.coordinates * d, moved.v[unknown] += c.velocities * d,
            moved.a[unknown] += c.accelerations * d;
      else if (unknown < n.coordinates + n.multipliers)
        moved.lambda[unknown - n.coordinates] += d;
      else if (m.unknown_name(unknown).starts_with("DIFF"))
        moved.s[scalar] += c.scalars * d, moved.rates[scalar] += c.rates * d;
      else
        moved.s[scalar] += d;
      const Point there = moved.point();
      return m.residual(c, &there);
    };
    for (std::size_t k = 0; k < n.unknowns; ++k) {
      std::vector<double> column(n.unknowns);
      for (int e = pattern.column_start[k]; e < pattern.column_start[k + 1]; ++e)
        column[static_cast<std::size_t>(pattern.row[e])] = values[static_cast<std::size_t>(e)];
      constexpr double h = 1e-5;
      const std::vector<double> up = residual(k, h), down = residual(k, -h);
      for (std::size_t i = 0; i < n.unknowns; ++i)
        EXPECT_NEAR((up[i] - down[i]) / (2 * h), column[i], 1e-6 * (1 + std::abs(column[i])))
            << m.equation_name(i) << " by " << m.unknown_name(k);
    }
  }
}

TEST(ApiEquations, coefficients_by_which_constraints_are_divided_must_not_be_zero) {
  Model m = Model::of_text(oscillator());
  EXPECT_EQ(thrown([&] { m.residual({0, 1, 1, 1, 1}); }).status, TRAMMEL_USAGE);
  EXPECT_EQ(thrown([&] { m.residual({1, 0, 1, 1, 1}); }).status, TRAMMEL_USAGE);
}

}  // namespace
}  // namespace trammel_test::equations_test
