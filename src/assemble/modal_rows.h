// Rows of the products that make the block of a flexible body's modes (modal_products.h), one node and one
// mode at a time, the same on the processor and on a device.
#pragma once

#include "assemble/modal_kinematics.h"

namespace trammel {

/// Derivatives W of the wrench on a marker by its motion: 6 rows F, T of 18 numbers.
inline constexpr int gradient_rows = 6, gradient_columns = 18, turning_rows = 3;
inline constexpr int gradient_size = gradient_rows * gradient_columns;
/// Rows that a node has in both factors.
inline constexpr int node_rows = gradient_rows + turning_rows;

/// Column j of S and of (Σ W) V, six numbers each, `stride` apart. `sum` is Σ W, whose columns from `columns`
/// on are zero.
TRAMMEL_HD inline void fill_gradient_rows(const AssemblyView& w, int node, int j, const double* sum,
                                          int columns, double* left, double* right, long stride) {
  const int mode = w.table.node[node].shape + j;
  const ModeShape& S = w.array.mode_shape[mode];
  const Vec3d* by = w.array.mode_variation[mode].by;
  double V[gradient_columns];
  for (int c = 0; c < gradient_columns; ++c) V[c] = by[c / 3][c % 3];
  for (int r = 0; r < gradient_rows; ++r) {
    double x = 0;
    for (int c = 0; c < columns; ++c) x += sum[gradient_columns * r + c] * V[c];
    left[r * stride] = r < 3 ? S.r[r] : S.turn[r - 3];
    right[r * stride] = x;
  }
}

/// What a moment on the marker at a node adds to G = ∂(TᵀAᵀτ)/∂ϑ.
TRAMMEL_HD inline Mat3d turning_of(const AssemblyView& w, int body, int node, const Vec3d& moment) {
  return turning_derivative(w.array.node[node].turn, transpose_times(w.array.body[body].A, moment));
}

/// Column j of φ* and of G c φ*, three numbers each, `stride` apart.
TRAMMEL_HD inline void fill_turning_rows(const AssemblyView& w, int node, int j, const Mat3d& G, double* left,
                                         double* right, long stride) {
  const NodePlace& place = w.table.node[node];
  const Vec3d turn = load(w.table.node_shape + 6 * static_cast<long>(place.shape + j) + 3);
  const Vec3d turned = coefficients_of_mode(w, w.table.flexible[place.flexible], j).c * (G * turn);
  for (int r = 0; r < turning_rows; ++r) {
    left[r * stride] = turn[r];
    right[r * stride] = turned[r];
  }
}

}  // namespace trammel
