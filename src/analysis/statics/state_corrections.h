// What the corrections of a search for an equilibrium say of the states of DIFF, LSE, TFSISO and GSE.
#pragma once

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "analysis/statics/rest_equations.h"

namespace trammel {

/// Corrections of states have units of their own: they are small beside the largest value that the state has
/// had in the search. Of (s + a) Δ = −r, s the rate, a what else answers Δ, Δ (s + a)/a is left to go.
class StateCorrections {
 public:
  /// waits: false: states count as at rest wherever they are.
  StateCorrections(const Model& model, RestEquations& equations, const State& begin, bool waits);

  /// Takes the whole correction d of `state`, from the residual r and the last tangent of the equations;
  /// `least`: with the least part of rates. States whose corrections nothing but the rate answers then, as of
  /// an integral of what vanishes at rest, are at rest with any value: they get their whole rates back, and
  /// it returns false: the correction is not to be made.
  bool take(const State& state, std::span<const double> r, std::span<const double> d, bool least);
  /// Whether every way to go was below `error` of the state's size, and what is left of it a hundredth of
  /// that; also where five in turn, of which rates answer little, are a ten-thousandth of `error` as they
  /// stand: these are rounding of what the states follow.
  bool at_rest(double error) const;
  /// The part of rates for the next correction: a tenth, or `leap`, where the last one made the way to go
  /// shorter by at least half of itself, or this is below `error`; ten times more where not by a quarter.
  double next_part_of_rates(double now, double leap, double error) const;
  /// ", the way of DIFF/1 to go 0.3 of its size"; empty where no state has one.
  std::string words() const;
  /// A sentence where the largest residual is of a state whose rate no correction changes; else empty.
  std::string unmoved(const Imbalance& left) const;

 private:
  const Model& model_;
  RestEquations& equations_;
  const bool waits_;
  std::vector<double> size_;              ///< per scalar; only of states
  double part_ = 0;                       ///< the largest way to go / size
  double before_ = INFINITY;              ///< that of the correction before
  double made_ = 0, made_before_ = 0;     ///< the part of the way that the correction is, and that before
  int which_ = -1;                        ///< its scalar
  double by_rate_ = 0;                    ///< which part of its residual the rate answers
  double largest_ = 0;                    ///< the largest way to go
  bool taken_ = true;                     ///< whether the last correction is to be made
  int repeated_ = 0;                      ///< corrections in turn that rates answer little of
  std::vector<unsigned char> any_value_;  ///< per scalar: a state that is at rest with any value
  int unmoved_ = -1;  ///< the state with the largest rate that its correction does not change
};

}  // namespace trammel
