// Steps that carry surfaces from sticking to sliding past the peak of their friction.
//
// Friction μ(|v|) rises up to the slip V and falls beyond. Where a load is between the friction that slides
// and that which sticks, both go on for ever, and which of them surfaces do depends on whether the load was
// above the peak. An implicit step has both as solutions, and its error tells nothing of it: the first step
// from rest has a bound alone, and errors of what sticks are those that the step damps. So a step in which
// all overlaps slide at last, and none did before, ends no farther beyond V than where friction has fallen by
// 3 %; nor does one at whose end a single place slides the other way.
#pragma once

#include <vector>

#include "element/contact.h"

namespace trammel {

class Archive;
class Assembler;
struct Model;

class SlipLeaps {
 public:
  SlipLeaps(const Model& model, Assembler& assembler);
  /// Whether no CONTACT or FRICTION has friction that falls.
  bool empty() const { return surface_.empty(); }
  /// The motion of the assembler's last evaluation is that of a step's beginning.
  void begin();
  /// Whether that of the last evaluation, at the end of a step of size h, passed a peak. Not of attempt after
  /// attempt: an impulse, or another place of the surfaces, changes slips in no time.
  bool leapt(double h);
  /// The step that leapt() was last asked about is taken.
  void accept();
  void archive(Archive& a);

 private:
  struct Surface {
    int contact = -1;        ///< in Model::contacts
    int tape = -1;           ///< of what results show of a FRICTION
    double stick_speed = 1;  ///< V
    double farthest = 1;     ///< slip at which a step may end
    ContactSlips before, now;
    bool leaps() const;
  };
  /// `all`: of those below what is looked at, too.
  void read(bool all);

  Assembler& assembler_;
  std::vector<Surface> surface_;
  std::vector<ContactSlips> of_contacts_;
  std::vector<double> looked_at_;  ///< slip of each CONTACT below which it is not
  int refused_ = 0;                ///< attempts at this step
  double h_ = 0;                   ///< of the last attempt
  double longest_ = 0;             ///< of the last steps
};

}  // namespace trammel
