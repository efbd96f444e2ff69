#include "analysis/settings.h"
#include "integrate/methods/list.h"

#include <algorithm>
#include <span>

namespace trammel {

namespace {

/// Arguments that are read but have no effect, by method and statement.
constexpr std::string_view idle_of_bdf[] = {"FIXIT", "HRATIO", "MAXERR"};
constexpr std::string_view idle_of_abam[] = {"ADAPTIVITY", "FIXIT",   "HRATIO",
                                             "MAXERR",     "PATTERN", "CORRECTOR"};
constexpr std::string_view idle_of_rkf45[] = {"KMAX",   "ADAPTIVITY", "FIXIT",    "HRATIO",
                                              "MAXERR", "PATTERN",    "CORRECTOR"};
constexpr std::string_view idle_of_radau[] = {"KMAX", "ADAPTIVITY", "FIXIT", "HRATIO", "MAXERR", "CORRECTOR"};
constexpr std::string_view idle_of_second_order[] = {"KMAX", "ADAPTIVITY", "FIXIT", "HRATIO", "MAXERR"};
constexpr std::string_view idle_of_replaced[] = {"KMAX",   "ADAPTIVITY", "FIXIT", "HRATIO",
                                                 "MAXERR", "PATTERN",    "H"};
constexpr std::string_view idle_of_ic[] = {"VERROR", "AERROR", "PATTERN", "APATTERN"};
constexpr std::string_view idle_of_kinematics[] = {"AERROR", "AMAXIT", "PATTERN", "APATTERN"};
constexpr std::string_view idle_of_equilibrium[] = {"ATOL", "RTOL", "MAXITL", "ETA", "ETAMAX"};
constexpr std::string_view of_damped_motion[] = {"GLOBAL_DAMPING", "SETTLING_TIME", "ACCELERATION_ERROR",
                                                 "KINETIC_ENERGY_ERROR"};
constexpr std::string_view not_of_damped_motion[] = {"METHOD"};

void note_idle(const Statement& s, std::span<const std::string_view> names, std::string_view where,
               std::vector<std::string>& idle) {
  for (std::string_view name : names)
    if (const Argument* a = s.find(name))
      idle.push_back(
          fmt::format("{}: {}: {} has no effect {}", to_string(a->where), s.spec->keyword, name, where));
}
constexpr std::string_view nowhere = "in this program";

/// The words of a PATTERN, as letters T and F.
void read_pattern(const Statement& s, std::string_view name, std::string& out) {
  const Argument* p = s.find(name);
  if (!p) return;
  out.clear();
  for (const double value : p->numbers) out += value != 0 ? 'T' : 'F';
}

/// Whether ADAPTIVITY has an effect: on the corrector of BDF only.
bool loosens_corrector(const IntegratorOptions& o) {
  return o.method == "GSTIFF" || o.method == "WSTIFF";
}

void read_initial(const Statement& ic, DynamicsSettings& out) {
  InitialOptions& o = out.initial;
  o.error = ic.real("ERROR", o.error);
  o.maxit = ic.integer("MAXIT", o.maxit);
  o.tlimit = ic.real("TLIMIT", o.tlimit);
  o.alimit = ic.real("ALIMIT", o.alimit);
  o.amaxit = ic.integer("AMAXIT", o.amaxit);
  o.verror = ic.real("VERROR", o.verror);
  o.aerror = ic.real("AERROR", o.aerror);
  read_pattern(ic, "PATTERN", o.pattern);
  read_pattern(ic, "APATTERN", o.apattern);
  note_idle(ic, idle_of_ic, nowhere, out.idle);
}

void read_kinematics(const Statement& s, DynamicsSettings& out) {
  KinematicsOptions& o = out.kinematics;
  o.error = s.real("ERROR", o.error);
  o.maxit = s.integer("MAXIT", o.maxit);
  o.tlimit = s.real("TLIMIT", o.tlimit);
  o.alimit = s.real("ALIMIT", o.alimit);
  o.hmax = s.real("HMAX", 0);
  o.aerror = s.real("AERROR", o.aerror);
  o.amaxit = s.integer("AMAXIT", o.amaxit);
  read_pattern(s, "PATTERN", o.pattern);
  read_pattern(s, "APATTERN", o.apattern);
  note_idle(s, idle_of_kinematics, nowhere, out.idle);
}

StaticMethod static_method(const Statement& s) {
  constexpr std::pair<std::string_view, StaticMethod> methods[] = {
      {"ORIGINAL", StaticMethod::original},     {"ADVANCED", StaticMethod::advanced},
      {"AGGRESSIVE", StaticMethod::aggressive}, {"ALL", StaticMethod::all},
      {"FUNNEL", StaticMethod::funnel},
  };
  if (s.has("DYNAMIC")) return StaticMethod::dynamic;
  for (const auto& [word, method] : methods)
    if (s.word("METHOD") == word) return method;
  return StaticMethod::automatic;
}

void read_equilibrium(const Statement& s, DynamicsSettings& out) {
  EquilibriumOptions& o = out.equilibrium;
  o.method = static_method(s);
  o.alimit = s.real("ALIMIT", o.alimit);
  o.tlimit = s.real("TLIMIT", o.tlimit);
  o.error = s.real("ERROR", o.error);
  o.imbalance = s.real("IMBALANCE", o.imbalance);
  o.maxit = s.integer("MAXIT", o.maxit);
  o.maxit_given = s.has("MAXIT");
  o.tlimit_given = s.has("TLIMIT");
  o.stability_given = s.has("STABILITY");
  o.stability = s.real("STABILITY", o.stability);
  o.global_damping = s.real("GLOBAL_DAMPING", o.global_damping);
  o.settling_time = s.real("SETTLING_TIME", 0);
  o.acceleration_error = s.real("ACCELERATION_ERROR", o.acceleration_error);
  o.kinetic_energy_error = s.real("KINETIC_ENERGY_ERROR", o.kinetic_energy_error);
  read_pattern(s, "PATTERN", o.pattern);
  o.atol = s.real("ATOL", o.atol);
  o.rtol = s.real("RTOL", o.rtol);
  o.maxitl = s.integer("MAXITL", o.maxitl);
  o.etamax = s.real("ETAMAX", o.etamax);
  o.eta = s.real("ETA", o.eta);
  note_idle(s, idle_of_equilibrium, nowhere, out.idle);
  if (s.has("DYNAMIC"))
    note_idle(s, not_of_damped_motion, "with DYNAMIC", out.idle);
  else if (!s.has("STATIC"))  // which may follow a DYNAMIC, and another one follow it
    note_idle(s, of_damped_motion, "without DYNAMIC", out.idle);
}

/// Reads method, formulation and ERROR. A statement that names no integrator keeps the default one; named
/// integrators have the defaults of ADAMS. Returns nullptr for an integrator that does not exist yet.
const IntegrationMethod* read_method(const Statement& s, bool permissive, DynamicsSettings& out,
                                     Diagnostics& diagnostics) {
  IntegratorOptions& o = out.integrator;
  out.formulation_given = !s.chosen("formulation").empty();
  const std::string type(s.chosen("type"));
  if (type.empty()) {
    o.stabilized = !s.has("I3");
    o.controls_accelerations = s.has("SI1");
    o.error = s.real("ERROR", o.error);
    return &method_of(o);
  }
  const std::string form(s.chosen("formulation"));
  out.requested = form.empty() || form == "I3" ? type : type + " " + form;
  const IntegrationMethod* method = find_integration_method(type);
  if (method) {
    o.method = type;
    o.controls_accelerations = form == "SI1";
    o.stabilized = form == "SI2" ||
                   form == "SI1";  // HHT and NEWMARK know only I3: the rules of the statement refuse it there
    o.error = s.real("ERROR", method->error);
  } else if (permissive) {
    o.error = s.real("ERROR", o.error);
    out.warnings.push_back(fmt::format(
        "The {} integrator does not exist yet; GSTIFF with SI2 at ERROR = {:.6g} takes its place.",
        out.requested, o.error));
  } else {
    diagnostics.unsupported(s.where, "INTEGRATOR: {} is not supported yet; use GSTIFF with SI2", type);
  }
  return method;
}

/// Arguments of INTEGRATOR without effect in a method; null: in the one that takes the place of another.
std::span<const std::string_view> idle_of(const IntegrationMethod* method) {
  if (!method) return idle_of_replaced;
  const auto is = [&](std::string_view name) { return method->name == name; };
  if (is("GSTIFF") || is("WSTIFF")) return idle_of_bdf;
  if (is("ABAM")) return idle_of_abam;
  if (is("RKF45")) return idle_of_rkf45;
  if (is("RADAU")) return idle_of_radau;
  return idle_of_second_order;
}

}  // namespace

IntegratorOptions default_integrator() {
  IntegratorOptions options;
  options.method = "GSTIFF";
  options.stabilized = true;
  options.error = 1e-8;
  return options;
}

namespace {
bool has_contact(const Description& description) {
  return std::any_of(description.statements.begin(), description.statements.end(),
                     [](const Statement& s) { return s.active && s.spec->keyword == "CONTACT"; });
}
}  // namespace

DynamicsSettings read_settings(const Description& description, Diagnostics& diagnostics, bool permissive) {
  DynamicsSettings out;
  out.integrator = default_integrator();
  out.requested = "GSTIFF SI2";
  if (const Statement* ic = description.find("IC")) read_initial(*ic, out);
  if (const Statement* k = description.find("KINEMATICS")) read_kinematics(*k, out);
  if (const Statement* e = description.find("EQUILIBRIUM")) read_equilibrium(*e, out);
  const Statement* s = description.find("INTEGRATOR");
  IntegratorOptions& o = out.integrator;
  o.modified_corrector = has_contact(description);
  if (!s) return out;
  const IntegrationMethod* method = read_method(*s, permissive, out, diagnostics);
  note_idle(*s, idle_of(method), method ? fmt::format("in {}", method->name) : std::string(nowhere),
            out.idle);
  o.hmin = s->real("HMIN", o.hmin);
  o.hmax = s->real("HMAX", 0);
  o.hinit = s->real("HINIT", 0);
  out.hmax_given = s->has("HMAX");
  if (out.hmax_given && o.hmax < o.hmin && !s->has("HMIN"))  // else the rule of the statement tells it
    diagnostics.error(s->find("HMAX")->where,
                      "INTEGRATOR: HMAX={:.6g} is below the smallest step, HMIN={:.6g}; give a larger HMAX",
                      o.hmax, o.hmin);
  out.hinit_given = s->has("HINIT");
  if (out.hmax_given && o.hinit > o.hmax)
    out.warnings.push_back(
        fmt::format("{}: INTEGRATOR: HINIT = {:.6g} is larger than HMAX = {:.6g}, which is taken.",
                    to_string(s->find("HINIT")->where), o.hinit, o.hmax));
  if (method && !method->variable_steps && !o.fixed_step())
    out.warnings.push_back(fmt::format(
        "The {} integrator takes steps of one size, HINIT; their error is not controlled.", o.method));
  const int highest_order = method ? method->highest_order : o.kmax;
  o.kmax = s->integer("KMAX", highest_order);
  if (o.kmax > highest_order) {
    if (method && method->chooses_order)
      out.warnings.push_back(
          fmt::format("{}: INTEGRATOR: KMAX = {} is above the highest order, {}, which is taken.",
                      to_string(s->find("KMAX")->where), o.kmax, highest_order));
    o.kmax = highest_order;
  }
  o.maxit = s->integer("MAXIT", o.maxit);
  if (loosens_corrector(o)) o.adaptivity = s->real("ADAPTIVITY", o.adaptivity);
  o.alpha = s->real("ALPHA", o.alpha);
  o.beta = s->real("BETA", o.beta);
  o.gamma = s->real("GAMMA", o.gamma);
  if (s->word("CORRECTOR") == "MODIFIED") o.modified_corrector = true;
  if (s->word("CORRECTOR") == "ORIG_CONSTANT") o.modified_corrector = false;
  o.mass_jacobian = s->word("JACOBIAN") == "MASS";
  out.interpolate = s->word("INTERPOLATE") == "ON";
  out.break_points = s->word("BREAK_POINTS") != "OFF";
  if (const Argument* p = s->find("PATTERN"); p && method) {
    if (p->numbers.size() > most_pattern_entries)
      diagnostics.error(p->where, "INTEGRATOR: PATTERN has {} entries; give at most {}, they repeat",
                        p->numbers.size(), most_pattern_entries);
    o.pattern.clear();
    for (double value : p->numbers)
      o.pattern += std::string(o.pattern.empty() ? "" : ":") + (value != 0 ? "T" : "F");
  }
  return out;
}

void tune(DynamicsSettings& settings, const IntegratorTuning& tuning) {
  constexpr double no_limit = 1e6;  // output steps
  IntegratorOptions& o = settings.integrator;
  if (!tuning.method.empty()) {
    if (o.fixed_step() || !method_of(o).variable_steps) {
      o.hmin = IntegratorOptions{}.hmin;
      settings.hmax_given = settings.hinit_given = false;
    }
    o.method = tuning.method;
    o.stabilized = tuning.stabilized;
    o.controls_accelerations = false;
  }
  if (tuning.error > 0) o.error = tuning.error;
  o.error *= tuning.error_factor;
  if (tuning.interpolate) settings.interpolate = true;
  settings.hmax_factor *= tuning.no_hmax ? no_limit : tuning.step_factor;
}

IntegratorOptions with_first_step(IntegratorOptions options, double least) {
  if (!options.fixed_step()) options.hinit = std::min(std::max(options.hinit, least), options.hmax);
  return options;
}

IntegratorOptions going_on_with(IntegratorOptions options, double suggested) {
  if (!options.fixed_step()) options.hinit = std::min(suggested, options.hmax);
  return options;
}

IntegratorOptions with_output_step(const DynamicsSettings& settings, double output_step) {
  IntegratorOptions o = settings.integrator;
  if (!settings.hmax_given) o.hmax = std::max(output_step, o.hmin);
  if (!settings.hinit_given) o.hinit = std::max(o.hmax / 20, o.hmin);
  o.hinit = std::min(o.hinit, o.hmax);
  if (!method_of(o).variable_steps) o.hmin = o.hmax = o.hinit;
  if (o.fixed_step()) {
    const double factor = std::min(1.0, settings.hmax_factor);
    o.hinit *= factor;
    o.hmin = o.hmax = o.hinit;
  } else {
    o.hmax = std::max(o.hmax * settings.hmax_factor, o.hmin);
    o.hinit = std::min(o.hinit, o.hmax);
  }
  return o;
}

}  // namespace trammel
