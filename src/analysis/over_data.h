// What a step may pass over in the data of a spline.
#pragma once

#include "expression/tape.h"

namespace trammel {

/// Where values that are passed on the way of the argument from one abscissa to another first turn back, so
/// that a step over the way would not see how far they went: the abscissa of the farthest of them; `to` where
/// they do not. They turn back where they go and return by a hundredth of their range, and by 1e-5
/// of that of all data. Of a surface the first in any row.
double first_turn(const SplineTable& data, double from, double to);

}  // namespace trammel
