// Scalar states: their rates where constraints read them, and the memory of DELAY.
#include <gtest/gtest.h>

#include <cmath>

#include "random_model.h"

namespace trammel::states_test {
namespace {

using namespace test;

/// Every way in which a constraint reads a state: of a DIFF, whose rate reads positions, velocities, other
/// states and variables; of a VARIABLE, whose expression stands in its place.
TEST(States, rates_of_constraints_that_read_them) {
  Random random(5);
  const Model model =
      compile_text(random_bodies(random) + R"(DIFF/1, FUNCTION = DX(22,12)-0.3*DIF(1)+VARVAL(2)*VX(22,12)
DIFF/2, FUNCTION = DIF1(1)*COS(TIME)-DIF(2)
VARIABLE/1, FUNCTION = SIN(TIME)*DY(22,33)+DIF(2)
VARIABLE/2, FUNCTION = VARVAL(1)**2-AZ(22,12)
GCON/1, FUNCTION = DX(42,32)*DIF(1)-VARVAL(1)
GCON/2, FUNCTION = VARVAL(2)-DIF(2)*DIF(1)
GCON/3, FUNCTION = VX(42,12)*DIF(2)-VARVAL(1)
)");
  Assembler assembler(model);
  State state = random_state(model, random);
  assembler.evaluate(state, in_dynamics);
  assembler.current_angles(state, state.angle);
  // Variables take their values and states their rates, one equation after the other: order of dependence
  // V1, V2, X1, X2.
  const auto solve = [&](State& s) {
    const Coefficients c{0, 0, 1, 0, 1};
    std::vector<double> r(model.unknowns());
    for (int k : {2, 3, 0, 1}) {
      assembler.evaluate(s, in_dynamics);
      assembler.residual(s, c, r);
      (k < 2 ? s.sdot : s.s)[k] -= r[model.first_scalar() + k];
    }
  };
  solve(state);
  const auto later = [&](double h) {
    State s = state;
    s.t += h;
    for (std::size_t i = 0; i < s.q.size(); ++i) {
      s.q[i] += h * s.v[i] + 0.5 * h * h * s.a[i];
      s.v[i] += h * s.a[i];
    }
    for (int k : {0, 1}) s.s[k] += h * s.sdot[k];
    s.s[2] = s.s[3] = s.sdot[0] = s.sdot[1] = 99;  // nothing may come from these
    return s;
  };
  const auto rows = [&](ConstraintLevel level, double h) {
    const State s = later(h);
    Vector x{std::vector<double>(3)};
    assembler.evaluate_constraints(s, initially(phase_dynamics));
    assembler.constraints(s, level, x.x);
    return x;
  };
  for (const auto& [level, below] : {std::pair{ConstraintLevel::velocity, ConstraintLevel::position},
                                     std::pair{ConstraintLevel::acceleration, ConstraintLevel::velocity}}) {
    const Vector rate = rows(level, 0), expected = derivative([&](double h) { return rows(below, h); });
    for (int row = 0; row < 3; ++row) {
      if (row == 2 && level == ConstraintLevel::velocity) continue;  // a velocity row has no position level
      // h^4 f^(5)/30 with derivatives up to 1e3 to 1e4
      EXPECT_NEAR(rate.x[row], expected.x[row], 1e-8 * (1 + std::fabs(expected.x[row]))) << row;
    }
  }
}

/// Rows of motions whose functions read states, of a displacement and of a velocity: the next level is the
/// derivative in time of the one below.
TEST(States, rates_of_motions_that_read_them) {
  Random random(7);
  const Model model = compile_text(random_bodies(random) + R"(DIFF/1, FUNCTION = SIN(TIME)*DIF(2)-0.3*DIF(1)
DIFF/2, FUNCTION = DX(22,12)*COS(TIME)-DIF(2)
VARIABLE/1, FUNCTION = SIN(TIME)*DIF(1)**2
VARIABLE/2, FUNCTION = VARVAL(1)*DY(22,33)-DIF(2)
MOTION/1, I = 42, J = 12, X, FUNCTION = VARVAL(1)+0.4*DIF(1)*TIME
MOTION/2, I = 42, J = 33, Y, VELOCITY, FUNCTION = VARVAL(2)*DIF(1)
)");
  Assembler assembler(model);
  State state = random_state(model, random);
  // States in the order of the deck: X1, X2, V1, V2, then f of MOTION/1 and s of MOTION/2.
  const auto solve = [&](State& s) {
    const Coefficients c{0, 0, 1, 0, 1};
    std::vector<double> r(model.unknowns());
    for (int k : {2, 3, 0, 1, 5}) {
      assembler.evaluate(s, in_dynamics);
      assembler.residual(s, c, r);
      (k == 2 || k == 3 ? s.s : s.sdot)[k] -= r[model.first_scalar() + k];
    }
  };
  ASSERT_EQ(model.scalar_count(), 6);
  solve(state);
  const auto rows = [&](ConstraintLevel level, double h) {
    State s = state;
    s.t += h;
    for (std::size_t i = 0; i < s.q.size(); ++i) {
      s.q[i] += h * s.v[i] + 0.5 * h * h * s.a[i];
      s.v[i] += h * s.a[i];
    }
    for (int k : {0, 1, 5}) s.s[k] += h * s.sdot[k];
    s.s[2] = s.s[3] = s.s[4] = s.sdot[0] = s.sdot[1] = s.sdot[5] = 99;  // nothing may come from these
    Vector x{std::vector<double>(2)};
    assembler.evaluate_constraints(s, initially(phase_dynamics));
    assembler.constraints(s, level, x.x);
    return x;
  };
  for (const auto& [level, below] : {std::pair{ConstraintLevel::velocity, ConstraintLevel::position},
                                     std::pair{ConstraintLevel::acceleration, ConstraintLevel::velocity}}) {
    const Vector rate = rows(level, 0), expected = derivative([&](double h) { return rows(below, h); });
    for (int row = 0; row < 2; ++row)
      EXPECT_NEAR(rate.x[row], expected.x[row], 1e-8 * (1 + std::fabs(expected.x[row]))) << row;
  }
}

TEST(States, which_are_explicit) {
  Random random(5);
  const Model model = compile_text(random_bodies(random) + R"(DIFF/1, FUNCTION = VARVAL(1)-DIF(2)
DIFF/2, IMPLICIT, FUNCTION = DIF1(2)-DIF(1)
DIFF/3, FUNCTION = DIF1(2)
VARIABLE/1, FUNCTION = DIF(3)*VX(22,12)
VARIABLE/2, FUNCTION = VARVAL(3)
VARIABLE/3, FUNCTION = VARVAL(2)
VARIABLE/4, FUNCTION = VARVAL(2)
VARIABLE/5, FUNCTION = ACCX(22,12)
VARIABLE/6, FUNCTION = FX(22)
SFORCE/1, TRANSLATION, I = 22, J = 33, FUNCTION = 1
)");
  const std::vector<char> known = model.explicit_scalars();
  const std::vector<char> expected{1, 0, 0, 1, 0, 0, 0, 0, 0};
  EXPECT_EQ(std::vector<char>(known.begin(), known.begin() + 9), expected);
}

/// Accepts the state at the times 0, h, 2h, … , `count` in all.
void accept_times(Assembler& assembler, State& state, double h, int count) {
  for (int k = 0; k < count; ++k) {
    state.t = h * k;
    assembler.evaluate(state, in_dynamics);
    assembler.tapes().accept(assembler.reads(), state);
  }
}

TEST(States, a_long_run_with_delay_keeps_a_short_memory) {
  Random random(6);
  const Model model =
      compile_text(random_bodies(random) +
                   "VARIABLE/1, FUNCTION = DELAY(SIN(TIME), 0.1, 0)+DELAY(TIME, ABS(DX(22,33)), 0)\n");
  Assembler assembler(model);
  State state = random_state(model, random);
  accept_times(assembler, state, 0.01, 3000);
  EXPECT_LE(state.delays[0].times().size(), 40u);    // 0.1/0.01 points and a few, at most twice that
  EXPECT_EQ(state.delays[1].times().size(), 3000u);  // any of them may be asked for
  std::vector<double> r(model.unknowns());
  assembler.evaluate(state, in_dynamics);
  assembler.residual(state, {}, r);
  const auto place = [&](int id) {
    for (std::size_t m = 0; m < model.markers.size(); ++m)
      if (model.markers[m].id == id) return assembler.kinematics().marker(static_cast<int>(m)).r;
    return Vec3d{};
  };
  const double lag = std::fabs(place(22).x - place(33).x);
  // The cubic through accepted points 0.01 apart, two of them before the interval, misses sin by 0.01^4/24 at
  // most.
  EXPECT_NEAR(state.s[0] - r[model.first_scalar()], std::sin(state.t - 0.1) + state.t - lag, 1e-9);
}

/// A tape costs what it reads: of many DELAYs it looks at its own, at those of the state that it is run at.
TEST(States, a_tape_looks_at_the_histories_that_it_reads_alone) {
  Random random(8);
  const Model model = compile_text(random_bodies(random) +
                                   "VARIABLE/1, FUNCTION = DELAY(SIN(TIME), 0.1, 0)\n"
                                   "VARIABLE/2, FUNCTION = DELAY(COS(TIME), 0.1, 0)\n");
  Assembler assembler(model);
  State state = random_state(model, random);
  accept_times(assembler, state, 0.1, 5);
  state.t = 0.5;
  State longer = state;
  for (DelayBuffer& d : longer.delays) d.append(0.45, 7);  // what was looked at is another thing from 0.4 on
  const TapeTables tables = assembler.tapes().tables(state);
  TapeReads reads = assembler.reads();
  const auto value = [&](const State& at, int variable) {
    reads.state = &at;
    double results[3];
    assembler.tapes().values(model.scalars[variable].tape, reads, results);
    return results[0];
  };
  for (int k : {0, 1}) state.delays[k].append(0.5, k);  // at its end: the value 0.1 ago stays
  value(state, 1);
  EXPECT_EQ(tables.delays[0].n, 5);
  EXPECT_EQ(tables.delays[1].n, 6);
  value(longer, 0);
  EXPECT_EQ(tables.delays[0].time, longer.delays[0].times().data());
  EXPECT_EQ(tables.delays[1].time, state.delays[1].times().data());
  EXPECT_NEAR(value(state, 0), std::sin(0.4), 1e-14);
  longer.t = 0.55;
  EXPECT_NEAR(value(longer, 0), 7, 1e-12);
  EXPECT_NEAR(value(longer, 1), 7, 1e-12);
  EXPECT_NEAR(value(state, 1), std::cos(0.4), 1e-14);
}

}  // namespace
}  // namespace trammel::states_test
