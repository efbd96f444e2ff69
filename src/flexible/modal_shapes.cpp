#include "flexible/modal_shapes.h"

#include <algorithm>
#include <cmath>

#include "base/diagnostics.h"

namespace trammel {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

Pencil::Pencil(const FullModel& model, const std::vector<std::vector<double>>& shapes) {
  const auto n = static_cast<Index>(shapes.size());
  stiffness_.resize(n, n);
  mass_.resize(n, n);
  std::vector<double> forced(model.unknowns());
  const auto product = [&](const std::vector<double>& values, Index c, MatrixXd& out) {
    multiply(model.pattern, values, shapes[c].data(), forced.data());
    const Eigen::Map<const VectorXd> force(forced.data(), model.unknowns());
    for (Index r = 0; r < n; ++r)
      out(r, c) = force.dot(Eigen::Map<const VectorXd>(shapes[r].data(), model.unknowns()));
  };
  for (Index c = 0; c < n; ++c) {
    product(model.stiffness, c, stiffness_);
    product(model.mass, c, mass_);
  }
  stiffness_ = 0.5 * (stiffness_ + stiffness_.transpose()).eval();
  mass_ = 0.5 * (mass_ + mass_.transpose()).eval();
}

Pencil::Modes Pencil::solve(int rigid) const {
  constexpr double dependent = 1e-10;  // of masses: one part in 10⁵ of a displacement
  const Index n = mass_.rows();
  // Shapes of mass 1.
  const VectorXd size = mass_.diagonal().cwiseMax(0).cwiseSqrt();
  if (!(size.minCoeff() > 0)) fail(ExitCode::input, "a shape of the basis moves no mass");
  const VectorXd scale = size.cwiseInverse();
  const MatrixXd M = scale.asDiagonal() * mass_ * scale.asDiagonal();
  const MatrixXd K = scale.asDiagonal() * stiffness_ * scale.asDiagonal();
  // P = 1 − R Rᵀ M takes the rigid motions R, made orthonormal, out of a shape.
  MatrixXd R = MatrixXd::Zero(n, rigid);
  const Eigen::LLT<MatrixXd> factor(M.topLeftCorner(rigid, rigid));
  R.topRows(rigid) = factor.matrixU().solve(MatrixXd::Identity(rigid, rigid));
  const MatrixXd P = MatrixXd::Identity(n, n) - R * (R.transpose() * M);
  // Twice: what rounding leaves of the rigid motions goes with the second.
  const MatrixXd PP = P * P, left = PP.transpose() * M * PP;
  const Eigen::SelfAdjointEigenSolver<MatrixXd> masses(left);
  const double largest = masses.eigenvalues()[n - 1];
  Index kept = 0;
  while (kept < n && masses.eigenvalues()[n - 1 - kept] > dependent * std::max(largest, 1.0)) ++kept;
  if (kept == 0) return {VectorXd(0), MatrixXd(n, 0)};
  const MatrixXd Z = PP * masses.eigenvectors().rightCols(kept) *
                     masses.eigenvalues().tail(kept).cwiseSqrt().cwiseInverse().asDiagonal();
  const Eigen::SelfAdjointEigenSolver<MatrixXd> modes(Z.transpose() * K * Z);
  return {modes.eigenvalues(), scale.asDiagonal() * Z * modes.eigenvectors()};
}

namespace {

/// Shapes at the nodes of a reduced body.
class NodeShapes {
 public:
  NodeShapes(const FullModel& model, const std::vector<double>& flat, ModalBody& body)
      : model_(model), flat_(flat), body_(body) {}

  void add_node(int p) {
    std::vector<Vec3d> moved(body_.modes), turned(body_.modes);
    bool turns = false;
    for (int u = model_.first[p]; u < model_.first[p + 1]; ++u) {
      const int d = model_.direction[u];
      turns = turns || d > 2;
      for (int j = 0; j < body_.modes; ++j) (d < 3 ? moved : turned)[j][d % 3] = shape(u, j);
    }
    if (!turns) {
      const MeanMotion mean = mean_motion(model_, neighbours(p), model_.position[p]);
      unturned_ += !mean.turns;
      if (mean.turns)
        for (int j = 0; j < body_.modes; ++j) turned[j] = sum(mean, 3, j);
    }
    add(model_.node_id[p], model_.position[p], moved, turned);
  }
  void add_spider(const Spider& spider) {
    std::vector<int> nodes;
    for (const int id : spider.nodes) nodes.push_back(model_.node(id));
    const MeanMotion mean =
        mean_motion(model_, nodes, spider.point, spider.surface);  // of a rigid spider this is its motion
    std::vector<Vec3d> moved(body_.modes), turned(body_.modes);
    for (int j = 0; j < body_.modes; ++j) {
      moved[j] = sum(mean, 0, j);
      turned[j] = sum(mean, 3, j);
    }
    add(spider.node, spider.point, moved, turned);
  }
  int unturned() const { return unturned_; }

 private:
  double shape(int u, int j) const { return flat_[static_cast<std::size_t>(j) * model_.unknowns() + u]; }
  Vec3d sum(const MeanMotion& mean, int from, int j) const {
    Vec3d out{};
    for (std::size_t k = 0; k < mean.node.size(); ++k) {
      Vec3d u{};
      for (int d = 0; d < 3; ++d)
        if (const int at = model_.unknown(mean.node[k], d); at >= 0) u[d] = shape(at, j);
      for (int i = 0; i < 3; ++i) out[i] += dot(mean.weight[k][from + i], u);
    }
    return out;
  }
  /// Nodes that elements connect with p, and p.
  std::vector<int> neighbours(int p) const {
    std::vector<int> out;
    for (int u = model_.first[p]; u < model_.first[p + 1]; ++u)
      for (int k = model_.pattern.column_start[u]; k < model_.pattern.column_start[u + 1]; ++k)
        out.push_back(model_.node_of(model_.pattern.row[k]));
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }
  void add(int id, const Vec3d& at, const std::vector<Vec3d>& moved, const std::vector<Vec3d>& turned) {
    body_.node_id.push_back(id);
    body_.position.push_back(at);
    body_.translation.insert(body_.translation.end(), moved.begin(), moved.end());
    body_.rotation.insert(body_.rotation.end(), turned.begin(), turned.end());
  }

  const FullModel& model_;
  const std::vector<double>& flat_;
  ModalBody& body_;
  int unturned_ = 0;
};

/// Masses of nodes: a third of the forces on a node, summed over the three axes, that accelerate the model by
/// one along each; and the rotary inertia of its rotations. Sum and first moment are those of the elements.
void add_masses(const FullModel& model, ModalBody& body) {
  body.node_mass.assign(body.nodes(), 0.0);
  body.node_inertia.assign(body.nodes(), Mat3d{});
  std::vector<double> force(model.unknowns());
  for (int i = 0; i < 6; ++i) {
    std::vector<double> push(model.unknowns());
    for (int u = 0; u < model.unknowns(); ++u) push[u] = model.direction[u] == i;
    multiply(model.pattern, model.mass, push.data(), force.data());
    for (int b = 0; b < body.nodes(); ++b) {
      const int p = model.node(body.node_id[b]), u = p < 0 ? -1 : model.unknown(p, i);
      if (u < 0) continue;
      if (i < 3)
        body.node_mass[b] += force[u] / 3;
      else
        body.node_inertia[b](i - 3, i - 3) = force[u];
    }
  }
}

}  // namespace

int add_nodes(const FullModel& model, const Boundary& boundary, const NodeChoice& choice,
              const std::vector<double>& flat, ModalBody& body) {
  NodeShapes shapes(model, flat, body);
  std::vector<unsigned char> has(model.nodes(), 0);
  const auto add = [&](int p) {
    if (!has[p]) shapes.add_node(p);
    has[p] = 1;
  };
  for (const Boundary::Point& point : boundary.points)
    if (point.node >= 0) add(point.node);
  for (const Spider& s : boundary.spiders) shapes.add_spider(s);
  for (const int id : choice.ids) {
    const int p = model.node(id);
    if (p < 0) fail(ExitCode::input, "{}: there is no node {} with unknowns", model.source, id);
    add(p);
  }
  for (int p = 0; choice.all && p < model.nodes(); ++p) add(p);
  if (choice.all) add_masses(model, body);
  return shapes.unturned();
}

}  // namespace trammel
