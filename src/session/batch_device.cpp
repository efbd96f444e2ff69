#include "session/batch_device.h"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "analysis/analyses/dynamics.h"
#include "base/clock.h"
#include "integrate/device_batch.h"

namespace trammel {

void HandedBack::add(const std::string& reason, std::size_t variant) {
  Entry& entry = reasons[reason];
  entry.first = entry.count == 0 ? variant : std::min(entry.first, variant);
  ++entry.count;
}

namespace {

/// Variants in memory at the same time: enough to fill a device, and of large models so few that the
/// processor's memory holds them: 6 kB per unknown each (measured: 213 kB at 35 unknowns).
constexpr std::size_t most_at_once = 4096, fewest_at_once = 16;
constexpr std::size_t bytes_per_unknown = 6000, memory_at_once = std::size_t{4} << 30;
/// Time [s] of the steps that the device takes before the processor looks at signals and records, and bounds
/// of their number.
constexpr double seconds_per_launch = 0.25;
constexpr int fewest_steps = 100, most_steps = 1 << 20;

class DeviceRun {
 public:
  DeviceRun(const BatchSetting& setting, Device& device, const std::string& where, ThreadPool& pool,
            const std::function<void(std::size_t, VariantResult)>& take,
            const std::function<void(double)>& under_way)
      : setting_(setting), device_(device), where_(where), pool_(pool), take_(take), under_way_(under_way) {}

  HandedBack execute() {
    const std::size_t count = setting_.due.size();
    const std::size_t each = bytes_per_unknown * static_cast<std::size_t>(std::max(1, setting_.unknowns));
    const std::size_t size = std::clamp(memory_at_once / each, fewest_at_once, most_at_once);
    for (std::size_t begin = 0; begin < count; begin += size) wave(begin, std::min(count, begin + size));
    return std::move(handed_back_);
  }

 private:
  /// A variant of the present wave.
  struct Member {
    std::size_t number;
    std::unique_ptr<VariantRun> run;  ///< null: its result has been taken
    std::string back;                 ///< why the processor computes it from the beginning; "": it does not
    bool here = false;                ///< the processor takes the present steps
    bool begun = false;               ///< the present steps are ready for the device
    bool on_device = false;           ///< the device has taken some steps
    int slot = -1;                    ///< index in the device's batch; −1: not in it
    Schedule outputs;                 ///< output times of the present steps
    Scaling scaling;
    std::optional<FirstCourses> courses;  ///< from which they look ahead
  };

  template <class F>
  void for_members(const F& work) {
    pool_.run_queued(static_cast<int>(members_.size()), [&](int k) {
      if (members_[k].run) work(members_[k]);
    });
  }

  void wave(std::size_t begin, std::size_t end) {
    members_.clear();
    for (std::size_t k = begin; k < end; ++k)
      members_.push_back({setting_.due[k], nullptr, "", false, false, false, -1, {}, {}, {}});
    pool_.run_queued(static_cast<int>(members_.size()), [&](int k) {
      Member& m = members_[k];
      if (setting_.interrupted()) return leave(m);
      m.run = std::make_unique<VariantRun>(setting_, setting_.table.variants[m.number]);
      m.run->run_to_steps();
    });
    while (true) {
      for_members([&](Member& m) { settle(m); });
      if (std::none_of(members_.begin(), members_.end(), [](const Member& m) { return m.run != nullptr; }))
        return;
      steps();
    }
  }

  /// After its steps: brings a member to its next steps, or to its end.
  void go_on(Member& m) {
    if (!m.run->ended()) m.run->run_to_steps();
    if (m.run->ended()) settle(m);
  }

  /// Delivers the result of a variant that never began.
  void leave(Member& m) {
    VariantResult result;
    result.exit_code = setting_.stop_code();
    take_(m.number, std::move(result));
  }

  /// Delivers the result of a member that has ended, or that the processor computes anew.
  void settle(Member& m) {
    if (!m.back.empty()) {
      {
        const std::lock_guard lock(mutex_);
        handed_back_.add(m.back, m.number);
      }
      m.run.reset();  // its files are closed
      take_(m.number, run_variant(setting_, setting_.table.variants[m.number], true));
    } else if (m.run->ended()) {
      take_(m.number, m.run->result(m.on_device ? where_ : "cpu"));
      m.run.reset();
    }
  }

  /// Takes the steps that are due of all members, or of as many as the device's memory holds.
  void steps() {
    DeviceBatch batch(device_);
    for_members([&](Member& m) { begin(m); });
    std::atomic<bool> room = true;
    for_members([&](Member& m) {
      if (m.begun && room && !enter(batch, m)) room = false;
    });
    for_members([&](Member& m) {
      if (!m.here) return;
      m.run->take_steps();
      go_on(m);
    });
    int steps = fewest_steps;
    while (true) {
      const Stopwatch begun;
      if (!advance(batch, steps)) return;
      const double seconds = begun.seconds();
      if (seconds < seconds_per_launch / 2) steps = std::min(2 * steps, most_steps);
      if (seconds > seconds_per_launch * 2) steps = std::max(steps / 2, fewest_steps);
      const bool interrupted = setting_.interrupted();
      for_members([&](Member& m) {
        if (m.slot < 0) return;
        deliver(batch, m, interrupted);
        if (m.slot < 0 && m.back.empty()) go_on(m);
      });
      under_way_(through(batch));
    }
  }

  /// Takes steps on the device. False where no member is left there, or the device fails, which leaves all to
  /// the processor.
  bool advance(DeviceBatch& batch, int steps) {
    try {
      return batch.advance(steps, seconds_per_launch);
    } catch (const Failure& failure) {
      if (failure.code() != ExitCode::backend) throw;
      for (Member& m : members_)
        if (m.slot >= 0) m.back = std::string("the device failed: ") + failure.what();
      return false;
    }
  }

  /// Prepares the first step of a member. Sets `here` where the device cannot compute the model.
  void begin(Member& m) {
    m.slot = -1;
    if (m.begun) return;  // prepared already, and waiting for room on the device
    Session& session = m.run->session();
    const Stage& stage = m.run->stage();
    std::string why = DeviceBatch::refusal(session.model(), stage.settings.integrator);
    if (why.empty() && stage.settings.interpolate) why = "INTERPOLATE is done on the processor";
    if (why.empty() && dynamics_of(session).meets_breaks(stage.settings, stage.plan()))
      why =
          "steps that end where functions of TIME change or come and go, or where the data of a spline turn "
          "back, are the processor's (BREAK_POINTS=OFF: no step does)";
    if (why.empty() && dynamics_of(session).ends_with_remainder(stage.plan()))
      why = "a last output step that is much shorter than the others is the processor's";
    if (!why.empty() && !m.here) {
      const std::lock_guard lock(mutex_);
      handed_back_.add(why, m.number);
    }
    m.here = !why.empty();
    if (m.here) return;
    m.run->steps_elsewhere([&]() -> std::optional<AnalysisEnd> {
      m.outputs = dynamics_of(session).begin_outputs(stage.plan());
      const IntegratorOptions options = dynamics_of(session).step_options(m.outputs);
      m.scaling = DeviceBatch::scaling_of(session.assembler(), session.state(), options);
      m.courses = dynamics_of(session).first_courses(options);
      m.begun = true;
      return std::nullopt;
    });
  }

  /// Sum over the members of the finished parts of their present simulations.
  double through(const DeviceBatch& batch) const {
    double sum = 0;
    for (const Member& m : members_)
      if (m.run && m.slot >= 0) {
        const Schedule& s = m.outputs;
        sum += (batch[m.slot].steps.motion.t - s.begin) / (s.end - s.begin);
      }
    return sum;
  }

  /// Adds a member to the device's batch, or sets `back` where that fails. False where the device has no room
  /// for more.
  bool enter(DeviceBatch& batch, Member& m) {
    Session& session = m.run->session();
    try {
      m.slot = batch.add(session.model(), session.assembler(), session.state(),
                         dynamics_of(session).step_options(m.outputs), m.outputs, m.scaling,
                         m.courses ? &*m.courses : nullptr);
      m.begun = false;
      m.on_device = true;
    } catch (const Failure& failure) {
      if (failure.code() == ExitCode::backend && batch.size() > 0) return false;
      m.back = failure.what();
    }
    return true;
  }

  /// Takes the records of the last launch, and the end of the steps, where it has come.
  void deliver(DeviceBatch& batch, Member& m, bool interrupted) {
    const int k = m.slot;
    Dynamics& dynamics = dynamics_of(m.run->session());
    const GroupSimulation& s = batch[k];
    m.run->steps_elsewhere([&]() -> std::optional<AnalysisEnd> {
      dynamics.take_counters(s.steps);
      for (int r = 0; r < batch.records(k); ++r)
        if (!dynamics.take_output([&](State& state) { batch.read_record(k, r, state); })) {
          m.back = "a redundant equation no longer held, and others are to be dropped";
          return leave_batch(batch, m);
        }
      if (s.to_go_on() && !interrupted) return std::nullopt;
      dynamics.take_counters(s.steps);  // sets the time, which records have set back
      m.run->add_seconds(batch.seconds_each());
      tell_spline(m, s);
      if (s.status == GroupStatus::stopped) return stopped(batch, m, s);
      const bool complete = s.status == GroupStatus::complete;
      leave_batch(batch, m);
      return complete ? AnalysisEnd::complete : AnalysisEnd::interrupted;
    });
    if (m.run->ended() && m.slot >= 0) leave_batch(batch, m);  // a record that failed
  }

  std::optional<AnalysisEnd> leave_batch(DeviceBatch& batch, Member& m) {
    batch.withdraw(m.slot);
    m.slot = -1;
    return std::nullopt;
  }

  std::optional<AnalysisEnd> stopped(DeviceBatch& batch, Member& m, const GroupSimulation& s) {
    leave_batch(batch, m);
    switch (s.end) {
      case StepEnd::refused:
        m.back = "the linear system needed more than the device's pivots";
        return std::nullopt;
      case StepEnd::no_value:  // the processor names the function
        m.back = "a function had no value";
        return std::nullopt;
      default:
        throw Failure(ExitCode::solver, why_given_up(m.run->session().model(), s.steps, s.end));
    }
  }

  static void tell_spline(Member& m, const GroupSimulation& s) {
    if (s.spline_tape < 0 || m.run->session().told_extrapolation()) return;
    m.run->warn(fmt::format("{}: a spline was read outside its data at time {:.6g}; extrapolation was used.",
                            m.run->session().model().tape_name[s.spline_tape], s.spline_time));
  }

  const BatchSetting& setting_;
  Device& device_;
  const std::string& where_;
  ThreadPool& pool_;
  const std::function<void(std::size_t, VariantResult)>& take_;
  const std::function<void(double)>& under_way_;
  std::vector<Member> members_;
  HandedBack handed_back_;
  std::mutex mutex_;  ///< guards handed_back_
};

}  // namespace

HandedBack run_on_device(const BatchSetting& setting, Device& device, const std::string& where,
                         ThreadPool& pool, const std::function<void(std::size_t, VariantResult)>& take,
                         const std::function<void(double)>& under_way) {
  return DeviceRun(setting, device, where, pool, take, under_way).execute();
}

}  // namespace trammel
