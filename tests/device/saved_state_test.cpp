// A motion that is cut after any step, saved, and restored into another session has the bits and the counters
// of the motion that was not cut: on the processor, with one thread and with several, and on devices.
#include <cmath>
#include <memory>
#include <new>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "../support/each_device.h"
#include "../support/model_decks.h"
#include "analysis/analyses/list.h"
#include "analysis/session.h"
#include "dataset/reader.h"
#include "model/compile.h"

namespace trammel::saved_state_test {
namespace {

using namespace test;

const ModelDecks models{TRAMMEL_SOURCE_DIR "/models/"};

struct Case {
  const char* name;
  std::string deck;
  double end;
  int records;
  const char* method = "HHT";
  bool stabilized = false;
};

constexpr const char* ground = "UNITS/UCF=1\nACCGRAV/KGRAV=-9.81\nPART/1,GROUND\nMARKER/10,PART=1\n";
/// A spinning top with states, a delay and sensors: one evaluates, one prints, one shortens the steps.
std::string sensors_and_delay() {
  return std::string("title\n") + ground +
         "PART/2,MASS=1,CM=20,IP=1,2,3,WX=1,WY=.3,WZ=7\nMARKER/20,PART=2,QP=1,0,0\nMARKER/21,PART=2\n"
         "JOINT/1,SPHERICAL,I=21,J=10\nVARIABLE/1,FUNCTION=DELAY(DX(20,10),.05,0)\n"
         "DIFF/1,IC=.1,FUNCTION=VARVAL(1)-2*DIF(1)\n"
         "SFORCE/1,TRANSLATION,I=20,J=10,FUNCTION=DIF(1)-3*VR(20,10)-20*(DM(20,10)-1)+SENVAL(2)\n"
         "SENSOR/1,EQ,VALUE=.2,ERROR=1e-3,PRINT,FUNCTION=DX(20,10)\n"
         "SENSOR/2,GE,VALUE=.15,ERROR=1e-3,EVALUATE=TIME,FUNCTION=TIME\n"
         "SENSOR/3,GE,VALUE=.31,ERROR=1e-3,DT=.007,FUNCTION=TIME\nREQUEST/1,F2=DIF(1)\nEND\n";
}
/// A relay that sees late, whose history gets points inside of steps.
std::string relay() {
  return std::string("title\n") + ground +
         "PART/2,MASS=1,CM=20,IP=1,2,3\nMARKER/20,PART=2\nJOINT/1,TRANSLATIONAL,I=20,J=10\n"
         "DIFF/1,IC=0.33,FUNCTION=-DELAY(IF(DIF(1): -1,0,1),0.1,1)\nEND\n";
}
/// Free bodies that tumble: their orientations are re-based again and again.
std::string tumbling() {
  return std::string("title\n") + ground +
         "PART/2,MASS=1,CM=20,IP=1,2,3,WX=9,WY=.3,WZ=7\nMARKER/20,PART=2\nMARKER/21,PART=2,QP=.1,0,0\n"
         "PART/3,MASS=1,CM=30,IP=2,2,1,WX=1,WY=8,QG=1,0,0\nMARKER/30,PART=3\nMARKER/31,PART=3,QP=0,.1,0\n"
         "BUSHING/1,I=31,J=21,K=80,90,100,C=.1,.1,.1,KT=0,0,0,CT=.1,.1,.1\nEND\n";
}

/// A block that is pulled ever more until its friction lets go: steps look for that.
std::string letting_go() {
  return std::string("title\n") + ground +
         "MARKER/11,PART=1,REULER=90D,90D,0\nPART/2,MASS=1,CM=20,IP=.1,.1,.1\nMARKER/20,PART=2\n"
         "MARKER/21,PART=2,REULER=90D,90D,0\nJOINT/1,TRANSLATIONAL,I=21,J=11\n"
         "FRICTION/1,JOINT=1,MU_STATIC=.3,MU_DYNAMIC=.2,STICTION_TRANSITION_VELOCITY=1E-3\n"
         ",TRANSITION_VELOCITY_COEFFICIENT=2,EFFECT=SLIDING,INPUTS=REACTION_FORCE\n"
         "SFORCE/1,TRANSLATION,ACTIONONLY,I=21,J=11,FUNCTION=2.5+2*TIME\nEND\n";
}

std::vector<Case> cases() {
  return {{"sensors_and_delay", sensors_and_delay(), 0.5, 25},
          {"relay", relay(), 1.0, 10, "GSTIFF", true},
          {"tumbling", tumbling(), 1.0, 20},
          {"letting_go", letting_go(), 0.5, 10},
          {"letting_go_gstiff", letting_go(), 0.5, 10, "GSTIFF", true},
          {"slider_crank", models.deck("slider_crank/slider_crank.adm"), 0.1, 10},
          {"redundant", models.deck("four_bar_n/four_bar_revolute.adm"), 1.0, 20},
          {"cams", models.deck("cams/cams.adm"), 0.3, 20},
          {"planar_belt", models.deck("planar_belt/planar_belt.adm"), 0.2, 10},
          {"flexible", models.flexible("four_bar_flexible", ", DYNAMIC_LIMIT = 3000"), 0.05, 10},
          {"heap", models.deck("heap/heap.adm"), 0.13, 13},
          {"billiard", models.deck("billiard/billiard.adm"), 0.3, 15},
          {"cradle_gstiff", models.deck("cradle/cradle.adm"), 0.2, 10, "GSTIFF", true},
          {"clearance_crank_gstiff", models.deck("clearance_crank/clearance_crank.adm"), 0.01, 10, "GSTIFF"},
          {"planar_belt_gstiff", models.deck("planar_belt/planar_belt.adm"), 0.2, 10, "GSTIFF"},
          {"planar_belt_radau", models.deck("planar_belt/planar_belt.adm"), 0.1, 10, "RADAU"},
          {"planar_belt_abam", models.deck("planar_belt/planar_belt.adm"), 0.1, 10, "ABAM"},
          {"sensors_and_delay_gstiff", sensors_and_delay(), 0.5, 25, "GSTIFF"},
          {"tumbling_wstiff", tumbling(), 1.0, 20, "WSTIFF"},
          {"redundant_si2", models.deck("four_bar_n/four_bar_revolute.adm"), 0.5, 10, "GSTIFF", true},
          {"sensors_and_delay_radau", sensors_and_delay(), 0.5, 25, "RADAU"},
          {"tumbling_radau", tumbling(), 1.0, 20, "RADAU"},
          {"slider_crank_radau", models.deck("slider_crank/slider_crank.adm"), 0.1, 10, "RADAU"},
          {"sensors_and_delay_rkf45", sensors_and_delay(), 0.5, 25, "RKF45"},
          {"tumbling_abam", tumbling(), 1.0, 20, "ABAM"},
          {"redundant_rkf45", models.deck("four_bar_n/four_bar_revolute.adm"), 0.5, 10, "RKF45"},
          {"slider_crank_abam", models.deck("slider_crank/slider_crank.adm"), 0.1, 10, "ABAM"}};
}

/// With what a motion is computed.
struct With {
  std::shared_ptr<Device> device;
  int threads = 1;
  bool interpolate = false;
};

/// What was delivered, up to a step after which it ends.
class Motion {
 public:
  Motion(const Case& c, const With& with, std::vector<double> before = {}) : values_(std::move(before)) {
    Diagnostics diagnostics;
    Model model = compile(parse_dataset(c.deck, "deck", diagnostics), diagnostics);
    diagnostics.stop_on_errors();
    DynamicsSettings settings;
    settings.integrator.error = 1e-6;
    settings.integrator.method = c.method;
    settings.integrator.stabilized = c.stabilized;
    settings.interpolate = with.interpolate;
    ComputeSettings compute;
    compute.device = with.device;
    compute.threads = with.threads;
    SessionEvents told;
    told.record = [this](double t, StepKind, std::span<const double> values) {
      values_.push_back(t);
      values_.insert(values_.end(), values.begin(), values.end());
    };
    told.warning = [this](const std::string& text) { warnings_.push_back(text); };
    told.step = [this](const StepResult&) { --left_; };
    told.interrupted = [this] { return left_ == 0; };
    session_ = std::make_unique<Session>(std::move(model), settings, told, compute);
  }

  /// In two simulations, the second of which goes on with the integrator. False: it ended after `steps` more
  /// steps.
  bool run(const Case& c, long steps) {
    left_ = steps;
    if (stage_ == 0 && session_->run(dynamics_analysis, {0.4 * c.end, c.records}) == AnalysisEnd::interrupted)
      return false;
    stage_ = 1;
    return session_->run(dynamics_analysis, {c.end, c.records}) == AnalysisEnd::complete;
  }
  std::string saved() {
    Archive a;
    session_->archive(a, analyses());
    a(stage_);
    return a.bytes();
  }
  bool go_on(const Case& c, const std::string& bytes) {
    Archive a(bytes);
    session_->archive(a, analyses());
    a(stage_);
    EXPECT_TRUE(a.at_end());
    if (session_->analysis(dynamics_analysis).go_on() != AnalysisEnd::complete) return false;
    if (stage_ == 1) return true;
    return session_->run(dynamics_analysis, {c.end, c.records}) == AnalysisEnd::complete;
  }

  const std::vector<double>& values() const { return values_; }
  const std::vector<std::string>& warnings() const { return warnings_; }
  long steps() const { return session_->counters().steps; }
  std::vector<long> counters() const {
    const StepCounters& c = session_->counters();
    const SystemCounters l = session_->systems().counters();
    return {c.steps,       c.rejected_error,  c.rejected_corrector, c.evaluations,    c.iterations,
            c.jacobians,   c.rebases,         c.rounding,           l.factorizations, l.solves,
            l.refinements, l.refactorizations};
  }

 private:
  std::vector<double> values_;
  std::vector<std::string> warnings_;
  long left_ = -1;
  int stage_ = 0;
  std::unique_ptr<Session> session_;
};

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

/// Cuts a motion after its first steps, and then here and there.
void expect_same_bits_however_cut(const Case& c, const With& with) {
  SCOPED_TRACE(c.name);
  Motion whole(c, with);
  ASSERT_TRUE(whole.run(c, -1));
  ASSERT_GT(whole.steps(), 20);
  std::vector<long> cuts{1, 3, whole.steps() / 2};
  if (!with.device) cuts = {1, 2, 3, 4, 7, whole.steps() / 3, whole.steps() / 2, whole.steps() - 1};
  for (const long cut : cuts) {
    SCOPED_TRACE(cut);
    Motion first(c, with);
    ASSERT_FALSE(first.run(c, cut));
    With more = with;
    if (with.threads > 1) more.threads = 3;  // no bit depends on it
    Motion second(c, more, first.values());
    ASSERT_TRUE(second.go_on(c, first.saved()));
    EXPECT_TRUE(same_bits(whole.values(), second.values()));
    EXPECT_EQ(whole.counters(), second.counters());
  }
}

TEST(SavedState, goes_on_with_the_same_bits_on_the_processor) {
  for (const Case& c : cases()) expect_same_bits_however_cut(c, {});
}

TEST(SavedState, goes_on_with_the_same_bits_with_any_number_of_threads) {
  expect_same_bits_however_cut(cases()[3], {nullptr, 2});
}

TEST(SavedState, goes_on_between_outputs) {
  for (const Case& c : cases()) expect_same_bits_however_cut(c, {nullptr, 1, true});
}

/// The bytes that a structure has between its members are anybody's: here they are of two kinds.
TEST(SavedState, equal_integrations_have_equal_bytes) {
  std::string bytes[2];
  for (int k = 0; k < 2; ++k) {
    std::vector<unsigned char> memory(sizeof(StepState) + alignof(StepState), k == 0 ? 0x00 : 0xFF);
    void* at = memory.data();
    std::size_t room = memory.size();
    Archive a;
    (new (std::align(alignof(StepState), sizeof(StepState), at, room)) StepState)->archive(a);
    bytes[k] = a.bytes();
  }
  EXPECT_EQ(bytes[0], bytes[1]);
}

/// A method that no device computes leaves its steps to the processor, with the bits of that, and says so.
TEST(SavedState, some_methods_go_to_the_processor) {
  for (const char* method : {"RADAU", "RKF45", "ABAM"}) {
    const Case c{"slider_crank", models.deck("slider_crank/slider_crank.adm"), 0.1, 10, method};
    Motion here(c, {}), there(c, {std::make_shared<Device>(load_backend("host"), 0)});
    ASSERT_TRUE(here.run(c, -1));
    ASSERT_TRUE(there.run(c, -1));
    EXPECT_TRUE(same_bits(here.values(), there.values())) << method;
    EXPECT_TRUE(here.warnings().empty());
    EXPECT_EQ(there.warnings(), std::vector<std::string>(
                                    2, std::string(method) + " is computed on the processor."));  // two runs
  }
}

TEST(SavedState, of_another_model_is_refused) {
  Motion slider(cases()[3], {}), tops(cases()[2], {});
  ASSERT_FALSE(slider.run(cases()[3], 5));
  try {
    tops.go_on(cases()[2], slider.saved());
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::input);
    EXPECT_NE(std::string(failure.what()).find("coordinates where the model has"), std::string::npos);
  }
}

class SavedStateOnDevice : public DeviceTest {};

TEST_P(SavedStateOnDevice, goes_on_with_the_same_bits) {
  const bool threads = std::string(GetParam().backend) == "host" && GetParam().index > 0;
  const std::set<std::string> long_ones{"heap", "cradle_gstiff", "clearance_crank_gstiff"};
  for (const Case& c : cases())
    if (!threads || !long_ones.contains(c.name))  // minutes of threads that wait for each other
      expect_same_bits_however_cut(c, {shared()});
}

TRAMMEL_EVERY_DEVICE(SavedStateOnDevice);

}  // namespace
}  // namespace trammel::saved_state_test
