// The tables of DEBUG (EPRINT, RHSDUMP, JMDUMP) in the message file, and the same facts as JSON lines.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "integrate/observer.h"
#include "output/message_file.h"
#include "session/debug_words.h"
#include "session/json_log.h"

namespace trammel {

/// Name of the place of an error: "PART/3 X", "PART/3 rotation"; "" for none.
std::string name_of(const ErrorPlace& place, const Model& model);
/// Why an attempt ended: "accepted: ...", "refused: ...".
std::string outcome_of(const AttemptSeen& seen, const Model& model);

class IterationLog final : public SolveObserver {
 public:
  /// Writes to those of the files that are open. `wall`: seconds since the start of the run.
  IterationLog(MessageFile& messages, JsonLog& json, std::function<double()> wall)
      : messages_(messages), json_(json), wall_(std::move(wall)) {}

  /// Sets model and words for the analyses that follow; the model must outlive them.
  void watch(const Model& model, const DebugWords& words);

  void steps_begin(const StepsSeen& seen) override;
  void jacobian(const JacobianSeen& seen) override;
  void iteration(const IterationSeen& seen) override;
  void attempt(const AttemptSeen& seen) override;
  void point(const PointSeen& seen) override;

 private:
  /// A largest entry, with its sign.
  struct Entry {
    double value = 0;
    int index = -1;
  };
  struct Row {
    int iteration = 0;
    Entry residual, correction;
    bool corrected = false, new_jacobian = false;
    std::string dumps;  ///< text of RHSDUMP and JMDUMP for this iteration
  };
  static Entry largest_of(const IterationSeen::Arrays& arrays, int stages, double sign);
  std::string dump_of(const IterationSeen& seen);
  /// Names by index, kept after the first request.
  const std::string& equation(int k);
  const std::string& variable(int k);
  std::string text_of_rows();
  nlohmann::ordered_json json_of_rows();
  void end(const std::string& head, const std::string& outcome);
  void explicit_attempt(const AttemptSeen& seen, long number);
  /// The change of the choice of independent coordinates in words; "" where it is the same.
  std::string changed_choice(std::span<const unsigned char> independent);

  MessageFile& messages_;
  JsonLog& json_;
  std::function<double()> wall_;
  const Model* model_ = nullptr;
  DebugWords words_;
  std::vector<std::string> equations_, variables_;  ///< names; "": not yet requested
  std::vector<Row> rows_;                           ///< since the last attempt or point
  std::string matrices_;                            ///< text of JMDUMP for the next row
  /// Independent coordinates that were last reported: 1 per unknown.
  std::vector<unsigned char> independent_;
  bool in_rows_ = false;  ///< the last text was a row of the table of explicit steps
  long steps_before_ = 0, iterations_before_ = 0;
};

}  // namespace trammel
