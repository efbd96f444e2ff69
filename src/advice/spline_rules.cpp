// Rules on SPLINE and CURVE: what is read outside the data, and data that make bad curves.
#include <algorithm>
#include <cmath>

#include "advice/rules.h"

namespace trammel::advice {

namespace {

/// The abscissas of a spline in x (axis 0) or z (axis 1); empty where it has none.
std::vector<double> grid_of(const Statement& spline, int axis) {
  std::vector<double> grid;
  if (axis == 0) {
    if (const Argument* x = spline.find("X")) grid = x->numbers;
    return grid;
  }
  for (const Argument& a : spline.arguments)
    if (a.field->name == "Y") grid.push_back(a.numbers.front());
  return grid.size() > 1 ? grid : std::vector<double>{};
}

/// The ordinates, row by row.
std::vector<std::vector<double>> rows_of(const Statement& spline) {
  std::vector<std::vector<double>> rows;
  for (const Argument& a : spline.arguments)
    if (a.field->name == "Y") rows.push_back(a.numbers);
  if (rows.size() > 1)
    for (std::vector<double>& row : rows) row.erase(row.begin());  // its z
  return rows;
}

void compare_range(const Subject& s, const DeckExpression& e, int k, const Statement& spline, int axis,
                   Findings& f) {
  const std::vector<double> grid = grid_of(spline, axis);
  const Range& range = e.range_of_child(k, axis);
  if (grid.size() < 2) return;
  const double low = grid.front(), high = grid.back();
  const char* name = axis == 0 ? "x" : "z";
  const double rounding = 1e-9 * (high - low);  // of a TIME that ends where the data do
  const std::optional<double> start = s.start ? s.start->argument(e, k, axis) : std::nullopt;
  if (range.bounded() && (range.low < low - rounding || range.high > high + rounding))
    f.add(e.argument->where, "{}: the {} of {} runs from {:.6g} to {:.6g}, data of {} from {:.6g} to {:.6g}",
          e.label(), name, e.place(k), range.low, range.high, spline.label(), low, high);
  else if (!range.bounded() && start && (*start < low - rounding || *start > high + rounding))
    f.add(e.argument->where, "{}: the {} of {} is {:.6g} at the start, data of {} run from {:.6g} to {:.6g}",
          e.label(), name, e.place(k), *start, spline.label(), low, high);
}

/// Whether points lie on one straight line, to the digits of a deck.
bool straight(const std::vector<double>& x, const std::vector<double>& y) {
  const double slope = (y.back() - y.front()) / (x.back() - x.front());
  double off = 0, most = 0;
  for (std::size_t k = 0; k < std::min(x.size(), y.size()); ++k) {
    off = std::max(off, std::abs(y[k] - y.front() - slope * (x[k] - x.front())));
    most = std::max(most, std::abs(y[k] - y.front()));
  }
  return off <= 1e-6 * most;
}

/// The first interval that is far narrower than the data are long, and over which they change much; −1.
int step_in(const std::vector<double>& x, const std::vector<double>& y) {
  constexpr double narrow = 1e-3, much = 0.1;  // of all that they run over
  const auto [low, high] = std::minmax_element(y.begin(), y.end());
  for (std::size_t k = 1; k < std::min(x.size(), y.size()); ++k)
    if (x[k] - x[k - 1] < narrow * (x.back() - x.front()) &&
        std::abs(y[k] - y[k - 1]) > much * (*high - *low))
      return static_cast<int>(k) - 1;
  return -1;
}

}  // namespace

void spline_range(const Subject& s, Findings& f) {
  for (const DeckExpression& e : s.expressions.all())
    for (int k = 0; k < static_cast<int>(e.tree.nodes.size()); ++k) {
      if (!e.lives(k) || e[k].kind != NodeKind::call || (e[k].name != "AKISPL" && e[k].name != "CUBSPL"))
        continue;
      const Statement* spline = s.expressions.statement("SPLINE", e.range_of_child(k, 2).low);
      if (spline && !spline->has("LINEAR_EXTRAPOLATE"))
        for (int axis : {0, 1}) compare_range(s, e, k, *spline, axis, f);
    }
}

void spline_data(const Subject& s, Findings& f) {
  constexpr std::size_t few = 5;
  constexpr double uneven = 1e3;
  for (const Statement& spline : s.deck.statements) {
    if (!spline.active || !s.expressions.root(spline)) continue;
    if (spline.spec->keyword == "CURVE" && spline.real("ORDER") == 2)
      f.add(spline.where, "{}: is made of straight lines, with a corner at each point", spline.label());
    const std::vector<double> x =
        spline.spec->keyword == "SPLINE" ? grid_of(spline, 0) : std::vector<double>{};
    if (x.size() < 2) continue;
    double least = x[1] - x[0], most = least;
    for (std::size_t k = 1; k < x.size(); ++k) {
      least = std::min(least, x[k] - x[k - 1]);
      most = std::max(most, x[k] - x[k - 1]);
    }
    bool bent = false;
    int step = -1;
    for (const std::vector<double>& y : rows_of(spline)) {
      bent = bent || !straight(x, y);
      if (step < 0) step = step_in(x, y);
    }
    if (step >= 0)
      f.add(spline.where, "{}: the data jump between x = {} and {}", spline.label(), x[step], x[step + 1]);
    else if (most > uneven * least)
      f.add(spline.where, "{}: its points are {:.3g} to {:.3g} apart", spline.label(), least, most);
    else if (x.size() < few && bent)
      f.add(spline.where, "{}: has {} points, too few for a bent curve", spline.label(), x.size());
  }
}

}  // namespace trammel::advice
