#include "flexible/reduction.h"

#include <fmt/format.h>
#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>

#include "base/diagnostics.h"
#include "flexible/consistent_invariants.h"
#include "flexible/fixed_modes.h"
#include "flexible/modal_shapes.h"

namespace trammel {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double turn = 2 * std::numbers::pi;

class Reducer {
 public:
  Reducer(const FullModel& model, const ReductionOptions& options)
      : model_(model),
        options_(options),
        boundary_(make_boundary(model, options.interface_nodes, options.spiders)) {
    for (const Vec3d& s : model.position) centre_ += (1.0 / model.nodes()) * s;
  }

  Reduction run() {
    require_free(model_);
    for (const std::vector<NodalLoad>& loads : options_.load_cases) loads_.push_back(forces_of(loads));
    for (int i = 0; i < 6; ++i) shapes_.push_back(rigid_motion(model_, i, centre_));
    make_shapes();
    orthogonalize();
    return finish();
  }

 private:
  /// Makes all shapes that need the factors of the inside.
  void make_shapes() {
    const bool free = boundary_.motions.empty();
    const double shift = free ? -lowest_of_trial_fields() : 0.0;
    tell("factoring {} unknowns", model_.unknowns());
    Interior inside(model_, boundary_, shift, options_.pool);
    out_.factor_entries = static_cast<double>(inside.system().info().nonzeros);
    out_.factor_operations = inside.system().info().flops;
    out_.motions = static_cast<int>(boundary_.motions.size());
    tell("{} static shapes", out_.motions);
    for (int k = 0; k < out_.motions; ++k) shapes_.push_back(inside.constraint_mode(k));
    attach(inside, free);
    if (!free) add_load_shapes(inside);
    add_inertia_shapes(inside);
    normal_modes(inside, shift, free);
  }

  template <class... Args>
  void tell(fmt::format_string<Args...> format, Args&&... args) const {
    if (options_.progress) options_.progress(fmt::format(format, std::forward<Args>(args)...));
  }

  /// A bound from above of the lowest ω² of the free model, by displacement fields of second order without
  /// their rigid parts.
  double lowest_of_trial_fields() const {
    std::vector<std::vector<double>> fields;
    for (int i = 0; i < 6; ++i) fields.push_back(shapes_[i]);
    for (int d = 0; d < 3; ++d)
      for (int a = 0; a < 3; ++a)
        for (int b = a; b < 3; ++b) {
          fields.emplace_back(model_.unknowns());
          for (int u = 0; u < model_.unknowns(); ++u) {
            const Vec3d s = model_.position[model_.node_of(u)] - centre_;
            if (model_.direction[u] == d) fields.back()[u] = s[a] * s[b];
          }
        }
    const Pencil pencil(model_, fields);
    const VectorXd lowest = pencil.solve(6).eigenvalues;
    if (lowest.size() == 0 || !(lowest[0] > 0))
      fail(ExitCode::input, "{}: nothing of it can be deformed", model_.source);
    return lowest[0];
  }

  /// Displacements by a unit force at a node in each of its directions, the interface held.
  void attach(Interior& inside, bool free) {
    if (free && !options_.attachment.empty())
      fail(ExitCode::usage, "attachment shapes need an interface that holds the model");
    for (const int id : options_.attachment) {
      const int p = model_.node(id);
      if (p < 0) fail(ExitCode::input, "{}: there is no node {} with unknowns", model_.source, id);
      for (int u = model_.first[p]; u < model_.first[p + 1]; ++u) {
        if (boundary_.held[u]) continue;
        const auto at = std::lower_bound(inside.unknowns().begin(), inside.unknowns().end(), u);
        std::vector<double> x(inside.size());
        x[static_cast<std::size_t>(at - inside.unknowns().begin())] = 1;
        inside.solve(x.data(), x.data());
        shapes_.push_back(inside.spread(x.data()));
        ++out_.attached;
      }
    }
  }

  /// Forces on all unknowns.
  std::vector<double> forces_of(const std::vector<NodalLoad>& loads) const {
    std::vector<double> out(model_.unknowns());
    for (const NodalLoad& load : loads) {
      const int p = model_.node(load.node);
      if (p < 0) fail(ExitCode::input, "{}: there is no node {} with unknowns", model_.source, load.node);
      const int u = model_.unknown(p, load.direction);
      if (u < 0)
        fail(ExitCode::input, "{}: node {} has no {}; give forces on nodes around it", model_.source,
             load.node,
             load.direction < 3 ? "displacement in that direction" : "rotations that a moment could act on");
      out[u] += load.value;
    }
    return out;
  }

  /// Displacements by the load cases, the interface held.
  void add_load_shapes(Interior& inside) {
    std::vector<double> x(inside.size());
    for (const std::vector<double>& force : loads_) {
      for (int k = 0; k < inside.size(); ++k) x[k] = force[inside.unknowns()[k]];
      inside.solve(x.data(), x.data());
      shapes_.push_back(inside.spread(x.data()));
      ++out_.attached;
    }
  }

  /// Displacements K⁻¹ M φ by the inertia of the slowest modes φ of the static shapes alone, the interface
  /// held: what these lack most where the interface moves.
  void add_inertia_shapes(Interior& inside) {
    const int statics = out_.motions, count = std::min(options_.inertia, statics);
    if (count == 0) return;
    const std::vector<std::vector<double>> basis(shapes_.begin() + 6, shapes_.begin() + 6 + statics);
    const MatrixXd slowest = Pencil(model_, basis).solve(0).combination;
    std::vector<double> moved(model_.unknowns()), force(model_.unknowns()), x(inside.size());
    for (int j = 0; j < std::min<Index>(count, slowest.cols()); ++j) {
      std::fill(moved.begin(), moved.end(), 0.0);
      for (int k = 0; k < statics; ++k)
        for (std::size_t u = 0; u < moved.size(); ++u) moved[u] += slowest(k, j) * basis[k][u];
      multiply(model_.pattern, model_.mass, moved.data(), force.data());
      for (int k = 0; k < inside.size(); ++k) x[k] = force[inside.unknowns()[k]];
      inside.solve(x.data(), x.data());
      shapes_.push_back(inside.spread(x.data()));
      ++out_.attached;
    }
  }

  void normal_modes(Interior& inside, double shift, bool free) {
    const double limit = options_.to_frequency;
    int count = limit > 0 ? 20 : options_.modes;
    if (free) count += 6;
    if (count == 0) return;
    FixedModes found;
    for (;; count *= 2) {
      tell("{} modes of the {} model", count, free ? "free" : "held");
      found = fixed_modes(inside, shift, count);
      const auto got = static_cast<int>(found.eigenvalue.size());
      if (!(limit > 0) || got < count || std::sqrt(std::max(0.0, found.eigenvalue.back())) > turn * limit)
        break;
    }
    for (std::size_t k = 0; k < found.eigenvalue.size(); ++k) {
      const double frequency = std::sqrt(std::max(0.0, found.eigenvalue[k])) / turn;
      if (limit > 0 && frequency > limit) break;
      out_.normal.push_back(frequency);
      shapes_.push_back(inside.spread(found.shape[k].data()));
    }
  }

  /// Makes modes of the shapes from 6 on. Twice, since at first shapes that are nearly combinations of others
  /// cost digits.
  void orthogonalize() {
    tell("orthogonal modes of {} shapes", shapes_.size() - 6);
    const auto given = static_cast<int>(shapes_.size());
    Pencil::Modes modes;
    for (int pass = 0; pass < 2; ++pass) {
      modes = Pencil(model_, shapes_).solve(6);
      combine(modes.combination);
    }
    if (modes.eigenvalues.size() == 0)
      fail(ExitCode::input, "{}: no shape of the basis is a deformation that moves mass", model_.source);
    // Six more are combinations of the rigid motions, as the interface or the free modes of ω = 0 make them.
    out_.dependent = given - 6 - static_cast<int>(modes.eigenvalues.size()) - 6;
    ModalBody& body = out_.body;
    body.modes = static_cast<int>(modes.eigenvalues.size());
    body.stiffness.assign(static_cast<std::size_t>(body.modes) * body.modes, 0.0);
    for (int j = 0; j < body.modes; ++j) {
      const double square = std::max(0.0, modes.eigenvalues[j]);
      body.mode_id.push_back(j + 1);
      body.frequency.push_back(std::sqrt(square) / turn);
      body.stiffness[static_cast<std::size_t>(j) * body.modes + j] = square;
    }
  }
  /// Puts combinations, their largest displacement positive, in the place of the shapes behind the rigid
  /// ones.
  void combine(const MatrixXd& combination) {
    const Index n = model_.unknowns(), all = combination.rows();
    std::vector<std::vector<double>> combined(shapes_.begin(), shapes_.begin() + 6);
    for (Index j = 0; j < combination.cols(); ++j) {
      Eigen::Map<VectorXd> sum(combined.emplace_back(n).data(), n);
      for (Index k = 0; k < all; ++k)
        sum += combination(k, j) * Eigen::Map<const VectorXd>(shapes_[k].data(), n);
      Index at = 0;
      sum.cwiseAbs().maxCoeff(&at);
      if (sum[at] < 0) sum = -sum;
    }
    shapes_ = std::move(combined);
  }

  Reduction finish() {
    tell("invariants of {} modes", out_.body.modes);
    ModalBody& body = out_.body;
    body.source = model_.source;
    if (!loads_.empty()) keep_rigid_modes();
    for (std::size_t k = loads_.empty() ? 6 : 0; k < shapes_.size(); ++k) {
      flat_.insert(flat_.end(), shapes_[k].begin(), shapes_[k].end());
      std::vector<double>().swap(shapes_[k]);
    }
    body.invariants = consistent_invariants(model_, flat_, body.modes);
    const Eigen::Map<const MatrixXd> shapes(flat_.data(), model_.unknowns(), body.modes);
    for (const std::vector<double>& force : loads_) {
      const VectorXd on_modes =
          shapes.transpose() * Eigen::Map<const VectorXd>(force.data(), model_.unknowns());
      body.loads.emplace_back(on_modes.begin(), on_modes.end());
    }
    out_.unturned = add_nodes(model_, boundary_, {options_.nodes, options_.all_nodes}, flat_, body);
    if (options_.keep_shapes) out_.shapes = std::move(flat_);
    return std::move(out_);
  }

  /// Modes 1 to 6, in front of those that deform the body.
  void keep_rigid_modes() {
    ModalBody& body = out_.body;
    const int elastic = body.modes;
    body.modes += 6;
    body.frequency.insert(body.frequency.begin(), 6, 0.0);
    body.mode_id.resize(body.modes);
    std::iota(body.mode_id.begin(), body.mode_id.end(), 1);
    std::vector<double> stiffness(static_cast<std::size_t>(body.modes) * body.modes);
    for (int j = 0; j < elastic; ++j)
      stiffness[static_cast<std::size_t>(6 + j) * (body.modes + 1)] =
          body.stiffness[static_cast<std::size_t>(j) * (elastic + 1)];
    body.stiffness = std::move(stiffness);
  }

  const FullModel& model_;
  const ReductionOptions& options_;
  const Boundary boundary_;
  Vec3d centre_{};
  std::vector<std::vector<double>> shapes_;  ///< per shape its displacements; the first six are rigid
  std::vector<double> flat_;                 ///< unknowns × modes, by columns
  std::vector<std::vector<double>> loads_;   ///< per load case: forces on all unknowns
  Reduction out_;
};

}  // namespace

Reduction reduce(const FullModel& model, const ReductionOptions& options) {
  return Reducer(model, options).run();
}

}  // namespace trammel
