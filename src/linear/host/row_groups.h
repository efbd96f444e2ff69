// A matrix by groups of neighbouring rows, so that r = c - B y takes whole registers.
#pragma once

#include <memory>
#include <vector>

#include "base/parallel.h"
#include "linear/host/row_tables.h"
#include "linear/pattern.h"

namespace trammel {

class RowGroups {
 public:
  /// Divides the rows into groups so that the registers to be read are fewest; O(nonzeros).
  void analyze(const SparsePattern& pattern);
  /// The same, of the pattern that `other` has divided; its tables are shared.
  void analyze_as(const RowGroups& other) { places_ = other.places_; }
  /// For the values, before take().
  void make_room();
  void give_up_room() { value_ = std::vector<double>(); }
  /// Takes values in the order of the pattern.
  void take(const Parallel& parallel, const std::vector<double>& value);

  int count() const { return static_cast<int>(places_->group.size()) - 1; }
  RowGroupTables tables() const;

 private:
  struct Places {
    std::vector<RowGroup> group;  ///< one more closes the list
    std::vector<int> column;
    std::vector<int> target;  ///< nonzero of the pattern -> index in value_
  };
  std::shared_ptr<const Places> places_;
  std::vector<double> value_;
};

}  // namespace trammel
