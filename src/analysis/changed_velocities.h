// Initial velocities that a dataset gives and the constraints do not allow.
#pragma once

#include <span>
#include <string>

#include "assemble/kinematics.h"
#include "model/model.h"

namespace trammel {

/// The axes about which a dataset gives the angular velocity of body b, in global axes: those of WM, else of
/// its CM marker.
Mat3d axes_of_angular_velocity(const Model& model, const InitialValues& given, const Kinematics& now, int b);

/// A message that names parts whose given velocities are others at `now`, with the amounts; "" where none are
/// by more than four digits of a dataset can mean. `v`: the rates of all coordinates; `arm`: the length of
/// the model's arms, in its unit of length.
std::string velocities_changed(const Model& model, const InitialValues& given, const Kinematics& now,
                               std::span<const double> v, double arm);

}  // namespace trammel
