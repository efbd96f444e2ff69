#include "advice/deck_expressions.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <numbers>

namespace trammel {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double half_turn = std::numbers::pi;

/// Elements whose equations are integrated: what none of them leads to is only shown.
constexpr std::string_view root_keywords[] = {"MOTION", "SFORCE", "VFORCE", "VTORQUE", "GFORCE", "GCON",
                                              "DIFF",   "LSE",    "TFSISO", "PTCV",    "CVCV"};

/// Functions that read an element: which argument is its id, and its statement.
struct ElementReader {
  std::string_view function, statement;
  int argument = 0;
};
constexpr ElementReader element_readers[] = {
    {"VARVAL", "VARIABLE"},  {"DIF", "DIFF"},         {"DIF1", "DIFF"},        {"ARYVAL", "ARRAY"},
    {"PINVAL", "PINPUT"},    {"POUVAL", "POUTPUT"},   {"SENVAL", "SENSOR"},    {"AKISPL", "SPLINE", 2},
    {"CUBSPL", "SPLINE", 2}, {"INTERP", "SPLINE", 2}, {"INVPSD", "SPLINE", 1}, {"CURVE", "CURVE"},
};

const ElementReader* reader_of(const Node& node) {
  for (const ElementReader& r : element_readers)
    if (node.kind == NodeKind::call && node.name == r.function) return &r;
  return nullptr;
}

/// Bounds of functions of the motion; those that are not here have none.
struct MeasureRange {
  std::string_view function;
  Range range;
};
constexpr MeasureRange measure_ranges[] = {
    {"DM", {0, infinite}},
    {"VM", {0, infinite}},
    {"WM", {0, infinite}},
    {"ACCM", {0, infinite}},
    {"WDTM", {0, infinite}},
    {"FM", {0, infinite}},
    {"TM", {0, infinite}},
    {"INCANG", {0, half_turn}},
    {"THETA", {0, half_turn}},
    {"PSI", {-half_turn, half_turn}},
    {"PHI", {-half_turn, half_turn}},
    {"YAW", {-half_turn, half_turn}},
    {"ROLL", {-half_turn, half_turn}},
    {"PITCH", {-half_turn / 2, half_turn / 2}},
};

Op op_of(char symbol) {
  switch (symbol) {
    case '+':
      return Op::add;
    case '-':
      return Op::sub;
    case '*':
      return Op::mul;
    case '/':
      return Op::div;
    default:
      return Op::pow;
  }
}

}  // namespace

// ---- one expression

DeckExpression::DeckExpression(const Statement& s, const Argument& a)
    : owner(&s), argument(&a), tree(parse_expression(a.text)), parent(tree.nodes.size(), -1) {
  for (std::size_t k = 0; k < tree.nodes.size(); ++k)
    for (int child : tree.nodes[k].child) parent[child] = static_cast<int>(k);
}

std::string DeckExpression::place(int node) const {
  const Node& n = tree[node];
  std::string name = n.kind == NodeKind::binary ? std::string(1, n.op) : n.name;
  if (name == "^") name = "**";
  return fmt::format("{} at column {}", name, n.column);
}

bool DeckExpression::same_below(int a, int b) const {
  const Node &x = tree[a], &y = tree[b];
  if (x.kind != y.kind || x.value != y.value || x.op != y.op || x.name != y.name ||
      x.child.size() != y.child.size())
    return false;
  for (std::size_t k = 0; k < x.child.size(); ++k)
    if (!same_below(x.child[k], y.child[k])) return false;
  return true;
}

const Builtin* builtin_of(const Node& node) {
  return node.kind == NodeKind::call || node.kind == NodeKind::name ? find_builtin(node.name) : nullptr;
}

bool reads_motion(const Node& node) {
  const Builtin* row = builtin_of(node);
  if (!row || node.kind != NodeKind::call) return false;
  switch (row->kind) {
    case BuiltinKind::measure:
    case BuiltinKind::vector_measure:
    case BuiltinKind::unit_axis:
    case BuiltinKind::orientation:
      return true;
    case BuiltinKind::system:  // forces; elements are followed, but for states of their own
      return !reader_of(node) || node.name == "DIF" || node.name == "DIF1";
    default:
      return false;
  }
}

// ---- the deck

DeckExpressions::DeckExpressions(const Description& deck, const Range& time) : time_(time) {
  for (const Statement& s : deck.statements) by_id_.try_emplace({s.spec->keyword, s.id}, &s);
  for (const Statement& s : deck.statements) {
    if (s.spec->keyword != "LSE" && s.spec->keyword != "TFSISO") continue;
    for (std::string_view name : {"X", "Y"})
      if (const Statement* array = statement("ARRAY", s.id_of(name).value_or(0)))
        system_of_array_[array] = &s;
  }
  const auto is_root = [](const Statement& s) {
    return s.active && std::find(std::begin(root_keywords), std::end(root_keywords), s.spec->keyword) !=
                           std::end(root_keywords);
  };
  for (const Statement& s : deck.statements)
    if (is_root(s)) reach(s);
  // In the order of the deck, which reaching does not keep.
  std::map<const Statement*, std::size_t> order;
  for (const Statement& s : deck.statements) order[&s] = order.size();
  std::stable_sort(all_.begin(), all_.end(), [&](const DeckExpression& a, const DeckExpression& b) {
    return order[a.owner] < order[b.owner];
  });
  of_.clear();
  for (std::size_t k = 0; k < all_.size(); ++k) of_[all_[k].owner].push_back(static_cast<int>(k));
  for (DeckExpression& e : all_) {
    find_ranges(e, 0);
    find_live(e);
  }
}

const Statement* DeckExpressions::statement(std::string_view keyword, double id) const {
  constexpr double largest = 2147483647;
  if (!(id >= 1 && id <= largest)) return nullptr;
  const auto at = by_id_.find({keyword, static_cast<int>(id)});
  return at == by_id_.end() || !at->second->active ? nullptr : at->second;
}

void DeckExpressions::parse(const Statement& s) {
  if (!references_.try_emplace(&s).second) return;
  list_fields(s);
  for (const Argument& a : s.arguments) {
    if (a.field->kind != FieldKind::expression) continue;
    DeckExpression e(s, a);
    list_references(e);
    of_[&s].push_back(static_cast<int>(all_.size()));
    all_.push_back(std::move(e));
  }
}

void DeckExpressions::list_references(const DeckExpression& e) {
  for (const Node& node : e.tree.nodes) {
    const ElementReader* reader = reader_of(node);
    if (!reader || static_cast<int>(node.child.size()) <= reader->argument) continue;
    const Node& id = e.tree[node.child[reader->argument]];
    if (id.kind != NodeKind::number) continue;
    if (const Statement* s = statement(reader->statement, id.value)) references_[e.owner].push_back(s);
  }
}

/// LSE, TFSISO → ARRAY → VARIABLE; ARRAY of states or outputs → the system; PTCV, CVCV → CURVE.
void DeckExpressions::list_fields(const Statement& s) {
  for (const Argument& a : s.arguments)
    if (a.field->refers == "ARRAY" || a.field->refers == "VARIABLE" || a.field->refers == "CURVE")
      for (double id : a.numbers)
        if (const Statement* target = statement(a.field->refers, id)) references_[&s].push_back(target);
  if (const auto system = system_of_array_.find(&s); system != system_of_array_.end())
    references_[&s].push_back(system->second);
}

void DeckExpressions::reach(const Statement& root) {
  std::deque<const Statement*> open{&root};
  while (!open.empty()) {
    const Statement* s = open.front();
    open.pop_front();
    if (!root_.try_emplace(s, &root).second) continue;
    parse(*s);
    for (const Statement* next : references_[s]) open.push_back(next);
  }
}

const Statement* DeckExpressions::root(const Statement& s) const {
  const auto at = root_.find(&s);
  return at == root_.end() ? nullptr : at->second;
}

std::vector<const DeckExpression*> DeckExpressions::of(const Statement& s) const {
  std::vector<const DeckExpression*> list;
  if (const auto at = of_.find(&s); at != of_.end())
    for (int k : at->second) list.push_back(&all_[k]);
  return list;
}

std::vector<const Statement*> DeckExpressions::reached_from(const Statement& s, bool at_once) const {
  const auto integrates = [](const Statement& target) {
    const std::string_view keyword = target.spec->keyword;
    return keyword == "DIFF" || keyword == "LSE" || keyword == "TFSISO";
  };
  std::vector<const Statement*> list{&s};
  std::set<const Statement*> seen{&s};
  for (std::size_t k = 0; k < list.size(); ++k)
    if (const auto at = references_.find(list[k]); at != references_.end())
      for (const Statement* next : at->second)
        if (!(at_once && integrates(*next)) && seen.insert(next).second) list.push_back(next);
  return list;
}

std::string DeckExpressions::read_by(const DeckExpression& e) const {
  const Statement* reader = root(*e.owner);
  return reader && reader != e.owner ? ", read by " + reader->label() : "";
}

// ---- ranges

void DeckExpressions::find_ranges(DeckExpression& e, int depth) {
  if (!e.range.empty()) return;
  e.range.assign(e.tree.nodes.size(), {});  // unbounded for who asks on the way: a VARIABLE that reads itself
  for (std::size_t k = 0; k < e.tree.nodes.size(); ++k)
    e.range[k] = range_of_node(e, static_cast<int>(k), depth);
}

Range DeckExpressions::range_of_node(const DeckExpression& e, int k, int depth) {
  const Node& node = e[k];
  switch (node.kind) {
    case NodeKind::number:
      return Range::of(node.value);
    case NodeKind::name:
      if (node.name == "TIME") return time_;
      if (node.name == "MODE") return Range::of(4);  // dynamics
      if (node.name == "PI") return Range::of(std::numbers::pi);
      if (node.name == "RTOD") return Range::of(180 / std::numbers::pi);
      if (node.name == "DTOR") return Range::of(std::numbers::pi / 180);
      return {};
    case NodeKind::call:
      return range_of_call(e, k, depth);
    case NodeKind::negate: {
      const Range x[] = {e.range_of_child(k, 0)};
      return range_of(Op::neg, x);
    }
    case NodeKind::binary: {
      if (node.op == '%') return {};
      if (node.op == '*' && e.same(node.child[0], node.child[1])) return square(e.range_of_child(k, 0));
      const Range x[] = {e.range_of_child(k, 0), e.range_of_child(k, 1)};
      return range_of(op_of(node.op), x);
    }
    case NodeKind::sign_if: {
      const Range& choice = e.range_of_child(k, 0);
      if (choice.high < 0) return e.range_of_child(k, 1);
      if (choice.low > 0) return e.range_of_child(k, 3);
      return hull(hull(e.range_of_child(k, 1), e.range_of_child(k, 2)), e.range_of_child(k, 3));
    }
    case NodeKind::vector:
      return {};
  }
  return {};
}

Range DeckExpressions::range_of_call(const DeckExpression& e, int k, int depth) {
  constexpr int deepest = 100;  // chain of VARIABLEs that is followed
  const Node& node = e[k];
  const Builtin* row = builtin_of(node);
  if (row && row->kind == BuiltinKind::op) {
    std::vector<Range> x;
    for (int child : node.child) x.push_back(e.range[child]);
    return range_of(row->op, x);
  }
  for (const MeasureRange& m : measure_ranges)
    if (node.name == m.function) return m.range;
  if (node.name != "VARVAL" || node.child.empty() || depth > deepest) return {};
  const Statement* s = statement("VARIABLE", e.range_of_child(k, 0).low);
  if (!s || of_[s].empty()) return {};
  DeckExpression& variable = all_[of_[s].front()];
  find_ranges(variable, depth + 1);
  return variable.range[variable.tree.root];
}

/// From the root down: a node has an effect where its parent has one and does not settle without it.
void DeckExpressions::find_live(DeckExpression& e) {
  e.live.assign(e.tree.nodes.size(), Live::no);
  e.live[e.tree.root] = Live::value;
  for (int k = e.tree.root; k >= 0; --k) {
    if (e.live[k] == Live::no || e.range[k].point()) continue;
    const Node& node = e[k];
    for (int child : node.child) e.live[child] = e.live[k];
    if (node.kind != NodeKind::sign_if) continue;
    const Range& choice = e.range_of_child(k, 0);
    e.live[node.child[0]] = Live::choice;
    if (choice.low >= 0) e.live[node.child[1]] = Live::no;
    if (!choice.contains(0)) e.live[node.child[2]] = Live::no;
    if (choice.high <= 0) e.live[node.child[3]] = Live::no;
  }
}

}  // namespace trammel
