#include "element/user_contact.h"

#include <algorithm>
#include <cmath>
#include <mutex>

namespace trammel {

namespace {
std::mutex one_at_a_time;
/// Of central differences: where the third derivative's part, h², is as large as rounding's, 1e-16/h.
constexpr double part = 6e-6;

/// A list as the C interface takes it, which does not write into it.
int* shown(const std::vector<int>& list) {
  return const_cast<int*>(list.data());
}
}  // namespace

const Pose<double>& UserNormalForce::Side::frame_of(int id) const {
  const auto at = std::find(graphics.begin(), graphics.end(), id);
  return frame[at - graphics.begin()];
}

double UserNormalForce::force(const double (&x)[arguments], double time, bool for_differences) const {
  const std::lock_guard lock(one_at_a_time);
  const double unknown[3] = {NAN, NAN, NAN};  // of what is not told: code that reads it has no number
  const double gap = -x[0], gapdot = -x[1];
  const int differences = for_differences, what = 0, count = static_cast<int>(constants.size());
  double result[3] = {};
  if (c) {
    const UserContactArguments of_statement{
        {id, static_cast<int>(I.graphics.size()), static_cast<int>(J.graphics.size()), shown(I.graphics),
         shown(J.graphics), shown(I.flipped), shown(J.flipped)},
        count,
        constants.data()};
    c(&of_statement, time, x + 2, unknown, x + 5, unknown, gap, gapdot, NAN, NAN, differences, what, result);
  } else {
    fortran(&id, &time, constants.data(), &count, x + 2, unknown, x + 5, unknown, &gap, &gapdot, unknown,
            unknown, &differences, &what, result);
  }
  return result[1] == 0 && result[2] == 0 ? result[0] : NAN;
}

double UserNormalForce::slope(const double (&x)[arguments], int argument, double time) const {
  const auto length = [&](int first) { return std::hypot(x[first], x[first + 1], x[first + 2]); };
  const double size = argument == 0   ? x[0]
                      : argument == 1 ? std::max(std::fabs(x[1]), least_rate)
                                      : std::max(length(argument < 5 ? 2 : 5), x[0]);
  const double h = part * size;
  const auto at = [&](double by) {
    double moved[arguments];
    std::copy(std::begin(x), std::end(x), moved);
    moved[argument] += by;
    return force(moved, time, true);
  };
  const double above = at(h), below = at(-h);
  if (!std::isnan(above + below)) return (above - below) / (2 * h);
  // At the end of what the code has numbers for: on the one side where it has.
  return (std::isnan(above) ? at(0) - below : above - at(0)) / h;
}

}  // namespace trammel
