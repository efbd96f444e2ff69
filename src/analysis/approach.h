// How soon the motion comes to where a function changes its law: x = x1 of IMPACT, the stops of BISTOP, e = 0
// of IF. A step that ends there is followed by one that begins there, and neither is taken over the change.
//
// g is the difference whose zero this is, as it was found by the last evaluation of each step: at the
// accepted state but for the last correction. The parabola through the ends of the last three steps tells
// when it vanishes.
#pragma once

#include <array>
#include <vector>

#include "assemble/assembler.h"
#include "base/archive.h"

namespace trammel {

class Approach {
 public:
  Approach(const Model& model, Assembler& assembler);

  bool empty() const { return switches_.empty(); }
  /// Forgets steps before. The assembler has evaluated the state at t.
  void begin(double t);
  /// After a step that ended at t and whose last evaluation was the assembler's. rejected: attempts had to be
  /// given up; of the changes that were ahead, and passed over, that was because they matter.
  void after_step(double t, bool rejected);
  /// The first time between `soonest` and `latest` at which a g that matters will vanish; infinite where none
  /// will. What was told for the last step is not told again.
  double next(double soonest, double latest);

  void archive(Archive& a) { a(time_, g_, change_, steps_, met_); }

 private:
  struct Switch {
    int tape;
    int a, b;  ///< registers of it whose difference is g; b = −1: g = a
  };
  enum class Change : unsigned char { harmless, ahead, matters };
  static constexpr int no_switch = -1;
  double crossing(std::size_t k, double soonest) const;

  Assembler& assembler_;
  std::vector<Switch> switches_;
  std::array<double, 3> time_{};          ///< ends of the last steps, the latest last
  std::array<std::vector<double>, 3> g_;  ///< [switches] there
  std::vector<Change> change_;            ///< [switches] as far as known
  int steps_ = 0;                         ///< how many of these there are
  int met_ = no_switch;                   ///< that which the last step was to end at
};

}  // namespace trammel
