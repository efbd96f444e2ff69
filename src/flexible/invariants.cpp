#include "flexible/invariants.h"

#include <algorithm>

#include "base/diagnostics.h"

namespace trammel {

namespace {

/// What a node of mass m at s with the shapes φ of all modes adds.
void add_mass(Invariants& sum, double m, const Vec3d& s, const Vec3d* shape, int modes) {
  const Mat3d s_cross = skew(s);
  sum.mass += m;
  sum.first += m * s;
  sum.I7 += m * (transpose(s_cross) * s_cross);
  for (int j = 0; j < modes; ++j) {
    const Vec3d mj = m * shape[j];
    const Mat3d j_cross = skew(mj);
    sum.I3[j] += mj;
    sum.I4[j] += cross(s, mj);
    sum.I8[j] += s_cross * j_cross;
    for (int k = 0; k < modes; ++k) {
      const int pair = j * modes + k;
      sum.I5[pair] += cross(mj, shape[k]);
      sum.I6[pair] += dot(mj, shape[k]);
      sum.I9[pair] += j_cross * skew(shape[k]);
    }
  }
}

/// What the rotary inertia J of a node adds, with its rotations φ* by all modes.
void add_inertia(Invariants& sum, const Mat3d& J, const Vec3d* turn, int modes) {
  sum.I7 += J;
  for (int j = 0; turn && j < modes; ++j) {
    const Vec3d Jj = J * turn[j];
    sum.I4[j] += Jj;
    for (int k = 0; k < modes; ++k) sum.I6[j * modes + k] += dot(Jj, turn[k]);
  }
}

}  // namespace

Invariants lumped_invariants(const ModalBody& body) {
  if (body.node_mass.empty()) fail(ExitCode::input, "{}: the masses of its nodes are not told", body.source);
  Invariants sum;
  std::fill(sum.has + 1, sum.has + 10, true);
  const int modes = body.modes, pairs = modes * modes;
  sum.I3.resize(modes), sum.I4.resize(modes), sum.I8.resize(modes);
  sum.I5.resize(pairs), sum.I6.resize(pairs), sum.I9.resize(pairs);
  for (int p = 0; p < body.nodes(); ++p) {
    const std::size_t first = static_cast<std::size_t>(p) * modes;
    add_mass(sum, body.node_mass[p], body.position[p], body.translation.data() + first, modes);
    if (!body.node_inertia.empty())
      add_inertia(sum, body.node_inertia[p], body.rotation.empty() ? nullptr : body.rotation.data() + first,
                  modes);
  }
  return sum;
}

}  // namespace trammel
