#include "recovery/tensor_measures.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace trammel {

double von_mises(const double* s) {
  const double a = s[0] - s[1], b = s[1] - s[2], c = s[2] - s[0];
  return std::sqrt(0.5 * (a * a + b * b + c * c) + 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

void principal_values(const double* s, double* out) {
  const double mean = (s[0] + s[1] + s[2]) / 3, a = s[0] - mean, b = s[1] - mean, c = s[2] - mean;
  const double shears = s[3] * s[3] + s[4] * s[4] + s[5] * s[5];
  const double radius = std::sqrt((a * a + b * b + c * c + 2 * shears) / 6);
  if (radius == 0) {
    std::fill_n(out, 3, mean);
    return;
  }
  const double determinant =
      a * (b * c - s[4] * s[4]) - s[3] * (s[3] * c - s[4] * s[5]) + s[5] * (s[3] * s[4] - b * s[5]);
  const double angle = std::acos(std::clamp(determinant / (2 * radius * radius * radius), -1.0, 1.0)) / 3;
  out[2] = mean + 2 * radius * std::cos(angle);
  out[0] = mean + 2 * radius * std::cos(angle + 2 * std::numbers::pi / 3);
  out[1] = 3 * mean - out[0] - out[2];
}

namespace {

double largest_of(const double* s) {
  double p[3];
  principal_values(s, p);
  return p[2];
}
double least(const double* s) {
  double p[3];
  principal_values(s, p);
  return p[0];
}
double extreme(const double* s) {
  double p[3];
  principal_values(s, p);
  return p[2] >= -p[0] ? p[2] : p[0];
}
double tresca(const double* s) {
  double p[3];
  principal_values(s, p);
  return p[2] - p[0];
}
double pressure(const double* s) {
  return -(s[0] + s[1] + s[2]) / 3;
}
template <int C>
double component(const double* s) {
  return s[C];
}

}  // namespace

const std::vector<TensorMeasure>& tensor_measures() {
  using enum TensorMeasure::Worst;
  static const std::vector<TensorMeasure> measures = {
      {"mises", "equivalent stress of von Mises", von_mises, largest},
      {"tresca", "largest principal stress minus the smallest", tresca, largest},
      {"principal", "largest principal stress", largest_of, largest},
      {"least", "smallest principal stress", least, smallest},
      {"extreme", "principal stress of the largest magnitude, with its sign", extreme, magnitude},
      {"pressure", "mean pressure", pressure, magnitude},
      {"xx", "component", component<0>, magnitude},
      {"yy", "component", component<1>, magnitude},
      {"zz", "component", component<2>, magnitude},
      {"xy", "component", component<3>, magnitude},
      {"yz", "component", component<4>, magnitude},
      {"zx", "component", component<5>, magnitude}};
  return measures;
}

std::string tensor_measure_names() {
  std::string names;
  for (const TensorMeasure& m : tensor_measures()) names.append(names.empty() ? "" : ", ").append(m.name);
  return names;
}

const TensorMeasure* tensor_measure(std::string_view name) {
  for (const TensorMeasure& m : tensor_measures())
    if (m.name == name) return &m;
  return nullptr;
}

}  // namespace trammel
