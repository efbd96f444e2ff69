// Angles beyond one revolution.
#pragma once

#include <cmath>

#include "base/hd.h"
#include "math/dual.h"

namespace trammel {

/// `angle` plus the number of revolutions that brings it nearest to its last accepted value.
template <class T>
TRAMMEL_HD T continued_angle(const T& angle, double last) {
  constexpr double turn = 6.283185307179586477;
  return angle + turn * std::nearbyint((last - value_of(angle)) / turn);
}

}  // namespace trammel
