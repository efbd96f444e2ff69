#include "analysis/linear/linearization.h"

#include <algorithm>
#include <cmath>

#include "analysis/linear/nearest_modes.h"

namespace trammel {

namespace {

/// Writes C and D: the row of V of each output; 0 where V keeps its value.
void write_outputs(const std::vector<int>& outputs, Linearization& out) {
  const auto count = static_cast<Eigen::Index>(outputs.size());
  out.C = Eigen::MatrixXd::Zero(count, out.equations.A.cols());
  out.D = Eigen::MatrixXd::Zero(count, out.equations.B.cols());
  for (Eigen::Index k = 0; k < count; ++k)
    for (std::size_t i = 0; i < out.motions.scalars.size(); ++i) {
      if (out.motions.scalars[i] != outputs[k]) continue;
      const Eigen::Index row = out.motions.coordinates + static_cast<Eigen::Index>(i);
      out.C.row(k) = out.equations.Z.row(row);
      out.D.row(k) = out.equations.Z_u.row(row);
    }
}

void refuse_matrices(const Model& model, const LinearizationOptions& o) {
  if (!o.matrices && o.inputs.empty() && o.outputs.empty() && o.measures.empty() && o.RM < 0 && !o.no_damping)
    return;
  fail(ExitCode::unsupported,
       "LINEAR: a few modes are computed without matrices, inputs and outputs, RM, PSTATE and NODAMPIN, and "
       "the "
       "model has {} coordinates, more than the {} of which all are computed",
       model.coordinates, most_coordinates_linearized);
}

double largest(const std::vector<double>& x) {
  double size = 0;
  for (const double v : x) size = std::max(size, std::abs(v));
  return size;
}

/// `rate`: √(a/arm), v/arm of the state; `frequency`: of the fastest motion, ω. Forces that balance leave
/// rounding of the stiffest, accelerations of 1e-16 ω² times displacements, which reach some hundred arms:
/// √(1e-14) ω.
void refuse_motion(double rate, double frequency) {
  constexpr double resting = 1e-7;
  if (rate > resting * frequency)
    fail(ExitCode::unsupported,
         "LINEAR: a few modes of a large model are computed at rest: SIMULATE/STATICS before LINEAR finds an "
         "equilibrium");
}

}  // namespace

Linearization linearize(Session& session, const LinearizationOptions& options) {
  const Model& model = session.model();
  session.initialize();
  Linearization out;
  out.at = session.state();
  if (!session.at_rest()) {
    session.require_accelerations(
        "LINEAR goes without them at an equilibrium, by SIMULATE/STATICS before it");
    session.initial().reconcile(out.at);
  }
  out.t = out.at.t;
  session.systems().couple_what_is_near_at(out.at);
  const bool large = model.coordinates > most_coordinates_linearized;
  out.nearest = options.modes > 0 ? options.modes : large ? lowest_modes : 0;
  if (out.nearest > 0) {
    refuse_matrices(model, options);
    const double arm = session.initial().arm();
    const SparsePencil pencil(model, session.assembler(), out.at);
    refuse_motion(rate_of_motion(model, out.at, arm), pencil.frequency(model.coordinates));
    out.modes = nearest_modes(model, session.assembler(), pencil, out.nearest, options.frequency, arm);
    return out;
  }
  SmallMotionOptions wanted;
  wanted.RM = options.RM;
  wanted.measures = options.measures;
  wanted.inputs = options.inputs;
  wanted.no_damping = options.no_damping;
  wanted.arm = session.initial().arm();
  out.motions = small_motions(model, session.assembler(), out.at, wanted);
  out.equations = state_equations(out.motions);
  write_outputs(options.outputs, out);
  out.modes = modes_of(model, out.motions, out.equations);
  return out;
}

namespace {

/// A warning about eigenvalues that are below rounding of the fastest; "" where there are none.
std::string lost_in_rounding(const Linearization& linear, const Model& model) {
  constexpr double one_unit = 2.2e-16;  // one unit in the last place
  const std::vector<Mode>& modes = linear.modes.modes;
  const auto fastest = std::max_element(
      modes.begin(), modes.end(), [](const Mode& a, const Mode& b) { return std::abs(a.s) < std::abs(b.s); });
  if (fastest == modes.end()) return "";
  const double least = one_unit * std::abs(fastest->s);
  const auto lost = std::count_if(modes.begin(), modes.end(), [least](const Mode& mode) {
    return mode.s != 0.0 && std::abs(mode.s) < least;
  });
  if (lost == 0) return "";
  Eigen::Index of = 0;
  if (fastest->q.size() > 0) fastest->q.cwiseAbs().maxCoeff(&of);
  return fmt::format(
      "{} eigenvalues below {:.2g} rad/time may be wrong: they are rounding beside the fastest, of {:.2g} "
      "rad/time, "
      "where {} moves. Give that more inertia, less damping or stiffness, or none of its own.",
      lost, least, std::abs(fastest->s), model.unknown_name(static_cast<int>(of)));
}

}  // namespace

std::vector<std::string> doubts_about(const Linearization& linear, const Session& session) {
  std::vector<std::string> out;
  // Accelerations are known to rounding of the stiffest force: ω² times displacements, which places of
  // markers far from the origin give to some hundred units of 1e-16; a rate is the root of the quotient.
  constexpr double rounding = 1e-7;
  const bool moves = linear.motions.rate > rounding * linear.motions.frequency;
  if (moves && largest(linear.at.v) == 0)
    out.push_back(
        "The model is not in equilibrium there: small motions are those about the motion that begins. "
        "SIMULATE/"
        "STATICS before LINEAR finds an equilibrium.");
  else if (moves)
    out.push_back(
        "The model moves there: the coefficients of its linear equations change in time, and eigenvalues are "
        "of "
        "those at this instant.");
  if (!session.model().delays.empty()) out.push_back("DELAYs keep their values in the linear equations.");
  if (const int found = static_cast<int>(linear.modes.modes.size()); linear.nearest > found)
    out.push_back(fmt::format("Of the {} modes asked for there are {}.", linear.nearest, found));
  else if (linear.nearest > 0)
    out.push_back(
        fmt::format("The {} modes nearest the frequency asked for are computed, not all.", linear.nearest));
  // A motion that nothing holds has the eigenvalue zero twice with one shape, which the table of modes says.
  for (const int k : linear.modes.defective)
    if (linear.modes.modes[k].s != 0.0)
      out.push_back(fmt::format(
          "Mode {} has no shape of its own: its eigenvalue is repeated, and has one shape with another's.",
          k + 1));
  if (const std::string lost = lost_in_rounding(linear, session.model()); !lost.empty()) out.push_back(lost);
  if (linear.modes.error > 1e-8)
    out.push_back(
        fmt::format("The eigenvalues are inexact: |A x - s x| is {:.2g} of |A|.", linear.modes.error));
  return out;
}

}  // namespace trammel
