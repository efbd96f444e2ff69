#include "analysis/over_data.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace trammel {

namespace {

/// Values in the order in which they are passed, from the first on.
class Turns {
 public:
  Turns(double first, double enough) : first_(first), enough_(enough), high_(first), low_(first) {}
  /// Whether those up to y have turned back at `turn()`.
  bool pass(double x, double y) {
    if (y > high_) high_ = y, at_high_ = x;
    if (y < low_) low_ = y, at_low_ = x;
    if (high_ - std::max(first_, y) > enough_) return turn_ = at_high_, true;
    if (std::min(first_, y) - low_ > enough_) return turn_ = at_low_, true;
    return false;
  }
  double turn() const { return turn_; }

 private:
  double first_, enough_, high_, low_;
  double at_high_ = 0, at_low_ = 0, turn_ = 0;
};

/// Value of the straight lines through data, of the last point outside.
double line_value(std::span<const double> x, std::span<const double> y, double at) {
  const auto next = static_cast<std::size_t>(std::upper_bound(x.begin(), x.end(), at) - x.begin());
  if (next == 0) return y.front();
  if (next == x.size()) return y.back();
  return y[next - 1] + (y[next] - y[next - 1]) * (at - x[next - 1]) / (x[next] - x[next - 1]);
}

double range_of(std::span<const double> y) {
  const auto [low, high] = std::ranges::minmax(y);
  return high - low;
}

double first_turn(std::span<const double> x, std::span<const double> y, double from, double to) {
  constexpr double of_way = 0.01, of_all = 1e-5;
  const double low = std::min(from, to), high = std::max(from, to);
  const auto begin = static_cast<std::size_t>(std::upper_bound(x.begin(), x.end(), low) - x.begin()),
             end = static_cast<std::size_t>(std::lower_bound(x.begin(), x.end(), high) - x.begin());
  if (!(begin < end)) return to;
  const double first = line_value(x, y, from);
  const double enough = std::max(of_way * range_of(y.subspan(begin, end - begin)), of_all * range_of(y));
  Turns turns(first, enough);
  for (std::size_t k = 0; k < end - begin; ++k) {
    const std::size_t at = from < to ? begin + k : end - 1 - k;
    if (turns.pass(x[at], y[at])) return turns.turn();
  }
  return turns.pass(to, line_value(x, y, to)) ? turns.turn() : to;
}

}  // namespace

double first_turn(const SplineTable& data, double from, double to) {
  const std::size_t n = data.x.size();
  double first = to;
  for (std::size_t row = 0; row < data.y.size() / n; ++row)
    first = first_turn(data.x, std::span(data.y).subspan(row * n, n), from, first);
  return first;
}

}  // namespace trammel
