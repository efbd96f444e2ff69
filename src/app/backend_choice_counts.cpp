#include "app/backend_choice_counts.h"

#include <algorithm>
#include <iterator>

#include "app/element_flops.h"
#include "device/terms.h"

namespace trammel {
namespace {

/// Counts the entries of the tangent.
struct CountingSink {
  long entries = 0;
  static bool numbers() { return false; }
  void put(int, int, double) { ++entries; }
  TapeDerivativeView gradient(int, int) { return {}; }
};

void count_bodies(const AssemblyView& w, BenchCounts& c) {
  c.bodies = w.table.bodies;
  c.markers = w.table.wanted_start[c.bodies];
  for (long k = 0; k < c.markers; ++k) {
    const int level = w.table.wanted[k].level;
    c.posed += level >= 1;
    c.moving += level >= 2;
    c.accelerated += level >= 3;
  }
  c.wrenches = c.wrench_markers = w.table.body_wrench_start[c.bodies];
}

void count_joints(const Model& model, BenchCounts& c) {
  for (const RowElement& e : model.row_elements) {
    long dots = 0;
    for (int r = 0; r < e.rows; ++r) dots += !row_is_linear(e.row[r]);
    ++c.joints;
    c.rows += e.rows;
    c.dot_rows += dots;
    c.linear_rows += e.rows - dots;
    c.revolute += (dots + 1) / 2;
    c.spherical += dots == 0;
    c.dot_bodies += dots > 0 ? 2 : 0;
  }
  c.components = 2 * c.linear_rows;
  c.axes = 2 * c.dot_rows;
  c.joint_markers = c.joint_arms = c.joint_bodies = 2 * c.joints;
}

void count_laws(const Model& model, BenchCounts& c) {
  for (const LawForce& f : model.law_forces)
    ++(std::holds_alternative<SpringDamper>(f.law) ? c.springs : c.bushings);
  c.laws = c.springs + c.bushings;
  c.bushing_markers = 2 * c.bushings;
  c.spring_markers = 2 * c.springs;
  c.law_markers = c.law_arms = c.law_bodies = 2 * c.laws;
}

/// Entries of forces by expressions and scalars count with the laws.
void count_entries(const Model& model, const AssemblyView& w, BenchCounts& c) {
  CountingSink sink;
  TangentItems<CountingSink> items(w, sink);
  const auto count = [&](std::size_t n, auto&& write) {
    const long before = sink.entries;
    for (int i = 0; i < static_cast<int>(n); ++i) write(i);
    return sink.entries - before;
  };
  c.body_entries = count(model.bodies.size(), [&](int b) { items.body(b); });
  c.row_entries = count(model.row_elements.size(), [&](int n) { items.row_element(n); });
  c.law_entries = count(model.law_forces.size(), [&](int n) { items.law_force(n); }) +
                  count(model.expression_forces.size(), [&](int n) { items.expression_force(n); }) +
                  count(model.scalars.size(), [&](int k) { items.scalar(k); });
}

/// Tapes of the equations: instructions of 16 bytes, terms of 12, values and derivatives of 8.
void add_tapes(const Model& model, EquationCounts& out) {
  const auto add = [](Work& work, double flops, double bytes) {
    work.flops += flops;
    work.read += bytes;
  };
  for (std::size_t k = 0; k < model.tapes.size(); ++k) {
    if (!model.tape_in_equations[k]) continue;
    const Tape& tape = model.tapes[k];
    const auto code = static_cast<double>(tape.code.size()),
               terms = static_cast<double>(tape.coefficients.size()),
               markers = static_cast<double>(tape.markers.size());
    const double bytes = 16 * code + 12 * terms + 200 * markers;
    add(out.equations, 10 * code + 4 * terms, bytes);
    add(out.tangent, 20 * code + 8 * terms + 350 * markers, 2 * bytes);
  }
  const bench::ElementCount& force = bench::element_counts[std::size(bench::element_counts) - 1];
  const auto forces = static_cast<double>(model.expression_forces.size());
  add(out.equations, forces * bench::flops(force.residual), forces * 200);
  add(out.tangent, forces * bench::flops(force.tangent), forces * 600);
}

long equation_tapes(const Model& model) {
  return std::count_if(model.tape_in_equations.begin(), model.tape_in_equations.end(),
                       [](unsigned char in) { return in != 0; });
}

/// Launches of a sum or maximum over n values (Executor::reduce).
long reductions(int n) {
  long launches = 1;
  for (int c = reduction_chunks(n); c > 1; c = reduction_chunks(c)) ++launches;
  return launches;
}

}  // namespace

EquationCounts count_equations(const Model& model, const Assembler& assembler) {
  const State state(model);
  const EvaluationPoint point{};
  const AssemblyView w = assembler.view(state, point);
  BenchCounts c;
  count_bodies(w, c);
  count_joints(model, c);
  count_laws(model, c);
  count_entries(model, w, c);
  EquationCounts out{work_of(WorkGroup::evaluate, c) + work_of(WorkGroup::residual, c),
                     work_of(WorkGroup::tangent, c)};
  add_tapes(model, out);
  // As DeviceAssembler launches them: the point, bodies, tapes, wrenches of each kind, sums; residuals.
  const long bodies = c.bodies > 0, joints = c.joints > 0, laws = c.laws > 0,
             scalars = !model.scalars.empty(), expressions = !model.expression_forces.empty(),
             tapes = equation_tapes(model) > 0;
  out.equations.launches = 1 + 3 * bodies + tapes + 2 * joints + laws + expressions + scalars;
  out.tangent.launches = 1 + 2 * bodies + joints + laws + expressions + scalars + 1;
  return out;
}

VectorCounts count_vectors(const Model& model) {
  const int bodies = static_cast<int>(model.bodies.size()), coordinates = model.coordinates,
            multipliers = model.multipliers, scalars = model.scalar_count();
  const double q = coordinates, l = multipliers, s = scalars;
  const long tapes = equation_tapes(model), has_q = coordinates > 0, has_l = multipliers > 0,
             has_s = scalars > 0;
  VectorCounts out;
  // Newton iteration: largest residuals (an answer), the sign, the solve's scalings (an answer), the
  // correction added, its measure (an answer); where there are tapes, whether all have a value (an answer).
  out.iteration.bytes = 8 * (14.5 * q + 8 * l + 12 * s);
  out.iteration.launches = reductions(coordinates) + reductions(multipliers) + 2 * reductions(scalars) + 1 +
                           2 + has_q + has_l + has_s + reductions(bodies) + reductions(coordinates) +
                           2 * reductions(multipliers) + 2 * reductions(scalars) +
                           (tapes > 0 ? reductions(static_cast<int>(tapes)) : 0);
  out.iteration.answers = 3 + (tapes > 0);
  out.jacobian.launches = 1;  // the matrix is scaled
  out.jacobian.answers = 1;
  // Step: the state kept, the step matched, predicted, forces at its beginning (an answer), the error (an
  // answer), weights (an answer), what the predictor missed (an answer), history, bases (an answer), angles.
  out.step.bytes = 8 * (44.0 * q + 15.0 * l + 40.0 * s);
  out.step.launches = 11 * has_q + 3 * has_l + 8 * has_s + reductions(bodies) + reductions(multipliers) +
                      reductions(bodies) + reductions(scalars) + reductions(bodies) +
                      reductions(coordinates) + reductions(multipliers) + reductions(bodies) +
                      (model.angles > 0 ? 3 : 0);
  out.step.answers = 5;
  return out;
}

ProcessorCounts count_on_processor(const Model& model, const Assembler& assembler,
                                   const GuardedSystem& system, int threads) {
  const EquationCounts equations = count_equations(model, assembler);
  const EliminationOrder& order = system.order();
  ProcessorCounts out;
  out.equations = equations.equations;
  out.tangent = equations.tangent;
  out.solver = system.solver_name();
  out.factor_values = order.nonzeros;
  out.factor_flops = order.flops;
  out.parallel_factor = order.longest_path > 0 ? order.flops / order.longest_path : 1;
  out.vectors = count_vectors(model);
  out.threads = threads;
  return out;
}

DeviceCounts count_least_on_device(const EquationCounts& equations, const VectorCounts& vectors) {
  DeviceCounts out{equations.equations, equations.tangent, {}, {}, vectors};
  out.factor.levels = 1;
  out.factor.launches = 3;  // a level, its pivots, the worst of them
  out.solve.levels = 2;
  out.solve.launches = 8;  // places, forward, backward, places, residual, largest, errors, largest
  return out;
}

DeviceCounts count_on_device(const EquationCounts& equations, const VectorCounts& vectors,
                             const Assembler& assembler, std::size_t shared_memory) {
  const SparsePattern& pattern = assembler.pattern();
  const EliminationOrder order = order_unknowns(assembler.graph(), false, OrderingGoal::device_levels);
  const FrontTree tree = make_fronts(pattern, order.unknowns, device_front_cost());
  const DevicePlan plan = make_device_plan(tree, std::min(shared_memory, most_shared_memory));
  const PlanLaunches launches = launches_of(plan);
  BenchCounts c;
  c.unknowns = pattern.n;
  c.nonzeros = pattern.nonzeros();
  count_fronts(tree, c);
  c.fronts = static_cast<long>(plan.fronts.size());
  c.levels = static_cast<int>(plan.levels.size());
  c.factor_flops = plan.flops;
  c.factor_launches = launches.factor;
  c.solve_launches = launches.solve;
  return {equations.equations, equations.tangent, work_of(WorkGroup::device_factor, c),
          work_of(WorkGroup::device_solve, c), vectors};
}

PlanLaunches launches_of(const DevicePlan& plan) {
  const long pivots = 1 + reductions(plan.n);
  PlanLaunches out{pivots, 4 + 2 * reductions(plan.n)};
  for (const DeviceLevel& level : plan.levels) {
    const auto any = [](int count) { return count > 0 ? 1 : 0; };
    const int small = any(level.small.list.count()), middle = any(level.middle.list.count()),
              large = any(level.large.list.count());
    out.factor += small + middle + any(level.columns.count()) + any(level.products.count());
    for (const PanelStep& step : level.panels)
      out.factor += any(step.fronts) + any(step.lines.count()) + any(step.tiles.count());
    out.solve += small + middle + large + any(level.forward.count());
    out.solve += any(level.small.with_pivots) + any(level.middle.with_pivots) + any(level.large.with_pivots) +
                 any(level.backward.count());
  }
  return out;
}

}  // namespace trammel
