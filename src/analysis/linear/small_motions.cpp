#include "analysis/linear/small_motions.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "analysis/linear/along_motion.h"
#include "analysis/linear/coordinates.h"
#include "analysis/linear/tangent_parts.h"

namespace trammel {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Indices of the tangent's rows and columns by kind.
struct Layout {
  std::vector<int> q;             ///< coordinates
  std::vector<int> holonomic;     ///< multipliers of rows that bind positions
  std::vector<int> nonholonomic;  ///< multipliers of rows that are linear in velocities
  std::vector<int> scalars;       ///< scalars that do not keep their values
};

/// Holds the states of inactive elements, which rest and which nothing reads, and the values that sensors
/// set.
void hold_inactive_states(const Model& model, std::vector<unsigned char>& held) {
  for (std::size_t k = 0; k < held.size(); ++k)
    if (const Scalar& s = model.scalars[k]; s.differential() && (!s.name.active || s.set_by_sensor))
      held[k] = 1;
}

/// Holds the states of MOTIONs whose velocity or acceleration follows from time alone, or that are inactive:
/// no equation couples them to others.
void hold_driven_states(const Model& model, const TangentParts& parts, std::vector<unsigned char>& held) {
  for (const ConstraintElement& e : model.constraint_elements) {
    if (e.scalar < 0 || e.level == 0) continue;
    const int last = model.first_scalar() + e.scalar + e.level - 1;
    double coupled = 0;
    for (int k = 0; k < model.unknowns(); ++k)
      if (k != last)
        coupled += std::abs(parts.M(last, k)) + std::abs(parts.C(last, k)) + std::abs(parts.K(last, k));
    for (int k = 0; coupled == 0 && k < e.level; ++k) held[e.scalar + k] = 1;
  }
}

Layout layout_of(const Model& model, const Assembler& assembler, const TangentParts& parts,
                 const SmallMotionOptions& options) {
  Layout out;
  for (int k = 0; k < model.coordinates; ++k) out.q.push_back(k);
  std::vector<unsigned char> pfaffian(model.multipliers, 0), held(model.scalars.size(), 0);
  for (const GeneralConstraint& g : model.general_constraints) pfaffian[g.row] = g.pfaffian;
  for (int k = 0; k < model.multipliers; ++k)
    if (!assembler.masked(k))
      (pfaffian[k] ? out.nonholonomic : out.holonomic).push_back(model.coordinates + k);
  for (const int k : options.held) held[k] = 1;
  hold_inactive_states(model, held);
  hold_driven_states(model, parts, held);
  for (std::size_t k = 0; k < held.size(); ++k)
    if (!held[k]) out.scalars.push_back(model.first_scalar() + static_cast<int>(k));
  return out;
}

/// Square roots of masses, and of moments of inertia over the square of `arm`: six for each body, then those
/// of modal masses. Where coordinates of heavy bodies are chosen first, light bodies move by themselves, and
/// their small inertia is not lost in a sum. Of modes without inertia the stiff ones come first: the modes
/// that then follow by constraints are soft, and add little to their stiffness.
VectorXd root_of_inertia(const Model& model, double arm) {
  constexpr double none = 1e-150;
  VectorXd out(6 * model.bodies.size() + static_cast<std::size_t>(model.modal_coordinates));
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    const Mat3d& J = body.inertia;
    const double turning = (J(0, 0) + J(1, 1) + J(2, 2)) / (3 * arm * arm);
    out.segment(6 * static_cast<Index>(b), 3).setConstant(std::sqrt(std::max(body.mass, none)));
    out.segment(6 * static_cast<Index>(b) + 3, 3).setConstant(std::sqrt(std::max(turning, none)));
  }
  const Index first = 6 * static_cast<Index>(model.bodies.size()) - model.first_modal();
  for (const FlexibleBody& f : model.flexible_bodies)  // a modal mass is the mass of the body
    for (int j = 0; j < f.modes; ++j)
      out[first + f.first + j] = std::sqrt(j < f.dynamic ? std::max(model.bodies[f.body].mass, none)
                                                         : none * f.stiffness[j * f.modes + j]);
  return out;
}

/// Rows P of P δq, of which some become the coordinates p, in three groups: VARIABLEs that were asked for,
/// displacements relative to RM, displacements relative to ground. Of each group in turn those rows are taken
/// that determine most of the free motion, of heavy bodies first.
class Candidates {
 public:
  Candidates(const Model& model, const Layout& layout, const SmallMotionOptions& options)
      : model_(model),
        layout_(layout),
        options_(options),
        seen_(model, options.RM, options.arm),
        global_(model, -1, options.arm),
        kinematics_(model) {}

  /// The rows of the three groups, one group below the other; one column per coordinate.
  MatrixXd at(const State& state, const TangentParts& parts) {
    kinematics_.update(state);
    const Index m = static_cast<Index>(options_.measures.size());
    MatrixXd out(m + 2 * seen_.rows(), model_.coordinates);
    out << measures(parts), seen_.at(kinematics_), global_.at(kinematics_);
    return out;
  }
  std::string name(int row, double& unit) const {
    const int m = static_cast<int>(options_.measures.size()), n = seen_.rows();
    unit = 1;
    if (row < m) return model_.scalars[options_.measures[row]].name.label();
    if (row < m + n) return seen_.name(row - m, unit);
    return global_.name(row - m - n, unit) + (options_.RM >= 0 ? " in ground" : "");
  }

  /// Indices of the rows of `all` that distinguish the motions N p' best.
  std::vector<int> choose(const MatrixXd& all, const MatrixXd& N) const {
    constexpr double weak = 1e-4;  // relative to rows of length one
    const Index m = static_cast<Index>(options_.measures.size()), n = seen_.rows();
    MatrixXd rows = all * N;
    std::vector<int> out;
    const auto take = [&](Index row) {
      const Eigen::RowVectorXd direction = rows.row(row).normalized();
      out.push_back(static_cast<int>(row));
      rows -= (rows * direction.transpose()) * direction;
    };
    for (Index row = 0; row < m; ++row) {
      if (rows.row(row).norm() <= 1e-8 * all.row(row).norm())
        fail(ExitCode::input, "{}, which PSTATE names, is not a coordinate of its own of small motions",
             model_.scalars[options_.measures[row]].name.label());
      take(row);
    }
    const VectorXd inertia = root_of_inertia(model_, options_.arm);
    for (int group = 0; group < 2; ++group)
      while (static_cast<Index>(out.size()) < N.cols()) {
        const VectorXd size = rows.middleRows(m + group * n, n).rowwise().norm();
        Index best = 0;
        (size.array() > weak).select(size.array() * inertia.array(), 0.0).maxCoeff(&best);
        if (size[best] <= weak) break;
        take(m + group * n + best);
      }
    return out;
  }

 private:
  /// ∂V/∂q with all algebraic scalars following: K_ss δs + K_sq δq = 0.
  MatrixXd measures(const TangentParts& parts) const {
    if (options_.measures.empty()) return MatrixXd(0, model_.coordinates);
    std::vector<int> algebraic, place(model_.scalars.size(), -1);
    for (const int s : layout_.scalars)
      if (!model_.scalars[s - model_.first_scalar()].differential()) {
        place[s - model_.first_scalar()] = static_cast<int>(algebraic.size());
        algebraic.push_back(s);
      }
    const MatrixXd D =
        -MatrixXd(parts.K(algebraic, algebraic)).fullPivLu().solve(MatrixXd(parts.K(algebraic, layout_.q)));
    MatrixXd out(options_.measures.size(), model_.coordinates);
    for (std::size_t k = 0; k < options_.measures.size(); ++k)
      out.row(k) = D.row(place[options_.measures[k]]);
    return out;
  }

  const Model& model_;
  const Layout& layout_;
  const SmallMotionOptions& options_;
  DisplacementRows seen_, global_;
  Kinematics kinematics_;
};

/// A basis of the δq with Φq δq = 0, orthonormal in lengths. `displacement`: the square matrix of δq by
/// lengths.
MatrixXd freedom(const MatrixXd& Phi, const MatrixXd& displacement) {
  if (Phi.rows() == 0) return displacement;
  const Eigen::ColPivHouseholderQR<MatrixXd> qr(MatrixXd(Phi * displacement).transpose());
  if (qr.rank() < Phi.rows())
    fail(ExitCode::solver,
         "constraints depend on each other at this position: it is singular, and no linear "
         "equations describe small motions about it");
  const MatrixXd Q = qr.householderQ();
  return displacement * Q.rightCols(displacement.rows() - Phi.rows());
}

/// Coordinates without inertia (of modes that follow their loads, of parts without mass) are of second order
/// only as far as constraints tie them to coordinates with inertia. An orthogonal Q shows these constraints:
/// Q Φ_q = [Φ₁ Φ₂; Φ₃ 0], Φ₂ of the coordinates without inertia, of full rank. So Φ₃ alone binds the
/// coordinates with inertia, and those of p without inertia do not move them: no rounding becomes a mass
/// there.
struct WithoutInertia {
  std::vector<int> columns, others;  ///< indices in δq: without inertia, with inertia
  MatrixXd Q;
  Index rank = 0;  ///< of Φ₂
};

WithoutInertia without_inertia(const MatrixXd& M, const MatrixXd& Phi, const MatrixXd& displacement) {
  constexpr double dependent = 1e-10;  // of the largest pivot: rows of joints agree to rounding
  WithoutInertia out;
  for (int k = 0; k < M.cols(); ++k) (M.col(k).isZero(0) ? out.columns : out.others).push_back(k);
  out.Q = MatrixXd::Identity(Phi.rows(), Phi.rows());
  if (out.columns.empty() || Phi.rows() == 0) return out;
  Eigen::ColPivHouseholderQR<MatrixXd> qr(MatrixXd(Phi * displacement)(Eigen::all, out.columns));
  qr.setThreshold(dependent);
  out.rank = qr.rank();
  out.Q = MatrixXd(qr.householderQ()).transpose();
  return out;
}

/// δq by z = (p, scalars, multipliers): G(q) δq = (−Φ_s δs, p), with G of constraint rows above coordinates;
/// so F = G⁻¹ R, Ḟ = G⁻¹ (Ṙ − Ġ F), F̈ = G⁻¹ (R̈ − G̈ F − 2 Ġ Ḟ).
struct Displacements {
  MatrixXd F, F1, F2;
  MatrixXd H, Y;  ///< columns of G⁻¹ of p, and of constraint rows
};

/// Entries of derivatives that are within the error of their differences, at the rate w of the motion, become
/// zero. `n`: coordinates; `rows`: constraint rows, in G as Q Φ_q.
Displacements displacements(const MatrixJet& jet, Index n, Index rows, double w,
                            const WithoutInertia& light) {
  const auto G_of = [&](const MatrixXd& m) { return MatrixXd(m.leftCols(n)); };
  const auto R = [&](const MatrixXd& m) { return MatrixXd(m.rightCols(m.cols() - n)); };
  MatrixXd G = G_of(jet.value);
  G(Eigen::seqN(light.rank, rows - light.rank), light.columns).setZero();
  const Eigen::PartialPivLU<MatrixXd> lu(G);
  const MatrixXd inverse = lu.inverse();
  Displacements out;
  out.F = inverse * R(jet.value);
  // Rows of p without entries of coordinates without inertia, and those with.
  std::vector<Index> moving, following;
  for (Index k = 0; k < n - rows; ++k)
    (G(rows + k, light.columns).isZero(0) ? moving : following).push_back(k);
  // With this count G is block triangular, which it need not be with VARIABLEs, or with displacements
  // relative to a part without inertia.
  if (rows - light.rank + static_cast<Index>(moving.size()) == static_cast<Index>(light.others.size()))
    out.F(light.others, following).setZero();
  out.F1 = inverse * (R(jet.rate) - G_of(jet.rate) * out.F);
  out.F2 = inverse * (R(jet.second) - G_of(jet.second) * out.F - 2 * G_of(jet.rate) * out.F1);
  const MatrixXd error = accuracy_along_motion * inverse.cwiseAbs() * G.cwiseAbs() * out.F.cwiseAbs();
  out.F1 = (out.F1.array().abs() > w * error.array()).select(out.F1, 0.0);
  out.F2 = (out.F2.array().abs() > w * w * error.array()).select(out.F2, 0.0);
  out.H = out.F.leftCols(n - rows);
  out.Y = inverse.leftCols(rows) * light.Q;
  return out;
}

/// A sum of matrix products, with the sum of their magnitudes, relative to which an entry may be rounding.
struct Sums {
  MatrixXd value, magnitude;

  Sums() = default;
  Sums(const MatrixXd& left, const MatrixXd& right) { add(left, right); }
  Sums(const MatrixXd& left, const Sums& right) { add(left, right); }
  static Sums zero(Index rows, Index columns) {
    Sums out;
    out.value = out.magnitude = MatrixXd::Zero(rows, columns);
    return out;
  }
  void add(const MatrixXd& left, const MatrixXd& right) {
    add_term(left * right, left.cwiseAbs() * right.cwiseAbs());
  }
  void add(const MatrixXd& left, const Sums& right) {
    add_term(left * right.value, left.cwiseAbs() * right.magnitude);
  }
  /// Adds m to the last columns.
  void add_right(const MatrixXd& m) {
    value.rightCols(m.cols()) += m;
    magnitude.rightCols(m.cols()) += m.cwiseAbs();
  }
  MatrixXd without_rounding(double part) const {
    return (value.array().abs() > part * magnitude.array()).select(value, 0.0);
  }

 private:
  void add_term(const MatrixXd& v, const MatrixXd& m) {
    if (value.rows() != v.rows() || value.cols() != v.cols()) *this = zero(v.rows(), v.cols());
    value += v;
    magnitude += m;
  }
};

/// Writes the equations A₂, A₁, A₀, with the multipliers of Φq eliminated. Sums below `part` of their
/// magnitudes are zero: rounding of terms that cancel.
void write_equations(const Layout& at, const TangentParts& parts, const Displacements& d,
                     const SmallMotionOptions& options, double part, SmallMotions& out) {
  const Index p = d.H.cols(), s = static_cast<Index>(at.scalars.size()),
              mu = static_cast<Index>(at.nonholonomic.size()), size = p + s + mu;
  std::vector<int> direct = at.scalars;  // entries of z behind p
  direct.insert(direct.end(), at.nonholonomic.begin(), at.nonholonomic.end());
  const MatrixXd &F = d.F, &F1 = d.F1, &F2 = d.F2;
  // The factors of z̈, ż, z in rows that contain M δq̈ + C δq̇ + K δq.
  struct Parts {
    Sums of[3];
  };
  const auto of_motion = [&](const std::vector<int>& rows) {
    const MatrixXd M = parts.M(rows, at.q), K = parts.K(rows, at.q), C = parts.C(rows, at.q);
    Parts all;
    all.of[0].add(M, F);
    all.of[2].add(M, F2);
    all.of[2].add(K, F);
    if (options.no_damping) {
      all.of[1] = Sums::zero(M.rows(), size);
    } else {
      all.of[1].add(2 * M, F1);
      all.of[1].add(C, F);
      all.of[2].add(C, F1);
    }
    all.of[1].add_right(parts.C(rows, direct));
    all.of[2].add_right(parts.K(rows, direct));
    return all;
  };
  const Parts forces = of_motion(at.q), scalars = of_motion(at.scalars);
  const MatrixXd reactions = parts.K(at.scalars, at.holonomic);  // what scalars read of reactions
  const MatrixXd Ht = d.H.transpose(), by_reactions = -reactions * d.Y.transpose();
  MatrixXd* const equations[] = {&out.A2, &out.A1, &out.A0};
  for (int k = 0; k < 3; ++k) {
    Sums of_scalars = scalars.of[k];
    of_scalars.add(by_reactions, forces.of[k]);
    MatrixXd& A = *equations[k];
    A = MatrixXd::Zero(size, size);
    A.topRows(p) = Sums(Ht, forces.of[k]).without_rounding(part);
    A.middleRows(p, s) = of_scalars.without_rounding(part);
  }
  // ψ_q̇ δq̇ + ψ_q δq + ψ_s δs = 0
  const MatrixXd velocity = parts.C(at.nonholonomic, at.q), position = parts.K(at.nonholonomic, at.q);
  Sums of_position(velocity, F1);
  of_position.add(position, F);
  out.A1.bottomRows(mu) = Sums(velocity, F).without_rounding(part);
  out.A0.bottomRows(mu) = of_position.without_rounding(part);
  out.A0.bottomRows(mu).middleCols(p, s) += MatrixXd(parts.K(at.nonholonomic, at.scalars));
  out.F = F;
  out.F1 = F1;
}

/// The largest √(c/a) and b/a of single unknowns, a, b, c of A₂, A₁, A₀.
double bound_of_frequencies(const SmallMotions& m) {
  double out = 0;
  for (int i = 0; i < m.size(); ++i) {
    const bool moves = i < m.coordinates;
    const double a = std::abs(m.A2(i, i)), c = std::abs(m.A0(i, i)),
                 b = moves ? m.A1.row(i).head(m.coordinates).cwiseAbs().maxCoeff() : std::abs(m.A1(i, i));
    if (a > 0) out = std::max({out, std::sqrt(c / a), b / a});
    if (b > 0 && !moves) out = std::max(out, c / b);
  }
  return out;
}

}  // namespace

double rate_of_motion(const Model& model, const State& state, double arm) {
  Kinematics now(model);
  now.update(state);
  double out = 0;
  const auto include = [&](const auto& k) {
    out = std::max({out, norm(k.v) / arm, std::sqrt(norm(k.a) / arm), norm(k.w), std::sqrt(norm(k.alpha))});
  };
  for (int b = 0; b < now.bodies(); ++b) include(now.body(b));
  for (std::size_t m = 0; m < model.markers.size(); ++m)
    if (model.markers[m].node >= 0) include(now.marker(static_cast<int>(m)));
  for (int k = 0; k < model.modal_coordinates; ++k) {
    const int at = model.first_modal() + k;
    out = std::max({out, std::abs(state.v[at]) / arm, std::sqrt(std::abs(state.a[at]) / arm)});
  }
  return out;
}

SmallMotions small_motions(const Model& model, Assembler& assembler, const State& state,
                           const SmallMotionOptions& options) {
  const TangentParts parts = tangent_parts(model, assembler, state, options.point);
  const Layout at = layout_of(model, assembler, parts, options);
  Candidates candidates(model, at, options);
  const MatrixXd rows = candidates.at(state, parts);
  const Index n = model.coordinates, bound = static_cast<Index>(at.holonomic.size());
  Kinematics kinematics(model);
  kinematics.update(state);
  const Eigen::PartialPivLU<MatrixXd> lengths(lengths_of_coordinates(model, kinematics, options.arm));
  const MatrixXd Phi = parts.K(at.holonomic, at.q), displacement = lengths.inverse();
  const MatrixXd N = freedom(Phi, displacement);
  const WithoutInertia light = without_inertia(parts.M(at.q, at.q), Phi, displacement);
  const std::vector<int> chosen = candidates.choose(rows, N);
  const Index p = n - bound, s = static_cast<Index>(at.scalars.size()),
              mu = static_cast<Index>(at.nonholonomic.size());
  if (static_cast<Index>(chosen.size()) != p)
    fail(ExitCode::solver, "no displacements were found that determine small motions");
  // (G, R) at states along the motion
  const auto bindings = [&](const State& there) {
    const TangentParts now = &there == &state ? parts : tangent_parts(model, assembler, there, options.point);
    const MatrixXd all = candidates.at(there, now);
    MatrixXd out = MatrixXd::Zero(n, n + p + s + mu);
    out.topLeftCorner(bound, n) = light.Q * MatrixXd(now.K(at.holonomic, at.q));
    out.topRows(bound).middleCols(n + p, s) = -light.Q * MatrixXd(now.K(at.holonomic, at.scalars));
    out.bottomLeftCorner(p, n) = all(chosen, Eigen::all);
    out.bottomRows(p).middleCols(n, p).setIdentity();
    return out;
  };
  SmallMotions out;
  const double rate = rate_of_motion(model, state, options.arm);
  const MatrixJet jet = along_motion(state, rate, bindings);
  out.accuracy = rate > 0 ? accuracy_along_motion : 1e-14;
  write_equations(at, parts, displacements(jet, n, bound, rate, light), options, out.accuracy, out);
  out.coordinates = static_cast<int>(p);
  out.B = MatrixXd::Zero(out.size(), static_cast<Index>(options.inputs.size()));
  for (const int row : chosen) {
    out.unit.push_back(1);
    out.names.push_back(candidates.name(row, out.unit.back()));
    out.is_state.push_back(1);
  }
  for (const int unknown : at.scalars) {
    const int k = unknown - model.first_scalar();
    out.scalars.push_back(k);
    out.names.push_back(model.unknown_name(unknown));
    out.unit.push_back(1);
    out.is_state.push_back(model.scalars[k].differential());
    for (std::size_t i = 0; i < options.inputs.size(); ++i)
      if (options.inputs[i] == k) out.B(static_cast<Index>(out.names.size()) - 1, static_cast<Index>(i)) = 1;
  }
  for (const int unknown : at.nonholonomic) {
    out.names.push_back(model.unknown_name(unknown));
    out.unit.push_back(1);
    out.is_state.push_back(0);
  }
  out.rate = rate;
  out.frequency = std::max(rate, bound_of_frequencies(out));
  return out;
}

}  // namespace trammel
