// How an element writes its part of the tangent, the same on the processor and on a device.
//
// An element gives d(wrench pair)/dΔ column by column; one function carries that to the rows of its bodies.
// Entries go to a sink in a fixed sequence; the same code, run with a sink that records, makes the sparsity
// pattern. A sink has
//   bool numbers()                                 false: values of the tangent are not used, only Φq is, or
//                                                  only where entries are
//   void put(int row, int column, double value)
// and gradient(), hessian(), state_hessian() and room() of the `tapes` of pools/pool.h.
#pragma once

#include "assemble/body_motion.h"
#include "assemble/marker_duals.h"
#include "assemble/tape_runs.h"
#include "assemble/view.h"
#include "base/unroll.h"
#include "element/wrench.h"

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
class TangentWriter {
 public:
  TRAMMEL_HD TangentWriter(const AssemblyView& view, Sink& to) : w(view), sink(to), c(view.point->c) {}

  /// The node of a flexible body at which a marker is, −1: none. A sink without_nodes has no such markers.
  TRAMMEL_HD int node_of(int marker) const {
    if constexpr (requires { Sink::without_nodes; })
      return -1;
    else
      return w.table.marker[marker].node;
  }

  const AssemblyView& w;
  Sink& sink;
  const Coefficients c;

  TRAMMEL_HD bool numbers() const { return sink.numbers(); }
  [[gnu::always_inline]] TRAMMEL_HD void put(int row, int column, double value) {
    sink.put(row, column, value);
  }
  TRAMMEL_HD int body_of(int marker) const { return w.table.marker[marker].body; }
  TRAMMEL_HD const BodyInertia& body_at(int b) const { return w.table.inertia[b]; }
  TRAMMEL_HD const Pose<double>& pose(int marker) const { return w.array.marker[marker]; }
  /// Whether a correction moves any coordinate.
  TRAMMEL_HD bool moves_coordinates() const { return c.c != 0 || (c.settling && w.table.settling); }
  TRAMMEL_HD double state_factor(int scalar) const {
    return w.table.scalar[scalar].differential() ? c.state : 1.0;
  }

  /// A marker, its body and what carries a wrench from the marker to the body.
  struct Side {
    BodyBlock body{.first = -1};  ///< −1: ground
    const Mat3d *H = nullptr, *P = nullptr;
    Vec3d s{};
    int marker = 0;
    bool flexible = false;  ///< the marker is at a node of a flexible body
    TRAMMEL_HD bool turns() const { return body.first >= 0 && body.turns(); }
  };
  TRAMMEL_HD Side side_of(int marker) const {
    const int b = body_of(marker);
    if (b < 0) return {};
    return {body_at(b), &w.array.body[b].H,  &w.array.variation[b].P, w.array.arm[marker],
            marker,     node_of(marker) >= 0};
  }

  /// Unknowns, one behind the other, that move a marker: those of its body (mode < 0), or modal coordinates
  /// from the given mode on.
  struct Columns {
    int first, count, mode;
  };
  static constexpr int most_columns = 6;
  /// f(columns) for all that move a marker of a body.
  template <class F>
  TRAMMEL_HD void for_columns(int marker, F&& f) const {
    const BodyInertia& body = body_at(body_of(marker));
    f(Columns{body.first, body.count(), -1});
    const int node = node_of(marker);
    if (node < 0) return;
    const FlexiblePlace& flexible = w.table.flexible[w.table.node[node].flexible];
    for (int j = 0; j < flexible.modes; j += most_columns) {
      const int left = flexible.modes - j;
      f(Columns{flexible.first + j, left < most_columns ? left : most_columns, j});
    }
  }
  /// put(unknown, generalized force) of a force f and a moment t on a marker, by all unknowns that move it.
  template <class Put>
  TRAMMEL_HD void put_force_on(int marker, const Vec3d& f, const Vec3d& t, int axes, Put&& put) const {
    put_force_on_frame(marker, f, t, axes, put);
    if (node_of(marker) >= 0) [[unlikely]]
      put_modal_force(marker, f, t, put);
  }
  /// By the unknowns of its body; of a flexible one by those of its frame.
  template <class Put>
  TRAMMEL_HD void put_force_on_frame(int marker, const Vec3d& f, const Vec3d& t, int axes, Put&& put) const {
    const int b = body_of(marker);
    const BodyInertia& body = body_at(b);
    put_generalized_force(body, w.array.body[b].H, f, axes == 0 ? t : t + cross(w.array.arm[marker], f), axes,
                          [&](int r, double x) { put(body.first + r, x); });
  }
  /// By the modal coordinates: f·Aφ_j + t·ATφ*_j.
  template <class Put>
  TRAMMEL_HD void put_modal_force(int marker, const Vec3d& f, const Vec3d& t, Put&& put) const {
    const NodePlace& place = w.table.node[w.table.marker[marker].node];
    const FlexiblePlace& flexible = w.table.flexible[place.flexible];
    const ModeShape* shape = w.array.mode_shape + place.shape;
    for (int j = 0; j < flexible.modes; ++j)
      put(flexible.first + j, dot(f, shape[j].r) + dot(t, shape[j].turn));
  }
  TRAMMEL_HD void put_both(int row, int unknown, double value) {
    put(unknown, row, value);
    put(row, unknown, value);
  }

  /// Calls f(∂e/∂Δ, columns, marker) for all unknowns on which a result e of a tape depends: those that move
  /// a marker, and scalars (marker −1). Before the columns of a marker it calls at(∂e/∂(motion of the
  /// marker), level, marker).
  template <class F, class At>
  TRAMMEL_HD void for_tape_columns(int tape_index, int result, F&& f, At&& at) {
    const TapeItem& tape = w.table.tape[tape_index];
    TapeDerivativeView d{};
    if (numbers()) d = sink.gradient(tape_index, result);
    for (int m = 0; m < tape.view.n_markers; ++m) {
      const int marker = tape.markers[m].marker;
      if (body_of(marker) < 0) continue;
      if (numbers()) at(d.marker + 18 * m, tape.markers[m].level, marker);
      for_columns(marker, [&](const Columns& to) {
        double g[most_columns] = {};
        if (numbers()) project(d.marker + 18 * m, tape.markers[m].level, marker, to, g);
        f(g, to, marker);
      });
    }
    for (int k = 0; k < tape.view.n_states; ++k) {
      const double g = numbers() ? d.state[k] * state_factor(tape.states[k]) : 0.0;
      f(&g, Columns{w.table.first_scalar() + tape.states[k], 1, -1}, -1);
    }
    for (int k = 0; k < tape.view.n_rates; ++k) {
      const double g = numbers() ? d.rate[k] * c.rate : 0.0;
      f(&g, Columns{w.table.first_scalar() + tape.rates[k], 1, -1}, -1);
    }
  }
  /// Columns of the derivative of a wrench pair e U by way of e, a result of a tape: U g with g = ∂e/∂Δ.
  TRAMMEL_HD void unit_columns(int element, int I, int J, const WrenchPair<double>& U, const double* g,
                               const Columns& to, int marker) {
    const Vec3d* part[4] = {&U.fi, &U.ti, &U.fj, &U.tj};
    WrenchColumns M;
    for (int p = 0; p < 4; ++p)
      for (int i = 0; i < 3; ++i)
        for (int k = 0; k < to.count; ++k) M.m[3 * p + i][k] = (*part[p])[i] * g[k];
    wrench_columns(element, I, J, to, M, all_axes, marker);
  }
  /// Adds the derivative of the same wrench pair e U to the gradients at nodes, where `marker` is I or J and
  /// at a node: g = ∂e/∂(motion of the marker), 6 · level numbers in global axes.
  TRAMMEL_HD void unit_node_gradient(int element, int I, int J, const WrenchPair<double>& U, const double* g,
                                     int level, int marker) {
    const int side[2] = {I, J};
    for (int p = 0; p < 2; ++p) {
      if (side[p] != marker || node_of(marker) < 0) continue;
      const Vec3d &f = p == 0 ? U.fi : U.fj, &t = p == 0 ? U.ti : U.tj;
      double K[6][18];
      for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 6 * level; ++k) {
          K[i][k] = f[i] * g[k];
          K[3 + i][k] = t[i] * g[k];
        }
      add_node_gradient(element, p, &K[0][0], 18, level);
    }
  }
  /// Adds the derivative of the wrench on a marker at a node by its own motion (δr δθ δv δω δa δα, global
  /// axes): rows F, T of 6 · level numbers, `stride` apart. ModalProducts makes of it what it adds to the
  /// block of the modes.
  TRAMMEL_HD void add_node_gradient(int element, int side, const double* K, int stride, int level) {
    double* to = w.array.node_gradient + 108 * static_cast<long>(w.table.gradient_of[2 * element + side]);
    for (int r = 0; r < 6; ++r)
      for (int k = 0; k < 6 * level; ++k) to[18 * r + k] += K[stride * r + k];
  }

  /// Carries a gradient by the motion of a marker (δr δθ δv δω δa δα: 6·level numbers) to columns that move
  /// it.
  TRAMMEL_HD void project(const double* g, int level, int marker, const Columns& to,
                          double (&out)[most_columns]) const {
    if (to.mode < 0 || node_of(marker) < 0) return project(g, level, marker, out);
    const ModeVariation* d =
        w.array.mode_variation + w.table.node[w.table.marker[marker].node].shape + to.mode;
    for (int j = 0; j < to.count; ++j) {
      double sum = 0;
      for (int i = 0; i < 2 * level; ++i) sum += dot(load(g + 3 * i), d[j].by[i]);
      out[j] = sum;
    }
  }
  /// The same for the columns of the marker's body.
  TRAMMEL_HD void project(const double* g, int level, int marker, double (&out)[6]) const {
    const int b = body_of(marker);
    const BodyKinematics& body = w.array.body[b];
    const BodyVariation& d = w.array.variation[b];
    const Vec3d& s = w.array.arm[marker];
    // With the gradients f, t; f', t'; f", t" by position, velocity and acceleration, and
    //   δr = cδx − s̃ δθ,  δv = bδx − s̃ δω − ω̃s̃ δθ,  δa = aδx − s̃ δα − (ω×s)~ δω − ω̃s̃ δω − (α̃ + ω̃ω̃) s̃ δθ
    // the factors of δθ, δω, δα are
    //   t + s×f − s×(ω×f') − s×(α×f") + s×(ω×(ω×f")),   t' + s×f' + (ω×s)×f" − s×(ω×f"),   t" + s×f".
    const Vec3d f0 = load(g);
    Vec3d x = c.c * f0, about_s = f0, e;
    if (level == 1) {
      e = transpose_times(d.P, load(g + 3) + cross(s, f0));
    } else {
      const Vec3d f1 = load(g + 6);
      x += c.b * f1;
      about_s -= cross(body.w, f1);
      Vec3d turn1 = load(g + 9) + cross(s, f1);
      if (level == 3) {
        const Vec3d f2 = load(g + 12), wf2 = cross(body.w, f2);
        x += c.a * f2;
        about_s += cross(body.w, wf2) - cross(body.alpha, f2);
        turn1 += cross(cross(body.w, s), f2) - cross(s, wf2);
        e = transpose_times(d.Q, load(g + 15) + cross(s, f2));
      }
      e += transpose_times(d.P, load(g + 3) + cross(s, about_s)) + transpose_times(d.V, turn1);
      if (node_of(marker) >= 0) [[unlikely]]
        e += of_moving_node(g, level, marker);
    }
    if (body_at(b).planar()) [[unlikely]] {  // δθ = n δφ: the columns of P, V, Q beside the first are zero
      out[0] = dot(body.H.column(1), x);
      out[1] = dot(body.H.column(2), x);
      out[2] = e[0];
      return;
    }
    for (int k = 0; k < 3; ++k) {
      out[k] = x[k];
      out[3 + k] = e[k];
    }
  }

  /// What the motion of a node relative to the frame, which turns with it, adds to the columns of the angles.
  /// With v = … + u', ω_p = … + w', a = … + 2ω × u' + u", α_p = … + ω × w' + w" (u', w', u", w" are those of
  /// NodeMotion) the factors of δθ and δω are
  ///   u' × f' + w' × t' + u' × (2f" × ω) + u" × f" + w' × (t" × ω) + w" × t",   2u' × f" + w' × t".
  TRAMMEL_HD Vec3d of_moving_node(const double* g, int level, int marker) const {
    const NodeMotion& m = w.array.node[w.table.marker[marker].node];
    const int b = body_of(marker);
    const Vec3d& spin = w.array.body[b].w;
    Vec3d by_turn = cross(m.v, load(g + 6)) + cross(m.w, load(g + 9));
    if (level < 3) return transpose_times(w.array.variation[b].P, by_turn);
    const Vec3d f = load(g + 12), t = load(g + 15);
    by_turn +=
        cross(m.v, cross(2.0 * f, spin)) + cross(m.a, f) + cross(m.w, cross(t, spin)) + cross(m.alpha, t);
    return transpose_times(w.array.variation[b].P, by_turn) +
           transpose_times(w.array.variation[b].V, cross(2.0 * m.v, f) + cross(m.w, t));
  }

  /// Writes −d(generalized force)/dΔ for columns of M, which move the given marker (−1: none), and the rows
  /// of force outputs that read this element's wrench. Modal coordinates in rows of the same marker are left
  /// to add_node_gradient().
  TRAMMEL_HD void wrench_columns(int element, int I, int J, const Columns& to, const WrenchColumns& M,
                                 int axes, int marker = -1) {
    const int side[2] = {I, J};
    TRAMMEL_ROLLED
    for (int p = 0; p < 2; ++p) {
      if (body_of(side[p]) < 0) continue;
      TRAMMEL_ROLLED
      for (int k = 0; k < to.count; ++k) {
        const double(*m)[6] = M.m + 6 * p;
        const Vec3d f{m[0][k], m[1][k], m[2][k]}, t{m[3][k], m[4][k], m[5][k]};
        const auto put_in_column = [&](int row, double x) { put(row, to.first + k, -x); };
        if (to.mode >= 0 && side[p] == marker)
          put_force_on_frame(side[p], f, t, axes, put_in_column);
        else
          put_force_on(side[p], f, t, axes, put_in_column);
      }
    }
    const int output = w.table.force_output[element];
    if (output < 0) return;
    for (int r = 0; r < 6; ++r)
      for (int k = 0; k < to.count; ++k) put(w.table.first_scalar() + output + r, to.first + k, -M.m[r][k]);
  }

  /// Whether the rows F, T of a marker go anywhere: to its body or to force outputs.
  TRAMMEL_HD bool side_matters(int element, int marker) const {
    return body_of(marker) >= 0 || w.table.force_output[element] >= 0;
  }

  /// Writes the columns of the body of marker B, from the derivative K of the wrench pair by the motion of B:
  /// 12 rows of 6 (pose) or 12 (pose, velocities) numbers.
  TRAMMEL_HD void body_columns(int element, int I, int J, int B, const double* K, int level, int axes,
                               bool rotation_only = false) {
    if (body_of(B) < 0) return;
    const bool needed[2] = {side_matters(element, I), side_matters(element, J)};
    const int side[2] = {I, J};
    for (int p = 0; p < 2 && node_of(B) >= 0 && numbers(); ++p)
      if (side[p] == B) add_node_gradient(element, p, K + 36 * level * p, 6 * level, level);
    for_columns(B, [&](const Columns& to) {
      WrenchColumns M;
      if (numbers()) {
        TRAMMEL_ROLLED
        for (int r = 0; r < 12; ++r) {
          if (!needed[r / 6] || (axes == 0 && r % 6 < 3)) continue;  // no place to go, or zero
          project(K + 6 * level * r, level, B, to, M.m[r]);
        }
      }
      if (rotation_only && to.mode < 0)
        rotation_columns(element, I, J, body_at(body_of(B)), M, axes);
      else
        wrench_columns(element, I, J, to, M, axes, B);
    });
  }
  /// Writes of a body's columns only those of its angles.
  TRAMMEL_HD void rotation_columns(int element, int I, int J, const BodyInertia& body, const WrenchColumns& M,
                                   int axes) {
    if (!body.turns()) return;
    WrenchColumns E;
    for (int r = 0; r < 12; ++r)
      for (int k = 0; k < body.rotations; ++k) E.m[r][k] = M.m[r][body.translations + k];
    wrench_columns(element, I, J, {body.angles(), body.rotations, -1}, E, axes);
  }

  TRAMMEL_HD void put_wrench(int first_row, int column, const Vec3d& f, const Vec3d& t) {
    for (int r = 0; r < 3; ++r) {
      put(first_row + r, column, f[r]);
      put(first_row + 3 + r, column, t[r]);
    }
  }
};

}  // namespace trammel
