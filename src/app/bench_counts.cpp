#include "app/bench_counts.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "app/element_flops.h"
#include "assemble/device_kernels.h"
#include "linear/device_plan.h"

namespace trammel {
namespace {

using Counts = BenchCounts;
using bench::FlopPart;

enum Access { read, write };

/// A kernel reads or writes `bytes` for each of the items.
struct Traffic {
  WorkGroup group;
  std::string_view kernel;
  const char* what;
  std::size_t bytes;
  long Counts::*items;
  Access access;
};

constexpr std::size_t number = sizeof(double), vec = sizeof(Vec3d), mat = sizeof(Mat3d), index = sizeof(int);
constexpr auto evaluate = WorkGroup::evaluate, residual = WorkGroup::residual, tangent = WorkGroup::tangent;
constexpr auto factor = WorkGroup::device_factor, solve = WorkGroup::device_solve;

constexpr Traffic traffic[] = {
    {evaluate, SetPoint::name, "t, MODE, a, b, c", sizeof(EvaluationPoint), &Counts::one, write},

    {evaluate, UpdateBodies::name, "place", sizeof(BodyPlace), &Counts::bodies, read},
    {evaluate, UpdateBodies::name, "q, q̇, q̈", 18 * number, &Counts::bodies, read},
    {evaluate, UpdateBodies::name, "G, R", sizeof(OrientationBasis), &Counts::bodies, read},
    {evaluate, UpdateBodies::name, "first of the wanted markers", index, &Counts::bodies, read},
    {evaluate, UpdateBodies::name, "wanted marker", sizeof(WantedMarker), &Counts::markers, read},
    {evaluate, UpdateBodies::name, "s in the body", vec, &Counts::markers, read},
    {evaluate, UpdateBodies::name, "axes in the body", mat, &Counts::posed, read},
    {evaluate, UpdateBodies::name, "x, ẋ, ẍ, A, H, ω, α", sizeof(BodyKinematics), &Counts::bodies, write},
    {evaluate, UpdateBodies::name, "cos θ", number, &Counts::bodies, write},
    {evaluate, UpdateBodies::name, "arm, r", 2 * vec, &Counts::markers, write},
    {evaluate, UpdateBodies::name, "axes", mat, &Counts::posed, write},
    {evaluate, UpdateBodies::name, "v, ω", 2 * vec, &Counts::moving, write},
    {evaluate, UpdateBodies::name, "a, α", 2 * vec, &Counts::accelerated, write},

    {evaluate, RowWrenches::name, "first row", index, &Counts::joints, read},
    {evaluate, RowWrenches::name, "row", sizeof(RowItem), &Counts::rows, read},
    {evaluate, RowWrenches::name, "mask", 1, &Counts::rows, read},
    {evaluate, RowWrenches::name, "λ", number, &Counts::rows, read},
    {evaluate, RowWrenches::name, "axis", vec, &Counts::axes, read},
    {evaluate, RowWrenches::name, "∂φ/∂θ of I and J", 2 * vec, &Counts::dot_rows, write},
    {evaluate, RowWrenches::name, "F, T on I and J", 4 * vec, &Counts::joints, write},

    {evaluate, LawWrenches::name, "force", sizeof(LawItem), &Counts::laws, read},
    {evaluate, LawWrenches::name, "its law", sizeof(Bushing), &Counts::bushings, read},
    {evaluate, LawWrenches::name, "its law", sizeof(SpringDamper), &Counts::springs, read},
    {evaluate, LawWrenches::name, "r, A, v, ω", 3 * vec + mat, &Counts::bushing_markers, read},
    {evaluate, LawWrenches::name, "last angles", 3 * number, &Counts::bushings, read},
    {evaluate, LawWrenches::name, "r, v", 2 * vec, &Counts::spring_markers, read},
    {evaluate, LawWrenches::name, "F, T on I and J", 4 * vec, &Counts::laws, write},

    {evaluate, GatherBodies::name, "first wrench", index, &Counts::bodies, read},
    {evaluate, GatherBodies::name, "where a wrench is", sizeof(BodyWrench), &Counts::wrenches, read},
    {evaluate, GatherBodies::name, "F, T", 2 * vec, &Counts::wrenches, read},
    {evaluate, GatherBodies::name, "arm", vec, &Counts::wrench_markers, read},
    {evaluate, GatherBodies::name, "ΣF, ΣT", 2 * vec, &Counts::bodies, write},

    {residual, BodyResiduals::name, "inertia", sizeof(BodyInertia), &Counts::bodies, read},
    {residual, BodyResiduals::name, "ẍ, A, H, ω, α", 3 * vec + 2 * mat, &Counts::bodies, read},
    {residual, BodyResiduals::name, "ΣF, ΣT", 2 * vec, &Counts::bodies, read},
    {residual, BodyResiduals::name, "r", 6 * number, &Counts::bodies, write},

    {residual, RowResiduals::name, "row", sizeof(RowItem), &Counts::rows, read},
    {residual, RowResiduals::name, "mask", 1, &Counts::rows, read},
    {residual, RowResiduals::name, "coordinate of r", number, &Counts::components, read},
    {residual, RowResiduals::name, "axis", vec, &Counts::axes, read},
    {residual, RowResiduals::name, "φ", number, &Counts::rows, write},

    {tangent, UpdateVariations::name, "place", sizeof(BodyPlace), &Counts::bodies, read},
    {tangent, UpdateVariations::name, "ε̇, ε̈", 6 * number, &Counts::bodies, read},
    {tangent, UpdateVariations::name, "H, ω, α", mat + 2 * vec, &Counts::bodies, read},
    {tangent, UpdateVariations::name, "P, V, Q", sizeof(BodyVariation), &Counts::bodies, write},

    {tangent, BodyTangents::name, "first entry, first wrench", 2 * index, &Counts::bodies, read},
    {tangent, BodyTangents::name, "inertia", sizeof(BodyInertia), &Counts::bodies, read},
    {tangent, BodyTangents::name, "A, H, ω, α", 2 * mat + 2 * vec, &Counts::bodies, read},
    {tangent, BodyTangents::name, "P, V, Q", sizeof(BodyVariation), &Counts::bodies, read},
    {tangent, BodyTangents::name, "ΣT", vec, &Counts::bodies, read},
    {tangent, BodyTangents::name, "where a wrench is", sizeof(BodyWrench), &Counts::wrenches, read},
    {tangent, BodyTangents::name, "F", vec, &Counts::wrenches, read},
    {tangent, BodyTangents::name, "arm", vec, &Counts::wrench_markers, read},
    {tangent, BodyTangents::name, "place of an entry", index, &Counts::body_entries, read},
    {tangent, BodyTangents::name, "entry", number, &Counts::body_entries, write},

    {tangent, RowTangents::name, "first entry, first row, force output, motion", 4 * index, &Counts::joints,
     read},
    {tangent, RowTangents::name, "row", sizeof(RowItem), &Counts::rows, read},
    {tangent, RowTangents::name, "mask", 1, &Counts::rows, read},
    {tangent, RowTangents::name, "∂φ", sizeof(RowGradient<double>), &Counts::linear_rows, read},
    {tangent, RowTangents::name, "∂φ/∂θ of I and J", 2 * vec, &Counts::dot_rows, read},
    {tangent, RowTangents::name, "λ", number, &Counts::dot_rows, read},
    {tangent, RowTangents::name, "axis", vec, &Counts::axes, read},
    {tangent, RowTangents::name, "body of a marker", index, &Counts::joint_markers, read},
    {tangent, RowTangents::name, "arm", vec, &Counts::joint_arms, read},
    {tangent, RowTangents::name, "first unknown, kind", 2 * index, &Counts::joint_bodies, read},
    {tangent, RowTangents::name, "H", mat, &Counts::joint_bodies, read},
    {tangent, RowTangents::name, "P", mat, &Counts::dot_bodies, read},
    {tangent, RowTangents::name, "place of an entry", index, &Counts::row_entries, read},
    {tangent, RowTangents::name, "entry", number, &Counts::row_entries, write},

    {tangent, LawTangents::name, "first entry, force output", 2 * index, &Counts::laws, read},
    {tangent, LawTangents::name, "force", sizeof(LawItem), &Counts::laws, read},
    {tangent, LawTangents::name, "its law", sizeof(Bushing), &Counts::bushings, read},
    {tangent, LawTangents::name, "its law", sizeof(SpringDamper), &Counts::springs, read},
    {tangent, LawTangents::name, "r, A, v, ω", 3 * vec + mat, &Counts::bushing_markers, read},
    {tangent, LawTangents::name, "last angles", 3 * number, &Counts::bushings, read},
    {tangent, LawTangents::name, "r, v", 2 * vec, &Counts::spring_markers, read},
    {tangent, LawTangents::name, "body of a marker", index, &Counts::law_markers, read},
    {tangent, LawTangents::name, "arm", vec, &Counts::law_arms, read},
    {tangent, LawTangents::name, "first unknown, kind", 2 * index, &Counts::law_bodies, read},
    {tangent, LawTangents::name, "H, ω, P, V", 3 * mat + vec, &Counts::law_bodies, read},
    {tangent, LawTangents::name, "place of an entry", index, &Counts::law_entries, read},
    {tangent, LawTangents::name, "entry", number, &Counts::law_entries, write},

    {tangent, GatherValues::name, "which slots", sizeof(SharedValue), &Counts::shared_values, read},
    {tangent, GatherValues::name, "slot", number, &Counts::shared_slots, read},
    {tangent, GatherValues::name, "value", number, &Counts::shared_values, write},

    {factor, "scaling", "value, row, place", number + 2 * index, &Counts::nonzeros, read},
    {factor, "scaling", "column, factors", index + 2 * number, &Counts::unknowns, read},
    {factor, "scaling", "scaled value", number, &Counts::nonzeros, write},
    {factor, "scaling", "largest of a column", number, &Counts::unknowns, write},
    {factor, "fronts", "front, its place in the list", sizeof(DeviceFront) + index, &Counts::fronts, read},
    {factor, "fronts", "scaled value, its place", number + sizeof(FrontEntry), &Counts::nonzeros, read},
    {factor, "fronts", "place in the parent", index, &Counts::border_rows, read},
    {factor, "fronts", "entry of a contribution block", number, &Counts::block_values, read},
    {factor, "fronts", "entry of a contribution block", number, &Counts::block_values, write},
    {factor, "fronts", "factor", number, &Counts::factor_values, write},
    {factor, "fronts", "1/u, row exchanged", number + index, &Counts::unknowns, write},
    {factor, "pivots", "1/u, order, largest", 2 * number + index, &Counts::unknowns, read},
    {factor, "pivots", "ratio", number, &Counts::unknowns, write},
    {factor, "largest", "ratio", number, &Counts::unknowns, read},

    {solve, "scaling", "b and x, factors", 4 * number, &Counts::unknowns, read},
    {solve, "scaling", "c and x", 2 * number, &Counts::unknowns, write},
    {solve, "order", "c, order", number + index, &Counts::unknowns, read},
    {solve, "order", "z", number, &Counts::unknowns, write},
    {solve, "forward", "front, its place in the list", sizeof(DeviceFront) + index, &Counts::fronts, read},
    {solve, "forward", "D, L", number, &Counts::half_values, read},
    {solve, "forward", "z, row exchanged", number + index, &Counts::unknowns, read},
    {solve, "forward", "z", number, &Counts::unknowns, write},
    {solve, "forward", "sums for the parent, their places", number + index, &Counts::border_rows, read},
    {solve, "forward", "sums for the parent", number, &Counts::border_rows, write},
    {solve, "backward", "front, its place in the list", sizeof(DeviceFront) + index, &Counts::fronts, read},
    {solve, "backward", "D, V", number, &Counts::half_values, read},
    {solve, "backward", "z, 1/u", 2 * number, &Counts::unknowns, read},
    {solve, "backward", "place of a border's row", index, &Counts::border_rows, read},
    {solve, "backward", "z", number, &Counts::unknowns, write},
    {solve, "order", "z, order", number + index, &Counts::unknowns, read},
    {solve, "order", "y", number, &Counts::unknowns, write},
    {solve, "residual", "scaled value, column", number + index, &Counts::nonzeros, read},
    {solve, "residual", "first value, y, c", index + 2 * number, &Counts::unknowns, read},
    {solve, "residual", "residual, its terms", 2 * number, &Counts::unknowns, write},
    {solve, "errors", "residual, its terms", 2 * number, &Counts::unknowns, read},
    {solve, "errors", "error", number, &Counts::unknowns, write},
    {solve, "largest", "terms; error", 2 * number, &Counts::unknowns, read},

    {WorkGroup::host_factor, "", "value, row", number + index, &Counts::nonzeros, read},
    {WorkGroup::host_factor, "", "factor", number, &Counts::factor_values, write},
    {WorkGroup::host_solve, "", "factor", number, &Counts::factor_values, read},
    {WorkGroup::host_solve, "", "value, column of the residual", number + index, &Counts::nonzeros, read},
    {WorkGroup::host_solve, "", "b", number, &Counts::unknowns, read},
    {WorkGroup::host_solve, "", "x", number, &Counts::unknowns, write},
};

/// An element with its own count, in the order of bench::element_counts.
constexpr long Counts::*counted_elements[] = {&Counts::bodies,   &Counts::spherical, &Counts::revolute,
                                              &Counts::bushings, &Counts::springs,   nullptr};
static_assert(std::size(counted_elements) == std::size(bench::element_counts));

double flops_of(WorkGroup group, const Counts& c) {
  const double residual_check = 4.0 * static_cast<double>(c.nonzeros);  // B y and |B||y|
  if (group == factor || group == WorkGroup::host_factor) return c.factor_flops;
  if (group == WorkGroup::host_solve) return 2.0 * static_cast<double>(c.factor_values) + residual_check;
  if (group == solve) return 4.0 * static_cast<double>(c.half_values) + residual_check;
  double sum = 0;
  for (std::size_t k = 0; k < std::size(counted_elements); ++k) {
    if (!counted_elements[k]) continue;
    const bench::ElementCount& e = bench::element_counts[k];
    const int each = group == tangent    ? bench::flops(e.tangent)
                     : group == residual ? bench::flops(e.residual, FlopPart::residual)
                                         : bench::flops(e.residual, FlopPart::evaluate);
    sum += static_cast<double>(each) * static_cast<double>(c.*counted_elements[k]);
  }
  return sum;
}

/// Takes the entries of the tangent without their values.
struct RecordingSink {
  std::vector<std::pair<int, int>> entries;
  static bool numbers() { return false; }
  void put(int row, int column, double) { entries.emplace_back(column, row); }
  TapeDerivativeView gradient(int, int) { return {}; }
};

void count_entries(const AssemblyView& w, Counts& c) {
  RecordingSink sink;
  TangentItems<RecordingSink> items(w, sink);
  const auto count = [&](long n, auto&& write) {
    const std::size_t before = sink.entries.size();
    for (int i = 0; i < n; ++i) write(i);
    return static_cast<long>(sink.entries.size() - before);
  };
  c.body_entries = count(c.bodies, [&](int b) { items.body(b); });
  c.row_entries = count(c.joints, [&](int n) { items.row_element(n); });
  c.law_entries = count(c.laws, [&](int n) { items.law_force(n); });
  std::sort(sink.entries.begin(), sink.entries.end());
  for (std::size_t k = 0, end = 0; k < sink.entries.size(); k = end) {
    while (end < sink.entries.size() && sink.entries[end] == sink.entries[k]) ++end;
    if (end - k == 1) continue;
    ++c.shared_values;
    c.shared_slots += static_cast<long>(end - k);
  }
}

void count_markers(const AssemblyView& w, Counts& c) {
  for (int k = 0; k < w.table.wanted_start[c.bodies]; ++k) {
    const int level = w.table.wanted[k].level;
    ++c.markers;
    c.posed += level >= 1;
    c.moving += level >= 2;
    c.accelerated += level >= 3;
  }
  std::set<int> markers;
  for (int k = 0; k < w.table.body_wrench_start[c.bodies]; ++k) markers.insert(w.table.body_wrench[k].marker);
  c.wrenches = w.table.body_wrench_start[c.bodies];
  c.wrench_markers = static_cast<long>(markers.size());
}

void count_joints(const Model& model, Counts& c) {
  std::set<int> markers, arms, bodies, dot_bodies;
  std::set<std::pair<int, int>> components, axes;
  for (const RowElement& e : model.row_elements) {
    ++c.joints;
    (e.rows == 3 ? c.spherical : c.revolute) += 1;
    for (int r = 0; r < e.rows; ++r) {
      const ConstraintRow& row = e.row[r];
      const bool linear = row_is_linear(row);
      ++c.rows;
      ++(linear ? c.linear_rows : c.dot_rows);
      for (const auto& [marker, axis] : {std::pair{e.I, row.i}, std::pair{e.J, row.j}}) {
        (linear ? components : axes).emplace(marker, linear ? row.j : axis);
        markers.insert(marker);
        const int body = model.markers[marker].body;
        if (body < 0) continue;
        bodies.insert(body);
        if (linear)
          arms.insert(marker);
        else
          dot_bodies.insert(body);
      }
    }
  }
  c.components = static_cast<long>(components.size());
  c.axes = static_cast<long>(axes.size());
  c.joint_markers = static_cast<long>(markers.size());
  c.joint_arms = static_cast<long>(arms.size());
  c.joint_bodies = static_cast<long>(bodies.size());
  c.dot_bodies = static_cast<long>(dot_bodies.size());
}

void count_laws(const Model& model, Counts& c) {
  std::set<int> of_bushings, of_springs, markers, arms, bodies;
  for (const LawForce& f : model.law_forces) {
    const bool bushing = std::holds_alternative<Bushing>(f.law);
    ++c.laws;
    ++(bushing ? c.bushings : c.springs);
    for (const int marker : {f.I, f.J}) {
      (bushing ? of_bushings : of_springs).insert(marker);
      markers.insert(marker);
      const int body = model.markers[marker].body;
      if (body < 0) continue;
      arms.insert(marker);
      bodies.insert(body);
    }
  }
  c.bushing_markers = static_cast<long>(of_bushings.size());
  c.spring_markers = static_cast<long>(of_springs.size());
  c.law_markers = static_cast<long>(markers.size());
  c.law_arms = static_cast<long>(arms.size());
  c.law_bodies = static_cast<long>(bodies.size());
}

/// Three linear rows, or these and two products of axes.
bool is_ball_or_hinge(const RowElement& e) {
  if (e.motion || (e.rows != 3 && e.rows != 5)) return false;
  for (int r = 0; r < e.rows; ++r)
    if (r < 3 ? !row_is_linear(e.row[r]) : e.row[r].kind != RowKind::dot) return false;
  return true;
}

}  // namespace

std::string not_counted(const Model& model) {
  for (const Body& b : model.bodies)
    if (b.point_mass) return b.name.label();
  for (const RowElement& e : model.row_elements)
    if (!is_ball_or_hinge(e)) return e.name.label();
  for (const LawForce& f : model.law_forces) {
    const auto* spring = std::get_if<SpringDamper>(&f.law);
    if (std::holds_alternative<ElasticField>(f.law) || (spring && spring->rotational)) return f.name.label();
  }
  if (!model.general_constraints.empty()) return model.general_constraints[0].name.label();
  if (!model.expression_forces.empty()) return model.expression_forces[0].name.label();
  if (!model.nodal_forces.empty()) return model.nodal_forces[0].name.label();
  if (!model.scalars.empty()) return model.scalars[0].name.label();
  return "";
}

BenchCounts count_assembly(const Model& model, const Assembler& assembler) {
  if (const std::string element = not_counted(model); !element.empty())
    fail(ExitCode::internal, "operations of {} are not counted", element);
  BenchCounts c;
  const State state(model);
  const EvaluationPoint point{};
  const AssemblyView w = assembler.view(state, point);
  c.bodies = static_cast<long>(model.bodies.size());
  count_markers(w, c);
  count_joints(model, c);
  count_laws(model, c);
  count_entries(w, c);
  return c;
}

void count_fronts(const FrontTree& tree, BenchCounts& c) {
  for (const Front& f : tree.fronts) {
    const long p = f.pivots, r = f.border;
    c.half_values += p * (p + r);
    c.factor_values += p * (p + 2 * r);
    c.block_values += r * r;
    c.border_rows += r;
  }
}

void count_linear(const DeviceSystem& system, BenchCounts& c) {
  const DeviceSystemInfo& info = system.info();
  c.unknowns = system.pattern().n;
  c.nonzeros = system.pattern().nonzeros();
  c.fronts = info.fronts;
  count_fronts(make_fronts(system.pattern(), system.order().unknowns, device_front_cost()), c);
  c.levels = info.levels;
  c.factor_flops = info.flops;
  c.factor_launches = info.factor_launches;
  c.solve_launches = info.solve_launches;
}

void count_linear(const GuardedSystem& system, BenchCounts& c) {
  c.unknowns = system.pattern().n;
  c.nonzeros = system.pattern().nonzeros();
  c.factor_values = system.info().nonzeros;
  c.levels = system.order().levels;
  c.factor_flops = system.info().flops;
}

Work operator+(const Work& a, const Work& b) {
  return {a.read + b.read, a.written + b.written, a.flops + b.flops, a.launches + b.launches,
          a.levels + b.levels};
}

Work work_of(WorkGroup group, const BenchCounts& c) {
  Work work;
  std::set<std::string_view> kernels;
  for (const Traffic& t : traffic) {
    if (t.group != group || c.*t.items == 0) continue;
    (t.access == read ? work.read : work.written) +=
        static_cast<double>(t.bytes) * static_cast<double>(c.*t.items);
    kernels.insert(t.kernel);
  }
  work.flops = flops_of(group, c);
  const bool on_processor = group == WorkGroup::host_factor || group == WorkGroup::host_solve;
  work.launches = group == factor  ? c.factor_launches
                  : group == solve ? c.solve_launches
                  : on_processor   ? 0
                                   : static_cast<long>(kernels.size());
  if (group == factor || group == WorkGroup::host_factor) work.levels = c.levels;
  if (group == solve || group == WorkGroup::host_solve) work.levels = 2 * c.levels;
  return work;
}

}  // namespace trammel
