#include "analysis/initial_conditions.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/changed_velocities.h"
#include "analysis/exact_coordinates.h"
#include "analysis/moved_parts.h"
#include "analysis/opposite_markers.h"
#include "integrate/orientation.h"
#include "math/rotation.h"

namespace trammel {

namespace {

void set_block(std::array<double, 36>& w, int at, const Mat3d& m) {
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) w[6 * (at + r) + at + c] = m(r, c);
}

void add_block(std::array<double, 36>& w, int at, const Mat3d& m) {
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) w[6 * (at + r) + at + c] += m(r, c);
}

}  // namespace

void InitialConditions::archive(Archive& a) {
  a.section("initial conditions");
  a(goes_on_, velocities_go_on_, arm_, row_metric_, rotational_, local_dropped_, generic_dropped_);
}

void InitialConditions::begin_with_given_velocities() {
  for (std::size_t b = 0; b < given_.bodies.size(); ++b) {
    InitialBody& body = given_.bodies[b];
    const InitialBody& of_dataset = model_.initial.bodies[b];
    body.velocity = of_dataset.velocity;
    body.angular_velocity = of_dataset.angular_velocity;
    body.velocity_given = of_dataset.velocity_given;
    body.velocity_marker = of_dataset.velocity_marker;
    body.angular_marker = of_dataset.angular_marker;
  }
  for (std::size_t k = 0; k < given_.modes.size(); ++k) {
    given_.modes[k].rate = model_.initial.modes[k].rate;
    given_.modes[k].rate_given = model_.initial.modes[k].rate_given;
  }
  velocities_go_on_ = false;
}

State InitialConditions::as_given(double t) const {
  State state(model_);
  state.t = t;
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
    const Body& body = model_.bodies[b];
    const InitialBody& given = given_.bodies[b];
    const Vec3d x = along_translations(body, given.position);
    for (int k = 0; k < body.translations; ++k) state.q[body.first + k] = x[k];
    if (body.turns()) set_orientation(body, state, static_cast<int>(b), given.orientation, {}, {});
  }
  for (int k = 0; k < model_.modal_coordinates; ++k)
    state.q[model_.first_modal() + k] = given_.modes[k].value;
  for (std::size_t k = 0; k < model_.scalars.size(); ++k) {
    state.s[k] = given_.scalars[k].value;
    state.sdot[k] = given_.scalars[k].rate;
  }
  // Angles are continued from these values: a motion that starts at 350° is not at −10°.
  for (const ConstraintElement& e : model_.constraint_elements)
    for (int k = 0; k < e.rows; ++k) {
      if (e.angle[k] < 0) continue;
      double start = e.target[k];
      if (e.motion && e.level == 0) {
        double f[3];
        assembler_.tapes().jet(e.tape, 0, {&state, &assembler_.kinematics(), nullptr, 3}, f, 0);
        start = f[0];
      } else if (e.motion && e.has_icdisp) {
        start = e.icdisp;
      }
      state.angle[e.angle[k]] = start;
    }
  return state;
}

/// The mass matrix over the mean mass, with a little for bodies without mass or inertia and modes without
/// inertia: corrections with these weights are by impulses of the constraints.
BodyWeights InitialConditions::inertia_weights() const {
  double mass = 0;
  for (const Body& body : model_.bodies) mass += body.mass / static_cast<double>(model_.bodies.size());
  const double unit = mass > 0 ? 1 / mass : 1;
  constexpr double little = 1e-9;
  BodyWeights weights(model_);
  weights.of_flexible_bodies = unit;
  std::ranges::fill(weights.modes, little);
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
    const Body& body = model_.bodies[b];
    const Mat3d& A = assembler_.kinematics().body(static_cast<int>(b)).A;
    weights[b].fill(0);
    set_block(weights[b], 0, (unit * body.mass + little) * Mat3d::identity());
    set_block(weights[b], 3,
              unit * (A * body.inertia * transpose(A)) + (little * arm_ * arm_) * Mat3d::identity());
  }
  return weights;
}

/// Axes, in ground, along which the initial angular velocity of body b is given.
Mat3d InitialConditions::axes_of_angular_velocity(int b) const {
  return trammel::axes_of_angular_velocity(model_, given_, assembler_.kinematics(), b);
}

BodyWeights InitialConditions::velocity_weights() const {
  BodyWeights weights(model_);
  if (velocities_go_on_) weights = inertia_weights();
  // Modal rates that are not given are 0, unless what is given and the constraints need them: as much above
  // the weight 1 of what is free as below that of what is given.
  constexpr double zero_weight = 1e5;
  for (int k = 0; k < model_.modal_coordinates; ++k) {
    if (given_.modes[k].rate_given)
      weights.modes[k] += exact_weight;
    else if (!velocities_go_on_)
      weights.modes[k] = zero_weight;
  }
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
    const InitialBody& given = given_.bodies[b];
    auto& w = weights[b];
    const Mat3d axes[2] = {assembler_.kinematics().marker(given.velocity_marker).A,
                           axes_of_angular_velocity(static_cast<int>(b))};
    for (int half = 0; half < 2; ++half) {
      Mat3d m = velocities_go_on_ ? Mat3d{} : Mat3d::identity();
      for (int k = 0; k < 3; ++k)
        if (given.velocity_given[3 * half + k])
          m += exact_weight * outer(axes[half].column(k), axes[half].column(k));
      add_block(w, 3 * half, half == 0 ? m : (arm_ * arm_) * m);
    }
  }
  return weights;
}

/// States of MOTIONs by velocity or acceleration that have no given initial value follow the mechanism.
void InitialConditions::set_motion_states(State& state, ConstraintLevel level) {
  for (const ConstraintElement& e : model_.constraint_elements) {
    if (e.level == 0) continue;
    const bool position = level == ConstraintLevel::position;
    if (position ? e.phases[0] & phase_position : e.level == 1 || (e.phases[0] & phase_velocity)) continue;
    const auto I = assembler_.kinematics().jet(e.I), J = assembler_.kinematics().jet(e.J);
    using Jet = Kinematics::Jet;
    const Jet value = row_value(e.row[0], Pose<Jet>{I.r, I.A}, Pose<Jet>{J.r, J.A},
                                e.angle[0] >= 0 ? state.angle[e.angle[0]] : 0.0);
    if (position)
      state.s[e.scalar] = value.v.v;
    else
      state.s[e.scalar + 1] = value.d[0].v;
  }
}

void InitialConditions::velocities(State& state) {
  std::fill(state.v.begin(), state.v.end(), 0.0);
  std::fill(state.a.begin(), state.a.end(), 0.0);
  rows_to_drop(state, velocities_phase(), ConstraintFactorization::kThreshold);
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
    const Body& body = model_.bodies[b];
    const InitialBody& given = given_.bodies[b];
    const Vec3d v = assembler_.kinematics().marker(given.velocity_marker).A * given.velocity;
    const Vec3d along = along_translations(body, v);
    for (int i = 0; i < body.translations; ++i) state.v[body.first + i] = along[i];
    if (!body.turns()) continue;
    const Vec3d w = axes_of_angular_velocity(static_cast<int>(b)) * given.angular_velocity;
    const Vec3d rate = inverse(assembler_.kinematics().body(static_cast<int>(b)).H) * w;
    for (int i = 0; i < body.rotations; ++i) state.v[body.angles() + i] = rate[i];
  }
  for (int k = 0; k < model_.modal_coordinates; ++k) state.v[model_.first_modal() + k] = given_.modes[k].rate;
  const std::vector<double> given = state.v;
  // One solve when the rows are linear in velocities; GCON may need a few (primer, section 3.2).
  const BodyWeights weights = velocity_weights();
  NewtonProblem velocities;
  velocities.what = "initial velocities";
  velocities.maxit = options_.maxit;
  velocities.residual = [&](std::span<double> r) {
    assembler_.evaluate_constraints(state, initially(velocities_phase()));
    assembler_.constraints(state, ConstraintLevel::velocity, multipliers_of(r));
  };
  velocities.tangent = [&](std::span<double> values) { assembler_.weighted_matrix(state, weights, values); };
  velocities.apply = [&](std::span<const double> d) {
    double largest = 0, size = 1;
    for (int i = 0; i < model_.coordinates; ++i) {
      state.v[i] += d[i];
      largest = std::max(largest, std::abs(d[i]));
      size = std::max(size, std::abs(state.v[i]));
    }
    return largest / size;
  };
  velocities.converged = [](const NewtonProgress& p) { return p.iteration > 1 && p.change <= 1e-12; };
  velocities.enough_residual = std::numeric_limits<double>::min();  // at rest nothing is to be corrected
  velocities.when_not_converged = [&](const NewtonProgress&) {
    return worst_violation(state, velocities_phase());
  };
  newton_.solve(velocities);
  assembler_.evaluate_constraints(state, initially(velocities_phase()));
  check_dropped_rates(state, given);
  set_motion_states(state, ConstraintLevel::velocity);
}

/// Whether an unknown is a translation of a part without mass, or a rotation with a moment of inertia 0.
bool InitialConditions::is_massless(int unknown) const {
  for (const Body& body : model_.bodies) {
    const int k = unknown - body.first;
    if (k < 0 || k >= body.translations + (body.turns() ? body.rotations : 0)) continue;
    const Mat3d& J = body.inertia;
    if (k < body.translations) return !(body.mass > 0);
    return !(J(2, 2) > 0) || (!body.planar() && !(J(0, 0) > 0 && J(1, 1) > 0));
  }
  return false;
}

/// Forces on a part without mass that joints do not hold decide where it is, not how it is accelerated. At
/// rest no acceleration is needed: the state continues without, and the report says which analyses need them.
void InitialConditions::first_accelerations(State& state, InitialReport& report) {
  massless_is_open_ = false;
  try {
    begin_followers(state, report);
    accelerations(state, report);
  } catch (const Failure& failure) {
    if (!massless_is_open_) throw;
    report.open_accelerations = failure.what();
    report.notes.push_back(report.open_accelerations +
                           ". STATICS, and LINEAR at the equilibrium that it finds, go on without "
                           "accelerations; DYNAMICS needs some mass there.");
    std::fill(state.a.begin(), state.a.end(), 0.0);
    std::fill(state.lambda.begin(), state.lambda.end(), 0.0);
  }
}

/// [M Φqᵀ; Φq 0] [q̈; λ] = [F; τ] (primer, Eq. 40), with the rates of states and the forces that read q̈, λ or
/// scalars, by Newton's iteration.
void InitialConditions::accelerations(State& state, InitialReport& report, AnalysisPoint point) {
  const Coefficients c = Coefficients::of_accelerations();
  NewtonProblem accelerations;
  accelerations.what = "initial accelerations and reactions";
  accelerations.maxit = options_.amaxit;
  accelerations.residual = [&](std::span<double> r) {
    assembler_.evaluate(state, point);
    assembler_.residual(state, c, r);
    const std::span<double> rows = multipliers_of(r);
    assembler_.constraints(state, ConstraintLevel::acceleration, rows);
    for (int k = 0; k < model_.multipliers; ++k)
      if (assembler_.masked(k)) rows[k] = state.lambda[k];
  };
  accelerations.tangent = [&](std::span<double> values) { assembler_.tangent(state, c, values); };
  accelerations.apply = [&](std::span<const double> d) { return apply_accelerations(state, d); };
  accelerations.converged = [](const NewtonProgress& p) {
    // Linear problems are solved after one iteration; the second proves it. Rounding may end the decrease.
    return p.change < 1e-11 || (p.iteration > 2 && p.change < 1e-6 && p.change >= 0.5 * p.previous);
  };
  accelerations.when_singular = [&](const SolveReport& at) {
    massless_is_open_ = is_massless(at.row) || is_massless(at.column);
    return at.row < model_.first_scalar()
               ? "; a part without mass or inertia must be held completely by others"
               : "; its function leaves it open there, alone or together with others";
  };
  accelerations.when_not_converged = [](const NewtonProgress& p) {
    return fmt::format(": largest relative change {:.3g}", p.change);
  };
  report.acceleration_iterations = newton_.solve(accelerations);
  if (model_.settling.empty()) return;
  // The accelerations by which modes without inertia came to their equilibrium mean nothing: a second solve
  // from 0 gives those that the constraints ask for.
  for (int i = 0; i < model_.coordinates; ++i)
    if (model_.settling[i] > 0) state.a[i] = 0;
  newton_.solve(accelerations);
}

/// Adds the correction; returns the largest change of a value relative to max(1, |value|).
double InitialConditions::apply_accelerations(State& state, std::span<const double> correction) {
  double largest = 0;
  const auto add = [&](double& x, double d) {
    x += d;
    largest = std::max(largest, std::abs(d) / std::max(1.0, std::abs(x)));
  };
  for (int i = 0; i < model_.coordinates; ++i) {
    const double settling = model_.settling.empty() ? 0 : model_.settling[i];
    if (settling > 0)
      state.a[i] += correction[i], add(state.q[i], settling * correction[i]);
    else
      add(state.a[i], correction[i]);
  }
  for (int r = 0; r < model_.multipliers; ++r) add(state.lambda[r], correction[model_.coordinates + r]);
  for (std::size_t k = 0; k < model_.scalars.size(); ++k)
    add(model_.scalars[k].differential() ? state.sdot[k] : state.s[k], correction[model_.first_scalar() + k]);
  return largest;
}

/// Centre of mass and axes of each body.
std::vector<Pose<double>> InitialConditions::poses(const State& state) {
  assembler_.evaluate_constraints(state, initially(positions_phase()));
  std::vector<Pose<double>> out;
  out.reserve(model_.bodies.size());
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
    const BodyKinematics& body = assembler_.kinematics().body(static_cast<int>(b));
    out.push_back({body.x, body.A});
  }
  return out;
}

/// Notes how assembly moved the parts from where they were given; the assembler's last evaluation is of the
/// assembled state.
void InitialConditions::tell_moved_parts(const std::vector<Pose<double>>& given, const State& state,
                                         InitialReport& report) {
  const Kinematics& now = assembler_.kinematics();
  const ExactCoordinates held(model_, given_, arm_);
  const MovedParts moved(model_, given_, given, now, held.changes(now, state.q));
  const std::string exact = moved.exact_changed();
  if (moved.exact_beyond_digits() && options_.keep_exact)
    throw Failure(ExitCode::solver, "initial positions: " + exact + " (--strict)");
  if (!exact.empty()) report.notes.push_back(exact);
  report.moved = moved.far_moved();
  if (const std::string opposite = opposite_markers(model_, now); !opposite.empty())
    report.notes.push_back(opposite);
}

/// Notes algebraic states whose value differs from their IC by more than an IC with few digits does.
void InitialConditions::tell_moved_states(const State& state, InitialReport& report) const {
  constexpr double digits = 1e-4, rounding = 1e-9;
  for (std::size_t k = 0; k < model_.scalars.size(); ++k) {
    const double ic = given_.scalars[k].value, value = state.s[k];
    if (model_.scalars[k].kind != ScalarKind::algebraic || !given_.scalars[k].given ||
        std::abs(value - ic) <= digits * std::max(std::abs(ic), std::abs(value)) + rounding)
      continue;
    const std::string label = model_.scalars[k].name.label();
    report.notes.push_back(fmt::format(
        "{}: IC = {:.6g} contradicts its FUNCTION, which holds with {:.6g}. {} is an algebraic state, "
        "as its FUNCTION does not read its rate: IC is where the search for it begins.",
        label, ic, value, label));
  }
}

/// Notes friction in joints with redundant equations, whose reactions are not unique.
void InitialConditions::tell_unsure_frictions(const State& state, InitialReport& report) const {
  for (const ExpressionForce& friction : model_.expression_forces) {
    if (friction.joint < 0 || !friction.name.active) continue;
    const ConstraintElement& joint = model_.constraint_elements[friction.joint];
    std::string names;
    for (int k = 0; k < joint.rows; ++k)
      if (state.dropped[joint.first_row + k])
        names += (names.empty() ? "" : ", ") + std::string(joint.row_name[k]);
    if (names.empty()) continue;
    report.notes.push_back(fmt::format(
        "{}: {} of {} are redundant and bear nothing, so the friction of that joint depends on which "
        "equations were left out; take the redundancy out of the model.",
        friction.name.label(), names, joint.name.label()));
  }
}

std::string InitialConditions::changed_velocities(const State& state) const {
  return velocities_changed(model_, given_, assembler_.kinematics(), state.v, arm_);
}

InitialReport InitialConditions::run(State& state) {
  InitialReport report;
  const std::vector<Pose<double>> given = poses(state);
  assemble(state, report);
  tell_moved_parts(given, state, report);
  assembler_.current_angles(state, state.angle);
  assembler_.current_offsets(state, state.offset);
  set_motion_states(state, ConstraintLevel::position);
  velocities(state);
  if (const std::string text = changed_velocities(state); !text.empty()) report.notes.push_back(text);
  const bool singular = generic_rank(state, report);
  assembler_.evaluate_constraints(state, initially(velocities_phase()));
  begin_explicit_scalars(state);
  state.dropped = local_dropped_;
  first_accelerations(state, report);
  state.dropped = generic_dropped_;
  if (singular) accelerations_of_branch(state, report);
  tell_moved_states(state, report);
  int equations = 0;
  for (const GeneralConstraint& g : model_.general_constraints) equations += (g.phases & phase_dynamics) != 0;
  for (const ConstraintElement& e : model_.constraint_elements)
    for (int k = 0; k < e.rows; ++k) equations += (e.phases[k] & phase_dynamics) != 0;
  report.gruebler = model_.coordinates - equations;
  for (int r = 0; r < model_.multipliers; ++r)
    if (state.dropped[r]) report.redundant.push_back(r);
  report.degrees_of_freedom = report.gruebler + static_cast<int>(report.redundant.size());
  tell_unsure_frictions(state, report);
  // Steps do not need these factors: 31 of 400 MB of a chain of 10,000 links (massif). Small models keep
  // them.
  constexpr int many = 10'000;
  if (model_.multipliers > many) {
    redundancy_ = {};
    analyzed_ = false;
  }
  return report;
}

/// [W Φqᵀ; Φq 0] [d; λ] = [0; −φ] in the coordinates (δx, δθ), W = diag(1, L²) with the length L of the
/// model's arms for positions, the inertia for velocities.
void InitialConditions::bring_back(State& state, ConstraintLevel level, AnalysisPoint point, double enough) {
  constexpr int at_most = 4;  // iterations from a state nearby
  const bool positions = level == ConstraintLevel::position;
  NewtonProblem nearby;
  nearby.what = fmt::format("output at time {:.9g}", state.t);
  nearby.watched = point.mode != AnalysisMode::statics && point.mode != AnalysisMode::quasi_statics;
  nearby.maxit = at_most;
  nearby.pivots = FreshPivots::never;
  nearby.enough_residual = enough;
  nearby.residual = [&](std::span<double> r) {
    assembler_.evaluate_constraints(state, point);
    assembler_.constraints(state, level, multipliers_of(r));
  };
  nearby.tangent = [&](std::span<double> values) {
    assembler_.weighted_matrix(state, positions ? unit_weights() : inertia_weights(), values);
  };
  nearby.apply = [&](std::span<const double> d) {
    auto& target = positions ? state.q : state.v;
    for (int i = 0; i < model_.coordinates; ++i) target[i] += d[i];
    return 0.0;
  };
  newton_.solve(nearby);
}

void InitialConditions::reconcile(State& state, double enough) {
  bring_back(state, ConstraintLevel::position, in_dynamics, enough);
  bring_back(state, ConstraintLevel::velocity, in_dynamics);
  InitialReport report;
  accelerations(state, report);
}

/// diag(1, L²), L the length of the model's arms.
BodyWeights InitialConditions::unit_weights() const {
  BodyWeights weights(model_);
  for (auto& w : weights.bodies) {
    w.fill(0);
    set_block(w, 0, Mat3d::identity());
    set_block(w, 3, (arm_ * arm_) * Mat3d::identity());
  }
  return weights;
}

}  // namespace trammel
