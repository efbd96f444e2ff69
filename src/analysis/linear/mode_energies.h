// The energy of a mode: kinetic energy of each part, strain energy and dissipated power of each force.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "analysis/linear/modes.h"
#include "assemble/assembler.h"

namespace trammel {

/// The share of one element in an energy or a power.
struct EnergyRow {
  std::string name;
  /// Along X Y Z RXX RYY RZZ RXY RXZ RYZ, global axes; the last three are 0 for forces.
  std::array<double, 9> part{};
  double modes = 0;  ///< of a flexible body: of its modes, products with the motion of its frame included
  double sum() const;
};

struct ModeEnergies {
  double kinetic = 0;              ///< largest in a period, for the vector of the mode as given
  double mass = 0, stiffness = 0;  ///< generalized mass q̄ᵀ M q and stiffness |s|² q̄ᵀ M q
  /// Kinetic energy of parts; of forces that follow accelerations −½ Re Σ δF·δā/|s|².
  std::vector<EnergyRow> of_parts;
  /// Strain energy −½ Re Σ δF·δr̄ of forces, δF by displacements; of flexible bodies ½ q̄ᵀ K q.
  std::vector<EnergyRow> of_springs;
  /// Mean dissipated power −½ Re Σ δF·δv̄ of forces, δF by velocities; of flexible bodies ½ v̄ᵀ C v.
  std::vector<EnergyRow> of_dampers;
};

/// `state`: the state of the linearisation. Kinetic energies are quadratic forms of the parts' inertia;
/// changes δF of forces are differences of fourth order over displacements of a thousandth. VARIABLEs and
/// other algebraic scalars follow displacements in strain energy, velocities in dissipation, by the
/// linearised equations. A force that states (DIFF, LSE ...) drive with a phase of their own counts in both:
/// δF = (a + i b) δr stores ½ a |δr|² and dissipates ½ ω b |δr|². So does a force by VARIABLEs that read
/// reactions. A force δF = −m δr̈ that follows accelerations, by itself or by VARIABLEs, is a mass with the
/// kinetic energy ½ m |s|² |δr|² (in a model in motion with δr̈ = s δṙ). `no_damping`: the mode is one of the
/// equations without terms in velocities.
ModeEnergies mode_energies(const Model& model, Assembler& assembler, const State& state, const Mode& mode,
                           bool no_damping = false);

/// One row per kind of element (PART, BUSHING ...), the sum of its rows, in the order in which kinds first
/// occur; last a row "all", the sum of all.
std::vector<EnergyRow> sums_by_kind(const std::vector<EnergyRow>& rows);

/// Complex displacement of the origin of each part's own frame (BCS), three numbers, and rotation of the
/// part, three, along the global axes.
std::vector<std::array<std::complex<double>, 6>> mode_shape(const Model& model, const State& state,
                                                            const Mode& mode);

}  // namespace trammel
