// How soon the motion comes to where a function changes its law: x = x1 of IMPACT, the stops of BISTOP, e = 0
// of IF, first touch and loss of a CONTACT, and inside a touch where damping takes all of its force, or where
// restitution begins. A step that ends there is followed by one that begins there, and
// neither is taken over the change. Of two changes of one function a step passes one at most: what holds
// between both would not be seen at its ends. And how far into each other shapes go in a step: not so far
// that they pass.
//
// g is the difference whose zero this is (of a CONTACT the distance, negative inside), as it was found by the
// last evaluation of each step: at the accepted state but for the last correction. The parabola through the
// ends of the last three steps tells its course. Where the values come from, the processor or a device, is
// not known here.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/archive.h"
#include "integrate/between_changes.h"
#include "model/model.h"

namespace trammel {

/// Of all contacts that whose shapes are least thick, by the sum of the radii of balls inside two of them;
/// without a name where none has an end.
struct ThinnestContact {
  std::string name;
  double thickness = HUGE_VAL;
};
ThinnestContact thinnest_contact(const Model& model);

class Approach {
 public:
  explicit Approach(const Model& model);

  bool empty() const { return change_.empty() && !has_groups_; }
  /// Whether a spline of the motion has data that turn back.
  bool has_turning_data() const;
  bool has_contacts() const { return !thickness_.empty() || has_groups_; }
  const LawSwitches& switches() const { return switches_; }
  /// The first CONTACT, or element with an IMPACT, BISTOP, MAX, MIN or DIM of the motion, a STEP, STEP5
  /// or HAVSIN of places or states, an IF of places, a spline of places that is flat but for a part, or
  /// another function of places that bends as a stop does; "": there is none.
  const std::string& first_stop() const { return first_stop_; }
  /// Values of all that is watched, for who finds them.
  LawChanges values() const;
  /// Forgets steps before. `found` at the present time t.
  void begin(double t, const LawChanges& found);
  /// After that: what would be found at t + h and t + 2h if the motion went on as it does. The parabolas of
  /// the first steps go through these.
  void foresee(double h, const std::array<LawChanges, 2>& found);
  /// After a step that ended at t and whose last evaluation was `found`. rejected: attempts had to be
  /// given up; of the changes that were ahead, and passed over, that was because they matter.
  void after_step(double t, bool rejected, const LawChanges& found);
  /// Of the switches, as they are now.
  FirstCourses courses() const;
  /// What ends a step. Over a change a method of second order loses too little to end there.
  enum class Ends { passages, passages_and_between, all };
  /// When the step from `now` on, of size h unless it ends at `latest`, is to end for what it approaches.
  double end_of_step(double now, double h, double latest, Ends ends);
  /// CONTACTs that were made or lost in most of the last steps: their names, each told once.
  std::vector<std::string> chattering();

  void archive(Archive& a) {
    a(time_, g_, taken_, change_, steps_, met_, turns_, told_, calm_, split_, lasting_step_, passage_);
    for (Passage& p : passages_) a(p.law.stiffness, p.law.exponent, p.law.damping, p.law.full_depth);
  }

 private:
  /// What may be passed over in a step: an argument, or the gap of a stop or CONTACT and normal_turn() of it.
  struct Passage {
    int gap, turn;  ///< g; turn = −1: none
    ContactLaw law;
  };
  enum class Change : unsigned char { harmless, ahead, matters, none };
  static constexpr int no_switch = -1;
  void add_passages();
  std::string find_stop() const;
  void take(const LawChanges& found, std::vector<double>& g);
  /// The first time between `soonest` and `latest` at which a g that matters will vanish; infinite where none
  /// will. What was told for the last step is not told again.
  double next_change(double soonest, double latest);
  bool is_spline(int k) const { return is_switch(k) && switches_.item[k].is_spline(); }
  /// Where a step up to `latest` would pass two changes of one function, or of two that read each other's
  /// values in one tape, the first time between both, if that is after a time; infinite where none would.
  double between_changes(double of_stops, double of_pulses, double latest);
  /// When the argument of a spline will be where its data turn back, first of all up to `latest`; infinite
  /// where none is.
  double next_turn_of_data(double soonest, double latest) const;
  void watch_touches();
  Course course(int k) const;
  int first_fold() const { return static_cast<int>(2 * (switches_.item.size() + thickness_.size())); }
  bool is_switch(int k) const { return k < static_cast<int>(switches_.item.size()); }
  /// Not: of a switch in a branch that IF has not taken.
  bool acts(int k) const { return !is_switch(k) || taken_[k] != 0; }

  const Model& model_;
  const LawSwitches switches_;
  std::string first_stop_;
  const bool has_groups_;  ///< contacts of many bodies
  std::vector<Passage> passages_;
  std::vector<int> calm_;          ///< of each, then of each tape with switches, steps since a step
                                   ///< might have passed it over
  SplitStep split_;                ///< where the last step was to end between two changes
  double lasting_step_ = 0;        ///< what nearness is measured by
  std::vector<double> thickness_;  ///< of each CONTACT, least of its pairs: radii of balls inside them
  double passage_ = HUGE_VAL;      ///< when shapes would pass each other
  std::array<double, 3> time_{};   ///< ends of the last steps, the latest last
  /// There: of switches, of their turns, of contacts, of theirs, four numbers of the fold of each switch.
  std::array<std::vector<double>, 3> g_;
  std::vector<unsigned char> taken_;  ///< of each switch: the branch of IF that it is in is taken
  std::vector<Change> change_;        ///< what is known of each
  std::vector<std::uint32_t> turns_;  ///< of each CONTACT, a bit for each step in which it was made or lost
  std::vector<unsigned char> told_;   ///< of each CONTACT: chattering() did
  int steps_ = 0;                     ///< how many of these there are
  int met_ = no_switch;               ///< that which the last step was to end at
};

}  // namespace trammel
