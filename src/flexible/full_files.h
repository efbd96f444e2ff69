// Finite-element models from files of matrices.
#pragma once

#include <string>

#include "flexible/full_model.h"
#include "flexible/inp_file.h"

namespace trammel {

/// What CalculiX leaves beside model.inp after a step *FREQUENCY, SOLVER=MATRIXSTORAGE: model.sti and
/// model.mas, a line "i j value" per entry of the upper triangle, counted from 1, and model.dof, a line
/// "node.direction" per unknown. Throws Failure(input) with file and line, (io) with what to do where a file
/// is missing.
FullModel read_calculix(const std::string& inp, const InputMesh& mesh);

/// The matrices of *MATRIX GENERATE of Abaqus: lines "node, direction, node, direction, value" of one
/// triangle or both. `inp` is named in messages.
FullModel read_node_matrices(const std::string& inp, const InputMesh& mesh, const std::string& stiffness,
                             const std::string& mass);

}  // namespace trammel
