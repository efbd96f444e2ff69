#include "integrate/methods/bdf.h"

#include "integrate/method_integrator.h"
#include "integrate/methods/list.h"

namespace trammel {

BdfMethod BdfMethod::of(const IntegratorOptions& options, bool constrained) {
  BdfMethod m{};
  m.variable_coefficients = options.method == "WSTIFF";
  m.controls_velocities = options.stabilized;
  m.accelerations.active = options.stabilized && options.controls_accelerations;
  m.index2.active = options.stabilized && constrained;
  m.kmax = options.kmax;
  m.trapezoidal_start = (options.stabilized || constrained || options.trapezoidal_start) && options.kmax > 1;
  return m;
}

bool BdfMethod::same_formulas(const IntegratorOptions& a, const IntegratorOptions& b) {
  return a.kmax == b.kmax && a.stabilized == b.stabilized &&
         a.controls_accelerations == b.controls_accelerations;
}

namespace {

std::string no_advice(const IntegratorOptions&) {
  return "";
}

IntegrationMethod row_of(std::string_view name) {
  IntegrationMethod row{name, true, 1e-3, true, no_advice, make_method_integrator<BdfMethod>};
  row.si2_stands_in = true;
  return row;
}

}  // namespace

IntegrationMethod gstiff_method() {
  return row_of("GSTIFF");
}
IntegrationMethod wstiff_method() {
  return row_of("WSTIFF");
}

}  // namespace trammel
