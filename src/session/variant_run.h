// One variant of `trammel batch`, from the deck to its line of the result table.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "session/batch_options.h"
#include "session/batch_table.h"
#include "session/output_place.h"
#include "session/stages.h"

namespace trammel {

/// What all variants share; all threads read it, none writes.
struct BatchSetting {
  explicit BatchSetting(const BatchOptions& batch) : options(batch) {}
  const BatchOptions& options;
  Job deck;  ///< as read, before --set
  VariantTable table;
  std::vector<std::size_t> due;  ///< indices of the variants to be computed
  std::vector<Watched> watched;
  Channels channels;  ///< channels to which the columns of `watched` refer
  RunInfo info;
  std::string prefix;               ///< prefix of the output files
  std::vector<std::string> inputs;  ///< files that must not be replaced
  ComputeSettings compute;          ///< of one variant
  int unknowns = 0;                 ///< number of unknowns of the deck's model
  std::function<bool()> interrupted;
  std::function<int()> stopped_by;  ///< the signal that stops the batch; 0: none
  /// Exit code of variants that a signal stops.
  int stop_code() const { return 128 + stopped_by(); }
};

/// A deck that is ready to run. After errors in job.diagnostics plan and model are not usable.
struct PreparedJob {
  Job job;
  Plan plan;
  std::string integrator_note;  ///< integrator_note()
  Model model;
};
/// The deck with --set and the changes of a variant (nullptr: none), planned and compiled as `trammel run`
/// does it. Throws Failure for edits that cannot be read, and options that do not fit.
PreparedJob prepare_variant(const BatchSetting& setting, const Variant* variant);

/// A variant while it is computed. Failures end it and are in its result; nothing is thrown. Used by one
/// thread at a time.
class VariantRun {
 public:
  /// `again`: files of a first try in this batch are replaced, not kept.
  VariantRun(const BatchSetting& setting, const Variant& variant, bool again = false);
  ~VariantRun();

  /// Executes the stages before the next steps. False: the variant has ended.
  bool run_to_steps();
  /// Takes the steps that are due, on the processor.
  void take_steps();
  /// Lets `steps` take some of them elsewhere: it moves session(), and returns how the steps ended, if they
  /// have.
  void steps_elsewhere(const std::function<std::optional<AnalysisEnd>()>& steps);
  void fail(ExitCode code, const std::string& text);
  void warn(const std::string& text) { log_.warn(text); }
  /// Adds computing time that was spent elsewhere.
  void add_seconds(double seconds) { result_.seconds += seconds; }

  bool ended() const { return ended_; }
  Session& session() { return *stages_.session(); }
  /// The stage whose steps are due.
  const Stage& stage() const { return stages_.present(); }
  /// The result; call once, after the end. `where`: where the steps were computed.
  VariantResult result(const std::string& where);

 private:
  template <class F>
  void guarded(const F& work);
  void begin();
  void make_room(const std::string& path) const;
  std::string prefix() const { return setting_.prefix + "_" + variant_.name; }
  StageEvents events();
  void open_results();
  std::vector<FileReport> close_results(bool successful);
  void end_steps(AnalysisEnd end);
  void finish();
  void note_warnings();
  void failed(const Failure& failure);

  const BatchSetting& setting_;
  const Variant& variant_;
  OutputPlace place_;
  RunLog log_ = RunLog::one_of_many();
  PreparedJob prepared_;
  std::optional<Watch> watch_;
  std::optional<OutputSet> results_;
  VariantResult result_;
  StageRunner stages_;
  std::size_t next_stage_ = 0;
  bool again_, begun_ = false, ended_ = false;
};

/// Runs a variant on the processor. `again`: see VariantRun.
VariantResult run_variant(const BatchSetting& setting, const Variant& variant, bool again = false);

}  // namespace trammel
