// The tables of LINEAR in the message file, in ADAMS's words.
#pragma once

#include <string>
#include <vector>

#include "analysis/linear/linearization.h"
#include "analysis/linear/mode_energies.h"

namespace trammel {

/// The number of states of each kind, and the names of kinematic states.
std::string mode_counts(const Linearization& linear);
/// E I G E N V A L U E S: real ones first, pairs once; in cycles per unit of time, with undamped natural
/// frequency and damping ratio of pairs.
std::string eigenvalue_table(const Model& model, const Linearization& linear);
/// "Energy table for MODE n": damping ratio, frequency, generalized stiffness and mass, kinetic energy, with
/// the largest displacement one.
std::string mode_head(const Model& model, const Linearization& linear, const Mode& mode,
                      const ModeEnergies& energies, int number);
/// "Normalized coordinates": magnitude and phase [deg] of displacements and rotations of parts, divided by
/// the largest one; and of VARIABLEs and states.
std::string shape_table(const Model& model, const Linearization& linear, const Mode& mode);
/// "Percentage distribution of ...", with sums by kind of element and of all.
std::string energy_table(const std::string& of, const std::vector<EnergyRow>& rows);
/// One sentence for the screen.
std::string linear_summary(const Model& model, const Linearization& linear, bool matrices);

}  // namespace trammel
