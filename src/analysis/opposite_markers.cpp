#include "analysis/opposite_markers.h"

#include <algorithm>
#include <vector>

#include <fmt/ranges.h>

namespace trammel {
namespace {

bool holds_all_axes(const ConstraintElement& c) {
  return c.name.active && !c.initial_only &&
         std::count_if(c.row, c.row + c.rows,
                       [](const ConstraintRow& row) { return row.kind == RowKind::dot; }) == 3;
}

/// The axis, x, y or z, about which I is half a turn from J; ' ' where their axes are alike.
char axis_of_half_turn(const Mat3d& of_i, const Mat3d& of_j) {
  const Mat3d r = transpose_times(of_j, of_i);
  if (r(0, 0) + r(1, 1) + r(2, 2) > 0) return ' ';
  return r(0, 0) > 0 ? 'x' : r(1, 1) > 0 ? 'y' : 'z';
}

}  // namespace

std::string opposite_markers(const Model& model, const Kinematics& assembled) {
  constexpr std::size_t most_named = 8;
  std::vector<std::string> found;
  for (const ConstraintElement& c : model.constraint_elements) {
    if (!holds_all_axes(c)) continue;
    const char axis = axis_of_half_turn(assembled.marker(c.I).A, assembled.marker(c.J).A);
    if (axis == ' ') continue;
    found.push_back(fmt::format("{} (MARKER/{} half a turn about {} from MARKER/{})", c.name.label(),
                                model.markers[c.I].id, axis, model.markers[c.J].id));
  }
  if (found.empty()) return {};
  const std::size_t named = std::min(found.size(), most_named);
  return fmt::format(
      "Axes of markers that are to be parallel were assembled opposite: {}{}. These equations hold for both, "
      "and assembly "
      "takes what is nearer to the dataset: if the axes should point alike, place part or marker within 90 "
      "deg of that.",
      fmt::join(found.begin(), found.begin() + static_cast<long>(named), ", "),
      found.size() > named ? fmt::format(" and {} more", found.size() - named) : "");
}

}  // namespace trammel
