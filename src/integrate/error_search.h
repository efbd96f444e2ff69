// Which term of its error norm limits a step: the reductions of the norm once more, with a look at each term.
// Only for who watches (integrate/observer.h).
#pragma once

#include <cmath>

#include "device_api/executor.h"
#include "integrate/methods/nordsieck.h"
#include "integrate/observer.h"

namespace trammel {

/// Stands for a StepCore on the processor where a method reduces the terms of its error, Totals each.
template <class Core>
class ErrorSearch {
 public:
  ErrorSearch(Core& core, double h)
      : run{core, {}, 0, {0}},
        motion(core.motion),
        n(core.n),
        rules(core.rules),
        history(core.history),
        control(core.control),
        rounding(core.rounding),
        core_(core),
        h_(h) {}

  /// The largest term of the kind of error that is largest, all in units of ERROR.
  ErrorPlace largest() {
    const double unit = rules.error;
    ErrorPlace found;
    double error = -1;
    const auto take = [&](double value, ErrorPlace::Kind kind) {
      if (run.term > 0 && value > error) {
        error = value;
        found = run.place;
        found.kind = kind;
      }
      run.term = run.sum.x = 0;
    };
    squares_of(motion.delta);
    take(std::sqrt(run.sum.x / n.coordinates) / unit, ErrorPlace::Kind::position);
    const double further = core_.method.further_error(*this);
    take(further, ErrorPlace::Kind::velocity);
    const double* states = nullptr;  // of explicit methods: their errors, beside those of velocities
    if constexpr (requires { core_.method.state_error; }) {
      states = core_.method.state_error;
      run.reduce(VelocityErrorSquares{run.places(), motion.correction, motion.now.v, run.cos_theta()},
                 n.bodies);
      take(std::sqrt(run.sum.x / n.coordinates) / unit, ErrorPlace::Kind::velocity);
    }
    if (states)
      run.reduce(StateErrorSquares{states, motion.now.s, 1, run.differential()}, n.scalars);
    else if constexpr (requires { core_.method.scalar_error_squares(*this, h_); })
      core_.method.scalar_error_squares(*this, h_);
    take(std::sqrt(run.sum.x / n.differential) / unit, ErrorPlace::Kind::state);
    return found;
  }

  // ---- as in StepCore, for methods

  auto squares_of(const double* x) {
    return run.reduce(BodySquares{run.places(), x, motion.weight, run.cos_theta(),
                                  core_.method.leaves_out_quasi_static_modes()},
                      n.bodies);
  }
  Coefficients coefficients(double h) const { return core_.coefficients(h); }

  struct Machine {
    Core& core;
    ErrorPlace place;
    double term;  ///< the largest one
    Total sum;    ///< of all

    /// Sums here, not by the core's machine, whose own reductions stay compiled as they are without this.
    template <class Term>
    Reduced<Total> reduce(const Term& terms, int count) {
      sum.x = 0;
      for (int i = 0; i < count; ++i) {
        const double value = terms(i).x;
        sum.x += value;
        if (value > term) {
          term = value;
          place = place_of(terms, i);
        }
      }
      return {&sum};
    }
    void collect() {}
    const BodyPlace* places() const { return core.run.places(); }
    const double* cos_theta() const { return core.run.cos_theta(); }
    const unsigned char* differential() const { return core.run.differential(); }

   private:
    /// Of a term by bodies: its largest translation, or its rotation where this is larger than they are.
    template <class Term>
    ErrorPlace place_of(const Term& terms, int i) const {
      ErrorPlace out;
      if constexpr (requires { terms.place; }) {
        double translations = 0, largest = -1;
        for (int k = terms.place[i].first; k < terms.place[i].angles(); ++k) {
          const double d = terms.x[k] / unit_of(terms, k);
          translations += d * d;
          if (d * d > largest) {
            largest = d * d;
            out.unknown = k;
          }
        }
        out.rotation = terms.place[i].turns() && terms(i).x - translations > largest;
        if (out.rotation) out.unknown = terms.place[i].angles();
      } else {
        out.unknown = core.n.first_scalar() + i;
      }
      return out;
    }
    template <class Term>
    static double unit_of(const Term& terms, int k) {
      if constexpr (requires { terms.weight; })
        return terms.weight[k];
      else
        return at_least_one(terms.v[k]);
    }
  } run;
  StepMotion& motion;
  const ModelSizes& n;
  const StepRules& rules;
  const History& history;
  const StepControl& control;
  const RoundingWatch& rounding;

 private:
  Core& core_;
  double h_;
};

}  // namespace trammel
