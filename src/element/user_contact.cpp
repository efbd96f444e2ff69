#include "element/user_contact.h"

#include <algorithm>
#include <cmath>
#include <mutex>

namespace trammel {

namespace {
std::mutex one_at_a_time;
/// Of central differences: where the third derivative's part, h², is as large as rounding's, 1e-16/h.
constexpr double part = 6e-6;
}  // namespace

double UserNormalForce::force(double depth, double rate, double time, bool for_differences) const {
  const std::lock_guard lock(one_at_a_time);
  const double unknown[3] = {NAN, NAN, NAN};  // of what is not told: code that reads it has no number
  const double gap = -depth, gapdot = -rate;
  const int differences = for_differences, what = 0, count = static_cast<int>(constants.size());
  double result[3] = {};
  if (c) {
    const auto shown = [](const std::vector<int>& list) { return const_cast<int*>(list.data()); };
    const UserContactArguments of_statement{
        {id, static_cast<int>(graphics_I.size()), static_cast<int>(graphics_J.size()), shown(graphics_I),
         shown(graphics_J), shown(flipped_I), shown(flipped_J)},
        count,
        constants.data()};
    c(&of_statement, time, unknown, unknown, unknown, unknown, gap, gapdot, NAN, NAN, differences, what,
      result);
  } else {
    fortran(&id, &time, constants.data(), &count, unknown, unknown, unknown, unknown, &gap, &gapdot, unknown,
            unknown, &differences, &what, result);
  }
  return result[1] == 0 && result[2] == 0 ? result[0] : NAN;
}

UserNormalForce::Slopes UserNormalForce::slopes(double depth, double rate, double time) const {
  // At the end of what the code has numbers for, on the one side where it has.
  const auto slope = [&](double h, auto at) {
    const double above = at(h), below = at(-h);
    if (!std::isnan(above + below)) return (above - below) / (2 * h);
    return (std::isnan(above) ? at(0.0) - below : above - at(0.0)) / h;
  };
  return {slope(part * depth, [&](double h) { return force(depth + h, rate, time, true); }),
          slope(part * std::max(std::fabs(rate), least_rate),
                [&](double h) { return force(depth, rate + h, time, true); })};
}

}  // namespace trammel
