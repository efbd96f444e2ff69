// The result channels of a model, and one gather of their values per output record.
#pragma once

#include <span>
#include <vector>

#include "assemble/assembler.h"
#include "output/channels.h"

namespace trammel {

/// Parts (own frame in global axes), point masses, constraints and forces (wrench on I in global axes,
/// with the magnitudes of force and torque), variables, differential states, requests.
Channels make_channels(const Model& model);

/// Values in the order of make_channels(), at the assembler's last full evaluation of this state.
/// Lengths, angles in rad, forces in the deck's units.
void gather_channels(const Model& model, Assembler& assembler, const State& state, std::span<double> values);

/// For every component of `open` (the channels of open result files) its place among `present`, those of the
/// changed model; −1: not there any more. REQUESTs are matched by the number of the component.
std::vector<int> match_channels(const Channels& open, const Channels& present);

}  // namespace trammel
