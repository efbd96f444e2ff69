#include "integrate/orientation.h"

#include <cmath>

#include "math/angle.h"

namespace trammel {

void rebase(const Model& model, int index, State& state, std::span<const CoordinatePoint> history) {
  const CoordinatePoint now{state.q.data(), state.v.data(), state.a.data()};
  rebase_body(model.bodies[index].angles(), state.basis[index], now, history.data(),
              static_cast<int>(history.size()), NothingStored());
}

Vec3d along_translations(const Body& body, const Vec3d& x) {
  return body.planar() ? transpose_times(body.plane, x) : x;
}

void set_orientation(const Body& body, State& state, int index, const Mat3d& A, const Vec3d& w,
                     const Vec3d& alpha) {
  const int at = body.angles();
  if (body.planar()) {
    const Vec3d x = transpose_times(body.plane, A.column(0)), n = body.plane.column(2);
    state.q[at] = continued_angle(std::atan2(x.y, x.x), state.q[at]);
    state.v[at] = dot(n, w);
    state.a[at] = dot(n, alpha);
    return;
  }
  state.basis[index] = make_basis(A, w, alpha);
  coordinates_of({A, w, alpha}, state.basis[index], &state.q[at], &state.v[at], &state.a[at]);
}

}  // namespace trammel
