// The tangent, one body, element or scalar each: what the processor and a device compute alike.
//
// Every element gives d(wrench pair)/dΔ column by column; one function carries that to the rows of its
// bodies. Entries go to a sink in a fixed sequence; the same code, run with a sink that records, makes the
// sparsity pattern. A sink has
//   bool numbers()                                 false: only Φq is asked for, or only where entries are
//   void put(int row, int column, double value)
//   TapeDerivativeView gradient(int tape, int result)
#pragma once

#include "assemble/equation_items.h"
#include "assemble/marker_duals.h"
#include "assemble/tape_items.h"

namespace trammel {

/// Columns of the derivative of a wrench pair (F_I T_I F_J T_J): 12 rows, up to 6 columns.
struct WrenchColumns {
  double m[12][6] = {};
};

/// Which of the three force rows can be nonzero: bits x, y, z. Torque rows always can.
inline constexpr int all_axes = 7;

/// M ṽ: its rows are those of M × v.
TRAMMEL_HD inline Mat3d times_skew(const Mat3d& m, const Vec3d& v) {
  return transpose(Mat3d::from_columns(cross(m.row(0), v), cross(m.row(1), v), cross(m.row(2), v)));
}
/// ṽ M: its columns are v × those of M.
TRAMMEL_HD inline Mat3d skew_times(const Vec3d& v, const Mat3d& m) {
  return Mat3d::from_columns(cross(v, m.column(0)), cross(v, m.column(1)), cross(v, m.column(2)));
}

template <class Sink>
class TangentItems {
 public:
  TRAMMEL_HD TangentItems(const AssemblyView& w, Sink& sink) : w_(w), sink_(sink), c_(w.point->c) {}

  // ---- bodies

  TRAMMEL_HD void body(int b) {
    double m[6][6] = {};
    if (numbers()) inertia(b, m);
    put_body(b, m);
  }

  TRAMMEL_HD void put_body(int b, const double (&m)[6][6]) {
    const BodyInertia& body = w_.table.inertia[b];
    for (int r = 0; r < body.count; ++r)
      for (int k = 0; k < body.count; ++k)
        if (body.coupled || r == k || (r >= 3 && k >= 3)) put(body.first + r, body.first + k, m[r][k]);
  }

  /// Inertia and the geometric terms of everything that acts on the body:
  ///   δ(Hᵀ n) = Hᵀ δn + ∂(Hᵀ n)/∂ε δε,   n = Jα + ω × Jω − T,   δT ∋ (Σ F̃ s̃) δθ
  TRAMMEL_HD void inertia(int b, double (&m)[6][6]) const {
    const BodyInertia& body = w_.table.inertia[b];
    for (int k = 0; k < 3; ++k) m[k][k] = c_.a * body.mass;
    if (!body.turns()) return;
    const BodyKinematics& k = w_.array.body[b];
    const BodyVariation& d = w_.array.variation[b];
    const Mat3d J = k.A * body.inertia * transpose(k.A);
    const Vec3d Ja = J * k.alpha, Jw = J * k.w;
    //   ∂n/∂θ = J α̃ − (Jα)~ + ω̃ (J ω̃ − (Jω)~) − Σ F̃ s̃,   ∂n/∂ω = ω̃ J − (Jω)~,   ∂n/∂α = J
    const Mat3d skew_Jw = skew(Jw);
    const Mat3d K_theta = times_skew(J, k.alpha) - skew(Ja) + skew_times(k.w, times_skew(J, k.w) - skew_Jw) -
                          arms_of_body(w_, b);
    const Mat3d K_omega = skew_times(k.w, J) - skew_Jw;
    const Vec3d n = Ja + cross(k.w, Jw) - w_.array.body_moment[b];
    // Variations of ψ and θ turn the axes h1, h2 of H: ∂(Hᵀn)/∂ε has h0×h1·n and h0×h2·n in the column of
    // ψ, h1×h2·n in that of θ.
    const Vec3d h0 = k.H.column(0), h1 = k.H.column(1), h2 = k.H.column(2);
    Mat3d block = transpose_times(k.H, K_theta * d.P + K_omega * d.V + J * d.Q);
    block(1, 0) += c_.c * dot(cross(h0, h1), n);
    block(2, 0) += c_.c * dot(cross(h0, h2), n);
    block(2, 1) += c_.c * dot(cross(h1, h2), n);
    for (int r = 0; r < 3; ++r)
      for (int col = 0; col < 3; ++col) m[3 + r][3 + col] = block(r, col);
  }

  // ---- joints and motions

  /// Element n of the row elements, which are the first wrench elements.
  TRAMMEL_HD void row_element(int n) {
    const int first = w_.table.row_start[n], last = w_.table.row_start[n + 1];
    if (first == last) return;
    const RowItem* rows = w_.table.row;
    const Side side[2] = {side_of(rows[first].I), side_of(rows[first].J)};
    const int output = w_.table.force_output[n];
    bool linear = true, dots = output < 0;
    Mat3d B{};  // curvature of products of axes
    for (int k = first; k < last; ++k) {
      const RowItem& r = rows[k];
      const int row = w_.table.coordinates + r.at;
      const int axes = row_is_linear(r.row) ? 1 << r.row.j : row_is_rotational(r.row) ? 0 : all_axes;
      const bool active = !w_.array.masked[r.at];
      const RowGradient<double> none{}, &g = active ? w_.array.row_gradient[k] : none;
      constraint_entries(row, side[0], g.fi, g.ti, axes);
      constraint_entries(row, side[1], g.fj, g.tj, axes);
      put(row, row, active ? 0.0 : 1.0);
      if (output >= 0)  // W − w = 0 with w = −λ (f_I, t_I)
        put_wrench(w_.table.first_scalar() + output, row, g.fi, g.ti);
      if (row_is_linear(r.row)) continue;
      linear = false;
      dots = dots && row_is_of_dots(r.row);
      if (dots && active && numbers() && c_.c != 0)
        add_dot_curvature(r.row, pose(r.I), pose(r.J), -w_.state.lambda[r.at], B);
    }
    const int scalar = w_.table.motion[n].scalar;
    for (int k = first; scalar >= 0 && k < last; ++k)  // q − s, row scaled by 1/c
      put(w_.table.coordinates + rows[k].at, w_.table.first_scalar() + scalar,
          !w_.array.masked[rows[k].at] && numbers() && c_.c != 0 ? -state_factor(scalar) / c_.c : 0.0);
    if (linear) return;
    if (dots)
      dot_curvature(side, B);
    else
      row_curvature(n, first, last);
  }

  // ---- forces

  /// Law force n; its wrench element is behind those of the tables before it.
  TRAMMEL_HD void law_force(int n) {
    const LawItem& f = w_.table.law_force[n];
    const double* last = f.angle >= 0 ? w_.state.angle + f.angle : nullptr;
    for (int side = 0; side < 2; ++side) {
      double K[12][12] = {};  // position and velocity of one marker
      if (numbers())
        for (int level = 0; level < 2; ++level) law_derivative(f, last, side, level, K);
      body_columns(w_.table.law_wrench + n, f.I, f.J, side == 0 ? f.I : f.J, &K[0][0], 2, all_axes);
    }
  }

  TRAMMEL_HD void expression_force(int n) {
    const ExpressionItem& f = w_.table.expression_force[n];
    const int element = w_.table.expression_wrench + n;
    const Pose<double>&I = pose(f.I), &J = pose(f.J), &RM = pose(f.RM);
    double e[6] = {};
    WrenchPair<double> U[6];
    for (int k = 0; k < f.count(); ++k) {
      if (f.components[k] < 0) continue;
      U[k] = unit_wrench(f.law, k, I, J, RM);
      if (numbers()) e[k] = w_.array.tape_value[3 * f.components[k] + f.result[k]];
    }
    const int marker[3] = {f.I, f.J, f.RM};
    for (int side = 0; side < 3; ++side) {
      if (side == 2 && f.law.kind != AppliedKind::vector) continue;
      double K[12][6] = {};
      if (numbers()) geometry_derivative(f, e, side, K);
      body_columns(element, f.I, f.J, marker[side], &K[0][0], 1, all_axes);
    }
    for (int k = 0; k < f.count(); ++k)
      if (f.components[k] >= 0) tape_columns(element, f.I, f.J, f.components[k], f.result[k], U[k]);
  }

  // ---- scalar equations

  TRAMMEL_HD void scalar(int k) {
    const ScalarItem& s = w_.table.scalar[k];
    const int row = w_.table.first_scalar() + k;
    const double own = is_residual(s.kind) ? 0.0 : s.differential() ? c_.rate : 1.0;
    put(row, row, numbers() ? own : 1.0);
    if (s.kind == ScalarKind::motion_rate) put(row, row + 1, numbers() ? -c_.state : 0.0);
    if (s.tape >= 0) scalar_tape(s, row);
  }

 protected:
  /// A marker, its body and what carries a wrench from the one to the other.
  struct Side {
    int first = -1;  ///< unknown of the body, −1: ground
    bool turns = false;
    const Mat3d *H = nullptr, *P = nullptr;
    Vec3d s{};
  };

  TRAMMEL_HD bool numbers() const { return sink_.numbers(); }
  TRAMMEL_HD void put(int row, int column, double value) { sink_.put(row, column, value); }
  TRAMMEL_HD int body_of(int marker) const { return w_.table.marker[marker].body; }
  TRAMMEL_HD const BodyInertia& body_at(int b) const { return w_.table.inertia[b]; }
  TRAMMEL_HD const Pose<double>& pose(int marker) const { return w_.array.marker[marker]; }
  TRAMMEL_HD double state_factor(int scalar) const {
    return w_.table.scalar[scalar].differential() ? c_.state : 1.0;
  }

  TRAMMEL_HD Side side_of(int marker) const {
    const int b = body_of(marker);
    if (b < 0) return {};
    const BodyInertia& body = body_at(b);
    return {body.first, body.turns(), &w_.array.body[b].H, &w_.array.variation[b].P, w_.array.arm[marker]};
  }

  /// Φqᵀ and Φq of a constraint gradient (f, t) at a marker: the same numbers in column and row of λ.
  TRAMMEL_HD void constraint_entries(int row, const Side& side, const Vec3d& f, const Vec3d& t, int axes) {
    if (side.first < 0) return;
    for (int k = 0; k < 3; ++k)
      if (axes >> k & 1) put_both(row, side.first + k, f[k]);
    if (!side.turns) return;
    const Vec3d e = transpose_times(*side.H, axes == 0 ? t : t + cross(side.s, f));
    for (int k = 0; k < 3; ++k) put_both(row, side.first + 3 + k, e[k]);
  }
  TRAMMEL_HD void put_both(int row, int unknown, double value) {
    put(unknown, row, value);
    put(row, unknown, value);
  }

  /// The wrench (0, T, 0, −T) with δT = B δθ_I − Bᵀ δθ_J in coordinates: −Hᵀ δT P of every pair of sides.
  TRAMMEL_HD void dot_curvature(const Side (&side)[2], const Mat3d& B) {
    for (int column = 0; column < 2; ++column) {
      if (!side[column].turns) continue;
      const Mat3d turned = (column == 0 ? B : -transpose(B)) * *side[column].P;
      for (int row = 0; row < 2; ++row) {
        if (!side[row].turns) continue;
        const Mat3d block = transpose_times(*side[row].H, turned);
        for (int k = 0; k < 3; ++k)
          for (int r = 0; r < 3; ++r)
            put(side[row].first + 3 + r, side[column].first + 3 + k, row == 0 ? -block(r, k) : block(r, k));
      }
    }
  }

  /// −λ ∂(gradient)/∂(poses of I and J), all rows of the element together.
  TRAMMEL_HD void row_curvature(int n, int first, int last) {
    double h[12][12] = {};
    bool rotational = true;
    const RowItem* rows = w_.table.row;
    for (int k = first; k < last; ++k) {
      const RowItem& r = rows[k];
      if (row_is_linear(r.row)) continue;
      rotational = rotational && row_is_rotational(r.row);
      if (!numbers() || w_.array.masked[r.at] || c_.c == 0) continue;
      const double weight = -w_.state.lambda[r.at];
#if !defined(__CUDA_ARCH__)
      if (r.curves >= 0)
        curve_row_curvature(w_, r, weight, h);
      else
#endif
        row_hessian(r.row, pose(r.I), pose(r.J), weight, h);
    }
    const int I = rows[first].I, J = rows[first].J, side[2] = {I, J};
    for (int p = 0; p < 2; ++p) {
      double K[12][6];
      for (int r = 0; r < 12; ++r)
        for (int k = 0; k < 6; ++k) K[r][k] = h[r][6 * p + k];
      body_columns(n, I, J, side[p], &K[0][0], 1, rotational ? 0 : all_axes, rotational);
    }
  }

  /// ∂(wrench pair)/∂(δr, δθ) (level 0) or ∂/∂(δv, δω) (level 1) of one marker by dual numbers.
  TRAMMEL_HD void law_derivative(const LawItem& f, const double* last, int side, int level,
                                 double (&K)[12][12]) const {
    using D = Dual<double, 6>;
    MarkerKinematics<D> m[2];
    const int marker[2] = {f.I, f.J};
    for (int p = 0; p < 2; ++p) {
      lift(w_.array.marker[marker[p]], m[p]);
      if (p == side) seed(w_.array.marker[marker[p]], level, m[p]);
    }
    const WrenchPair<D> u =
        w_.table.laws.visit(f.law, [&](const auto& law) { return wrench(law, m[0], m[1], last); });
    const Vec3<D>* part[4] = {&u.fi, &u.ti, &u.fj, &u.tj};
    for (int p = 0; p < 4; ++p)
      for (int k = 0; k < 3; ++k)
        for (int d = 0; d < 6; ++d) K[3 * p + k][6 * level + d] = (*part[p])[k].d[d];
  }

  /// ∂(Σ e_k U_k)/∂(pose of one of I, J, RM).
  TRAMMEL_HD void geometry_derivative(const ExpressionItem& f, const double (&e)[6], int side,
                                      double (&K)[12][6]) const {
    using D = Dual<double, 6>;
    const int marker[3] = {f.I, f.J, f.RM};
    Pose<D> p[3];
    for (int s = 0; s < 3; ++s) {
      MarkerKinematics<D> m;
      lift(w_.array.marker[marker[s]], m);
      if (s == side) seed(w_.array.marker[marker[s]], 0, m);
      p[s] = {m.r, m.A};
    }
    for (int k = 0; k < f.count(); ++k) {
      if (f.components[k] < 0) continue;
      const WrenchPair<D> u = unit_wrench(f.law, k, p[0], p[1], p[2]);
      const Vec3<D>* part[4] = {&u.fi, &u.ti, &u.fj, &u.tj};
      for (int q = 0; q < 4; ++q)
        for (int i = 0; i < 3; ++i)
          for (int d = 0; d < 6; ++d) K[3 * q + i][d] += e[k] * (*part[q])[i].d[d];
    }
  }

  /// Columns of everything a tape depends on: U ∂e/∂Δ.
  TRAMMEL_HD void tape_columns(int element, int I, int J, int tape_index, int result,
                               const WrenchPair<double>& U) {
    const TapeItem& tape = w_.table.tape[tape_index];
    TapeDerivativeView d{};
    if (numbers()) d = sink_.gradient(tape_index, result);
    for (int m = 0; m < tape.view.n_markers; ++m) {
      const int marker = tape.markers[m].marker, b = body_of(marker);
      if (b < 0) continue;
      double g[6] = {};
      if (numbers()) project(d.marker + 18 * m, tape.markers[m].level, marker, g);
      unit_columns(element, I, J, U, g, body_at(b).first, body_at(b).count);
    }
    for (int k = 0; k < tape.view.n_states; ++k) {
      const double g = numbers() ? d.state[k] * state_factor(tape.states[k]) : 0.0;
      unit_columns(element, I, J, U, &g, w_.table.first_scalar() + tape.states[k], 1);
    }
    for (int k = 0; k < tape.view.n_rates; ++k) {
      const double g = numbers() ? d.rate[k] * c_.rate : 0.0;
      unit_columns(element, I, J, U, &g, w_.table.first_scalar() + tape.rates[k], 1);
    }
  }
  TRAMMEL_HD void unit_columns(int element, int I, int J, const WrenchPair<double>& U, const double* g,
                               int first, int count) {
    const Vec3d* part[4] = {&U.fi, &U.ti, &U.fj, &U.tj};
    WrenchColumns M;
    for (int p = 0; p < 4; ++p)
      for (int i = 0; i < 3; ++i)
        for (int k = 0; k < count; ++k) M.m[3 * p + i][k] = (*part[p])[i] * g[k];
    wrench_columns(element, I, J, first, count, M, all_axes);
  }

  /// −∂e/∂Δ (explicit equations) or +∂e/∂Δ (implicit ones) in a scalar row.
  TRAMMEL_HD void scalar_tape(const ScalarItem& s, int row) {
    const TapeItem& tape = w_.table.tape[s.tape];
    const double sign = is_residual(s.kind) ? 1.0 : -1.0;
    TapeDerivativeView d{};
    if (numbers()) d = sink_.gradient(s.tape, s.result);
    for (int m = 0; m < tape.view.n_markers; ++m) {
      const int marker = tape.markers[m].marker, b = body_of(marker);
      if (b < 0) continue;
      double g[6] = {};
      if (numbers()) project(d.marker + 18 * m, tape.markers[m].level, marker, g);
      for (int i = 0; i < body_at(b).count; ++i) put(row, body_at(b).first + i, sign * g[i]);
    }
    const int first = w_.table.first_scalar();
    for (int i = 0; i < tape.view.n_states; ++i)
      put(row, first + tape.states[i], numbers() ? sign * d.state[i] * state_factor(tape.states[i]) : 0.0);
    for (int i = 0; i < tape.view.n_rates; ++i)
      put(row, first + tape.rates[i], numbers() ? sign * d.rate[i] * c_.rate : 0.0);
  }

  // ---- used by all of them

  /// A row gradient at a marker (δr δθ δv δω δa δα: 6·level numbers) in the columns of its body.
  TRAMMEL_HD void project(const double* g, int level, int marker, double (&out)[6]) const {
    const int b = body_of(marker);
    const BodyKinematics& body = w_.array.body[b];
    const BodyVariation& d = w_.array.variation[b];
    const Vec3d& s = w_.array.arm[marker];
    // With the gradients f, t; f', t'; f", t" by position, velocity and acceleration, and
    //   δr = cδx − s̃ δθ,  δv = bδx − s̃ δω − ω̃s̃ δθ,  δa = aδx − s̃ δα − (ω×s)~ δω − ω̃s̃ δω − (α̃ + ω̃ω̃) s̃ δθ
    // the factors of δθ, δω, δα are
    //   t + s×f − s×(ω×f') − s×(α×f") + s×(ω×(ω×f")),   t' + s×f' + (ω×s)×f" − s×(ω×f"),   t" + s×f".
    const Vec3d f0 = load(g);
    Vec3d x = c_.c * f0, about_s = f0, e;
    if (level == 1) {
      e = transpose_times(d.P, load(g + 3) + cross(s, f0));
    } else {
      const Vec3d f1 = load(g + 6);
      x += c_.b * f1;
      about_s -= cross(body.w, f1);
      Vec3d turn1 = load(g + 9) + cross(s, f1);
      if (level == 3) {
        const Vec3d f2 = load(g + 12), wf2 = cross(body.w, f2);
        x += c_.a * f2;
        about_s += cross(body.w, wf2) - cross(body.alpha, f2);
        turn1 += cross(cross(body.w, s), f2) - cross(s, wf2);
        e = transpose_times(d.Q, load(g + 15) + cross(s, f2));
      }
      e += transpose_times(d.P, load(g + 3) + cross(s, about_s)) + transpose_times(d.V, turn1);
    }
    for (int k = 0; k < 3; ++k) {
      out[k] = x[k];
      out[3 + k] = e[k];
    }
  }

  /// Writes −d(generalized force)/dΔ for columns [first, first + count) of M, and the rows of force
  /// outputs that read this element's wrench.
  TRAMMEL_HD void wrench_columns(int element, int I, int J, int first, int count, const WrenchColumns& M,
                                 int axes) {
    const int side[2] = {I, J};
    for (int p = 0; p < 2; ++p) {
      const int b = body_of(side[p]);
      if (b < 0) continue;
      const BodyInertia& body = body_at(b);
      const Mat3d& H = w_.array.body[b].H;
      const Vec3d& s = w_.array.arm[side[p]];
      for (int k = 0; k < count; ++k) {
        const double(*m)[6] = M.m + 6 * p;
        const Vec3d f{m[0][k], m[1][k], m[2][k]}, t{m[3][k], m[4][k], m[5][k]};
        for (int r = 0; r < 3; ++r)
          if (axes >> r & 1) put(body.first + r, first + k, -f[r]);
        if (!body.turns()) continue;
        const Vec3d e = transpose_times(H, t + cross(s, f));
        for (int r = 0; r < 3; ++r) put(body.angles() + r, first + k, -e[r]);
      }
    }
    const int output = w_.table.force_output[element];
    if (output < 0) return;
    for (int r = 0; r < 6; ++r)
      for (int k = 0; k < count; ++k) put(w_.table.first_scalar() + output + r, first + k, -M.m[r][k]);
  }

  /// Whether the rows F, T of marker `side` go anywhere: to its body or to force outputs.
  TRAMMEL_HD bool side_matters(int element, int marker) const {
    return body_of(marker) >= 0 || w_.table.force_output[element] >= 0;
  }

  /// Columns of the body of marker B out of a 12×6 position (and velocity) derivative.
  TRAMMEL_HD void body_columns(int element, int I, int J, int B, const double* K, int level, int axes,
                               bool rotation_only = false) {
    const int b = body_of(B);
    if (b < 0) return;
    WrenchColumns M;
    const bool needed[2] = {side_matters(element, I), side_matters(element, J)};
    if (numbers())
      for (int r = 0; r < 12; ++r) {
        if (!needed[r / 6] || (axes == 0 && r % 6 < 3)) continue;  // no place to go, or zero
        project(K + 6 * level * r, level, B, M.m[r]);
      }
    const BodyInertia& body = body_at(b);
    if (rotation_only) {
      if (!body.turns()) return;
      WrenchColumns E;
      for (int r = 0; r < 12; ++r)
        for (int k = 0; k < 3; ++k) E.m[r][k] = M.m[r][3 + k];
      wrench_columns(element, I, J, body.angles(), 3, E, axes);
    } else {
      wrench_columns(element, I, J, body.first, body.count, M, axes);
    }
  }

  TRAMMEL_HD void put_wrench(int first_row, int column, const Vec3d& f, const Vec3d& t) {
    for (int r = 0; r < 3; ++r) {
      put(first_row + r, column, f[r]);
      put(first_row + 3 + r, column, t[r]);
    }
  }

  const AssemblyView& w_;
  Sink& sink_;
  const Coefficients c_;
};

}  // namespace trammel
