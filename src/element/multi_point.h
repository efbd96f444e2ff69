// What the law of a multi-point force reads of its element; element/multi_point_law.h says what a law is.
#pragma once

#include "element/wrench.h"
#include "expression/marker_kinematics.h"

namespace trammel {

/// Parameters of an element: as many numbers as its law wants, in places that follow from the number of
/// pairs.
struct MultiPointParameters {
  int pairs = 0;
  const double* numbers = nullptr;
};

}  // namespace trammel
