// What the file's rigid modes say of the body as a whole: loads and damping of the frame.
#pragma once

#include <array>
#include <vector>

#include "flexible/modal_body.h"

namespace trammel {

/// The rates η̇ of the six modes that move the body without deforming it (indices in ModalBody) by the
/// velocity v of the origin of the frame and its angular velocity ω, η̇_j = Σ T_jk (v, ω)_k: T by rows. Axes
/// of the frame, units of the file. Throws Failure(input) where there are not six, their motion does not
/// follow from the nodes of the file, or they deform the body.
std::array<double, 36> rigid_mode_rates(const ModalBody& body, const std::vector<int>& rigid);

/// Sum of the loads on the undeformed body and their moment about the origin of the frame; axes of the frame,
/// units of the file.
struct RigidLoad {
  Vec3d force, moment;
};
/// The force and moment of a load case, (F, M) = Tᵀ L: they do the same work on any rigid motion. Throws as
/// rigid_mode_rates() does.
RigidLoad rigid_load(const ModalBody& body, const std::vector<int>& rigid, int load_case);

/// The damping matrix C of the file between frame and modes, theory.md (66b), by V = (v, ω).
struct RigidDamping {
  std::array<double, 36> of_frame;  ///< (F, M) = −D V: D = Tᵀ C_RR T, by rows
  std::vector<double> by_modes;     ///< (F, M) = −Σ D_j q̇_j: 6 numbers per mode of the file
  std::vector<double> on_modes;     ///< Q_j = −D_j·V: 6 numbers per mode of the file
};
/// Throws as rigid_mode_rates() does.
RigidDamping rigid_damping(const ModalBody& body, const std::vector<int>& rigid);

}  // namespace trammel
