#include "flexible/boundary.h"

#include <Eigen/Dense>

#include "base/diagnostics.h"
#include "math/symmetric.h"

namespace trammel {

namespace {

Vec3d axis_of(int i) {
  Vec3d out{};
  out[i] = 1;
  return out;
}

}  // namespace

MeanMotion mean_motion(const FullModel& model, std::vector<int> nodes, const Vec3d& point,
                       const std::vector<SurfaceEntry>& surface) {
  MeanMotion out;
  const std::size_t n = nodes.size();
  std::vector<double> part(n, 1.0 / static_cast<double>(n));
  if (!surface.empty()) {
    double area = 0;
    std::fill(part.begin(), part.end(), 0.0);
    const auto add = [&](int p, double value) { part[p] += value, area += value; };
    for (const SurfaceEntry& g : surface) {
      add(g.a, g.value);
      if (g.a != g.b) add(g.b, g.value);
    }
    for (double& w : part) w /= area;
  }
  Vec3d mean{};
  for (std::size_t p = 0; p < n; ++p) mean += part[p] * model.position[nodes[p]];
  std::vector<Vec3d> r(n), a(n);
  for (std::size_t p = 0; p < n; ++p) r[p] = model.position[nodes[p]] - mean;
  if (surface.empty()) a = r;
  for (const SurfaceEntry& g : surface) {
    a[g.a] += g.value * r[g.b];
    if (g.a != g.b) a[g.b] += g.value * r[g.a];
  }
  Mat3d S{};
  for (std::size_t p = 0; p < n; ++p)
    S += transpose(skew(r[p])) * skew(a[p]);  // a·r 1 − a rᵀ, summed symmetric
  const Vec3d size = eigenvalues(S);
  out.turns = size.x > 1e-8 * size.z;
  Mat3d inverse{};
  if (out.turns) {
    Eigen::Matrix3d of;
    for (int i = 0; i < 3; ++i)
      for (int c = 0; c < 3; ++c) of(i, c) = S(i, c);
    of = of.inverse().eval();
    for (int i = 0; i < 3; ++i)
      for (int c = 0; c < 3; ++c) inverse(i, c) = of(i, c);
  }
  const Vec3d arm = point - mean;
  for (std::size_t p = 0; p < n; ++p) {
    std::array<Vec3d, 6> w;
    for (int i = 0; i < 3; ++i)  // ϑ_i = (S⁻¹ e_i)·(a × u) = ((S⁻¹ e_i) × a)·u
      w[3 + i] = cross(inverse * axis_of(i), a[p]);
    for (int d = 0; d < 3; ++d) {
      w[d] = part[p] * axis_of(d);
      const Vec3d turned = cross(arm, axis_of(d));  // e_d·(ϑ × arm) = ϑ·(arm × e_d)
      for (int i = 0; i < 3; ++i) w[d] += turned[i] * w[3 + i];
    }
    out.weight.push_back(w);
  }
  out.node = std::move(nodes);
  return out;
}

namespace {

class BoundaryMaker {
 public:
  explicit BoundaryMaker(const FullModel& model) : model_(model), owner_(model.nodes(), 0) {
    out_.held.assign(model.unknowns(), 0);
  }

  void add_node(int id) {
    const int p = take(id, id);
    out_.points.push_back({id, model_.position[p], p});
    for (int u = model_.first[p]; u < model_.first[p + 1]; ++u) {
      out_.held[u] = 1;
      out_.motions.push_back({point(), model_.direction[u], {{u, 1.0}}, -1});
    }
  }
  void add_spider(const Spider& spider) {
    if (model_.node(spider.node) >= 0)
      fail(ExitCode::input, "{}: node {} has unknowns of its own and cannot stand for others", model_.source,
           spider.node);
    std::vector<int> nodes;
    for (const int id : spider.nodes) nodes.push_back(take(id, spider.node));
    if (nodes.empty()) fail(ExitCode::input, "{}: node {} stands for no nodes", model_.source, spider.node);
    const MeanMotion mean = mean_motion(model_, nodes, spider.point, spider.surface);
    if (!mean.turns)
      fail(ExitCode::input, "{}: the nodes of {} lie on a line: they do not say how it turns", model_.source,
           spider.node);
    out_.points.push_back({spider.node, spider.point, -1});
    if (spider.rigid)
      hold(nodes, spider.point);
    else
      average(mean);
    out_.spiders.push_back(spider);
  }
  Boundary take_boundary() { return std::move(out_); }

 private:
  int point() const { return static_cast<int>(out_.points.size()) - 1; }
  int take(int id, int by) {
    const int p = model_.node(id);
    if (p < 0) fail(ExitCode::input, "{}: there is no node {} with unknowns", model_.source, id);
    if (owner_[p] != 0)
      fail(ExitCode::input, "{}: node {} belongs to {} and to {} of the interface", model_.source, id,
           owner_[p], by);
    owner_[p] = by;
    return p;
  }
  /// Nodes that move with the point: u_p = u + ϑ × (x_p − x).
  void hold(const std::vector<int>& nodes, const Vec3d& at) {
    std::vector<double> motion[6];
    for (int i = 0; i < 6; ++i) motion[i] = rigid_motion(model_, i, at);
    for (int i = 0; i < 6; ++i) {
      InterfaceMotion m{point(), i, {}, -1};
      for (const int p : nodes)
        for (int u = model_.first[p]; u < model_.first[p + 1]; ++u) {
          out_.held[u] = 1;
          if (motion[i][u] != 0) m.moved.push_back({u, motion[i][u]});
        }
      out_.motions.push_back(std::move(m));
    }
  }
  void average(const MeanMotion& mean) {
    for (const int p : mean.node)
      for (int d = 0; d < 3; ++d)
        if (model_.unknown(p, d) < 0)
          fail(ExitCode::input, "{}: node {} cannot move in direction {}, so no mean is formed with it",
               model_.source, model_.node_id[p], d + 1);
    for (int i = 0; i < 6; ++i) out_.motions.push_back({point(), i, {}, out_.rows() + i});
    out_.means.push_back(mean);
  }

  const FullModel& model_;
  std::vector<int> owner_;  ///< per node: id of the point that it belongs to; 0: none
  Boundary out_;
};

}  // namespace

Boundary make_boundary(const FullModel& model, const std::vector<int>& nodes, std::vector<Spider> spiders) {
  BoundaryMaker maker(model);
  for (const int id : nodes) maker.add_node(id);
  for (const Spider& s : spiders) maker.add_spider(s);
  return maker.take_boundary();
}

}  // namespace trammel
