// The model behind a trammel_model: a deck, planned and compiled, that is simulated step by step or by its
// commands and writes no files. Failures are thrown.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/recorder.h"
#include "output/channel_names.h"
#include "session/stages.h"
#include "trammel/trammel.h"

namespace trammel {

/// How a deck is read and computed.
struct ApiOptions {
  JobOptions job;
  ComputeSettings compute;
};

/// The caller's functions that receive records and texts of a model, with their first argument. Both
/// functions may be null.
struct ApiListeners {
  trammel_record_function record = nullptr;
  void* record_user = nullptr;
  trammel_text_function text = nullptr;
  void* text_user = nullptr;
};

/// The state of a deck during its simulations: everything that saving and restoring replace.
struct ApiRun {
  ApiRun(Job prepared, const ComputeSettings& compute, Listener listener, const StageEvents& events);

  Job job;
  RunLog log;
  Plan plan;
  DynamicsSettings settings;  ///< settings of the next simulation outside the commands
  StageRunner stages;
  std::size_t next = 0;  ///< index of the next command in plan.stages
  bool begun = false;    ///< the state has been used: changes of the deck are now changes of the model
  int how = TRAMMEL_NONE;
  bool of_commands = false;  ///< the simulation under way is one of the commands
  bool at_begin = false;     ///< the simulation under way has taken no step
};

class ApiModel {
 public:
  /// From a file, or from the text of a dataset. Throws Failure as read_job() and plan_and_compile() do.
  ApiModel(const std::string& file, ApiOptions options);
  ApiModel(const std::string& name, std::string_view dataset, ApiOptions options);
  ApiModel(const ApiModel&) = delete;
  ApiModel& operator=(const ApiModel&) = delete;

  ApiListeners listeners;

  void change(const std::string& text);
  const std::vector<std::string>& warnings() const { return run_->log.warnings(); }
  /// The model under analysis with its initial conditions found.
  Session& session();
  /// The model under analysis without initial conditions, for channels, names and sizes.
  Session& unassembled();
  const InitialReport& report() { return session().initialize(); }

  /// The channels of the records.
  const std::vector<ChannelRef>& channels();
  const Channels& record_channels();
  std::span<const double> values();

  /// False: the listener of records has stopped it.
  bool run_commands();
  void begin(double end, double output_interval);
  int step();
  bool finish();
  int how() const { return run_->how; }
  double time() const;

  void set(std::span<const double> coordinates, std::span<const double> velocities);
  void residual(const trammel_point* point, const Coefficients& coefficients, std::span<double> out);
  void tangent(const trammel_point* point, const Coefficients& coefficients, std::span<double> out);

  std::string save();
  void restore(std::string bytes);

  /// Failure(usage) in a callback of a simulation: calls that would move or change the model are refused
  /// there.
  void require_idle() const;

 private:
  StageEvents events();
  Listener listener();
  std::unique_ptr<ApiRun> prepared(const std::vector<std::string>& changes) const;
  Stage stage_of_own() const;
  bool take(AnalysisEnd end);
  AnalysisEnd go_on();
  template <class Work>
  auto under_way(const Work& work);
  void change_present(const Edit& edit);
  template <class Use>
  void at(const trammel_point* point, const Use& use);

  ApiOptions options_;
  Job deck_;                          ///< the deck as read
  std::vector<std::string> changes_;  ///< changes before the first use of the state
  std::unique_ptr<ApiRun> run_;
  std::unique_ptr<Recorder> recorder_;  ///< values of the channels of the present session
  const Session* recorded_ = nullptr;   ///< the session of `recorder_`
  /// Index of each channel of the records among those of the recorder; −1: not there.
  std::vector<int> columns_;
  std::vector<double> values_;
  std::optional<std::vector<ChannelRef>> channels_;
  bool busy_ = false, stop_ = false;
  long allowed_ = -1;  ///< number of steps that may still be taken; −1: any number
};

/// Does work during which the model is busy; an exception ends the simulation as failed.
template <class Work>
auto ApiModel::under_way(const Work& work) {
  struct Busy {
    explicit Busy(ApiModel& of) : model(of) { model.busy_ = true, model.stop_ = false; }
    ~Busy() { model.busy_ = false, model.allowed_ = -1; }
    ApiModel& model;
  } busy(*this);
  try {
    return work();
  } catch (...) {
    run_->how = TRAMMEL_FAILED;
    throw;
  }
}

}  // namespace trammel
