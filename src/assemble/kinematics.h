// Kinematics of bodies and markers, and their variations for a Newton matrix.
#pragma once

#include <vector>

#include "base/parallel.h"
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
  Vec3d x, v, a;  ///< centre of mass
  Mat3d A;        ///< body axes in global axes
  Mat3d H;        ///< ω = H ε̇,  α = H ε̈ + Ḣ ε̇
  Vec3d w, alpha;
};

/// Markers of moving bodies and how deep each is wanted: 0 position, 1 pose, 2 velocities, 3 accelerations.
/// By bodies, so that a marker is computed while its body is at hand.
struct MarkerSelection {
  struct Marker {
    int marker, level;
  };
  std::vector<int> start;  ///< bodies + 1
  std::vector<Marker> markers;
};
/// level[m] of every marker m, −1: not wanted.
MarkerSelection select_markers(const Model& model, const std::vector<int>& level);

/// Variations of a body: δθ = P Δε, δω = V Δε, δα = Q Δε (3×3, global axes).
struct BodyVariation {
  Mat3d P, V, Q;
};

class Kinematics {
 public:
  explicit Kinematics(const Model& model, Parallel parallel = Parallel());

  /// Bodies and markers from q, q̇, q̈ of the state.
  void update(const State& state) { update(state, all_); }
  /// Bodies, and of markers only those selected, as deep as they say; what is left out keeps the values of
  /// an earlier update.
  void update(const State& state, const MarkerSelection& selection);
  /// Variations at the last updated configuration.
  void update_variations(const State& state, const Coefficients& coefficients);

  /// Where a body's coordinates are: packed, for loops over all bodies.
  struct BodyPlace {
    int first = 0;
    bool point_mass = false;
    double mass = 0;
  };
  int bodies() const { return static_cast<int>(bodies_.size()); }
  const BodyPlace& place(int b) const { return places_[b]; }
  const BodyKinematics& body(int b) const { return bodies_[b]; }
  /// cos θ of the body's present angles, 0 of a point mass: packed, for norms of rotations.
  double cos_theta(int b) const { return cos_theta_[b]; }
  const BodyVariation& variation(int b) const { return variations_[b]; }
  const MarkerKinematics<double>& marker(int m) const { return markers_[m]; }
  /// Marker position from its body's centre of mass, global axes.
  const Vec3d& arm(int m) const { return arms_[m]; }

  /// Pose of a marker along the motion as a jet in time: value, first and second derivative.
  using Jet = Dual<Dual<double, 1>, 1>;
  MarkerKinematics<Jet> jet(int m) const;

 private:
  void update_body(const State& state, int b);
  void update_variation(const State& state, const Coefficients& c, int b);
  void update_marker(const BodyKinematics& k, int m, int level);

  const Model& model_;
  Parallel parallel_;
  MarkerSelection all_;
  std::vector<BodyPlace> places_;
  std::vector<BodyKinematics> bodies_;
  std::vector<double> cos_theta_;
  std::vector<BodyVariation> variations_;
  std::vector<MarkerKinematics<double>> markers_;
  std::vector<Vec3d> arms_;
};

}  // namespace trammel
