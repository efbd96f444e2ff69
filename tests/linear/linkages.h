// Constraint Jacobians of linkages with known geometry, in world velocities (v, omega) of each body.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "linear/redundancy.h"

namespace trammel::test {

using Point = std::array<double, 3>;

/// Bodies with six columns each; joints between them, -1 is ground; every joint is a group.
class Linkage {
 public:
  /// A body whose reference point is `at`. Returns its number.
  int body(const Point& at);
  /// Five rows: the points of a and b at `at` move together; b turns relative to a about `axis` only.
  void revolute(int a, int b, const Point& at, const Point& axis);
  void spherical(int a, int b, const Point& at);
  /// One row: b - a turns about `axis` at a given speed.
  void rotation_motion(int a, int b, const Point& axis);
  /// Three rows: the point of `body` at `at` is held by ground; stored zeros on `other`.
  void disguised_ball(int other, int body, const Point& at);
  /// A row of zeros.
  void empty_row();

  int bodies() const { return static_cast<int>(at_.size()); }
  int groups() const { return groups_; }
  const ConstraintRows& rows() const { return rows_; }
  ConstraintRows& rows() { return rows_; }

 private:
  void row(int a, int b, const Point& linear, const Point& angular_a, const Point& angular_b);
  void point_rows(int a, int b, const Point& at);

  ConstraintRows rows_;
  std::vector<Point> at_;
  int groups_ = 0;
};

/// `windows` parallelogram four-bars in a row on ground, all axes parallel: 15 windows + 5 rows, one
/// degree of freedom, 3 redundant rows per window. All points are turned by a general rotation.
Linkage four_bars(int windows, double size = 1);
/// Bricard's orthogonal six-bar on the edges of a cube: 30 rows for 30 coordinates, but it moves: the six
/// axes depend on five.
Linkage bricard();
/// A floating frame with `arms` serial arms of two bodies; no redundancy. With `closed`, the arms' tips
/// are also joined to the frame by parallel hinges: three redundant rows per arm (planar four-bars).
Linkage frame_with_arms(int arms, bool closed);
/// A chain of `bodies` revolute joints with general axes, hanging on ground.
Linkage serial_chain(int bodies);

/// A door on two hinges whose axes differ by `angle`: rank 5 of 10 rows for angle 0, 6 otherwise.
Linkage door(double angle);
/// `bodies` bodies and `joints` hinges and balls between random pairs or ground; with `planar`, all hinges
/// and parallel.
Linkage random_linkage(int bodies, int joints, bool planar, unsigned seed);
/// Like frame_with_arms (open), with a ball on ground at each arm's first body, written with stored zeros
/// on the frame: rows that look as if they acted between two bodies and do not balance. Everything but the
/// second hinges is held: rank 6 + 11 per arm.
Linkage disguised_ground(int arms);

}  // namespace trammel::test
