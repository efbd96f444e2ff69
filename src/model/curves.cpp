// CURVE, and the constraints on curves: PTCV, CVCV.
#include <algorithm>
#include <cmath>

#include "model/resolver.h"

namespace trammel {

namespace {
constexpr NamedRow first_normal{{RowKind::curve_normal, 0, 0}, "[Ri-C].N1"};
constexpr NamedRow second_normal{{RowKind::curve_normal, 0, 1}, "[Ri-C].N2"};
constexpr NamedRow along{{RowKind::curve_place}, "place on the curve"};
constexpr NamedRow gap{{RowKind::curve_gap}, "distance of the curves"};
}  // namespace

void Compiler::compile_curves() {
  for (const Statement& s : statements_.all("CURVE")) {
    const auto id = s.id_of("MATRIX");
    const auto at = id ? matrices_.find(*id) : matrices_.end();
    if (at == matrices_.end()) continue;
    const MatrixData& m = at->second;
    const int order = static_cast<int>(s.real("ORDER"));
    if (order != 4 && order != 2) {
      diagnostics_.unsupported(
          s.find("ORDER")->where,
          "{}: ORDER={} is not supported; curves are cubic (ORDER=4) or of straight lines (ORDER=2)",
          s.label(), order);
      continue;
    }
    if (m.columns != 3 || m.values.empty()) {
      if (!m.values.empty())
        diagnostics_.error(
            s.find("MATRIX")->where,
            "{}: MATRIX/{} is {} x {}; it must have 3 columns, x, y, z, and a row for each point", s.label(),
            *id, m.rows, m.columns);
      continue;
    }
    std::vector<Vec3d> points;
    for (int r = 0; r < m.rows; ++r) points.push_back({m(r, 0), m(r, 1), m(r, 2)});
    try {
      CurveTable curve = make_curve_table(s.id, points, s.has("CLOSED"), order == 2);
      curve_of_[s.id] = static_cast<int>(model_.curves.size());
      model_.curves.push_back(std::move(curve));
    } catch (const Failure& failure) {
      diagnostics_.error(s.find("MATRIX")->where, "{}: MATRIX/{}: {}", s.label(), *id, failure.what());
    }
  }
}

/// A marker as the deck places it in ground.
Pose<double> Compiler::given_pose(int marker) const {
  const Marker& m = model_.markers[marker];
  if (m.body < 0) return {m.s, m.A};
  const InitialBody& b = model_.initial.bodies[m.body];
  return {b.position + b.orientation * m.s, b.orientation * m.A};
}

/// Enters in `use` the curve that an argument names; nullptr where it names none that is there (reported
/// elsewhere).
const CurveTable* Compiler::curve_of(const Statement& s, std::string_view argument, CurveUse& use,
                                     bool of_I) {
  const auto id = s.id_of(argument);
  const auto at = id ? curve_of_.find(*id) : curve_of_.end();
  if (at == curve_of_.end()) return nullptr;
  (of_I ? use.curve_I : use.curve_J) = at->second;
  (of_I ? use.slot_I : use.slot_J) = model_.angles++;
  return &model_.curves[at->second];
}

/// Whether a marker and a floating marker are on the same body; else an error.
bool Compiler::carried_by(const Statement& s, std::string_view marker, std::string_view floating) const {
  const auto fixed_id = s.id_of(marker), floating_id = s.id_of(floating);
  if (!fixed_id || !floating_id) return false;
  const LocalMarker* f = local_.find(*floating_id);
  const int fixed = marker_at(*fixed_id, -1);
  if (!f || fixed < 0) return false;
  if (!f->floating) {
    diagnostics_.error(s.find(floating)->where,
                       "{}: {}={} is not FLOATING; write MARKER/{}, PART=..., FLOATING", s.label(), floating,
                       *floating_id, *floating_id);
    return false;
  }
  const int body = f->owner ? f->owner->body : -1;
  if (model_.markers[fixed].body == body) return true;
  diagnostics_.error(s.find(marker)->where,
                     "{}: {}={} and {}={} are on different bodies; both belong to the curve", s.label(),
                     marker, *fixed_id, floating, *floating_id);
  return false;
}

void Compiler::compile_ptcv(const Statement& s) {
  CurveUse use;
  const CurveTable* curve = curve_of(s, "CURVE", use, false);
  if (!curve || !carried_by(s, "RM", "JFLOAT")) return;
  ConstraintElement e;
  e.name = name_of(s);
  e.I = marker_index(s, "I");
  e.J = marker_index(s, "RM");
  const Pose<double> I = given_pose(e.I), J = given_pose(e.J);
  Vec3d near = transpose_times(J.A, I.r - J.r);
  if (const Argument* disp = s.find("DISP")) {
    const int icm = marker_index(s, "ICM", e.J);
    if (model_.markers[icm].body != model_.markers[e.J].body) {
      diagnostics_.error(s.find("ICM")->where, "{}: ICM={} must be on the body of RM", s.label(),
                         model_.markers[icm].id);
      return;
    }
    const Pose<double> frame = given_pose(icm);
    near = transpose_times(
        J.A, frame.r + frame.A * Vec3d{disp->numbers[0], disp->numbers[1], disp->numbers[2]} - J.r);
  }
  use.start_J = nearest_parameter(*curve, near);
  e.curves = static_cast<int>(model_.curve_uses.size());
  model_.curve_uses.push_back(use);
  e.rows = 2;
  e.row[0] = first_normal.row, e.row_name[0] = first_normal.name;
  e.row[1] = second_normal.row, e.row_name[1] = second_normal.name;
  add_rows(e);
  if (!s.has("DISP") && !s.has("VEL")) return;
  ConstraintElement initial;  // place on the curve, and speed along it: rows that hold in assembly only
  initial.name = e.name;
  initial.I = e.I;
  initial.J = e.J;
  initial.curves = e.curves;
  initial.rows = 1;
  initial.row[0] = along.row;
  initial.row[0].parameter = use.start_J;
  initial.row_name[0] = along.name;
  initial.target_rate[0] = s.real("VEL", 0);
  initial.phases[0] =
      (s.has("DISP") ? phase_given_position : 0u) | (s.has("VEL") ? phase_given_velocity : 0u);
  initial.initial_only = true;
  add_rows(initial);
}

void Compiler::compile_cvcv(const Statement& s) {
  CurveUse use;
  const CurveTable *ci = curve_of(s, "ICURVE", use, true), *cj = curve_of(s, "JCURVE", use, false);
  if (!ci || !cj || !carried_by(s, "IRM", "IFLOAT") || !carried_by(s, "JRM", "JFLOAT")) return;
  for (std::string_view name : {"ICURVE", "JCURVE"}) {
    const CurveTable& curve = name[0] == 'I' ? *ci : *cj;
    if (curve.straight) {
      diagnostics_.unsupported(
          s.find(name)->where,
          "{}: CURVE/{} has ORDER=2, and two curves touch only where both have a tangent; "
          "give it ORDER=4",
          s.label(), curve.id);
      return;
    }
    for (const Vec3d& p : curve.point)
      if (p.z != 0) {
        diagnostics_.error(s.find(name)->where,
                           "{}: CURVE/{} has a point with z = {}; {} must lie in the x-y plane", s.label(),
                           curve.id, p.z, name);
        return;
      }
  }
  ConstraintElement e;
  e.name = name_of(s);
  e.I = marker_index(s, "IRM");
  e.J = marker_index(s, "JRM");
  if (model_.markers[e.I].body == model_.markers[e.J].body) {
    diagnostics_.error(s.find("JRM")->where,
                       "{}: IRM and JRM are on one body; they must be on different bodies", s.label());
    return;
  }
  const ContactPlace start = nearest_contact({*ci, *cj, 0, 0}, given_pose(e.I), given_pose(e.J));
  use.start_I = start.I;
  use.start_J = start.J;
  e.curves = static_cast<int>(model_.curve_uses.size());
  model_.curve_uses.push_back(use);
  e.rows = 1;
  e.row[0] = gap.row;
  e.row_name[0] = gap.name;
  add_rows(e);
}

void Compiler::compile_curve_constraints() {
  for (const Statement& s : statements_.all({"PTCV", "CVCV"})) {
    if (s.spec->keyword == "PTCV") compile_ptcv(s);
    if (s.spec->keyword == "CVCV") compile_cvcv(s);
  }
}

}  // namespace trammel
