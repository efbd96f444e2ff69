// Means over a surface that faces of solid elements cover.
#pragma once

#include <vector>

#include "flexible/inp_file.h"

namespace trammel {

/// ∫ N_a N_b dA over faces of elements, of two nodes a ≤ b (places in a list).
struct SurfaceEntry {
  int a, b;
  double value;
};

/// The entries over all faces of elements whose nodes all are among the given ones (ids, ascending). A face
/// of two elements counts once. Empty where there is no such face.
std::vector<SurfaceEntry> surface_entries(const InputMesh& mesh, const std::vector<int>& nodes);

}  // namespace trammel
