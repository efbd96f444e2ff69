// A record of the state as the dataset gives it, before anything is assembled.
#pragma once

#include <vector>

#include "model/model.h"
#include "output/channels.h"

namespace trammel {

/// Values for `channels`, those of make_channels(model): positions, angles and velocities of the parts as
/// given; accelerations, forces and all others, which that state does not determine, are 0. Units as in
/// records.
std::vector<double> input_record(const Model& model, const Channels& channels);

}  // namespace trammel
