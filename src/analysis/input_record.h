// A record of the state as the dataset gives it, before anything is assembled.
#pragma once

#include <vector>

#include "model/model.h"
#include "output/channels.h"

namespace trammel {

/// One value per component of `channels`, which are those of make_channels(model): positions, angles and
/// velocities of the parts as the dataset gives them; 0 for accelerations, forces and all others, which the
/// dataset does not determine. Units as in records.
std::vector<double> input_record(const Model& model, const Channels& channels);

}  // namespace trammel
