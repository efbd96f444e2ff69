// How soon the motion comes to where a function changes its law: x = x1 of IMPACT, the stops of BISTOP, e = 0
// of IF, first touch and loss of a CONTACT, and inside a touch where damping takes all of its force, or where
// restitution begins. A step that ends there is followed by one that begins there, and
// neither is taken over the change. Of two changes of one function a step passes one at most: what holds
// between both would not be seen at its ends. And how far into each other shapes go in a step: not so far
// that they pass.
//
// g is the difference whose zero this is (of a CONTACT the distance, negative inside), as it was found by the
// last evaluation of each step: at the accepted state but for the last correction. The parabola through the
// ends of the last three steps tells its course.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "assemble/assembler.h"
#include "base/archive.h"

namespace trammel {

class Approach {
 public:
  Approach(const Model& model, Assembler& assembler);

  bool empty() const { return change_.empty() && !has_contacts(); }
  bool has_contacts() const { return !thickness_.empty() || assembler_.near_shapes(); }
  /// Forgets steps before. The assembler has evaluated the state at t.
  void begin(double t);
  /// After a step that ended at t and whose last evaluation was the assembler's. rejected: attempts had to be
  /// given up; of the changes that were ahead, and passed over, that was because they matter.
  void after_step(double t, bool rejected);
  /// What ends a step. Over a change a method of second order loses too little to end there.
  enum class Ends { passages, passages_and_between, all };
  /// When the step from `now` on, of size h unless it ends at `latest`, is to end for what it approaches.
  double end_of_step(double now, double h, double latest, Ends ends);
  /// CONTACTs that were made or lost in most of the last steps: their names, each told once.
  std::vector<std::string> chattering();

  void archive(Archive& a) {
    a(time_, g_, change_, steps_, met_, turns_, told_, calm_, split_, between_, lasting_step_);
    for (Passage& p : passages_) a(p.law.stiffness, p.law.exponent, p.law.damping, p.law.full_depth);
  }

 private:
  /// Registers of a tape: of IF the argument x; of IMPACT and a stop of BISTOP the gap side · (x − end).
  struct Switch {
    int tape;
    int x, rate = -1, end = -1;
    int k = 0, e = 0, cmax = 0, d = 0;
    double side = 1;
    bool is_stop() const { return end >= 0; }
  };
  /// What may be passed over in a step: an argument, or the gap of a stop or CONTACT and normal_turn() of it.
  struct Passage {
    int gap, turn;  ///< g; turn = −1: none
    ContactLaw law;
  };
  enum class Change : unsigned char { harmless, ahead, matters };
  static constexpr int no_switch = -1;
  /// g + slope u + bend u², u = t − the end of the last step.
  struct Course {
    double g, slope, bend;
    double at(double u) const { return g + u * (slope + u * bend); }
    double rate(double u) const { return slope + 2 * u * bend; }
    std::array<double, 2> when(double value) const;
    double first_at(double value, double soonest) const;
  };
  void add_switches(const Model& model);
  void add_stop(int tape, const Instruction& i, int end, int law, double side);
  void add_passages();
  void read_switches();
  /// The first time between `soonest` and `latest` at which a g that matters will vanish; infinite where none
  /// will. What was told for the last step is not told again.
  double next_change(double soonest, double latest);
  /// Where a step up to `latest` would pass two changes of one function, the first time between both, if that
  /// is after `soonest`; infinite where none would. Of a function that a step has ended between, not again
  /// until it has been calm for some steps: where g is rounding it vanishes in every step.
  double between_changes(double soonest, double latest);
  /// When some shapes will be into each other by a quarter of their thickness, if they would go on to twice
  /// that before `latest`; else infinite. A longer step might pass what pushes them apart.
  double next_passage(double latest) const;
  void watch_touches();
  Course course(int k) const;
  double between_changes_of(const Passage& p, double soonest, double latest) const;
  double turns_back(const Passage& p, const Course& gap, double end) const;

  const Model& model_;
  Assembler& assembler_;
  std::vector<Switch> switches_;
  std::vector<Passage> passages_;
  std::vector<int> calm_;          ///< of each, steps since a step might have passed it over
  int split_ = 0;                  ///< the passage that the last step was to end within,
  double between_ = HUGE_VAL;      ///< at this time
  double lasting_step_ = 0;        ///< what nearness is measured by
  std::vector<double> thickness_;  ///< of each CONTACT, least of its pairs: radii of balls inside them
  std::vector<ContactOverlaps> overlaps_;  ///< of each CONTACT
  std::array<double, 3> time_{};           ///< ends of the last steps, the latest last
  std::array<std::vector<double>, 3> g_;   ///< there: of switches, of their turns, of contacts, of theirs
  std::vector<Change> change_;             ///< what is known of each
  std::vector<std::uint32_t> turns_;  ///< of each CONTACT, a bit for each step in which it was made or lost
  std::vector<unsigned char> told_;   ///< of each CONTACT: chattering() did
  int steps_ = 0;                     ///< how many of these there are
  int met_ = no_switch;               ///< that which the last step was to end at
};

}  // namespace trammel
