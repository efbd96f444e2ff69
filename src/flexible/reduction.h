// Modes of a flexible body from the matrices of its finite elements, after Craig and Bampton.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "flexible/boundary.h"
#include "flexible/full_model.h"
#include "flexible/load_case.h"
#include "flexible/modal_body.h"

namespace trammel {

class ThreadPool;

struct ReductionOptions {
  std::vector<int> interface_nodes;  ///< ids of nodes that keep all their unknowns
  std::vector<Spider> spiders;       ///< points that stand for nodes
  std::vector<int> attachment;       ///< ids of nodes: shapes by unit forces at them are added
  int modes = 20;                    ///< of the held interface (without an interface: of the free model)
  int inertia = 12;                  ///< shapes by the inertia of so many of the slowest static shapes
  double to_frequency = 0;           ///< [cycles/time]; above 0: as many as are below it, instead of `modes`
  bool all_nodes = false;            ///< the body has all nodes and their masses, else those of the interface
  std::vector<int> nodes;            ///< ids of further nodes that the body has
  bool keep_shapes = false;          ///< Reduction::shapes is wanted
  /// Loads of MFORCE. Their displacements with the interface held become shapes, and the rigid motions modes
  /// 1 to 6, which tell what a load is to the frame.
  std::vector<std::vector<NodalLoad>> load_cases;
  std::shared_ptr<ThreadPool> pool;                  ///< null: one thread
  std::function<void(const std::string&)> progress;  ///< told of every stage; may be empty
};

/// What a reduction found beside the body.
struct Reduction {
  ModalBody body;
  int motions = 0;             ///< of the interface: constraint modes
  int attached = 0;            ///< shapes by attachment, by load cases and by inertia
  int dependent = 0;           ///< shapes that were combinations of the others, or move no mass
  std::vector<double> normal;  ///< frequencies of the held interface [cycles/time]
  double factor_entries = 0, factor_operations = 0;
  std::vector<double> shapes;  ///< on request: displacements of the modes, unknowns × modes, by columns
  int unturned = 0;  ///< nodes of the body whose rotation is not known: their neighbours lie on a line
};

/// The basis of static shapes, K u = 0 inside with one motion of the interface each, of the normal modes of
/// the held interface and of attachment shapes is made orthogonal by K̂ x = ω² M̂ x, after the six rigid
/// motions were taken out of it: these are the frame's. These modes have the mass 1, ascending ω, and I3 = I4
/// = 0. Nodes without rotations turn as the mean of their neighbours. Without an interface: modes of the free
/// model. Throws Failure(input) for a model or interface that cannot be reduced, (solver).
Reduction reduce(const FullModel& model, const ReductionOptions& options);

}  // namespace trammel
