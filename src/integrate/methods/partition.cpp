#include "integrate/methods/partition.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace trammel {

void CoordinatePartition::analyze(int coordinates, int multipliers, const std::vector<int>& order) {
  row_order_.clear();
  place_.assign(coordinates, 0);
  for (std::size_t k = 0; k < order.size(); ++k) {
    const int unknown = order[k];
    if (unknown < coordinates)
      place_[unknown] = static_cast<int>(k);
    else if (unknown < coordinates + multipliers)
      row_order_.push_back(unknown - coordinates);
  }
  value_.assign(coordinates, 0);
  is_touched_.assign(coordinates, 0);
  independent_.assign(coordinates, 1);
}

void CoordinatePartition::touch(int column) {
  if (is_touched_[column]) return;
  is_touched_[column] = 1;
  touched_.push_back(column);
  if (taken_by_[column] < 0) return;
  due_.push_back(taken_by_[column]);
  std::push_heap(due_.begin(), due_.end(), std::greater<>());
}

void CoordinatePartition::gather(const ConstraintRows& rows, int row, const double* scale) {
  for (int k = rows.row_start[row]; k < rows.row_start[row + 1]; ++k) {
    const int column = rows.column[k];
    value_[column] += rows.value[k] * scale[column];
    touch(column);
  }
}

/// Subtracts multiples of the rows before, which leave nothing in the coordinates that they took.
void CoordinatePartition::eliminate() {
  while (!due_.empty()) {
    std::pop_heap(due_.begin(), due_.end(), std::greater<>());
    const int row = due_.back();
    due_.pop_back();
    const Entry& taken = entries_[start_[row]];
    const double factor = value_[taken.column] / taken.value;
    value_[taken.column] = 0;
    for (int k = start_[row] + 1; k < start_[row + 1]; ++k) {
      value_[entries_[k].column] -= factor * entries_[k].value;
      touch(entries_[k].column);
    }
  }
}

/// The coordinate that the row under way takes: of those near the largest entry the one that the mechanism's
/// order eliminates first, for little fill.
int CoordinatePartition::pivot(double& largest) const {
  constexpr double near_largest = 0.5;
  largest = 0;
  for (const int c : touched_)
    if (taken_by_[c] < 0) largest = std::max(largest, std::abs(value_[c]));
  int best = -1;
  for (const int c : touched_)
    if (taken_by_[c] < 0 && std::abs(value_[c]) >= near_largest * largest &&
        (best < 0 || place_[c] < place_[best]))
      best = c;
  return best;
}

int CoordinatePartition::choose(const ConstraintRows& rows, std::span<const unsigned char> held,
                                const double* scale, bool& changed) {
  constexpr double rounding = 1e-10;  // of a row's largest entry: what is left of a dependent row
  before_ = independent_;
  std::fill(independent_.begin(), independent_.end(), 1);
  taken_by_.assign(place_.size(), -1);
  start_.assign(1, 0);
  entries_.clear();
  int dependent = -1;
  for (const int row : row_order_) {
    if (held[row]) continue;
    gather(rows, row, scale);
    double size = 0, largest = 0;
    for (const int c : touched_) size = std::max(size, std::abs(value_[c]));
    eliminate();
    const int column = pivot(largest);
    if (column >= 0 && largest > rounding * size) {
      entries_.push_back({column, value_[column]});
      for (const int c : touched_)
        if (c != column && taken_by_[c] < 0 && value_[c] != 0) entries_.push_back({c, value_[c]});
      taken_by_[column] = static_cast<int>(start_.size()) - 1;
      start_.push_back(static_cast<int>(entries_.size()));
      independent_[column] = 0;
    } else if (dependent < 0) {
      dependent = row;
    }
    for (const int c : touched_) value_[c] = is_touched_[c] = 0;
    touched_.clear();
  }
  changed = independent_ != before_;
  return dependent;
}

}  // namespace trammel
