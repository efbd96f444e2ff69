// The tangent: every element gives d(wrench pair)/dΔ column by column; one function carries that to the
// rows of its bodies. The same code, run with a recorder, makes the sparsity pattern.
#include <algorithm>
#include <numeric>

#include "assemble/assembler.h"

namespace trammel {

namespace {

/// Columns of the derivative of a wrench pair (F_I T_I F_J T_J): 12 rows, up to 6 columns.
struct WrenchColumns {
  double m[12][6] = {};
};

/// Which of the three force rows can be nonzero: bits x, y, z. Torque rows always can.
constexpr int all_axes = 7;

/// M ṽ: its rows are those of M × v.
Mat3d times_skew(const Mat3d& m, const Vec3d& v) {
  return transpose(Mat3d::from_columns(cross(m.row(0), v), cross(m.row(1), v), cross(m.row(2), v)));
}
/// ṽ M: its columns are v × those of M.
Mat3d skew_times(const Vec3d& v, const Mat3d& m) {
  return Mat3d::from_columns(cross(v, m.column(0)), cross(v, m.column(1)), cross(v, m.column(2)));
}

}  // namespace

class TangentWriter {
 public:
  enum class Mode { tangent, weights, record };

  TangentWriter(const Assembler& assembler, const State& state, const Coefficients& c, Mode mode)
      : as_(assembler),
        model_(assembler.model_),
        kin_(assembler.kinematics_),
        state_(state),
        c_(c),
        mode_(mode) {}

  void run(const BodyWeights* weights) {
    bodies(weights);
    int element = 0;
    for (std::size_t n = 0; n < model_.row_elements.size(); ++n) row_element(static_cast<int>(n), element++);
    for (std::size_t n = 0; n < model_.general_constraints.size(); ++n) {
      general_constraint(static_cast<int>(n), element++);
    }
    for (const LawForce& f : model_.law_forces) law_force(f, element++);
    for (const ExpressionForce& f : model_.expression_forces) expression_force(f, element++);
    scalars();
  }

  std::vector<std::pair<int, int>> recorded;  ///< (column, row) of every entry, in writing order
  double* values = nullptr;
  std::size_t cursor = 0;

 private:
  bool numbers() const { return mode_ == Mode::tangent; }

  void put(int row, int column, double value) {
    if (mode_ == Mode::record)
      recorded.emplace_back(column, row);
    else
      values[as_.destination_[cursor]] += value;
    ++cursor;
  }

  int body_of(int marker) const { return model_.markers[marker].body; }

  /// A row gradient at a marker (δr δθ δv δω δa δα: 6·level numbers) in the columns of its body.
  void project(const double* g, int level, int marker, double (&out)[6]) const {
    const int b = body_of(marker);
    const BodyKinematics& body = kin_.body(b);
    const BodyVariation& d = kin_.variation(b);
    const Vec3d& s = kin_.arm(marker);
    const auto load = [g](int k) { return Vec3d{g[3 * k], g[3 * k + 1], g[3 * k + 2]}; };
    // With the gradients f, t; f', t'; f", t" by position, velocity and acceleration, and
    //   δr = cδx − s̃ δθ,  δv = bδx − s̃ δω − ω̃s̃ δθ,  δa = aδx − s̃ δα − (ω×s)~ δω − ω̃s̃ δω − (α̃ + ω̃ω̃) s̃ δθ
    // the factors of δθ, δω, δα are
    //   t + s×f − s×(ω×f') − s×(α×f") + s×(ω×(ω×f")),   t' + s×f' + (ω×s)×f" − s×(ω×f"),   t" + s×f".
    const Vec3d f0 = load(0);
    Vec3d x = c_.c * f0, about_s = f0, e;
    if (level == 1) {
      e = transpose_times(d.P, load(1) + cross(s, f0));
    } else {
      const Vec3d f1 = load(2);
      x += c_.b * f1;
      about_s -= cross(body.w, f1);
      Vec3d turn1 = load(3) + cross(s, f1);
      if (level == 3) {
        const Vec3d f2 = load(4), wf2 = cross(body.w, f2);
        x += c_.a * f2;
        about_s += cross(body.w, wf2) - cross(body.alpha, f2);
        turn1 += cross(cross(body.w, s), f2) - cross(s, wf2);
        e = transpose_times(d.Q, load(5) + cross(s, f2));
      }
      e += transpose_times(d.P, load(1) + cross(s, about_s)) + transpose_times(d.V, turn1);
    }
    for (int k = 0; k < 3; ++k) {
      out[k] = x[k];
      out[3 + k] = e[k];
    }
  }

  /// Generalized force of a marker wrench: rows x: f, rows ε: Hᵀ(t + s × f).
  void generalized(int marker, const Vec3d& f, const Vec3d& t, double (&out)[6]) const {
    const Vec3d e = transpose_times(kin_.body(body_of(marker)).H, t + cross(kin_.arm(marker), f));
    for (int k = 0; k < 3; ++k) {
      out[k] = f[k];
      out[3 + k] = e[k];
    }
  }

  /// Writes −d(generalized force)/dΔ for columns [first, first + count) of M, and the rows of force
  /// outputs that read this element's wrench.
  void wrench_columns(int element, int I, int J, int first, int count, const WrenchColumns& M, int axes) {
    const int side[2] = {I, J};
    for (int p = 0; p < 2; ++p) {
      const int b = body_of(side[p]);
      if (b < 0) continue;
      const Body& body = model_.bodies[b];
      for (int k = 0; k < count; ++k) {
        double rows[6];
        const double(*m)[6] = M.m + 6 * p;
        generalized(side[p], {m[0][k], m[1][k], m[2][k]}, {m[3][k], m[4][k], m[5][k]}, rows);
        for (int r = 0; r < body.unknowns(); ++r)
          if (r >= 3 || (axes >> r & 1)) put(body.first + r, first + k, -rows[r]);
      }
    }
    const int output = model_.force_output[element];
    if (output < 0) return;
    for (int r = 0; r < 6; ++r)
      for (int k = 0; k < count; ++k) put(model_.first_scalar() + output + r, first + k, -M.m[r][k]);
  }

  /// Whether the rows F, T of marker `side` go anywhere: to its body or to force outputs.
  bool side_matters(int element, int marker) const {
    return body_of(marker) >= 0 || model_.force_output[element] >= 0;
  }

  /// Columns of the body of marker B out of a 12×6 position (and velocity) derivative.
  void body_columns(int element, int I, int J, int B, const double* K, int level, int axes,
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
    const Body& body = model_.bodies[b];
    if (rotation_only) {
      if (body.point_mass) return;
      WrenchColumns E;
      for (int r = 0; r < 12; ++r) std::copy(M.m[r] + 3, M.m[r] + 6, E.m[r]);
      wrench_columns(element, I, J, body.first + 3, 3, E, axes);
    } else {
      wrench_columns(element, I, J, body.first, body.unknowns(), M, axes);
    }
  }

  void bodies(const BodyWeights* weights) {
    for (std::size_t b = 0; b < as_.body_inertia_.size(); ++b) {
      const Assembler::BodyInertia& body = as_.body_inertia_[b];
      double m[6][6] = {};
      if (mode_ == Mode::weights)
        body_weights(static_cast<int>(b), (*weights)[b], m);
      else if (numbers())
        inertia(static_cast<int>(b), m);
      for (int r = 0; r < body.unknowns(); ++r)
        for (int k = 0; k < body.unknowns(); ++k)
          if (body.coupled || r == k || (r >= 3 && k >= 3)) put(body.first + r, body.first + k, m[r][k]);
    }
  }

  /// W in (x, ε): [1 0; 0 Hᵀ] W [1 0; 0 H].
  void body_weights(int b, const std::array<double, 36>& w, double (&m)[6][6]) const {
    const Body& body = model_.bodies[b];
    double T[6][6] = {};
    for (int k = 0; k < 3; ++k) T[k][k] = 1;
    if (!body.point_mass)
      for (int r = 0; r < 3; ++r)
        for (int k = 0; k < 3; ++k) T[3 + r][3 + k] = kin_.body(b).H(r, k);
    for (int r = 0; r < 6; ++r)
      for (int k = 0; k < 6; ++k)
        for (int i = 0; i < 6; ++i)
          for (int j = 0; j < 6; ++j) m[r][k] += T[i][r] * w[6 * i + j] * T[j][k];
  }

  /// Inertia and the geometric terms of everything that acts on the body:
  ///   δ(Hᵀ n) = Hᵀ δn + ∂(Hᵀ n)/∂ε δε,   n = Jα + ω × Jω − T,   δT ∋ (Σ F̃ s̃) δθ
  void inertia(int b, double (&m)[6][6]) const {
    const Assembler::BodyInertia& body = as_.body_inertia_[b];
    for (int k = 0; k < 3; ++k) m[k][k] = c_.a * body.mass;
    if (body.point_mass) return;
    const BodyKinematics& k = kin_.body(b);
    const BodyVariation& d = kin_.variation(b);
    const Mat3d J = k.A * body.inertia * transpose(k.A);
    const Vec3d Ja = J * k.alpha, Jw = J * k.w;
    //   ∂n/∂θ = J α̃ − (Jα)~ + ω̃ (J ω̃ − (Jω)~) − Σ F̃ s̃,   ∂n/∂ω = ω̃ J − (Jω)~,   ∂n/∂α = J
    const Mat3d skew_Jw = skew(Jw);
    const Mat3d K_theta =
        times_skew(J, k.alpha) - skew(Ja) + skew_times(k.w, times_skew(J, k.w) - skew_Jw) - as_.body_arm_[b];
    const Mat3d K_omega = skew_times(k.w, J) - skew_Jw;
    const Vec3d n = Ja + cross(k.w, Jw) - as_.body_moment_[b];
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

  /// Φqᵀ and Φq of a constraint gradient (f, t) at a marker: the same numbers in column and row of λ.
  void constraint_entries(int row, int marker, const Vec3d& f, const Vec3d& t, int axes) {
    const int b = body_of(marker);
    if (b < 0) return;
    double g[6] = {};
    if (mode_ != Mode::record) generalized(marker, f, t, g);
    const Assembler::BodyInertia& body = as_.body_inertia_[b];
    for (int k = 0; k < body.unknowns(); ++k) {
      if (k < 3 && !(axes >> k & 1)) continue;
      put(body.first + k, row, g[k]);
      put(row, body.first + k, g[k]);
    }
  }

  void row_element(int n, int element) {
    bool linear = true;
    for (int k = as_.row_start_[n]; k < as_.row_start_[n + 1]; ++k) {
      const Assembler::Row& r = as_.rows_[k];
      const int row = model_.coordinates + r.at;
      const int axes = row_is_linear(r.row) ? 1 << r.row.j : row_is_rotational(r.row) ? 0 : all_axes;
      const bool active = !as_.masked_[r.at];
      const RowGradient<double> none{}, &g = active ? as_.row_gradients_[k] : none;
      constraint_entries(row, r.I, g.fi, g.ti, axes);
      constraint_entries(row, r.J, g.fj, g.tj, axes);
      put(row, row, active ? 0.0 : 1.0);
      if (model_.force_output[element] >= 0)  // W − w = 0 with w = −λ (f_I, t_I)
        put_wrench(model_.first_scalar() + model_.force_output[element], row, g.fi, g.ti);
      linear = linear && row_is_linear(r.row);
    }
    const RowElement* e = nullptr;
    if (!linear || model_.row_elements[n].scalar >= 0) e = &model_.row_elements[n];
    if (e && e->scalar >= 0)  // q − s: δs = state Δ, row scaled by 1/c
      for (int r = 0; r < e->rows; ++r)
        put(model_.coordinates + e->first_row + r, model_.first_scalar() + e->scalar,
            !as_.masked_[e->first_row + r] && numbers() && c_.c != 0 ? -c_.state / c_.c : 0.0);
    if (!linear) row_curvature(*e, element);
  }

  /// −λ ∂(gradient)/∂(poses of I and J), all rows of the element together.
  void row_curvature(const RowElement& e, int element) {
    double h[12][12] = {};
    bool rotational = true;
    for (int r = 0; r < e.rows; ++r) {
      if (row_is_linear(e.row[r])) continue;
      rotational = rotational && row_is_rotational(e.row[r]);
      if (numbers() && !as_.masked_[e.first_row + r] && c_.c != 0)
        row_hessian(e.row[r], pose(e.I), pose(e.J), -state_.lambda[e.first_row + r], h);
    }
    const int side[2] = {e.I, e.J};
    for (int p = 0; p < 2; ++p) {
      double K[12][6];
      for (int r = 0; r < 12; ++r) std::copy(h[r] + 6 * p, h[r] + 6 * p + 6, K[r]);
      body_columns(element, e.I, e.J, side[p], &K[0][0], 1, rotational ? 0 : all_axes, rotational);
    }
  }

  Pose<double> pose(int marker) const { return {kin_.marker(marker).r, kin_.marker(marker).A}; }

  void general_constraint(int n, int element) {
    const GeneralConstraint& g = model_.general_constraints[n];
    const Tape& tape = model_.tapes[g.tape];
    const TapeDerivatives& d = as_.constraint_gradients_[n];
    const int row = model_.coordinates + g.row, markers = static_cast<int>(tape.markers.size());
    const bool active = !as_.masked_[g.row];
    std::vector<double>&hessian = as_.tape_hessian_, &mixed = as_.tape_mixed_;
    hessian.clear();
    mixed.clear();
    if (numbers() && active && c_.c != 0) as_.tapes_.hessian(g.tape, as_.reads_, g.pfaffian, hessian);
    if (numbers() && active && !tape.states.empty())
      as_.tapes_.state_hessian(g.tape, as_.reads_, g.pfaffian, mixed);
    for (int p = 0; p < markers; ++p) {
      const int marker = tape.markers[p].marker, b = body_of(marker);
      if (b < 0) continue;
      const Body& body = model_.bodies[b];
      double column[6] = {}, line[6] = {};
      if (mode_ != Mode::record && active) {
        const double* q = &d.marker[18 * p];
        const double* reaction = q + (g.pfaffian ? 6 : 0);
        generalized(marker, {reaction[0], reaction[1], reaction[2]}, {reaction[3], reaction[4], reaction[5]},
                    column);
        std::copy(column, column + 6, line);
        if (g.pfaffian && numbers() && c_.b != 0) {
          project(q, 2, marker, line);  // Φ_q̇ b + Φ_q c, row scaled by 1/b
          for (double& x : line) x /= c_.b;
        }
      }
      for (int k = 0; k < body.unknowns(); ++k) {
        put(body.first + k, row, column[k]);
        put(row, body.first + k, line[k]);
      }
      for (int w = 0; w < markers; ++w) hessian_block(g, tape, p, w, hessian);
      for (std::size_t k = 0; k < tape.states.size(); ++k) {  // λ ∂(gradient at p)/∂state
        double rows[6] = {};
        const Derivative6 m = mixed_block(mixed, p, tape, k);
        generalized(marker, m.f, m.t, rows);
        for (int r = 0; r < body.unknowns(); ++r)
          put(body.first + r, model_.first_scalar() + tape.states[k], state_.lambda[g.row] * rows[r]);
      }
    }
    put(row, row, active ? 0.0 : 1.0);
    const double scale = g.pfaffian ? c_.b : c_.c;
    for (std::size_t k = 0; k < tape.states.size(); ++k)
      put(row, model_.first_scalar() + tape.states[k],
          numbers() && active && scale != 0 ? d.state[k] * state_factor(tape.states[k]) / scale : 0.0);
    if (model_.force_output[element] >= 0) general_output(g, element, d, active, hessian, mixed);
  }

  /// Rows of the force outputs that read the reaction on the reporting marker,
  ///   F = −λ Σ g_r,  T = −λ Σ (s × g_r + g_θ)  over the markers of its body, s from the reporting marker.
  void general_output(const GeneralConstraint& g, int element, const TapeDerivatives& d, bool active,
                      const std::vector<double>& hessian, const std::vector<double>& mixed) {
    const Tape& tape = model_.tapes[g.tape];
    const int markers = static_cast<int>(tape.markers.size()), body = body_of(g.reporting_marker);
    const int first = model_.first_scalar() + model_.force_output[element];
    const double lambda = active ? state_.lambda[g.row] : 0.0;
    for (int p = 0; p < markers; ++p) {
      const int marker = tape.markers[p].marker;
      if (body_of(marker) != body) continue;
      const Vec3d s = kin_.marker(marker).r - kin_.marker(g.reporting_marker).r;
      Vec3d gr{}, gt{};
      if (numbers() && active) {
        const double* x = &d.marker[18 * p + (g.pfaffian ? 6 : 0)];
        gr = {x[0], x[1], x[2]};
        gt = {x[3], x[4], x[5]};
      }
      put_wrench(first, model_.coordinates + g.row, gr, cross(s, gr) + gt);
      for (int w = 0; w < markers; ++w) {
        const int mw = tape.markers[w].marker, bw = body_of(mw);
        if (bw < 0) continue;
        double M[6][6] = {};
        if (!hessian.empty())
          for (int r = 0; r < 6; ++r) project(&hessian[36 * (p * markers + w) + 6 * r], 1, mw, M[r]);
        for (int k = 0; k < model_.bodies[bw].unknowns(); ++k) {
          const Vec3d mr{M[0][k], M[1][k], M[2][k]}, mt{M[3][k], M[4][k], M[5][k]};
          put_wrench(first, model_.bodies[bw].first + k, lambda * mr, lambda * (cross(s, mr) + mt));
        }
      }
      for (std::size_t k = 0; k < tape.states.size(); ++k) {
        const Derivative6 m = mixed_block(mixed, p, tape, k);
        put_wrench(first, model_.first_scalar() + tape.states[k], lambda * m.f,
                   lambda * (cross(s, m.f) + m.t));
      }
      if (body < 0 || model_.bodies[body].point_mass) continue;
      for (int k = 0; k < 3; ++k) {  // δs = δθ × s
        const Vec3d turn = numbers() ? kin_.variation(body).P.column(k) : Vec3d{};
        put_wrench(first, model_.bodies[body].first + 3 + k, Vec3d{}, lambda * cross(cross(turn, s), gr));
      }
    }
  }

  struct Derivative6 {
    Vec3d f, t;
  };
  /// ∂(gradient at marker p)/∂δstate k of a tape: zero while the pattern is made or the row is masked.
  Derivative6 mixed_block(const std::vector<double>& mixed, int p, const Tape& tape, std::size_t k) const {
    if (mixed.empty()) return {};
    const double* m = &mixed[6 * (p * tape.states.size() + k)];
    const double factor = state_factor(tape.states[k]);
    return {factor * Vec3d{m[0], m[1], m[2]}, factor * Vec3d{m[3], m[4], m[5]}};
  }

  void put_wrench(int first_row, int column, const Vec3d& f, const Vec3d& t) {
    for (int r = 0; r < 3; ++r) {
      put(first_row + r, column, f[r]);
      put(first_row + 3 + r, column, t[r]);
    }
  }

  /// λ ∂(gradient at marker p)/∂(pose of marker w) in coordinates.
  void hessian_block(const GeneralConstraint& g, const Tape& tape, int p, int w,
                     const std::vector<double>& hessian) {
    const int mp = tape.markers[p].marker, mw = tape.markers[w].marker, bw = body_of(mw);
    if (bw < 0) return;
    const Body &row_body = model_.bodies[body_of(mp)], &column_body = model_.bodies[bw];
    double M[6][6] = {};
    if (!hessian.empty()) {
      const double* block = &hessian[36 * (p * tape.markers.size() + w)];
      for (int r = 0; r < 6; ++r) project(block + 6 * r, 1, mw, M[r]);
    }
    const double lambda = state_.lambda[g.row];
    for (int k = 0; k < column_body.unknowns(); ++k) {
      double rows[6];
      generalized(mp, {M[0][k], M[1][k], M[2][k]}, {M[3][k], M[4][k], M[5][k]}, rows);
      for (int r = 0; r < row_body.unknowns(); ++r)
        put(row_body.first + r, column_body.first + k, lambda * rows[r]);
    }
  }

  void law_force(const LawForce& f, int element) {
    const double* last = f.angle >= 0 ? &state_.angle[f.angle] : nullptr;
    for (int side = 0; side < 2; ++side) {
      double K[12][12] = {};  // position and velocity of one marker
      if (numbers())
        for (int level = 0; level < 2; ++level) law_derivative(f, last, side, level, K);
      body_columns(element, f.I, f.J, side == 0 ? f.I : f.J, &K[0][0], 2, all_axes);
    }
  }

  /// ∂(wrench pair)/∂(δr, δθ) (level 0) or ∂/∂(δv, δω) (level 1) of one marker by dual numbers.
  void law_derivative(const LawForce& f, const double* last, int side, int level, double (&K)[12][12]) const {
    using D = Dual<double, 6>;
    MarkerKinematics<D> m[2];
    const int marker[2] = {f.I, f.J};
    for (int p = 0; p < 2; ++p) {
      lift(kin_.marker(marker[p]), m[p]);
      if (p == side) seed(kin_.marker(marker[p]), level, m[p]);
    }
    const WrenchPair<D> w = f.kind == LawKind::bushing
                                ? wrench(f.bushing, m[0], m[1], last)
                                : wrench(f.springdamper, m[0], m[1], last ? *last : 0.0);
    const Vec3<D>* part[4] = {&w.fi, &w.ti, &w.fj, &w.tj};
    for (int p = 0; p < 4; ++p)
      for (int k = 0; k < 3; ++k)
        for (int d = 0; d < 6; ++d) K[3 * p + k][6 * level + d] = (*part[p])[k].d[d];
  }

  template <class D>
  static void lift(const MarkerKinematics<double>& in, MarkerKinematics<D>& out) {
    for (int k = 0; k < 3; ++k) {
      out.r[k] = D(in.r[k]);
      out.v[k] = D(in.v[k]);
      out.w[k] = D(in.w[k]);
    }
    for (int k = 0; k < 9; ++k) out.A.m[k] = D(in.A.m[k]);
  }

  template <class D>
  static void seed(const MarkerKinematics<double>& in, int level, MarkerKinematics<D>& out) {
    for (int k = 0; k < 3; ++k) {
      if (level == 1) {
        out.v[k].d[k] = 1;
        out.w[k].d[3 + k] = 1;
        continue;
      }
      out.r[k].d[k] = 1;
      Vec3d axis{};
      axis[k] = 1;
      const Mat3d dA = skew(axis) * in.A;  // δA = [e_k]× A
      for (int e = 0; e < 9; ++e) out.A.m[e].d[3 + k] = dA.m[e];
    }
  }

  void expression_force(const ExpressionForce& f, int element) {
    const Pose<double> I = pose(f.I), J = pose(f.J), RM = pose(f.RM);
    double e[6] = {};
    WrenchPair<double> U[6];
    for (int k = 0; k < f.count(); ++k) {
      if (f.components[k] < 0) continue;
      U[k] = unit_wrench(f.law, k, I, J, RM);
      if (mode_ != Mode::record) e[k] = as_.tape_values_[3 * f.components[k] + f.result[k]];
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

  /// ∂(Σ e_k U_k)/∂(pose of one of I, J, RM).
  void geometry_derivative(const ExpressionForce& f, const double (&e)[6], int side,
                           double (&K)[12][6]) const {
    using D = Dual<double, 6>;
    const int marker[3] = {f.I, f.J, f.RM};
    Pose<D> p[3];
    for (int s = 0; s < 3; ++s) {
      MarkerKinematics<D> m;
      lift(kin_.marker(marker[s]), m);
      if (s == side) seed(kin_.marker(marker[s]), 0, m);
      p[s] = {m.r, m.A};
    }
    for (int k = 0; k < f.count(); ++k) {
      if (f.components[k] < 0) continue;
      const WrenchPair<D> w = unit_wrench(f.law, k, p[0], p[1], p[2]);
      const Vec3<D>* part[4] = {&w.fi, &w.ti, &w.fj, &w.tj};
      for (int q = 0; q < 4; ++q)
        for (int i = 0; i < 3; ++i)
          for (int d = 0; d < 6; ++d) K[3 * q + i][d] += e[k] * (*part[q])[i].d[d];
    }
  }

  double state_factor(int scalar) const { return model_.scalars[scalar].differential() ? c_.state : 1.0; }

  /// Columns of everything a tape depends on: U ∂e/∂Δ.
  void tape_columns(int element, int I, int J, int tape_index, int result, const WrenchPair<double>& U) {
    const Tape& tape = model_.tapes[tape_index];
    TapeDerivatives& d = as_.tape_gradient_;
    if (numbers()) as_.tapes_.gradient(tape_index, result, as_.reads_, d);
    const Vec3d* part[4] = {&U.fi, &U.ti, &U.fj, &U.tj};
    const auto columns = [&](const double* g, int first, int count) {
      WrenchColumns M;
      for (int p = 0; p < 4; ++p)
        for (int i = 0; i < 3; ++i)
          for (int k = 0; k < count; ++k) M.m[3 * p + i][k] = (*part[p])[i] * g[k];
      wrench_columns(element, I, J, first, count, M, all_axes);
    };
    for (std::size_t m = 0; m < tape.markers.size(); ++m) {
      const int marker = tape.markers[m].marker, b = body_of(marker);
      if (b < 0) continue;
      double g[6] = {};
      if (numbers()) project(&d.marker[18 * m], tape.markers[m].level, marker, g);
      columns(g, model_.bodies[b].first, model_.bodies[b].unknowns());
    }
    for (std::size_t k = 0; k < tape.states.size(); ++k) {
      const double g = numbers() ? d.state[k] * state_factor(tape.states[k]) : 0.0;
      columns(&g, model_.first_scalar() + tape.states[k], 1);
    }
    for (std::size_t k = 0; k < tape.rates.size(); ++k) {
      const double g = numbers() ? d.rate[k] * c_.rate : 0.0;
      columns(&g, model_.first_scalar() + tape.rates[k], 1);
    }
  }

  void scalars() {
    const bool identity = mode_ == Mode::weights;
    for (std::size_t k = 0; k < model_.scalars.size(); ++k) {
      const Scalar& s = model_.scalars[k];
      const int row = model_.first_scalar() + static_cast<int>(k);
      const double own = s.kind == ScalarKind::implicit ? 0.0 : s.differential() ? c_.rate : 1.0;
      put(row, row, identity ? 1.0 : own);
      if (s.kind == ScalarKind::motion_rate) put(row, row + 1, numbers() ? -c_.state : 0.0);
      if (s.tape >= 0) scalar_tape(s, row);
    }
  }

  /// −∂e/∂Δ (explicit equations) or +∂e/∂Δ (implicit ones) in a scalar row.
  void scalar_tape(const Scalar& s, int row) {
    const Tape& tape = model_.tapes[s.tape];
    const double sign = s.kind == ScalarKind::implicit ? 1.0 : -1.0;
    const TapeDerivatives& gradient = as_.tape_gradient_;
    if (numbers()) as_.tapes_.gradient(s.tape, s.result, as_.reads_, as_.tape_gradient_);
    for (std::size_t m = 0; m < tape.markers.size(); ++m) {
      const int marker = tape.markers[m].marker, b = body_of(marker);
      if (b < 0) continue;
      double g[6] = {};
      if (numbers()) project(&gradient.marker[18 * m], tape.markers[m].level, marker, g);
      for (int i = 0; i < model_.bodies[b].unknowns(); ++i) put(row, model_.bodies[b].first + i, sign * g[i]);
    }
    for (std::size_t i = 0; i < tape.states.size(); ++i)
      put(row, model_.first_scalar() + tape.states[i],
          numbers() ? sign * gradient.state[i] * state_factor(tape.states[i]) : 0.0);
    for (std::size_t i = 0; i < tape.rates.size(); ++i)
      put(row, model_.first_scalar() + tape.rates[i], numbers() ? sign * gradient.rate[i] * c_.rate : 0.0);
  }

  const Assembler& as_;
  const Model& model_;
  const Kinematics& kin_;
  const State& state_;
  const Coefficients c_;
  const Mode mode_;
};

void Assembler::build_pattern() {
  State state(model_);
  TangentWriter recorder(*this, state, {}, TangentWriter::Mode::record);
  recorder.run(nullptr);
  const auto& entries = recorder.recorded;
  std::vector<int> order(entries.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return entries[a] < entries[b]; });
  const int n = model_.unknowns();
  pattern_.n = n;
  pattern_.column_start.assign(n + 1, 0);
  pattern_.row.clear();
  destination_.resize(entries.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    const auto& entry = entries[order[k]];
    if (k == 0 || entry != entries[order[k - 1]]) {
      pattern_.row.push_back(entry.second);
      ++pattern_.column_start[entry.first + 1];
    }
    destination_[order[k]] = pattern_.nonzeros() - 1;
  }
  std::partial_sum(pattern_.column_start.begin(), pattern_.column_start.end(), pattern_.column_start.begin());

  // Graph: bodies, constraint elements, scalars; edges where they share a block.
  std::vector<int> vertex(n);
  const auto add = [&](VertexKind kind, int first, int count) {
    std::fill_n(vertex.begin() + first, count, static_cast<int>(graph_.vertices.size()));
    graph_.vertices.push_back({kind, first, count});
  };
  for (const Body& b : model_.bodies) add(VertexKind::body, b.first, b.unknowns());
  for (const RowElement& e : model_.row_elements)
    add(VertexKind::constraint, model_.coordinates + e.first_row, e.rows);
  for (const GeneralConstraint& g : model_.general_constraints)
    add(VertexKind::constraint, model_.coordinates + g.row, 1);
  for (int k = 0; k < model_.scalar_count(); ++k) add(VertexKind::scalar, model_.first_scalar() + k, 1);
  for (int column = 0; column < n; ++column)
    for (int k = pattern_.column_start[column]; k < pattern_.column_start[column + 1]; ++k) {
      const int a = vertex[column], b = vertex[pattern_.row[k]];
      if (a != b) graph_.edges.emplace_back(std::min(a, b), std::max(a, b));
    }
  std::sort(graph_.edges.begin(), graph_.edges.end());
  graph_.edges.erase(std::unique(graph_.edges.begin(), graph_.edges.end()), graph_.edges.end());
}

void Assembler::tangent(const State& state, const Coefficients& c, std::span<double> values) {
  kinematics_.update_variations(state, c);
  gather_arms();
  std::fill(values.begin(), values.end(), 0.0);
  TangentWriter writer(*this, state, c, TangentWriter::Mode::tangent);
  writer.values = values.data();
  writer.run(nullptr);
}

void Assembler::weighted_matrix(const State& state, const BodyWeights& weights, std::span<double> values) {
  std::fill(values.begin(), values.end(), 0.0);
  TangentWriter writer(*this, state, {0, 0, 0, 0, 1}, TangentWriter::Mode::weights);
  writer.values = values.data();
  writer.run(&weights);
}

}  // namespace trammel
