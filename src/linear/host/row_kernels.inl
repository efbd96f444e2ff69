// Definitions of the kernels of residuals; included by kernel_set.inl after block_kernels.inl, once per
// instruction set.

/// largest <- max(largest, |v|)
inline __attribute__((always_inline)) void take_larger(Group& largest, const Group& v) {
  const Group size = v < 0.0 ? -v : v;
  largest = size > largest ? size : largest;
}

/// sum <- the rows of a group of c - B y, in two chains of operations. Lanes without a row mean nothing.
inline __attribute__((always_inline)) void subtract_group(Group& sum, const RowGroupTables& b, int g,
                                                          const double* c, const double* y) {
  Group other = {}, left;
  load(sum, c + b.group[g].row);
  int k = b.group[g].columns;
  const int last = b.group[g + 1].columns;
  if (b.ahead)
    fetch(b.value + static_cast<long>(k) * kRowGroup + b.ahead, static_cast<long>(last - k) * kRowGroup);
  for (; k + 1 < last; k += 2) {
    load(left, b.value + static_cast<long>(k) * kRowGroup);
    sum -= left * y[b.column[k]];
    load(left, b.value + static_cast<long>(k + 1) * kRowGroup);
    other -= left * y[b.column[k + 1]];
  }
  if (k < last) {
    load(left, b.value + static_cast<long>(k) * kRowGroup);
    sum -= left * y[b.column[k]];
  }
  sum += other;
}

/// r = c - B y for groups [begin, end) of rows.
ResidualExtent subtract_rows(const RowGroupTables& b, int begin, int end, const double* c, const double* y,
                             const double* column_largest, double* r) {
  Group total = {}, largest = {}, scale = {};
  for (int g = begin; g < end; ++g) {
    const RowGroup& group = b.group[g];
    Group sum, right, unknown, entry;
    subtract_group(sum, b, g, c, y);
    load(right, c + group.row);
    load(unknown, y + group.row);
    load(entry, column_largest + group.row);
    unknown *= entry;
    if (group.rows == kRowGroup) {
      store(r + group.row, sum);
    } else {
      for (int i = 0; i < group.rows; ++i) r[group.row + i] = sum[i];
      keep_lanes(sum, group.rows);
      keep_lanes(right, group.rows);
      keep_lanes(unknown, group.rows);
    }
    total += sum < 0.0 ? -sum : sum;
    take_larger(largest, sum);
    take_larger(scale, right);
    take_larger(scale, unknown);
  }
  ResidualExtent all;
  for (int i = 0; i < kRowGroup; ++i) {
    all.total += total[i];
    all.largest = largest[i] > all.largest ? largest[i] : all.largest;
    all.scale = scale[i] > all.scale ? scale[i] : all.scale;
  }
  return all;
}

/// |values of column k of a group| times |y of that column|.
inline __attribute__((always_inline)) void size_of_column(Group& term, const RowGroupTables& b, int k,
                                                          const double* y) {
  load(term, b.value + static_cast<long>(k) * kRowGroup);
  term *= y[b.column[k]];
  term = term < 0.0 ? -term : term;
}

/// w = |c| + |B||y| for groups [begin, end) of rows, in two chains of operations, too.
void row_sizes(const RowGroupTables& b, int begin, int end, const double* c, const double* y, double* w) {
  for (int g = begin; g < end; ++g) {
    const RowGroup& group = b.group[g];
    Group sum, other = {}, term;
    load(sum, c + group.row);
    sum = sum < 0.0 ? -sum : sum;
    int k = group.columns;
    const int last = b.group[g + 1].columns;
    for (; k + 1 < last; k += 2) {
      size_of_column(term, b, k, y);
      sum += term;
      size_of_column(term, b, k + 1, y);
      other += term;
    }
    if (k < last) {
      size_of_column(term, b, k, y);
      sum += term;
    }
    sum += other;
    if (group.rows == kRowGroup)
      store(w + group.row, sum);
    else
      for (int i = 0; i < group.rows; ++i) w[group.row + i] = sum[i];
  }
}
