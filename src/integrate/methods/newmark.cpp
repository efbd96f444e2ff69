#include "integrate/methods/newmark.h"

#include "integrate/method_integrator.h"
#include "integrate/methods/list.h"

namespace trammel {

NewmarkMethod NewmarkMethod::of(const IntegratorOptions& options, bool) {
  NewmarkMethod m{};
  m.formulas = {0, options.beta, options.gamma, true};
  m.mass_jacobian = options.mass_jacobian;
  return m;
}

bool NewmarkMethod::same_formulas(const IntegratorOptions& a, const IntegratorOptions& b) {
  return a.beta == b.beta && a.gamma == b.gamma && a.mass_jacobian == b.mass_jacobian;
}

namespace {

std::string newmark_advice(const IntegratorOptions& options) {
  if (options.gamma > 0.5) return "";
  return "GAMMA = 0.5 with constraints is weakly unstable: accelerations and reactions swing ever more, and "
         "energy can grow; use GAMMA > 0.5.";
}

}  // namespace

IntegrationMethod newmark_method() {
  IntegrationMethod row{"NEWMARK", false, 1e-5, false, newmark_advice, make_method_integrator<NewmarkMethod>};
  row.second_order = true;
  return row;
}

}  // namespace trammel
