// A matrix by groups of neighbouring rows: plain tables, made once by RowGroups::analyze() and read by the
// kernel of residuals from the first row to the last.
#pragma once

namespace trammel {

/// Neighbouring rows and the columns that any of them has; these end where those of the next group begin.
struct RowGroup {
  int row = 0;
  int rows = 0;     ///< 1 to kRowGroup
  int columns = 0;  ///< first of its columns
};
struct RowGroupTables {
  const RowGroup* group;
  const int* column;
  const double* value;  ///< kRowGroup per column, by rows; zeros where a row has no entry
  int ahead;            ///< doubles by which residuals fetch them ahead; 0: they stay in the cache
};

}  // namespace trammel
