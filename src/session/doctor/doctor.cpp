#include "session/doctor/doctor.h"

#include <algorithm>

#include "base/clock.h"
#include "session/doctor/findings.h"
#include "session/failure.h"
#include "session/make_plan.h"
#include "session/signals.h"
#include "session/stages.h"

namespace trammel {

namespace {

/// The observed run.
class Examination {
 public:
  explicit Examination(const DoctorOptions& options)
      : options_(options), stages_(job_, log_, events(), compute_) {}

  DoctorReport report() {
    check_times(options_.times);
    if (!(options_.seconds > 0)) fail(ExitCode::usage, "--seconds must be positive");
    job_ = load_job(options_.job);
    check_end_is_known(job_, options_.times);
    auto [plan, model] = plan_and_compile(job_, options_.times, options_.job.strict, options_.job.permissive);
    refuse_files(plan);
    log_.findings(job_);
    job_.diagnostics.stop_on_errors();
    DoctorReport out;
    out.file = job_.file;
    for (const Stage& stage : plan.stages) out.planned_end = std::max(out.planned_end, stage.end);
    stages_.begin(std::move(model), plan.settings);
    run(plan, out);
    finish(out);
    return out;
  }

 private:
  void refuse_files(const Plan& plan) {
    for (const Stage& stage : plan.stages)
      if (stage.statement.spec && stage.statement.spec->keyword == "SAVE")
        job_.diagnostics.unsupported(stage.where, "SAVE: doctor writes no files; take the command out");
  }

  StageEvents events() {
    StageEvents events;
    events.observer = &statistics_;
    events.interrupted = [this] { return begun_.seconds() > options_.seconds || SignalGuard::caught() != 0; };
    events.made = [this](Session& session) { statistics_.begin(session.model()); };
    events.steps_due = [this](Session&, const Stage& stage) {
      statistics_.hmax_given = stage.settings.hmax_given;
      output_step_ = std::max(output_step_, stage.output_step);
    };
    return events;
  }

  void run(const Plan& plan, DoctorReport& out) {
    out.ended = "complete";
    try {
      for (const Stage& stage : plan.stages)
        if (!stages_.run(stage)) break;
      if (stages_.was_interrupted()) out.ended = SignalGuard::caught() != 0 ? "stopped" : "time is up";
    } catch (...) {
      const Failure failure = present_failure();
      if (failure.code() != ExitCode::solver) throw;
      out.ended = "failed";
      out.failure = failure.what();
      out.exit_code = static_cast<int>(failure.code());
      failure_facts_ = failure.facts();
    }
  }

  void finish(DoctorReport& out) {
    const Session& session = *stages_.session();
    statistics_.end();
    out.seconds = begun_.seconds();
    out.counters = session.counters();
    out.begin = statistics_.begin_time;
    out.output_step = output_step_;
    out.end = session.present().t;
    out.mean_order = statistics_.steps > 0 ? statistics_.order_sum / double(statistics_.steps) : 0;
    out.smallest_step = statistics_.smallest;
    out.smallest_at = statistics_.smallest_at;
    out.limits = limits_in_words(statistics_, session.model());
    out.findings = findings_of({statistics_, session.model(), job_.description, out, failure_facts_});
    out.warnings = log_.warnings();
  }

  const DoctorOptions& options_;
  const Stopwatch begun_;
  ComputeSettings compute_;
  StepStatistics statistics_;
  RunLog log_ = RunLog::one_of_many();
  Job job_;
  std::vector<Fact> failure_facts_;
  double output_step_ = 0;
  StageRunner stages_;
};

}  // namespace

DoctorReport examine(const DoctorOptions& options) {
  return Examination(options).report();
}

}  // namespace trammel
