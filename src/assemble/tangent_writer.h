// The writer of the tangent: shared by the files that write bodies, constraints and forces.
//
// Every element gives d(wrench pair)/dΔ column by column; one function carries that to the rows of its
// bodies. The same code, run with a recorder, makes the sparsity pattern.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "assemble/assembler.h"

namespace trammel {

/// Columns of the derivative of a wrench pair (F_I T_I F_J T_J): 12 rows, up to 6 columns.
struct WrenchColumns {
  double m[12][6] = {};
};

/// Which of the three force rows can be nonzero: bits x, y, z. Torque rows always can.
inline constexpr int all_axes = 7;

class TangentWriter {
 public:
  enum class Mode { tangent, weights, record };

  TangentWriter(const Assembler& assembler, const State& state, const Coefficients& c, Mode mode,
                int lane = 0)
      : as_(assembler),
        lane_(*assembler.lanes_[lane]),
        model_(assembler.model_),
        kin_(assembler.kinematics_),
        state_(state),
        c_(c),
        mode_(mode) {}

  /// Items: bodies, row elements, general constraints, forces, scalars, in the order of their tables. Each
  /// writes slots of its own.
  static int items(const Model& model);
  /// Writes items [begin, end); the k-th entry goes to slots[place[k]].
  void run(int begin, int end, double* slots, const int* place, const BodyWeights* weights = nullptr);

  std::vector<std::pair<int, int>> recorded;  ///< (column, row) of every entry, in writing order

 private:
  // tangent.cpp
  void body(int b, const BodyWeights* weights);
  void body_weights(int b, const std::array<double, 36>& w, double (&m)[6][6]) const;
  void inertia(int b, double (&m)[6][6]) const;
  // tangent_constraints.cpp
  /// A marker, its body and what carries a wrench from the one to the other.
  struct Side {
    int first = -1;  ///< unknown of the body, −1: ground
    bool turns = false;
    const Mat3d *H = nullptr, *P = nullptr;
    Vec3d s{};
  };
  Side side_of(int marker) const;
  void constraint_entries(int row, const Side& side, const Vec3d& f, const Vec3d& t, int axes);
  void dot_curvature(const Side (&side)[2], const Mat3d& B);
  void row_element(int n, int element);
  void row_curvature(const RowElement& e, int element);
  void general_constraint(int n, int element);
  void general_output(const GeneralConstraint& g, int element, const TapeDerivatives& d, bool active,
                      const std::vector<double>& hessian, const std::vector<double>& mixed);
  struct Derivative6 {
    Vec3d f, t;
  };
  Derivative6 mixed_block(const std::vector<double>& mixed, int p, const Tape& tape, std::size_t k) const;
  void hessian_block(const GeneralConstraint& g, const Tape& tape, int p, int w,
                     const std::vector<double>& hessian);
  // tangent_forces.cpp
  void law_force(const LawForce& f, int element);
  void law_derivative(const LawForce& f, const double* last, int side, int level, double (&K)[12][12]) const;
  void expression_force(const ExpressionForce& f, int element);
  void geometry_derivative(const ExpressionForce& f, const double (&e)[6], int side,
                           double (&K)[12][6]) const;
  void tape_columns(int element, int I, int J, int tape_index, int result, const WrenchPair<double>& U);
  void nodal_force(const NodalForce& f, int element);  // nodal_forces.cpp
  void scalar(int k);
  void scalar_tape(const Scalar& s, int row);

  // ---- used by all of them
  bool numbers() const { return mode_ == Mode::tangent; }

  void put(int row, int column, double value) {
    if (mode_ == Mode::record) [[unlikely]]
      record(row, column);
    else
      slots_[*place_++] = value;
  }

  void record(int row, int column);

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
      const Assembler::BodyInertia& body = as_.body_inertia_[b];
      const Mat3d& H = kin_.body(b).H;
      const Vec3d& s = kin_.arm(side[p]);
      for (int k = 0; k < count; ++k) {
        const double(*m)[6] = M.m + 6 * p;
        const Vec3d f{m[0][k], m[1][k], m[2][k]}, t{m[3][k], m[4][k], m[5][k]};
        for (int r = 0; r < 3; ++r)
          if (axes >> r & 1) put(body.first + r, first + k, -f[r]);
        if (body.point_mass) continue;
        const Vec3d e = transpose_times(H, t + cross(s, f));
        for (int r = 0; r < 3; ++r) put(body.first + 3 + r, first + k, -e[r]);
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

  void put_wrench(int first_row, int column, const Vec3d& f, const Vec3d& t) {
    for (int r = 0; r < 3; ++r) {
      put(first_row + r, column, f[r]);
      put(first_row + 3 + r, column, t[r]);
    }
  }

  const Pose<double>& pose(int marker) const { return kin_.marker(marker); }
  double state_factor(int scalar) const { return model_.scalars[scalar].differential() ? c_.state : 1.0; }

  const Assembler& as_;
  Assembler::Lane& lane_;
  double* slots_ = nullptr;
  const int* place_ = nullptr;  ///< of the next entry
  const Model& model_;
  const Kinematics& kin_;
  const State& state_;
  const Coefficients c_;
  const Mode mode_;
};

}  // namespace trammel
