// Kinematics of bodies and markers, and their variations for a Newton matrix.
#pragma once

#include <vector>

#include "math/rotation.h"
#include "model/state.h"

namespace trammel {

/// How the variation of the unknown Δ of one analysis enters positions, velocities and accelerations:
///   δq = c Δ, δq̇ = b Δ, δq̈ = a Δ;  differential scalars δX = state Δ, δẊ = rate Δ.
struct Coefficients {
  double a = 1, b = 0, c = 0;
  double state = 0, rate = 1;
};

/// Kinematics of one body, global axes. Point masses: A = I, w = alpha = 0, H unused.
struct BodyKinematics {
  Vec3d x, v, a;       ///< centre of mass
  Mat3d A;             ///< body axes in global axes
  Mat3d H;             ///< ω = H ε̇
  Mat3d Hdot;          ///< α = H ε̈ + Ḣ ε̇
  Vec3d w, alpha;
};

/// Variations of a body: δθ = P Δε, δω = V Δε, δα = Q Δε (3×3, global axes).
struct BodyVariation {
  Mat3d P, V, Q;
};

/// Variations of a marker's point: δr = c Δx + R Δε, δv = b Δx + S Δε, δa = a Δx + U Δε.
struct MarkerVariation {
  Mat3d R, S, U;
};

class Kinematics {
 public:
  explicit Kinematics(const Model& model);

  /// Bodies and markers from q, q̇, q̈ of the state.
  void update(const State& state);
  /// Variations at the last updated configuration.
  void update_variations(const State& state, const Coefficients& coefficients);

  const BodyKinematics& body(int b) const { return bodies_[b]; }
  const BodyVariation& variation(int b) const { return variations_[b]; }
  const MarkerKinematics<double>& marker(int m) const { return markers_[m]; }
  const MarkerVariation& marker_variation(int m) const { return marker_variations_[m]; }
  /// Marker position from its body's centre of mass, global axes.
  const Vec3d& arm(int m) const { return arms_[m]; }

  /// Pose of a marker along the motion as a jet in time: value, first and second derivative.
  using Jet = Dual<Dual<double, 1>, 1>;
  MarkerKinematics<Jet> jet(int m) const;

 private:
  const Model& model_;
  std::vector<BodyKinematics> bodies_;
  std::vector<BodyVariation> variations_;
  std::vector<MarkerKinematics<double>> markers_;
  std::vector<MarkerVariation> marker_variations_;
  std::vector<Vec3d> arms_;
};

/// Body orientation and rates from the coordinates of one body.
BodyKinematics body_kinematics(const Body& body, const OrientationBasis& basis, const double* q,
                               const double* v, const double* a);

}  // namespace trammel
