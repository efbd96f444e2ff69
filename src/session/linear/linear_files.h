// Files of LINEAR: .npz for Python, text matrices for MATLAB.
#pragma once

#include <string>

#include "analysis/linear/linearization.h"
#include "output/mode_set.h"

namespace trammel {

struct LinearContents {
  bool matrices = false, shapes = false;
};

/// The eigenvalues, damping ratios and, with `shapes`, the shapes of the modes; `number` and `text` stay
/// empty.
ModeSet mode_set(const Model& model, const Linearization& linear, bool shapes);

/// Writes the file that docs/file_formats.md describes (Linear models), and returns its name. Failure(io)
/// naming the file.
std::string write_npz(const std::string& path, const Model& model, const Linearization& linear,
                      const LinearizationOptions& options, const LinearContents& contents);
/// Writes one file PATHa, PATHb, PATHc, PATHd for each matrix, rows of numbers, and PATHst with sizes and
/// states; or calls write_npz() where the path ends with .npz. Returns the names. Failure(io) naming the
/// file.
std::string write_state_matrices(const std::string& path, const Model& model, const Linearization& linear,
                                 const LinearizationOptions& options, const LinearContents& contents);

}  // namespace trammel
