#include "session/settings_list.h"

#include "integrate/methods/list.h"

namespace trammel {

namespace {

NamedValue in_rad(std::string name, double value) {
  return {std::move(name), list_fixed(value) + " (rad)"};
}

/// The first ten letters of a pattern, repeated from its beginning, as ADAMS lists them.
std::string ten_of(const std::string& pattern) {
  std::string out;
  while (out.size() < 10) out += pattern[out.size() % pattern.size()];
  return out;
}

std::vector<NamedValue> of_integrator(const DynamicsSettings& settings) {
  const IntegratorOptions& o = settings.integrator;
  std::vector<NamedValue> list = {
      {"TYPE", o.method},
      {"FORMULATION", o.formulation()},
      {"CORRECTOR", o.modified_corrector ? "MODIFIED" : "ORIGINAL"},
      {"ERROR", list_scientific(o.error)},
      {"HINIT", settings.hinit_given ? list_shortest(o.hinit) : "HMAX/20"},
      {"HMAX", settings.hmax_given ? list_shortest(o.hmax) : "output step"},
      {"HMIN", list_shortest(o.hmin)},
      {"INTERPOLATE", settings.interpolate ? "ON" : "OFF"},
      {"BREAK_POINTS", settings.break_points ? "ON" : "OFF"},
      {"MAXIT", fmt::format("{}", o.maxit)},
      {"KMAX", fmt::format("{}", o.kmax)},
      {"PATTERN", o.pattern},
  };
  if (o.method == "HHT") list.push_back({"ALPHA", list_scientific(o.alpha)});
  if (o.method == "NEWMARK") {
    list.push_back({"BETA", list_scientific(o.beta)});
    list.push_back({"GAMMA", list_scientific(o.gamma)});
  }
  return list;
}

std::vector<NamedValue> of_ic(const DynamicsSettings& settings) {
  const InitialOptions& o = settings.initial;
  return {in_rad("ALIMIT", o.alimit),
          {"AERROR", list_scientific(o.aerror)},
          {"AMAXIT", fmt::format("{}", o.amaxit)},
          {"APATTERN", ten_of(o.apattern)},
          {"ERROR", list_scientific(o.error)},
          {"MAXIT", fmt::format("{}", o.maxit)},
          {"PATTERN", ten_of(o.pattern)},
          {"TLIMIT", list_scientific(o.tlimit)},
          {"VERROR", list_scientific(o.verror)}};
}

std::vector<NamedValue> of_kinematics(const DynamicsSettings& settings) {
  const KinematicsOptions& o = settings.kinematics;
  return {in_rad("ALIMIT", o.alimit),
          {"AERROR", list_scientific(o.aerror)},
          {"AMAXIT", fmt::format("{}", o.amaxit)},
          {"APATTERN", ten_of(o.apattern)},
          {"ERROR", list_scientific(o.error)},
          {"HMAX", o.hmax > 0 ? list_shortest(o.hmax) : "output step"},
          {"MAXIT", fmt::format("{}", o.maxit)},
          {"PATTERN", ten_of(o.pattern)},
          {"TLIMIT", list_scientific(o.tlimit)}};
}

std::vector<NamedValue> of_equilibrium(const DynamicsSettings& settings) {
  constexpr const char* methods[] = {
      "ORIGINAL, then FUNNEL", "ORIGINAL", "ADVANCED", "AGGRESSIVE", "ALL", "FUNNEL", "DYNAMIC"};
  const EquilibriumOptions& o = settings.equilibrium;
  std::vector<NamedValue> list = {
      in_rad("ALIMIT", o.alimit),
      {"ERROR", list_fixed(o.error)},
      {"IMBALANCE", list_fixed(o.imbalance)},
      {"MAXIT", fmt::format("{}", o.maxit)},
      {"PATTERN", ten_of(o.pattern)},
      {"STABILITY", list_fixed(o.stability)},
      {"TLIMIT", list_fixed(o.tlimit)},
      {"METHOD", methods[static_cast<int>(o.method)]},
      {"ATOL", list_fixed(o.atol)},
      {"RTOL", list_fixed(o.rtol)},
      {"MAXITL", fmt::format("{}", o.maxitl)},
      {"ETAMAX", list_fixed(o.etamax)},
      {"ETA", list_fixed(o.eta)},
  };
  if (o.method == StaticMethod::dynamic) {
    list.push_back({"ACCELERATION_ERROR", list_fixed(o.acceleration_error)});
    list.push_back({"KINETIC_ENERGY_ERROR", list_fixed(o.kinetic_energy_error)});
    list.push_back({"GLOBAL_DAMPING", list_fixed(o.global_damping)});
    list.push_back({"SETTLING_TIME", o.settling_time > 0 ? list_shortest(o.settling_time) : "no limit"});
  }
  return list;
}

}  // namespace

std::vector<NamedValue> settings_list(std::string_view statement, const DynamicsSettings& settings) {
  if (statement == "INTEGRATOR") return of_integrator(settings);
  if (statement == "IC") return of_ic(settings);
  return statement == "KINEMATICS" ? of_kinematics(settings) : of_equilibrium(settings);
}

}  // namespace trammel
