#include "analysis/expression_warnings.h"

#include <algorithm>

namespace trammel {

/// Warns once per spline; trial values of the corrector count, so the time may be a little off.
void ExpressionWarnings::extrapolation(const SplineRange& range, double t) {
  if (!warn_ || extrapolated_[range.spline]) return;
  extrapolated_[range.spline] = 1;
  const SplineTable& s = model_.splines[range.spline];
  const bool in_x = range.x < s.x.front() || range.x > s.x.back();
  const std::vector<double>& grid = in_x || s.z.empty() ? s.x : s.z;
  const SplineOutside found{
      t, s.id, &grid == &s.x ? 'X' : 'Z', &grid == &s.x ? range.x : range.z, grid.front(), grid.back()};
  warn_(
      fmt::format("An out-of-range {0} value has been used in the spline calculation at time {1:.6g}.\n"
                  "Extrapolation is required for SPLINE/{2}.\n"
                  "The {0} value ({3:.6g}) should be between {4:.6g} and {5:.6g}",
                  found.axis, t, found.spline, found.value, found.least, found.largest));
  if (outside_) outside_(found);
}

/// Warns once per expression, also across changes of the model.
void ExpressionWarnings::zero_by_zero(int tape, const std::string& place, double t) {
  if (!warn_ || !zero_by_zero_.insert(model_.tape_name[tape]).second) return;
  warn_(fmt::format("{}: {} is shown as 0 at time {:.6g}; nothing of the motion depends on it.",
                    model_.tape_name[tape], place, t));
}

bool ExpressionWarnings::extrapolated() const {
  return std::find(extrapolated_.begin(), extrapolated_.end(), 1) != extrapolated_.end();
}

}  // namespace trammel
