// A random mechanism with room for one element more, and random numbers in its state.
#pragma once

#include <string>
#include <vector>

#include "../support/deck.h"
#include "assemble/assembler.h"

namespace trammel::test {

/// Ground (PART/1), three parts 2, 3, 4 and POINT_MASS/5. Markers: part p has p1, p2, p3 (11 .. 43) at random
/// places and axes, the point mass 51. Markers p7 have z about along -y of the others. Floating: 29 on
/// PART/2, 39 on PART/3, 19 on ground. Orientations of the markers are alike to about half a radian, so that
/// no angle of a joint or bushing is singular. The first `planar` parts are in planes of their own.
inline std::string random_bodies(Random& random, int planar = 0) {
  std::string deck = "UNITS/UCF=1\nACCGRAV/IGRAV=0.3, JGRAV=-0.5, KGRAV=0.2\n", planes;
  for (int part = 1; part <= 4; ++part) {
    const Mat3d frame = part == 1 ? Mat3d::identity() : random.rotation();
    const bool in_plane = part > 1 && part < 2 + planar;
    if (part == 1) {
      deck += "PART/1, GROUND\n";
    } else {
      // Principal moments of a real body, turned by a random frame of IM.
      const double a = random.uniform(0.3, 1), b = random.uniform(0.3, 1), c = random.uniform(0.3, 1);
      deck += fmt::format(
          "PART/{0}\n, MASS = {1:.17g}\n, CM = {0}1\n, IM = {0}8\n, IP = {2:.17g}, {3:.17g}, {4:.17g}\n",
          part, random.uniform(0.5, 2), a + b, b + c, c + a);
      const Vec3d origin = random.vector(1);
      deck += fmt::format(", QG = {}\n, REULER = {}\n", list(origin), euler(frame));
      if (in_plane) planes += marker(100 + part, "PART = 1", origin, frame);
      Vec3d center = random.vector(0.5);
      if (in_plane) {
        center.z = 0;
        deck += fmt::format(", PLANAR, PLANE = 10{}\n", part);
      }
      deck += fmt::format("MARKER/{0}1, PART = {0}\n, QP = {1}\n, REULER = {2}\n", part, list(center),
                          euler(transpose(frame) * exponential(random.vector(0.3))));
      deck += fmt::format("MARKER/{0}8, PART = {0}\n, QP = {1}\n, REULER = {2}\n", part, list(center),
                          euler(random.rotation()));
    }
    for (int k = part == 1 ? 1 : 2; k <= 3; ++k)
      deck += marker(10 * part + k, fmt::format("PART = {}", part), random.vector(0.7),
                     transpose(frame) * exponential(random.vector(0.3)));
    deck += marker(10 * part + 7, fmt::format("PART = {}", part), random.vector(0.7),
                   transpose(frame) * exponential(random.vector(0.2)) * rotation_x(std::acos(0.0)));
    deck += fmt::format("MARKER/{0}9, PART = {0}, FLOATING\n", part);
  }
  deck += fmt::format("POINT_MASS/5, MASS = 0.7, CM = 51\n, QG = {}\nMARKER/51, POINT_MASS = 5\n",
                      list(random.vector(1)));
  return deck + planes;
}

/// A state of random numbers: bodies near the poses of the deck, each in a random basis of its angles with
/// sin θ > 0.4, velocities, accelerations, multipliers and scalars in [-1, 1].
inline State random_state(const Model& model, Random& random) {
  State state(model);
  state.t = random.uniform(0.1, 1);
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    const InitialBody& given = model.initial.bodies[b];
    const Vec3d x = body.planar() ? transpose_times(body.plane, given.position) : given.position;
    for (int k = 0; k < body.translations; ++k) state.q[body.first + k] = x[k] + random.uniform(-0.3, 0.3);
    if (body.planar()) {
      const Vec3d along = transpose_times(body.plane, given.orientation.column(0));
      state.q[body.angles()] = std::atan2(along.y, along.x) + random.uniform(-0.5, 0.5);
    }
    if (!body.has_euler_angles()) continue;
    const Vec3d e{random.uniform(-3, 3), random.uniform(0.5, 2.6), random.uniform(-3, 3)};
    OrientationBasis& basis = state.basis[b];
    basis.R = random.rotation();
    const Mat3d A = exponential(random.vector(0.3)) * given.orientation;
    basis.G = A * transpose(basis.R) * transpose(rotation_313(e));  // A = G A₃₁₃ R
    for (int k = 0; k < 3; ++k) state.q[body.angles() + k] = e[k];
  }
  for (int k = model.first_modal(); k < model.coordinates; ++k) state.q[k] = random.uniform(-0.4, 0.4);
  for (auto* v : {&state.v, &state.a, &state.lambda, &state.s, &state.sdot, &state.offset})
    for (double& x : *v) x = random.uniform(-1, 1);
  return state;
}

inline Coefficients random_coefficients(Random& random) {
  const auto draw = [&] { return random.uniform(0.4, 1.5); };
  return {draw(), draw(), draw(), draw(), draw()};
}

/// The state moved along unknown `column` by h as the coefficients say (state and rate: differential
/// scalars).
inline State along(const Model& model, const State& at, const Coefficients& c, int column, double h) {
  State s = at;
  if (column < model.coordinates) {
    s.q[column] += c.c * h;
    s.v[column] += c.b * h;
    s.a[column] += c.a * h;
  } else if (column < model.first_scalar()) {
    s.lambda[column - model.coordinates] += h;
  } else {
    const int k = column - model.first_scalar();
    const bool differential = model.scalars[k].differential();
    s.s[k] += differential ? c.state * h : h;
    if (differential) s.sdot[k] += c.rate * h;
  }
  return s;
}

using Dense = std::vector<std::vector<double>>;  ///< [row][column]

inline Dense dense(const SparsePattern& pattern, const std::vector<double>& values) {
  Dense m(pattern.n, std::vector<double>(pattern.n));
  for (int column = 0; column < pattern.n; ++column)
    for (int k = pattern.column_start[column]; k < pattern.column_start[column + 1]; ++k)
      m[pattern.row[k]][column] = values[k];
  return m;
}

/// Vector with the operations that derivative() needs.
struct Vector {
  std::vector<double> x;
  friend Vector operator-(Vector a, const Vector& b) {
    for (std::size_t i = 0; i < a.x.size(); ++i) a.x[i] -= b.x[i];
    return a;
  }
  friend Vector operator*(double s, Vector a) {
    for (double& v : a.x) v *= s;
    return a;
  }
};

}  // namespace trammel::test
