// What steps tell to who watches: which coordinate or state limits them, against decks where that is known,
// and that the point of an iteration is the one where the equations are evaluated.
#include <gtest/gtest.h>

#include <map>

#include "../support/simulate.h"
#include "integrate/observer.h"

namespace trammel::test::observer_test {
namespace {

struct Seen : SolveObserver {
  std::map<std::string, int> limits;  ///< accepted steps by the unknown that limits them
  int iterations = 0, attempts = 0, begun = 0;
  std::map<ErrorPlace::Kind, int> kinds;
  int rotations = 0;
  const Model* model = nullptr;

  void steps_begin(const StepsSeen&) override { ++begun; }
  void iteration(const IterationSeen& seen) override {
    ++iterations;
    EXPECT_EQ(seen.residual[seen.stages - 1].size(), static_cast<std::size_t>(model->unknowns()));
  }
  void attempt(const AttemptSeen& seen) override {
    ++attempts;
    if (seen.end != AttemptEnd::accepted) return;
    EXPECT_EQ(seen.unknowns.size(), static_cast<std::size_t>(model->unknowns()));
    if (seen.largest.kind == ErrorPlace::Kind::none) return;
    ++limits[model->unknown_name(seen.largest.unknown)];
    ++kinds[seen.largest.kind];
    rotations += seen.largest.rotation;
  }
};

Seen watched(const std::string& deck, double end) {
  Recording run("watched\nPART/1, GROUND\nMARKER/11, PART=1\nMARKER/12, PART=1, QP=0,1,0\n" + deck + "END\n");
  Seen seen;
  seen.model = &run.simulation->model();
  run.simulation->observe(&seen);
  run.simulation->run(dynamics_analysis, {end, 10});
  EXPECT_EQ(seen.begun, 1);
  return seen;
}

const std::string masses =
    "PART/2, MASS=1, CM=21, IP=1,1,1, QG=1,0,0\nMARKER/21, PART=2\n"
    "PART/3, MASS=1, CM=31, IP=1,1,1, QG=0,2,0\nMARKER/31, PART=3\n"
    "SPRINGDAMPER/1, TRANSLATION, I=21, J=11, K=40, LENGTH=0.9\n";

class Limits : public testing::TestWithParam<std::string> {};

// A soft spring along X (1 Hz) and one a hundred times as fast along Y with the same amplitude: the error of
// a formula of order k in a motion of frequency f grows like f^(k+1).
TEST_P(Limits, are_those_of_the_fast_spring) {
  const Seen seen = watched(
      masses + "SPRINGDAMPER/2, TRANSLATION, I=31, J=12, K=4E5, LENGTH=0.9\nINTEGRATOR/" + GetParam() + "\n",
      0.05);
  ASSERT_FALSE(seen.limits.empty());
  int all = 0;
  for (const auto& [name, count] : seen.limits) all += count;
  EXPECT_GE(seen.limits.at("PART/3 Y"),
            0.95 * all);  // where the fast error passes zero another one may be larger
}

// A state that turns at 100 rad/s beside the soft spring.
TEST_P(Limits, are_those_of_a_fast_state) {
  const Seen seen =
      watched(masses + "DIFF/1, IC=1, FUNCTION=100*DIF(2)\nDIFF/2, IC=0, FUNCTION=-100*DIF(1)\nINTEGRATOR/" +
                  GetParam() + "\n",
              0.1);
  int all = 0, of_states = 0;
  for (const auto& [name, count] : seen.limits) {
    all += count;
    if (name.starts_with("DIFF")) of_states += count;
  }
  ASSERT_GT(all, 0);
  EXPECT_GE(of_states, 0.95 * all);
}

// A free body that spins fast about its axis of symmetry and tumbles: translations are those of a fall,
// exact.
TEST_P(Limits, are_the_rotation_of_a_spinning_body) {
  const Seen seen = watched(
      "PART/2, MASS=1, CM=21, IP=1,2,2.5, QG=1,0,0, WX=30, WY=5, WZ=1\nMARKER/21, "
      "PART=2\nACCGRAV/KGRAV=-10\nINTEGRATOR/" +
          GetParam() + "\n",
      0.5);
  int all = 0;
  for (const auto& [name, count] : seen.limits) all += count;
  ASSERT_GT(all, 0);
  EXPECT_GE(seen.rotations, 0.95 * all);
}

INSTANTIATE_TEST_SUITE_P(all, Limits,
                         testing::Values("HHT, ERROR=1E-6", "GSTIFF, ERROR=1E-6", "GSTIFF, SI2, ERROR=1E-6",
                                         "WSTIFF, SI2, ERROR=1E-6", "RADAU, ERROR=1E-6",
                                         "NEWMARK, HINIT=1E-3"));

TEST(Observer, hears_the_points_of_initial_conditions_and_a_failure_there) {
  struct Points : SolveObserver {
    std::vector<std::string> what;
    std::vector<int> rows;
    int iterations = 0;
    bool all_converged = true;
    void iteration(const IterationSeen&) override { ++iterations; }
    void point(const PointSeen& seen) override {
      what.push_back(seen.what);
      rows.push_back(iterations);
      all_converged = all_converged && seen.converged;
      iterations = 0;
    }
  } seen;
  // A pendulum of length 1 given 0.9 away from its pin: assembly iterates.
  Recording run(
      "pendulum\nPART/1, GROUND\nMARKER/11, PART=1\nPART/2, MASS=1, CM=21, IP=1,1,1, QG=0.9,0,0\nMARKER/21, "
      "PART=2\n"
      "MARKER/22, PART=2, QP=-1,0,0\nJOINT/1, SPHERICAL, I=22, J=11\nACCGRAV/KGRAV=-10\nEND\n");
  run.simulation->observe(&seen);
  const InitialReport& report = run.simulation->initialize();
  ASSERT_GE(seen.what.size(), 3u);
  EXPECT_EQ(seen.what[0], "initial positions");
  EXPECT_EQ(seen.rows[0], report.position_iterations);
  EXPECT_TRUE(seen.all_converged);

  Recording contradictory(
      "two pins\nPART/1, GROUND\nMARKER/11, PART=1\nMARKER/12, PART=1, QP=5,0,0\n"
      "PART/2, MASS=1, CM=21, IP=1,1,1, QG=0.9,0,0\nMARKER/21, PART=2\nMARKER/22, PART=2, QP=1,0,0\n"
      "JOINT/1, SPHERICAL, I=21, J=11\nJOINT/2, SPHERICAL, I=22, J=12\nEND\n");
  contradictory.simulation->observe(&seen);
  EXPECT_THROW(contradictory.simulation->initialize(), Failure);
}

}  // namespace
}  // namespace trammel::test::observer_test
