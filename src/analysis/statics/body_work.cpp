#include "analysis/statics/body_work.h"

#include <algorithm>
#include <cmath>

#include "assemble/body_motion.h"
#include "integrate/orientation.h"
#include "math/rotation.h"
#include "math/rotation_vector.h"

namespace trammel {

namespace {

/// Zero vectors of all bodies, and of modal coordinates k value(k) as the first component.
template <class Value>
BodyVectors with_modes(const Model& model, Value value) {
  BodyVectors out(2 * (model.bodies.size() + model.modal_coordinates));
  for (int k = 0; k < model.modal_coordinates; ++k) out[2 * (model.bodies.size() + k)].x = value(k);
  return out;
}

}  // namespace

BodyVectors displacements_of(const Model& model, const Kinematics& at, std::span<const double> correction) {
  BodyVectors way = with_modes(model, [&](int k) { return correction[model.first_modal() + k]; });
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    const double* d = &correction[body.first];
    const Mat3d& H = at.body(static_cast<int>(b)).H;
    way[2 * b] = translation_of(body, H, d);
    if (body.turns()) way[2 * b + 1] = rotation_of(body, H, d);
  }
  return way;
}

BodyVectors forces_left(const Model& model, const Kinematics& at, std::span<const double> residual) {
  BodyVectors out = with_modes(model, [&](int k) { return -residual[model.first_modal() + k]; });
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    const double* r = &residual[body.first];
    const Mat3d& H = at.body(static_cast<int>(b)).H;
    out[2 * b] = -translation_of(body, H, r);
    if (body.planar())
      out[2 * b + 1] = -rotation_of(body, H, r);
    else if (body.turns())
      out[2 * b + 1] = transpose_times(inverse(H), -Vec3d{r[3], r[4], r[5]});
  }
  return out;
}

namespace {

/// The rotation vector of a rotation; the skew part of one by less than a right angle is sin θ times the
/// axis.
Vec3d vector_of(const Mat3d& A) {
  if (A(0, 0) + A(1, 1) + A(2, 2) < 1) return rotation_vector_of(A);
  const Vec3d v = 0.5 * Vec3d{A(2, 1) - A(1, 2), A(0, 2) - A(2, 0), A(1, 0) - A(0, 1)};
  const double sine = norm(v);
  return sine > 1e-8 ? (std::asin(std::min(1.0, sine)) / sine) * v : v;
}

}  // namespace

BodyVectors displacements_between(const Model& model, const Kinematics& from, const Kinematics& to) {
  BodyVectors out = with_modes(model, [&](int k) { return to.modal().q[k] - from.modal().q[k]; });
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const BodyKinematics &p = from.body(static_cast<int>(b)), &q = to.body(static_cast<int>(b));
    out[2 * b] = q.x - p.x;
    if (model.bodies[b].turns()) out[2 * b + 1] = vector_of(q.A * transpose(p.A));
  }
  return out;
}

void move_along(const Model& model, const Kinematics& at, const BodyVectors& way, double scale,
                State& state) {
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    const Vec3d shift = along_translations(body, scale * way[2 * b]);
    for (int k = 0; k < body.translations; ++k) state.q[body.first + k] += shift[k];
    if (body.turns())
      set_orientation(body, state, static_cast<int>(b),
                      rotation_vector(scale * way[2 * b + 1]) * at.body(static_cast<int>(b)).A, {}, {});
  }
  for (int k = 0; k < model.modal_coordinates; ++k)
    state.q[model.first_modal() + k] += scale * way[2 * (model.bodies.size() + k)].x;
}

double work(const BodyVectors& forces, const BodyVectors& way) {
  double sum = 0;
  for (std::size_t k = 0; k < forces.size(); ++k) sum += dot(forces[k], way[k]);
  return sum;
}

double size_of_forces(const BodyVectors& forces, double arm) {
  double sum = 0;
  for (std::size_t k = 0; k < forces.size(); ++k)
    sum += dot(forces[k], forces[k]) / (k % 2 == 0 ? 1.0 : arm * arm);
  return std::sqrt(sum);
}

double inertia_of(const Model& model, const Assembler& assembler, const BodyVectors& way) {
  double sum = 0;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Mat3d& A = assembler.kinematics().body(static_cast<int>(b)).A;
    const Vec3d turn = transpose_times(A, way[2 * b + 1]);
    sum += model.bodies[b].mass * dot(way[2 * b], way[2 * b]) + dot(turn, model.bodies[b].inertia * turn);
  }
  std::vector<double> modal;
  for (std::size_t i = 0; i < model.flexible_bodies.size(); ++i) {
    const FlexibleBody& f = model.flexible_bodies[i];
    modal.resize(f.modes);
    for (int j = 0; j < f.modes; ++j)
      modal[j] = way[2 * (model.bodies.size() + f.first - model.first_modal() + j)].x;
    sum += 2 * assembler.modal_kinetic_energy(static_cast<int>(i), way[2 * f.body], way[2 * f.body + 1],
                                              modal.data());
  }
  return sum;
}

}  // namespace trammel
