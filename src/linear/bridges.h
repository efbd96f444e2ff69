// Constraints without which a mechanism falls apart.
#pragma once

#include <vector>

#include "linear/constraint_rows.h"

namespace trammel {

/// Per row: the pair of bodies, or body and ground, that it joins, counted from 0, where nothing else joins
/// the two sides: a bridge of the graph of bodies; −1 of other rows. All rows between the same two bodies
/// have one pair; a group of rows on more than two bodies joins each with each, and one that is not balanced
/// also with ground. Rows of a bridge depend on rows of the same pair only, however long the lever arms on
/// both sides are. O(rows). Source: R. E. Tarjan, A note on finding the bridges of a graph, Inf. Process.
/// Lett. 2 (1974).
std::vector<int> pairs_on_bridges(const ConstraintRows& rows);

}  // namespace trammel
