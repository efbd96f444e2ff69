// The result channels of a model, and their values in an output record.
#pragma once

#include <span>
#include <vector>

#include "assemble/assembler.h"
#include "output/channels.h"

namespace trammel {

/// In this order: parts and point masses (own frame in global axes), constraints and forces (wrench on I in
/// global axes, with the magnitudes of force and torque), overlaps of contact groups, VARIABLEs and states,
/// REQUESTs.
Channels make_channels(const Model& model);

/// Fills `values` in the order of make_channels(), from the assembler's last evaluate() of this state.
/// Lengths, angles in rad, forces in the deck's units.
void gather_channels(const Model& model, Assembler& assembler, const State& state, std::span<double> values);

/// Per component of `open` (the channels of open result files) its index among the components of `present`
/// (the channels of the changed model); −1: not there any more. REQUESTs are matched by the number of the
/// component.
std::vector<int> match_channels(const Channels& open, const Channels& present);

}  // namespace trammel
