#include "advice/quantities.h"

#include <algorithm>

namespace trammel {

namespace {

struct MeasureKind {
  std::string_view name;
  Measured quantity;
};
constexpr MeasureKind measure_kinds[] = {
    {"TIME", Measured::time},
    {"DX", Measured::length},
    {"DY", Measured::length},
    {"DZ", Measured::length},
    {"DM", Measured::length},
    {"AX", Measured::angle},
    {"AY", Measured::angle},
    {"AZ", Measured::angle},
    {"PSI", Measured::angle},
    {"THETA", Measured::angle},
    {"PHI", Measured::angle},
    {"YAW", Measured::angle},
    {"PITCH", Measured::angle},
    {"ROLL", Measured::angle},
    {"INCANG", Measured::angle},
    {"VX", Measured::velocity},
    {"VY", Measured::velocity},
    {"VZ", Measured::velocity},
    {"VM", Measured::velocity},
    {"VR", Measured::velocity},
    {"WX", Measured::angular_velocity},
    {"WY", Measured::angular_velocity},
    {"WZ", Measured::angular_velocity},
    {"WM", Measured::angular_velocity},
};

}  // namespace

Measured measured_by(const DeckExpression& e, int node) {
  Measured common = Measured::none;
  bool mixed = false;
  std::vector<int> open{node};
  while (!open.empty()) {
    const int k = open.back();
    open.pop_back();
    const Node& n = e[k];
    if (n.kind == NodeKind::binary || n.kind == NodeKind::negate ||
        (n.kind == NodeKind::call && (n.name == "ABS" || n.name == "MAX" || n.name == "MIN"))) {
      open.insert(open.end(), n.child.begin(), n.child.end());
      mixed = mixed || (n.kind == NodeKind::binary && n.op != '+' && n.op != '-');
      continue;
    }
    if (e.range[k].point()) continue;
    Measured own = Measured::none;
    for (const MeasureKind& m : measure_kinds)
      if (m.name == n.name) own = m.quantity;
    mixed = mixed || own == Measured::none || (common != Measured::none && common != own);
    common = own;
  }
  return mixed ? Measured::none : common;
}

double usual(const Subject& s, Measured quantity) {
  const double size = s.start ? s.start->size() : 0, time = s.duration();
  switch (quantity) {
    case Measured::time:
      return time;
    case Measured::length:
      return size;
    case Measured::angle:
      return 1;
    case Measured::velocity:
      return time > 0 ? size / time : 0;
    case Measured::angular_velocity:
      return time > 0 ? 1 / time : 0;
    case Measured::none:
      return 0;
  }
  return 0;
}

LinearInTime linear_in_time(const DeckExpression& e, int k) {
  if (!e.shallow()) return {};
  const Node& n = e[k];
  if (e.range[k].point()) return {0, e.range[k].low, true};
  if (n.kind == NodeKind::name && n.name == "TIME") return {1, 0, true};
  if (n.kind == NodeKind::negate) {
    const LinearInTime x = linear_in_time(e, n.child[0]);
    return {-x.slope, -x.value, x.known};
  }
  if (n.kind != NodeKind::binary) return {};
  const LinearInTime a = linear_in_time(e, n.child[0]), b = linear_in_time(e, n.child[1]);
  if (!a.known || !b.known) return {};
  if (n.op == '+') return {a.slope + b.slope, a.value + b.value, true};
  if (n.op == '-') return {a.slope - b.slope, a.value - b.value, true};
  if (n.op == '*' && a.slope == 0) return {a.value * b.slope, a.value * b.value, true};
  if (n.op == '*' && b.slope == 0) return {a.slope * b.value, a.value * b.value, true};
  if (n.op == '/' && b.slope == 0 && b.value != 0) return {a.slope / b.value, a.value / b.value, true};
  return {};
}

}  // namespace trammel
