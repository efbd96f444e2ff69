// Kinds of solid finite elements, and which of their nodes make edges and faces.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

namespace trammel {

/// A kind of element as CalculiX and Abaqus name it and number its nodes. VTK numbers them alike.
struct SolidKind {
  std::string_view name;  ///< "C3D20R"
  int nodes;
  int vtk;  ///< number of this cell in files of VTK
  enum class Family { tetrahedron4, tetrahedron10, wedge6, wedge15, brick8, brick20 } family;
  bool one_point = false;     ///< integrated in its middle alone
  bool incompatible = false;  ///< with the three bending shapes 1 − ξ_i² of its own
};

/// All kinds whose strains are known.
const std::vector<SolidKind>& solid_kinds();
/// The kind of that name (in capital letters); null: there is none.
const SolidKind* solid_kind(std::string_view name);
/// The first kind with this number of VTK; null: there is none.
const SolidKind* solid_kind_of_cell(int vtk);

/// Corners by their place among the nodes of an element; nodes between corners follow these, one per edge.
struct SolidTopology {
  using Edge = std::array<int, 2>;
  using Face = std::array<int, 4>;  ///< corners around it; −1 for the fourth of a triangle
  int corners;
  std::span<const Edge> edges;
  std::span<const Face> faces;
};
SolidTopology solid_topology(SolidKind::Family family);

}  // namespace trammel
