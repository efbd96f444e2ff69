// The times, known in advance, at which function expressions of a model change their law
// (expression/break_points.h).
#pragma once

#include "expression/break_points.h"
#include "model/model.h"

namespace trammel {

class KnownBreaks {
 public:
  explicit KnownBreaks(const Model& model);

  /// The first such time after t; infinite: none.
  double after(double t) {
    if (t < from_ || t >= next_) find(t);
    return next_;
  }

 private:
  void find(double t);

  const Model& model_;
  std::vector<unsigned char> of_place_;  ///< per tape: it gives the place of a motion
  double from_ = 0, next_ = 0;           ///< no break lies between these times; both 0 at first
};

}  // namespace trammel
