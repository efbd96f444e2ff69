// Numbers of a flexible body of a model: its frame is a Body, its modal coordinates stand behind those of all
// bodies.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "math/symmetric.h"
#include "math/vec3.h"
#include "model/plain.h"

namespace trammel {

/// A mode whose damping over critical damping is a function of TIME, the value of a tape.
struct DampedMode {
  int mode, tape;
  double critical;  ///< 2 √(k m)
};

/// A modal coordinate q is the root mean square displacement of the body's mass by its mode alone, so that it
/// is a length like those of translations; that of the file is q/size. The inertia about the origin of the
/// frame is J = I7 + Σ q_j (J1_j + ½ Σ q_k J2_jk). Numbers are in the deck's units, masses divided by the
/// force consistency factor. The frame's Body has I1 and I7.
struct ModalTables : FlexiblePlace {
  std::vector<int> mode_id;                ///< per mode: its number in the file
  std::vector<double> frequency;           ///< per mode: cycles per unit of time
  std::vector<double> size;                ///< per mode: √(I6/I1) of the file's coordinate
  Vec3d moment;                            ///< I2
  std::vector<Vec3d> momentum;             ///< I3, per mode
  std::vector<Vec3d> spin;                 ///< I4, per mode
  std::vector<Vec3d> spin_by_q;            ///< I5, per pair of modes; empty: left out
  std::vector<double> mass;                ///< I6, per pair
  std::vector<Symmetric> inertia1;         ///< J1 = −(I8 + I8ᵀ), per mode
  std::vector<Symmetric> inertia2;         ///< J2 = −(I9 + I9ᵀ), per pair; empty: left out
  std::vector<double> stiffness, damping;  ///< per pair
  std::vector<DampedMode> damped;          ///< modes damped by functions of TIME, beside `damping`
  /// GENERALIZED_DAMPING=FULL, in the axes of the frame with V = (Aᵀẋ, ω); empty: none. D of the frame, 6 × 6
  /// by rows, and of each mode 6 numbers: what its rate does to the frame, and V to the mode.
  std::vector<double> frame_damping, damping_by_modes, damping_on_modes;
  std::vector<double> preload;  ///< per mode
  std::vector<int> nodes;       ///< nodes of the body: indices in Model::nodes
  /// 2 √(k m) of a mode, with its stiffness and mass alone.
  double critical_damping(int mode) const {
    const std::size_t at = static_cast<std::size_t>(mode) * (modes + 1);
    return 2 * std::sqrt(std::max(0.0, stiffness[at]) * mass[at]);
  }
};

}  // namespace trammel
