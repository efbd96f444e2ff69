#include "analysis/linear/mode_energies.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "analysis/linear/scalar_changes.h"
#include "assemble/body_motion.h"
#include "assemble/kinematics.h"

namespace trammel {

namespace {

using Complex = std::complex<double>;

struct ComplexVec {
  Complex x, y, z;
  Complex operator[](int k) const { return k == 0 ? x : k == 1 ? y : z; }
};
ComplexVec join(const Vec3d& re, const Vec3d& im) {
  return {{re.x, im.x}, {re.y, im.y}, {re.z, im.z}};
}

/// δx of the centre of mass and δθ of a body for δq = q; zero for ground.
struct RigidDisplacement {
  Vec3d x, turn;
};
RigidDisplacement moved(const Model& model, const Kinematics& now, int b, const Eigen::VectorXd& q) {
  if (b < 0) return {};
  const Body& body = model.bodies[b];
  const Mat3d& H = now.body(b).H;
  const double* d = q.data() + body.first;
  return {translation_of(body, H, d), body.turns() ? rotation_of(body, H, d) : Vec3d{}};
}

/// δr and δθ of a marker for δq = q.
RigidDisplacement moved_marker(const Model& model, const Kinematics& now, int m, const Eigen::VectorXd& q) {
  RigidDisplacement t = moved(model, now, model.markers[m].body, q);
  if (model.markers[m].body >= 0) t.x = t.x + cross(t.turn, now.arm(m));
  const ModeShape change = now.modal_change(m, q.data() + model.first_modal());
  return {t.x + change.r, t.turn + change.turn};
}

/// A direction of change: coordinates δq, their rates δq̇, scalars, accelerations δq̈; an empty vector: no
/// change.
struct Change {
  Eigen::VectorXd q, v, s, a = {};

  double size() const {
    double out = 0;
    for (const Eigen::VectorXd* x : {&q, &v, &a})
      if (x->size() > 0) out = std::max(out, x->cwiseAbs().maxCoeff());
    if (!(out > 0) && s.size() > 0) out = s.cwiseAbs().maxCoeff();
    return out;
  }
};

/// Derivatives of the wrenches of all elements along a change of the state, by central differences D of steps
/// h, h/8, h/64, …, which are extrapolated to h = 0:
///     D_{k,j} = D_{k,j−1} + (D_{k,j−1} − D_{k−1,j−1})/(64^j − 1).
/// Each wrench takes that which differs least from those it is made of, and from rounding of the wrench: a
/// contact of micrometres in a deck in metres bends within the longest steps, and where forces are large
/// nothing is left of the shortest. Source: C. J. F. Ridders, Accurate computation of F'(x) and F'(x) F''(x),
/// Adv. Eng. Software 4 (1982).
class ForceChanges {
 public:
  ForceChanges(const Model& model, Assembler& assembler, const State& state)
      : model_(model), assembler_(assembler), state_(state) {}

  std::vector<double> by(const Change& change) {
    constexpr double longest = 1e-3;
    const double size = change.size();
    std::vector<double> out(12 * model_.force_output.size(), 0.0);
    if (!(size > 0)) return out;
    std::vector<double> error(out.size(), INFINITY);
    double h = longest / size;
    std::array<std::vector<double>, steps> row, before;  // D_{k,j} and D_{k−1,j} by j
    for (int k = 0; k < steps; ++k, h /= shorter) {
      std::swap(row, before);
      row[0] = difference(change, h);
      double gain = 1;
      for (int j = 1; j <= k; ++j) {
        gain *= shorter * shorter;
        row[j] = row[j - 1];
        for (std::size_t i = 0; i < out.size(); ++i) {
          row[j][i] += (row[j - 1][i] - before[j - 1][i]) / (gain - 1);
          const double off =
              std::max(std::abs(row[j][i] - row[j - 1][i]), std::abs(row[j][i] - before[j - 1][i])) +
              rounding * largest_[i] / h;
          if (off < error[i]) error[i] = off, out[i] = row[j][i];
        }
      }
    }
    return out;
  }

 private:
  static constexpr int steps = 8;
  static constexpr double shorter = 8, rounding = 2.2e-16;

  /// (w(h) − w(−h))/2h; magnitudes of the wrenches into `largest_`.
  std::vector<double> difference(const Change& change, double h) {
    std::vector<double> out(12 * model_.force_output.size(), 0.0);
    largest_.assign(out.size(), 0.0);
    for (const double sign : {1.0, -1.0}) {
      State there = state_;
      const auto add = [step = sign * h](std::vector<double>& to, const Eigen::VectorXd& direction) {
        for (Eigen::Index i = 0; i < direction.size(); ++i)
          to[static_cast<std::size_t>(i)] += step * direction[i];
      };
      add(there.q, change.q);
      add(there.v, change.v);
      add(there.s, change.s);
      add(there.a, change.a);
      assembler_.evaluate(there, {AnalysisMode::linear, phase_dynamics});
      const auto w = assembler_.wrenches();
      for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] += sign / (2 * h) * w[i];
        largest_[i] = std::max(largest_[i], std::abs(w[i]));
      }
    }
    return out;
  }

  const Model& model_;
  Assembler& assembler_;
  const State& state_;
  std::vector<double> largest_;
};

/// Calls f(element, index of its first pair of markers) for all active forces.
template <class F>
void for_forces(const Model& model, F f) {
  int pair = 0;
  model.for_wrench_tables([&](const auto& table) {
    using Element = typename std::decay_t<decltype(table)>::value_type;
    constexpr bool holds =
        std::is_same_v<Element, ConstraintElement> || std::is_same_v<Element, GeneralConstraint>;
    for (const auto& e : table) {
      if (!holds && e.name.active) f(e, pair);
      pair += e.pairs();
    }
  });
}

EnergyRow kinetic_row(const Body& body, const BodyKinematics& at, const RigidDisplacement& re,
                      const RigidDisplacement& im, double w2) {
  EnergyRow row{body.name.label(), {}};
  const ComplexVec x = join(re.x, im.x), t = join(re.turn, im.turn);
  for (int k = 0; k < 3; ++k) row.part[k] = 0.5 * w2 * body.mass * std::norm(x[k]);
  if (!body.turns()) return row;
  const Mat3d J = at.A * body.inertia * transpose(at.A);
  for (int k = 0; k < 3; ++k) row.part[3 + k] = 0.5 * w2 * J(k, k) * std::norm(t[k]);
  constexpr int pairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};
  for (int k = 0; k < 3; ++k)
    row.part[6 + k] = w2 * J(pairs[k][0], pairs[k][1]) * (t[pairs[k][0]] * std::conj(t[pairs[k][1]])).real();
  return row;
}

/// Strain energy ½ x̄ᵀ K x of the modal coordinates; x: real and imaginary parts.
EnergyRow strain_row(const FlexibleBody& f, const Eigen::VectorXd (&x)[2]) {
  EnergyRow row{f.name.label(), {}};
  const Eigen::Map<const Eigen::MatrixXd> K(f.stiffness.data(), f.modes, f.modes);
  for (const Eigen::VectorXd& part : x)
    row.modes += 0.5 * part.segment(f.first, f.modes).dot(K * part.segment(f.first, f.modes));
  return row;
}

/// −½ Re Σ δF · conj(δr) over the markers of one force; δr by the change `q` of the coordinates.
template <class Element>
EnergyRow work_row(const Model& model, const Kinematics& now, const Element& e, int pair,
                   const std::vector<double> (&force)[2], const Eigen::VectorXd (&q)[2]) {
  EnergyRow row{e.name.label(), {}};
  int side = 0;
  e.for_ends([&](int m) {
    const std::size_t at = 12 * static_cast<std::size_t>(pair) + 6 * static_cast<std::size_t>(side++);
    const RigidDisplacement re = moved_marker(model, now, m, q[0]), im = moved_marker(model, now, m, q[1]);
    const ComplexVec x = join(re.x, im.x), t = join(re.turn, im.turn);
    for (int k = 0; k < 6; ++k) {
      const Complex f(force[0][at + k], force[1][at + k]);
      row.part[k] -= 0.5 * (f * std::conj(k < 3 ? x[k] : t[k - 3])).real();
    }
  });
  return row;
}

/// Changes of the forces in a mode, apart by displacements, velocities and accelerations; real and imaginary
/// parts.
struct ForceWork {
  std::vector<double> by_displacement[2], by_velocity[2], by_acceleration[2];
  Eigen::VectorXd acceleration[2];

  ForceWork(const Model& model, Assembler& assembler, const State& state, const Mode& mode, bool no_damping) {
    const ScalarChanges scalars(model, assembler, state);
    ForceChanges forces(model, assembler, state);
    const Eigen::VectorXcd a = mode.s * mode.v;
    for (int k = 0; k < 2; ++k) {
      const auto part = [k](const Eigen::VectorXcd& x) -> Eigen::VectorXd {
        if (k == 0) return x.real();
        return x.imag();
      };
      const Eigen::VectorXd q = part(mode.q), v = part(mode.v), s = part(mode.scalar);
      acceleration[k] = part(a);
      const Eigen::VectorXd place = scalars.by_displacement(q), velocity = scalars.by_velocity(v),
                            inertia = scalars.by_acceleration(acceleration[k]), states = scalars.by_states(s);
      Eigen::VectorXd parts = place + inertia + states;
      if (!no_damping) parts += velocity;
      by_displacement[k] = forces.by({q, {}, place});
      by_velocity[k] = forces.by({{}, v, velocity});
      by_acceleration[k] = forces.by({{}, {}, inertia, acceleration[k]});
      const std::vector<double> by_phase = forces.by({{}, {}, states + scalars.by_reactions(s, parts)});
      for (std::vector<double>* sum : {&by_displacement[k], &by_velocity[k]})
        for (std::size_t i = 0; i < sum->size(); ++i) (*sum)[i] += by_phase[i];
    }
  }
};

}  // namespace

double EnergyRow::sum() const {
  return std::accumulate(part.begin(), part.end(), modes);
}

std::vector<EnergyRow> sums_by_kind(const std::vector<EnergyRow>& rows) {
  std::vector<EnergyRow> out;
  EnergyRow all{"all", {}};
  const auto add = [](EnergyRow& to, const EnergyRow& row) {
    for (std::size_t k = 0; k < row.part.size(); ++k) to.part[k] += row.part[k];
    to.modes += row.modes;
  };
  for (const EnergyRow& row : rows) {
    const std::string kind = row.name.substr(0, row.name.find('/'));
    auto at = std::find_if(out.begin(), out.end(), [&](const EnergyRow& sum) { return sum.name == kind; });
    if (at == out.end()) at = out.insert(out.end(), EnergyRow{kind, {}});
    add(*at, row);
    add(all, row);
  }
  out.push_back(all);
  return out;
}

ModeEnergies mode_energies(const Model& model, Assembler& assembler, const State& state, const Mode& mode,
                           bool no_damping) {
  ModeEnergies out;
  Kinematics now(model);
  now.update(state);
  const Eigen::VectorXd q[2] = {mode.q.real(), mode.q.imag()}, v[2] = {mode.v.real(), mode.v.imag()};
  const double w2 = std::norm(mode.s);
  double quadratic = 0;  // kinetic energy for |s| = 1
  for (int b = 0; b < now.bodies(); ++b) {
    const RigidDisplacement re = moved(model, now, b, q[0]), im = moved(model, now, b, q[1]);
    out.of_parts.push_back(kinetic_row(model.bodies[b], now.body(b), re, im, w2));
    quadratic += kinetic_row(model.bodies[b], now.body(b), re, im, 1.0).sum();
  }
  if (!model.flexible_bodies.empty()) assembler.evaluate(state, {AnalysisMode::linear, phase_dynamics});
  for (std::size_t i = 0; i < model.flexible_bodies.size(); ++i) {
    const FlexibleBody& f = model.flexible_bodies[i];
    double energy = 0, power = 0;
    for (const Eigen::VectorXd& part : q) {
      const RigidDisplacement frame = moved(model, now, f.body, part);
      energy +=
          assembler.modal_kinetic_energy(static_cast<int>(i), frame.x, frame.turn, part.data() + f.first);
    }
    for (const Eigen::VectorXd& part : v) {
      const RigidDisplacement frame = moved(model, now, f.body, part);
      power += assembler.modal_dissipation(static_cast<int>(i), frame.x, frame.turn, part.data() + f.first);
    }
    out.of_parts[static_cast<std::size_t>(f.body)].modes = w2 * energy;
    quadratic += energy;
    out.of_springs.push_back(strain_row(f, q));
    out.of_dampers.push_back({f.name.label(), {}});
    out.of_dampers.back().modes = 0.5 * power;
  }
  const ForceWork work(model, assembler, state, mode, no_damping);
  for_forces(model, [&](const auto& e, int pair) {
    out.of_springs.push_back(work_row(model, now, e, pair, work.by_displacement, q));
    out.of_dampers.push_back(work_row(model, now, e, pair, work.by_velocity, v));
    EnergyRow inertia = work_row(model, now, e, pair, work.by_acceleration, work.acceleration);
    if (!(w2 > 0) || inertia.sum() == 0) return;
    for (double& part : inertia.part) part /= w2;
    quadratic += inertia.sum() / w2;
    out.of_parts.push_back(inertia);
  });
  out.mass = 2 * quadratic;
  out.stiffness = w2 * out.mass;
  out.kinetic = 0.5 * out.stiffness;
  return out;
}

std::vector<std::array<Complex, 6>> mode_shape(const Model& model, const State& state, const Mode& mode) {
  Kinematics now(model);
  now.update(state);
  const Eigen::VectorXd q[2] = {mode.q.real(), mode.q.imag()};
  std::vector<std::array<Complex, 6>> out;
  for (int b = 0; b < now.bodies(); ++b) {
    const Body& body = model.bodies[b];
    RigidDisplacement part[2];
    for (int k = 0; k < 2; ++k) {
      part[k] = moved(model, now, b, q[k]);
      if (body.turns()) part[k].x = part[k].x + cross(part[k].turn, now.body(b).A * body.bcs);
    }
    const ComplexVec x = join(part[0].x, part[1].x), t = join(part[0].turn, part[1].turn);
    out.push_back({x.x, x.y, x.z, t.x, t.y, t.z});
  }
  return out;
}

}  // namespace trammel
