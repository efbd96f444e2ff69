// SENSOR: when it acts and what it does, against closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

#include <fmt/format.h>

#include "sensor_times.h"
#include "support.h"

using namespace trammel_test;

namespace sensors_test {
namespace {

/// z = −5 t² (exactly: HHT is exact for constant forces), x = t²/4, and what `more` adds.
Outcome fall(const Folder& f, const std::string& more, const std::string& commands,
             std::vector<std::string> options = {}) {
  f.write("stone.adm", falling_body(more));
  f.write("job.acf", "stone\njob\n" + commands);
  options.insert(options.begin(), {"run", "job.acf"});
  return run(f, options);
}

/// x = cos t: a spring of 1 N/m on 1 kg, ERROR 1E-8.
Outcome swing(const Folder& f, const std::string& more, const std::string& commands) {
  f.write("spring.adm",
          "mass on a spring\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\n"
          "MARKER/1, PART=1\nPART/2, QG=1,0,0, MASS=1, CM=2, IP=1,1,1\nMARKER/2, PART=2\n"
          "SFORCE/1, TRANSLATION, ACTIONONLY, I=2, J=3, FUNCTION=-DX(2)\nMARKER/3, PART=1, REULER=90D,90D,0\n"
          "INTEGRATOR/HHT, ERROR=1E-8\n" +
              more + "END\n");
  f.write("job.acf", "spring\njob\n" + commands);
  return run(f, {"run", "job.acf"});
}

/// By how much the swing may be late at time t. The step follows from ERROR = (β + α/2 − 1/6) h³ |d³x/dt³|,
/// h = (1e-8 / 0.106)^(1/3) = 4.6e-3; the period of a method of second order is wrong by less than h² of
/// itself.
double phase_error(double t) {
  return 4.6e-3 * 4.6e-3 * t;
}

TEST(Sensors, halt_ends_the_run_at_its_time) {
  for (const std::string search : {"", ", BISECTION"}) {
    Folder f;
    const Outcome o = fall(f, "SENSOR/1, FUNCTION=DZ(2), LE, VALUE=-1.8, HALT" + search + "\n",
                           "SIMULATE/DYNAMIC, END=1, STEPS=7\nSIMULATE/DYNAMIC, END=2, STEPS=7\n");
    ASSERT_EQ(o.code, 0) << o.err;
    const std::vector<double> t = f.channel("job.nc", "TIME"), z = f.channel("job.nc", "PART/2.Z");
    ASSERT_EQ(t.size(), 6u);            // 0, 1/7 … 4/7 and the end
    EXPECT_NEAR(t.back(), 0.6, 1e-11);  // −5 t² = −1.8; f to 1e-9 ERROR, or t to 1e-12 of the step
    EXPECT_NEAR(z.back(), -1.8, 1e-11);
    for (const std::string& text : {o.out, f.read("job.msg")}) {
      EXPECT_NE(text.find("Sensor/1 has become active at time = 0.6.\n"), std::string::npos) << text;
      EXPECT_NE(text.find("SENSOR/1 ends the run (HALT)."), std::string::npos) << text;
    }
    EXPECT_EQ(f.json("job.status.json")["state"], "finished");
  }
}

/// A pendulum of 1 kg and 1 m (about its end J = 1.1) that falls from the horizontal: the force in its joint
/// passes 29 N once on its way down. Errors of the method's forces must not make two passages of one.
TEST(Sensors, a_force_passes_once) {
  for (const std::string integrator : {"GSTIFF", "WSTIFF", "GSTIFF,I3,ERROR=1E-4", "HHT,ERROR=1E-3"})
    for (const double value : {2.25, 5.0, 8.25, 15.25, 18.75, 22.0, 22.25, 24.75}) {
      Folder f;
      f.write("swing.adm",
              fmt::format("pendulum\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\n"
                          "ACCGRAV/KGRAV=-9.81\nPART/1, GROUND\nMARKER/1, PART=1, REULER=0,90D,0\n"
                          "PART/2, MASS=1, CM=20, IP=.1,.1,.1\nMARKER/20, PART=2, QP=1,0,0\n"
                          "MARKER/2, PART=2, REULER=0,90D,0\nJOINT/1, REVOLUTE, I=2, J=1\n"
                          "VARIABLE/1, FUNCTION=SENVAL(1)\nSENSOR/1, GE, VALUE={}, ERROR=1E-4\n"
                          ", FUNCTION=FM(2,1), EVALUATE=SENVAL(1)+1\nINTEGRATOR/{}\nEND\n",
                          value, integrator));
      f.write("job.acf", "swing\njob\nSIMULATE/DYNAMIC, END=.55, STEPS=11\n");
      const Outcome o = run(f, {"run", "job.acf"});
      ASSERT_EQ(o.code, 0) << o.err;
      EXPECT_EQ(f.channel("job.nc", "VARIABLE/1.Q").back(), 1) << integrator << " " << value;
    }
}

TEST(Sensors, the_time_does_not_depend_on_steps_and_outputs) {
  // The first zero of cos t is π/2.
  std::vector<double> times;
  for (const std::string steps : {"1", "10", "37", "1000"})
    for (const std::string more : {"", ", INTERPOLATE=ON, HMAX=0.1"}) {
      Folder f;
      const Outcome o = swing(f, "SENSOR/1, FUNCTION=DX(2,1), EQ, VALUE=0, ERROR=1E-6, HALT\n",
                              "INTEGRATOR/HHT" + more + "\nSIMULATE/DYNAMIC, END=3, STEPS=" + steps + "\n");
      ASSERT_EQ(o.code, 0) << o.err;
      const std::vector<double> t = f.channel("job.nc", "TIME");
      EXPECT_NEAR(t.back(), std::numbers::pi / 2, phase_error(2)) << steps << more;
      // On the result: within ERROR of the sensor of its value.
      EXPECT_NEAR(f.channel("job.nc", "PART/2.X").back(), 0, 1e-6) << steps << more;
      EXPECT_TRUE(std::is_sorted(t.begin(), t.end())) << steps << more;
      times.push_back(t.back());
    }
}

TEST(Sensors, comparisons_have_their_directions) {
  // cos t passes 0.5 downwards at π/3, 7π/3 and upwards at 5π/3, 11π/3.
  const double third = std::numbers::pi / 3;
  const std::pair<std::string, std::vector<double>> cases[] = {
      {"EQ", {third, 5 * third, 7 * third, 11 * third}},
      {"GE", {5 * third, 11 * third}},  // true at the start: not until it has been false
      {"LE", {third, 7 * third}},
  };
  for (const auto& [comparison, expected] : cases) {
    Folder f;
    const Outcome o = swing(f, "SENSOR/1, FUNCTION=DX(2), VALUE=0.5, ERROR=1E-6, PRINT, " + comparison + "\n",
                            "SIMULATE/DYNAMIC, END=12, STEPS=60\n");
    ASSERT_EQ(o.code, 0) << o.err;
    const std::vector<double> told = times_told(o.out, 1), t = f.channel("job.nc", "TIME");
    ASSERT_EQ(told.size(), expected.size()) << comparison << o.out;
    EXPECT_EQ(t.size(), 61 + expected.size());  // PRINT adds records
    EXPECT_TRUE(std::is_sorted(t.begin(), t.end()));
    for (std::size_t k = 0; k < expected.size(); ++k) {
      EXPECT_NEAR(told[k], expected[k], phase_error(expected[k])) << comparison;
      const auto record =
          std::find_if(t.begin(), t.end(), [&](double x) { return std::abs(x - told[k]) < 1e-5; });
      ASSERT_NE(record, t.end());
      EXPECT_NEAR(f.channel("job.nc", "PART/2.X")[static_cast<std::size_t>(record - t.begin())], 0.5, 1e-6);
    }
  }
}

TEST(Sensors, printing_does_not_disturb_the_integration) {
  Folder a, b;
  const std::string sensor = "SENSOR/1, FUNCTION=DX(2), VALUE=0.5, ERROR=1E-6";
  ASSERT_EQ(swing(a, "", "SIMULATE/DYNAMIC, END=6, STEPS=20\n").code, 0);
  ASSERT_EQ(swing(b, sensor + ", PRINT\n", "SIMULATE/DYNAMIC, END=6, STEPS=20\n").code, 0);
  EXPECT_EQ(a.channel("job.nc", "PART/2.X").back(), b.channel("job.nc", "PART/2.X").back());
}

TEST(Sensors, return_goes_on_with_the_next_command) {
  Folder f;
  const Outcome o = fall(f, "SENSOR/4, FUNCTION=DZ(2), LE, VALUE=-0.2, RETURN\n",
                         "SIMULATE/DYNAMIC, END=0.5, STEPS=5\nSFORCE/1, FUNCTION=0\n"
                         "SIMULATE/DYNAMIC, END=0.5, STEPS=3\nSIMULATE/DYNAMIC, END=0.5, STEPS=5\n");
  ASSERT_EQ(o.code, 0) << o.err;
  const std::vector<double> t = f.channel("job.nc", "TIME"), x = f.channel("job.nc", "PART/2.X");
  // 0, 0.1 and the event at 0.2; on to 0.5; the sensor, true all the time, does not act again.
  ASSERT_EQ(t.size(), 3u + 4u) << o.out;
  EXPECT_NEAR(t[2], 0.2, 1e-11);
  EXPECT_EQ(t[2], t[3]);
  EXPECT_NEAR(x[6], 0.01 + 0.1 * 0.3, 1e-11);  // without force from x = t²/4, v = t/2 at 0.2
  EXPECT_NE(o.out.find("SENSOR/4 ends this simulation (RETURN)."), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("job.acf:6: SIMULATE: END = 0.5 is not after the present time 0.5"), std::string::npos)
      << o.out;  // the third one has nothing left to do
}

TEST(Sensors, evaluate_is_read_by_senval_from_then_on) {
  // 1 N until x = 0.25 (t = 1), then the force that EVALUATE took there: −2 x = −0.5 N.
  Folder f;
  const Outcome o = fall(f,
                         "SENSOR/1, FUNCTION=DX(2), GE, VALUE=0.25, ERROR=1E-9, EVALUATE=-1-2*DX(2)\n"
                         "REQUEST/1, F2=SENVAL(1)\n",
                         "SFORCE/1, FUNCTION=1+SENVAL(1)\nSIMULATE/DYNAMIC, END=3, STEPS=8\n");
  ASSERT_EQ(o.code, 0) << o.err;
  const std::vector<double> t = f.channel("job.nc", "TIME"), x = f.channel("job.nc", "PART/2.X"),
                            value = f.channel("job.nc", "REQUEST/1.F2");
  ASSERT_EQ(t.size(), 9u);
  for (std::size_t k = 0; k < t.size(); ++k) {
    const double s = t[k] - 1;
    const double expected = s < 0 ? t[k] * t[k] / 4 : 0.25 + 0.5 * s - 0.125 * s * s;
    EXPECT_NEAR(x[k], expected, 1e-9) << t[k];  // parabolas: HHT is exact, the time of change to 1e-11
    EXPECT_NEAR(value[k], s < 0 ? 0 : -1.5, 1e-9) << t[k];
  }
}

TEST(Sensors, dt_changes_the_output_step) {
  Folder f;
  const Outcome o =
      fall(f, "SENSOR/1, FUNCTION=TIME, VALUE=0.5, DT=0.1\n", "SIMULATE/DYNAMIC, END=1, STEPS=3\n");
  ASSERT_EQ(o.code, 0) << o.err;
  const std::vector<double> t = f.channel("job.nc", "TIME"), expected = {0, 1.0 / 3, 0.6, 0.7, 0.8, 0.9, 1};
  ASSERT_EQ(t.size(), expected.size());
  for (std::size_t k = 0; k < t.size(); ++k) EXPECT_NEAR(t[k], expected[k], 1e-12);
}

TEST(Sensors, stepsize_restart_and_codgen_go_on_at_the_same_place) {
  for (const std::string action : {"STEPSIZE=1E-4", "RESTART", "CODGEN"}) {
    Folder f;
    const Outcome o = fall(f, "SENSOR/1, FUNCTION=TIME, VALUE=0.55, ERROR=1E-9, " + action + "\n",
                           "SIMULATE/DYNAMIC, END=1, STEPS=2\n", {"--log-json", f.path("log").string()});
    ASSERT_EQ(o.code, 0) << o.err;
    EXPECT_EQ(f.channel("job.nc", "TIME"), (std::vector<double>{0, 0.5, 1})) << action;
    EXPECT_NEAR(f.channel("job.nc", "PART/2.Z").back(), -5, 1e-10) << action;
    EXPECT_EQ(times_told(o.out, 1), (std::vector<double>{0.55})) << action;
  }
}

TEST(Sensors, those_that_act_at_the_same_time_act_together) {
  Folder f;
  const Outcome o = fall(f,
                         "SENSOR/1, FUNCTION=TIME, VALUE=0.25, ERROR=1E-9, PRINT\n"
                         "SENSOR/2, FUNCTION=DZ(2), LE, VALUE=-0.3125, ERROR=1E-9, RETURN\n"
                         "SENSOR/3, FUNCTION=TIME, GE, VALUE=0.25, ERROR=1E-9, HALT\n",
                         "SIMULATE/DYNAMIC, END=1, STEPS=3\nSIMULATE/DYNAMIC, END=2, STEPS=3\n");
  ASSERT_EQ(o.code, 0) << o.err;
  for (int id : {1, 2, 3}) EXPECT_EQ(times_told(o.out, id), (std::vector<double>{0.25})) << id << o.out;
  EXPECT_NE(o.out.find("SENSOR/3 ends the run (HALT)."), std::string::npos) << o.out;
  EXPECT_NEAR(f.channel("job.nc", "TIME").back(), 0.25, 1e-11);
}

TEST(Sensors, delays_remember_what_was_before_the_cut) {
  // x(t − 0.3) of x = t²/4 through a sensor that cuts steps: cubic interpolation is exact for a parabola.
  Folder f;
  const Outcome o = fall(f,
                         "SENSOR/1, FUNCTION=TIME, VALUE=0.777, ERROR=1E-9, RESTART\n"
                         "REQUEST/1, F2=DELAY(DX(2), 0.3, 0)\n",
                         "SIMULATE/DYNAMIC, END=2, STEPS=20\n");
  ASSERT_EQ(o.code, 0) << o.err;
  const std::vector<double> t = f.channel("job.nc", "TIME"), late = f.channel("job.nc", "REQUEST/1.F2");
  for (std::size_t k = 0; k < t.size(); ++k)
    if (t[k] > 0.5) {
      EXPECT_NEAR(late[k], (t[k] - 0.3) * (t[k] - 0.3) / 4, 1e-9) << t[k];
    }
}

/// What a sensor evaluates jumps at its time, also in what a DELAY looks back at: ∫ SENVAL(t − 0.3) = t
/// − 1.077.
TEST(Sensors, delays_look_back_at_the_jump) {
  for (const char* steps : {"5", "20", "200"}) {
    Folder f;
    const Outcome o = fall(f,
                           "SENSOR/1, FUNCTION=TIME, VALUE=0.777, ERROR=1E-9, EVALUATE=1\n"
                           "DIFF/1, FUNCTION=DELAY(SENVAL(1), 0.3, 0)\nINTEGRATOR/GSTIFF, SI2, ERROR=1E-8\n",
                           std::string("SIMULATE/DYNAMIC, END=2, STEPS=") + steps + "\n");
    ASSERT_EQ(o.code, 0) << o.err;
    EXPECT_NEAR(f.channel("job.nc", "DIFF/1.Q").back(), 2 - 1.077, 1e-7) << steps;
  }
}

/// An angle that jumps from π to −π, and a pole, pass over 0 without being equal to it.
TEST(Sensors, what_jumps_over_a_value_is_not_equal_to_it) {
  for (const auto& [function, at] : {std::pair{"MOD(TIME+2,4)-2", 4.0}, std::pair{"1/(TIME-2.3333)", 10.0},
                                     std::pair{"IF(TIME-3:-1,-1,1)", 10.0}, std::pair{"TAN(TIME-2)", 2.0}}) {
    Folder f;
    const Outcome o =
        fall(f, std::string("SENSOR/1, FUNCTION=") + function + ", EQ, VALUE=0, ERROR=1E-3, HALT\n",
             "SIMULATE/DYNAMIC, END=10, STEPS=9\n");
    EXPECT_NEAR(f.channel("job.nc", "TIME").back(), at, 1e-2) << function << o.out << o.err;
  }
}

TEST(Sensors, forces_and_angles_are_watched) {
  Folder f;
  const Outcome o = fall(f, "SENSOR/1, FUNCTION=SFORCE(1,0,1,0), GE, VALUE=2, ERROR=1E-9, HALT\n",
                         "SFORCE/1, FUNCTION=4*TIME\nSIMULATE/DYNAMIC, END=1, STEPS=3\n");
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_NEAR(f.channel("job.nc", "TIME").back(), 0.5, 1e-9);
  Folder g;
  g.write(
      "turn.adm",
      "turning\nPART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS=1, CM=2, IP=1,1,1, WZ=1\nMARKER/2, PART=2\n"
      "SENSOR/1, FUNCTION=AZ(2,1), VALUE=450D, ANGULAR, HALT\nEND\n");
  const Outcome turn = run(g, {"run", "turn.adm", "--end", "10", "--dtout", "0.5"});
  ASSERT_EQ(turn.code, 0) << turn.err;
  EXPECT_NEAR(g.channel("turn.nc", "TIME").back(), 2.5 * std::numbers::pi, 1e-6);  // ERROR 1E-5
}

TEST(Sensors, deactivated_ones_do_not_act) {
  Folder f;
  const std::string sensor = "SENSOR/1, FUNCTION=TIME, VALUE=0.5, HALT\n";
  const Outcome o = fall(f, sensor, "DEACTIVATE/SENSOR, ID=1\nSIMULATE/DYNAMIC, END=1, STEPS=2\n");
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(f.channel("job.nc", "TIME").back(), 1);
  const Outcome later =
      fall(f, sensor,
           "DEACTIVATE/SENSOR, ID=1\nSIMULATE/DYNAMIC, END=0.25, STEPS=1\n"
           "ACTIVATE/SENSOR, ID=1\nSENSOR/1, VALUE=0.75\nSIMULATE/DYNAMIC, END=1, STEPS=4\n");
  ASSERT_EQ(later.code, 0) << later.err;
  EXPECT_NEAR(f.channel("job.nc", "TIME").back(), 0.75, 1e-9);
}

TEST(Sensors, wrong_and_unsupported_uses) {
  const std::tuple<std::string, int, std::string> wrong[] = {
      {"SENSOR/1, FUNCTION=TIME, HALT", 3, "stone.adm:12: SENSOR/1: VALUE is missing; V"},
      {"SENSOR/1, VALUE=1, HALT", 3, "stone.adm:12: SENSOR/1: FUNCTION is missing; f, what is watched"},
      {"SENSOR/1, FUNCTION=TIME, VALUE=1, EQ, GE, HALT", 3,
       "stone.adm:12: SENSOR/1: EQ and GE exclude each other; give one of them"},
      {"SENSOR/1, FUNCTION=TIME, VALUE=1, ERROR=0", 3,
       "stone.adm:12: SENSOR/1: ERROR=0 is out of range; it must be >0"},
      {"SENSOR/1, FUNCTION=TIME, VALUE=1, DT=-1", 3,
       "stone.adm:12: SENSOR/1: DT=-1 is out of range; it must be >0"},
      {"SENSOR/1, FUNCTION=DX(77), VALUE=1", 3, "stone.adm:12: SENSOR/1: FUNCTION: marker 77 does not exist"},
      {"SENSOR/1, FUNCTION=TIME, VALUE=1, YYDUMP", 4, "stone.adm:12: SENSOR/1: YYDUMP is not supported"},
      {"SENSOR/1, FUNCTION=USER(1), VALUE=1", 3, "stone.adm:12: SENSOR/1: FUNCTION=USER(...) needs ROUTINE"},
      {"REQUEST/1, F2=SENVAL(3)", 3, "SENSOR/3 does not exist"},
  };
  for (const auto& [statement, code, message] : wrong) {
    Folder f;
    const Outcome o = fall(f, statement + "\n", "SIMULATE/DYNAMIC, END=1, STEPS=1\n");
    EXPECT_EQ(o.code, code) << statement << o.err;
    EXPECT_NE(o.err.find(message), std::string::npos) << statement << "\n" << o.err;
  }
}

/// f comes to V and turns back inside a step: cos t has its least value, −1, at π. Or it passes V and comes
/// back: cos t is below −0.99985 for 0.035.
TEST(Sensors, what_only_touches_is_found) {
  const double pi = std::numbers::pi;
  for (const std::string steps : {"3", "10", "37", "1000"}) {
    const std::string command = "INTEGRATOR/HHT, HMAX=0.5\nSIMULATE/DYNAMIC, END=5, STEPS=" + steps + "\n";
    for (const char* compare : {"EQ", "LE"}) {
      Folder f;
      const Outcome o =
          swing(f, std::string("SENSOR/1, FUNCTION=DX(2,1), VALUE=-1, ERROR=1E-4, HALT, ") + compare + "\n",
                command);
      ASSERT_EQ(o.code, 0) << o.err;
      const std::vector<double> t = f.channel("job.nc", "TIME");
      // f is within ERROR of V for 2 √(2 ERROR) = 0.028: at its turn, or where a step ends there.
      EXPECT_NEAR(t.back(), pi, 0.0142 + phase_error(pi)) << steps << compare;
    }
    Folder f;
    const Outcome o = swing(f, "SENSOR/1, FUNCTION=DX(2,1), VALUE=-0.99985, ERROR=1E-9, EQ, HALT\n", command);
    ASSERT_EQ(o.code, 0) << o.err;
    EXPECT_NEAR(f.channel("job.nc", "TIME").back(), std::acos(-0.99985), 1e-3 + phase_error(pi)) << steps;
  }
}

/// 1 − cos(2π t/P) touches 0 at P, wherever that is in steps of up to 0.4 P: also just before the end of one,
/// from which the step before falls. |f| ≤ ERROR holds for P/2π √(2 ERROR) on either side.
TEST(Sensors, long_steps_are_searched_to_their_ends) {
  const double error = 1e-9;
  for (const std::string method : {"GSTIFF", "GSTIFF, SI2", "HHT", "RADAU"})
    for (double period = 0.75; period < 1.6; period += 0.05) {
      Folder f;
      const Outcome o = swing(
          f, fmt::format("SENSOR/1, FUNCTION=1-COS(2*PI*TIME/{}), VALUE=0, ERROR={}, HALT\n", period, error),
          "INTEGRATOR/" + method + ", ERROR=1, HMAX=0.3, INTERPOLATE=ON\nSIMULATE/DYNAMIC, END=2, STEPS=2\n");
      ASSERT_EQ(o.code, 0) << o.err;
      EXPECT_NEAR(f.channel("job.nc", "TIME").back(), period,
                  1.01 * period / (2 * std::numbers::pi) * std::sqrt(2 * error))
          << method << period;
    }
}

/// What turns on the other side, or farther off than ERROR, does not act.
TEST(Sensors, what_turns_elsewhere_is_passed_over) {
  for (const char* sensor : {"VALUE=-1.001, ERROR=1E-4, EQ", "VALUE=-1.001, ERROR=1E-4, LE",
                             "VALUE=1.001, ERROR=1E-4, GE", "VALUE=-2, ERROR=1E-4, EQ"}) {
    Folder f;
    const Outcome o = swing(f, std::string("SENSOR/1, FUNCTION=DX(2,1), HALT, ") + sensor + "\n",
                            "SIMULATE/DYNAMIC, END=7, STEPS=10\n");
    ASSERT_EQ(o.code, 0) << o.err;
    EXPECT_EQ(f.channel("job.nc", "TIME").back(), 7) << sensor;
  }
}

}  // namespace
}  // namespace sensors_test
