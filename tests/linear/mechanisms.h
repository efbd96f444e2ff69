// Made-up mechanisms and their system matrices [ M Phi^T ; Phi 0 ] for the tests of linear/.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "linear/ordering.h"
#include "linear/pattern.h"

namespace trammel::test {

/// Body a is -1 for ground. rows: 1 distance-like, 3 spherical, 5 revolute.
struct Joint {
  int a, b, rows;
};
struct Mechanism {
  std::string name;
  int bodies = 0;
  std::vector<Joint> joints;
  std::vector<std::pair<int, int>> forces;  ///< bodies coupled by a force element
  std::vector<int> scalars;                 ///< one state variable on each of these bodies
  int modes = 0;                            ///< of every body, beside its six coordinates
};

inline std::vector<int> elimination_order(const MechanismGraph& graph) {
  return order_unknowns(graph, false, OrderingGoal::cpu_threads).unknowns;
}

Mechanism chain(int bodies, int rows = 3);
Mechanism closed_chain(int bodies, int rows = 3);  ///< floating ring
Mechanism net(int side);                           ///< side x side bodies, spherical joints
Mechanism tree(int bodies);                        ///< revolute, at most 4 children
Mechanism bushed_net(int side);                    ///< forces only
Mechanism vehicles(int count, int shoes);          ///< hull, wheels on arms, two shoe rings each
Mechanism coupled_vehicles(int count, int shoes);  ///< every wheel coupled to every shoe of its ring
Mechanism flexible_chain(int bodies, int modes);   ///< revolute joints, dense modal mass
Mechanism star(int arms);                          ///< one frame, many two-body arms on it
Mechanism ladder(int windows);                     ///< four-bar windows in a row, on ground
Mechanism controlled_chain(int bodies);            ///< chain with forces and state variables
/// All of them with about `unknowns` unknowns.
std::vector<Mechanism> topologies(int unknowns);

/// Flexible bodies and every wheel coupled to every shoe: 1000 to 2000 unknowns, 100,000 nonzeros.
std::vector<Mechanism> heavy_topologies();

/// How the values differ from the reference ones; the pattern and the geometry's seed stay.
struct Variation {
  double values = 0;           ///< relative change of masses, inertias and couplings
  double rotation = 0;         ///< every body turned by about this angle [rad]
  double unsymmetric = 0.004;  ///< size of the unsymmetric part of the rotational blocks (inertia ~ 0.1)
  double inactive = 0;  ///< share of the joints whose rows and columns hold stored zeros and a unit diagonal
  double mass = 1, length = 1, stiffness = 0.05;  ///< units: masses, arms, coupling blocks are multiplied
};

struct System {
  MechanismGraph graph;
  SparsePattern pattern;
  std::vector<double> values;
  int multipliers = 0;  ///< the last unknowns
};

/// Rows of a revolute or spherical joint act on (velocity, 3 rotational coordinates) of each body; the
/// rotational blocks of M are full and unsymmetric; force elements are full 12 x 12 blocks; a state
/// variable couples to the six coordinates of its body. Bodies with modes have full blocks of all
/// coordinates, and the rows of their joints act on all of them. The diagonal of the multipliers is stored.
System make_system(const Mechanism& mechanism, const Variation& variation = {}, unsigned seed = 42);

/// max_i |b - A x|_i / (|A||x| + |b|)_i with sums in long double; rows of zeros count as exact.
double row_residual(const SparsePattern& a, const std::vector<double>& values, const std::vector<double>& x,
                    const std::vector<double>& b);

/// max |b - A x| / (max |A| max |x| + max |b|), for scaled matrices.
double residual(const SparsePattern& a, const std::vector<double>& values, const std::vector<double>& x,
                const std::vector<double>& b);

/// b_i = sin(1 + i): nothing special about any row.
/// The values of its matrix as the solver gets them: row and column factors of kkt_scaling() in them.
std::vector<double> scaled(const System& s);
std::vector<double> some_vector(int n);

}  // namespace trammel::test
