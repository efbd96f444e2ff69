#include "analysis/statics/static_scale.h"

#include <algorithm>

#include "analysis/approach.h"
#include "assemble/kinematics.h"

namespace trammel {

StaticScale static_scale(const Model& model, const State& state) {
  Kinematics now(model);
  now.update(state);
  Vec3d middle;
  for (int b = 0; b < now.bodies(); ++b) middle += (1.0 / now.bodies()) * now.body(b).x;
  constexpr double extents = 10, part_of_shapes = 0.5;  // so that shapes do not go through each other
  StaticScale out;
  double farthest = 0;
  for (int b = 0; b < now.bodies(); ++b) farthest = std::max(farthest, norm(now.body(b).x - middle));
  for (std::size_t m = 0; m < model.markers.size(); ++m)
    farthest = std::max(farthest, norm(now.marker(static_cast<int>(m)).r - middle));
  if (farthest > 0) out.extent = farthest;
  const double seconds = unit_in_si("TIME", model.units.time);  // per unit of time; 0: not named
  if (seconds > 0) out.square = seconds * seconds;
  out.square = std::max(out.square, 0.01 * norm(model.gravity) / out.extent);
  out.longest = std::min(extents * out.extent, part_of_shapes * thinnest_contact(model).thickness);
  return out;
}

EquilibriumOptions scaled(const EquilibriumOptions& options, const StaticScale& scale) {
  constexpr double part = 1e-5;
  EquilibriumOptions out = options;
  if (!out.tlimit_given) out.tlimit = scale.longest;
  if (!out.stability_given) out.stability = part * scale.square;
  return out;
}

}  // namespace trammel
