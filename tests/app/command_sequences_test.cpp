// What results mean after several commands: equilibria before a motion, angles and histories that go on where
// what they are measured on changes, mechanisms that are held. Against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <tuple>

#include <fmt/format.h>

#include "support.h"

using namespace trammel_test;

namespace command_sequences_test {
namespace {

constexpr double turn = 2 * std::numbers::pi;

Outcome run_sequence(const Folder& f, const std::string& deck, const std::string& commands) {
  f.write("deck.adm",
          "deck\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\n"
          "MARKER/1, PART=1\n" +
              deck + "END\n");
  f.write("job.acf", "deck\njob\n" + commands);
  return run(f, {"run", "job.acf"});
}

double last(const Folder& f, const std::string& channel) {
  return f.channel("job.nc", channel).back();
}

/// A bar of 1 kg, 1 m from its bearing to its centre of mass, that turns with 2 rad/s at the start.
const std::string pendulum =
    "PART/2, MASS=1, CM=21, IP=0.1,0.1,0.1, QG=1,0,0, WZ=2, VY=2\nMARKER/21, PART=2\n"
    "MARKER/22, PART=2, QP=-1,0,0\nJOINT/1, REVOLUTE, I=22, J=1\nACCGRAV/JGRAV=-10\n";

/// Two rotors, PART/2 and PART/3, each in a bearing of its own; `motion` of the first.
std::string rotors(const std::string& speed, const std::string& more) {
  return "PART/2, MASS=1, CM=2, IP=1,1,1" + speed +
         "\nMARKER/2, PART=2\nMARKER/12, PART=1\nJOINT/1, REVOLUTE, I=2, J=12\n"
         "PART/3, MASS=1, CM=3, IP=1,1,1, QG=5,0,0\nMARKER/3, PART=3\nMARKER/13, PART=1, QP=5,0,0\n"
         "JOINT/2, REVOLUTE, I=3, J=13\n" +
         more;
}

/// Dynamics behind equilibria begins with the velocities of the dataset, whatever has changed between: the
/// bar turns with 2 rad/s where it hangs.
TEST(CommandSequences, equilibria_before_a_motion_leave_the_velocities_of_the_dataset) {
  const std::string turned = "ACCGRAV/JGRAV=0, IGRAV=10\n", motion = "SIMULATE/DYNAMIC, END=0.1, STEPS=1\n";
  const std::pair<std::string, int> cases[] = {
      {"SIMULATE/STATIC\n" + turned + "SIMULATE/STATIC\n", 2},
      {turned + "SIMULATE/STATIC\n", 1},
      {"SIMULATE/INITIAL_CONDITIONS\n" + turned + "SIMULATE/STATIC\n", 2},
      {"SIMULATE/STATIC\n" + turned + "SIMULATE/STATIC\nSAVE/SYSTEM, FILE=a.sav\nRELOAD/SYSTEM, FILE=a.sav\n",
       2},
      {"SIMULATE/STATIC\n" + turned + "SIMULATE/STATIC\nSIMULATE/INITIAL_CONDITIONS\n", 2}};
  for (const auto& [commands, first] : cases) {
    Folder f;
    const Outcome o = run_sequence(f, pendulum, commands + motion);
    ASSERT_EQ(o.code, 0) << o.err;
    const std::vector<double> w = f.channel("job.nc", "PART/2.WZ"), vx = f.channel("job.nc", "PART/2.VX"),
                              vy = f.channel("job.nc", "PART/2.VY");
    ASSERT_GE(w.size(), static_cast<std::size_t>(first) + 2) << commands;
    for (std::size_t k = first; k + 1 < w.size(); ++k) {  // initial conditions and the first of the motion
      EXPECT_NEAR(w[k], 2, 1e-9) << commands << k;
      EXPECT_NEAR(vx[k], 0, 1e-9) << commands << k;
      EXPECT_NEAR(vy[k], 2, 1e-9) << commands << k;
    }
  }
}

/// A change at the equilibrium lets the part go: it has the velocity that the dataset gives it, not the rest
/// that the joint left of it; after a motion it is at rest.
TEST(CommandSequences, what_is_let_go_at_an_equilibrium_has_the_velocity_of_the_dataset) {
  const std::string deck =
      "PART/2, MASS=1, CM=21, IP=1,1,1, VX=3\nMARKER/21, PART=2\nJOINT/1, FIXED, I=21, J=1\n";
  const std::string let_go = "DEACTIVATE/JOINT, ID=1\nSIMULATE/DYNAMIC, DURATION=0.5, STEPS=1\n";
  for (const auto& [before, velocity] : {std::pair{"SIMULATE/STATIC\n", 3.0},
                                         {"SIMULATE/STATIC, END=1, STEPS=2\n", 3.0},
                                         {"SIMULATE/DYNAMIC, END=1, STEPS=1\nSIMULATE/STATIC\n", 0.0}}) {
    Folder f;
    const Outcome o = run_sequence(f, deck, before + let_go);
    ASSERT_EQ(o.code, 0) << o.err;
    EXPECT_NEAR(last(f, "PART/2.VX"), velocity, 1e-12) << before;
    EXPECT_NEAR(last(f, "PART/2.X"), 0.5 * velocity, 1e-9) << before;
  }
}

/// A torsion spring that is moved to other markers knows nothing of the three turns between the former ones.
TEST(CommandSequences, forces_on_other_markers_begin_with_other_angles) {
  for (const auto& [force, again] :
       {std::pair{"SPRINGDAMPER/1, ROTATION, I=2, J=12, KT=1E-3, ANGLE=0\n",
                  "SPRINGDAMPER/1, I=3, J=13, KT=1\n"},
        {"BUSHING/1, I=2, J=12, KT=0,0,1E-3\n", "BUSHING/1, I=3, J=13, KT=0,0,1\n"},
        {"SPRINGDAMPER/1, ROTATION, I=2, J=12, KT=1E-3, ANGLE=0\n", "SPRINGDAMPER/1, KT=2E-3\n"}}) {
    Folder f;
    const Outcome o = run_sequence(
        f, rotors(", WZ=20", force),
        "SIMULATE/DYNAMIC, END=1, STEPS=20\n" + std::string(again) + "SIMULATE/DYNAMIC, END=1.1, STEPS=1\n");
    ASSERT_EQ(o.code, 0) << o.err;
    const std::string name = std::string(force).substr(0, std::string(force).find(',')) + ".TZ";
    const std::vector<double> torque = f.channel("job.nc", name);
    const bool same_markers = std::string(again).find("I=3") == std::string::npos;
    // x'' = -1E-3 x from x' = 20: 20 rad but for 1E-3/6 of itself.
    EXPECT_NEAR(torque[20], -0.02, 2e-5) << again;
    EXPECT_NEAR(torque[21], same_markers ? -0.04 : 0, same_markers ? 4e-5 : 1e-12) << again;
    EXPECT_NEAR(last(f, "PART/3.WZ"), 0, 1e-12) << again;
  }
}

/// A MOTION that comes to another joint, or back, or from a velocity to a displacement, begins at the angle
/// that its function gives: whole turns apart it is the same place.
TEST(CommandSequences, a_motion_begins_in_the_turn_of_its_function) {
  const std::string motion = "MOTION/1, JOINT=1, ROTATION, FUNCTION=20*TIME\n";
  const std::string first = "SIMULATE/DYNAMIC, END=1, STEPS=20\n",
                    second = "SIMULATE/DYNAMIC, END=2, STEPS=20\n";
  struct Case {
    std::string commands, part;
    double angle, speed;
  };
  const Case cases[] = {
      {first + "MOTION/1, JOINT=2, FUNCTION=2*(TIME-1)\n" + second, "3", 2, 2},
      {first + "DEACTIVATE/MOTION, ID=1\n" + second +
           "ACTIVATE/MOTION, ID=1\nSIMULATE/DYNAMIC, END=3, STEPS=20\n",
       "2", 60, 20},
      {first + "MOTION/1, VELOCITY, FUNCTION=20\n" + second +
           "MOTION/1, DISPLACEMENT, FUNCTION=20*TIME-6*PI\nSIMULATE/DYNAMIC, END=3, STEPS=20\n",
       "2", 60, 20}};
  for (const Case& c : cases) {
    Folder f;
    const Outcome o = run_sequence(f, rotors("", motion), c.commands);
    ASSERT_EQ(o.code, 0) << c.commands << o.err;
    EXPECT_NEAR(std::remainder(last(f, "PART/" + c.part + ".PSI") - c.angle, turn), 0, 1e-9) << c.commands;
    EXPECT_NEAR(last(f, "PART/" + c.part + ".WZ"), c.speed, 1e-9) << c.commands;
  }
}

/// The history of a DELAY goes on where the DELAY stands; elsewhere, or further back than it is kept, it is
/// refused.
TEST(CommandSequences, histories_of_delays_stay_in_their_places) {
  const std::string deck =
      "PART/2, MASS=2, CM=2, IP=1,1,1, VX=1, VY=3\nMARKER/2, PART=2\n"
      "VARIABLE/1, FUNCTION=DELAY(DX(2,1),0.2,0)\nVARIABLE/2, FUNCTION=0\nREQUEST/1, "
      "F2=VARVAL(1)\\F3=VARVAL(2)\n";
  const std::string first = "SIMULATE/DYNAMIC, END=1, STEPS=20\n",
                    second = "SIMULATE/DYNAMIC, END=1.5, STEPS=5\n";
  const std::tuple<std::string, int, std::string> cases[] = {
      {"VARIABLE/1, FUNCTION=0\nVARIABLE/2, FUNCTION=DELAY(DY(2,1),0.2,0)\n", 4,
       "VARIABLE/2 FUNCTION: its DELAY had another place before the change, and no history here"},
      {"VARIABLE/1, FUNCTION=DELAY(DX(2,1),0.9,0)\n", 4,
       "VARIABLE/1 FUNCTION: its DELAY looks back 0.9 since the change, and the history that is kept begins "
       "at"},
      {"VARIABLE/1, FUNCTION=DELAY(DY(2,1),0.2,0)\n", 0,
       "VARIABLE/1 FUNCTION: what its DELAY tells of times before 1 is its argument as it was before the "
       "change."},
      {"VARIABLE/2, FUNCTION=2*VARVAL(1)\nACCGRAV/IGRAV=0\n", 0, ""}};
  for (const auto& [change, code, text] : cases) {
    Folder f;
    const Outcome o = run_sequence(f, deck, first + change + second);
    EXPECT_EQ(o.code, code) << change << o.err;
    EXPECT_NE((o.err + f.read("job.msg")).find(text), std::string::npos) << change << o.err;
    if (code != 0 || !text.empty()) continue;
    const std::vector<double> t = f.channel("job.nc", "TIME"), late = f.channel("job.nc", "REQUEST/1.F2"),
                              twice = f.channel("job.nc", "REQUEST/1.F3");
    for (std::size_t k = 0; k < t.size(); ++k) {
      EXPECT_NEAR(late[k], std::max(t[k] - 0.2, 0.0), 1e-12) << t[k];  // a straight line
      EXPECT_NEAR(twice[k], k <= 20 ? 0 : 2 * (t[k] - 0.2), 1e-12) << t[k];
    }
  }
}

/// A bar that two pins hold, with velocities in the dataset that they do not allow: it rests, and what
/// rounding leaves of the velocities contradicts nothing, neither at the start nor after a change.
TEST(CommandSequences, what_is_held_may_have_any_initial_velocity) {
  for (const std::string velocity : {"", ", WZ=2", ", WX=1, WZ=3, VX=2", ", VX=1E-17, WZ=3E-16"}) {
    Folder f;
    const double a = 13 * std::numbers::pi / 180;
    const Outcome o = run_sequence(
        f,
        "PART/2, MASS=1, CM=2, IP=1,1,1, QG=0.5,0,0, REULER=13D,0,0" + velocity +
            "\nMARKER/2, PART=2\nMARKER/3, PART=1, QP=0.5,0.3,0\nMARKER/5, PART=1, QP=0.5,0,0\n" +
            fmt::format("MARKER/4, PART=2, QP={},{},0\n", 0.3 * std::sin(a), 0.3 * std::cos(a)) +
            "JOINT/1, REVOLUTE, I=2, J=5\nJOINT/2, REVOLUTE, I=4, J=3\n",
        "SIMULATE/DYNAMIC, END=0.1, STEPS=2\nACCGRAV/JGRAV=-9\nSIMULATE/DYNAMIC, END=0.2, STEPS=2\n");
    ASSERT_EQ(o.code, 0) << velocity << o.err;
    EXPECT_NEAR(last(f, "PART/2.WZ"), 0, 1e-12) << velocity;
  }
}

/// A free spin is integrated without error in steps of any length; turns are counted nevertheless, and the
/// nut stays on its thread.
TEST(CommandSequences, steps_are_short_enough_to_count_turns) {
  for (const std::string integrator : {"GSTIFF, SI2", "GSTIFF", "WSTIFF", "HHT", "RADAU", "ABAM", "RKF45"})
    for (const int steps : {1, 2, 3, 5}) {
      Folder f;
      const Outcome o = run_sequence(
          f,
          "PART/2, MASS=1, CM=2, IP=1,1,1, WZ=20, VZ=" + fmt::format("{}", 20 * 0.1 / turn) +
              "\nMARKER/2, PART=2\nMARKER/12, PART=1\nJOINT/1, SCREW, I=2, J=12, PITCH=0.1\n"
              "PART/3, MASS=1, CM=3, IP=1,1,1, WZ=-30\nMARKER/3, PART=3\nREQUEST/1, F2=AZ(3,1)\\F3=AZ(2,12)\n"
              "INTEGRATOR/" +
              integrator + "\n",
          fmt::format("SIMULATE/DYNAMIC, END=1, STEPS={}\n", steps));
      ASSERT_EQ(o.code, 0) << integrator << o.err;
      // ERROR 1E-3 of the slowest: a uniform spin is exact, the thread is a constraint.
      EXPECT_NEAR(last(f, "REQUEST/1.F2"), -30, 1e-6) << integrator << steps;
      EXPECT_NEAR(last(f, "REQUEST/1.F3"), 20, 1e-6) << integrator << steps;
      EXPECT_NEAR(last(f, "PART/2.Z"), 20 * 0.1 / turn, 1e-8) << integrator << steps;
    }
}

/// Batches on a device limit their steps by the speeds at the beginning; steps of one size are as they are
/// given, with a warning where turns are lost.
TEST(CommandSequences, turns_are_counted_in_batches_and_fixed_steps_tell_that_they_are_not) {
  Folder f;
  const std::string deck = rotors(", WZ=20", "REQUEST/1, F2=AZ(2,12)\nINTEGRATOR/HHT\n");
  ASSERT_EQ(run_sequence(f, deck, "SIMULATE/DYNAMIC, END=1, STEPS=2\n").code, 0);
  f.write("table.csv", "name,PART/2.MASS\na,1\nb,2\nc,3\n");
  for (const std::string backend : {"cpu", "host"}) {
    const Outcome o = run(f, {"batch", "job.acf", "--variants", "table.csv", "--channels", "REQUEST/1.F2",
                              "--backend", backend, "-o", backend});
    ASSERT_EQ(o.code, 0) << o.err;
    const std::string table = f.read(backend + ".csv");
    std::size_t rows = 0;
    for (std::size_t at = 0; (at = table.find("done", at)) != std::string::npos; ++at, ++rows) {
      const std::string row = table.substr(at, table.find('\n', at) - at);
      const std::string value = row.substr(0, row.rfind(','));  // behind it: the message
      EXPECT_NEAR(std::stod(value.substr(value.rfind(',') + 1)), 20, 1e-6) << backend << row;
      EXPECT_NE(row.find(backend), std::string::npos) << row;
    }
    EXPECT_EQ(rows, 3u) << table;
  }
  for (const auto& [step, warns] : {std::pair{"0.2", true}, {"0.05", false}}) {
    const Outcome o = run_sequence(f, deck,
                                   fmt::format("INTEGRATOR/NEWMARK, HINIT={}\nSIMULATE/DYNAMIC, END=1, "
                                               "STEPS=1\n",
                                               step));
    ASSERT_EQ(o.code, 0) << o.err;
    EXPECT_EQ(o.out.find("parts turn so fast") != std::string::npos, warns) << step << o.out;
  }
}

/// A simulation that begins where a function jumps begins behind the jump, whatever was before, and at time
/// 0.
TEST(CommandSequences, a_jump_at_the_beginning_is_no_error_of_the_first_step) {
  for (const std::string integrator : {"GSTIFF, SI2", "WSTIFF, SI2", "HHT", "RADAU", "ABAM", "RKF45"})
    for (const double at : {0.0, 1.0}) {
      Folder f;
      const std::string change = "ACCGRAV/JGRAV=1\n";
      const Outcome o = run_sequence(
          f,
          "PART/2, MASS=1, CM=2, IP=1,1,1\nMARKER/2, PART=2\nMARKER/3, PART=1, REULER=90D,90D,0\n" +
              fmt::format("SFORCE/1, TRANSLATION, ACTIONONLY, I=2, J=3, FUNCTION=IF(TIME-{0}:0,0,1)\n"
                          "DIFF/1, IC=0, FUNCTION=IF(TIME-{0}:0,0,1)\n",
                          at) +
              "INTEGRATOR/" + integrator + ", ERROR=1E-6\n",
          (at > 0 ? "SIMULATE/DYNAMIC, END=1, STEPS=4\n" + change : "") +
              "SIMULATE/DYNAMIC, DURATION=1, STEPS=4\n");
      ASSERT_EQ(o.code, 0) << o.err;
      // Constant forces: all methods are exact but for rounding; the break lies 4e-15 beside its time.
      EXPECT_NEAR(last(f, "PART/2.VX"), 1, 1e-13) << integrator << at;
      EXPECT_NEAR(last(f, "PART/2.X"), 0.5, 1e-12) << integrator << at;
      EXPECT_NEAR(last(f, "DIFF/1.Q"), 1, 1e-13) << integrator << at;
    }
}

/// IC as a command is what it is in the dataset: a bar far from its bearing is not there in one iteration.
TEST(CommandSequences, settings_of_initial_conditions_hold_as_commands) {
  std::string deck = pendulum;
  deck.replace(deck.find("QG=1,0,0"), 8, "QG=1.3,0.9,0.4");
  const std::string motion = "SIMULATE/DYNAMIC, END=0.1, STEPS=1\n";
  for (const auto& [statement, command, code] : {std::tuple{"", "", 0},
                                                 {"IC/MAXIT=1\n", "", 5},
                                                 {"", "IC/MAXIT=1\n", 5},
                                                 {"IC/MAXIT=1\n", "IC/MAXIT=25\n", 0}}) {
    Folder f;
    EXPECT_EQ(run_sequence(f, deck + statement, command + motion).code, code) << statement << command;
  }
}

/// The formulation of the integrator before goes with it.
TEST(CommandSequences, integrators_without_si2_follow_those_with_it) {
  for (const std::string integrator : {"HHT", "RADAU", "ABAM", "RKF45"}) {
    Folder f;
    const Outcome o = run_sequence(f, pendulum + "INTEGRATOR/GSTIFF, SI2, ERROR=1E-6\n",
                                   "SIMULATE/DYNAMIC, END=0.1, STEPS=1\nINTEGRATOR/" + integrator +
                                       "\nSIMULATE/DYNAMIC, END=0.2, STEPS=1\n");
    EXPECT_EQ(o.code, 0) << integrator << o.err;
    Folder g;
    const Outcome both =
        run_sequence(g, pendulum, "INTEGRATOR/" + integrator + ", SI2\nSIMULATE/DYNAMIC, END=0.2, STEPS=1\n");
    EXPECT_EQ(both.code, 3) << integrator;
  }
}

/// A crank without acceleration, with a rod on a ball joint at its end: the velocities of the dataset turn
/// the crank where the rod sticks out, and not where it hangs.
const std::string crank_and_hanging_rod =
    "ACCGRAV/KGRAV=-10\nMARKER/10, PART=1, REULER=0,90D,0\nPART/2, MASS=1, CM=20, IP=.1,.1,.1\n"
    "MARKER/20, PART=2, REULER=0,90D,0\nMARKER/21, PART=2, QP=1,0,0\nJOINT/1, REVOLUTE, I=20, J=10\n"
    "PART/3, MASS=1, CM=30, QG=2,0,0, IP=.1,.1,.1, VZ=0, WY=2\nMARKER/30, PART=3\n"
    "MARKER/31, PART=3, QP=-1,0,0\nJOINT/2, SPHERICAL, I=31, J=21\nREQUEST/1, "
    "F2=AZ(20,10)\\F3=WZ(20,10,10)\n";

TEST(CommandSequences, motions_by_acceleration_begin_with_the_speed_at_the_equilibrium) {
  for (const std::string integrator : {"RADAU", "HHT", "GSTIFF, SI2", "GSTIFF, I3", "ABAM"}) {
    Folder f;
    const Outcome o = run_sequence(f,
                                   crank_and_hanging_rod +
                                       "MOTION/1, JOINT=1, ROTATION, ACCELERATION, FUNCTION=0\nINTEGRATOR/" +
                                       integrator + "\n",
                                   "SIMULATE/STATIC\nSIMULATE/DYNAMIC, END=0.1, STEPS=2\n");
    ASSERT_EQ(o.code, 0) << integrator << o.err;
    for (const char* channel : {"REQUEST/1.F2", "REQUEST/1.F3"})
      for (const double x : f.channel("job.nc", channel)) EXPECT_NEAR(x, 0, 1e-9) << integrator;  // rounding
  }
}

/// A mass on a spring (10 rad/s) that stands still up to 0.2 s, as a sequence of equilibria, and begins with
/// 1 m/s there; what pushes it by its speed of 0.11 s ago finds none up to 0.31 s.
TEST(CommandSequences, delays_look_back_at_rest_behind_equilibria) {
  for (const std::string integrator : {"RADAU", "GSTIFF, SI2, ERROR=1E-6"}) {
    Folder f;
    const Outcome o = run_sequence(
        f,
        "PART/2, MASS=1, CM=20, IP=.1,.2,.15, VZ=1\nMARKER/20, PART=2\nJOINT/1, TRANSLATIONAL, I=20, J=1\n"
        "SFORCE/1, TRANSLATION, ACTIONONLY, I=20, J=1, "
        "FUNCTION=-100*DZ(20)-5*DELAY(VZ(20),.11,0)\nINTEGRATOR/" +
            integrator + "\n",
        "SIMULATE/STATIC, END=.2, STEPS=2\nSIMULATE/DYNAMIC, END=.3, STEPS=5\n");
    ASSERT_EQ(o.code, 0) << o.err;
    const std::vector<double> t = f.channel("job.nc", "TIME"), z = f.channel("job.nc", "PART/2.Z");
    for (std::size_t k = 0; k < t.size(); ++k)  // global errors at ERROR = 1e-6
      EXPECT_NEAR(z[k], t[k] > 0.2 ? 0.1 * std::sin(10 * (t[k] - 0.2)) : 0, 1e-5) << integrator << t[k];
  }
}

/// A torsion spring of 5 N m/rad wound by 500 N m: 100 rad, through sixteen turns that damped motion counts.
TEST(CommandSequences, damped_motion_counts_turns_on_its_way_to_rest) {
  Folder f;
  const Outcome o =
      run_sequence(f,
                   "PART/2, MASS=3, CM=21, IP=1,1.3,2\nMARKER/21, PART=2\nJOINT/1, REVOLUTE, I=21, J=1\n"
                   "SFORCE/7, ROTATION, ACTIONONLY, I=21, J=1, FUNCTION=500\nSPRINGDAMPER/1, ROTATION, I=21, "
                   "J=1, KT=5, CT=.1\n"
                   "REQUEST/1, F2=AZ(21)\nEQUILIBRIUM/DYNAMIC\n",
                   "SIMULATE/STATIC\n");
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_NEAR(last(f, "REQUEST/1.F2"), 100, 1e-6);  // at the rest of the last Newton iteration
}

/// What is told of a deck must be so.
TEST(CommandSequences, messages_say_nothing_wrong) {
  Folder f;
  // The dataset's IC is that of an algebraic state, and holds; it is 0 at the equilibrium.
  Outcome o = run_sequence(
      f,
      "PART/2, MASS=1, CM=20, IP=.1,.1,.1, VZ=1\nMARKER/20, PART=2\nJOINT/1, TRANSLATIONAL, I=20, J=1\n"
      "SFORCE/1, TRANSLATION, ACTIONONLY, I=20, J=1, FUNCTION=-100*DZ(20)\n"
      "DIFF/2, IMPLICIT, IC=3, FUNCTION=DIF(2)-3*VZ(20)\n",
      "SIMULATE/STATIC\nPART/2, MASS=2\nSIMULATE/DYNAMIC, END=.1, STEPS=2\n");
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(f.read("job.msg").find("contradicts its FUNCTION"), std::string::npos);
  // Velocities that the constraints allow, of parts whose centres of mass rest.
  o = run_sequence(f, crank_and_hanging_rod, "SIMULATE/DYNAMIC, END=.1, STEPS=1\n");
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(f.read("job.msg").find("do not allow all initial velocities"), std::string::npos);
  // Kinematics is not for a motion by velocity, which has a state.
  o = run_sequence(f,
                   "PART/2, MASS=1, CM=2, IP=1,1,1\nMARKER/2, PART=2\nJOINT/1, REVOLUTE, I=2, J=1\n"
                   "MOTION/1, JOINT=1, ROTATION, VELOCITY, FUNCTION=2\n",
                   "SIMULATE/DYNAMIC, END=.1, STEPS=1\n");
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(f.read("job.msg").find("finds the same motion"), std::string::npos);
}

}  // namespace
}  // namespace command_sequences_test
