#include "analysis/input_record.h"

#include "math/rotation.h"

namespace trammel {

namespace {

/// Axes of a marker in global axes, as the dataset places its part.
Mat3d axes_of(const Model& model, int marker) {
  const Marker& m = model.markers[static_cast<std::size_t>(marker)];
  return m.body < 0 ? m.A : model.initial.bodies[static_cast<std::size_t>(m.body)].orientation * m.A;
}

}  // namespace

std::vector<double> input_record(const Model& model, const Channels& channels) {
  std::vector<double> values(static_cast<std::size_t>(channels.size()), 0.0);
  double* out = values.data();  // the parts come first
  const auto put = [&](const Vec3d& v) {
    for (int k = 0; k < 3; ++k) *out++ = v[k];
  };
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const InitialBody& given = model.initial.bodies[b];
    const Mat3d& A = given.orientation;
    const Vec3d s = A * model.bodies[b].bcs;
    const Mat3d angular_axes =
        given.angular_marker >= 0 ? axes_of(model, given.angular_marker) : A * model.bodies[b].cm_axes;
    const Vec3d w = angular_axes * given.angular_velocity;
    put(given.position + s);
    put(angles_313(A));
    put(axes_of(model, given.velocity_marker) * given.velocity + cross(w, s));
    put(w);
    out += 6;  // accelerations
  }
  return values;
}

}  // namespace trammel
