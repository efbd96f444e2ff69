// Merging along the elimination tree: which of its vertices share a front.
#pragma once

#include <vector>

#include "linear/host/front_cost.h"

namespace trammel {

/// An elimination tree whose vertices are merged. Parents have higher numbers than their children.
struct MergingTree {
  std::vector<int> parent;            ///< −1: a root
  std::vector<double> width, height;  ///< unknowns of a vertex; rows of its columns of L, these among them
  std::vector<int> first, next;       ///< children as linked lists, most recently added first
  std::vector<int> children;          ///< their number
  std::vector<int> into;              ///< vertex -> the one that stands for its front

  MergingTree(std::vector<int> parents, std::vector<double> widths, std::vector<double> heights);
  int size() const { return static_cast<int>(parent.size()); }
};

/// Merges vertices as `cost` says; unknowns of one body in two fronts cost torn_body besides.
/// `last_of_body`: vertex -> the last of the vertices that have unknowns of the same body.
void merge_vertices(MergingTree& tree, const FrontCost& cost, const std::vector<int>& last_of_body);

}  // namespace trammel
