// What forces and moments at the nodes of a flexible body make of the block of its modes in the tangent, as
// one dense product: elements give the derivatives W of their wrenches by the motion of the markers that they
// act on (TangentWriter::add_node_gradient), and with the shapes S of the nodes, their variation V by the
// modes and the moments' own turning G = ∂(TᵀAᵀτ)/∂ϑ the block is
//
//   −Σ S_pᵀ (Σ W) V_p − Σ φ*_pᵀ G_p c φ*_p          nodes p
//
// so that the cost of an element grows with the number of modes at its node; only the product costs the
// square of it.
#pragma once

#include <span>
#include <vector>

#include "assemble/view.h"
#include "base/parallel.h"

namespace trammel {

struct Model;
class Pools;

class ModalProducts {
 public:
  ModalProducts(const Model& model, const Pools& pools);
  /// Enters its arrays in a view.
  void show(AssemblyView& view);
  /// Per marker of wrench elements the number of its gradient; the count of gradients; numbers of those at a
  /// node.
  const std::vector<int>& gradient_of() const { return gradient_of_; }
  int gradients() const { return static_cast<int>(gradients_.size()); }
  std::span<const int> gradients_at(int node) const;
  /// Sets the gradients to zero, before elements add to them.
  void clear();
  /// Makes the blocks, after elements have added to the gradients.
  void multiply(const AssemblyView& view, const Parallel& parallel);

 private:
  struct Node {
    int node, first, last;  ///< the node, and its gradients [first, last) in `gradients_`
  };
  struct Body {
    int flexible;
    /// `padded`: numbers per row of the block and of the factors
    int modes, padded;
    long block;  ///< where its block begins in `block_`
    std::vector<Node> nodes;
    std::vector<double> left, right;  ///< factors: rows S, φ* and (Σ W) V, G c φ*, of `padded` modes each
    int rows = 0;
  };
  void multiply(const AssemblyView& view, Body& body);
  void add_gradient(const AssemblyView& view, Body& body, const Node& node) const;
  void add_turning(const AssemblyView& view, Body& body, int node) const;

  std::vector<Body> bodies_;
  std::vector<int> gradient_of_;  ///< per marker of wrench elements, −1: not at a node
  std::vector<int> gradients_;    ///< numbers of gradients, by nodes
  std::vector<double> gradient_;  ///< 6 × 18 each
  std::vector<double> block_;
  std::vector<Mat3d> turning_;  ///< G, per node
};

}  // namespace trammel
