// Damping of the modes of flexible bodies, and modes without inertia.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "flexible/modal_check.h"
#include "flexible/rigid_motions.h"
#include "model/compiler.h"
#include "model/resolver.h"
#include "model/units.h"

namespace trammel {

namespace {

/// What an expression of CRATIO may name: TIME, its mode, and splines.
class ModeResolver : public NoModel {
 public:
  ModeResolver(Compiler& compiler, double frequency, int mode)
      : model_(compiler), frequency_(frequency), mode_(mode) {}
  std::optional<double> named_constant(std::string_view name) override {
    if (name == "FXFREQ") return frequency_;
    if (name == "FXMODE") return mode_;
    return {};
  }
  int marker(int) override { refuse(); }
  std::optional<TapeValue> system_function(const SystemCall&, TapeBuilder&) override { refuse(); }
  int delay_buffer(int, const Tape&, double, const Tape*) override { refuse(); }
  int spline(int id) override { return model_.spline(id); }
  bool spline_is_surface(int index) override { return model_.spline_is_surface(index); }
  bool spline_is_history(int index) override { return model_.spline_is_history(index); }

 private:
  [[noreturn]] static void refuse() {
    fail(ExitCode::unsupported, "only numbers, FXFREQ, FXMODE, TIME and splines may stand in CRATIO");
  }
  ModelResolver model_;
  double frequency_;
  int mode_;
};

}  // namespace

/// 1 % of critical damping below 100, 10 % below 1000 cycles per second, else 100 %.
double Compiler::default_damping_ratio(double frequency) const {
  const double second = unit_in_si("TIME", model_.units.time);
  const double hertz = second > 0 ? frequency / second : frequency;
  return hertz < 100 ? 0.01 : hertz < 1000 ? 0.1 : 1.0;
}

/// ζ of one mode by CRATIO: a number, or the tape of a function of time alone, −1 where it is a number.
int Compiler::damping_ratio(const Statement& s, const Argument& given, double frequency, int mode,
                            double& ratio) {
  ModeResolver names(*this, frequency, mode);
  const int index = compile_with(names, s, given.text, "CRATIO", given.where, ResultKind::scalar, true);
  if (index < 0) return -1;
  const Tape& tape = model_.tapes[index];
  if (!tape.constant() || tape.code.size() != 1) return index;
  ratio = tape.constants[0];
  model_.tape_in_equations[index] = 0;
  return -1;
}

/// C = 2 ζ √(k m) of each mode, or the damping matrix of the file.
void Compiler::damp_modes(const Statement& s, const ModalBody& body, const ModalChoice& choice,
                          FlexibleBody& f) {
  if (const std::string_view which = s.word("GENERALIZED_DAMPING");
      which == "INTERNAL_ONLY" || which == "FULL")
    damp_by_file(s, body, choice, f);
  else
    damp_by_ratio(s, f);
}

void Compiler::damp_by_ratio(const Statement& s, FlexibleBody& f) {
  const Argument* given = s.find("CRATIO");
  const auto errors = diagnostics_.count(Severity::error);
  for (int j = 0; j < f.modes && diagnostics_.count(Severity::error) == errors; ++j) {
    double ratio = default_damping_ratio(f.frequency[j]);
    const int tape = given ? damping_ratio(s, *given, f.frequency[j], f.mode_id[j], ratio) : -1;
    if (tape >= 0)
      f.damped.push_back({j, tape, f.critical_damping(j)});
    else
      f.damping[static_cast<std::size_t>(j) * (f.modes + 1)] = ratio * f.critical_damping(j);
  }
}

/// The damping matrix of the file (GENERALIZED_DAMPING).
void Compiler::damp_by_file(const Statement& s, const ModalBody& body, const ModalChoice& choice,
                            FlexibleBody& f) {
  if (body.damping.empty()) {
    diagnostics_.error(s.find("GENERALIZED_DAMPING")->where, "{}: {} has no damping matrix", s.label(),
                       body.source);
    return;
  }
  const auto n = static_cast<std::size_t>(f.modes);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = 0; k < n; ++k)
      f.damping[j * n + k] =
          choice.energy / (f.size[j] * f.size[k]) *
          body.damping[static_cast<std::size_t>(choice.modes[j]) * body.modes + choice.modes[k]];
  if (s.word("GENERALIZED_DAMPING") == "FULL") damp_frame(s, body, choice, f);
}

/// The rows of the damping matrix that belong to the file's rigid modes.
void Compiler::damp_frame(const Statement& s, const ModalBody& body, const ModalChoice& choice,
                          FlexibleBody& f) {
  const Location& where = s.find("GENERALIZED_DAMPING")->where;
  const std::vector<int> rigid = rigid_modes(body);
  if (rigid.empty()) {
    diagnostics_.note(
        where,
        "{}: {} has none of the modes that move it as a rigid body, so GENERALIZED_DAMPING=FULL is "
        "INTERNAL_ONLY",
        s.label(), body.source);
    return;
  }
  try {
    const RigidDamping damping = rigid_damping(body, rigid);
    // Energy over what each side moves by: a length for displacements, 1 for angles.
    const auto side = [&](int k) { return k < 3 ? 1 / choice.length : 1.0; };
    for (int k = 0; k < 36; ++k)
      f.frame_damping.push_back(choice.energy * side(k / 6) * side(k % 6) * damping.of_frame[k]);
    for (int j = 0; j < f.modes; ++j)
      for (int k = 0; k < 6; ++k) {
        const double unit = choice.energy * side(k) / f.size[j];
        const std::size_t at = 6 * static_cast<std::size_t>(choice.modes[j]) + k;
        f.damping_by_modes.push_back(unit * damping.by_modes[at]);
        f.damping_on_modes.push_back(unit * damping.on_modes[at]);
      }
  } catch (const Failure& failure) {
    diagnostics_.add(
        {Severity::error, where, fmt::format("{}: {}", s.label(), failure.what()), failure.code()});
  }
}

/// DYNAMIC_LIMIT: the inertia of modes above it is left out, STABILITY_FACTOR times critical damping is
/// added.
void Compiler::take_inertia_of_fast_modes(const Statement& s, FlexibleBody& f) {
  const Argument *limit = s.find("DYNAMIC_LIMIT"), *more = s.find("STABILITY_FACTOR");
  if (!limit) {
    if (more)
      diagnostics_.warning(
          more->where, "{}: STABILITY_FACTOR damps modes above DYNAMIC_LIMIT, which is not given", s.label());
    return;
  }
  // The share of the modal mass that is left where accelerations are solved for (Model::settling).
  constexpr double share = 1e-8;
  const auto n = static_cast<std::size_t>(f.modes);
  std::vector<int> ids;
  std::vector<double> settling(n, 0.0);
  for (std::size_t j = 0; j < n; ++j) {
    if (!(f.frequency[j] > limit->numbers[0])) continue;
    const double stiffness = f.stiffness[j * n + j];
    if (!(stiffness > 0)) {
      diagnostics_.error(limit->where, "{}: mode {} is above DYNAMIC_LIMIT, but its stiffness is {:.6g}",
                         s.label(), f.mode_id[j], stiffness);
      return;
    }
    ids.push_back(f.mode_id[j]);
    f.dynamic = std::min(f.dynamic, static_cast<int>(j));
    settling[j] = share * f.mass[j * n + j] / stiffness;
    f.damping[j * n + j] += s.real("STABILITY_FACTOR", 0) * f.critical_damping(static_cast<int>(j));
  }
  if (ids.empty()) return;
  // Their accelerations are 0; those of the other modes load them, where modes are coupled by their mass.
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = 0; k < n; ++k)
      if (settling[k] > 0) f.mass[j * n + k] = 0;
  model_.settling.resize(model_.coordinates);
  std::copy(settling.begin(), settling.end(), model_.settling.begin() + f.first);
  diagnostics_.note(limit->where, "{}: {} above DYNAMIC_LIMIT {} without inertia: {}", s.label(),
                    ids.size() == 1 ? "1 mode" : fmt::format("{} modes", ids.size()),
                    ids.size() == 1 ? "is" : "are", fmt::join(ids, ", "));
}

/// Modes without inertia are loaded by accelerations of the frame, and what they give back is left out (66c).
/// Of shapes that move the mass, as those of a body that is clamped at its frame do, that is not small: a
/// damper at a node may feed such a mode, which then grows without bound.
void Compiler::tell_fast_modes_that_move_mass(const Statement& s, const FlexibleBody& f, const Body& frame) {
  constexpr double little = 1e-3;  // of the mass, or of the inertia, that a shape moves as one
  const Mat3d& J = frame.inertia;
  const double inertia = 0.5 * frame.mass * (J(0, 0) + J(1, 1) + J(2, 2));
  std::vector<int> ids;
  for (int j = f.dynamic; j < f.modes; ++j) {
    const double moved = f.momentum.empty() ? 0 : norm(f.momentum[j]) / frame.mass,
                 turned = f.spin.empty() || !(inertia > 0) ? 0 : norm(f.spin[j]) / std::sqrt(inertia);
    if (moved * moved > little || turned * turned > little) ids.push_back(f.mode_id[j]);
  }
  if (!ids.empty())
    diagnostics_.warning(
        s.where,
        "{}: above DYNAMIC_LIMIT are modes whose shapes move the mass of the body as a whole ({}): without "
        "inertia they can grow where dampers act on nodes; leave them out (MODES_OFF), or take modes of the "
        "free body, which do not",
        s.label(), fmt::join(ids, ", "));
}

}  // namespace trammel
