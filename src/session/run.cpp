#include "session/run.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "analysis/input_record.h"
#include "backends/load.h"
#include "session/backend_chooser.h"
#include "session/checkpoint.h"
#include "session/command_row.h"
#include "session/failure.h"
#include "session/graphics_scene.h"
#include "session/make_plan.h"
#include "session/output_place.h"
#include "session/output_statements.h"
#include "session/signals.h"
#include "session/stages.h"
#include "session/version.h"

namespace trammel {

void check_threads(int threads) {
  if (threads < 1 || threads > most_threads)
    fail(ExitCode::usage, "-j must be between 1 and {}", most_threads);
}

void check_linear_solver(const std::string& name, bool on_device) {
  if (name == "auto") return;
  const auto& libraries = device_solver_names();
  const bool of_device = name == "device" || std::count(libraries.begin(), libraries.end(), name) > 0;
  if (on_device && !of_device)
    fail(ExitCode::usage, "--linear-solver {} is not for a device: it has device, its own (auto), and {}",
         name, fmt::join(libraries, ", "));
  if (!on_device && of_device)
    fail(
        ExitCode::usage,
        "--linear-solver {} asks for --backend cuda as well: without it there are those of the processor, {}",
        name, linear_solver_names());
  if (!on_device) make_linear_solver(name);  // fails for an unknown name
}

namespace {

class Run {
 public:
  Run(const RunOptions& options, Listener listener)
      : options_(options),
        log_(std::move(listener)),
        checkpoint_(options.checkpoint_seconds),
        backend_asked_(options.backend),
        solver_asked_(options.compute.linear_solver),
        stages_(job_, log_, events(), options_.compute) {}

  int execute() {
    try {
      return guarded();
    } catch (...) {
      const Failure failure = present_failure();
      return failed(failure);
    }
  }

 private:
  void check_options() const {
    check_times(options_.times);
    check_every(options_.every);
    if (!(options_.checkpoint_seconds >= 0))
      fail(ExitCode::usage, "--checkpoint must be a number of seconds, 0 or more");
    if (options_.dry_run && (checkpoint_.wanted() || options_.resume))
      fail(ExitCode::usage, "--dry-run takes no steps: {} is not for it",
           options_.resume ? "--resume" : "--checkpoint");
    if (options_.accuracy == 0 && !options_.accuracy_channels.empty())
      fail(ExitCode::usage, "--channels says what --accuracy is for; give that, too");
    check_threads(options_.compute.threads);
    const bool on_processor = options_.backend == "cpu" || options_.backend == "auto";
    check_linear_solver(options_.compute.linear_solver, !on_processor);
    if (on_processor && options_.device != 0)
      fail(ExitCode::usage, "--device {} asks for --backend cuda or host as well", options_.device);
  }

  void open_device() {
    ComputeSettings& compute = options_.compute;
    compute.device = std::make_shared<Device>(load_backend(options_.backend), options_.device);
    if (compute.linear_solver != "auto" && compute.linear_solver != "device")
      compute.device_solver = &load_solver(options_.backend, compute.linear_solver);
    compute.linear_solver = "auto";  // for points of time, which stay on the processor
  }

  int guarded() {
    check_options();
    if (options_.backend == "auto")
      chooser_.emplace(options_.auto_backends, options_.step_timer);
    else if (options_.backend != "cpu")
      open_device();
    formats_ = formats_named(options_.formats);
    read_deck();
    if (!options_.dry_run) check_end_is_known(job_, options_.times);
    if (saved_) take_saved_backend();
    open_log();
    if (!job_.read) job_.diagnostics.stop_on_errors();
    const bool integrator_given = integrator_is_given(job_);
    auto [plan, model] = plan_and_compile(job_, options_.times, options_.job.strict, options_.job.permissive);
    plan_ = std::move(plan);
    info_.integrator = integrator_of(plan_);
    log_.findings(job_);
    job_.diagnostics.stop_on_errors();
    for (const std::string& text : model_warnings(model)) log_.warn(text);
    if (const std::string note = integrator_note(plan_, integrator_given); !note.empty()) log_.tell(note);
    stages_.begin(std::move(model), plan_.settings);
    if (options_.dry_run) return dry_run();
    for (const Stage& stage : plan_.stages) stages_.check_file(stage);
    prepare_results();
    give_up_deck();
    if (saved_ ? go_on() : begin())
      while (++stage_ < plan_.stages.size() && stages_.run(plan_.stages[stage_])) {
      }
    open_results();
    return finish();
  }

  /// Runs the first stage. False where the run ends in it.
  bool begin() {
    keep_earlier_results();
    results_due_ = true;
    if (!backend_undecided_) open_results();
    return plan_.stages.empty() || stages_.run(plan_.stages[stage_]);
  }

  // ---- checkpoints

  void save() {
    Archive a;
    RunIdentity identity = this->identity();
    a.section("run");
    a(identity, info_.backend, stage_, times_);
    stages_.archive(a, plan_.stages[stage_]);
    results_.save(a);
    log_.save(a);
    checkpoint_.write(prefix_, a.bytes());
  }

  /// The options and files that decide the results.
  RunIdentity identity() const {
    const RunOptions& o = options_;
    const auto number = [](const auto& value) { return value ? fmt::format("{}", *value) : std::string(); };
    RunIdentity list{{"--end", number(o.times.end)},
                     {"--dtout", number(o.times.dtout)},
                     {"--steps", number(o.times.steps)},
                     {"--set", fmt::format("{}", fmt::join(o.job.sets, " "))},
                     {"--strict", o.job.strict ? "given" : ""},
                     {"--permissive", o.job.permissive ? "given" : ""},
                     {"--formats", fmt::format("{}", fmt::join(o.formats, ","))},
                     {"--single", o.single_precision ? "given" : ""},
                     {"--every", fmt::format("{}", o.every)},
                     {"--backend", backend_asked_},
                     {"--linear-solver", solver_asked_},
                     {"--redundant", o.compute.share_reactions ? "min-norm" : "drop"}};
    add_checksums(list, input_files(job_, o.job), job_.file);
    return list;
  }

  /// Reads the last checkpoint, if the run is to continue from one. What has been told up to there is in the
  /// files already.
  void find_checkpoint() {
    if (!options_.resume) return;
    prefix_ = output_prefix(job_, options_.prefix, options_.directory);
    std::optional<std::string> bytes = Checkpoint::read(prefix_);
    if (!bytes) return;
    saved_.emplace(std::move(*bytes));
    RunIdentity then;
    saved_->section("run");
    (*saved_)(then, info_.backend, stage_, times_);
    require_same(then, identity());
    log_.hold_files();
  }

  /// Steps are computed where they were before, also where timing has chosen that place.
  void take_saved_backend() {
    if (!std::exchange(chooser_, std::nullopt)) return;
    const std::string where = info_.backend;
    if (where == "cpu") return;
    options_.backend = where.substr(0, where.find(':'));
    options_.device = std::stoi(where.substr(where.find(':') + 1));
    open_device();
  }

  /// Continues from the checkpoint to the end of its stage. False where the run ends there.
  bool go_on() {
    stages_.archive(*saved_, plan_.stages[stage_]);
    results_.open(stages_.channels(), info_, prefix_, formats_, output_, &*saved_);
    log_.go_on(*saved_, stages_.session()->state().t);
    return stages_.end_steps(stages_.go_on_steps());
  }

  /// The signal by which the run is stopped; 0: it is not.
  int stopped_by() {
    if (!stopped_ && options_.stop) stopped_ = options_.stop();
    return stopped_ ? SIGINT : SignalGuard::caught();
  }

  StageEvents events() {
    StageEvents events;
    events.record = [this](double t, StepKind kind, std::span<const double> values) {
      open_results();
      results_.record(t, kind, values, incidents_);
    };
    events.modes = [this](const ModeSet& set) {
      open_results();
      results_.modes(set);
    };
    events.incidents = [this](std::span<const ContactIncident> list) {
      incidents_.assign(list.begin(), list.end());
    };
    events.interrupted = [this] { return stopped_by() != 0; };
    events.save_due = [this] { return checkpoint_.due(stopped_by() != 0); };
    events.save = [this] { save(); };
    events.made = [this](Session& session) { keep_on_processor(session); };
    events.steps_due = [this](Session& session, const Stage& stage) {
      choose_backend(session, stage);
      open_results();
    };
    events.device_failed = [this](const Failure& failure, double t) { return leave_device(failure, t); };
    events.prefix = [this] { return prefix_; };
    events.refuse_file = [this](const std::string& path) { refuse_file(path); };
    if (options_.stats || checkpoint_.wanted()) events.times = &times_;  // a continued run may ask for them
    return events;
  }

  /// With --backend auto: notes that steps are computed on the processor, where that is certain before any
  /// step.
  void keep_on_processor(const Session& session) {
    if (!chooser_ || options_.dry_run) return;
    const std::string reason =
        device_lost_.empty() ? chooser_->reason_to_stay(session.model(), options_.compute) : device_lost_;
    backend_undecided_ = reason.empty();
    if (backend_undecided_) return;
    info_.backend = "cpu";
    log_.backend_choice(processor_sentence(reason), false);
  }

  void choose_backend(Session& session, const Stage& stage) {
    if (!std::exchange(backend_undecided_, false)) return;
    const BackendChooser::Decision decision = chooser_->choose({session, stage, options_.compute});
    info_.backend = decision.backend;
    log_.backend_choice(decision.sentence, true);
    if (session.systems().on_device()) log_.solver(session, options_.compute);
  }

  /// With --backend auto the processor takes over the steps of a device that has failed.
  bool leave_device(const Failure& failure, double t) {
    if (backend_asked_ != "auto") return false;
    device_lost_ = fmt::format("{} has failed", info_.backend);
    const Session& session = *stages_.session();
    log_.device_failed(
        fmt::format("Back end {} has failed ({}). From time {:.9g} on the steps are computed on the "
                    "processor; --backend cpu computes all of them there.",
                    info_.backend, failure.what(), t),
        session);
    options_.compute.device.reset();
    info_.backend = "cpu";
    return true;
  }

  // ---- files

  void read_deck() {
    try {
      job_ = read_job(options_.job);
      job_.folder = options_.directory;
      find_checkpoint();
      prepare_job(job_, options_.job, edits_of(options_.job.sets));
    } catch (...) {
      open_json_log();
      throw;
    }
    open_json_log();
  }

  /// Opens the JSON log, once the files are known that it must not overwrite.
  void open_json_log() {
    if (options_.log_json.empty()) return;
    log_place_.take_file(options_.log_json, input_files(job_, options_.job));
    if (!saved_) log_place_.make_room(options_.log_json);
    log_.open_json(options_.log_json, options_.command_line);
  }

  void open_log() {
    if (options_.dry_run) return;
    prefix_ = output_prefix(job_, options_.prefix, options_.directory);
    place_.take(prefix_, input_files(job_, options_.job));
    place_.refuse_input(prefix_ + ".status.json");
    const std::string saved_backend = std::exchange(info_, info_of(job_, options_.command_line)).backend;
    if (saved_)
      info_.backend = saved_backend;
    else
      make_room(prefix_ + ".msg");
    if (!saved_) Checkpoint::remove(prefix_);
    if (chooser_) info_.backend = "auto";
    if (options_.compute.device && !saved_)
      info_.backend = fmt::format("{}:{}", options_.backend, options_.device);
    log_.open(prefix_, info_);
    if (!place_.left_by().empty())
      log_.note(fmt::format("A run of this name by {} did not come to its end.", place_.left_by()));
  }

  void prepare_results() {
    if (options_.formats.empty()) formats_ = plan_.formats;
    const auto wanted = [&](Format format) {
      return std::find(formats_.begin(), formats_.end(), format) != formats_.end();
    };
    for (const Format format : {Format::request, Format::table})
      if (wanted(format) && stages_.session()->model().requests.empty())
        log_.note(
            fmt::format("The model has no REQUEST: the {} file holds no results.", extension_of(format)));
    if ((options_.single_precision || options_.every > 1) && !wanted(Format::native))
      log_.warn("--single and --every are for the .nc file, which --formats leaves out.");
    const Channels& channels = stages_.channels();
    if (wanted(Format::table))
      for (const std::string& text : table_warnings(channels, plan_.table)) log_.warn(text);
    output_ = output_options(plan_, options_.single_precision, options_.every);
    const Model& model = stages_.session()->model();
    if (wanted(Format::graphics)) output_.scene = scene_of(model);
    input_ = input_record(model, channels);
  }

  /// Where nothing reads the description any more, a large one gives its memory back.
  void give_up_deck() {
    constexpr std::size_t many = 10'000;  // statements
    const auto needs_it = [](const Stage& stage) {
      return stage.row && stage.row->execute && stage.row->needs_deck;
    };
    if (job_.description.statements.size() < many || checkpoint_.wanted() || saved_ ||
        std::any_of(plan_.stages.begin(), plan_.stages.end(), needs_it))
      return;
    job_.description.statements = std::vector<Statement>();
  }

  std::string make_room(const std::string& path) const {
    if (options_.keeps_earlier) return place_.make_room(path);
    place_.refuse_input(path);
    return "";
  }

  void keep_earlier_results() {
    std::vector<std::string> kept;
    for (const Format format : formats_)
      if (const std::string name = make_room(prefix_ + extension_of(format)); !name.empty())
        kept.push_back(name);
    if (!kept.empty()) log_.tell(fmt::format("Earlier results are kept as {}.", fmt::join(kept, ", ")));
  }

  /// Fails where a file that a command writes is one that the run itself reads or writes.
  void refuse_file(const std::string& path) const {
    place_.refuse_input(path);
    std::vector<std::string> own{".lock", ".msg", ".status.json"};
    for (const std::string& name : format_names()) own.emplace_back(extension_of(*parse_format(name)));
    for (std::string& file : own) file.insert(0, prefix_);
    own.push_back(Checkpoint::path(prefix_));
    if (!options_.log_json.empty()) own.insert(own.end(), {options_.log_json, options_.log_json + ".lock"});
    for (const std::string& file : own)
      if (same_file(path, file) || same_file(path, earlier_name(file)))
        fail(ExitCode::usage, "{} is a file of the run itself; choose another FILE (or -o)", path);
  }

  /// Opens the result files, once. The head of the native file names the back end: where steps are timed
  /// first, opening waits for the choice.
  void open_results() {
    if (!std::exchange(results_due_, false)) return;
    results_.open(stages_.channels(), info_, prefix_, formats_, output_);
    results_.record_input(0, std::exchange(input_, {}));
  }

  GraphicsScene scene_of(const Model& model) {
    std::vector<std::string> left_out;
    GraphicsScene scene = graphics_scene(job_.description, model, left_out);
    if (!left_out.empty())
      log_.note(fmt::format("The .gra file has no place for GRAPHICS of these kinds, which are left out: {}.",
                            fmt::join(left_out, ", ")));
    return scene;
  }

  // ---- ends

  int dry_run() {
    Session& session = *stages_.session();
    const InitialReport& report = session.initialize();
    if (plan_.begins_with_motion()) session.require_accelerations();
    for (const std::string& note : report.notes) log_.warn(note);
    if (!report.moved.empty()) log_.tell(report.moved);
    const Model& model = session.model();
    log_.say(fmt::format(
        "{}: {} moving parts, {} constraint equations ({} redundant), {} degrees of freedom; initial "
        "conditions found. Nothing was written (--dry-run).",
        job_.file, model.bodies.size(), model.coordinates - report.gruebler, report.redundant.size(),
        report.degrees_of_freedom));
    log_.finish(session.state().t, 0, {});
    return 0;
  }

  int finish() {
    const int signal = stopped_by();
    const int stopped = checkpoint_.written() ? static_cast<int>(ExitCode::resubmit) : 128 + signal;
    const int code = signal == 0 ? 0 : stopped;
    results_.close(code == 0);
    if (code == 0) Checkpoint::remove(prefix_);
    const Session& session = *stages_.session();
    const StepCounters& c = session.counters();
    stages_.tell_counters();
    log_.finish(session.state().t, code, results_.files());
    if (options_.stats) log_.phases(times_);
    log_.say(fmt::format("{} steps, {} evaluations, {} Jacobians in {:.3g} s; results in {}.*", c.steps,
                         c.evaluations, c.jacobians, log_.elapsed(), prefix_));
    return code;
  }

  /// Ends a failed run; computed results are kept.
  int failed(const Failure& failure) {
    log_.tell_error(failure);
    try {
      open_results();
      if (results_.is_open()) results_.close(false);
      stages_.tell_counters();
    } catch (const std::exception&) {  // a full disk, again
    }
    const int code = static_cast<int>(failure.code());
    log_.failed(code, results_.files());
    return code;
  }

  RunOptions options_;
  PhaseTimes times_;
  OutputPlace log_place_, place_;  ///< claims of --log-json, and of all other files
  RunLog log_;
  Job job_;
  Plan plan_;
  RunInfo info_;
  std::optional<BackendChooser> chooser_;  ///< with --backend auto
  bool stopped_ = false;                   ///< options_.stop has returned true
  std::string device_lost_;                ///< why no device is tried any more; "": none has failed
  bool backend_undecided_ =
      false;                  ///< whether it is still open where the steps of the present model are computed
  bool results_due_ = false;  ///< the result files are to be opened, with the options below
  OutputOptions output_;
  std::vector<double> input_;  ///< the state as the dataset gives it, until it is recorded
  std::size_t stage_ = 0;      ///< index of the present stage in plan_.stages
  Checkpoint checkpoint_;
  std::optional<Archive> saved_;                    ///< the checkpoint from which the run goes on
  const std::string backend_asked_, solver_asked_;  ///< options as given
  std::string prefix_;
  std::vector<Format> formats_;
  OutputSet results_;
  std::vector<ContactIncident> incidents_;  ///< overlaps of the present record
  StageRunner stages_;
};

}  // namespace

int run_job(const RunOptions& options, Listener listener) {
  return Run(options, std::move(listener)).execute();
}

}  // namespace trammel
