// What an expression measures, and how large such quantities are in a model.
#pragma once

#include "advice/subject.h"

namespace trammel {

enum class Measured { none, time, length, angle, velocity, angular_velocity };

/// Of the measures that a node is made of: that of all of them; none where they differ or there are none.
Measured measured_by(const DeckExpression& e, int node);

/// The size of the model, a radian, or these divided by the time of the simulations; 0 where it is not known.
double usual(const Subject& s, Measured quantity);

/// a TIME + b.
struct LinearInTime {
  double slope = 0, value = 0;
  bool known = false;
};
LinearInTime linear_in_time(const DeckExpression& e, int node);

}  // namespace trammel
