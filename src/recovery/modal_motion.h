// The motion of a flexible body in a result file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "flexible/modal_fields.h"
#include "output/read/result_reader.h"

namespace trammel {

/// Which records of a result file are taken.
struct RecordRange {
  std::optional<double> from, to;
  int every = 1;
};

/// Reads the modal coordinates of a body record by record: memory does not grow with their number.
class ModalMotion {
 public:
  /// `body`: "FLEX_BODY/3" or its name in ADAMS View; "": the only one that the file has. Failure(usage)
  /// where there is none or are several, Failure(input) where the file's modes are not those of the fields.
  ModalMotion(const ResultReader& results, const std::string& body, const RecordRange& range);

  const Entity& entity() const;
  /// Takes the modes from the channels; of modes that did not take part the coordinate is 0.
  void use(const ModalFields& fields);
  /// Modes of the fields that did not take part.
  const std::vector<int>& absent() const { return absent_; }

  std::size_t records() const { return record_.size(); }
  double time(std::size_t k) const { return results_.times()[record_[k]]; }
  StepKind kind(std::size_t k) const { return results_.kinds()[record_[k]]; }
  /// Modal coordinates of the k-th record taken, in the order of the fields' modes. Failure(input) where one
  /// is no number.
  void coordinates(std::size_t k, double* q);
  /// Place of the frame and its axes; after coordinates() of the same record.
  Vec3d origin() const;
  Mat3d axes() const;

 private:
  int column(const char* component) const;

  const ResultReader& results_;
  int entity_ = -1, first_ = 0;  ///< its first column
  std::vector<std::size_t> record_;
  std::vector<int> column_;  ///< per mode of the fields; −1: it did not take part
  std::vector<int> absent_;
  std::vector<double> values_;  ///< of the record read last
};

}  // namespace trammel
