// Decisions about launches that have been made: a machine of StepCore (integrate/step_core.h) that launches
// nothing, and finds the results of reductions where a graph has left them. With it a kernel decides by the
// code that decides where the program itself launches.
#pragma once

#include "assemble/device_kernels.h"
#include "device_api/group_loops.h"
#include "device_api/launch_table.h"
#include "integrate/step_terms.h"
#include "linear/solve_report.h"

namespace trammel {

/// Where a model's tables are, and what was asked.
struct HindsightView {
  const BodyPlace* places;
  const double* cos_theta;
  BodyRows body_rows;
  const unsigned char* differential;
  const Question* question;
  int questions;
};

/// What a graph finds besides the answers to questions.
struct GraphFindings {
  const Place* note;              ///< of functions and lists (DeviceAssembly); null: they always have values
  const Place* pivot;             ///< largest ratio of a column to its pivot
  const Place* solution;          ///< backward error
  const Place* further_solution;  ///< of FurtherSystem; null: there is none
  double most_ratio, most_error;  ///< that are accepted
  TRAMMEL_HD bool has_values() const { return !note || note->value <= tape_fine; }
  TRAMMEL_HD bool is_accurate(bool factored) const {
    return (!factored || pivot->value <= most_ratio) && solution->value <= most_error &&
           (!further_solution || further_solution->value <= most_error);
  }
};

/// By which questions of a term are known.
template <class Term>
inline constexpr int kind_of = Term::Family::template kind<Term>();

class HindsightMachine {
 public:
  static constexpr bool observed = false;
  TRAMMEL_HD explicit HindsightMachine(const HindsightView& view) : view_(view) {}

  /// How often what else than reductions was done: anything more is missing.
  int evaluated = 0, differentiated = 0, factored = 0, solved = 0;
  /// Whether something was asked for, since the beginning, that had not been launched.
  bool missing = false;

  template <class Kernel>
  TRAMMEL_HD void operator()(const Kernel&, int) const {}
  TRAMMEL_HD void copy(double*, const double*, int) const {}
  template <class Term>
  TRAMMEL_HD GroupResult<typename Term::Value> reduce(const Term& term, int n) {
    using Value = typename Term::Value;
    if (n == 0) return {Value::none()};
    for (int k = 0; k < view_.questions; ++k) {
      const Question& q = view_.question[k];
      if (q.kind == kind_of<Term> && q.n == n && *reinterpret_cast<const Term*>(q.term) == term)
        return {*static_cast<const Value*>(q.result)};
    }
    missing = true;
    return {Value::none()};
  }
  TRAMMEL_HD void collect() const {}

  TRAMMEL_HD bool evaluate(double, const Coefficients&, double*) { return take(evaluated); }
  TRAMMEL_HD bool evaluate_rates(double, const Coefficients&, double*, double*) { return take(evaluated); }
  TRAMMEL_HD bool velocity_rows(double*) { return take(differentiated); }
  TRAMMEL_HD bool mass_times_acceleration(double*) { return lacks(); }
  TRAMMEL_HD bool factor(double, const Coefficients&, SolveReport& report) {
    report = {};
    return take(factored);
  }
  TRAMMEL_HD SolveReport solve(const double*, double*) {
    take(solved);
    return {};
  }
  TRAMMEL_HD const BodyPlace* places() const { return view_.places; }
  TRAMMEL_HD const double* cos_theta() const { return view_.cos_theta; }
  TRAMMEL_HD BodyRows body_rows() const { return view_.body_rows; }
  TRAMMEL_HD const unsigned char* differential() const { return view_.differential; }

 private:
  TRAMMEL_HD bool lacks() {
    missing = true;
    return true;
  }
  TRAMMEL_HD bool take(int& done) {
    if (done == 0) return lacks();
    --done;
    return true;
  }

  const HindsightView& view_;
};

}  // namespace trammel
