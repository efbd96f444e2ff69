#include "analysis/statics/large_rest_stability.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <random>

#include "analysis/linear/nearest_modes.h"
#include "linear/inertia.h"

namespace trammel {

namespace {

using Eigen::VectorXd;
using Values = std::vector<double>;

constexpr double slow = 3e-7;  // of the fastest frequency: a slower motion is held by nothing
constexpr double fast = 1e4;   // of the fastest frequency of a single coordinate: a bound of all frequencies
constexpr double symmetric = 1e-9;  // largest difference of scaled entries that is rounding

/// The linear equations (s² M + s C + K) x = 0 of an equilibrium; `mechanical` are its coordinates and the
/// multipliers of rows in force.
class RestPencil {
 public:
  RestPencil(StaticProblem& problem, const State& state)
      : model_(problem.model),
        assembler_(problem.assembler),
        pencil_(problem.model, problem.assembler, state, {problem.point.mode, phase_dynamics}),
        arm_(problem.initial.arm()) {
    std::vector<int> held;
    for (const int k : problem.equations.held()) held.push_back(model_.first_scalar() + k);
    pencil_.hold(held);
    std::vector<unsigned char> mechanical(pencil_.pattern.n, 0);
    std::fill_n(mechanical.begin(), model_.coordinates, 1);
    coordinates_ = mechanical;
    for (int k = 0; k < model_.multipliers; ++k)
      if (!assembler_.masked(k)) mechanical[model_.coordinates + k] = 1, ++constraints_;
    mechanical_ = std::move(mechanical);
    is_held_.assign(pencil_.pattern.n, 0);
    for (const int k : held) is_held_[k] = 1;
    const double bound = pencil_.frequency(model_.coordinates);
    w_ = bound > 0 ? bound : 1.0;
  }

  /// Why the signs of K do not decide about stability; "" where they do.
  std::string why_not_symmetric() const {
    for (const GeneralConstraint& g : model_.general_constraints)
      if (g.pfaffian && !assembler_.masked(g.row))
        return fmt::format("{} binds velocities", model_.equation_name(model_.coordinates + g.row));
    if (const std::string scalar = what_moves_parts(); !scalar.empty()) return scalar;
    const SymmetricPart part(pencil_.pattern, mechanical_);
    Values size = pencil_.K;
    for (std::size_t k = 0; k < size.size(); ++k)
      size[k] = std::abs(size[k]) + w_ * (std::abs(pencil_.C[k]) + w_ * std::abs(pencil_.M[k]));
    for (const Values* of : {&pencil_.K, &pencil_.C}) {
      Values values = *of;
      if (of == &pencil_.C)
        for (double& v : values) v *= w_;
      if (const Asymmetry a = part.asymmetry(values, size); a.size > symmetric)
        return fmt::format("{} has no potential where {} changes ({} is not symmetric)",
                           model_.equation_name(a.row), model_.unknown_name(a.column),
                           of == &pencil_.K ? "its stiffness" : "its damping");
    }
    return damping_takes_energy() ? "" : "a force does work on what moves (its damping is negative)";
  }

  /// Number of directions, of those that constraints leave free, in which K + σ C + `tau` M is negative.
  int negative(double sigma, double tau) const {
    Values values = combined(pencil_.K, pencil_.M, tau);
    if (sigma != 0) values = combined(values, pencil_.C, sigma);
    return SymmetricPart(pencil_.pattern, mechanical_).inertia(values).negative - constraints_;
  }

  /// The fastest frequency [rad/time], to about a tenth, by power iteration with (K + τ M)⁻¹ K, which for
  /// large τ is M⁻¹ K/τ on the constraints.
  double fastest() const {
    const double most = fast * w_ * fast * w_;
    GuardedSystem system = factored(combined(pencil_.K, pencil_.M, most));
    VectorXd x = random(1);
    for (int k = 0; k < 20; ++k)
      if (!iterate(system, pencil_.K, x)) return w_;
    return std::sqrt(std::abs(product(pencil_.K, x)) / product(pencil_.M, x));
  }
  /// Number of directions without inertia that are negative, at any s.
  int negative_without_inertia() const { return negative(0, fast * w_ * fast * w_); }

  /// The largest real eigenvalue s between `low` and `high` (2 % apart) [1/time], and its motion x, by
  /// inverse iteration at `high`.
  double growing(double low, double high, VectorXd& x) const {
    GuardedSystem system = factored(pencil_.at(high));
    const Values weight = combined(pencil_.C, pencil_.M, 2 * high);
    x = random(1);
    double s = high;
    for (int k = 0; k < 60; ++k) {
      iterate(system, weight, x);
      const double before = s;
      s = growth(x);
      if (std::abs(s - before) <= 1e-10 * s) break;
    }
    return std::clamp(s, low, high);
  }

  /// Labels of the parts that move in motions that nothing holds: inverse iteration brings random
  /// combinations of these out. `w`: the fastest frequency; `direction`: δq of one of the motions.
  std::vector<std::string> neutral_parts(double w, VectorXd& direction) const {
    const double shift = 1e-10 * w * w;
    GuardedSystem system = factored(combined(pencil_.K, pencil_.M, shift));
    VectorXd size = VectorXd::Zero(model_.coordinates);
    for (int seed = 1; seed <= 4; ++seed) {
      VectorXd x = random(seed);
      for (int k = 0; k < 50; ++k) {
        iterate(system, pencil_.M, x);
        if (k > 2 && std::abs(product(pencil_.K, x)) <= 1e-4 * slow * slow * w * w * product(pencil_.M, x))
          break;
      }
      if (seed == 1) direction = x.head(model_.coordinates);
      size += x.head(model_.coordinates).cwiseAbs() / x.head(model_.coordinates).cwiseAbs().maxCoeff();
    }
    std::vector<std::string> names;
    name_moved_parts(model_, {size.data(), static_cast<std::size_t>(size.size())}, arm_, names);
    return names;
  }

  /// Unstable where one of the slowest modes grows; else undecided, for the reason `why`.
  RestStability of_slowest(const std::string& why) const {
    const int count = std::clamp((model_.coordinates - constraints_) / 2, 1, 30);
    RestStability out;
    out.kind = RestStability::Kind::undecided;
    out.at_least = true;
    try {
      const Modes modes = nearest_modes(model_, assembler_, pencil_, count, 0, arm_);
      int slowest = 0;
      for (const Mode& mode : modes.modes) {
        ++slowest;
        if (std::abs(mode.s) <= slow * w_ || mode.s.real() <= 1e-9 * w_) continue;
        out.kind = RestStability::Kind::unstable;
        out.unstable += mode.paired() ? 2 : 1;
        if (mode.s.real() <= out.largest_real) continue;
        out.largest_real = mode.s.real();
        const VectorXd dq = mode.q.real();
        out.direction.assign(dq.data(), dq.data() + dq.size());
      }
      out.undecided = fmt::format("{}. None of the {} slowest modes grows", why, slowest);
    } catch (const Failure& failure) {
      out.undecided = fmt::format("{}. Of the slowest modes: {}", why, failure.what());
    }
    return out;
  }

 private:
  static Values combined(const Values& a, const Values& b, double factor) {
    Values out = a;
    for (std::size_t k = 0; k < out.size(); ++k) out[k] += factor * b[k];
    return out;
  }

  /// A sentence about a scalar on which forces or constraint rows depend, or that has a rate of its own. "":
  /// there is none.
  std::string what_moves_parts() const {
    const SparsePattern& pattern = pencil_.pattern;
    for (int column = model_.first_scalar(); column < pattern.n; ++column) {
      if (is_held_[column]) continue;
      for (int k = pattern.column_start[column]; k < pattern.column_start[column + 1]; ++k) {
        const bool enters = pencil_.K[k] != 0 || pencil_.C[k] != 0 || pencil_.M[k] != 0;
        if (enters && mechanical_[pattern.row[k]])
          return fmt::format("{} acts on {}", model_.unknown_name(column),
                             model_.equation_name(pattern.row[k]));
        if (pattern.row[k] == column && pencil_.C[k] != 0)
          return fmt::format("{} is a state beside the motion of parts", model_.unknown_name(column));
      }
    }
    return "";
  }

  bool damping_takes_energy() const {
    if (std::all_of(pencil_.C.begin(), pencil_.C.end(), [](double c) { return c == 0; })) return true;
    const Values values = combined(pencil_.C, pencil_.M, 1e-12 * w_);
    return SymmetricPart(pencil_.pattern, coordinates_).inertia(values).negative == 0;
  }

  GuardedSystem factored(const Values& values) const {
    const Structure& structure = *assembler_.structure();
    GuardedSystem system;
    system.analyze(structure.pattern(), structure.graph(), structure.order());
    if (!system.set_matrix(values.data()).ok())
      fail(ExitCode::solver, "the linear equations of the equilibrium are singular");
    return system;
  }

  /// x ← A⁻¹ W x, over the coordinates, normalised to length one; A: the matrix of `system`. False: x is zero
  /// then.
  bool iterate(GuardedSystem& system, const Values& weight, VectorXd& x) const {
    x.tail(x.size() - model_.coordinates).setZero();
    VectorXd b = VectorXd::Zero(x.size());
    pencil_.add_product(weight, x, b);
    b.tail(b.size() - model_.coordinates).setZero();
    if (!system.solve(b.data(), x.data()).ok())
      fail(ExitCode::solver, "the linear equations of the equilibrium are singular");
    const double size = x.head(model_.coordinates).norm();
    if (size > 0) x /= size;
    return size > 0;
  }

  /// xᵀ A x over the coordinates.
  double product(const Values& values, const VectorXd& x) const {
    VectorXd of_coordinates = x, y = VectorXd::Zero(x.size());
    of_coordinates.tail(x.size() - model_.coordinates).setZero();
    pencil_.add_product(values, of_coordinates, y);
    return of_coordinates.head(model_.coordinates).dot(y.head(model_.coordinates));
  }
  /// The larger root s of s² xᵀMx + s xᵀCx + xᵀKx = 0.
  double growth(const VectorXd& x) const {
    const double m = product(pencil_.M, x), c = product(pencil_.C, x), k = product(pencil_.K, x);
    return k < 0 ? -2 * k / (c + std::sqrt(c * c - 4 * m * k)) : 0.0;
  }

  VectorXd random(int seed) const {
    std::mt19937 engine(static_cast<std::uint32_t>(seed));  // fixed: the same model always takes the same way
    VectorXd out = VectorXd::Zero(pencil_.pattern.n);
    for (int k = 0; k < model_.coordinates; ++k) out[k] = engine() / 2147483648.0 - 1;
    return out;
  }

  const Model& model_;
  Assembler& assembler_;
  SparsePencil pencil_;
  double arm_, w_ = 1;
  std::vector<unsigned char> mechanical_, coordinates_, is_held_;
  int constraints_ = 0;
};

/// Counts by signs. Directions without inertia may be negative at any s: their number is subtracted.
/// `coordinates`: of the model.
RestStability by_signs(const RestPencil& pencil, int coordinates) {
  const double w = pencil.fastest(), least = slow * slow * w * w;
  const int held = pencil.negative(0, least),
            without_inertia = held > 0 ? pencil.negative_without_inertia() : 0;
  RestStability out;
  out.unstable = held - without_inertia;
  out.neutral = pencil.negative(0, -least) - held;
  VectorXd direction;
  if (out.neutral > 0) out.neutral_parts = pencil.neutral_parts(w, direction);
  if (out.unstable > 0) {
    // eigenvalues above σ are as many as K + σ C + σ² M has negative directions
    const auto above = [&](double sigma) { return pencil.negative(sigma, sigma * sigma) - without_inertia; };
    double low = 1e-10 * w, high = 10 * w;
    while (high > 1.02 * low) {
      const double middle = std::sqrt(low * high);
      (above(middle) > 0 ? low : high) = middle;
    }
    out.largest_real = pencil.growing(low, high, direction);
  }
  out.kind = out.unstable > 0  ? RestStability::Kind::unstable
             : out.neutral > 0 ? RestStability::Kind::neutral
                               : RestStability::Kind::stable;
  const Eigen::Index n = std::min<Eigen::Index>(direction.size(), coordinates);
  out.direction.assign(direction.data(), direction.data() + n);
  return out;
}

}  // namespace

RestStability large_rest_stability(StaticProblem& problem, const State& state) {
  try {
    const RestPencil pencil(problem, state);
    const std::string why = pencil.why_not_symmetric();
    return why.empty() ? by_signs(pencil, problem.model.coordinates) : pencil.of_slowest(why);
  } catch (const Failure& failure) {
    if (failure.code() != ExitCode::solver) throw;
    RestStability out;
    out.kind = RestStability::Kind::undecided;
    out.undecided = failure.what();
    return out;
  }
}

}  // namespace trammel
