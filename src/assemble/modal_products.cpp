#include "assemble/modal_products.h"

#include <algorithm>

#include "assemble/modal_rows.h"
#include "assemble/pools/list.h"
#include "linear/host/dense_kernels.h"
#include "model/model.h"

namespace trammel {

ModalProducts::ModalProducts(const Model& model, const Pools& pools) {
  if (model.flexible_bodies.empty()) return;
  std::vector<std::vector<int>> of_node(model.nodes.size());
  int count = 0;
  pools.for_each([&]<class P>(PoolTag<P>, const auto&) {
    if constexpr (P::has_wrench)
      for (const auto& e : P::elements(model))
        e.for_ends([&](int marker) {
          const int node = model.markers[marker].node;
          gradient_of_.push_back(node < 0 ? -1 : count);
          if (node >= 0) of_node[node].push_back(count++);
        });
  });
  gradient_.resize(static_cast<std::size_t>(count) * gradient_size);
  turning_.resize(model.nodes.size());
  long end = 0;
  for (std::size_t i = 0; i < model.flexible_bodies.size(); ++i) {
    const FlexibleBody& f = model.flexible_bodies[i];
    const long begin = pools.tables().of<FlexibleBodies>().item[i].block;
    Body body{static_cast<int>(i), f.modes, FlexibleBodies::padded_modes(f.modes), begin, {}, {}, {}};
    if (body.padded != padded(f.modes)) fail(ExitCode::internal, "blocks of modes do not fit dense kernels");
    end = begin + static_cast<long>(body.padded) * f.modes;
    for (const int node : f.nodes) {
      const int first = static_cast<int>(gradients_.size());
      gradients_.insert(gradients_.end(), of_node[node].begin(), of_node[node].end());
      body.nodes.push_back({node, first, static_cast<int>(gradients_.size())});
    }
    const std::size_t most = node_rows * f.nodes.size() * body.padded;
    body.left.resize(most);
    body.right.resize(most);
    bodies_.push_back(std::move(body));
  }
  block_.resize(end);
}

void ModalProducts::show(AssemblyView& view) {
  view.table.gradient_of = gradient_of_.data();
  view.array.node_gradient = gradient_.data();
  view.array.modal_block = block_.data();
}

std::span<const int> ModalProducts::gradients_at(int node) const {
  for (const Body& body : bodies_)
    for (const Node& n : body.nodes)
      if (n.node == node) return std::span(gradients_).subspan(n.first, n.last - n.first);
  return {};
}

void ModalProducts::clear() {
  std::fill(gradient_.begin(), gradient_.end(), 0.0);
}

void ModalProducts::multiply(const AssemblyView& view, const Parallel& parallel) {
  parallel(static_cast<int>(bodies_.size()), 1, [&](int begin, int end, int) {
    for (int i = begin; i < end; ++i) multiply(view, bodies_[i]);
  });
}

void ModalProducts::multiply(const AssemblyView& view, Body& body) {
  const FlexiblePlace& place = view.table.flexible[body.flexible];
  for (const Node& node : body.nodes) turning_[node.node] = Mat3d{};
  FlexibleBodies::for_node_wrenches(view, place.body,
                                    [&](const ModeShape*, const Vec3d&, const Vec3d& moment, int node) {
                                      turning_[node] += turning_of(view, place.body, node, moment);
                                    });
  body.rows = 0;
  for (const Node& node : body.nodes) {
    if (node.first < node.last) add_gradient(view, body, node);
    add_turning(view, body, node.node);
  }
  double* block = block_.data() + body.block;
  std::fill_n(block, static_cast<std::size_t>(body.padded) * body.modes, 0.0);
  if (body.rows > 0)
    dense_kernels().subtract_product(block, body.padded, body.right.data(), body.padded, body.left.data(),
                                     body.padded, 1, body.padded, body.modes, body.rows);
}

/// Appends six rows: S on the left, (Σ W) V on the right.
void ModalProducts::add_gradient(const AssemblyView& view, Body& body, const Node& node) const {
  double sum[gradient_size] = {};
  int columns = 0;  // columns of Σ W up to the last one that is not zero
  for (int k = node.first; k < node.last; ++k) {
    const double* W = gradient_.data() + static_cast<std::size_t>(gradients_[k]) * gradient_size;
    for (int r = 0; r < gradient_rows; ++r)
      for (int c = 0; c < gradient_columns; ++c) {
        const double value = W[gradient_columns * r + c];
        sum[gradient_columns * r + c] += value;
        if (value != 0) columns = std::max(columns, c + 1);
      }
  }
  if (columns == 0) return;
  double* left = body.left.data() + static_cast<std::size_t>(body.rows) * body.padded;
  double* right = body.right.data() + static_cast<std::size_t>(body.rows) * body.padded;
  for (int j = 0; j < body.modes; ++j)
    fill_gradient_rows(view, node.node, j, sum, columns, left + j, right + j, body.padded);
  body.rows += gradient_rows;
}

/// Appends three rows: φ* on the left, G c φ* on the right.
void ModalProducts::add_turning(const AssemblyView& view, Body& body, int node) const {
  const Mat3d& G = turning_[node];
  double largest = 0;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) largest = std::max(largest, std::abs(G(r, c)));
  if (largest == 0) return;  // no moment acts there
  double* left = body.left.data() + static_cast<std::size_t>(body.rows) * body.padded;
  double* right = body.right.data() + static_cast<std::size_t>(body.rows) * body.padded;
  for (int j = 0; j < body.modes; ++j) fill_turning_rows(view, node, j, G, left + j, right + j, body.padded);
  body.rows += turning_rows;
}

}  // namespace trammel
