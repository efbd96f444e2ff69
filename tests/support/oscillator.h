// A damped oscillator and a state that decays, for tests of an integration method's own recursion.
#pragma once

#include "deck.h"
#include "integrate/integrator.h"

namespace trammel::test {

/// 2 ẍ + 0.8 ẋ + 50 (x − 1.5) = 0 on the x axis from 2 at rest, and ẏ = −3 y from 1.
struct Oscillator {
  Model model = compile_text(
      "PART/1, GROUND\nMARKER/11, PART = 1\nPART/2, MASS = 2, CM = 21, IP = 1, 1, 1, QG = 2, 0, 0\n"
      "MARKER/21, PART = 2\nSPRINGDAMPER/1, TRANSLATION, I = 21, J = 11, K = 50, C = 0.8, LENGTH = 1.5\n"
      "DIFF/1, IC = 1, FUNCTION = -3*DIF(1)\n");
  Assembler assembler{model};
  GuardedSystem system;
  State state{model};

  Oscillator() {
    system.analyze(assembler.pattern(), assembler.graph());
    state.q[0] = 2;
    state.a[0] = -12.5;
    state.s[0] = 1;
    state.sdot[0] = -3;
  }
  std::shared_ptr<Equations> equations() { return std::make_shared<HostEquations>(model, assembler, system); }

  /// Steps of exactly h, with a new Jacobian in each iteration.
  static IntegratorOptions fixed_steps(double h, double error) {
    IntegratorOptions options;
    options.error = error;
    options.pattern = "T";
    options.hinit = options.hmin = options.hmax = h;
    return options;
  }
};

}  // namespace trammel::test
