#include "session/linear/linear_tables.h"

#include <cmath>
#include <numbers>

namespace trammel {

namespace {

std::string per_time(const Model& model) {
  return model.units.time == "SECOND" || model.units.time.empty() ? "second" : "unit time";
}

double in_cycles(double s) {
  return s / (2 * std::numbers::pi);
}

/// The largest entry of a shape, by which the shape is divided.
std::complex<double> largest(const std::vector<std::array<std::complex<double>, 6>>& shape) {
  std::complex<double> out = 0;
  for (const auto& part : shape)
    for (const auto& x : part)
      if (std::abs(x) > std::abs(out) * (1 + 1e-9)) out = x;
  return out;
}

}  // namespace

std::string mode_counts(const Linearization& linear) {
  int rates = 0, states = 0, displacements = 0;
  std::string list;
  for (const StateEquations::State& s : linear.equations.states) {
    if (s.of >= linear.motions.coordinates)
      ++states;
    else if (s.rate)
      ++rates;
    else
      list += fmt::format("{:9d} {}\n", ++displacements, s.name);
  }
  std::string out = fmt::format(
      "\n  This model has\n{:9d} kinematic states (displacement and velocities)\n{:9d} differential states ( "
      "DIFFs, LSEs, etc.)\n\n  The selected kinematic states are:\n{}\n",
      displacements + rates, states, list);
  if (rates == displacements) return out + "  The other kinematic states are the respective derivatives.\n";
  return out + fmt::format("  The other {} are derivatives of these that constraints of velocities leave.\n",
                           rates);
}

std::string eigenvalue_table(const Model& model, const Linearization& linear) {
  std::string out = fmt::format("\n                 E I G E N V A L U E S  at time = {:.5E}\n", linear.t);
  out += fmt::format(
      "     Number    Real(cycles/{0})      Imag.(cycles/{0})      Undamped(cycles/{0})   Damping ratio\n",
      per_time(model));
  int number = 0;
  for (const Mode& mode : linear.modes.modes) {
    out += fmt::format("{:10d}{:25.5E}", ++number, in_cycles(mode.s.real()));
    if (mode.paired())
      out += fmt::format("    +/-{:19.5E}{:25.5E}{:17.5E}", in_cycles(mode.s.imag()),
                         in_cycles(std::abs(mode.s)), mode.damping_ratio());
    out += '\n';
  }
  return out;
}

std::string mode_head(const Model& model, const Linearization& linear, const Mode& mode,
                      const ModeEnergies& energies, int number) {
  // Of the shape whose largest displacement is one: energies are quadratic in it. In a mode that no part
  // takes part in, the largest coordinate. Masses are divided by UCF in the model.
  const auto shape = mode_shape(model, linear.at, mode);
  const double coordinate = mode.q.size() > 0 ? mode.q.cwiseAbs().maxCoeff() : 0;
  const double size = largest(shape) != 0.0 ? std::abs(largest(shape)) : coordinate;
  const double unit = model.ucf / (size > 0 ? size * size : 1);
  return fmt::format(
      "\n\n  Energy table for MODE {}\n\n"
      "  Damping ratio          = {:14.5E}\n"
      "  Undamped natural freq. = {:14.5E} Cycles per unit time\n"
      "  Generalized stiffness  = {:14.5E} User mass/time^2\n"
      "  Generalized mass       = {:14.5E} User mass\n"
      "  Kinetic energy         = {:14.5E} User mass/time^2\n",
      number, mode.damping_ratio(), in_cycles(std::abs(mode.s)), unit * energies.stiffness,
      unit * energies.mass, unit * energies.kinetic);
}

std::string shape_table(const Model& model, const Linearization& linear, const Mode& mode) {
  const auto shape = mode_shape(model, linear.at, mode);
  const std::complex<double> one = largest(shape);
  std::string out = "\n  Normalized coordinates in this mode (magnitude, phase in degrees)\n\n  ";
  for (const char* name : {"X", "Y", "Z", "RX", "RY", "RZ"}) out += fmt::format("{:>17} ", name);
  out += "| part\n";
  const auto entry = [&](std::complex<double> x) {
    if (one != 0.0) x /= one;
    return fmt::format("{:10.3e} {:7.1f}", std::abs(x),
                       std::abs(x) < 1e-9 ? 0.0 : std::arg(x) * 180 / std::numbers::pi);
  };
  for (std::size_t b = 0; b < shape.size(); ++b) {
    out += "  ";
    for (const auto& x : shape[b]) out += entry(x) + ' ';
    out += "| " + model.bodies[b].name.label() + "\n";
  }
  for (const int k : linear.motions.scalars)
    out += fmt::format("  {} {:>90}| {}\n", entry(mode.scalar[k]), "",
                       model.unknown_name(model.first_scalar() + k));
  return out;
}

std::string energy_table(const std::string& of, const std::vector<EnergyRow>& rows) {
  double total = 0;
  for (const EnergyRow& row : rows) total += row.sum();
  const bool products = of.front() == 'k';
  const bool modal =
      std::any_of(rows.begin(), rows.end(), [](const EnergyRow& row) { return row.modes != 0; });
  std::string out = fmt::format("\n  Percentage distribution of {}\n\n", of);
  for (const char* name : {"Sum", "X", "Y", "Z", "RXX", "RYY", "RZZ"}) out += fmt::format("{:>11}", name);
  if (products)
    for (const char* name : {"RXY", "RXZ", "RYZ"}) out += fmt::format("{:>11}", name);
  if (modal) out += fmt::format("{:>11}", "modes");
  out += "\n";
  // A total below 1e-300 belongs to a mode in which nothing is strained or damped.
  const double scale = std::abs(total) > 1e-300 ? 100 / total : 0;
  const auto line = [&](const EnergyRow& row) {
    out += fmt::format(" {:10.3e}", scale * row.sum());
    for (int k = 0; k < (products ? 9 : 6); ++k) out += fmt::format(" {:10.3e}", scale * row.part[k]);
    if (modal) out += fmt::format(" {:10.3e}", scale * row.modes);
    out += " | " + row.name + "\n";
  };
  for (const EnergyRow& row : rows) line(row);
  out += "  by kind of element\n";
  for (const EnergyRow& row : sums_by_kind(rows)) line(row);
  return out;
}

std::string linear_summary(const Model& model, const Linearization& linear, bool matrices) {
  constexpr int most = 10;
  std::string out = fmt::format("LINEAR at time {:.9g}: {} states", linear.t, linear.modes.states);
  if (matrices)
    return out + fmt::format(", {} inputs, {} outputs.", linear.equations.B.cols(), linear.C.rows());
  int unstable = 0, shown = 0;
  double fastest = 0;
  for (const Mode& mode : linear.modes.modes) fastest = std::max(fastest, std::abs(mode.s));
  std::string list;
  for (const Mode& mode : linear.modes.modes) {
    const bool grows = mode.s.real() > 1e-9 * fastest;
    unstable += grows ? (mode.paired() ? 2 : 1) : 0;
    if (++shown > most) continue;
    list += mode.paired()   ? fmt::format("\n  {:4d}  {:12.6g} cycles/{}  damping ratio {:.3g}", shown,
                                          in_cycles(std::abs(mode.s)), per_time(model), mode.damping_ratio())
            : mode.s == 0.0 ? fmt::format("\n  {:4d}             0  nothing holds it", shown)
                            : fmt::format("\n  {:4d}  exp({:.6g} t)", shown, mode.s.real());
    if (grows) list += "  unstable";
  }
  if (shown > most) list += fmt::format("\n  and {} more in the message file", shown - most);
  if (unstable > 0) out += fmt::format(", {} of them unstable", unstable);
  return out + ", " + fmt::format("{} modes:", linear.modes.modes.size()) + list;
}

}  // namespace trammel
