// Coordinates that a dataset names EXACT or MEXACT: how far a state is from the values given, and what weighs
// and draws back what assembly would change of them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "assemble/assembler.h"
#include "model/model.h"

namespace trammel {

/// Weight of given coordinates and velocities in W (theory.md, 32), beside 1 of others (primer, Eq. 27).
inline constexpr double exact_weight = 1e10;

/// X, Y and Z are those of the origin of the part's own frame, angles those of that frame. Where the given θ
/// is 0 or 180° ψ and φ are one rotation: either holds their sum (at 180° the difference), and θ holds the
/// direction of the z axis. Of a planar body X, Y and PSI are along and in its plane.
class ExactCoordinates {
 public:
  /// `arm`: the length as which a radian counts. The model must outlive it.
  ExactCoordinates(const Model& model, const InitialValues& given, double arm);

  /// Number of coordinates; the two by which a direction is held are two of them.
  std::size_t count() const { return held_.size(); }
  /// Adds the weight of all of them at the present kinematics to W (theory.md, 32).
  void add_weights(const Kinematics& now, BodyWeights& weights) const;
  /// Adds weight times distance from the value given of those in `drawn`, one entry per coordinate, to the
  /// residual.
  void add_pull(const std::vector<bool>& drawn, const Kinematics& now, std::span<const double> q,
                std::span<double> residual) const;
  /// How far those in `which` are from their values at most: lengths over `size`, angles in rad, changes of ψ
  /// and φ times sin θ.
  double farthest(const std::vector<bool>& which, const Kinematics& now, std::span<const double> q,
                  double size) const;

  /// How a coordinate differs from its value.
  struct Change {
    int body;
    std::string name;  ///< "X", "PSI", "PSI + PHI", "Q7"
    double by;         ///< [rad; length]
    bool angle;
    double unit = 1;  ///< length that is 1 in the dataset, of a mode
  };
  std::vector<Change> changes(const Kinematics& now, std::span<const double> q) const;

 private:
  enum class Kind {
    place,  ///< of the origin of the frame, along an axis
    psi,
    theta,
    phi,
    sum,         ///< ψ + φ at θ = 0
    difference,  ///< ψ − φ at θ = 180°
    direction,   ///< of the z axis, by its part along a global axis
    in_plane,    ///< angle of a planar body about its normal
    mode,        ///< modal coordinate
  };
  struct Held {
    int body;
    Kind kind;
    std::string name;
    double value;       ///< as given
    double length = 1;  ///< for 1 of its unit: `arm` of angles
    Vec3d axis = {};    ///< of a place or a direction
    Vec3d z = {};       ///< the third axis of the part as given, of angles
    int unknown = -1;   ///< of a mode
    double size = 1;    ///< of a mode
  };
  /// A function of the position of a body that is zero where a coordinate has its value.
  struct Row {
    double miss;
    Vec3d by_place, by_turn;  ///< its derivatives by δx and δθ
  };
  void hold_angles(int body, const InitialBody& given, double arm);
  void hold_modes(const InitialValues& given);
  Row row(const Held& held, const BodyKinematics& now) const;
  Row row_of_angle(const Held& held, const Mat3d& A) const;
  double change(const Held& held, const Kinematics& now, std::span<const double> q) const;

  const Model& model_;
  std::vector<Held> held_;
};

}  // namespace trammel
