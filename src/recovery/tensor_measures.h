// Numbers by which stresses are judged.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trammel {

/// Of a stress xx, yy, zz, xy, yz, zx.
struct TensorMeasure {
  std::string_view name, help;
  double (*of)(const double* stress);
  enum class Worst { largest, smallest, magnitude } worst;

  /// The larger, the worse.
  double rank(double value) const {
    return worst == Worst::largest ? value : worst == Worst::smallest ? -value : value < 0 ? -value : value;
  }
};

const std::vector<TensorMeasure>& tensor_measures();
/// Their names, with commas.
std::string tensor_measure_names();
/// Null: there is none of that name.
const TensorMeasure* tensor_measure(std::string_view name);

/// √(½((xx−yy)² + (yy−zz)² + (zz−xx)²) + 3(xy² + yz² + zx²))
double von_mises(const double* stress);
/// The eigenvalues, ascending, by the angle of the deviator (Smith, Eigenvalues of a symmetric 3 × 3 matrix,
/// Comm. ACM 4, 1961); two equal ones to 1e-8 of the largest.
void principal_values(const double* stress, double* out);

}  // namespace trammel
