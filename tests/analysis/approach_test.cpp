// What a step ends for, on gaps that are given: no evaluation is made.
#include <gtest/gtest.h>

#include <cmath>

#include "../support/deck.h"
#include "analysis/approach.h"

namespace trammel::approach_test {
namespace {

using namespace test;
using Ends = Approach::Ends;

/// Gaps of two IMPACTs.
class Gaps {
 public:
  Gaps()
      : model_(compile_text(
            "UNITS/UCF=1\nPART/1,GROUND\nMARKER/1,PART=1\nPART/2,MASS=1,CM=20,IP=1,1,1,QG=0,0,1\n"
            "MARKER/20,PART=2\nSFORCE/1,TRANSLATION,I=20,J=1,FUNCTION=IMPACT(DZ(20,1),VZ(20,1),\n"
            ",.1,1,1,0,1)+IMPACT(DZ(20,1),VZ(20,1),.2,1,1,0,1)\n")),
        approach(model_) {}

  /// taken: the second is in a branch that IF has taken.
  LawChanges at(double first, double second, bool taken = true) const {
    LawChanges found = approach.values();
    found.switches[0] = {first, 0, 1, 1, 0, 1, true, 0, {}, NAN};
    found.switches[1] = {second, 0, 1, 1, 0, 1, taken, 0, {}, NAN};
    return found;
  }

 private:
  Model model_;

 public:
  Approach approach;
};

/// Two gaps that vanish together, as powers 1.3 and 1.5 of the time that is left: parabolas tell it too early
/// by a part of that, however near it is. A step over it is given up unless it is short, and steps grow by
/// two.
TEST(Approach, gaps_that_vanish_together_do_not_end_steps_ever_nearer) {
  constexpr double touch = 1, longest = 0.1, short_enough = 0.01, shrinks = 0.3;
  Gaps gaps;
  const auto found = [&](double t) {
    const double left = std::fabs(touch - t), side = t < touch ? 1 : -1;
    return gaps.at(side * std::pow(left, 1.3), side * std::pow(left, 1.5));
  };
  double t = 0.35, h = longest;
  gaps.approach.begin(t, found(t));
  int steps = 0, ended = 0;
  while (t < touch && steps < 100) {
    double end = gaps.approach.end_of_step(t, h, t + h, Ends::all);
    ended += end < t + h;
    end = std::min(end, t + h);
    const bool rejected = end > touch && end - t > short_enough;
    if (rejected) end = t + shrinks * (end - t);
    h = std::min(longest, 2 * (end - t));
    t = end;
    gaps.approach.after_step(t, rejected, found(t));
    ++steps;
  }
  EXPECT_GE(ended, 1);
  EXPECT_LE(ended, 4);  // 28 where near is a part of the step alone
  EXPECT_LE(steps, 15);
}

/// A gap that vanishes twice within a step: it ends between, also the first one, from what is foreseen.
TEST(Approach, ends_between_two_changes_from_the_start_on) {
  for (const bool foreseen : {false, true}) {
    Gaps gaps;
    const auto found = [&](double t) { return gaps.at((t - 0.1) * (t - 0.5), 1); };
    gaps.approach.begin(0, found(0));
    if (foreseen) gaps.approach.foresee(0.5, {found(0.5), found(1)});
    const double end = gaps.approach.end_of_step(0, 1, 1, Ends::passages_and_between);
    if (foreseen)
      EXPECT_NEAR(end, 0.3, 1e-12);
    else
      EXPECT_EQ(end, HUGE_VAL);
  }
}

/// What is in a branch of IF that is not taken ends no step, unless another function may change before.
TEST(Approach, what_is_not_taken_ends_no_step_alone) {
  constexpr double changes = 0.6;
  const auto end = [&](double before, bool known) {
    Gaps gaps;
    const auto found = [&](double t) {
      return gaps.at(before - t, known ? t * t - changes * changes : NAN, false);
    };
    gaps.approach.begin(0, found(0));
    gaps.approach.foresee(0.5, {found(0.5), found(1)});
    return gaps.approach.end_of_step(0, 1, 1, Ends::passages_and_between);
  };
  EXPECT_EQ(end(2, false), HUGE_VAL);
  EXPECT_EQ(end(2, true), HUGE_VAL);
  EXPECT_EQ(end(0.8, true), HUGE_VAL);
  EXPECT_EQ(end(0.2, false), HUGE_VAL);
  EXPECT_NEAR(end(0.2, true), (0.2 + changes) / 2, 1e-12);
}

/// Functions in the equations of the motion alone: not those of sensors, requests, forces that are out of
/// force, of |x|, and of times that are known before.
TEST(Approach, watches_what_moves) {
  const auto model = [](const std::string& more, bool active) {
    Diagnostics diagnostics;
    Description description = parse_dataset(
        "title\nUNITS/UCF=1\nPART/1,GROUND\nMARKER/1,PART=1\n"
        "PART/2,MASS=1,CM=20,IP=1,1,1\nMARKER/20,PART=2\n" +
            more + "END\n",
        "test.adm", diagnostics);
    for (Statement& s : description.statements)
      if (s.spec->keyword == "SFORCE") s.active = active;
    Model out = compile(description, diagnostics);
    diagnostics.stop_on_errors();
    return out;
  };
  const auto switches = [&](const std::string& more, bool active = true) {
    return LawSwitches(model(more, active)).item.size();
  };
  EXPECT_EQ(
      switches("SFORCE/1,TRANSLATION,I=20,J=1,ACTIONONLY,FUNCTION=BISTOP(DZ(20,1),VZ(20,1),0,1,1,1,1,1)\n"),
      2u);
  EXPECT_EQ(switches("SFORCE/1,TRANSLATION,I=20,J=1,ACTIONONLY,FUNCTION=IF(SIN(TIME)-.5:DX(20,1),0,1)\n"),
            1u);
  EXPECT_EQ(switches("SFORCE/1,TRANSLATION,I=20,J=1,ACTIONONLY,FUNCTION=IF(2*TIME-.5:DX(20,1),0,1)\n"), 0u);
  EXPECT_EQ(switches("SFORCE/1,TRANSLATION,I=20,J=1,ACTIONONLY,FUNCTION=DELAY(DX(20,1),.1,0)\n"), 0u);
  EXPECT_EQ(switches("SFORCE/1,TRANSLATION,I=20,J=1,ACTIONONLY,FUNCTION=SQRT(DX(20,1)**2)\n"), 0u);
  EXPECT_EQ(
      switches("SFORCE/1,TRANSLATION,I=20,J=1,ACTIONONLY,FUNCTION=IMPACT(DZ(20,1),VZ(20,1),0,1,1,1,1)\n",
               false),
      0u);
  EXPECT_EQ(switches("SENSOR/1,FUNCTION=IF(DX(20,1):0,0,1),VALUE=1,ERROR=.1,HALT\n"), 0u);
  EXPECT_EQ(switches("REQUEST/1,F2=IF(DX(20,1):0,0,1)\n"), 0u);
}

/// VARIABLEs each of which reads the next: they are looked into as far as the stack bears a call in a call,
/// and the fold of DM at their end is found in 500 of them, not in 30,000.
TEST(Approach, long_rows_of_variables_do_not_end_the_program) {
  for (const int n : {500, 30000}) {
    std::string deck =
        "UNITS/UCF=1\nPART/1,GROUND\nMARKER/1,PART=1\nPART/2,MASS=1,CM=20,IP=1,1,1\nMARKER/20,PART=2\n"
        "SFORCE/1,TRANSLATION,ACTIONONLY,I=20,J=1,FUNCTION=IMPACT(VARVAL(1),VZ(20),1,1,1,0,1)\n";
    for (int k = 1; k < n; ++k)
      deck += "VARIABLE/" + std::to_string(k) + ",FUNCTION=2*VARVAL(" + std::to_string(k + 1) + ")\n";
    const Model model = compile_text(deck + "VARIABLE/" + std::to_string(n) + ",FUNCTION=DM(20,1)\n");
    const LawSwitches switches(model);
    ASSERT_EQ(switches.item.size(), 1u);
    EXPECT_EQ(switches.item[0].fold.of, n == 500 ? Fold::distance : Fold::none);
  }
}

}  // namespace
}  // namespace trammel::approach_test
