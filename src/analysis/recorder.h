// The result channels of a state.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "analysis/initial_conditions.h"
#include "analysis/result_channels.h"

namespace trammel {

class Recorder {
 public:
  /// The arguments must outlive the object. `share`: results show reactions shared by least squares among
  /// redundant equations, which `report` names.
  Recorder(const Model& model, Assembler& assembler, InitialConditions& initial, const InitialReport& report,
           bool share);

  const std::shared_ptr<const Channels>& channels() const { return channels_; }
  /// One value per component of the channels, in their order; valid until the next call.
  std::span<const double> values(const State& state, AnalysisPoint point);

 private:
  void gather_shared(const State& state, AnalysisPoint point);

  const Model& model_;
  Assembler& assembler_;
  InitialConditions& initial_;
  const InitialReport& report_;
  const bool share_;
  std::shared_ptr<const Channels> channels_;
  std::vector<double> values_;
};

}  // namespace trammel
