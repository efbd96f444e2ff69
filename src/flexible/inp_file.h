// Nodes and their sets in input files of Abaqus and CalculiX.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "math/vec3.h"

namespace trammel {

struct InputMesh {
  std::map<int, Vec3d> node;
  std::map<std::string, std::vector<int>> set;  ///< by name in capital letters, node ids ascending
};

/// *NODE, *NSET (GENERATE) and *INCLUDE of an .inp file; elements, materials and steps are passed over.
/// Throws Failure(unsupported) for statements by which matrices are no longer those of all nodes in the axes
/// of the model (*BOUNDARY, *EQUATION, *MPC, *RIGID BODY, *TIE, *TRANSFORM ...), Failure(input) with file and
/// line for wrong numbers, (io).
InputMesh read_inp(const std::string& path);

}  // namespace trammel
