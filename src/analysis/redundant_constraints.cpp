// Redundant constraints: which rows depend on others, in general and at the present position, and failures
// where they contradict each other. Part of InitialConditions.
#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <utility>

#include "analysis/initial_conditions.h"

namespace trammel {

double InitialConditions::model_size(const State& state) const {
  double size = 0;
  for (const Marker& m : model_.markers) size = std::max(size, norm(m.s));
  for (const Body& b : model_.bodies)
    for (int k = 0; k < b.translations; ++k) size = std::max(size, std::abs(state.q[b.first + k]));
  return size > 0 ? size : 1.0;
}

namespace {

/// Calls f(marker) for every marker of a body that a constraint reads: once for a joint, with initial values
/// or without.
template <class F>
void for_constrained_markers(const Model& model, F f) {
  const auto tell = [&](int marker) {
    if (model.markers[marker].body >= 0) f(model.markers[marker]);
  };
  for (const ConstraintElement& e : model.constraint_elements) {
    if (e.initial_only) continue;
    tell(e.I);
    tell(e.J);
  }
  for (const GeneralConstraint& g : model.general_constraints)
    for (const TapeMarker& read : model.tapes[g.tape].markers) tell(read.marker);
}

/// Root mean square of the distances of the markers that constraints read from their bodies' centres of mass.
/// Where it is 0, but for rounding relative to the size of bodies: the largest distance of a body from the
/// origin, or 1.
double mean_arm(const Model& model) {
  constexpr double rounding = 1e-12;
  double squares = 0, count = 0, farthest = 0, size = 0;
  for (const Marker& m : model.markers)
    if (m.body >= 0) size = std::max(size, norm(m.s));
  for (const Body& b : model.bodies)
    if (b.mass > 0)
      size = std::max(size, std::sqrt((b.inertia(0, 0) + b.inertia(1, 1) + b.inertia(2, 2)) / b.mass));
  for_constrained_markers(model, [&](const Marker& m) {
    squares += dot(m.s, m.s);
    count += 1;
  });
  if (squares > 0 && std::sqrt(squares / count) > rounding * size) return std::sqrt(squares / count);
  for (const InitialBody& b : model.initial.bodies) farthest = std::max(farthest, norm(b.position));
  return farthest > 0 ? farthest : 1.0;
}

/// Weight of each coordinate in the norm in which angles between rows are measured: 1 of translations, of
/// rotations the square of the longest arm of the body's own markers, lest the rows of a small body be taken
/// for dependent beside those of large bodies.
std::vector<double> row_metric(const Model& model, double mean) {
  constexpr double least = 1e-3;  // of the mean arm
  std::vector<double> arm(model.bodies.size(), 0.0), weight(model.coordinates, 1.0);
  for_constrained_markers(model, [&](const Marker& m) { arm[m.body] = std::max(arm[m.body], norm(m.s)); });
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const double length = arm[b] > least * mean ? arm[b] : mean;
    for (int k = 0; k < model.bodies[b].rotations; ++k)
      weight[model.bodies[b].angles() + k] = length * length;
  }
  return weight;
}

}  // namespace

InitialConditions::InitialConditions(const Model& model, Assembler& assembler, GuardedSystem& system,
                                     const InitialOptions& options)
    : model_(model),
      assembler_(assembler),
      newton_(model, system),
      options_(options),
      given_(model.initial),
      arm_(mean_arm(model)),
      row_metric_(row_metric(model, arm_)),
      rotational_(model.multipliers, 0) {
  for (const ConstraintElement& e : model.constraint_elements)
    for (int k = 0; k < e.rows; ++k) rotational_[e.first_row + k] = row_is_rotational(e.row[k]);
}

namespace {

/// Fails by the name of a row whose derivative is no finite number.
void require_finite(const Model& model, const ConstraintRows& rows) {
  for (int r = 0; r < rows.rows(); ++r)
    for (int k = rows.row_start[r]; k < rows.row_start[r + 1]; ++k)
      if (!std::isfinite(rows.value[k]))
        fail(ExitCode::solver,
             "the derivative of {} is no finite number where the parts are; look for z axes of its markers "
             "that are parallel and must not be (RACKPIN), or a distance of markers that coincide",
             model.equation_name(model.coordinates + r));
}

/// Whether the derivative of a row vanishes but for rounding.
bool vanishes(const ConstraintRows& rows, int row) {
  constexpr double rounding = 1e-10;  // radians from where it vanishes
  for (int k = rows.row_start[row]; k < rows.row_start[row + 1]; ++k)
    if (std::abs(rows.value[k]) > rounding) return false;
  return true;
}

}  // namespace

/// Rank analysis of the rows that hold in a phase, at the state: marks the dependent ones in state.dropped,
/// and evaluates the constraints without them. Rows marked in `excluded` (null: none) are left out
/// beforehand. `threshold`: sin² of the angle between a row and the span of the others below which it is
/// dependent. Returns the rank.
int InitialConditions::rows_to_drop(State& state, Phase phase, double threshold,
                                    const std::vector<unsigned char>* excluded) {
  std::fill(state.dropped.begin(), state.dropped.end(), 0);
  assembler_.evaluate_constraints(state, initially(phase));
  if (model_.multipliers == 0) return 0;
  ConstraintRows rows = assembler_.jacobian_rows();
  // Rows that do not hold in this phase, or are excluded, take no part.
  for (int r = 0; r < rows.rows(); ++r)
    if (assembler_.masked(r) || (excluded && (*excluded)[r]))
      for (int k = rows.row_start[r]; k < rows.row_start[r + 1]; ++k) rows.value[k] = 0;
  require_finite(model_, rows);
  const std::vector<double> values = std::move(rows.value);  // analyze() reads the others
  rows.weight = row_metric_;
  if (!std::exchange(analyzed_, true)) redundancy_.analyze(std::move(rows));
  redundancy_.factor(values, threshold);
  for (int r : redundancy_.dropped()) state.dropped[r] = !assembler_.masked(r);
  if (!redundancy_.dropped().empty()) assembler_.evaluate_constraints(state, initially(phase));
  return redundancy_.rank();
}

/// Largest violation of the rows of the present phase, each divided by its natural size (row_scale()): of all
/// rows, or of those that are not dropped.
double InitialConditions::violation(const State& state, double size, RowsOf of) {
  std::vector<double> phi(model_.multipliers);
  assembler_.all_constraints(state, phi);
  double largest = 0;
  for (int r = 0; r < model_.multipliers; ++r)
    if (of == RowsOf::phase || !state.dropped[r])
      largest = std::max(largest, std::abs(phi[r]) / row_scale(r, size));
  return largest;
}

/// Threshold of dependence before assembly: rows that depend on each other in the assembled mechanism do so
/// only to about the violation v, with sin² of the angle between them of order v².
double InitialConditions::assembly_threshold(State& state, double size) {
  assembler_.evaluate_constraints(state, initially(positions_phase()));
  const double v = violation(state, size);
  return std::clamp(10 * v * v, ConstraintFactorization::kThreshold, 1e-4);
}

/// The elements behind a row that depends on others, "JOINT/1, MOTION/1".
std::string InitialConditions::elements_behind(int row) {
  constexpr std::size_t most = 12;
  std::set<std::string> names;
  for (int group : redundancy_.contradicting_groups(row)) {
    const int rows = static_cast<int>(model_.constraint_elements.size());
    names.insert(group < rows ? model_.constraint_elements[group].name.label()
                              : model_.general_constraints[group - rows].name.label());
  }
  std::string text;
  std::size_t listed = 0;
  for (const std::string& name : names) {
    if (listed == most) return text + fmt::format(" and {} more", names.size() - most);
    text += (listed++ ? ", " : "") + name;
  }
  return text;
}

/// Fails where a dropped row is not satisfied at the position: the constraints contradict each other.
void InitialConditions::check_dropped(State& state) {
  std::vector<double> phi(model_.multipliers);
  assembler_.all_constraints(state, phi);
  const double size = model_size(state);
  std::string text;
  for (int r = 0; r < model_.multipliers; ++r)
    if (state.dropped[r] && std::abs(phi[r]) > options_.consistency * row_scale(r, size))
      text += fmt::format("\nequation {} misses by {:.6g}; {}", model_.equation_name(model_.coordinates + r),
                          std::abs(phi[r]),
                          vanishes(assembler_.jacobian_rows(), r)
                              ? "where the parts are no small motion changes it: its axes are parallel and "
                                "must not be; turn a part or a marker"
                              : "it contradicts " + elements_behind(r));
  if (!text.empty())
    throw Failure(ExitCode::solver,
                  "the constraints contradict each other: redundant equations cannot be satisfied." + text);
}

/// The same for velocities: a dropped row φ̇ = Φq q̇ + φ_t must be small beside its terms, or beside a
/// thousandth of the largest terms of any row. Of the `given` velocities, before constraints took parts of
/// them away, rounding may be left: nothing but that moves a mechanism that is held at rest.
void InitialConditions::check_dropped_rates(State& state, std::span<const double> given) {
  constexpr double rounding = 1e-12;
  if (std::count(state.dropped.begin(), state.dropped.end(), 1) == 0) return;
  const double size = model_size(state);
  const std::vector<unsigned char> dropped = state.dropped;
  std::fill(state.dropped.begin(), state.dropped.end(), 0);
  assembler_.evaluate_constraints(state, initially(velocities_phase()));
  std::vector<double> rate(model_.multipliers), terms(model_.multipliers);
  assembler_.constraints(state, ConstraintLevel::velocity, rate);
  const ConstraintRows rows = assembler_.jacobian_rows();
  double largest = 0, largest_given = 0;
  for (int r = 0; r < model_.multipliers; ++r) {
    double moved = 0, terms_given = 0;
    for (int k = rows.row_start[r]; k < rows.row_start[r + 1]; ++k) {
      const double term = rows.value[k] * state.v[rows.column[k]];
      moved += term;
      terms[r] += std::abs(term);
      terms_given += std::abs(rows.value[k] * given[rows.column[k]]);
    }
    terms[r] += std::abs(rate[r] - moved);
    largest = std::max(largest, terms[r] / row_scale(r, size));
    largest_given = std::max(largest_given, terms_given / row_scale(r, size));
  }
  std::string text;
  for (int r = 0; r < model_.multipliers; ++r) {
    if (!dropped[r] || assembler_.masked(r)) continue;
    const double allowed = std::max(terms[r], 1e-3 * largest * row_scale(r, size)) * options_.consistency +
                           rounding * largest_given * row_scale(r, size);
    if (std::abs(rate[r]) > allowed)
      text +=
          fmt::format("\nequation {} misses by {:.6g} per unit of time; it contradicts {}",
                      model_.equation_name(model_.coordinates + r), std::abs(rate[r]), elements_behind(r));
  }
  state.dropped = dropped;
  if (!text.empty())
    throw Failure(
        ExitCode::solver,
        fmt::format("the velocities that the constraints ask for at time {:.9g} contradict each other.",
                    state.t) +
            text);
}

/// Where more rows are nearly dependent than were when the run began, the mechanism is at a dead centre, and
/// a MOTION among them drives it against its joints.
std::string InitialConditions::dead_centre(State& state) {
  constexpr double near = 1e-3;  // sin² of the angle between a row and the others: some 2 degrees
  const std::vector<unsigned char> before = state.dropped;
  rows_to_drop(state, phase_dynamics, near, nullptr);
  const auto held = static_cast<std::size_t>(std::count(before.begin(), before.end(), 1));
  std::string text;
  for (int row : redundancy_.dropped()) {
    if (redundancy_.dropped().size() <= held) break;
    if (before[row] || !state.dropped[row]) continue;
    const std::string behind = elements_behind(row);
    const bool driven = behind.find("MOTION/") != std::string::npos;
    text = fmt::format("{} depend on each other there: {}", behind,
                       driven ? "the MOTION cannot be followed beyond this position of the mechanism"
                              : "the mechanism is at a dead centre");
    if (driven) break;
  }
  state.dropped = before;
  return text;
}

/// At a dead centre the rank at the point is too low for the motion. So the rank is determined again at
/// nearby assembled configurations, along the initial velocities and along random directions, and the
/// highest, the generic rank, decides which rows the run drops. True where it differs from the rank at the
/// point.
bool InitialConditions::generic_rank(State& state, InitialReport& report) {
  constexpr double much_stronger = 30;  // weaker than redundant rows: would magnify rounding
  report.rank = strong_rows(state, much_stronger);
  local_dropped_ = generic_dropped_ = state.dropped;
  const auto count = [](const std::vector<unsigned char>& rows) {
    return std::count(rows.begin(), rows.end(), 1);
  };
  if (count(local_dropped_) == 0) return false;
  const double size = model_size(state);
  std::mt19937 random(1);  // fixed: the same model always takes the same way
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> move(state.v);
  for (int trial = 0; trial < 3; ++trial) {
    if (trial > 0)
      for (const Body& b : model_.bodies)
        for (int k = 0; k < b.count(); ++k)
          move[b.first + k] = (k < b.translations ? size : 1.0) * uniform(random);
    State near = state;
    if (!move_along_freedom(near, move)) continue;
    const int rank = rows_to_drop(near, phase_dynamics, ConstraintFactorization::kThreshold);
    if (rank <= report.rank) continue;
    report.rank = rank;
    generic_dropped_ = near.dropped;
  }
  if (count(generic_dropped_) == count(local_dropped_)) return false;
  report.notes.push_back(
      fmt::format("The initial position is singular: {} equations are dependent there, {} in general; the "
                  "general count is used.",
                  count(local_dropped_), count(generic_dropped_)));
  return true;
}

/// Moves a state a little (2 % of the model, or of a radian) along the part of `move` that its constraints
/// allow, and back onto all of them by least-norm corrections. False if it cannot move.
bool InitialConditions::move_along_freedom(State& state, std::vector<double> move) {
  const double size = model_size(state);
  rows_to_drop(state, positions_phase(), ConstraintFactorization::kThreshold);
  std::vector<double> along(model_.multipliers), back;
  const ConstraintRows rows = assembler_.jacobian_rows();
  for (int r = 0; r < rows.rows(); ++r)
    for (int k = rows.row_start[r]; !assembler_.masked(r) && k < rows.row_start[r + 1]; ++k)
      along[r] -= rows.value[k] * move[rows.column[k]];
  redundancy_.solve_least_norm(along, back);
  double largest = 0, given = 0;
  for (const Body& b : model_.bodies)
    for (int k = 0; k < b.count(); ++k) {
      const double unit = k < b.translations ? size : 1.0;
      given = std::max(given, std::abs(move[b.first + k]) / unit);
      move[b.first + k] += back[b.first + k];
      largest = std::max(largest, std::abs(move[b.first + k]) / unit);
    }
  if (largest <= 1e-6 * given) return false;
  for (double& x : move) x *= 0.02 / largest;
  apply_positions(state, move, size);
  std::vector<double> phi(model_.multipliers), d;
  for (int iteration = 0; iteration < 15; ++iteration) {
    rows_to_drop(state, positions_phase(), assembly_threshold(state, size));
    assembler_.all_constraints(state, phi);
    if (violation(state, size) < 1e-12) return true;
    for (double& p : phi) p = -p;
    redundancy_.solve_least_norm(phi, d);
    apply_positions(state, d, size);
  }
  return false;
}

bool InitialConditions::kept_rows_miss(const State& state, double allowed) {
  assembler_.evaluate_constraints(state, in_dynamics);
  return violation(state, model_size(state), RowsOf::held) > allowed;
}

bool InitialConditions::redundant_rows_hold(const State& state) {
  std::vector<double> phi(model_.multipliers);
  assembler_.evaluate_constraints(state, in_dynamics);
  assembler_.all_constraints(state, phi);
  const double size = model_size(state);
  for (int r = 0; r < model_.multipliers; ++r)
    if (state.dropped[r] && std::abs(phi[r]) > 10 * options_.consistency * row_scale(r, size)) return false;
  return true;
}

/// Fills state.dropped. A dropped row is a combination Σ c_k Φ_k of kept rows: where a coefficient c_k, in
/// the natural units of both rows, is above `gain`, row k is weak at the state (about to vanish, or to depend
/// on others), and is dropped instead. Repeated until no coefficient is above `gain`. Returns the rank.
int InitialConditions::strong_rows(State& state, double gain) {
  const auto natural = [this](int row) { return rotational_[row] ? 1 / arm_ : 1.0; };
  std::vector<unsigned char> excluded(model_.multipliers, 0);
  const auto choose = [&] {
    return rows_to_drop(state, phase_dynamics, ConstraintFactorization::kThreshold, &excluded);
  };
  const auto weakest = [&] {
    int weak = -1;
    double largest = gain;
    for (int row : redundancy_.dropped()) {
      if (!state.dropped[row] || excluded[row]) continue;
      for (const RowCoefficient& c : redundancy_.dependence(row)) {
        const double strength = std::abs(c.coefficient) * natural(c.row) / natural(row);
        if (strength > largest) largest = strength, weak = c.row;
      }
    }
    return weak;
  };
  const int rank = choose();
  for (int exchanges = 0; exchanges < model_.multipliers; ++exchanges) {
    const int weak = weakest();
    if (weak < 0) break;
    excluded[weak] = 1;
    if (choose() == rank) continue;
    excluded[weak] = 0;
    choose();
    break;
  }
  return rank;
}

bool InitialConditions::choose_strong_rows(State& state) {
  constexpr double gain = 2;
  const std::vector<unsigned char> before = state.dropped;
  const auto count = [](const std::vector<unsigned char>& rows) {
    return std::count(rows.begin(), rows.end(), 1);
  };
  strong_rows(state, gain);
  // A singular position is not mended by another choice of rows.
  if (count(state.dropped) != count(before)) state.dropped = before;
  return state.dropped != before;
}

bool InitialConditions::exchange_dropped_rows(State& state) {
  if (!choose_strong_rows(state)) return false;
  InitialReport report;
  accelerations(state, report);
  return true;
}

void InitialConditions::recheck_redundancy(State& state) {
  rows_to_drop(state, phase_dynamics, ConstraintFactorization::kThreshold);
  check_dropped(state);
}

}  // namespace trammel
