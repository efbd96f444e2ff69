// Angles that count revolutions, as they are at a configuration.
#pragma once

#include "assemble/view.h"
#include "element/wrench.h"
#include "math/angle.h"

namespace trammel {

/// A row's angle, continued from its last accepted value. The row must have one.
TRAMMEL_HD inline void current_row_angle(const AssemblyView& w, int k, double* angle) {
  const RowItem& item = w.table.row[k];
  if (item.angle < 0) return;
  const Pose<double>&I = w.array.marker[item.I], &J = w.array.marker[item.J];
  ConstraintRow row = item.row;
  if (row.kind == RowKind::screw) row.kind = RowKind::angle_z;
  double value = row_value(row, I, J, w.state.angle[item.angle]);
  if (row.kind == RowKind::rack) value = (value - dot(I.r - J.r, J.A.column(2))) / row.parameter;
  angle[item.angle] = value;
}

/// Those of AX, AY, AZ that a law force counts.
TRAMMEL_HD inline void current_law_angles(const AssemblyView& w, int n, double* angle) {
  const LawItem& f = w.table.law_force[n];
  if (f.angle < 0) return;
  const Vec3d a = projected_angles(w.array.marker[f.I].A, w.array.marker[f.J].A);
  const CountedAngles use = w.table.laws.visit(f.law, [](const auto& law) { return counted_angles(law); });
  for (int k = 0; k < use.count; ++k)
    angle[f.angle + k] = continued_angle(a[use.first + k], w.state.angle[f.angle + k]);
}

TRAMMEL_HD inline void current_counter(const AssemblyView& w, const AngleCounter& counter, double* angle) {
  const Vec3d a = projected_angles(w.array.marker[counter.I].A, w.array.marker[counter.J].A);
  angle[counter.slot] = continued_angle(a[counter.axis], w.state.angle[counter.slot]);
}

}  // namespace trammel
