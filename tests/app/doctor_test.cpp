// `trammel doctor` on decks whose trouble is known, and on one that has none.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support.h"

using namespace trammel_test;

namespace doctor_test {
namespace {

struct Report {
  int code = -1;
  nlohmann::json json;
  /// The finding of a kind; null: there is none.
  nlohmann::json finding(const std::string& kind) const {
    for (const auto& f : json["findings"])
      if (f["kind"] == kind) return f;
    return nullptr;
  }
  std::string kinds() const {
    std::string text;
    for (const auto& f : json["findings"]) text += f["kind"].get<std::string>() + " ";
    return text;
  }
};

Report examined(const Folder& f, const std::string& deck, std::vector<std::string> options) {
  f.write("deck.adm", deck);
  std::vector<std::string> arguments{"doctor", "deck.adm", "--json"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const Outcome o = run(f, arguments);
  Report report;
  report.code = o.code;
  EXPECT_EQ(o.err, "");
  report.json = nlohmann::json::parse(o.out, nullptr, false);
  EXPECT_FALSE(report.json.is_discarded()) << o.out;
  EXPECT_EQ(f.list(), "deck.adm");  // it writes nothing
  return report;
}

bool contains(const nlohmann::json& text, const std::string& part) {
  return text.is_string() && text.get<std::string>().find(part) != std::string::npos;
}

const std::string seconds = "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\n";

/// Four masses on springs along X, about 1 Hz, but for the second one.
std::string springs(double stiff) {
  return "one stiff undamped spring among soft ones\n" + seconds +
         "PART/1, GROUND\nMARKER/11, PART=1\nMARKER/12, PART=1, QP=0,1,0\nMARKER/13, PART=1, QP=0,2,0\n"
         "MARKER/14, PART=1, QP=0,3,0\n"
         "PART/2, MASS=1, CM=21, IP=1,1,1, QG=1,0,0\nMARKER/21, PART=2\n"
         "PART/3, MASS=1, CM=31, IP=1,1,1, QG=0.901,1,0\nMARKER/31, PART=3\n"
         "PART/4, MASS=1, CM=41, IP=1,1,1, QG=1,2,0\nMARKER/41, PART=4\n"
         "PART/5, MASS=2, CM=51, IP=1,1,1, QG=1,3,0\nMARKER/51, PART=5\n"
         "SPRINGDAMPER/1, TRANSLATION, I=21, J=11, K=39.5, LENGTH=0.9\n"
         "SPRINGDAMPER/2, TRANSLATION, I=31, J=12, K=" +
         std::to_string(stiff) +
         ", LENGTH=0.9\n"
         "SPRINGDAMPER/3, TRANSLATION, I=41, J=13, K=30, LENGTH=0.9\n"
         "SPRINGDAMPER/4, TRANSLATION, I=51, J=14, K=80, LENGTH=0.9\nEND\n";
}

/// A slider that a motion drives along Z of its marker, X of ground; a mass on a spring hangs on it.
std::string driven(const std::string& function) {
  return "a driven slider\n" + seconds +
         "PART/1, GROUND\nMARKER/1, PART=1\nMARKER/11, PART=1, REULER=90D,90D,0\n"
         "PART/2, MASS=1, CM=2, IP=1,1,1\nMARKER/2, PART=2\nMARKER/21, PART=2, REULER=90D,90D,0\n"
         "PART/3, MASS=1, CM=3, IP=1,1,1, QG=0,1,0\nMARKER/3, PART=3\n"
         "JOINT/1, TRANSLATIONAL, I=21, J=11\nMOTION/1, JOINT=1, FUNCTION=" +
         function + "\nSPRINGDAMPER/1, TRANSLATION, I=2, J=3, K=50, LENGTH=0.9, C=1\nEND\n";
}

class EachIntegrator : public testing::TestWithParam<std::string> {};

// 100 Hz of one spring, below 1.1 Hz of all others: it limits the steps of any formula that resolves it.
TEST_P(EachIntegrator, a_stiff_spring_among_soft_ones_is_found_with_its_frequency) {
  Folder f;
  const double stiff = std::pow(2 * std::numbers::pi * 100, 2);
  const Report r =
      examined(f, springs(stiff), {"--end", "2", "--steps", "100", "--set", "INTEGRATOR/" + GetParam()});
  EXPECT_EQ(r.code, 0);
  const nlohmann::json found = r.finding("fast motion");
  ASSERT_FALSE(found.is_null()) << r.json.dump(2);
  EXPECT_EQ(found["name"], "PART/3 X");
  EXPECT_GT(found["share"].get<double>(), 0.7);
  EXPECT_NEAR(found["frequency"].get<double>(), 100, 3);  // one turn more or less at the ends of 64 bins
  // Of 0.87, 1 and 1.01 Hz (40, 39.5, 30 N/m) the middle one, in two periods.
  EXPECT_NEAR(found["usual_frequency"].get<double>(), 1, 0.3);
  EXPECT_TRUE(contains(found["mend"], "SPRINGDAMPER/2")) << found["mend"];
}

INSTANTIATE_TEST_SUITE_P(all, EachIntegrator,
                         testing::Values("ERROR=1E-8", "HHT, ERROR=1E-8", "GSTIFF, ERROR=1E-6",
                                         "WSTIFF, SI2, ERROR=1E-6", "RADAU, ERROR=1E-9"));

// A ball that falls 0.8 m onto a floor in which it sinks by some tenths of a millimetre: at t =
// sqrt(1.6/9.81) = 0.404.
TEST(Doctor, a_hard_contact_is_found_with_its_force) {
  Folder f;
  const Report r = examined(
      f,
      "ball on a hard floor\n" + seconds +
          "PART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS=1, CM=2, IP=1,1,1, QG=0,0,1\nMARKER/2, PART=2\n"
          "SFORCE/1, TRANSLATIONAL, I=2, J=3, ACTIONONLY\n"
          ", FUNCTION=IMPACT(DZ(2,1),VZ(2,1),0.2,1E8,1.5,1E4,1E-5)\n"
          "MARKER/3, PART=1\nACCGRAV/KGRAV=-9.81\nEND\n",
      {"--end", "0.5", "--steps", "25"});
  EXPECT_EQ(r.code, 0);
  const nlohmann::json found = r.finding("contact");
  ASSERT_FALSE(found.is_null()) << r.json.dump(2);
  EXPECT_TRUE(contains(found["text"], "SFORCE/1"));
  EXPECT_TRUE(contains(found["mend"], "penetration"));
  EXPECT_NEAR(r.json["smallest_step_at"].get<double>(), std::sqrt(1.6 / 9.81), 0.002);
}

TEST(Doctor, a_corner_in_a_motion_is_found_with_its_time) {
  Folder f;
  const Report r =
      examined(f, driven("SIN(TIME)+IF(TIME-0.5037:0,0,0.1*(TIME-0.5037))"),
               {"--end", "1", "--steps", "50", "--set", "INTEGRATOR/HHT, ERROR=1E-6, BREAK_POINTS=OFF"});
  const nlohmann::json found = r.finding("jump");
  ASSERT_FALSE(found.is_null()) << r.json.dump(2);
  EXPECT_TRUE(contains(found["name"], "MOTION/1")) << found;
  EXPECT_TRUE(contains(found["mend"], "Give MOTION/1 a function that is twice differentiable"));
  EXPECT_NEAR(found["t"].get<double>(), 0.5037, 0.02);  // the step across it begins before
}

// A step that ends there sees it, and nobody has to look for it.
TEST(Doctor, a_corner_in_a_motion_is_told_where_a_step_ends) {
  Folder f;
  const Report r = examined(f, driven("SIN(TIME)+IF(TIME-0.5037:0,0,0.1*(TIME-0.5037))"),
                            {"--end", "1", "--steps", "50", "--set", "INTEGRATOR/HHT, ERROR=1E-6"});
  ASSERT_EQ(r.json["warnings"].size(), 1u) << r.json.dump(2);
  EXPECT_TRUE(contains(r.json["warnings"][0], "At time 0.5037 a motion jumps")) << r.json["warnings"];
}

TEST(Doctor, a_motion_that_jumps_ends_the_run_and_is_named) {
  Folder f;
  const Report r = examined(f, driven("IF(TIME-0.5037:0,0,0.1)"), {"--end", "1", "--steps", "50"});
  EXPECT_EQ(r.code, 5);
  EXPECT_EQ(r.json["ended"], "failed");
  const nlohmann::json found = r.finding("failure");
  ASSERT_FALSE(found.is_null());
  EXPECT_TRUE(contains(found["mend"], "MOTION/1")) << found;
  EXPECT_NEAR(r.json["t"].get<double>(), 0.5037, 0.001);
}

TEST(Doctor, a_small_hmax_is_found) {
  Folder f;
  const Report r =
      examined(f, springs(40), {"--end", "0.2", "--set", "INTEGRATOR/HHT, ERROR=1E-4, HMAX=1E-5"});
  EXPECT_EQ(r.code, 0);
  const nlohmann::json found = r.finding("hmax");
  ASSERT_FALSE(found.is_null()) << r.json.dump(2);
  EXPECT_EQ(r.kinds(), "hmax ");
  EXPECT_EQ(found["hmax"], 1e-5);
  EXPECT_GT(found["share"].get<double>(), 0.99);
  EXPECT_GT(found["possible_factor"].get<double>(), 100);
  EXPECT_GT(r.json["steps"], 19999);
}

TEST(Doctor, many_outputs_of_a_slow_motion_are_found) {
  Folder f;
  const Report r = examined(f, springs(40), {"--end", "1", "--steps", "5000", "--set", "INTEGRATOR/GSTIFF"});
  EXPECT_EQ(r.kinds(), "outputs ");
  EXPECT_TRUE(contains(r.finding("outputs")["mend"], "INTERPOLATE=ON"));
}

TEST(Doctor, sensors_that_restart_are_counted) {
  Folder f;
  const Report r = examined(
      f,
      "restarts\n" + seconds +
          "PART/1, GROUND\nMARKER/11, PART=1\nPART/2, MASS=1, CM=21, IP=1,1,1, QG=1,0,0\nMARKER/21, PART=2\n"
          "SPRINGDAMPER/1, TRANSLATION, I=21, J=11, K=39.5, LENGTH=0.9\n"
          "SENSOR/1, FUNCTION=SIN(200*TIME), GE, VALUE=0, RESTART\nINTEGRATOR/GSTIFF, HINIT=1E-5\nEND\n",
      {"--end", "1", "--steps", "50"});
  const nlohmann::json found = r.finding("restarts");
  ASSERT_FALSE(found.is_null()) << r.json.dump(2);
  EXPECT_NEAR(found["restarts"].get<double>(), 200 / (2 * std::numbers::pi), 1.5);
}

// Three pendulums in a row; the last two hold each other by two equal joints, of which one is redundant.
TEST(Doctor, nothing_is_wrong_with_a_chain_of_pendulums_with_redundant_joints) {
  Folder f;
  std::string deck = "chain\n" + seconds + "PART/1, GROUND\nMARKER/12, PART=1\nACCGRAV/JGRAV=-9.81\n";
  for (int k = 2; k <= 4; ++k) {
    const std::string n = std::to_string(k);
    deck += "PART/" + n + ", MASS=1, CM=" + n + "0, IP=0.01,0.01,0.01, QG=" + std::to_string(k - 1.5) +
            ",0,0\n" + "MARKER/" + n + "0, PART=" + n + "\nMARKER/" + n + "1, PART=" + n +
            ", QP=-0.5,0,0\nMARKER/" + n + "2, PART=" + n + ", QP=0.5,0,0\nJOINT/" + n +
            ", REVOLUTE, I=" + n + "1, J=" + std::to_string(k - 1) + "2\n";
  }
  deck += "JOINT/5, REVOLUTE, I=41, J=32\nEND\n";
  for (const std::string integrator :
       {"HHT, ERROR=1E-5", "GSTIFF, ERROR=1E-4", "ERROR=1E-8", "RADAU, ERROR=1E-6"}) {
    const Report r = examined(f, deck, {"--end", "2", "--steps", "100", "--set", "INTEGRATOR/" + integrator});
    EXPECT_EQ(r.code, 0);
    EXPECT_EQ(r.kinds(), "") << integrator << r.json.dump(2);
  }
  const Outcome o = run(f, {"doctor", "deck.adm", "--end", "2"});
  EXPECT_NE(o.out.find("Nothing is wrong"), std::string::npos) << o.out;
}

TEST(Doctor, ends_when_its_time_is_up_and_tells_how_far_it_came) {
  Folder f;
  const Report r =
      examined(f, springs(40), {"--end", "1E6", "--seconds", "0.3", "--set", "INTEGRATOR/HHT, HMAX=1E-5"});
  EXPECT_EQ(r.code, 0);
  EXPECT_EQ(r.json["ended"], "time is up");
  EXPECT_GT(r.json["t"].get<double>(), 0);
  EXPECT_LT(r.json["t"].get<double>(), 1e6);
  EXPECT_EQ(r.json["end"], 1e6);
}

TEST(Doctor, refuses_what_it_cannot_examine) {
  Folder f;
  f.write("stone.adm", falling_body());
  f.write("job.acf", "stone\njob\nSIMULATE/DYNAMIC, END=1, STEPS=2\nSAVE/SYSTEM, FILE=half.sav\n");
  const Outcome saves = run(f, {"doctor", "job.acf"});
  EXPECT_EQ(saves.code, 4);
  EXPECT_NE(saves.err.find("SAVE: doctor writes no files"), std::string::npos) << saves.err;
  EXPECT_FALSE(f.has("half.sav"));
  EXPECT_EQ(run(f, {"doctor", "stone.adm", "--end", "1", "--seconds", "0"}).code, 2);
  EXPECT_EQ(run(f, {"doctor", "none.acf"}).code, 7);
  EXPECT_EQ(run(f, {"doctor", "stone.adm"}).code, 2);  // how long?
  const Outcome help = run(f, {"doctor", "--help"});
  EXPECT_EQ(help.code, 0);
  for (const std::string word : {"--seconds", "--json", "writes no files", "trammel doctor model.acf"})
    EXPECT_NE(help.out.find(word), std::string::npos) << word;
}

}  // namespace
}  // namespace doctor_test
