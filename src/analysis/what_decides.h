// What decides over functions that come and go: STEP, IF, MAX, IMPACT, splines and the like may be 0 but over
// a short part of the course of their arguments.
#pragma once

#include <functional>
#include <vector>

#include "model/model.h"

namespace trammel {

/// Per tape and register, whether such functions in the equations read it, directly or by way of VARIABLEs;
/// of tapes that none reads nothing. counts(tape, register): the function does.
std::vector<std::vector<unsigned char>> read_to_decide(const Model& model,
                                                       const std::function<bool(int, int)>& counts);

}  // namespace trammel
