// Vector kernels of the linear system: scaling, permutation, pivots, residual test.
#pragma once

#include "base/hd.h"
#include "device_api/vector_kernels.h"
#include "linear/device/dense.h"
#include "linear/guard.h"

namespace trammel {

/// B = R A C by rows, and the largest entry of each column (NaN when one is not finite). Item: a column.
struct ScaleMatrix {
  static constexpr const char* name = "scale_matrix";
  const double* values;  ///< nonzeros of A by columns
  const int *column_start, *row;
  const int* place;  ///< index of each value in B by rows
  const double *row_factor, *column_factor;
  double *scaled, *largest;
  TRAMMEL_HD void operator()(int j) const {
    const double factor = column_factor[j];
    double most = 0;
    for (int k = column_start[j]; k < column_start[j + 1]; ++k) {
      const double entry = values[k] * row_factor[row[k]] * factor, size = magnitude(entry);
      scaled[place[k]] = entry;
      most = !is_finite(size) ? size - size : size > most ? size : most;
    }
    largest[j] = most;
  }
};

/// Largest entry of a pivot's column divided by the pivot: infinite for a pivot that is zero or not finite,
/// NaN where the column is not finite. Item: a place.
struct PivotRatios {
  static constexpr const char* name = "pivot_ratios";
  const double* inverse;  ///< by places: 1 / u_kk or 0
  const int* order;       ///< place -> unknown
  const double* largest;
  double* ratio;
  double infinity;
  TRAMMEL_HD void operator()(int k) const {
    const double most = largest[order[k]], reciprocal = magnitude(inverse[k]);
    ratio[k] = most != most ? most : most > 0 && reciprocal > 0 ? most * reciprocal : infinity;
  }
};

/// y_i = factor_i x_i.
struct ScaleVector {
  static constexpr const char* name = "scale_vector";
  const double *x, *factor;
  double* y;
  TRAMMEL_HD void operator()(int i) const { y[i] = factor[i] * x[i]; }
};

/// z_k = x_order(k).
struct GatherPlaces {
  static constexpr const char* name = "gather_places";
  const double* x;
  const int* order;
  double* z;
  TRAMMEL_HD void operator()(int k) const { z[k] = x[order[k]]; }
};

/// x_order(k) = z_k.
struct ScatterPlaces {
  static constexpr const char* name = "scatter_places";
  const double* z;
  const int* order;
  double* x;
  TRAMMEL_HD void operator()(int k) const { x[order[k]] = z[k]; }
};

/// kept_i = y_i, y_i += z_k with i = order(k).
struct AddPlaces {
  static constexpr const char* name = "add_places";
  const double* z;
  const int* order;
  double *y, *kept;
  TRAMMEL_HD void operator()(int k) const {
    const int i = order[k];
    kept[i] = y[i];
    y[i] += z[k];
  }
};

/// kept_i = y_i, y_i += z_i.
struct AddVector {
  static constexpr const char* name = "add_vector";
  const double* z;
  double *y, *kept;
  TRAMMEL_HD void operator()(int i) const {
    kept[i] = y[i];
    y[i] += z[i];
  }
};

/// r = c - B y, w = |B||y| + |c|. Item: a row.
struct SystemResidual {
  static constexpr const char* name = "system_residual";
  const int *row_start, *column;
  const double *value, *y, *c;
  double *r, *w;
  TRAMMEL_HD void operator()(int i) const {
    double rest = c[i], size = magnitude(rest);
    for (int k = row_start[i]; k < row_start[i + 1]; ++k) {
      const double term = value[k] * y[column[k]];
      rest -= term;
      size += magnitude(term);
    }
    r[i] = rest;
    w[i] = size;
  }
};

/// The smallest tol >= 0 with |r_i| <= tol w_i + 8 u max w; NaN when max w is not finite. Item: a row.
struct SystemErrors {
  static constexpr const char* name = "system_errors";
  const double *r, *w;
  const Place* largest;  ///< max w
  double* error;
  TRAMMEL_HD void operator()(int i) const {
    const double most = largest->value;
    const double excess = magnitude(r[i]) - rounding_of(most);
    error[i] = !is_finite(most) ? most - most : excess > 0 ? excess / w[i] : 0;
  }
};

}  // namespace trammel
