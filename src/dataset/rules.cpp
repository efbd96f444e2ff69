// Rules of single statements that no table expresses: keyword -> function.
#include <algorithm>
#include <cmath>
#include <vector>

#include "dataset/check.h"
#include "dataset/rules.h"
#include "element/coupling_statements.h"
#include "element/system_statements.h"

namespace trammel {

namespace {

void part_rules(const Statement& part, Diagnostics& diagnostics) {
  const Argument* mass = part.find("MASS");
  const Argument* inertia = part.find("IP");
  if (mass != nullptr && part.real("MASS", 0) > 0 && !part.has("CM"))
    diagnostics.error(mass->where, "{}: MASS without CM; name the marker at the centre of mass",
                      part.label());
  if (inertia == nullptr) return;
  const Numbers& ip = inertia->numbers;
  if (ip.size() == 4 || ip.size() == 5)
    diagnostics.error(inertia->where, "{}: IP takes 3 values (xx, yy, zz) or 6 (and xy, xz, yz), found {}",
                      part.label(), ip.size());
  if (!part.has("CM") && !part.has("IM"))
    diagnostics.error(inertia->where, "{}: IP without CM or IM; name the marker in whose axes it is given",
                      part.label());
}

void marker_rules(const Statement& marker, Diagnostics& diagnostics) {
  if (marker.chosen("owner").empty())
    diagnostics.error(marker.where, "{}: PART is missing; name the body that owns the marker",
                      marker.label());
}

void units_rules(const Statement& units, Diagnostics& diagnostics) {
  if (units.arguments.empty())
    diagnostics.error(units.where,
                      "UNITS: nothing is given; name FORCE, MASS, LENGTH, TIME, or SYSTEM, or UCF");
}

void motion_rules(const Statement& motion, Diagnostics& diagnostics) {
  if (motion.has("I") && motion.chosen("axis").empty())
    diagnostics.error(motion.where,
                      "{}: I and J are given without X, Y, Z, B1, B2 or B3; name the one driven",
                      motion.label());
}

std::size_t first_descent(const Numbers& values) {
  for (std::size_t k = 1; k < values.size(); ++k)
    if (!(values[k] > values[k - 1])) return k;
  return 0;
}

void spline_rules(const Statement& spline, Diagnostics& diagnostics) {
  const Argument* x = spline.find("X");
  if (x == nullptr) return;
  if (!spline.has("Y"))
    diagnostics.error(spline.where, "{}: Y is missing; give one value for each X", spline.label());
  if (const std::size_t k = first_descent(x->numbers); k > 0)
    diagnostics.error(x->where, "{}: X must increase strictly; value {} ({}) follows {}", spline.label(),
                      k + 1, x->numbers[k], x->numbers[k - 1]);
  const auto rows = std::count_if(spline.arguments.begin(), spline.arguments.end(),
                                  [](const Argument& argument) { return argument.field->name == "Y"; });
  const std::size_t expected = x->numbers.size() + (rows > 1 ? 1 : 0);
  const Argument* previous = nullptr;
  for (const Argument& row : spline.arguments) {
    if (row.field->name != "Y") continue;
    if (row.numbers.size() != expected) {
      diagnostics.error(row.where, "{}: Y has {} values; with {} values of X it takes {}{}", spline.label(),
                        row.numbers.size(), x->numbers.size(), expected, rows > 1 ? " (z first)" : "");
      return;
    }
    if (rows > 1 && previous != nullptr && !(row.numbers[0] > previous->numbers[0])) {
      diagnostics.error(row.where, "{}: z, the first value of each Y, must increase strictly; {} follows {}",
                        spline.label(), row.numbers[0], previous->numbers[0]);
      return;
    }
    previous = &row;
  }
}

void integrator_rules(const Statement& integrator, Diagnostics& diagnostics) {
  for (std::string_view form : {"SI2", "SI1"})
    if (rules::knows_only_index3(integrator) && integrator.has(form))
      diagnostics.error(integrator.find(form)->where, "INTEGRATOR: {} knows only I3, not {}",
                        integrator.chosen("type"), form);
  const Argument* smallest = integrator.find("HMIN");
  if (smallest != nullptr && integrator.has("HMAX") && smallest->numbers[0] > integrator.real("HMAX", 0))
    diagnostics.error(smallest->where, "INTEGRATOR: HMIN={} is larger than HMAX={}", smallest->numbers[0],
                      integrator.real("HMAX", 0));
  // Unconditional stability of Newmark's formulas (Hughes, The Finite Element Method, ch. 9):
  // gamma >= 1/2, beta >= (gamma + 1/2)^2/4.
  const double gamma = integrator.real("GAMMA");
  const double least = (gamma + 0.5) * (gamma + 0.5) / 4;
  const double beta = integrator.real("BETA");
  const Argument* given = integrator.find(integrator.has("BETA") ? "BETA" : "GAMMA");
  if (given != nullptr && beta > 0 && beta < least * (1 - 1e-12))
    diagnostics.error(given->where, "INTEGRATOR: BETA={} is unstable; with GAMMA={} it must be at least {}",
                      beta, gamma, least);
}

void request_rules(const Statement& request, Diagnostics& diagnostics) {
  for (std::string_view name : {"J", "RM"}) {
    const Argument* argument = request.find(name);
    if (argument != nullptr && !request.has("I"))
      diagnostics.error(argument->where, "{}: {} without I; name the marker measured", request.label(), name);
  }
  if (request.has("I") && request.chosen("kind").empty())
    diagnostics.error(request.where, "{}: one of DISPLACEMENT, VELOCITY, ACCELERATION, FORCE must be given",
                      request.label());
}

void simulate_rules(const Statement& simulate, Diagnostics& diagnostics) {
  const bool in_time = simulate.has("DYNAMICS") || simulate.has("TRANSIENT") || simulate.has("KINEMATICS");
  if (in_time && simulate.chosen("until").empty())
    diagnostics.error(simulate.where, "SIMULATE: END or DURATION is missing; say how long the run lasts");
}

/// What FORMULATION=NONLINEAR, a beam without shear, leaves out.
void beam_rules(const Statement& beam, Diagnostics& diagnostics) {
  if (beam.word("FORMULATION") != "NONLINEAR") return;
  for (std::string_view name : {"ASY", "ASZ"})
    if (beam.real(name, 0) > 0)
      diagnostics.warning(beam.find(name)->where,
                          "{}: {} is not used: FORMULATION=NONLINEAR has no shear deformation", beam.label(),
                          name);
}

struct Rule {
  std::string_view keyword;
  void (*check)(const Statement&, Diagnostics&);
};

constexpr Rule table[] = {
    {"ARRAY", rules::array},    {"MATRIX", rules::matrix},    {"BEAM", beam_rules},
    {"MARKER", marker_rules},   {"PART", part_rules},         {"UNITS", units_rules},
    {"MOTION", motion_rules},   {"SPLINE", spline_rules},     {"INTEGRATOR", integrator_rules},
    {"REQUEST", request_rules}, {"SIMULATE", simulate_rules},
};

}  // namespace

bool rules::knows_only_index3(const Statement& integrator) {
  return integrator.has("HHT") || integrator.has("NEWMARK") || integrator.has("RADAU") ||
         integrator.has("ABAM") || integrator.has("RKF45");
}

void check_rules(const Statement& statement, Diagnostics& diagnostics) {
  for (const Rule& rule : table)
    if (rule.keyword == statement.spec->keyword) rule.check(statement, diagnostics);
  const auto check = [&]<class Known>(Known) {
    if (Known::spec.keyword == statement.spec->keyword) Known::check(statement, diagnostics);
  };
  CouplingStatements::for_each(check);
  SystemStatements::for_each(check);
}

}  // namespace trammel
