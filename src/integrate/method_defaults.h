// What an integration method has unless it says otherwise (integrate/step_core.h lists what each of these
// functions is for): steps of one state and one order.
#pragma once

#include "integrate/step_data.h"

namespace trammel {

struct MethodDefaults {
  static constexpr int order = 2;
  /// Whether the first step has only a bound of order h² for the error of states: it is then held against
  /// ERROR^{2/3}, the global error of a method of second order.
  static constexpr bool bounds_first_step = true;
  /// Whether it solves for several stages at once, by a corrector of its own.
  static constexpr bool has_stages = false;
  /// Whether a device takes its iterations as a graph where it can (iterates_in_graph). Such a method has a
  /// name, `graph_name`, for the kernel of its decisions.
  static constexpr bool has_graph = false;
  /// How many points inside of the last step the history has, behind its end.
  static constexpr int points_inside = 0;
  /// Whether velocities inside of a step follow from those at its ends and their rates alone: positions err
  /// by an amount c h³ in a step, and what they differ by would be an error c h² of velocities inside.
  static constexpr bool velocities_apart = false;

  TRAMMEL_HD double rounding_gain() const { return 0; }
  TRAMMEL_HD NothingStored stored(double) const { return {}; }
  TRAMMEL_HD Coefficients of_jacobian(const Coefficients& c) const { return c; }
  TRAMMEL_HD double jacobian_step(double h) const { return h; }
  TRAMMEL_HD bool reads_velocity_rows() const { return false; }
  template <class Archive>
  void archive(Archive&) {}

  template <class Core>
  TRAMMEL_HD void start(Core&) {}
  template <class Core>
  TRAMMEL_HD bool begin_step(Core&, double) {
    return true;
  }
  template <class Core>
  TRAMMEL_HD void begin_residual(Core&) {}
  template <class Core>
  TRAMMEL_HD bool complete_residual(Core&) {
    return true;
  }
  TRAMMEL_HD FurtherSystem further_system() const { return {}; }
  template <class Core>
  TRAMMEL_HD void begin_further_system(Core&) {}
  template <class Core>
  TRAMMEL_CALLED void apply(Core& core, double h) {
    apply_correction(core, core.coefficients(h), nullptr);
  }
  TRAMMEL_HD double displacement(const Coefficients& c) const { return c.c; }
  TRAMMEL_HD bool leaves_out_quasi_static_modes() const { return false; }
  TRAMMEL_HD double displacement_in_error(const Coefficients&) const { return 1; }
  template <class Core>
  TRAMMEL_HD double largest_constraint(const Core& core, const Coefficients& c) const {
    return c.c * nonnegative(core.corrector.constraint.value);
  }
  TRAMMEL_HD double highest_rate_after_first(const ModelSizes&) const { return INFINITY; }
  template <class Core>
  TRAMMEL_HD double further_correction(Core&) {
    return 0;
  }
  template <class Core>
  TRAMMEL_HD double further_error(Core&) {
    return 0;
  }
  template <class Core>
  TRAMMEL_HD double error_passed_on(Core&, double error) {
    return error;
  }
  template <class Core>
  TRAMMEL_HD void accept(Core&) {}
  template <class Core>
  TRAMMEL_HD double suggested(const Core& core, double h) const {
    return core.control.suggested(h);
  }
  template <class Core>
  TRAMMEL_HD double after_error(Core& core, double h) {
    return core.control.after_error(h);
  }
  template <class Core>
  TRAMMEL_HD void after_failure(Core&) {}

 protected:
  /// Adds Δ to coordinates and scalars and their rates; Δ itself to `aux` (an entry per coordinate and
  /// scalar), where there is one.
  template <class Core>
  TRAMMEL_HD void apply_correction(Core& core, const Coefficients& c, double* aux) {
    const StateArrays& now = core.motion.now;
    const ModelSizes& n = core.n;
    const double* correction = core.motion.correction;
    core.run(ApplyToCoordinates{correction, now.q, now.v, now.a, aux, c.a, c.b, c.c}, n.coordinates);
    core.run(ApplyToScalars{correction + n.first_scalar(), core.run.differential(), now.s, now.sdot,
                            aux ? aux + n.coordinates : nullptr, c.rate, c.state},
             n.scalars);
  }
};

}  // namespace trammel
