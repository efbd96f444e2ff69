// Angles beyond one revolution.
#pragma once

#include <cmath>

#include "base/hd.h"
#include "math/dual.h"

namespace trammel {

/// The whole turns that bring `angle` nearest to its last accepted value.
TRAMMEL_HD inline double whole_turns(double angle, double last) {
  constexpr double turn = 6.283185307179586477;
  return turn * std::nearbyint((last - angle) / turn);
}

/// `angle` plus the number of revolutions that brings it nearest to its last accepted value.
template <class T>
TRAMMEL_HD T continued_angle(const T& angle, double last) {
  return angle + whole_turns(value_of(angle), last);
}

}  // namespace trammel
