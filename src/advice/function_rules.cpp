// Rules on functions: corners and jumps, divisions, domains, frames and signs of velocities.
#include <algorithm>
#include <cmath>

#include "advice/rules.h"

namespace trammel::advice {

namespace {

/// Whether a value of the node `k` is out of reach of its parent: STEP and its like are constant there,
/// IMPACT and BISTOP zero.
bool parent_is_flat_at(const DeckExpression& e, int k, double value) {
  const int p = e.parent[k];
  const Builtin* row = p >= 0 ? builtin_of(e[p]) : nullptr;
  if (!row || row->kind != BuiltinKind::op || e[p].child[0] != k) return false;
  const auto bound = [&](int argument) { return e.range_of_child(p, argument); };
  switch (row->op) {
    case Op::step:
    case Op::step5:
    case Op::havsin:
      return value <= bound(1).low || value >= bound(3).high;
    case Op::impact:
      return value >= bound(2).high;
    case Op::bistop:
      return value >= bound(2).high && value <= bound(3).low;
    default:
      return false;
  }
}

/// The factors of the product that a node is part of, but for the node.
void list_factors(const DeckExpression& e, int k, std::vector<int>& factors) {
  const Node& node = e[k];
  if (node.kind == NodeKind::negate) return list_factors(e, node.child[0], factors);
  if (node.kind != NodeKind::binary || node.op != '*') return factors.push_back(k);
  for (int child : node.child) list_factors(e, child, factors);
}

/// f(x) has a corner where x = 0, but x f(x) none: -c*VX*ABS(VX).
bool multiplied_by(const DeckExpression& e, int k, int x) {
  std::vector<int> factors;
  if (!e.shallow()) return false;
  for (int p = e.parent[k]; p >= 0; k = p, p = e.parent[k]) {
    const Node& node = e[p];
    if (node.kind == NodeKind::negate || (node.kind == NodeKind::binary && node.op == '/')) continue;
    if (node.kind != NodeKind::binary || node.op != '*') break;
    list_factors(e, node.child[0] == k ? node.child[1] : node.child[0], factors);
  }
  return std::any_of(factors.begin(), factors.end(), [&](int f) { return e.same(f, x); });
}

/// A power above 1 takes the corner of a function that is 0 there away: DIM(x0,x)**1.5.
bool raised_above_one(const DeckExpression& e, int k) {
  const int p = e.parent[k];
  return p >= 0 && e[p].kind == NodeKind::binary && e[p].op == '^' && e[p].child[0] == k &&
         e.range_of_child(p, 1).low > 1;
}

/// A corner at which the function is 0.
bool softened(const DeckExpression& e, int k) {
  return raised_above_one(e, k) || parent_is_flat_at(e, k, 0);
}

constexpr const char* corner = "has a corner";
constexpr const char* jump = "jumps";

const char* of_extremum(const DeckExpression& e, int k) {
  const Range &a = e.range_of_child(k, 0), &b = e.range_of_child(k, 1);
  if (!Range{a.low - b.high, a.high - b.low}.passes(0)) return nullptr;
  const Range& level = a.point() ? a : b;  // the value at the corner, where one is a constant
  if (level.point() && parent_is_flat_at(e, k, level.low)) return nullptr;
  return level.point() && level.low == 0 && raised_above_one(e, k) ? nullptr : corner;
}

const char* of_remainder(const DeckExpression& e, int k) {
  const Range &a = e.range_of_child(k, 0), &b = e.range_of_child(k, 1);
  if (a.bounded() && b.point() && b.low != 0 && std::trunc(a.low / b.low) == std::trunc(a.high / b.low))
    return nullptr;
  return jump;
}

/// What a call or IF does to the smoothness of an expression; nullptr: nothing.
const char* roughness(const DeckExpression& e, int k) {
  const Node& node = e[k];
  if (e.live[k] != Live::value || e.range[k].point()) return nullptr;
  if (node.kind == NodeKind::sign_if)
    return e.range_of_child(k, 0).contains(0) && !e.range_of_child(k, 0).point() ? "may jump" : nullptr;
  const Builtin* row = builtin_of(node);
  if (!row || row->kind != BuiltinKind::op) return nullptr;
  switch (row->op) {
    case Op::abs:
      return !e.range_of_child(k, 0).passes(0) || softened(e, k) || multiplied_by(e, k, node.child[0])
                 ? nullptr
                 : corner;
    case Op::dim: {
      const Range &a = e.range_of_child(k, 0), &b = e.range_of_child(k, 1);
      return !Range{a.low - b.high, a.high - b.low}.passes(0) || softened(e, k) ? nullptr : corner;
    }
    case Op::max:
    case Op::min:
      return of_extremum(e, k);
    case Op::mod:
      return of_remainder(e, k);
    case Op::sign:
      return e.range_of_child(k, 1).low < 0 && e.range_of_child(k, 1).high >= 0 ? jump : nullptr;
    case Op::aint:
    case Op::anint:
      return jump;
    default:
      return nullptr;
  }
}

/// Whether a function returns to 0 with the motion that it reads: no mechanism keeps SIN(DX(21)) from there.
bool comes_back(const DeckExpression& e, int node) {
  const Builtin* row = builtin_of(e[node]);
  if (!row || row->kind != BuiltinKind::op ||
      (row->op != Op::sin && row->op != Op::cos && row->op != Op::tan && row->op != Op::mod))
    return false;
  for (std::vector<int> open{node}; !open.empty();) {
    const Node& n = e[open.back()];
    open.pop_back();
    if (n.name == "VARVAL" || reads_motion(n)) return true;
    open.insert(open.end(), n.child.begin(), n.child.end());
  }
  return false;
}

/// Whether a node, with the VARIABLEs that it reads, is made of lengths, TIME and constants alone.
bool is_made_of_lengths(const Subject& s, const DeckExpression& e, int node) {
  constexpr std::string_view lengths[] = {"DX", "DY", "DZ", "DM"};
  std::vector<std::pair<const DeckExpression*, int>> open{{&e, node}};
  std::set<const DeckExpression*> seen{&e};
  bool any = false;
  while (!open.empty()) {
    const auto [at, k] = open.back();
    open.pop_back();
    const Node& n = (*at)[k];
    if (at->range[k].point() || n.name == "TIME") continue;
    if (std::find(std::begin(lengths), std::end(lengths), n.name) != std::end(lengths)) {
      any = true;
    } else if (n.name == "VARVAL") {
      if (const Statement* variable = s.expressions.statement("VARIABLE", at->range_of_child(k, 0).low))
        for (const DeckExpression* read : s.expressions.of(*variable))
          if (seen.insert(read).second) open.emplace_back(read, read->tree.root);
    } else if (n.kind == NodeKind::name || reads_motion(n) || comes_back(*at, k)) {
      return false;
    } else {
      for (int child : n.child) open.emplace_back(at, child);
    }
  }
  return any;
}

/// Whether a distance stands there, however it is written, that is not near 0 at the start: what has a length
/// keeps one.
bool is_kept_distance(const Subject& s, const DeckExpression& e, int division) {
  constexpr double near = 1e-3;  // of the model's size
  const int below = e[division].child[1];
  return s.start && e.range[below].low >= 0 && is_made_of_lengths(s, e, below) &&
         s.start->argument(e, division, 1).value_or(0) > near * s.start->size();
}

/// ", 0.5 at the start"
std::string at_start(const std::optional<double>& value) {
  return value ? fmt::format(", {:.3g} at the start", *value) : "";
}

/// f(expression, node) for every node that has an effect, in the order of the text.
template <class F>
void for_nodes(const Subject& s, F f) {
  for (const DeckExpression& e : s.expressions.all())
    for (int k = 0; k < static_cast<int>(e.tree.nodes.size()); ++k)
      if (e.lives(k)) f(e, k);
}

}  // namespace

void discontinuity(const Subject& s, Findings& f) {
  for_nodes(s, [&](const DeckExpression& e, int k) {
    if (const char* what = roughness(e, k))
      f.add(e.argument->where, "{}: {} {}{}", e.label(), e.place(k), what, s.expressions.read_by(e));
  });
}

void division(const Subject& s, Findings& f) {
  for_nodes(s, [&](const DeckExpression& e, int k) {
    const Node& node = e[k];
    if (node.kind != NodeKind::binary || (node.op != '/' && node.op != '^') || e.range[k].point()) return;
    const bool power = node.op == '^';
    const Range& below = e.range_of_child(k, power ? 0 : 1);
    if (!below.contains(0) || (power && e.range_of_child(k, 1).high >= 0)) return;
    if (below.point() || (!power && is_kept_distance(s, e, k))) return;
    f.add(e.argument->where, "{}: the denominator of {} could become 0{}{}", e.label(), e.place(k),
          at_start(s.start ? s.start->argument(e, k, power ? 0 : 1) : std::nullopt),
          s.expressions.read_by(e));
  });
}

namespace {

/// The edge of the domain of a function of one argument, and from where on its slope is unbounded or it has
/// no value: `inside` is the distance of a value from the edge.
struct DomainEdge {
  Op op;
  double (*inside)(double value);
};
constexpr DomainEdge edges[] = {
    {Op::sqrt, [](double x) { return x; }},
    {Op::log, [](double x) { return x; }},
    {Op::log10, [](double x) { return x; }},
    {Op::asin, [](double x) { return 1 - std::abs(x); }},
    {Op::acos, [](double x) { return 1 - std::abs(x); }},
};

/// The largest number that the value of a node is made of by + and −; what rounding is to be measured by.
double scale_of(const Subject& s, const DeckExpression& e, int k) {
  double scale = 0;
  if (e[k].kind == NodeKind::binary)
    for (int c = 0; c < 2; ++c) scale = std::max(scale, std::abs(s.start->argument(e, k, c).value_or(0)));
  return scale;
}

}  // namespace

void domain(const Subject& s, Findings& f) {
  constexpr double near = 1e-9;  // of the terms of the argument
  if (!s.start) return;
  for_nodes(s, [&](const DeckExpression& e, int k) {
    const Builtin* row = builtin_of(e[k]);
    if (!row || row->kind != BuiltinKind::op || e.range[k].point()) return;
    for (const DomainEdge& edge : edges) {
      if (edge.op != row->op) continue;
      const std::optional<double> value = s.start->argument(e, k, 0);
      const bool arc = edge.op == Op::asin || edge.op == Op::acos;
      const double scale = arc ? 1 : scale_of(s, e, e[k].child[0]);
      if (value && edge.inside(*value) <= near * scale)
        f.add(e.argument->where, "{}: {} stands at the edge of what it is defined for{}{}", e.label(),
              e.place(k), at_start(value), s.expressions.read_by(e));
    }
  });
}

void velocity_frame(const Subject& s, Findings& f) {
  struct Form {
    std::string_view name;
    std::size_t complete;  ///< arguments with the frame
  };
  constexpr Form forms[] = {{"VX", 4}, {"VY", 4}, {"VZ", 4}, {"VXYZ", 4}, {"VM", 3}};
  std::map<int, const Body*> body_of;  // of marker ids
  for (const Marker& m : s.model.markers)
    if (m.id > 0 && m.body >= 0) body_of[m.id] = &s.model.bodies[m.body];
  for_nodes(s, [&](const DeckExpression& e, int k) {
    const Node& node = e[k];
    for (const Form& form : forms) {
      if (node.kind != NodeKind::call || node.name != form.name || node.child.size() < 2 ||
          node.child.size() >= form.complete)
        continue;
      const auto j = body_of.find(static_cast<int>(e.range_of_child(k, 1).low));
      if (j == body_of.end() || !j->second->turns()) continue;
      f.add(e.argument->where,
            "{}: {} lacks its {} marker: the rate is taken in ground, though {} may turn{}", e.label(),
            e.place(k), form.complete == 4 ? "fourth" : "third", label_of(j->second->name),
            s.expressions.read_by(e));
    }
  });
}

namespace {

/// How a component of a force grows with the velocity of the body of I (else, the other way, of J) along it.
double growth(const Subject& s, const ExpressionForce& force, int k) {
  const StartValues& at = *s.start;
  const bool vector = force.law.kind == AppliedKind::vector;
  const bool turning = force.law.kind == AppliedKind::rotation || k >= 3;
  Vec3d along = at.marker(vector ? force.RM : force.J).A.column(vector ? k % 3 : 2);
  if (force.law.kind == AppliedKind::translation && !force.law.action_only) {
    const Vec3d d = at.marker(force.I).r - at.marker(force.J).r;
    along = (1 / norm(d)) * d;
  }
  const int of_I = s.model.markers[force.I].body, of_J = s.model.markers[force.J].body;
  return of_I >= 0 ? at.by_velocity(force.components[k], force.result[k], of_I, along, turning)
                   : at.by_velocity(force.components[k], force.result[k], of_J, -along, turning);
}

}  // namespace

void damping_sign(const Subject& s, Findings& f) {
  if (!s.start) return;
  for (const ExpressionForce& force : s.model.expression_forces) {
    // FRICTION has its sign from its law; that of MFORCE is its load case's.
    if (!force.name.active || force.joint >= 0 || force.flexible >= 0) continue;
    for (int k = 0; k < 6; ++k)
      if (force.components[k] >= 0 && s.model.tapes[force.components[k]].max_level() >= 2 &&
          growth(s, force, k) > 0) {
        f.add(force.name.where, "{}: {} grows with the velocity along which it acts, at the start",
              label_of(force.name), force.law.kind == AppliedKind::vector ? "a component" : "it");
        break;
      }
  }
}

}  // namespace trammel::advice
