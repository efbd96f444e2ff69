// Nodes, solid elements, their sets and materials in input files of Abaqus and CalculiX.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "flexible/solid_elements.h"
#include "math/vec3.h"

namespace trammel {

/// All elements of one type.
struct InputElements {
  std::string type;                 ///< in capital letters
  const SolidKind* kind = nullptr;  ///< null: no solid, of which nothing more is kept
  std::vector<int> id;
  std::vector<int> node;  ///< ids, as many per element as the kind has
};

struct InputMaterial {
  std::optional<Elasticity> elastic;  ///< absent: none that is isotropic
  double density = 0;
};

/// Names are in capital letters, ids of sets ascending.
struct InputMesh {
  std::map<int, Vec3d> node;
  std::map<std::string, std::vector<int>> set;          ///< of nodes
  std::map<std::string, std::vector<int>> element_set;  ///< of elements
  std::vector<InputElements> elements;
  std::map<std::string, InputMaterial> material;
  struct Section {
    std::string elements, material;
  };
  std::vector<Section> sections;  ///< of solids
};

/// *NODE, *NSET, *ELSET (GENERATE), *ELEMENT, *SOLID SECTION, *MATERIAL with *ELASTIC and *DENSITY (of the
/// first temperature), and *INCLUDE of an .inp file; others are passed over. Throws Failure(unsupported) for
/// statements by which matrices are no longer those of all nodes in the axes of the model (*BOUNDARY,
/// *EQUATION, *MPC, *RIGID BODY, *TIE, *TRANSFORM ...), Failure(input) with file and line for wrong numbers,
/// (io).
InputMesh read_inp(const std::string& path);

}  // namespace trammel
