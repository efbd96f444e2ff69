#include "analysis/settings.h"

#include <algorithm>

namespace trammel {

DynamicsSettings read_settings(const Description& description, Diagnostics& diagnostics) {
  DynamicsSettings out;
  if (const Statement* ic = description.find("IC")) {
    out.initial.error = ic->real("ERROR", out.initial.error);
    out.initial.maxit = ic->integer("MAXIT", out.initial.maxit);
    out.initial.tlimit = ic->real("TLIMIT", out.initial.tlimit);
    out.initial.alimit = ic->real("ALIMIT", out.initial.alimit);
    out.initial.amaxit = ic->integer("AMAXIT", out.initial.amaxit);
  }
  const Statement* s = description.find("INTEGRATOR");
  if (!s) return out;
  HhtOptions& o = out.hht;
  std::string type(s->chosen("type"));
  const bool si2 = s->has("SI2");
  if (type.empty()) type = s->has("I3") || si2 || s->has("ERROR") ? "GSTIFF" : "HHT";
  out.requested = si2 ? type + " SI2" : type;
  const bool hht = type == "HHT" && !si2;
  o.error = s->real("ERROR", hht ? 1e-5 : 1e-3);
  if (!hht) {
    if (type == "GSTIFF" || type == "WSTIFF" || si2) {
      o.error /= 100;
      out.warnings.push_back(fmt::format("The {} integrator does not exist yet; HHT at ERROR/100 = {:.6g} takes its place.", out.requested, o.error));
    } else {
      diagnostics.unsupported(s->where, "INTEGRATOR: {} is not supported yet; use HHT", type);
    }
  }
  o.hmin = s->real("HMIN", o.hmin);
  o.hmax = s->real("HMAX", 0);
  o.hinit = s->real("HINIT", 0);
  out.hmax_given = s->has("HMAX");
  out.hinit_given = s->has("HINIT");
  o.maxit = s->integer("MAXIT", o.maxit);
  o.alpha = s->real("ALPHA", o.alpha);
  o.modified_corrector = s->word("CORRECTOR") == "MODIFIED";
  out.interpolate = s->word("INTERPOLATE") == "ON";
  if (const Argument* p = s->find("PATTERN"); p && hht) {
    o.pattern.clear();
    for (double value : p->numbers) o.pattern += o.pattern.empty() ? (value != 0 ? "T" : "F") : (value != 0 ? ":T" : ":F");
  }
  return out;
}

HhtOptions with_output_step(const DynamicsSettings& settings, double output_step) {
  HhtOptions o = settings.hht;
  if (!settings.hmax_given) o.hmax = std::max(output_step, o.hmin);
  if (!settings.hinit_given) o.hinit = std::max(o.hmax / 20, o.hmin);
  o.hinit = std::min(o.hinit, o.hmax);
  return o;
}

}  // namespace trammel
