// Models in any size for `trammel bench`: decks made in memory, read and compiled as any other.
#pragma once

#include <span>
#include <string>

#include "analysis/settings.h"
#include "model/model.h"

namespace trammel {

/// How the bodies of a model hang together.
struct BenchTopology {
  const char* name;
  const char* what;
  std::string (*deck)(
      int unknowns);  ///< dataset with about so many unknowns, never fewer bodies than it takes
};

/// All there are: chain, loop, net, tree, track, flexible.
std::span<const BenchTopology> bench_topologies();
/// The one of this name. Throws Failure(usage) that names those there are.
const BenchTopology& bench_topology(const std::string& name);

/// The compiled deck.
Model bench_model(const BenchTopology& topology, int unknowns);

inline constexpr double bench_step = 1e-3;  ///< s, every step
/// HHT with fixed steps of bench_step.
DynamicsSettings bench_settings();
/// How a correction enters positions, velocities and accelerations in such a step.
Coefficients bench_coefficients();

}  // namespace trammel
