// Stresses of chosen nodes over time, for fatigue and for plots.
#pragma once

#include <string>
#include <vector>

#include "recovery/modal_motion.h"

namespace trammel {

/// The channels of a node: displacement in the frame U V W, stress SXX ... SZX, MISES, S1 ≥ S2 ≥ S3, strain
/// EXX ... EZX.
Channels node_channels(const ModalFields& fields, const std::vector<int>& nodes, const UnitNames& units);

/// Writes a native result file with an entity NODE/id for each node (indices in the fields), record by
/// record. Returns the number of records.
std::size_t write_node_series(const std::string& path, const ModalFields& fields, ModalMotion& motion,
                              const std::vector<int>& nodes, const ResultReader& results);

}  // namespace trammel
