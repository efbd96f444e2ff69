// What a function reads of a state inside of a step.
#pragma once

#include "expression/tape.h"
#include "model/model.h"

namespace trammel {

/// Whether a tape reads accelerations, rates, VARIABLEs or forces, which a state that is interpolated inside
/// of a step has only roughly before its equations are solved.
bool reads_more_than_motion(const Model& model, const Tape& tape);

}  // namespace trammel
