#include "analysis/recorder.h"

namespace trammel {

Recorder::Recorder(const Model& model, Assembler& assembler, InitialConditions& initial,
                   const InitialReport& report, bool share)
    : model_(model),
      assembler_(assembler),
      initial_(initial),
      report_(report),
      share_(share),
      channels_(std::make_shared<const Channels>(make_channels(model))),
      values_(channels_->size()) {}

std::span<const double> Recorder::values(const State& state, AnalysisPoint point) {
  if (share_ && !report_.redundant.empty()) {
    gather_shared(state, point);
  } else {
    assembler_.evaluate(state, point);
    gather_channels(model_, assembler_, state, values_);
  }
  return values_;
}

/// The channels with reactions shared among redundant equations; the forces that expressions of REQUESTs read
/// follow the shared reactions.
void Recorder::gather_shared(const State& state, AnalysisPoint point) {
  State shared = state;
  initial_.share_reactions(shared);
  assembler_.evaluate(shared, point);
  const std::span<const double> wrench = assembler_.wrenches();
  for (std::size_t k = 0; k < model_.scalars.size(); ++k) {
    const Scalar& s = model_.scalars[k];
    if (s.kind == ScalarKind::force_output) shared.s[k] = wrench[12 * s.element + s.component];
    if (s.kind == ScalarKind::modal_output)
      shared.s[k] = (s.component == 0 ? shared.q : s.component == 1 ? shared.v : shared.a)[s.element];
  }
  assembler_.evaluate(shared, point);
  gather_channels(model_, assembler_, shared, values_);
}

}  // namespace trammel
