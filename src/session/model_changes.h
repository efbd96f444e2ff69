// Renewed initial values after changes of the model between simulations, and INFO measurements at the present
// state.
#pragma once

#include <array>
#include <string>

#include "analysis/session.h"
#include "dataset/description.h"

namespace trammel {

/// Adds to `renewed` the elements that begin anew after this redefinition: a PART given QG, REULER, ZG, XG or
/// EXACT stands where the dataset now puts it; one given VX ... WZ, VM or WM moves as the dataset now says;
/// an element given IC, ICDISP or ICVEL begins with these values; a flexible body given DMODE or VMODE
/// likewise.
void note_renewal(const Statement& change, Renewed& renewed);

/// The text of INFO at a state of the model of `description`: six numbers, in the deck's units, angles in
/// rad. Throws Failure(solver) where the measure has no value.
std::string measured(const Description& description, const Statement& info, const State& state);

}  // namespace trammel
