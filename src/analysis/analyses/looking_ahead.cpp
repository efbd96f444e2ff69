// What steps look ahead for: values that tell how soon functions and contacts change. Part of Dynamics.
#include "analysis/analyses/dynamics.h"

#include <algorithm>
#include <array>
#include <functional>

#include "integrate/device_equations.h"
#include "model/explicit_order.h"

namespace trammel {

namespace {

/// Parts of a first step at which it is looked whether the motion goes along parabolas; these are through the
/// last two and its beginning. |u − x| is on none of them, wherever x is.
constexpr std::array<double, 5> looks = {1. / 64, 0.25, 0.75, 0.5, 1};
constexpr std::size_t of_middle = 3, of_end = 4;

/// Whether values of something at the beginning of a step and at `looks` are those of a parabola, as far as
/// it may vanish in the step. The distance of two markers that pass each other is none.
bool is_parabola(const std::array<double, 1 + looks.size()>& g, double unnoticed) {
  constexpr double part = 0.02;  // of the range; it is reached by a sine of 1.4 rad in the step
  const auto [low, high] = std::ranges::minmax(g);
  const double range = high - low;
  if (!(range < HUGE_VAL) || low > range || -high > range) return true;
  for (std::size_t k = 0; k < of_middle; ++k) {
    const double u = looks[k];
    const double there =
        g[0] * (1 - u) * (1 - 2 * u) + g[1 + of_middle] * 4 * u * (1 - u) + g[1 + of_end] * u * (2 * u - 1);
    if (std::fabs(there - g[k + 1]) > part * range + unnoticed) return false;
  }
  return true;
}

/// The same of all that steps look ahead for. Folds have courses of their own.
bool are_parabolas(const LawSwitches& switches, const LawChanges& begin,
                   const std::array<LawChanges, looks.size()>& at, double unnoticed) {
  const auto all = [&](std::size_t count, const auto& value) {
    for (std::size_t k = 0; k < count; ++k) {
      std::array<double, 1 + looks.size()> g{value(begin, k)};
      for (std::size_t i = 0; i < at.size(); ++i) g[i + 1] = value(at[i], k);
      if (!is_parabola(g, unnoticed)) return false;
    }
    return true;
  };
  return all(begin.switches.size(), [&](const LawChanges& c, std::size_t k) {
    const LawSwitch& s = switches.item[k];
    return s.fold.of == Fold::none ? gap_of(s, c.switches[k]) : 0.0;
  });
}

/// As long as this stands, splines that are read outside their data are not told: where it is looked ahead
/// the motion need not come.
class Untold {
 public:
  explicit Untold(TapeRunner& tapes) : tapes_(tapes) { tapes_.on_extrapolation.swap(tell_); }
  ~Untold() { tapes_.on_extrapolation.swap(tell_); }
  Untold(const Untold&) = delete;
  Untold& operator=(const Untold&) = delete;

 private:
  TapeRunner& tapes_;
  std::function<void(const SplineRange&)> tell_;
};

}  // namespace

/// Whether step_limit() depends on the motion at the beginning of the step.
bool Dynamics::limits_read_motion() const {
  return !turns_.empty() || !resolved_.empty() || histories_.vary();
}

/// A step over which counted angles can be followed and in which bodies that turn pass no force that comes
/// and goes, unless where functions change is not to be looked for; on a device the velocities are those of
/// the last record.
double Dynamics::longest_turning(const IntegratorOptions& options) const {
  const Kinematics& now = session_.assembler().kinematics();
  const double counted = turns_.longest_step(now);
  if (!session_.settings().break_points) return counted;
  return std::min(counted, resolved_.longest_step(now, options.error));
}

/// On the way to `target` a step is no longer than HMAX, and than DELAYs and turning bodies allow.
double Dynamics::step_limit(double target) const {
  const IntegratorOptions& options = integrator_->options();
  const bool fixed = options.fixed_step();
  const double longest =
      fixed ? options.hmax : std::min(histories_.longest_step(options.hmax), longest_turning(options));
  return step_towards(state_.t, target, integrator_->suggested_step(), longest, fixed);
}

IntegratorOptions Dynamics::step_options(const Schedule& outputs) const {
  IntegratorOptions options = options_of_steps(outputs);
  if (options.fixed_step()) return options;
  options.hmax = std::min(options.hmax, longest_elsewhere_);
  options.hinit = std::min(options.hinit, options.hmax);
  return options;
}

/// Steps of size h, which nothing shortens, are too long for angles that are counted.
void Dynamics::tell_fast_turns(double h) {
  const double longest = turns_.longest_step(session_.assembler().kinematics());
  if (h > CountedTurns::reserve * longest) tell_lost_turns(h, longest);
}

/// After a step of size h, in which parts may have become faster than its beginning told.
void Dynamics::tell_turns_of_step(double h) {
  const double turned = turns_.turned(speeds_, session_.assembler().kinematics(), h);
  if (turned > CountedTurns::reserve * CountedTurns::longest_turn)
    tell_lost_turns(h, h * CountedTurns::longest_turn / turned);
}

/// Once.
void Dynamics::tell_lost_turns(double h, double longest) {
  if (std::exchange(told_turns_, true) || !session_.events().warning) return;
  session_.events().warning(fmt::format(
      "At time {:.9g} parts turn so fast that angles between their markers cannot be followed over "
      "steps of {:.3g}: turns are lost, of AX, AY, AZ and in joints and forces. Steps of at most "
      "{:.3g} count them.",
      state_.t, h, longest));
}

/// Once, of steps on a device, which knows no limit by turning: of size h, they pass forces that come and go.
void Dynamics::tell_passed_turns(double h) {
  constexpr double much = 2;  // so many times too long
  if (told_passed_ || !session_.settings().break_points || !session_.events().warning) return;
  const double longest =
      resolved_.longest_step(session_.assembler().kinematics(), session_.settings().integrator.error);
  if (!(h > much * longest)) return;
  told_passed_ = true;
  session_.events().warning(fmt::format(
      "At time {:.9g} parts turn so fast that forces that they bring about may come and go within "
      "steps of {:.3g}, unseen. HMAX = {:.3g} meets these.",
      state_.t, h, longest));
}

/// Once: steps of fixed size end where they are told.
void Dynamics::tell_what_fixed_steps_pass(const IntegratorOptions& options) {
  if (!options.fixed_step() || approach_.empty() || told_fixed_) return;
  told_fixed_ = true;
  const double h = options.hinit;
  const ThinnestContact contact = thinnest_contact(session_.model());
  std::string text = fmt::format(
      "Steps of a fixed size, here {:.3g}, do not end for contacts, nor where IMPACT, BISTOP and IF change: "
      "what comes and goes within a step is not seen.",
      h);
  if (!contact.name.empty())
    text += fmt::format(
        " From a speed of {:.3g} on the shapes of {} go into each other by half of their thickness of {:.3g} "
        "in one step, and may pass.",
        0.5 * contact.thickness / h, contact.name, contact.thickness);
  if (session_.events().warning) session_.events().warning(text);
}

/// Whether steps end for contacts, and for what functions of the motion change at.
bool Dynamics::looks_ahead(const IntegratorOptions& options) const {
  return !approach_.empty() && !options.fixed_step() &&
         (approach_.has_contacts() || session_.settings().break_points);
}

std::optional<FirstCourses> Dynamics::first_courses(const IntegratorOptions& options) {
  tell_what_fixed_steps_pass(options);
  if (!looks_ahead(options)) return std::nullopt;
  begin_to_look_ahead(options);
  return approach_.courses();
}

/// From a start, where the motion goes is told by where its velocities and accelerations lead in the first
/// step; where this is no parabola, in one that is shorter, which is to end there.
void Dynamics::begin_to_look_ahead(const IntegratorOptions& options) {
  constexpr int halvings = 12;
  Assembler& assembler = session_.assembler();
  const std::vector<int> scalars = explicit_order(session_.model());
  const auto look = [&](State state, double time, LawChanges& found) {
    assembler.evaluate(state, in_dynamics);
    for (const int k : scalars) take_function(session_.model(), k, assembler, state);
    find_law_changes(approach_.switches(), assembler, time, found);
  };
  const double unnoticed = 1e-3 * options.error;
  double h = options.hinit;
  look(state_, h, law_changes_);
  approach_.begin(state_.t, law_changes_);
  foreseen_until_ = HUGE_VAL;
  std::array<LawChanges, looks.size()> soon;
  soon.fill(law_changes_);
  try {
    const Untold untold(assembler.tapes());
    for (int k = 0; k <= halvings; ++k, h *= 0.5) {
      for (std::size_t i = 0; i < looks.size(); ++i)
        look(moved_on(session_.model(), state_, looks[i] * h), 0, soon[i]);
      if (k > 0) foreseen_until_ = state_.t + h;
      if (are_parabolas(approach_.switches(), law_changes_, soon, unnoticed)) break;
    }
    approach_.foresee(0.5 * h, {soon[of_middle], soon[of_end]});
  } catch (const Failure& failure) {  // a function has no value there
    if (failure.code() != ExitCode::solver) throw;
  }
  assembler.evaluate(state_, in_dynamics);
}

/// After a step; `rejected`: attempts at it were given up.
void Dynamics::look_ahead(bool rejected) {
  ModelSystems& systems = session_.systems();
  const double* waited = systems.on_device() ? systems.on_device()->waited() : nullptr;
  const double before = waited ? *waited : 0;
  systems.find_law_changes(integrator_->options(), approach_.switches(), state_.t,
                           integrator_->suggested_step(), law_changes_);
  if (PhaseTimes* times = session_.events().times; times && waited) times->waiting += *waited - before;
  approach_.after_step(state_.t, rejected, law_changes_);
  foreseen_until_ = HUGE_VAL;
  for (const std::string& contact : approach_.chattering())
    if (session_.events().warning)
      session_.events().warning(
          fmt::format("{} chatters at time {:.9g}: it is made and lost in most steps. More damping, or a "
                      "smaller stiffness, "
                      "lets it rest; a smaller HMAX follows it.",
                      contact, state_.t));
}

}  // namespace trammel
