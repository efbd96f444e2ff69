// The times at which two result files are compared, and their records there.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "output/read/result_reader.h"

namespace trammel {

/// The records compared at one time: one of the base file, and one or two of the other file with the weight
/// of the second.
struct RecordPair {
  std::size_t base, other, next;
  double weight;
};

struct CommonTimes {
  std::vector<RecordPair> pairs;
  bool base_is_a = true;
  std::size_t interpolated = 0;                  ///< pairs with a weight
  std::size_t uncovered_a = 0, uncovered_b = 0;  ///< records outside the other file's time range
};

/// How far apart two times may be and still be the same: 1e-9 of themselves or of the range of the files,
/// 5.1e-6 of themselves in a file of six digits.
class TimeTolerance {
 public:
  explicit TimeTolerance(const ResultReader& file);
  TimeTolerance(const ResultReader& a, const ResultReader& b);
  double operator()(double t) const { return std::max(absolute_, relative_ * std::abs(t)); }
  /// Whether t lies in a window of time, its ends included.
  bool is_within(double t, std::optional<double> from, std::optional<double> to) const;

 private:
  double relative_, absolute_;
};

/// The times of the file with fewer records (a, if both have as many) within the window, ends included; the
/// other file has a record there (to 1e-9 of the time, or 5e-6 with six digits), or two neighbours. Remarks
/// for the user go to `notices`. Times may decrease (after RELOAD) where both files have
/// the same. Failure(input): no records, decreasing times that differ.
CommonTimes common_times(const ResultReader& a, const ResultReader& b, std::optional<double> from,
                         std::optional<double> to, std::vector<std::string>& notices);

/// The last two records read from one file: the result of get() is valid until the second call after it.
class RecordCache {
 public:
  explicit RecordCache(const ResultReader& file);
  const std::vector<double>& get(std::size_t row);

 private:
  struct Slot {
    std::size_t row = std::numeric_limits<std::size_t>::max();
    std::vector<double> values;
  };
  const ResultReader& file_;
  Slot slots_[2];
  int last_ = 0;
};

}  // namespace trammel
