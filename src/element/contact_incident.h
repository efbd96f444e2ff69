// One overlap of two shapes in contact, as results tell it.
#pragma once

#include "math/vec3.h"

namespace trammel {

struct ContactIncident {
  int contact = 0;               ///< number of the CONTACT
  int shape_I = 0, shape_J = 0;  ///< numbers of its GRAPHICS; between many bodies in the order of the parts
  Vec3d point;                   ///< where the force acts, on I and J alike; ground axes, as all below
  Vec3d normal_force, friction;  ///< on I; on J their negatives
  Vec3d slip;                    ///< velocity of I over J at the point, along the surfaces
  double depth = 0;
};

}  // namespace trammel
