// The times, known before they come, at which functions of a model change their law
// (expression/break_points.h).
#pragma once

#include "expression/break_points.h"
#include "model/model.h"

namespace trammel {

class KnownBreaks {
 public:
  explicit KnownBreaks(const Model& model) : model_(model) {}

  /// The first after t; infinite: none.
  double after(double t) {
    if (t < from_ || t >= next_) find(t);
    return next_;
  }

 private:
  void find(double t);

  const Model& model_;
  double from_ = 0, next_ = 0;  ///< there is none between these; both 0 at first
};

}  // namespace trammel
