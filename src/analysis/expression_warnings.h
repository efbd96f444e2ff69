// Warnings about function expressions, each given once: a spline read outside its data, and 0/0.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "assemble/assembler.h"
#include "base/archive.h"

namespace trammel {

/// One reading of a spline outside its data.
struct SplineOutside {
  double t = 0;
  int spline = 0;  ///< id of the SPLINE statement
  char axis = 'X';
  double value = 0, least = 0, largest = 0;  ///< the argument; the range of the data
};

class ExpressionWarnings {
 public:
  /// Functions may be empty; the model must outlive the object.
  ExpressionWarnings(const Model& model, std::function<void(const std::string&)> warn,
                     std::function<void(const SplineOutside&)> outside)
      : model_(model),
        warn_(std::move(warn)),
        outside_(std::move(outside)),
        extrapolated_(model.splines.size()) {}

  void extrapolation(const SplineRange& range, double t);
  void zero_by_zero(int tape, const std::string& place, double t);
  /// Warnings of 0/0 that `before`, of the model before a change, has given are not given again.
  void go_on_from(const ExpressionWarnings& before) { zero_by_zero_ = before.zero_by_zero_; }
  void archive(Archive& a) { a(extrapolated_, zero_by_zero_); }
  /// Whether any spline has been reported.
  bool extrapolated() const;

 private:
  const Model& model_;
  std::function<void(const std::string&)> warn_;
  std::function<void(const SplineOutside&)> outside_;
  std::vector<unsigned char> extrapolated_;  ///< per spline: 1 where it has been reported
  std::set<std::string> zero_by_zero_;       ///< names of the functions reported
};

}  // namespace trammel
