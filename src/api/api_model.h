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

/// Who hears of a model. Both may be null.
struct ApiListeners {
  trammel_record_function record = nullptr;
  void* record_user = nullptr;
  trammel_text_function text = nullptr;
  void* text_user = nullptr;
};

/// A deck on its way through a simulation: all that saving and restoring replace.
struct ApiRun {
  ApiRun(Job prepared, const ComputeSettings& compute, Listener listener, const StageEvents& events);

  Job job;
  RunLog log;
  Plan plan;
  DynamicsSettings settings;  ///< for the next simulation that is no command
  StageRunner stages;
  std::size_t next = 0;  ///< command that comes next
  bool begun = false;    ///< the state is in use
  int how = TRAMMEL_NONE;
  bool of_commands = false;  ///< the simulation that has steps to come is a command's
  bool at_begin = false;     ///< it has taken none
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
  /// The same as far as it is known without: its channels, names and sizes.
  Session& unassembled();
  const InitialReport& report() { return session().initialize(); }

  /// Of the records.
  const std::vector<ChannelRef>& channels();
  const Channels& record_channels();
  std::span<const double> values();

  /// False: stopped by the listener of records.
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

  /// While a simulation goes on: what would move the model is refused.
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
  Job deck_;                          ///< as read
  std::vector<std::string> changes_;  ///< before the first use of the state
  std::unique_ptr<ApiRun> run_;
  std::unique_ptr<Recorder> recorder_;  ///< of the present session
  const Session* recorded_ = nullptr;   ///< that session
  std::vector<int> columns_;            ///< places of the channels of records among those of the recorder
  std::vector<double> values_;
  std::optional<std::vector<ChannelRef>> channels_;
  bool busy_ = false, stop_ = false;
  long allowed_ = -1;  ///< steps that may be taken; −1: any number
};

/// Work during which the model is busy; what ends it by a failure ends the simulation.
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
