// Files of LINEAR: .npz for Python, text matrices for MATLAB.
#pragma once

#include <string>

#include "analysis/linear/linearization.h"
#include "output/mode_set.h"

namespace trammel {

struct LinearContents {
  bool matrices = false, shapes = false;
};

/// Eigenvalues, and shapes where these are asked for, without number and text.
ModeSet mode_set(const Model& model, const Linearization& linear, bool shapes);

/// docs/file_formats.md, Linear models. Gives the name. Failure(io) naming the file.
std::string write_npz(const std::string& path, const Model& model, const Linearization& linear,
                      const LinearizationOptions& options, const LinearContents& contents);
/// One file PATHa, PATHb, PATHc, PATHd for each matrix, rows of numbers, and PATHst with sizes and states; or
/// write_npz() where the path ends with .npz. Gives the names. Failure(io) naming the file.
std::string write_state_matrices(const std::string& path, const Model& model, const Linearization& linear,
                                 const LinearizationOptions& options, const LinearContents& contents);

}  // namespace trammel
