#include "linear/host/front_cost.h"

#include "linear/host/dense_kernels.h"

namespace trammel {

double front_flops(double p, double r) {
  return 2.0 / 3.0 * p * p * p + 2 * p * p * r + 2 * p * r * r;
}

double FrontCost::of(double p, double r) const {
  const double rows = padded(static_cast<int>(p)), below = padded(static_cast<int>(r));
  return front + entry * (rows + 2 * below) * p + block * below * r + flop * front_flops(p, r);
}

double PathCost::of(double width, double height) const {
  return (height <= most_rows ? 1 : 2) * (front + pivot * width);
}

}  // namespace trammel
