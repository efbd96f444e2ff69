// Random linkages as decks: closed loops of bars, which are over-constrained, and open chains in space.
#pragma once

#include <string>
#include <vector>

#include "../support/deck.h"

namespace trammel::test {

/// A unit of length: its name in UNITS and how many make a metre.
struct LengthUnit {
  const char* name;
  double per_meter;
};
constexpr LengthUnit meter{"METER", 1}, millimeter{"MILLIMETER", 1000}, inch{"INCH", 1 / 0.0254};

struct LinkageOptions {
  LengthUnit unit = meter;
  double misplaced = 0;    ///< parts are given this far [m], and by this angle [rad], from where they belong
  std::string integrator;  ///< INTEGRATOR statement
};

inline std::string unit_statement(const LengthUnit& unit) {
  return fmt::format("UNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH={},TIME=SECOND\n", unit.name);
}

/// A bar from one point to another: PART/id with markers 10 id (middle), 10 id + 1, 10 id + 2 (ends), z along
/// `axis` at both ends.
inline std::string bar(int id, const Vec3d& from, const Vec3d& to, const Mat3d& axes, Random& random,
                       const LinkageOptions& options) {
  const double l = options.unit.per_meter;
  const Vec3d half = 0.5 * (to - from);
  const Vec3d place = 0.5 * (from + to) + random.vector(options.misplaced);
  const Mat3d turn = exponential(random.vector(options.misplaced));
  const double inertia = 0.1 * dot(half, half) + 0.01;
  std::string deck = fmt::format(
      "PART/{0}, MASS={1:.17g}, CM={0}0\n, IP={2:.17g}, {2:.17g}, {2:.17g}\n, QG={3}\n, REULER={4}\n", id,
      random.uniform(0.5, 2), inertia * l * l, list(l * place), euler(turn));
  deck += marker(10 * id, fmt::format("PART={}", id), {}, Mat3d::identity());
  deck += marker(10 * id + 1, fmt::format("PART={}", id), -l * half, axes);
  deck += marker(10 * id + 2, fmt::format("PART={}", id), l * half, axes);
  return deck;
}

/// Parts 2 … bars + 1 on revolute joints in a row from ground. Closed: the last one, too, is joined to
/// ground, all axes are parallel and three equations are redundant; open: axes and directions are random.
inline std::string linkage(unsigned seed, int bars, bool closed, const LinkageOptions& options = {}) {
  Random random(seed);
  const double l = options.unit.per_meter;
  const Mat3d frame = random.rotation();
  std::string deck = "linkage\n" + unit_statement(options.unit) + "PART/1, GROUND\nMARKER/10, PART=1\n";
  deck += fmt::format("ACCGRAV/JGRAV={:.17g}, KGRAV={:.17g}\n", -9 * l, -3 * l);
  Vec3d from, half_before;
  std::string joints;
  Mat3d axes = frame;
  for (int k = 0; k < bars; ++k) {
    // Corners of a convex curve, at random distances: no position of the loop near it is singular.
    const double angle = closed ? 2.6 - 2.9 * k / bars + random.uniform(-0.15, 0.15) : 0;
    const Vec3d along =
        closed ? frame * Vec3d{std::cos(angle), std::sin(angle), 0} : random.rotation().column(0);
    const Vec3d to = from + random.uniform(0.4, 0.8) * along;
    if (!closed) axes = random.rotation();
    const int id = k + 2;
    deck += bar(id, from, to, axes, random, options);
    // Where the bar begins there is a marker of the part before, or of ground, with the same axes.
    const int before = 10 * id + 3;
    deck += marker(before, fmt::format("PART={}", k == 0 ? 1 : id - 1), l * half_before, axes);
    joints += fmt::format("JOINT/{0}, REVOLUTE, I={1}, J={2}\n", id, 10 * id + 1, before);
    half_before = 0.5 * (to - from);
    from = to;
  }
  if (closed) {
    deck += marker(15, "PART=1", l * from, axes);
    joints += fmt::format("JOINT/99, REVOLUTE, I={}, J=15\n", 10 * (bars + 1) + 2);
  }
  return deck + joints + options.integrator + "RESULTS/XRF\nEND\n";
}

}  // namespace trammel::test
