// Settings of analyses that have no integrator: KINEMATICS and EQUILIBRIUM statements.
#pragma once

#include <string>

namespace trammel {

struct KinematicsOptions {
  double error = 1e-4;                 ///< largest correction at convergence [length or rad]
  int maxit = 25;                      ///< iterations for positions
  double tlimit = 1e10;                ///< largest translation of one iteration
  double alimit = 0.5235987755982988;  ///< largest rotation of one iteration [rad]
  double hmax = 0;                     ///< largest step in time; 0: the output step
  // These are read and listed, without effect: accelerations solve linear equations, and every iteration
  // makes a new Jacobian.
  double aerror = 1e-4;
  int amaxit = 25;
  std::string pattern = "T", apattern = "T";
};

enum class StaticMethod {
  automatic,   ///< `original`, and where it fails `funnel`
  original,    ///< Newton's iteration with ALIMIT, TLIMIT, STABILITY
  advanced,    ///< trust region: steps along which forces do work
  aggressive,  ///< Newton's iteration whose steps are shortened until the imbalance falls
  all,         ///< original, advanced, aggressive, funnel in turn, until one finds an equilibrium
  funnel,      ///< from lax to tight imbalance, and away from equilibria that are not stable
  dynamic,     ///< damped motion
};

struct EquilibriumOptions {
  StaticMethod method = StaticMethod::automatic;
  double alimit = 0.17453292519943295;  ///< largest rotation of one iteration [rad]
  double tlimit = 20;                   ///< largest translation of one iteration [length]
  double error = 1e-4;                  ///< largest correction at convergence
  double imbalance = 1e-4;              ///< largest residual at convergence [force, torque]
  int maxit = 25;
  /// One letter per iteration, repeated from its beginning: T: a new Jacobian; F: the last one.
  std::string pattern = "T";
  double stability = 1e-5;  ///< factor s of M and C in the Jacobian s M + s C + K
  bool maxit_given = false, tlimit_given = false, stability_given = false;
  // Options of the method `dynamic`: GLOBAL_DAMPING [1/time], SETTLING_TIME (0: no limit), and the largest
  // acceleration and kinetic energy that count as rest.
  double global_damping = 0, settling_time = 0;
  double acceleration_error = 1e-2, kinetic_energy_error = 1e-2;
  // Options of ADAMS's Krylov iteration, read and listed without effect: ADVANCED and AGGRESSIVE factor their
  // matrix.
  double atol = 1e-6, rtol = 0, etamax = 0.9, eta = 1e-4;
  int maxitl = 40;
};

}  // namespace trammel
