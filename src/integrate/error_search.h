// Which body or state limits a step, and in which of its coordinates: the reductions of the error once more.
// Only for who watches (integrate/observer.h).
#pragma once

#include <cmath>
#include <deque>

#include "device_api/executor.h"
#include "integrate/methods/nordsieck.h"
#include "integrate/observer.h"

namespace trammel {

/// Stands for a StepCore on the processor where a method reduces its error to the largest one.
template <class Core>
class ErrorSearch {
 public:
  ErrorSearch(Core& core, double h)
      : run{core, {}, {}},
        motion(core.motion),
        n(core.n),
        rules(core.rules),
        history(core.history),
        control(core.control),
        rounding(core.rounding),
        core_(core),
        h_(h) {}

  /// Where the error is largest: of positions, of velocities or of states, whichever limits the step.
  ErrorPlace largest() {
    const double unit = rules.error;
    ErrorPlace found;
    double error = -1;
    const auto take = [&](double value, ErrorPlace::Kind kind) {
      if (!run.found.empty() && run.found.front().at.value > 0 && value > error) {
        error = value;
        found = run.place;
        found.kind = kind;
      }
      run.found.clear();
    };
    take(root_of(*mean_squares_of(motion.delta)) / unit, ErrorPlace::Kind::position);
    const double further = core_.method.further_error(*this);
    take(further, ErrorPlace::Kind::velocity);
    const double* states = nullptr;  // of explicit methods: their errors, beside those of velocities
    if constexpr (requires { core_.method.state_error; }) {
      states = core_.method.state_error;
      const auto of_velocities = run.reduce(
          VelocityMeanSquare{run.places(), motion.correction, motion.now.v, run.cos_theta()}, n.bodies);
      take(root_of(*of_velocities) / unit, ErrorPlace::Kind::velocity);
    }
    const auto of_states = [&] {
      if constexpr (requires { core_.method.error_of_states(*this, h_); })
        return core_.method.error_of_states(*this, h_);
      else
        return run.reduce(StateError{states, motion.now.s, 1, run.differential(), motion.state_unit},
                          n.scalars);
    }();
    take(of_states->at.value / unit, ErrorPlace::Kind::state);
    return found;
  }

  // ---- as in StepCore, for methods

  auto mean_squares_of(const double* x) {
    return run.reduce(BodyMeanSquare{run.places(), x, motion.weight, run.cos_theta(),
                                     core_.method.leaves_out_quasi_static_modes()},
                      n.bodies);
  }
  Coefficients coefficients(double h) const { return core_.coefficients(h); }

  struct Machine {
    Core& core;
    std::deque<Largest> found;  ///< of each reduction since the last kind of error
    ErrorPlace place;           ///< of the first of them

    /// Here, not by the core's machine, whose own reductions stay compiled as they are without this.
    template <class Term>
    Reduced<Largest> reduce(const Term& terms, int count) {
      Largest largest = Largest::none();
      for (int i = 0; i < count; ++i) largest = join(largest, terms(i));
      if (found.empty() && largest.at.index >= 0) place = place_of(terms, largest.at.index);
      found.push_back(largest);
      return {&found.back()};
    }
    void collect() {}
    const BodyPlace* places() const { return core.run.places(); }
    const double* cos_theta() const { return core.run.cos_theta(); }
    const unsigned char* differential() const { return core.run.differential(); }

   private:
    /// Of a term by bodies: the largest translation, or the rotation where this is larger than they are.
    template <class Term>
    ErrorPlace place_of(const Term& terms, int i) const {
      ErrorPlace out;
      if constexpr (requires { terms.place; }) {
        const BodyPlace& body = terms.place[i];
        double largest = -1;
        for (int k = body.first; k < terms.end_of(i); ++k) {
          const double d = std::fabs(terms.x[k]) / unit_of(terms, k);
          if (d > largest) {
            largest = d;
            out.unknown = k;
          }
        }
        out.rotation = body.turns() && rotation(terms, i) > largest;
        if (out.rotation) out.unknown = body.angles();
      } else {
        out.unknown = core.n.first_scalar() + i;
      }
      return out;
    }
    template <class Term>
    static double rotation(const Term& terms, int i) {
      const BodyPlace& body = terms.place[i];
      const auto squared = [&](const double* x) {
        return nonnegative(squared_rotation(body, x + body.angles(), terms.cos_theta[i]));
      };
      if constexpr (requires { terms.v; })
        return std::sqrt(squared(terms.x) / at_least_one(squared(terms.v)));
      else
        return std::sqrt(squared(terms.x));
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
