// Statement settings → options of the analyses.
#pragma once

#include <string>
#include <vector>

#include "analysis/initial_conditions.h"
#include "dataset/description.h"
#include "integrate/hht.h"

namespace trammel {

struct DynamicsSettings {
  HhtOptions hht;
  InitialOptions initial;
  bool interpolate = false;
  bool hmax_given = false, hinit_given = false;
  std::string requested = "HHT";       ///< integrator that the deck names; "" if it names none
  std::vector<std::string> warnings;   ///< replacements made, each to be said once
};

/// Reads INTEGRATOR and IC. Integrators that do not exist yet are replaced by HHT at ERROR/100 with a
/// warning (GSTIFF, WSTIFF, SI2), or reported as unsupported (the others).
DynamicsSettings read_settings(const Description& description, Diagnostics& diagnostics);

/// Fills HMAX and HINIT that the deck leaves open: HMAX = output step, HINIT = HMAX/20.
HhtOptions with_output_step(const DynamicsSettings& settings, double output_step);

}  // namespace trammel
