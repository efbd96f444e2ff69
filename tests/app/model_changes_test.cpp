// The model changes between simulations of one run: against closed forms, from where the parts are.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <tuple>

#include "support.h"

using namespace trammel_test;

namespace model_changes_test {
namespace {

int count(const std::string& text, const std::string& part) {
  int n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

/// A box of 2 kg, 10 m/s² downwards along Z, and what `more` adds.
std::string box(const std::string& more, const std::string& part = "") {
  return "box\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, "
         "PART=1\n"
         "PART/2, MASS=2, CM=2, IP=1,1,1" +
         part + "\nMARKER/2, PART=2\nACCGRAV/KGRAV=-10\n" + more + "END\n";
}

Outcome run_job(const Folder& f, const std::string& deck, const std::string& commands,
                std::vector<std::string> options = {}) {
  f.write("box.adm", deck);
  f.write("job.acf", "box\njob\n" + commands);
  options.insert(options.begin(), {"run", "job.acf"});
  return run(f, options);
}

TEST(ModelChanges, a_part_that_a_joint_held_falls) {
  Folder f;
  const Outcome o = run_job(f, box("JOINT/1, FIXED, I=2, J=1\nREQUEST/1, F2=JOINT(1,0,4,0)\n"),
                            "SIMULATE/DYNAMIC, END=1, STEPS=2\nDEACTIVATE/JOINT, ID=1\n"
                            "SIMULATE/DYNAMIC, END=2, STEPS=2\nACTIVATE/JOINT, ID=1\n"
                            "SIMULATE/DYNAMIC, END=2.5, STEPS=1\n");
  ASSERT_EQ(o.code, 0) << o.err;
  const std::vector<double> t = f.channel("job.nc", "TIME"), z = f.channel("job.nc", "PART/2.Z"),
                            fz = f.channel("job.nc", "JOINT/1.FZ"), r = f.channel("job.nc", "REQUEST/1.F2");
  ASSERT_EQ(t, (std::vector<double>{0, 0.5, 1, 1, 1.5, 2, 2, 2.5}));
  for (std::size_t k = 0; k < t.size(); ++k) {
    const bool held = k < 3 || k > 5;
    const double s = held ? 0 : t[k] - 1;  // HHT is exact for constant forces: rounding only
    EXPECT_NEAR(z[k], -5 * s * s, 1e-11) << t[k];
    EXPECT_NEAR(fz[k], held ? 20 : 0, 1e-9) << t[k];
    EXPECT_NEAR(r[k], held ? 20 : 0, 1e-9) << t[k];
  }
  const std::string said = f.read("job.msg");
  EXPECT_EQ(count(said, "The system has 0 kinematic degrees of freedom"), 2);
  EXPECT_EQ(count(said, "The system has 6 kinematic degrees of freedom"), 1);
  EXPECT_EQ(count(said, " command: DEACTIVATE/JOINT, ID=1\n"), 1);
}

TEST(ModelChanges, forces_act_while_they_are_active) {
  // 2 kg under 1 N: a = 1/2; without it constant speed; SPRINGDAMPER and VFORCE as SFORCE.
  for (const std::string force :
       {"SFORCE/1, TRANSLATION, ACTIONONLY, I=2, J=3, FUNCTION=1\nMARKER/3, PART=1, REULER=90D,90D,0\n",
        "VFORCE/1, I=2, JFLOAT=4, RM=1, FX=1\\FY=0\\FZ=0\nMARKER/4, PART=1, FLOATING\n",
        "GFORCE/1, I=2, JFLOAT=4, RM=1, FX=1\\FY=0\\FZ=0\\TX=0\\TY=0\\TZ=0\nMARKER/4, PART=1, FLOATING\n",
        "BUSHING/1, I=2, J=1, FORCE=1,0,0\n", "FIELD/1, I=2, J=1, FORCE=1,0,0,0,0,0, KMATRIX=36*0\n",
        "SPRINGDAMPER/1, TRANSLATION, I=2, J=3, FORCE=1, K=0\nMARKER/3, PART=1, QP=-100,0,0\n"}) {
    Folder f;
    const std::string keyword = force.substr(0, force.find('/'));
    std::string deck = box(force);
    deck.erase(deck.find("ACCGRAV"), std::string("ACCGRAV/KGRAV=-10\n").size());
    if (const std::size_t at = deck.find("36*0"); at != std::string::npos) {
      std::string zeros = "0";
      for (int k = 1; k < 36; ++k) zeros += ",0";
      deck.replace(at, 4, zeros);
    }
    const Outcome o = run_job(f, deck,
                              "SIMULATE/DYNAMIC, END=1, STEPS=1\nDEACTIVATE/" + keyword +
                                  ", ID=1\nSIMULATE/DYNAMIC, END=2, STEPS=1\nACTIVATE/" + keyword +
                                  ", RANGE=1,7\nSIMULATE/DYNAMIC, END=3, STEPS=1\n");
    ASSERT_EQ(o.code, 0) << force << o.err;
    const std::vector<double> x = f.channel("job.nc", "PART/2.X"),
                              fx = f.channel("job.nc", keyword + "/1.FX");
    ASSERT_EQ(x.size(), 6u);
    EXPECT_NEAR(x[1], 0.25, 1e-12) << force;         // a t²/2
    EXPECT_NEAR(x[3], 0.25 + 0.5, 1e-12) << force;   // + v
    EXPECT_NEAR(x[5], 0.75 + 0.75, 1e-12) << force;  // + v + a/2
    EXPECT_NEAR(fx[1], 1, 1e-14) << force;
    EXPECT_EQ(fx[2], 0) << force;
    EXPECT_EQ(fx[3], 0) << force;
    EXPECT_NEAR(fx[4], 1, 1e-14) << force;
  }
}

TEST(ModelChanges, a_motion_lets_go_and_goes_with_its_joint) {
  Folder f;
  const std::string deck =
      box("MARKER/3, PART=1, REULER=90D,90D,0\nMARKER/4, PART=2, REULER=90D,90D,0\n"
          "JOINT/1, TRANSLATIONAL, I=4, J=3\nMOTION/5, JOINT=1, TRANSLATION, FUNCTION=TIME**2\n");
  const Outcome o = run_job(f, deck,
                            "SIMULATE/DYNAMIC, END=1, STEPS=10\nDEACTIVATE/MOTION, ID=5\n"
                            "SIMULATE/DYNAMIC, END=2, STEPS=10\n");
  ASSERT_EQ(o.code, 0) << o.err;
  const std::vector<double> x = f.channel("job.nc", "PART/2.X"), fx = f.channel("job.nc", "MOTION/5.FX");
  EXPECT_NEAR(x[10], 1, 1e-12);
  EXPECT_NEAR(fx[10], 4, 1e-8);        // m x''
  EXPECT_NEAR(x.back(), 1 + 2, 1e-8);  // on at v = 2: the velocity comes from the integrator's error, 1E-5²
  EXPECT_EQ(fx.back(), 0);
  const Outcome both = run_job(f, deck, "DEACTIVATE/JOINT, ID=1\nSIMULATE/DYNAMIC, END=1, STEPS=10\n");
  ASSERT_EQ(both.code, 0) << both.err;
  EXPECT_NEAR(f.channel("job.nc", "PART/2.Z").back(), -5, 1e-11);
  EXPECT_NEAR(f.channel("job.nc", "PART/2.X").back(), 0, 1e-14);
}

TEST(ModelChanges, a_joint_that_comes_into_force_takes_the_velocity_it_forbids) {
  Folder f;
  const Outcome o = run_job(f,
                            box("MARKER/3, PART=1, REULER=90D,90D,0\nMARKER/4, PART=2, REULER=90D,90D,0\n"
                                "JOINT/1, TRANSLATIONAL, I=4, J=3\n",
                                ", VX=3"),
                            "DEACTIVATE/JOINT, ID=1\nSIMULATE/DYNAMIC, END=1, STEPS=1\nACTIVATE/JOINT, ID=1\n"
                            "SIMULATE/DYNAMIC, END=2, STEPS=1\n");
  ASSERT_EQ(o.code, 0) << o.err;
  const std::vector<double> z = f.channel("job.nc", "PART/2.Z"), x = f.channel("job.nc", "PART/2.X"),
                            vz = f.channel("job.nc", "PART/2.VZ"), vx = f.channel("job.nc", "PART/2.VX");
  EXPECT_NEAR(z[1], -5, 1e-11);
  EXPECT_NEAR(z[2], 0, 1e-9);  // assembled onto the line, the shortest way
  EXPECT_NEAR(vz[2], 0, 1e-12);
  EXPECT_NEAR(x[2], 3, 1e-11);
  EXPECT_NEAR(vx[2], 3, 1e-12);
  EXPECT_NEAR(x[3], 6, 1e-9);
}

TEST(ModelChanges, redefinitions_take_effect_from_the_next_simulation) {
  Folder f;
  const Outcome o =
      run_job(f,
              box("SFORCE/1, TRANSLATION, ACTIONONLY, I=2, J=3, FUNCTION=VARVAL(7)\n"
                  "MARKER/3, PART=1, REULER=90D,90D,0\nVARIABLE/7, FUNCTION=2\n"),
              "ACCGRAV/KGRAV=0\nSIMULATE/DYNAMIC, END=1, STEPS=1\nPART/2, MASS=4\n"
              "SIMULATE/DYNAMIC, DURATION=1, STEPS=1\nVARIABLE/7, FUNCTION=8\nACCGRAV/KGRAV=-1\n"
              "SIMULATE/DYNAMIC, DURATION=1, STEPS=1\nPART/2, VX=-7\nSIMULATE/DYNAMIC, DURATION=1, STEPS=1\n"
              "PART/2, QG=100,0,0\nSIMULATE/DYNAMIC, DURATION=1, STEPS=1\n");
  ASSERT_EQ(o.code, 0) << o.err;
  const std::vector<double> x = f.channel("job.nc", "PART/2.X"), z = f.channel("job.nc", "PART/2.Z"),
                            vx = f.channel("job.nc", "PART/2.VX");
  ASSERT_EQ(x.size(), 10u);
  EXPECT_NEAR(x[1], 0.5, 1e-11);         // 2 N on 2 kg: v = 1
  EXPECT_NEAR(x[3], 0.5 + 1.25, 1e-11);  // on 4 kg: v = 1.5
  EXPECT_NEAR(x[5], 1.75 + 2.5, 1e-11);  // 8 N: v = 3.5
  EXPECT_NEAR(z[5], -0.5, 1e-11);
  EXPECT_EQ(vx[6], -7);  // given anew: the part moves as the dataset says
  EXPECT_NEAR(x[7], 4.25 - 6, 1e-11);
  EXPECT_NEAR(x[8], 100, 1e-12);
  EXPECT_NEAR(vx[8], -5, 1e-11);  // not given: goes on
}

TEST(ModelChanges, the_part_frame_goes_on_when_the_centre_of_mass_moves) {
  // A free box turns about its CM marker at (0,0,0). Then the CM is at 1 on its x axis: the frame goes on
  // from where it is at the velocity it has, and from there on the new centre moves uniformly.
  Folder f;
  const Outcome o = run_job(f, box("", ", WZ=2"),
                            "ACCGRAV/KGRAV=0\nSIMULATE/DYNAMIC, END=0.5, STEPS=5\nMARKER/2, QP=1,0,0\n"
                            "SIMULATE/DYNAMIC, END=1, STEPS=5\n");
  ASSERT_EQ(o.code, 0) << o.err;
  const std::vector<double> x = f.channel("job.nc", "PART/2.X"), y = f.channel("job.nc", "PART/2.Y"),
                            vx = f.channel("job.nc", "PART/2.VX"), w = f.channel("job.nc", "PART/2.WZ"),
                            t = f.channel("job.nc", "TIME");
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(x[k], 0, 1e-14);
  EXPECT_NEAR(x[6], 0, 1e-14);
  EXPECT_NEAR(vx[6], 0, 1e-13);
  for (std::size_t k = 6; k < t.size(); ++k) {
    // Centre c = (cos 1, sin 1) + ċ (t − ½), ċ = 2 (−sin 1, cos 1); frame = c − (cos 2t, sin 2t).
    const double s = t[k] - 0.5;
    EXPECT_NEAR(x[k], std::cos(1) - 2 * std::sin(1) * s - std::cos(2 * t[k]), 1e-6) << t[k];  // ERROR 1E-5
    EXPECT_NEAR(y[k], std::sin(1) + 2 * std::cos(1) * s - std::sin(2 * t[k]), 1e-6) << t[k];
    EXPECT_NEAR(w[k], 2, 1e-9);
  }
}

TEST(ModelChanges, states_and_revolutions_go_on) {
  Folder f;
  const Outcome o =
      run_job(f,
              box("DIFF/1, IC=1, FUNCTION=-DIF(1)\nREQUEST/1, F2=AZ(2,1)\\F3=DELAY(TIME, 0.4, 0)\n"
                  "REQUEST/3, F2=7\nMARKER/5, PART=1\nJOINT/1, REVOLUTE, I=2, J=1\n",
                  ", WZ=5"),
              "SIMULATE/DYNAMIC, END=3, STEPS=30\nDEACTIVATE/REQUEST, ID=3\n"
              "SIMULATE/DYNAMIC, END=4, STEPS=10\nDIFF/1, IC=2\nSIMULATE/DYNAMIC, END=4.5, STEPS=5\n");
  ASSERT_EQ(o.code, 0) << o.err;
  const std::vector<double> t = f.channel("job.nc", "TIME"), q = f.channel("job.nc", "DIFF/1.Q"),
                            angle = f.channel("job.nc", "REQUEST/1.F2"),
                            late = f.channel("job.nc", "REQUEST/1.F3"),
                            off = f.channel("job.nc", "REQUEST/3.F2");
  ASSERT_EQ(t.size(), 31u + 11u + 6u);
  EXPECT_EQ(q[30], q[31]);
  EXPECT_NEAR(q[41], std::exp(-4.0), 1e-4);  // ERROR 1E-5, a few dozen steps
  EXPECT_EQ(q[42], 2);
  for (std::size_t k = 0; k < t.size(); ++k) {
    EXPECT_NEAR(angle[k], 5 * t[k], 1e-6) << t[k];  // turns uniformly; more than two revolutions
    if (t[k] > 0.5) {
      EXPECT_NEAR(late[k], t[k] - 0.4, 1e-9) << t[k];  // a straight line is interpolated exactly
    }
    EXPECT_EQ(off[k], k <= 30 ? 7 : 0);
  }
}

TEST(ModelChanges, requests_that_change_keep_their_columns) {
  Folder f;
  const Outcome o = run_job(f, box("REQUEST/1, F2=1\\F3=2\nREQUEST/2, F2=5\n"),
                            "SIMULATE/DYNAMIC, END=1, STEPS=1\nREQUEST/2, F2=TIME\\CNAMES=\"a\",\"b\"\n"
                            "SIMULATE/DYNAMIC, END=2, STEPS=1\n");
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(f.channel("job.nc", "REQUEST/2.F2"), (std::vector<double>{5, 5, 1, 2}));
  EXPECT_EQ(f.channel("job.nc", "REQUEST/1.F3"), (std::vector<double>{2, 2, 2, 2}));
}

TEST(ModelChanges, mistakes_are_found_before_the_run) {
  const std::tuple<std::string, int, std::string> wrong[] = {
      {"PART/9, MASS=1", 3, "job.acf:4: PART/9 does not exist in box.adm"},
      {"PART/2, MASS=x", 3, "job.acf:4: PART/2: MASS takes a number, found 'x'"},
      {"JOINT/1, J=77", 3, "job.acf:4: JOINT/1: marker 77 does not exist"},
      {"VARIABLE/7, FUNCTION=DIF(9)", 3, "job.acf:4: VARIABLE/7: FUNCTION: "},
      {"DEACTIVATE/JOINT, ID=2", 3, "job.acf:4: DEACTIVATE: JOINT/2 does not exist in box.adm"},
      {"DEACTIVATE/TIRE, ID=1", 4, "job.acf:4: DEACTIVATE: TIRE is not supported"},
      {"UNITS/LENGTH=INCH", 3, "job.acf:4: UNITS: they cannot change once the model is in use"},
      {"INFO/FORCE, I=2, J=8", 3, "job.acf:4: INFO: MARKER/8 does not exist"},
      {"SENSOR/1, FUNCTION=1, VALUE=2, HALT", 3, "job.acf:4: SENSOR/1 does not exist in box.adm"},
  };
  for (const auto& [command, code, message] : wrong) {
    Folder f;
    const Outcome o =
        run_job(f, box("JOINT/1, FIXED, I=2, J=1\nVARIABLE/7, FUNCTION=1\nDIFF/1,FUNCTION=1\n"),
                "SIMULATE/DYNAMIC, END=1, STEPS=1\n" + command + "\nSIMULATE/DYNAMIC, END=2, STEPS=1\n");
    EXPECT_EQ(o.code, code) << command << o.err;
    EXPECT_NE(o.err.find(message), std::string::npos) << o.err;
    EXPECT_FALSE(f.has("job.nc")) << command;
  }
}

/// Also where the mistake shows in another statement, of the dataset.
TEST(ModelChanges, mistakes_are_told_at_the_command) {
  Folder f;
  const Outcome o = run_job(f, box("JOINT/1, REVOLUTE, I=2, J=1\nMOTION/3, JOINT=1, FUNCTION=TIME\n"),
                            "SIMULATE/DYNAMIC, END=1, STEPS=1\nJOINT/1, SPHERICAL\nVARIABLE/7, FUNCTION=2\n"
                            "SIMULATE/DYNAMIC, END=2, STEPS=1\n");
  EXPECT_EQ(o.code, 3);
  EXPECT_NE(o.err.find("job.acf:5: VARIABLE/7 does not exist in box.adm"), std::string::npos) << o.err;
  const Outcome spherical = run_job(f, box("JOINT/1, REVOLUTE, I=2, J=1\nMOTION/3, JOINT=1, FUNCTION=TIME\n"),
                                    "SIMULATE/DYNAMIC, END=1, STEPS=1\nJOINT/1, SPHERICAL\n"
                                    "SIMULATE/DYNAMIC, END=2, STEPS=1\n");
  EXPECT_EQ(spherical.code, 3);
  EXPECT_NE(spherical.err.find("job.acf:4: MOTION/3: JOINT/1 is SPHERICAL"), std::string::npos)
      << spherical.err;
  EXPECT_NE(spherical.err.find("(box.adm:"), std::string::npos) << spherical.err;
}

/// From a motion given by its velocity to one given by its displacement: ICDISP goes.
TEST(ModelChanges, a_motion_takes_another_level) {
  Folder f;
  const std::string axes = "MARKER/3, PART=1, REULER=90D,90D,0\nMARKER/4, PART=2, REULER=90D,90D,0\n";
  const std::string deck = box(axes +
                               "JOINT/1, TRANSLATIONAL, I=4, J=3\n"
                               "MOTION/5, JOINT=1, TRANSLATION, VELOCITY, ICDISP=1.5, FUNCTION=2\n");
  const Outcome o = run_job(f, deck,
                            "MOTION/5, VELOCITY, ICDISP=0.25\nSIMULATE/DYNAMIC, END=1, STEPS=2\n"
                            "MOTION/5, DISPLACEMENT, FUNCTION=1.25+2*TIME\nSIMULATE/DYNAMIC, END=2, STEPS=2\n"
                            "MOTION/5, ACCELERATION, ICDISP=7, ICVEL=1, FUNCTION=0\n"
                            "SIMULATE/DYNAMIC, END=3, STEPS=2\n");
  ASSERT_EQ(o.code, 0) << o.err;
  const std::vector<double> x = f.channel("job.nc", "PART/2.X");
  ASSERT_EQ(x.size(), 9u);
  EXPECT_NEAR(x[0], 0.25, 1e-12);
  EXPECT_NEAR(x[2], 2.25, 1e-9);
  EXPECT_NEAR(x[3], 3.25, 1e-9);  // at time 1 as FUNCTION says
  EXPECT_NEAR(x[5], 5.25, 1e-9);
  EXPECT_NEAR(x[6], 7, 1e-9);
  EXPECT_NEAR(x[8], 8, 1e-9);
}

TEST(ModelChanges, permissive_leaves_out_changes_of_what_is_not_there) {
  Folder f;
  const Outcome o =
      run_job(f, box(""), "PART/9, MASS=1\nDEACTIVATE/JOINT, ID=2\nSIMULATE/DYNAMIC, END=1, STEPS=1\n",
              {"--permissive"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_NE(o.out.find("job.acf:3: PART/9: PART/9 does not exist; this command is left out"),
            std::string::npos)
      << o.out;
  EXPECT_NE(o.out.find("job.acf:4: DEACTIVATE: JOINT/2 does not exist; this command is left out"),
            std::string::npos)
      << o.out;
}

TEST(ModelChanges, a_set_is_the_same_change) {
  Folder a, b;
  ASSERT_EQ(run_job(a, box(""), "PART/2, VX=2\nACCGRAV/KGRAV=-3\nSIMULATE/DYNAMIC, END=1, STEPS=7\n").code,
            0);
  ASSERT_EQ(run_job(b, box(""), "SIMULATE/DYNAMIC, END=1, STEPS=7\n",
                    {"--set", "PART/2, VX=2", "--set", "ACCGRAV/KGRAV=-3"})
                .code,
            0);
  for (const std::string channel : {"PART/2.X", "PART/2.Z", "PART/2.VZ"})
    EXPECT_EQ(a.channel("job.nc", channel), b.channel("job.nc", channel)) << channel;
}

/// What a DELAY of a force looks back at stands behind the states of a model, whose number changes.
TEST(ModelChanges, a_delayed_force_goes_on) {
  Folder f;
  const std::string force =
      "JOINT/1, TRANSLATIONAL, I=2, J=1\nSFORCE/1, TRANSLATION, ACTIONONLY, I=2, J=1, "
      "FUNCTION=20+TIME\nREQUEST/1, F2=DELAY(SFORCE(1,0,4,0),0.25,1)\n";
  const Outcome o = run_job(f, box(force),
                            "SIMULATE/DYNAMIC, END=1, STEPS=4\nPART/2, MASS=3\n"
                            "SIMULATE/DYNAMIC, END=2, STEPS=4\n");
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(count(f.read("job.msg"), "as it was before the change"), 0);
  const std::vector<double> t = f.channel("job.nc", "TIME"), late = f.channel("job.nc", "REQUEST/1.F2");
  for (std::size_t k = 1; k < t.size(); ++k)
    EXPECT_NEAR(late[k], 20 + std::max(0.0, t[k] - 0.25), 1e-9) << t[k];
}

TEST(ModelChanges, a_delay_cannot_come_or_go) {
  Folder f;
  const Outcome o = run_job(f, box("VARIABLE/7, FUNCTION=1\n"),
                            "SIMULATE/DYNAMIC, END=1, STEPS=1\nVARIABLE/7, FUNCTION=DELAY(TIME,0.1,0)\n"
                            "SIMULATE/DYNAMIC, END=2, STEPS=1\n");
  EXPECT_EQ(o.code, 4) << o.err;
  EXPECT_NE(o.err.find("DELAY"), std::string::npos) << o.err;
}

TEST(Measurements, info_prints_what_a_request_would_hold) {
  Folder f;
  const Outcome o =
      run_job(f, box("", ", VX=3"),
              "SIMULATE/DYNAMIC, END=2, STEPS=1\nINFO/DISPLACEMENT, I=2\nINFO/VELOCITY, I=2, J=1\n"
              "info/acc, i=2\nINFO/FORCE, I=2\n");
  ASSERT_EQ(o.code, 0) << o.err;
  const std::string said = f.read("job.msg");
  EXPECT_NE(said.find("INFO/DISPLACEMENT, I=2 at time 2:"), std::string::npos) << said;
  EXPECT_NE(o.out.find("  X     = 6\n"), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("  Z     = -20\n"), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("INFO/VELOCITY, I=2, J=1 at time 2:\n  VX    = 3\n  VY    = 0\n  VZ    = -20\n"),
            std::string::npos)
      << o.out;
  EXPECT_NE(o.out.find("  ACCZ  = -10\n"), std::string::npos) << o.out;
}

TEST(Measurements, info_before_any_simulation_is_of_the_dataset) {
  Folder f;
  const Outcome o =
      run_job(f, box("", ", QG=1,2,3"),
              "INFO/DISPLACEMENT, I=2\nPART/2, QG=4,5,6\nINFO/DISP, I=2\nSIM/DYN,END=1,STEPS=1\n");
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_NE(o.out.find("at time 0:\n  X     = 1\n  Y     = 2\n  Z     = 3\n"), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("at time 0:\n  X     = 4\n  Y     = 5\n  Z     = 6\n"), std::string::npos) << o.out;
  EXPECT_EQ(f.channel("job.nc", "PART/2.X").front(), 4);
}

TEST(Measurements, show_prints_the_statistics_of_the_run) {
  Folder f;
  const Outcome o = run_job(f, box(""), "SIMULATE/DYNAMIC, END=2, STEPS=4\nsho stat=sim\n");
  ASSERT_EQ(o.code, 0) << o.err;
  for (const std::string& text : {f.read("job.msg"), o.out}) {
    EXPECT_NE(text.find("Current simulation time            ----   2\n"), std::string::npos) << text;
    EXPECT_NE(text.find("Actual number of output records    ----   5\n"), std::string::npos) << text;
  }
}

TEST(Records, the_first_one_is_of_initial_conditions) {
  Folder f;
  f.write("pendulum.adm", [] {
    std::ifstream in(model("pendulum/pendulum.adm"));
    return std::string(std::istreambuf_iterator<char>(in), {});
  }());
  f.write("job.acf",
          "pendulum\njob\nSIMULATE/DYNAMIC, END=0.1, STEPS=2\nSIMULATE/DYNAMIC, END=0.2, STEPS=2\n"
          "DEACTIVATE/JOINT, ID=1\nSIMULATE/DYNAMIC, END=0.3, STEPS=2\n");
  ASSERT_EQ(run(f, {"run", "job.acf"}).code, 0);
  const std::string results = f.read("job.res");
  EXPECT_NE(results.find("<Data name=\"initialConditions_001\""), std::string::npos);
  EXPECT_EQ(count(results, "<Step type=\"initialConditions\">"), 2);  // the second after the change
  EXPECT_EQ(count(results, "<Step type=\"dynamic\">"), 2 + 3 + 2);
}

/// A part without mass between two springs: at rest without accelerations, then held by a joint, it moves
/// with the box, on the other spring alone: z = −(g/ω²)(1 − cos ωt).
TEST(ModelChanges, a_part_without_mass_rests_and_then_is_held) {
  const std::string light =
      "PART/3, CM=3\nMARKER/3, PART=3\nBUSHING/1, I=3, J=1, K=50,50,50, KT=9,9,9\n"
      "BUSHING/2, I=2, J=3, K=70,70,70, KT=9,9,9\nJOINT/1, FIXED, I=2, J=3\nINTEGRATOR/RADAU, ERROR=1E-9\n";
  Folder f;
  const std::string rest =
      "DEACTIVATE/JOINT, ID=1\nDEACTIVATE/BUSHING, ID=2\nACTIVATE/BUSHING, ID=2\n"
      "SIMULATE/STATICS\n";
  const Outcome moves = run_job(f, box(light), rest + "SIMULATE/DYNAMIC, END=1, STEPS=2\n");
  EXPECT_EQ(moves.code, 5);
  EXPECT_NE(moves.err.find("give the part some mass"), std::string::npos) << moves.err;
  const Outcome o = run_job(f, box(light), rest + "ACTIVATE/JOINT, ID=1\nSIMULATE/DYNAMIC, END=1, STEPS=4\n");
  ASSERT_EQ(o.code, 0) << o.err;
  const std::vector<double> t = f.channel("job.nc", "TIME"), z2 = f.channel("job.nc", "PART/2.Z"),
                            z3 = f.channel("job.nc", "PART/3.Z");
  ASSERT_GE(t.size(), 6u);
  EXPECT_NEAR(z3[0], -20.0 / 50, 1e-8);  // Newton, ERROR = 1e-4 with quadratic convergence
  EXPECT_NEAR(z2[0], -20.0 / 50 - 20.0 / 70, 1e-8);
  // Assembled again by the joint, both at one place; from there they swing about −20/50.
  const std::size_t first = t.size() - 5;
  const double begin = z2[first], w = 5;
  for (std::size_t k = first; k < t.size(); ++k) {
    EXPECT_NEAR(z2[k], z3[k], 1e-8) << t[k];
    EXPECT_NEAR(z2[k], -0.4 + (begin + 0.4) * std::cos(w * t[k]), 1e-6) << t[k];  // 1,000 ERROR
  }
}

}  // namespace
}  // namespace model_changes_test
