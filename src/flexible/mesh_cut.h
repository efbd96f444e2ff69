// Cuts a mesh of solid elements in pieces that are meshes of their own, along faces of elements.
#pragma once

#include <string>
#include <vector>

#include "flexible/inp_file.h"

namespace trammel {

struct MeshCutOptions {
  int axis = -1;                    ///< 0, 1, 2: x, y, z; −1: that along which the mesh is longest
  int parts = 0;                    ///< so many slabs of equal thickness across the axis, or
  std::vector<double> at{};         ///< slabs with cuts at these coordinates, or
  std::vector<std::string> sets{};  ///< a piece per set of elements
};

/// Nodes that two pieces have in common, ascending; they are a set `name` of both.
struct CutFace {
  int first, second;  ///< pieces, from 0
  std::string name;   ///< "CUT_1_2", pieces counted from 1
  std::vector<int> nodes;
};

struct MeshCut {
  std::vector<InputMesh> piece;  ///< nodes, elements, sets as far as the piece has them, materials
  std::vector<CutFace> face;
};

/// An element is in the slab that its middle is in. Throws Failure(unsupported) for what is no solid, (input)
/// for elements without section, material or nodes, (usage) where a piece would be empty, where sets overlap
/// or leave elements out, and where cuts meet or leave less than three nodes in common. `source` names the
/// mesh.
MeshCut cut_mesh(const InputMesh& mesh, const std::string& source, const MeshCutOptions& options);

/// The mesh as an input file for CalculiX, numbers with twelve digits, with the step by which it writes its
/// matrices.
std::string inp_text(const InputMesh& mesh, const std::string& title);

}  // namespace trammel
