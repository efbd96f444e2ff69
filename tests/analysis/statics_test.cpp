// Statics against potentials, closed forms and slow motion.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "../support/simulate.h"
#include "random_statics.h"

namespace trammel::statics_test {
namespace {

using namespace test;

constexpr double g = 9.81;
constexpr const char* head =
    "title\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nACCGRAV/JGRAV=-9.81\n"
    "PART/1,GROUND\nMARKER/1,PART=1\n";

Potential::Poses poses(const Recording& r, std::size_t record, int bodies) {
  Potential::Poses out;
  for (int b = 0; b < bodies; ++b) {
    const std::string name = fmt::format("PART/{}", b + 2);
    out.push_back(
        {r.vector(record, name, "X", "Y", "Z"), rotation_313(r.vector(record, name, "PSI", "THETA", "PHI"))});
  }
  return out;
}

/// By what the potential says: forces vanish, and it has a minimum where the program says that it is stable.
void expect_minimum(const RandomStatics& model, const Recording& r, const std::string& where) {
  const Potential::Poses at = poses(r, 0, model.bodies());
  // Newton's iteration leaves the rounding of forces of 1e4 N.
  EXPECT_LT(model.potential().forces(at).cwiseAbs().maxCoeff(), 1e-6) << where;
  // A step that is short against the slack of a cable, and whose differences have an error of 1e-12 N / 1e-8
  // m.
  const Eigen::VectorXd eigenvalues =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(model.potential().stiffness(at, 1e-8)).eigenvalues();
  const double largest = eigenvalues.cwiseAbs().maxCoeff();
  EXPECT_GT(eigenvalues.minCoeff(), -1e-7 * largest - 1e-3) << where;
  for (const std::string& text : r.warnings) EXPECT_EQ(text.find("unstable"), std::string::npos) << where;
}

TEST(Statics, the_funnel_finds_minima_of_random_potentials) {
  int found = 0;
  constexpr int models = 200;
  for (int k = 0; k < models; ++k) {
    const int kind = k % RandomStatics::kinds;
    const std::string where = fmt::format("kind {}, seed {}", kind, k);
    const RandomStatics model = RandomStatics::of_kind(kind, k);
    Recording r(model.deck("EQUILIBRIUM/METHOD=FUNNEL\n"));
    try {
      r.simulation->run(statics_analysis);
    } catch (const Failure& failure) {
      if (failure.code() != ExitCode::solver) throw;
      continue;
    }
    ++found;
    expect_minimum(model, r, where);
  }
  EXPECT_GE(found, 0.95 * models);
  RecordProperty("found", found);
}

TEST(Statics, every_method_finds_the_same_where_there_is_one) {
  // A beam of springs whose only equilibrium is near.
  const std::string deck =
      std::string(head) +
      "PART/2,QG=0,-1,0,MASS=2,CM=20,IP=1,1,1\nMARKER/20,PART=2\nMARKER/21,PART=1,QP=0,-1,0\n"
      "BUSHING/1,I=20,J=21,K=1000,2000,3000,KT=50,60,70,C=1,1,1,CT=1,1,1\n";
  for (const char* method : {"ORIGINAL", "ADVANCED", "AGGRESSIVE", "ALL", "FUNNEL", "DYNAMIC"}) {
    const bool dynamic = std::string(method) == "DYNAMIC";
    Recording r(deck + "EQUILIBRIUM/" + (dynamic ? "" : "METHOD=") + method + "\nEND\n");
    r.simulation->run(statics_analysis);
    EXPECT_EQ(r.kinds[0], StepKind::statics);
    EXPECT_NEAR(r.at(0, "PART/2", "Y"), -1 - 2 * g / 2000, 1e-12) << method;
    EXPECT_NEAR(r.at(0, "BUSHING/1", "FY"), 2 * g, 1e-9) << method;
    EXPECT_EQ(r.at(0, "PART/2", "VY"), 0) << method;
  }
}

/// A bar of 2 kg on a pin, held by a spring of 30 N/m from 3 m above it: a damped motion comes to rest where
/// Newton's iteration does, whatever of it is set; or says that it had too little time.
TEST(Statics, a_damped_motion_follows_each_of_its_settings) {
  const std::string deck =
      std::string(head) +
      "PART/2,MASS=2,CM=20,IP=1,1,1,QG=0.9,0.3,0\nMARKER/20,PART=2\nMARKER/21,PART=2,QP=-0.9,-0.3,0\n"
      "MARKER/5,PART=1,QP=0,3,0\nJOINT/1,REVOLUTE,I=21,J=1\n"
      "SPRINGDAMPER/1,TRANSLATION,I=20,J=5,K=30,C=1,LENGTH=2\n";
  const auto equilibrium = [&](const std::string& settings) {
    Recording r(deck + "EQUILIBRIUM/" + settings + "\nEND\n");
    r.simulation->run(statics_analysis);
    return r.at(0, "PART/2", "X");
  };
  const double x = equilibrium("METHOD=ORIGINAL");
  for (const char* settings :
       {"DYNAMIC", "DYNAMIC, GLOBAL_DAMPING=3", "DYNAMIC, ACCELERATION_ERROR=1E-6, KINETIC_ENERGY_ERROR=1E-8",
        "DYNAMIC, GLOBAL_DAMPING=3, ACCELERATION_ERROR=1E-5, KINETIC_ENERGY_ERROR=1E-9"})
    EXPECT_NEAR(equilibrium(settings), x, 1e-6) << settings;  // ERROR = IMBALANCE = 1e-4 over 100 N/m
  EXPECT_THROW(equilibrium("DYNAMIC, SETTLING_TIME=0.01"), Failure);
}

TEST(Statics, a_pendulum_hangs_and_its_pin_carries_it) {
  Recording r(std::string(head) +
              "PART/2,MASS=3,CM=20,IP=.1,.5,.5\nMARKER/20,PART=2,QP=2,0,0\nMARKER/21,PART=2\n"
              "JOINT/1,REVOLUTE,I=21,J=1\nREQUEST/1,F2=MODE\\F3=DX(20,1)\\F4=DY(20,1)\nEND\n");
  r.simulation->run(statics_analysis);
  EXPECT_NEAR(r.at(0, "REQUEST/1", "F3"), 0, 1e-12);
  EXPECT_NEAR(r.at(0, "REQUEST/1", "F4"), -2, 1e-12);
  EXPECT_NEAR(r.at(0, "JOINT/1", "FY"), 3 * g, 1e-11);
  EXPECT_EQ(r.at(0, "REQUEST/1", "F2"), 5);
}

/// A mass on a spring with a state that follows it: u' = (x − u)/τ; held, it stays.
TEST(Statics, states_come_to_rest_or_are_held) {
  for (const bool held : {false, true}) {
    Recording r(std::string(head) +
                "PART/2,QG=0,-1,0,MASS=2,CM=20,IP=1,1,1\nMARKER/20,PART=2\nMARKER/21,PART=2\n"
                "MARKER/2,PART=1,REULER=0,90D,0\nMARKER/22,PART=2,REULER=0,90D,0\n"
                "JOINT/1,TRANSLATIONAL,I=22,J=2\nMARKER/3,PART=1,REULER=90D,90D,0\n"
                "SFORCE/1,TRANSLATION,ACTIONONLY,I=20,J=1,FUNCTION=0\n"
                "GFORCE/2,I=20,JFLOAT=30,RM=1,FX=0\\FY=-1000*(DY(20,1)+1)-50*DIF(1)\\FZ=0\\TX=0\\TY=0\\TZ=0\n"
                "MARKER/30,PART=1,FLOATING\n"
                "DIFF/1,IC=0.25" +
                (held ? ",STATIC_HOLD" : "") +
                ",FUNCTION=(DY(20,1)-DIF(1))/0.3\nREQUEST/1,F2=DIF(1)\\F3=DIF1(1)\nEND\n");
    // The slide is along the global y axis.
    r.simulation->run(statics_analysis);
    const double y = held ? -1 - (2 * g + 50 * 0.25) / 1000 : -(1000 + 2 * g) / 1050;
    EXPECT_NEAR(r.at(0, "PART/2", "Y"), y, 1e-12) << held;
    EXPECT_NEAR(r.at(0, "REQUEST/1", "F2"), held ? 0.25 : y, 1e-12);
    EXPECT_EQ(r.at(0, "REQUEST/1", "F3"), 0);
  }
}

TEST(Statics, motions_by_velocity_hold_where_they_are) {
  Recording r(std::string(head) +
              "PART/2,MASS=3,CM=20,IP=.1,.5,.5\nMARKER/20,PART=2,QP=2,0,0\nMARKER/21,PART=2\n"
              "JOINT/1,REVOLUTE,I=21,J=1\nMOTION/1,JOINT=1,ROT,VELOCITY,FUNCTION=1+TIME\n"
              "REQUEST/1,F2=DX(20,1)\nEND\n");
  r.simulation->run(statics_analysis);
  EXPECT_NEAR(r.at(0, "REQUEST/1", "F2"), 2, 1e-13);
  EXPECT_NEAR(r.at(0, "MOTION/1", "TZ"), 3 * g * 2, 1e-10);
  // Dynamics goes on with the motion's velocity.
  r.simulation->run(dynamics_analysis, {0.1, 1});
  EXPECT_NEAR(r.at(1, "PART/2", "WZ"), 1, 1e-12);
}

TEST(Statics, dynamics_begins_there_with_the_velocities_of_the_dataset) {
  const std::string deck =
      std::string(head) +
      "PART/2,MASS=3,CM=20,IP=.1,.5,.5,WZ=1.5\nMARKER/20,PART=2,QP=2,0,0\nMARKER/21,PART=2\n"
      "JOINT/1,REVOLUTE,I=21,J=1\nEND\n";
  Recording r(deck);
  r.simulation->run(statics_analysis);
  EXPECT_EQ(r.at(0, "PART/2", "WZ"), 0);
  r.simulation->run(dynamics_analysis, {0.5, 5});
  // Given velocities are kept with the weight 1e10 (primer, section 3.2).
  EXPECT_NEAR(r.at(1, "PART/2", "WZ"), 1.5, 2e-10 * 1.5);
  EXPECT_NEAR(r.at(1, "PART/2", "WDZ"), 0, 1e-12);  // it hangs
  // After a motion it is at rest, and stays.
  r.simulation->run(statics_analysis);
  r.simulation->run(dynamics_analysis, {1.0, 5});
  EXPECT_NEAR(r.at(r.time.size() - 1, "PART/2", "WZ"), 0, 1e-9);
}

TEST(Statics, a_delay_at_rest_is_the_present) {
  Recording r(
      std::string(head) +
      "PART/2,QG=0,-1,0,MASS=2,CM=20,IP=1,1,1\nMARKER/20,PART=2\nMARKER/30,PART=1,FLOATING\n"
      "VFORCE/2,I=20,JFLOAT=30,RM=1,FX=-10*DX(20,1)\\FY=-100*DELAY(DY(20,1),0.1,TIME)\\FZ=-10*DZ(20,1)\n"
      "MARKER/31,PART=1,FLOATING\nVTORQUE/"
      "3,I=20,JFLOAT=31,RM=1,TX=-AX(20,1)\\TY=-AY(20,1)\\TZ=-AZ(20,1)\nEND\n");
  r.simulation->run(statics_analysis);
  EXPECT_NEAR(r.at(0, "PART/2", "Y"), -2 * g / 100, 1e-12);
}

/// A crank on a spring follows a slow motion: the sequence of equilibria is the limit of slow dynamics.
TEST(Statics, a_sequence_is_slow_dynamics) {
  const auto deck = [](double slow) {
    return std::string(head) +
           fmt::format(
               "PART/2,MASS=3,CM=20,IP=.1,.5,.5\nMARKER/20,PART=2,QP=1,0,0\nMARKER/21,PART=2\nMARKER/"
               "22,PART=2,QP=2,0,0\n"
               "JOINT/1,REVOLUTE,I=21,J=1\nMARKER/2,PART=1,QP=2,1,0\n"
               "SFORCE/1,TRANSLATION,I=22,J=2,FUNCTION=-2000*(DM(22,2)-0.8-0.3*SIN(TIME/{0}))-300*VR(22,2)\n"
               "REQUEST/1,F2=AZ(22,1)\\F3=MODE\nEND\n",
               slow);
  };
  Recording rest(deck(1)), slow(deck(1e5));
  rest.simulation->run(statics_analysis, {2, 20});
  slow.simulation->run(statics_analysis);
  slow.simulation->run(dynamics_analysis, {2e5, 20});
  ASSERT_EQ(rest.time.size(), 21u);
  for (std::size_t k = 1; k < rest.time.size(); ++k) {
    // Velocities are 3e-6 / s, and the damper is late by 300 / 2000 s.
    EXPECT_NEAR(rest.at(k, "REQUEST/1", "F2"), slow.at(k + 1, "REQUEST/1", "F2"), 1e-6);
    EXPECT_EQ(rest.at(k, "REQUEST/1", "F3"), 6);
    EXPECT_EQ(rest.kinds[k], StepKind::quasi_statics);
  }
}

// The part rests at 0.125 from the first record on: at rest the past of a DELAY is the present, and MODE is 6
// in a sequence, for the SENSOR too, which ends it.
TEST(Statics, a_sequence_is_at_rest_from_its_first_record_on) {
  Recording r(
      "rest\nUNITS/SYSTEM=MKS\nPART/1,GROUND\nMARKER/1,PART=1\nPART/2,MASS=1,CM=20,IP=1,1,1\nMARKER/"
      "20,PART=2\n"
      "JOINT/1,TRANSLATIONAL,I=20,J=1\n"
      "SFORCE/1,TRANSLATION,ACTIONONLY,I=20,J=1,FUNCTION=1-7*DZ(20)-DELAY(DZ(20),0.1,3)\n"
      "REQUEST/1,F2=DZ(20)\\F3=MODE\\F4=SFORCE(1,0,4,1)\n"
      "SENSOR/1,FUNCTION=(MODE-6)*100+TIME,VALUE=0.53,ERROR=1E-6,GE,HALT\nEND\n");
  EXPECT_EQ(r.simulation->run(statics_analysis, {1, 4}), AnalysisEnd::halted);
  for (std::size_t k = 0; k < r.values.size(); ++k) {
    EXPECT_NEAR(r.at(k, "REQUEST/1", "F2"), 0.125, 1e-6) << r.time[k];
    EXPECT_EQ(r.at(k, "REQUEST/1", "F3"), 6) << r.time[k];
    EXPECT_NEAR(r.at(k, "REQUEST/1", "F4"), 0, 1e-5) << r.time[k];
  }
  EXPECT_NEAR(r.time.back(), 0.53, 1e-9);
}

/// A bar that stands on a pin with a torsion spring of stiffness k: stable above m g l, unstable below.
TEST(Statics, tells_stable_unstable_and_neutral_apart) {
  const auto deck = [](double k, const char* more) {
    return std::string(head) +
           fmt::format(
               "PART/2,REULER=90D,0,0,MASS=3,CM=20,IP=.1,.5,.5\nMARKER/20,PART=2,QP=2,0,0\nMARKER/21,PART=2\n"
               "JOINT/1,REVOLUTE,I=21,J=1\nMARKER/22,PART=1,REULER=90D,0,0\n"
               "SPRINGDAMPER/1,ROTATION,I=21,J=22,KT={:.17g},CT=0.5\n{}EQUILIBRIUM/METHOD=ORIGINAL\nEND\n",
               k, more);
  };
  const double critical = 3 * g * 2, inertia = 0.5 + 3 * 4;
  Recording stable(deck(1.0001 * critical, ""));
  stable.simulation->run(statics_analysis);
  EXPECT_TRUE(stable.warnings.empty());
  Recording unstable(deck(0.99 * critical, ""));
  unstable.simulation->run(statics_analysis);
  ASSERT_EQ(unstable.warnings.size(), 1u);
  // s² J + 0.5 s − 0.01 m g l = 0.
  const double s = (-0.5 + std::sqrt(0.25 + 4 * inertia * 0.01 * critical)) / (2 * inertia);
  EXPECT_NE(unstable.warnings[0].find(fmt::format("exp({:.4g} t)", s)), std::string::npos)
      << unstable.warnings[0];
  Recording neutral(deck(1.1 * critical,
                         "PART/3,QG=5,0,0,MASS=1,CM=30,IP=1,1,1\nMARKER/30,PART=3\nMARKER/31,PART=3\n"
                         "MARKER/32,PART=1,QP=5,0,0\nJOINT/3,REVOLUTE,I=31,J=32\n"));
  neutral.simulation->run(statics_analysis);
  ASSERT_EQ(neutral.notes.size(), 1u);
  EXPECT_NE(neutral.notes[0].find("1 motion is held by nothing, of PART/3."), std::string::npos)
      << neutral.notes[0];
}

/// STATIC_HOLD holds the state of an LSE or TFSISO, not what comes out: y = C x + D u follows the input at
/// rest.
TEST(Statics, outputs_of_held_states_follow_their_inputs) {
  const std::string slide = std::string(head) +
                            "PART/2,MASS=1,CM=20,IP=1,1,1,QG=.3,0,0\nMARKER/20,PART=2,REULER=90D,90D,0\n"
                            "MARKER/2,PART=1,REULER=90D,90D,0\nJOINT/1,TRANSLATIONAL,I=20,J=2\n"
                            "VARIABLE/1,FUNCTION=DZ(20,2,2)\nARRAY/1,X\nARRAY/2,Y\nARRAY/3,U,VARIABLES=1\n"
                            "SFORCE/1,TRANSLATION,ACTIONONLY,I=20,J=2,FUNCTION=ARYVAL(2,1)-5*DZ(20,2,2)+1\n";
  const std::string lse =
      "LSE/1,X=1,U=3,Y=2,A=1,B=2,C=3,D=4,IC=4,STATIC_HOLD\nARRAY/4,IC,NUMBERS=0.7\n"
      "MATRIX/1,FULL,RORDER,ROWS=1,COLUMNS=1,VALUES=-1\nMATRIX/2,FULL,RORDER,ROWS=1,COLUMNS=1,VALUES=1\n"
      "MATRIX/3,FULL,RORDER,ROWS=1,COLUMNS=1,VALUES=2\nMATRIX/4,FULL,RORDER,ROWS=1,COLUMNS=1,VALUES=3\n";
  const std::string tfsiso = "TFSISO/1,X=1,U=3,Y=2,STATIC_HOLD,NUMERATOR=1,3,DENOMINATOR=1,1\n";
  for (const bool is_lse : {true, false}) {
    Recording r(slide + (is_lse ? lse : tfsiso) + "EQUILIBRIUM/ERROR=1E-12,IMBALANCE=1E-12\nEND\n");
    r.simulation->run(statics_analysis);
    // 0 = C x + D z - 5 z + 1, x as at the beginning; the transfer function has D = 3 and x = 0.
    EXPECT_NEAR(r.at(0, "PART/2", "X"), ((is_lse ? 2 * 0.7 : 0) + 1) / (5 - 3), 1e-12);
  }
}

/// A toggle that begins at its dead centre, where the forces of its springs cancel: the funnel leaves it.
TEST(Statics, the_funnel_leaves_an_unstable_start) {
  for (const char* method : {"ORIGINAL", "FUNNEL"}) {
    Recording r(std::string("title\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\n"
                            "PART/1,GROUND\nMARKER/1,PART=1\nPART/2,MASS=1,CM=20,IP=1,1,1\nMARKER/20,PART=2\n"
                            "MARKER/2,PART=1,REULER=0,90D,0\nMARKER/22,PART=2,REULER=0,90D,0\n"
                            "JOINT/1,TRANSLATIONAL,I=22,J=2\nMARKER/3,PART=1,QP=1,0,0\n"
                            "SPRINGDAMPER/1,TRANSLATION,I=20,J=3,K=100,LENGTH=1.25\nEQUILIBRIUM/METHOD=") +
                method + "\nEND\n");
    r.simulation->run(statics_analysis);
    const bool funnel = std::string(method) == "FUNNEL";
    EXPECT_NEAR(std::abs(r.at(0, "PART/2", "Y")), funnel ? 0.75 : 0.0, 1e-9);
    EXPECT_EQ(r.warnings.size(), funnel ? 0u : 1u);
  }
}

std::string failure_of(const std::string& deck) {
  Recording r(deck);
  try {
    r.simulation->run(statics_analysis);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::solver);
    return failure.what();
  }
  return "";
}

TEST(Statics, what_has_no_equilibrium_is_told_from_what_was_not_found) {
  const std::string falling = std::string(head) + "PART/2,MASS=2,CM=20,IP=1,1,1\nMARKER/20,PART=2\n";
  EXPECT_NE(failure_of(falling + "EQUILIBRIUM/METHOD=FUNNEL\nEND\n").find("PART/2 has been driven"),
            std::string::npos);
  const std::string far =
      std::string(head) +
      "PART/2,MASS=3,CM=20,IP=.1,.5,.5,REULER=45D,0,0\nMARKER/20,PART=2,QP=2,0,0\nMARKER/21,PART=2\n"
      "JOINT/1,REVOLUTE,I=21,J=1\n";
  const std::string text = failure_of(far + "EQUILIBRIUM/METHOD=ORIGINAL,MAXIT=4\nEND\n");
  EXPECT_NE(text.find("ALIMIT"), std::string::npos) << text;
  EXPECT_NE(text.find("METHOD=FUNNEL"), std::string::npos) << text;
  EXPECT_EQ(text.find("has been driven"), std::string::npos) << text;
  const std::string slow = failure_of(far + "EQUILIBRIUM/METHOD=FUNNEL,ALIMIT=0.01D\nEND\n");
  EXPECT_NE(slow.find("longer ones (ALIMIT above 0.01 degrees)"), std::string::npos) << slow;
}

/// Nothing holds it across the spring, and no force pulls it there: a mass hangs L₀ + m g / K below whatever
/// the method.
TEST(Statics, a_direction_that_nothing_holds_is_left_alone_by_all_methods) {
  for (const char* method : {"ORIGINAL", "ADVANCED", "AGGRESSIVE", "FUNNEL"}) {
    Recording r(
        std::string(head) +
        "PART/2,MASS=2,CM=20,IP=1,1,1,QG=0.3,-1,0\nMARKER/20,PART=2\nMARKER/11,PART=1,REULER=0,90D,0\n"
        "MARKER/21,PART=2,REULER=0,90D,0\nJPRIM/1,PARALLEL,I=21,J=11\n"
        "VFORCE/2,I=20,JFLOAT=12,RM=1,FX=0\\FY=-50*(DY(20,1)+0.5)\\FZ=0\nMARKER/12,PART=1,FLOATING\n"
        "EQUILIBRIUM/METHOD=" +
        method + "\nEND\n");
    r.simulation->run(statics_analysis);
    EXPECT_NEAR(r.at(0, "PART/2", "X"), 0.3, 1e-9) << method;
    EXPECT_NEAR(r.at(0, "PART/2", "Y"), -0.5 - 2 * 9.81 / 50, 1e-6) << method;
  }
}

// A mass on a spring in a plane, in mm and 6 m from where it rests, by at most TLIMIT = 20 mm an iteration:
// 250 do not get there, which the message says with what does.
TEST(Statics, the_funnel_takes_as_many_iterations_as_maxit_says) {
  const std::string deck =
      "far\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=MILLIMETER,TIME=SECOND\nACCGRAV/JGRAV=-9810\n"
      "PART/1,GROUND\nMARKER/11,PART=1\nPART/2,MASS=1,CM=20,IP=1,1,1,QG=6000,100,0\nMARKER/20,PART=2\n"
      "JOINT/1,PLANAR,I=20,J=11\nSPRINGDAMPER/1,I=20,J=11,TRANSLATION,K=1,C=1,LENGTH=500\n";
  const std::string text = failure_of(deck + "EQUILIBRIUM/METHOD=FUNNEL,TLIMIT=20\nEND\n");
  EXPECT_NE(text.find("(MAXIT = 2500), longer ones (TLIMIT above 20)"), std::string::npos) << text;
  for (const char* more : {"MAXIT=2500,TLIMIT=20", "TLIMIT=2000"}) {
    Recording r(deck + "EQUILIBRIUM/METHOD=FUNNEL," + more + "\nEND\n");
    r.simulation->run(statics_analysis);
    // L₀ + m g / K below its anchor; IMBALANCE = 1e-4 N, on K = 1 N/mm and on m g / 509.81 mm aside.
    EXPECT_NEAR(r.at(0, "PART/2", "X"), 0, 1e-4 * 509.81 / 9.81) << more;
    EXPECT_NEAR(r.at(0, "PART/2", "Y"), -509.81, 1e-4) << more;
  }
}

/// 1e-9 kg on a spring that hardens, k z + c z³ = −m g: IMBALANCE = 1e-4 N is beside nothing of 1e-8 N, and
/// ERROR = 1e-4 m of 2e-6 m. Iterations go on that leave more than there was at the start, until it is a
/// thousandth.
TEST(Statics, of_light_models_are_no_less_accurate) {
  constexpr double k = 1e-3, c = 1e9, weight = 1e-9 * g;
  double z = -1e-6;
  for (int n = 0; n < 50; ++n) z -= (k * z + c * z * z * z + weight) / (k + 3 * c * z * z);
  for (const char* method : {"ORIGINAL", "ADVANCED", "FUNNEL"}) {
    Recording r(
        std::string(head) +
        "MARKER/2,PART=1,REULER=0,90D,0\nPART/2,MASS=1E-9,CM=20,IP=1E-20,1E-20,1E-20\nMARKER/20,PART=2\n"
        "MARKER/21,PART=2,REULER=0,90D,0\nJOINT/1,TRANSLATIONAL,I=21,J=2\n"
        "SFORCE/1,TRANSLATION,ACTIONONLY,I=21,J=2,FUNCTION=-1E-3*DZ(21,2,2)-1E9*DZ(21,2,2)**3\n"
        "EQUILIBRIUM/METHOD=" +
        method + "\nEND\n");
    r.simulation->run(statics_analysis);
    EXPECT_NEAR(r.at(0, "PART/2", "Y"), z, 1e-3 * weight / k) << method;
  }
}

/// A mass that falls onto a stiff floor, into which it sinks by 0.7 mm, less than the ERROR with which it
/// falls.
TEST(Statics, a_damped_motion_comes_to_rest_on_a_contact) {
  for (const double height : {50.0, 5.0, 0.3, -0.01}) {
    Recording r(std::string(head) +
                fmt::format("MARKER/2,PART=1,REULER=0,-90D,0\nPART/2,MASS=2,CM=20,QG=0,{},0,IP=1,1,1\n"
                            "MARKER/20,PART=2\nMARKER/21,PART=2,REULER=0,-90D,0\n"
                            "JOINT/1,TRANSLATIONAL,I=21,J=2\n"
                            "SFORCE/1,TRANSLATION,ACTIONONLY,I=21,J=2,\n"
                            ", FUNCTION=IMPACT(DZ(21,2,2),VZ(21,2,2,2),0,1E6,1.5,100,1E-4)\n"
                            "EQUILIBRIUM/DYNAMIC\nEND\n",
                            height));
    r.simulation->run(statics_analysis);
    EXPECT_NEAR(r.at(0, "PART/2", "Y"), -std::pow(2 * g / 1e6, 1 / 1.5), 1e-9) << height;
    EXPECT_LT(r.simulation->counters().evaluations, 1000) << height;
  }
}

/// A torsion spring that is wound by more than half a turn may be so by other turns as well, with other loads
/// beside it: how many is up to the way of the search, which says so.
TEST(Statics, turns_on_the_way_to_an_equilibrium_are_told) {
  const auto rest = [](double torque) {
    Recording r(std::string(head) +
                fmt::format("PART/2,MASS=1,CM=20,IP=1,1,1\nMARKER/20,PART=2\nJOINT/1,REVOLUTE,I=20,J=1\n"
                            "BUSHING/1,I=20,J=1,K=1,1,1,KT=1,1,1,C=1,1,1,CT=1,1,1\n"
                            "SFORCE/1,ROTATION,ACTIONONLY,I=20,J=1,FUNCTION={}\nEND\n",
                            torque));
    r.simulation->run(statics_analysis);
    EXPECT_NEAR(r.at(0, "BUSHING/1", "TZ"), -torque, 1e-9);
    return r.warnings;
  };
  const auto tells = [](const std::vector<std::string>& warnings) {
    return std::ranges::any_of(warnings, [](const std::string& text) {
      return text.find("MARKER/20 and MARKER/1 have turned by more than half a turn") != std::string::npos;
    });
  };
  EXPECT_FALSE(tells(rest(3)));
  EXPECT_TRUE(tells(rest(4)));  // rad, with 1 N m/rad
}

/// Units of one mechanism: what 1 N, 1 kg, 1 m and 1 s are in them.
struct DeckUnits {
  const char* names;
  double force, mass, length, time;
};
class StaticsInUnits : public ::testing::TestWithParam<DeckUnits> {
 protected:
  /// A mass of 1 kg on a spring of 1000 N/m and 0.5 m, 6 m from where it rests; a rod of 2 kg that hangs by
  /// its end 1 m above its centre, almost upright.
  std::string deck() const {
    const auto [names, F, M, L, T] = GetParam();
    const auto inertia = [](double J) { return fmt::format("IP={0:.17g},{0:.17g},{0:.17g}", J); };
    return fmt::format(
               "far\nUNITS/{}\nACCGRAV/JGRAV={:.17g}\nPART/1,GROUND\nMARKER/11,PART=1\nMARKER/12,PART=1\n",
               names, -9.81 * L / (T * T)) +
           fmt::format(
               "PART/2,MASS={:.17g},CM=20,{},QG={:.17g},{:.17g},0\nMARKER/20,PART=2\n"
               "JOINT/1,PLANAR,I=20,J=11\nSPRINGDAMPER/1,I=20,J=11,TRANSLATION,K={:.17g},LENGTH={:.17g}\n",
               M, inertia(M * L * L), 6 * L, 0.1 * L, 1000 * F / L, 0.5 * L) +
           fmt::format(
               "PART/3,MASS={:.17g},CM=30,{},REULER=3,0,0\nMARKER/30,PART=3,QP=0,{:.17g},0\n"
               "MARKER/31,PART=3\nJOINT/2,REVOLUTE,I=31,J=12\nEQUILIBRIUM/METHOD=FUNNEL\nEND\n",
               2 * M, inertia(M * L * L), -L);
  }
};
/// Both rest where springs and weights say, whatever the units, without other settings.
TEST_P(StaticsInUnits, the_funnel_needs_no_settings) {
  const double length = GetParam().length;
  Recording r(deck());
  r.simulation->run(statics_analysis);
  // L₀ + m g / K below its anchor; ERROR = 1e-4 of a length, after which corrections are squares of it
  EXPECT_NEAR(r.at(0, "PART/2", "X") / length, 0, 1e-5);
  EXPECT_NEAR(r.at(0, "PART/2", "Y") / length, -0.50981, 1e-5);
  EXPECT_NEAR(r.at(0, "PART/3", "Y") / length, 0, 1e-9);
  EXPECT_LT(r.simulation->assembler().kinematics().body(1).x.y / length, -1 + 1e-5);
}
INSTANTIATE_TEST_SUITE_P(
    of, StaticsInUnits,
    testing::Values(DeckUnits{"FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND", 1, 1, 1, 1},
                    DeckUnits{"FORCE=NEWTON,MASS=KILOGRAM,LENGTH=MILLIMETER,TIME=SECOND", 1, 1, 1e3, 1},
                    DeckUnits{"SYSTEM=IPS", 0.22480894309971047, 2.2046226218487757, 39.370078740157481, 1},
                    DeckUnits{"FORCE=KNEWTON,MASS=TONNE,LENGTH=MILLIMETER,TIME=MILLISECOND", 1e-3, 1e-3, 1e3,
                              1e3}));

}  // namespace
}  // namespace trammel::statics_test
