// Files of named matrices, ADAMSMAT and ADAMSMAT2: those of MATRIX/..., FILE= and of flexible bodies.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace trammel {

struct NamedMatrix {
  std::string name;
  int rows = 0, columns = 0;
  bool by_column = false;      ///< `values` go column by column; else row by row
  std::vector<double> values;  ///< rows × columns
  int line = 0;                ///< of its first record
  double operator()(int r, int c) const {
    return values[by_column ? static_cast<std::size_t>(c) * rows + r
                            : static_cast<std::size_t>(r) * columns + c];
  }
};

struct MatrixSet {
  std::vector<std::string> header;  ///< words of the first record, behind the name of the format
  std::vector<NamedMatrix> matrices;
  /// The first matrix with one of these names, case ignored; null: there is none.
  const NamedMatrix* find(std::initializer_list<std::string_view> names) const;
};

/// All matrices of a file. The first record begins with the name of the format, in capital letters:
///   ADAMSMAT, ADAMSMAT2   number of matrices and their names; then for each, in any order,
///                         NAME FULL|SPARSE [RORDER|CORDER] rows columns count (format)
///                         and its numbers, in fields as wide as a Fortran format like (1I8, 3E22.14) says,
///                         or free; of SPARSE ones a row, a column and a value each
///   MATRIXx, MATSAVE      refused: Failure(unsupported)
/// Throws Failure(input) with file and line for anything else, (io) if it cannot be read.
MatrixSet read_matrices(const std::string& path);

/// The matrix of that name (case ignored; "": the only one) in a file, whose name is relative to the folder
/// of the dataset.
NamedMatrix read_matrix_file(std::string_view file, const std::string& dataset, std::string_view name);

}  // namespace trammel
