// Files of MATRIX/..., FILE=.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trammel {

struct NamedMatrix {
  std::string name;
  int rows = 0, columns = 0;
  bool by_column = false;      ///< how `values` go
  std::vector<double> values;  ///< rows × columns
};

/// The matrix of that name (case ignored; "": the only one) in a file, whose name is relative to the folder
/// of the dataset. The first record begins with the name of the format, in capital letters:
///   ADAMSMAT, ADAMSMAT2   number of matrices and their names; then for each
///                         NAME FULL RORDER|CORDER rows columns count (format)
///                         and its numbers, in fields as wide as a Fortran format like (5E16.8) says, or free
///   MATRIXx, MATSAVE      refused: Failure(unsupported); so are SPARSE matrices of ADAMSMAT
/// Throws Failure(input) with file and line for anything else, (io) if it cannot be read.
NamedMatrix read_matrix_file(std::string_view file, const std::string& dataset, std::string_view name);

}  // namespace trammel
