// Displacements of joints that one equation couples.
#pragma once

namespace trammel {

/// AZ (turns) or DZ of marker I in marker J of a JOINT, and its factor in Σ factor q = const. Markers are
/// places in Model::markers.
struct JointDisplacement {
  int I = 0, J = 0;
  bool turns = false;
  double factor = 0;
};

}  // namespace trammel
