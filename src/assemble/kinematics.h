// Kinematics of bodies and markers, and their variations for a Newton matrix.
#pragma once

#include <vector>

#include "assemble/view.h"
#include "base/parallel.h"
#include "model/state.h"

namespace trammel {

/// Markers of moving bodies and how deep each is wanted, by bodies, so that a marker is computed while its
/// body is at hand.
struct MarkerSelection {
  std::vector<int> start;  ///< bodies + 1: first marker of each body
  std::vector<WantedMarker> markers;
};
/// `level`: per marker of the model as WantedMarker::level, −1: not wanted.
MarkerSelection select_markers(const Model& model, const std::vector<int>& level);

/// The arrays of a state.
StateView view_of(const State& state);

class Kinematics {
 public:
  explicit Kinematics(const Model& model, Parallel parallel = Parallel());

  /// A view with the arrays of bodies and markers; the assembler adds its own to it.
  AssemblyView view();

  /// Bodies and markers from q, q̇, q̈ of the state.
  void update(const State& state);
  void update(const AssemblyView& view) { update(view, all_); }
  /// All bodies, and of the markers only those selected, each as deep as the selection says; what is left out
  /// keeps the values of an earlier update.
  void update(const AssemblyView& view, const MarkerSelection& selection);
  /// Variations at the last updated configuration.
  void update_variations(const AssemblyView& view);

  int bodies() const { return static_cast<int>(bodies_.size()); }
  const BodyKinematics& body(int b) const { return bodies_[b]; }
  /// cos θ of the bodies' present angles, 0 of planar bodies and point masses: packed, for norms of
  /// rotations.
  const double* cos_theta() const { return cos_theta_.data(); }
  /// Places of the coordinates of the bodies, then of the modal coordinates of each flexible body, which are
  /// translations there.
  const BodyPlace* places() const { return places_.data(); }
  const MarkerKinematics<double>& marker(int m) const { return markers_[m]; }
  const MarkerKinematics<double>* markers() const { return markers_.data(); }
  /// Modal coordinates of all flexible bodies and their rates at the last update, in the order of the
  /// coordinates.
  struct Modal {
    std::vector<double> q, v;
  };
  const Modal& modal() const { return modal_; }
  /// Displacement and rotation of a marker, global axes, that changes of the modal coordinates (one number
  /// for each of the model) add to those that the body's frame gives it; zero for a marker that is not at a
  /// node.
  ModeShape modal_change(int m, const double* change) const;
  /// Marker position from its body's centre of mass, global axes.
  const Vec3d& arm(int m) const { return arms_[m]; }

  /// Pose of a marker along the motion as a jet in time: value, first and second derivative.
  using Jet = Dual<Dual<double, 1>, 1>;
  MarkerKinematics<Jet> jet(int m) const;

 private:
  static constexpr int bodies_at_once = 16;
  void update_bodies(const AssemblyView& view, const MarkerSelection& selection, int begin, int end);

  const Model& model_;
  Parallel parallel_;
  MarkerSelection all_;
  std::vector<BodyPlace> places_;
  std::vector<BodyKinematics> bodies_;
  std::vector<double> cos_theta_;
  std::vector<BodyVariation> variations_;
  std::vector<MarkerKinematics<double>> markers_;
  std::vector<FlexiblePlace> flexible_;
  Modal modal_;
  std::vector<NodeMotion> nodes_;
  std::vector<SpinDerivatives> node_spins_;
  std::vector<ModeShape> mode_shapes_;
  std::vector<ModeVariation> mode_variations_;
  std::vector<Vec3d> arms_;
};

}  // namespace trammel
