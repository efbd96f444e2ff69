#include "integrate/methods/hht.h"

#include "integrate/method_integrator.h"
#include "integrate/methods/list.h"

namespace trammel {

HhtMethod HhtMethod::of(const IntegratorOptions& options, bool constrained) {
  const double alpha = options.alpha;
  HhtMethod m{};
  m.formulas = {alpha, (1 - alpha) * (1 - alpha) / 4, 0.5 - alpha, options.form == HhtForm::second_order};
  const double beta = m.formulas.beta;
  m.error_constant =
      m.formulas.second_order ? std::abs(beta + alpha / 2 - 1.0 / 6) : std::abs(beta - 1 / (6 * (1 + alpha)));
  // Rounding η of positions is white noise that constrained directions amplify through the double root −ρ of
  // the method, ρ = (1+α)/(1−α): βh²(a_{n+1} − a_n) is about 3 η/(1 − ρ)², rarely three times that.
  if (constrained) m.gain_of_rounding = 4 * std::pow(1 + (1 - alpha) / std::max(-2 * alpha, 0.05), 2);
  m.velocities.active = options.controls_velocities;
  return m;
}

bool HhtMethod::same_formulas(const IntegratorOptions& a, const IntegratorOptions& b) {
  return a.alpha == b.alpha && a.form == b.form && a.controls_velocities == b.controls_velocities;
}

namespace {

std::string hht_advice(const IntegratorOptions& options) {
  if (options.alpha <= -0.05) return "";
  return fmt::format(
      "ALPHA = {:.4g} with constraints is weakly unstable: accelerations and reactions "
      "swing ever more, and energy can grow; use ALPHA <= -0.05.",
      options.alpha);
}

}  // namespace

IntegrationMethod hht_method() {
  IntegrationMethod row{"HHT", true, 1e-5, false, hht_advice, make_method_integrator<HhtMethod>};
  row.second_order = true;
  return row;
}

}  // namespace trammel
