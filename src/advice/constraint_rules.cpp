// Rules on constraints: redundant ones.
#include <algorithm>

#include "advice/rules.h"

namespace trammel::advice {

namespace {

/// What holds as many translations and rotations as are needed of a joint.
struct Substitute {
  int translations, rotations;
  std::string_view name;
};
constexpr Substitute substitutes[] = {
    {3, 2, "JOINT REVOLUTE"},      {3, 1, "JOINT UNIVERSAL or HOOKE"},
    {3, 0, "JOINT SPHERICAL"},     {2, 3, "JOINT TRANSLATIONAL"},
    {2, 2, "JOINT CYLINDRICAL"},   {2, 1, "JPRIM INLINE and JPRIM PERPENDICULAR"},
    {2, 0, "JPRIM INLINE"},        {1, 3, "JPRIM INPLANE and JPRIM ORIENTATION"},
    {1, 2, "JOINT PLANAR"},        {1, 1, "JPRIM INPLANE and JPRIM PERPENDICULAR"},
    {1, 0, "JPRIM INPLANE"},       {0, 3, "JPRIM ORIENTATION"},
    {0, 2, "JPRIM PARALLEL_AXES"}, {0, 1, "JPRIM PERPENDICULAR"},
};

bool holds_a_place(const ConstraintRow& row) {
  return row.kind == RowKind::separation || row.kind == RowKind::separation_global;
}

/// "; JPRIM INLINE in its place holds what is needed"
std::string substitute_for(const ConstraintElement& e, const std::vector<char>& dropped) {
  int translations = 0, rotations = 0;
  for (int k = 0; k < e.rows; ++k)
    if (!dropped[e.first_row + k]) ++(holds_a_place(e.row[k]) ? translations : rotations);
  if (translations + rotations == 0) return "; the rest of the model holds the same";
  if (e.name.type != "JOINT" && e.name.type != "JPRIM") return "";
  for (const Substitute& s : substitutes)
    if (s.translations == translations && s.rotations == rotations)
      return fmt::format("; {} in its place holds what is needed", s.name);
  return "";
}

}  // namespace

void redundant(const Subject& s, Findings& f) {
  if (!s.start) return;
  std::vector<char> dropped(s.model.multipliers, 0);
  for (int row : s.start->report().redundant) dropped[row] = 1;
  for (const ConstraintElement& e : s.model.constraint_elements) {
    if (e.initial_only) continue;
    std::string rows;
    int count = 0;
    for (int k = 0; k < e.rows; ++k) {
      if (!dropped[e.first_row + k]) continue;
      ++count;
      rows += (rows.empty() ? "" : ", ") + std::string(e.row_name[k]);
    }
    if (count == 0) continue;
    const Statement* joint = s.expressions.statement(e.name.type, e.name.id);
    const std::string type(joint ? joint->chosen("type") : "");
    f.add(e.name.where, "{}{}: {} of its {} equations {} redundant ({}){}", label_of(e.name),
          type.empty() ? "" : " " + type, count, e.rows, count == 1 ? "is" : "are", rows,
          substitute_for(e, dropped));
  }
  for (const GeneralConstraint& g : s.model.general_constraints)
    if (dropped[g.row]) f.add(g.name.where, "{}: is redundant", label_of(g.name));
}

}  // namespace trammel::advice
