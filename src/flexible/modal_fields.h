// Displacements, strains and stresses that the modes of a flexible body have at the nodes of its elements.
#pragma once

#include <string>
#include <vector>

#include "flexible/full_model.h"
#include "flexible/inp_file.h"

namespace trammel {

class ThreadPool;

/// Fields of each mode at a modal coordinate of one; their sums with the modal coordinates of a body are the
/// fields of the body. In the axes of the frame and the units of the elements; single precision, since
/// nothing is computed with them but these sums.
struct ModalFields {
  std::string source;  ///< file, for messages
  ModalUnits units;
  std::vector<int> mode_id;
  std::vector<double> frequency;  ///< per mode [cycles/time]
  std::vector<int> node_id;
  std::vector<Vec3d> position;     ///< per node
  std::vector<float> translation;  ///< [(3 node + direction) modes + mode]
  std::vector<float> strain;       ///< [(6 node + component) modes + mode]: xx yy zz xy yz zx, tensor shears
  std::vector<float> stress;       ///< likewise
  std::vector<int> cell_type;      ///< per element: its number in files of VTK
  std::vector<int> cell_start;     ///< elements + 1
  std::vector<int> cell_node;      ///< indices of the nodes of an element, from its cell_start on

  int modes() const { return static_cast<int>(mode_id.size()); }
  int nodes() const { return static_cast<int>(node_id.size()); }
  int cells() const { return static_cast<int>(cell_type.size()); }
};

/// The fields of `body`, whose modes have the displacements `shapes` (unknowns × modes, by columns). Strains
/// and stresses of a node are the mean over its elements (SolidStrains). Throws Failure(input) for elements
/// that are no solids, have no isotropic *ELASTIC by a *SOLID SECTION, nodes without unknowns, or are turned
/// inside out.
ModalFields modal_fields(const InputMesh& mesh, const FullModel& model, const std::vector<double>& shapes,
                         const ModalBody& body, ThreadPool* pool);

}  // namespace trammel
