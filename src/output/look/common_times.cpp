#include "output/look/common_times.h"

#include <algorithm>
#include <cmath>

#include "base/diagnostics.h"

namespace trammel {

namespace {

constexpr double before_all = -std::numeric_limits<double>::infinity();

std::vector<std::size_t> records_of(const ResultReader& file, bool with_input) {
  std::vector<std::size_t> out;
  const std::vector<double>& t = file.times();
  for (std::size_t r = 0; r < t.size(); ++r) {
    if (!std::isfinite(t[r])) fail(ExitCode::input, "{}: record {} has no finite time", file.path(), r + 1);
    if (with_input || file.kinds()[r] != StepKind::model_input) out.push_back(r);
  }
  if (out.empty()) fail(ExitCode::input, "{}: holds no records to compare", file.path());
  return out;
}

/// Records between which others are sought must be in the order of their times.
void check_order(const ResultReader& file) {
  const std::vector<double>& t = file.times();
  for (std::size_t r = 1; r < t.size(); ++r)
    if (t[r] < t[r - 1])
      fail(ExitCode::input,
           "{}: the time runs backwards at record {} ({:.9g} after {:.9g}): such a file can be compared only "
           "with one that has the same times",
           file.path(), r + 1, t[r], t[r - 1]);
}

/// The span from the least time of a file to its largest.
double range_of(const ResultReader& file) {
  double least = std::numeric_limits<double>::infinity(), largest = -least;
  for (const double t : file.times()) {
    if (!std::isfinite(t)) continue;
    least = std::min(least, t);
    largest = std::max(largest, t);
  }
  return largest > least ? largest - least : 0.0;
}

class CommonTimesMaker {
 public:
  CommonTimesMaker(const ResultReader& a, const ResultReader& b, std::optional<double> from,
                   std::optional<double> to)
      : a_(a), b_(b), from_(from), to_(to), tolerance_(a, b) {}

  CommonTimes make(std::vector<std::string>& notices) {
    for (const bool with_input : {true, false}) {
      const auto rows_a = records_of(a_, with_input), rows_b = records_of(b_, with_input);
      if (same(rows_a, rows_b)) return paired(rows_a, rows_b);
      if (with_input) continue;
      check_order(a_);
      check_order(b_);
      const std::size_t left_out = a_.records() - rows_a.size() + b_.records() - rows_b.size();
      if (left_out > 0)
        notices.push_back(fmt::format("{} record{} of the state as the dataset gives it (input) not compared",
                                      left_out, left_out == 1 ? " is" : "s are"));
      return rows_b.size() < rows_a.size() ? merged(b_, rows_b, a_, rows_a, false)
                                           : merged(a_, rows_a, b_, rows_b, true);
    }
    return {};
  }

 private:
  using Rows = std::vector<std::size_t>;

  double tolerance(double t) const { return tolerance_(t); }
  bool wanted(double t) const { return tolerance_.is_within(t, from_, to_); }

  bool same(const Rows& rows_a, const Rows& rows_b) const {
    if (rows_a.size() != rows_b.size()) return false;
    for (std::size_t k = 0; k < rows_a.size(); ++k) {
      const double ta = a_.times()[rows_a[k]], tb = b_.times()[rows_b[k]];
      if (std::abs(ta - tb) > tolerance(ta)) return false;
    }
    return true;
  }

  CommonTimes paired(const Rows& rows_a, const Rows& rows_b) const {
    CommonTimes grid;
    for (std::size_t k = 0; k < rows_a.size(); ++k)
      if (wanted(a_.times()[rows_a[k]])) grid.pairs.push_back({rows_a[k], rows_b[k], rows_b[k], 0.0});
    return grid;
  }

  /// For every time of `base` the record of `other` at that time, or its two neighbours. Of repeated times (a
  /// simulation begins where one ended) the first is paired with the first, and so on.
  CommonTimes merged(const ResultReader& base, const Rows& rows, const ResultReader& other,
                     const Rows& others, bool base_is_a) const {
    CommonTimes grid;
    grid.base_is_a = base_is_a;
    std::size_t& uncovered_base = base_is_a ? grid.uncovered_a : grid.uncovered_b;
    std::size_t& uncovered_other = base_is_a ? grid.uncovered_b : grid.uncovered_a;
    std::size_t j = 0, repeats = 0;
    double before = before_all;
    const auto time = [&](std::size_t k) { return other.times()[others[k]]; };
    for (const std::size_t row : rows) {
      const double t = base.times()[row], tol = tolerance(t);
      repeats = t - before <= tol ? repeats + 1 : 0;
      before = t;
      if (!wanted(t)) continue;
      while (j < others.size() && time(j) < t - tol) ++j;
      if (j < others.size() && time(j) <= t + tol) {
        std::size_t k = j;
        for (std::size_t n = 0; n < repeats && k + 1 < others.size() && time(k + 1) <= t + tol; ++n) ++k;
        grid.pairs.push_back({row, others[k], others[k], 0.0});
      } else if (j == 0 || j == others.size()) {
        ++uncovered_base;
      } else {
        grid.pairs.push_back({row, others[j - 1], others[j], (t - time(j - 1)) / (time(j) - time(j - 1))});
        ++grid.interpolated;
      }
    }
    const double first = base.times()[rows.front()], last = base.times()[rows.back()];
    for (std::size_t k = 0; k < others.size(); ++k)
      if (wanted(time(k)) && (time(k) < first - tolerance(first) || time(k) > last + tolerance(last)))
        ++uncovered_other;
    return grid;
  }

  const ResultReader &a_, &b_;
  std::optional<double> from_, to_;
  TimeTolerance tolerance_;
};

}  // namespace

TimeTolerance::TimeTolerance(const ResultReader& file) : TimeTolerance(file, file) {}

TimeTolerance::TimeTolerance(const ResultReader& a, const ResultReader& b)
    : relative_(a.six_digits() || b.six_digits() ? 5.1e-6 : 1e-9),
      absolute_(1e-9 * std::max(range_of(a), range_of(b))) {}

bool TimeTolerance::is_within(double t, std::optional<double> from, std::optional<double> to) const {
  const double slack = (*this)(t);
  return !(from && t < *from - slack) && !(to && t > *to + slack);
}

CommonTimes common_times(const ResultReader& a, const ResultReader& b, std::optional<double> from,
                         std::optional<double> to, std::vector<std::string>& notices) {
  return CommonTimesMaker(a, b, from, to).make(notices);
}

RecordCache::RecordCache(const ResultReader& file) : file_(file) {
  for (Slot& slot : slots_) slot.values.resize(file.width());
}

const std::vector<double>& RecordCache::get(std::size_t row) {
  if (slots_[last_].row == row) return slots_[last_].values;
  last_ = 1 - last_;
  if (slots_[last_].row != row) {
    slots_[last_].row = row;
    file_.record(row, slots_[last_].values);
  }
  return slots_[last_].values;
}

}  // namespace trammel
