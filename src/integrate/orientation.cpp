#include "integrate/orientation.h"

namespace trammel {

void rebase(const Model& model, int index, State& state, std::span<const CoordinatePoint> history,
            double* extra) {
  const int at = model.bodies[index].angles(), points = static_cast<int>(history.size());
  const CoordinatePoint now{state.q.data(), state.v.data(), state.a.data()};
  if (extra)
    rebase_body(at, state.basis[index], now, history.data(), points, StoredAccelerations{extra});
  else
    rebase_body(at, state.basis[index], now, history.data(), points, NothingStored());
}

void set_orientation(const Body& body, State& state, int index, const Mat3d& A, const Vec3d& w,
                     const Vec3d& alpha) {
  state.basis[index] = make_basis(A, w, alpha);
  const int at = body.angles();
  coordinates_of({A, w, alpha}, state.basis[index], &state.q[at], &state.v[at], &state.a[at]);
}

}  // namespace trammel
