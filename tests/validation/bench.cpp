#include "bench.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "dataset/check.h"
#include "dataset/reader.h"
#include "integrate/orientation.h"

namespace trammel {

namespace {

Model compiled(const Description& description, Diagnostics& diagnostics) {
  diagnostics.stop_on_errors();
  Model model = compile(description, diagnostics);
  diagnostics.stop_on_errors();
  return model;
}

void append(std::vector<double>& out, const Vec3d& v) {
  out.insert(out.end(), {v.x, v.y, v.z});
}

}  // namespace

Model load_model(const std::string& path) {
  Diagnostics diagnostics;
  const Description description = read_dataset(TRAMMEL_SOURCE_DIR "/models/" + path, diagnostics);
  return compiled(description, diagnostics);
}

Model model_from_text(const std::string& dataset) {
  Diagnostics diagnostics;
  const Description description = parse_dataset(dataset, "validation.adm", diagnostics);
  return compiled(description, diagnostics);
}

Model turned(Model model, const Mat3d& R) {
  for (InitialBody& b : model.initial.bodies) {
    b.position = R * b.position;
    b.orientation = R * b.orientation;
    if (b.velocity_marker == 0) b.velocity = R * b.velocity;
  }
  // Marker 0 is the ground frame itself and stays.
  for (std::size_t k = 1; k < model.markers.size(); ++k) {
    Marker& m = model.markers[k];
    if (m.body >= 0) continue;
    m.s = R * m.s;
    m.A = R * m.A;
  }
  model.gravity = R * model.gravity;
  return model;
}

Bench::Bench(Model compiled_model)
    : model(std::move(compiled_model)),
      assembler(model),
      conditions(model, assembler, initial_system, {}),
      initial(model) {
  system.analyze(assembler.pattern(), assembler.graph());
  initial_system.analyze(assembler.pattern(), assembler.graph(), system.order());
  initial = conditions.as_given(0.0);
  conditions.run(initial);
}

void Bench::rebase_where_needed(State& state) {
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    if (needs_rebase(model.bodies[b], state)) rebase(model, static_cast<int>(b), state, {});
}

void Bench::project_velocity(State& state) {
  std::vector<double> rows(model.multipliers);
  assembler.evaluate_constraints(state, in_dynamics);
  assembler.constraints(state, ConstraintLevel::velocity, rows);
  remove(state, rows, state.v);
}

void Bench::project_displacement(const State& state, std::vector<double>& displacement) {
  // Φq δ = φ̇ with q̇ = δ less φ̇ with q̇ = 0
  std::vector<double> rows(model.multipliers), at_rest(model.multipliers);
  State moving = state;
  std::fill(moving.v.begin(), moving.v.end(), 0.0);
  assembler.evaluate_constraints(moving, in_dynamics);
  assembler.constraints(moving, ConstraintLevel::velocity, at_rest);
  moving.v = displacement;
  assembler.evaluate_constraints(moving, in_dynamics);
  assembler.constraints(moving, ConstraintLevel::velocity, rows);
  for (int k = 0; k < model.multipliers; ++k) rows[k] -= at_rest[k];
  remove(moving, rows, displacement);
}

/// v ← v + Δ, the smallest Δ in the metric of the masses with Φq Δ = −rows.
void Bench::remove(const State& state, const std::vector<double>& rows, std::vector<double>& v) {
  BodyWeights weights(model);
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Mat3d& A = assembler.kinematics().body(static_cast<int>(b)).A;
    const Mat3d J = A * model.bodies[b].inertia * transpose(A);
    weights[b].fill(0);
    for (int i = 0; i < 3; ++i) {
      weights[b][6 * i + i] = model.bodies[b].mass;
      for (int j = 0; j < 3; ++j) weights[b][6 * (3 + i) + 3 + j] = J(i, j);
    }
  }
  std::vector<double> matrix(assembler.pattern().nonzeros()), x(model.unknowns());
  assembler.weighted_matrix(state, weights, matrix);
  for (int k = 0; k < model.multipliers; ++k) x[model.coordinates + k] = -rows[k];
  if (!initial_system.set_matrix(matrix.data(), true).ok() || !initial_system.solve(x.data(), x.data()).ok())
    fail(ExitCode::solver, "projection: singular at {}", state.t);
  for (int i = 0; i < model.coordinates; ++i) v[i] += x[i];
}

double Bench::energy(const State& state) {
  assembler.evaluate(state, in_dynamics);
  return assembler.kinetic_energy() + assembler.gravity_energy();
}

double Bench::violation(const State& state, ConstraintLevel level) {
  assembler.evaluate(state, in_dynamics);
  std::vector<double> rows(model.multipliers);
  assembler.constraints(state, level, rows);
  double largest = 0;
  for (double r : rows) largest = std::max(largest, std::abs(r));
  return largest;
}

const char* const group_names[groups] = {"position",    "velocity", "acceleration",
                                         "multipliers", "states",   "algebraic"};

const std::vector<double>& group(const Snapshot& s, int index) {
  const std::vector<double>* all[groups] = {&s.position,   &s.velocity,     &s.acceleration,
                                            &s.multiplier, &s.differential, &s.algebraic};
  return *all[index];
}

Snapshot observe(Bench& bench, const State& state) {
  Snapshot out;
  bench.assembler.evaluate(state, in_dynamics);
  for (std::size_t b = 0; b < bench.model.bodies.size(); ++b) {
    const BodyKinematics& k = bench.assembler.kinematics().body(static_cast<int>(b));
    append(out.position, k.x);
    append(out.velocity, k.v);
    append(out.acceleration, k.a);
    if (!bench.model.bodies[b].turns()) continue;
    for (int c = 0; c < 3; ++c) append(out.position, k.A.column(c));
    append(out.velocity, k.w);
    append(out.acceleration, k.alpha);
  }
  out.multiplier = state.lambda;
  for (std::size_t k = 0; k < bench.model.scalars.size(); ++k)
    (bench.model.scalars[k].differential() ? out.differential : out.algebraic).push_back(state.s[k]);
  return out;
}

double distance(Bench& bench, const State& a, const State& b, double h) {
  const Snapshot sa = observe(bench, a), sb = observe(bench, b);
  const auto at = [](const std::vector<double>& list, std::size_t k) {
    return Vec3d{list[k], list[k + 1], list[k + 2]};
  };
  double sum = 0;
  std::size_t p = 0, v = 0;
  for (const Body& body : bench.model.bodies) {
    const Vec3d x = at(sa.position, p),
                d = x - at(sb.position, p) + h * (at(sa.velocity, v) - at(sb.velocity, v));
    for (int k = 0; k < 3; ++k) sum += std::pow(d[k] / std::max(1.0, std::abs(x[k])), 2);
    p += 3, v += 3;
    if (!body.turns()) continue;
    // δθ = ½ Σ b_c × a_c for the columns of nearby rotations
    Vec3d turn = h * (at(sa.velocity, v) - at(sb.velocity, v));
    for (int c = 0; c < 3; ++c, p += 3) turn = turn + 0.5 * cross(at(sb.position, p), at(sa.position, p));
    sum += dot(turn, turn);
    v += 3;
  }
  return std::sqrt(sum / bench.model.coordinates);
}

double displacement_norm(Bench& bench, const State& state, const std::vector<double>& displacement) {
  double sum = 0;
  bench.assembler.evaluate_constraints(state, in_dynamics);
  for (std::size_t b = 0; b < bench.model.bodies.size(); ++b) {
    const Body& body = bench.model.bodies[b];
    const double* d = &displacement[body.first];
    for (int k = 0; k < 3; ++k) sum += std::pow(d[k] / std::max(1.0, std::abs(state.q[body.first + k])), 2);
    if (!body.turns()) continue;
    const Vec3d turn = bench.assembler.kinematics().body(static_cast<int>(b)).H * Vec3d{d[3], d[4], d[5]};
    sum += dot(turn, turn);
  }
  return std::sqrt(sum / bench.model.coordinates);
}

IntegratorOptions fixed_step_options(double alpha, HhtForm form) {
  IntegratorOptions options;
  options.alpha = alpha;
  options.form = form;
  options.error = 1e-11;
  options.hmin = 0;
  options.maxit = 25;
  return options;
}

// ---- reference

void Reference::load(State& state, double t, const std::vector<double>& y) const {
  const int n = bench_.model.coordinates;
  state.t = t;
  std::copy(y.begin(), y.begin() + n, state.q.begin());
  std::copy(y.begin() + n, y.begin() + 2 * n, state.v.begin());
  for (std::size_t k = 0; k < bench_.model.scalars.size(); ++k)
    if (bench_.model.scalars[k].differential()) state.s[k] = y[2 * n + k];
}

void Reference::rates(State& state, std::vector<double>& f) {
  bench_.conditions.accelerations(state, report_);
  const int n = bench_.model.coordinates;
  std::copy(state.v.begin(), state.v.end(), f.begin());
  std::copy(state.a.begin(), state.a.end(), f.begin() + n);
  std::copy(state.sdot.begin(), state.sdot.end(), f.begin() + 2 * n);
}

void Reference::step(State& state, double h) {
  constexpr int levels = 4;  // order 8
  const int n = bench_.model.coordinates;
  const std::size_t size = 2 * n + bench_.model.scalars.size();
  const double t0 = state.t;
  std::vector<double> y0(size), f0(size), f(size), before(size), present(size), next(size);
  std::copy(state.q.begin(), state.q.end(), y0.begin());
  std::copy(state.v.begin(), state.v.end(), y0.begin() + n);
  std::copy(state.s.begin(), state.s.end(), y0.begin() + 2 * n);
  rates(state, f0);
  std::array<std::vector<double>, levels> table;
  for (int j = 0; j < levels; ++j) {
    const int count = 2 * (j + 1);
    const double dt = h / count;
    before = y0;
    for (std::size_t i = 0; i < size; ++i) present[i] = y0[i] + dt * f0[i];
    for (int m = 1; m < count; ++m) {
      load(state, t0 + m * dt, present);
      rates(state, f);
      for (std::size_t i = 0; i < size; ++i) next[i] = before[i] + 2 * dt * f[i];
      before.swap(present);
      present.swap(next);
    }
    table[j] = present;
    for (int k = j - 1; k >= 0; --k) {  // T_{j,k} of Aitken-Neville in dt²
      const double r = double(count) / (2 * (k + 1));
      for (std::size_t i = 0; i < size; ++i)
        table[k][i] = table[k + 1][i] + (table[k + 1][i] - table[k][i]) / (r * r - 1);
    }
  }
  load(state, t0 + h, table[0]);
}

void Reference::advance(State& state, double t, int steps) {
  const double begin = state.t;
  for (int k = 1; k <= steps; ++k) {
    step(state, begin + (t - begin) * k / steps - state.t);
    bench_.conditions.reconcile(state);
    bench_.assembler.current_angles(state, state.angle);
    bench_.rebase_where_needed(state);
  }
}

}  // namespace trammel
