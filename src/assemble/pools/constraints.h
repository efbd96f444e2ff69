// Constraints between two markers: JOINT, JPRIM, MOTION, PTCV, CVCV. Each is a few scalar rows φ(I, J) = 0.
#pragma once

#include "assemble/pools/pool.h"
#include "assemble/tangent_writer.h"
#include "assemble/time_derivatives.h"
#include "element/constraint_row.h"
#include "element/curve_row.h"

namespace trammel {

/// A constraint row.
struct RowItem {
  ConstraintRow row;
  int at, I, J;       ///< index among multipliers, markers
  int angle, offset;  ///< slots of State::angle, State::offset, −1: none
  int motion;         ///< index of the element if a motion, −1: none
  int curves;         ///< index in Model::curve_uses, −1: none
  int plane;          ///< index of the normal of the plane in which the reaction is, −1: none
};

/// Rows of every kind.
struct AnyRow {
  static constexpr bool of_axes = false;
  TRAMMEL_HD static const ConstraintRow& known(const ConstraintRow& row) { return row; }
};
/// Rows that are products of axes or separations, without angles, curves, planes and motions.
struct AxisRow {
  static constexpr bool of_axes = true;
  static constexpr int kinds = 4;  ///< the first ones of RowKind
  TRAMMEL_HD static bool covers(const ConstraintRow& row) { return static_cast<int>(row.kind) < kinds; }
  /// The same row, of a kind that the compiler knows to be one of these.
  TRAMMEL_HD static ConstraintRow known(ConstraintRow row) {
    row.kind = static_cast<RowKind>(static_cast<int>(row.kind) % kinds);
    return row;
  }
};
static_assert(static_cast<int>(RowKind::separation_global) == 0 &&
              static_cast<int>(RowKind::separation) == 1 && static_cast<int>(RowKind::dot) == 2 &&
              static_cast<int>(RowKind::constant_velocity) == 3);

/// Functions with a parameter Rows are for elements with such rows.
struct Constraints : PoolDefaults {
  static constexpr const char* name = "constraints";
  static constexpr bool has_rows = true, has_residual = true, has_angles = true;
  static constexpr int grain = 256;

  struct Table : PoolPlace {
    const int* row_start;  ///< elements + 1: into `row`
    const RowItem* row;
    const double* target;      ///< 2 per row: values of φ and φ̇ that initial values ask for
    const MotionItem* motion;  ///< per element
    double* phi;               ///< per row: φ at the last evaluation, without offset and without turns()
    RowGradient<double>* gradient;  ///< per row
    const CurveUse* curve_use;
    const CurveView* curve;
    const Vec3d* normal;
  };

  std::vector<int> row_start{0};
  std::vector<RowItem> row;
  std::vector<double> target;
  std::vector<MotionItem> motion;
  std::vector<double> phi;
  std::vector<RowGradient<double>> gradient;
  /// of planes, global axes; [0] is unused, so that the table on a device is never empty
  std::vector<Vec3d> normal{Vec3d{}};
  const std::vector<CurveUse>* curve_use;
  const std::vector<CurveTable>* curve;

  static const auto& elements(const auto& model) { return model.constraint_elements; }

  template <class Model>
  explicit Constraints(const Model& model) : curve_use(&model.curve_uses), curve(&model.curves) {
    for (const auto& e : elements(model)) {
      const int n = static_cast<int>(motion.size());
      motion.push_back({e.tape, e.motion ? e.scalar : -1, e.level});
      const int plane = dot(e.normal, e.normal) > 0 ? static_cast<int>(normal.size()) : -1;
      if (plane >= 0) normal.push_back(e.normal);
      for (int r = 0; r < e.rows; ++r) {
        row.push_back({e.row[r], e.first_row + r, e.I, e.J, e.angle[r], e.offset[r], e.motion ? n : -1,
                       e.curves, plane});
        target.insert(target.end(), {e.target[r], e.target_rate[r]});
        // The gradient of a linear row never changes.
        gradient.push_back(row_is_linear(e.row[r]) ? row_gradient(e.row[r], Pose<double>{}, Pose<double>{})
                                                   : RowGradient<double>{});
      }
      row_start.push_back(static_cast<int>(row.size()));
    }
    phi.resize(row.size());
  }
  template <class Place>
  Table table(Place&& place) {
    std::vector<CurveView> views;
    for (const CurveTable& c : *curve)
      views.emplace_back(c, [&](const auto& numbers) { return place.table(numbers); });
    return {{},
            place.table(row_start),
            place.table(row),
            place.table(target),
            place.table(motion),
            place.array(phi),
            place.array(gradient),
            place.table(*curve_use),
            place.keep(std::move(views)),
            place.table(normal)};
  }
  template <class Element, class Need>
  static void needs(const auto&, const Element& e, Need&& need) {
    for (int r = 0; r < e.rows; ++r) {
      const int level = row_is_linear(e.row[r]) ? 0 : 1;
      need(e.I, level), need(e.J, level);
    }
  }

  /// row(multiplier, phases in which it holds) for every row.
  template <class Element, class Row>
  static void rows(const Element& e, Row&& row) {
    for (int r = 0; r < e.rows; ++r) row(e.first_row + r, e.phases[r]);
  }

  /// F = −λ ∂φ/∂r, T = −λ ∂φ/∂θ over the rows of a joint or motion (primer, Eq. 41-42), and φ of each.
  template <class Rows = AnyRow, class Tapes>
  TRAMMEL_HD static void wrench(const AssemblyView& w, const Table& t, int n, Tapes&&) {
    WrenchPair<double> sum;
    int plane = -1;
    for (int k = t.row_start[n]; k < t.row_start[n + 1]; ++k) {
      const RowItem& row = t.row[k];
      const ConstraintRow& known = Rows::known(row.row);
      const Pose<double>&I = w.array.marker[row.I], &J = w.array.marker[row.J];
      if constexpr (!Rows::of_axes) plane = row.plane;
      const double lambda = w.array.masked[row.at] ? 0.0 : w.state.lambda[row.at];
      if (row_is_linear(known)) {  // ∂φ/∂r_I = e_j = −∂φ/∂r_J
        sum.fi[known.j] -= lambda;
        sum.fj[known.j] += lambda;
        t.phi[k] = I.r[known.j] - J.r[known.j];
        continue;
      }
      RowGradient<double>& g = t.gradient[k];
      if (known.kind == RowKind::dot) {  // t_I = u × w = −t_J
        const Vec3d axis_I = I.A.column(known.i), axis_J = J.A.column(known.j), turn = cross(axis_I, axis_J);
        t.phi[k] = dot(axis_I, axis_J);
        g.ti = turn;
        g.tj = -turn;
        sum.ti -= lambda * turn;
        sum.tj += lambda * turn;
        continue;
      }
      if (!Rows::of_axes && row.curves >= 0) {
        const CurveContact curves = contact(w, t, row);
        t.phi[k] = curve_row_value(row.row, curves, I, J);
        g = curve_row_gradient(row.row, curves, I, J);
      } else {
        const bool turned = !Rows::of_axes && row.angle >= 0 && !row_is_angle(known);
        t.phi[k] = row_value(known, I, J, turned ? w.state.angle[row.angle] : 0.0);
        g = row_gradient(known, I, J);
      }
      sum.fi -= lambda * g.fi;
      sum.ti -= lambda * g.ti;
      sum.fj -= lambda * g.fj;
      sum.tj -= lambda * g.tj;
    }
    if (!Rows::of_axes && plane >= 0) {
      const Vec3d& normal = t.normal[plane];
      sum = {in_plane(normal, sum.fi, true), in_plane(normal, sum.ti, false), in_plane(normal, sum.fj, true),
             in_plane(normal, sum.tj, false)};
    }
    store(sum, t.wrench_of(w, n));
  }

  /// The whole turns of row k, if it is an angle, and less its offset.
  TRAMMEL_HD static double turns(const AssemblyView& w, const Table& t, int k) {
    const RowItem& row = t.row[k];
    const double turns =
        row.angle >= 0 && row_is_angle(row.row) ? whole_turns(t.phi[k], w.state.angle[row.angle]) : 0.0;
    return row.offset >= 0 ? turns - w.state.offset[row.offset] : turns;
  }
  /// φ of row k at the last evaluation, less its offset.
  template <class Rows = AnyRow>
  TRAMMEL_HD static double position(const AssemblyView& w, const Table& t, int k) {
    if constexpr (!Rows::of_axes) return t.phi[k] + turns(w, t, k);
    const int offset = t.row[k].offset;
    return offset >= 0 ? t.phi[k] - w.state.offset[offset] : t.phi[k];
  }
  /// The same, for a motion less f(t), or less the scalar s that stands for f. Of an angle the whole turns
  /// are taken off f: added to the angle they would round it by more in each turn, and between iterations.
  template <class Rows = AnyRow>
  TRAMMEL_HD static double value(const AssemblyView& w, const Table& t, int k) {
    if (Rows::of_axes || t.row[k].motion < 0) return position<Rows>(w, t, k);
    const MotionItem& m = t.motion[t.row[k].motion];
    const double f = m.scalar < 0 ? w.array.tape_value[3 * m.tape] : w.state.s[m.scalar];
    return t.phi[k] - (f - turns(w, t, k));
  }

  /// φ/c, or λ where the row is masked.
  template <class Rows = AnyRow>
  TRAMMEL_HD static void residual(const AssemblyView& w, const Table& t, int n, double* out) {
    const double c = w.point->c.c, scale = c != 0 ? 1.0 / c : 1.0;
    for (int k = t.row_start[n]; k < t.row_start[n + 1]; ++k) {
      const int at = t.row[k].at;
      out[w.table.coordinates + at] = w.array.masked[at] ? w.state.lambda[at] : scale * value<Rows>(w, t, k);
    }
  }

  /// φ (order 0), φ̇ or φ̈ of each row less what initial values and motions ask for; 0 where masked.
  template <class Rows = AnyRow, class Tapes>
  TRAMMEL_HD static void rates(const AssemblyView& w, const Table& t, int n, int order, Tapes&& tapes,
                               double* rows) {
    const MotionItem& m = t.motion[n];
    double f[3] = {0, 0, 0};
    if (!Rows::of_axes && is_motion(t, n) && !w.array.masked[t.row[t.row_start[n]].at]) {
      double g[3] = {0, 0, 0};
      const bool has_value = order < m.level || tapes.jet(n, m.tape, order - m.level, g);
      motion_jet(w, m, g, f);
      if (!has_value) f[order] = NAN;  // the tape has no such derivative
    }
    for (int k = t.row_start[n]; k < t.row_start[n + 1]; ++k) {
      const RowItem& row = t.row[k];
      rows[row.at] = 0;
      if (w.array.masked[row.at]) continue;
      if (order == 0) {
        rows[row.at] = position<Rows>(w, t, k) - t.target[2 * k] - f[0];
        continue;
      }
      const RowRates rate = rates_of<Rows>(w, t, row);
      rows[row.at] = order == 1 ? rate.first - t.target[2 * k + 1] - f[1] : rate.second - f[2];
    }
  }

  template <class Add, class Finish>
  static void gradients(const AssemblyView&, const Table& t, int n, Add&& add, Finish&& finish) {
    for (int k = t.row_start[n]; k < t.row_start[n + 1]; ++k) {
      const RowGradient<double>& g = t.gradient[k];
      add(t.row[k].I, g.fi, g.ti);
      add(t.row[k].J, g.fj, g.tj);
      finish();
    }
  }

  /// Angles of rows, continued from their last accepted values.
  TRAMMEL_HD static void angles(const AssemblyView& w, const Table& t, int n, double* angle) {
    for (int k = t.row_start[n]; k < t.row_start[n + 1]; ++k) {
      const RowItem& item = t.row[k];
      if (item.angle < 0) continue;
      const Pose<double>&I = w.array.marker[item.I], &J = w.array.marker[item.J];
      ConstraintRow row = item.row;
      if (row.kind == RowKind::screw) row.kind = RowKind::angle_z;
      double now = row_value(row, I, J, w.state.angle[item.angle]);
      if (row.kind == RowKind::rack) now = (now - dot(I.r - J.r, J.A.column(2))) / row.parameter;
      angle[item.angle] = now;
    }
  }

  template <class Rows = AnyRow, class Writer>
  TRAMMEL_HD static void tangent(Writer& writer, const Table& t, int n) {
    using Side = typename Writer::Side;
    const AssemblyView& w = writer.w;
    const int first = t.row_start[n], last = t.row_start[n + 1];
    if (first == last) return;
    const RowItem* rows = t.row;
    const Side side[2] = {writer.side_of(rows[first].I), writer.side_of(rows[first].J)};
    const int output = w.table.force_output[t.first_wrench + n];
    bool linear = true, dots = output < 0 && !side[0].flexible && !side[1].flexible;
    Mat3d B{};  // Σ −λ w̃ũ over products u·w of axes (add_dot_curvature)
    for (int k = first; k < last; ++k) {
      const RowItem& r = rows[k];
      const ConstraintRow& known = Rows::known(r.row);
      const int row = w.table.coordinates + r.at;
      const int axes = row_is_linear(known) ? 1 << known.j : row_is_rotational(known) ? 0 : all_axes;
      const bool active = !w.array.masked[r.at];
      const RowGradient<double> none{}, &g = active ? t.gradient[k] : none;
      constraint_entries(writer, row, side[0], g.fi, g.ti, axes);
      constraint_entries(writer, row, side[1], g.fj, g.tj, axes);
      writer.put(row, row, active ? 0.0 : 1.0);
      if (output >= 0 && (Rows::of_axes || r.plane < 0))  // W − w = 0 with w = −λ (f_I, t_I)
        writer.put_wrench(w.table.first_scalar() + output, row, g.fi, g.ti);
      if (!Rows::of_axes && output >= 0 && r.plane >= 0)
        writer.put_wrench(w.table.first_scalar() + output, row, in_plane(t.normal[r.plane], g.fi, true),
                          in_plane(t.normal[r.plane], g.ti, false));
      if (row_is_linear(known)) continue;
      linear = false;
      dots = dots && row_is_of_dots(known);
      if (dots && active && writer.numbers() && writer.c.c != 0)
        add_dot_curvature(known, writer.pose(r.I), writer.pose(r.J), -w.state.lambda[r.at], B);
    }
    const int scalar = Rows::of_axes ? -1 : t.motion[n].scalar;
    for (int k = first; scalar >= 0 && k < last; ++k)  // q − s, row scaled by 1/c
      writer.put(w.table.coordinates + rows[k].at, w.table.first_scalar() + scalar,
                 !w.array.masked[rows[k].at] && writer.numbers() && writer.c.c != 0
                     ? -writer.state_factor(scalar) / writer.c.c
                     : 0.0);
    if (linear) return;
    if (dots)
      dot_curvature(writer, side, B);
    else
      row_curvature<Rows>(writer, t, n);
  }

  TRAMMEL_HD static bool is_motion(const Table& t, int n) {
    return t.row_start[n + 1] > t.row_start[n] && t.row[t.row_start[n]].motion >= 0;
  }

  /// The curves of a contact, with the last accepted parameters on them.
  TRAMMEL_HD static CurveContact contact(const AssemblyView& w, const Table& t, const RowItem& row) {
    const CurveUse& use = t.curve_use[row.curves];
    CurveContact contact;
    contact.J = t.curve[use.curve_J];
    contact.last_J = w.state.angle[use.slot_J];
    if (use.curve_I < 0) return contact;
    contact.I = t.curve[use.curve_I];
    contact.last_I = w.state.angle[use.slot_I];
    return contact;
  }

  /// Whether a step has passed a corner behind which the velocity before it leads back.
  TRAMMEL_HD static bool turned_back(const CurveContact& on, const ContactPlace& at) {
    return sharpest_turn(on.J, on.last_J, at.J) < 0 ||
           (on.I.points > 0 && sharpest_turn(on.I, on.last_I, at.I) < 0);
  }

  /// Stores the present curve parameters of an element in the angles, at the end of a step of dynamics. False
  /// where no contact is found, or it has run over the end of a curve.
  TRAMMEL_HD static bool keep_contact(const AssemblyView& w, const Table& t, int n, double* angle) {
    const int first = t.row_start[n], last = t.row_start[n + 1];
    bool holds = false;
    for (int k = first; k < last; ++k)
      holds = holds || (t.row[k].curves >= 0 && !w.array.masked[t.row[k].at]);
    if (!holds) return true;
    const RowItem& row = t.row[first];
    const CurveContact on = contact(w, t, row);
    const ContactPlace at = contact_place(on, w.array.marker[row.I], w.array.marker[row.J]);
    if (!at.found || turned_back(on, at) || left_curve(on.J, at.J) ||
        (on.I.points > 0 && left_curve(on.I, at.I)))
      return false;
    const CurveUse& use = t.curve_use[row.curves];
    angle[use.slot_J] = at.J;
    if (use.slot_I >= 0) angle[use.slot_I] = at.I;
    return true;
  }

 private:
  /// The part of a reaction that the plane of its bodies does not take, theory.md (8e): of a force
  /// F − n (n·F), of a moment n (n·T).
  TRAMMEL_HD static Vec3d in_plane(const Vec3d& normal, const Vec3d& part, bool force) {
    const Vec3d along = dot(normal, part) * normal;
    return force ? part - along : along;
  }
  /// φ̇ and φ̈ of a row along the motion: in closed form, or by jets in time of its markers.
  template <class Rows>
  TRAMMEL_HD static RowRates rates_of(const AssemblyView& w, const Table& t, const RowItem& row) {
    const MarkerKinematics<double>&I = w.array.marker[row.I], &J = w.array.marker[row.J];
    RowRates rate;
    if (add_closed_rates(Rows::known(row.row), I, J, rate)) return rate;
    if constexpr (!Rows::of_axes) {
      const Pose<TwiceInTime> jet_I = pose_jet(I), jet_J = pose_jet(J);
      const TwiceInTime phi =
          row.curves >= 0 ? curve_row_value(row.row, contact(w, t, row), jet_I, jet_J)
                          : row_value(row.row, jet_I, jet_J, row.angle >= 0 ? w.state.angle[row.angle] : 0.0);
      rate = {phi.d[0].v, phi.d[0].d[0]};
    }
    return rate;
  }

  /// Φqᵀ and Φq of a constraint gradient (f, t) at a marker: the same numbers in column and row of λ.
  template <class Writer>
  TRAMMEL_HD static void constraint_entries(Writer& writer, int row, const typename Writer::Side& side,
                                            const Vec3d& f, const Vec3d& t, int axes) {
    const BodyBlock& body = side.body;
    if (body.first < 0) return;
    put_generalized_force(body, *side.H, f, axes == 0 ? t : t + cross(side.s, f), axes,
                          [&](int k, double x) { writer.put_both(row, body.first + k, x); });
    if (side.flexible) [[unlikely]]
      writer.put_modal_force(side.marker, f, t, [&](int k, double x) { writer.put_both(row, k, x); });
  }
  /// Tangent of the wrench (0, T, 0, −T) with δT = B δθ_I − Bᵀ δθ_J in coordinates: ∓Hᵀ B P and ±Hᵀ Bᵀ P for
  /// every pair of sides.
  template <class Writer>
  TRAMMEL_HD static void dot_curvature(Writer& writer, const typename Writer::Side (&side)[2],
                                       const Mat3d& B) {
    for (int column = 0; column < 2; ++column) {
      if (!side[column].turns()) continue;
      const Mat3d turned = (column == 0 ? B : -transpose(B)) * *side[column].P;
      for (int row = 0; row < 2; ++row) {
        if (!side[row].turns()) continue;
        const Mat3d block = transpose_times(*side[row].H, turned);
        const BodyBlock &of_row = side[row].body, &of_column = side[column].body;
        for (int k = 0; k < of_column.rotations; ++k)
          for (int r = 0; r < of_row.rotations; ++r)
            writer.put(of_row.angles() + r, of_column.angles() + k, row == 0 ? -block(r, k) : block(r, k));
      }
    }
  }

  /// −λ ∂(gradient)/∂(poses of I and J), all rows of the element together.
  template <class Rows, class Writer>
  TRAMMEL_HD static void row_curvature(Writer& writer, const Table& t, int n) {
    const AssemblyView& w = writer.w;
    const int first = t.row_start[n], last = t.row_start[n + 1];
    double h[12][12] = {};
    bool rotational = true;
    const RowItem* rows = t.row;
    for (int k = first; k < last; ++k) {
      const RowItem& r = rows[k];
      const ConstraintRow& known = Rows::known(r.row);
      if (row_is_linear(known)) continue;
      rotational = rotational && row_is_rotational(known);
      if (!writer.numbers() || w.array.masked[r.at] || !writer.moves_coordinates()) continue;
      const double weight = -w.state.lambda[r.at];
      if constexpr (Rows::of_axes)
        add_closed_hessian(known, writer.pose(r.I), writer.pose(r.J), weight, h);
      else if (r.curves >= 0)
        curve_row_hessian(r.row, contact(w, t, r), writer.pose(r.I), writer.pose(r.J), weight, h);
      else
        row_hessian(r.row, writer.pose(r.I), writer.pose(r.J), weight, h);
    }
    const int I = rows[first].I, J = rows[first].J, side[2] = {I, J}, plane = rows[first].plane;
    for (int r = 0; !Rows::of_axes && r < 12 && plane >= 0; r += 3)
      for (int k = 0; k < 12; ++k) {
        const Vec3d part = in_plane(t.normal[plane], {h[r][k], h[r + 1][k], h[r + 2][k]}, r % 6 == 0);
        for (int i = 0; i < 3; ++i) h[r + i][k] = part[i];
      }
    TRAMMEL_ROLLED
    for (int p = 0; p < 2; ++p) {
      double K[12][6];
      TRAMMEL_ROLLED
      for (int r = 0; r < 12; ++r)
        for (int k = 0; k < 6; ++k) K[r][k] = h[r][6 * p + k];
      writer.body_columns(t.first_wrench + n, I, J, side[p], &K[0][0], 1, rotational ? 0 : all_axes,
                          rotational);
    }
  }
};

}  // namespace trammel
