// Where the energy of a mode is: kinetic energy by parts, strain and dissipated energy by forces.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "analysis/linear/modes.h"
#include "assemble/assembler.h"

namespace trammel {

/// Parts of a sum, by one element.
struct EnergyRow {
  std::string name;
  /// X Y Z RXX RYY RZZ RXY RXZ RYZ, global axes; of forces the last three are 0.
  std::array<double, 9> part{};
  double modes = 0;  ///< of a flexible body: what its modes have, with their products with its frame
  double sum() const;
};

struct ModeEnergies {
  double kinetic = 0;              ///< greatest in a period, with the mode's vector as it is
  double mass = 0, stiffness = 0;  ///< generalized: q̄ᵀ M q, |s|² of it
  std::vector<EnergyRow>
      of_parts;  ///< kinetic energy; of forces that follow accelerations −½ Re Σ δF·δā/|s|²
  std::vector<EnergyRow> of_springs;  ///< −½ Re Σ δF · δr̄ by displacements; of flexible bodies ½ q̄ᵀ K q
  std::vector<EnergyRow> of_dampers;  ///< −½ Re Σ δF · δv̄ by velocities, mean power; ½ v̄ᵀ C v
};

/// At the state of the linearisation. Kinetic energies are quadratic forms of the parts' inertia; forces on
/// displaced markers are differences of fourth order with displacements of a thousandth. VARIABLEs and other
/// scalars that are algebraic follow displacements in strain, velocities in dissipation, as the linearised
/// equations have it. What states (DIFF, LSE ...) do with their own phase to a force is in both: a force
/// δF = (a + i b) δr stores ½ a |δr|² and dissipates ½ ω b |δr|². So is what VARIABLEs that read
/// reactions do. A force δF = −m δr̈ that follows accelerations, by itself or by VARIABLEs, is a mass: its
/// kinetic energy is ½ m |s|² |δr|² (of a model that moves, with δr̈ = s δṙ). `no_damping`: the mode is one
/// without what depends on velocities.
ModeEnergies mode_energies(const Model& model, Assembler& assembler, const State& state, const Mode& mode,
                           bool no_damping = false);

/// Rows of one kind of element (PART, BUSHING ...) added up, in the order in which kinds come, then `all`:
/// all of them.
std::vector<EnergyRow> sums_by_kind(const std::vector<EnergyRow>& rows);

/// Displacement and rotation of each part, about the global axes: the part's own frame (BCS), three and
/// three.
std::vector<std::array<std::complex<double>, 6>> mode_shape(const Model& model, const State& state,
                                                            const Mode& mode);

}  // namespace trammel
