// Inertia of flexible bodies: the terms of each mode, and their sums over the modes, at a motion of the frame
// (pools/flexible_bodies.h has the equations).
#pragma once

#include "assemble/modal_kinematics.h"
#include "assemble/pools/bodies.h"
#include "model/modal_numbers.h"

namespace trammel {

struct FlexibleInertia {
  /// A modal force on the body: the tape of its size e, and its load case L_j, one number per mode.
  struct ModalLoad {
    int tape;
    const double* on_mode;
  };
  /// A flexible body. Pointers are to the arrays of ModalTables; null: empty there.
  struct Item {
    FlexiblePlace place;
    Vec3d moment;
    const Vec3d *momentum, *spin, *spin_by_q;
    const double* mass;
    const Symmetric *inertia1, *inertia2;
    const double *stiffness, *damping, *preload;
    const double *frame_damping, *damping_by_modes, *damping_on_modes;
    long block;      ///< where its block of `modal_block` begins
    int first_mode;  ///< among the modal coordinates of all bodies
    const ModalLoad* loads;
    int load_count;
    const DampedMode* damped;
    int damped_count;
  };

  /// Numbers per row of a block of `modal_block`.
  TRAMMEL_HD static int padded_modes(int modes) { return (modes + 3) / 4 * 4; }

  /// Motion of the frame in its own axes, and of the modal coordinates.
  struct Motion {
    Vec3d acceleration, omega, alpha;  ///< Aᵀ(ẍ − g), ω, α
    const double *q, *v, *a;
    Vec3d velocity{};  ///< Aᵀẋ
  };
  TRAMMEL_HD static Motion motion_of(const AssemblyView& w, const FlexiblePlace& place) {
    const BodyKinematics& k = w.array.body[place.body];
    return {transpose_times(k.A, k.a - w.table.gravity),
            transpose_times(k.A, k.w),
            transpose_times(k.A, k.alpha),
            w.state.q + place.first,
            w.state.v + place.first,
            w.state.a + place.first,
            transpose_times(k.A, k.v)};
  }

  /// The terms of one mode in the equations.
  struct OfMode {
    Vec3d momentum;     ///< I3_j
    Vec3d B;            ///< B_j
    Vec3d moved_rate;   ///< I5_j q̇
    Symmetric inertia;  ///< J_j
    Symmetric half;     ///< J1_j + ½ Σ q_k J2_jk
  };
  /// Inline, so that its sums stand in registers.
  [[gnu::always_inline]] TRAMMEL_HD static OfMode of_mode(const Item& f, const Motion& m, int j) {
    const int n = f.place.modes;
    OfMode out{};
    if (f.momentum) out.momentum = f.momentum[j];
    if (f.spin) out.B = f.spin[j];
    if (f.inertia1) out.inertia = out.half = f.inertia1[j];
    for (int k = 0; f.spin_by_q && k < n; ++k) {
      const Vec3d& pair = f.spin_by_q[j * n + k];
      out.B -= m.q[k] * pair;  // I5_k of mode j is −I5_j of mode k
      if (k < f.place.dynamic) out.moved_rate += m.v[k] * pair;
    }
    Symmetric by_q{};  // Σ q_k J2_jk
    for (int k = 0; f.inertia2 && k < n; ++k) add(by_q, m.q[k], f.inertia2[j * n + k]);
    add(out.inertia, 1.0, by_q);
    add(out.half, 0.5, by_q);
    return out;
  }
  /// The terms of one mode that only the tangent needs.
  struct RatesOfMode {
    Vec3d moved_second;  ///< I5_j q̈
    Symmetric inertia;   ///< Σ q̇_k J2_jk
  };
  TRAMMEL_HD static RatesOfMode rates_of_mode(const Item& f, const Motion& m, int j) {
    const int n = f.place.modes;
    RatesOfMode out{};
    for (int k = 0; f.spin_by_q && k < f.place.dynamic; ++k)
      out.moved_second += m.a[k] * f.spin_by_q[j * n + k];
    for (int k = 0; f.inertia2 && k < f.place.dynamic; ++k) add(out.inertia, m.v[k], f.inertia2[j * n + k]);
    return out;
  }

  /// Sums over the modes.
  struct Sums {
    Vec3d c, c_rate, c_second;        ///< c, ċ, I3 q̈
    Symmetric inertia, inertia_rate;  ///< J', J̇
    Vec3d spin, spin_change;          ///< B q̇, B q̈
    Vec3d resistance, turning;        ///< D V + Σ D_j q̇_j: of the file's damping matrix on the frame
  };
  TRAMMEL_HD static void add_mode(Sums& sum, const Item& f, const OfMode& mode, const Motion& m, int j) {
    sum.c += m.q[j] * mode.momentum;
    add(sum.inertia, m.q[j], mode.half);
    if (j >= f.place.dynamic) return;
    sum.c_rate += m.v[j] * mode.momentum;
    sum.c_second += m.a[j] * mode.momentum;
    add(sum.inertia_rate, m.v[j], mode.inertia);
    sum.spin += m.v[j] * mode.B;
    sum.spin_change += m.a[j] * mode.B;
  }
  /// What the modes add to Aᵀr_x, and to n about the origin of the frame, in its axes.
  TRAMMEL_HD static Vec3d force(const Sums& s, const Motion& m) {
    return cross(m.alpha, s.c) + cross(m.omega, cross(m.omega, s.c)) + 2.0 * cross(m.omega, s.c_rate) +
           s.c_second + s.resistance;
  }
  TRAMMEL_HD static Vec3d turning(const Sums& s, const Motion& m) {
    return cross(s.c, m.acceleration) + s.inertia * m.alpha + cross(m.omega, s.inertia * m.omega + s.spin) +
           s.inertia_rate * m.omega + s.spin_change + s.turning;
  }

  /// Damping between frame and modes, where the file has it: the force and moment on the frame by q̇_j, and
  /// the force on q_j by V.
  TRAMMEL_HD static void add_damping_by(Sums& sum, const Item& f, double rate, int j) {
    if (!f.frame_damping) return;
    sum.resistance += rate * load(f.damping_by_modes + 6 * j);
    sum.turning += rate * load(f.damping_by_modes + 6 * j + 3);
  }
  TRAMMEL_HD static double damping_on(const Item& f, const Motion& m, int j) {
    if (!f.frame_damping) return 0;
    return dot(load(f.damping_on_modes + 6 * j), m.velocity) +
           dot(load(f.damping_on_modes + 6 * j + 3), m.omega);
  }
  /// A block of D: of force (0) or moment (1) by velocity (0) or spin (1) of the frame.
  TRAMMEL_HD static Mat3d damping_block(const Item& f, int row, int column) {
    Mat3d out;
    for (int r = 0; r < 3; ++r)
      for (int k = 0; k < 3; ++k) out(r, k) = f.frame_damping[6 * (3 * row + r) + 3 * column + k];
    return out;
  }
  TRAMMEL_HD static void add_frame_damping(Sums& sum, const Item& f, const Motion& m) {
    if (!f.frame_damping) return;
    sum.resistance += damping_block(f, 0, 0) * m.velocity + damping_block(f, 0, 1) * m.omega;
    sum.turning += damping_block(f, 1, 0) * m.velocity + damping_block(f, 1, 1) * m.omega;
  }

  TRAMMEL_HD static Sums sums_of(const Item& f, const Motion& m, const OfMode* modes) {
    Sums sums{};
    sums.c = f.moment;
    for (int j = 0; j < f.place.modes; ++j) {
      add_mode(sums, f, modes[j], m, j);
      add_damping_by(sums, f, m.v[j], j);
    }
    add_frame_damping(sums, f, m);
    return sums;
  }

  /// Damping coefficient of mode j by functions of time (CRATIO), beside that in `damping`.
  TRAMMEL_HD static double damping_in_time(const double* tape_value, const Item& f, int j) {
    double sum = 0;
    for (int k = 0; k < f.damped_count; ++k)
      if (f.damped[k].mode == j) sum += tape_value[3 * f.damped[k].tape] * f.damped[k].critical;
    return sum;
  }

  /// Kinetic energy of the body beside the frame's ½ I1 v² + ½ ω·I7 ω, with `acceleration` of the motion
  /// standing for the velocity Aᵀẋ: v·(ω × c + ċ) + ½ ω·J'ω + ω·Bq̇ + ½ q̇·I6 q̇, q̇ = 0 of modes without
  /// inertia.
  static double kinetic_energy(const Item& f, const Motion& m) {
    const int n = f.place.modes;
    const std::vector<double> none(n);
    const Motion at{m.acceleration, m.omega, Vec3d{}, m.q, m.v, none.data()};
    Sums sums{};
    sums.c = f.moment;
    double energy = 0;
    for (int j = 0; j < n; ++j) {
      add_mode(sums, f, of_mode(f, at, j), at, j);
      for (int k = 0; j < f.place.dynamic && k < n; ++k)
        energy += 0.5 * m.v[j] * m.v[k] * f.mass[static_cast<long>(j) * n + k];
    }
    return energy + dot(m.acceleration, cross(m.omega, sums.c) + sums.c_rate) +
           0.5 * dot(m.omega, sums.inertia * m.omega) + dot(m.omega, sums.spin);
  }
  /// Power that the damping of the modes and of the file takes at the rates of the motion:
  /// V·(D V + Σ D_j q̇_j) + q̇·(E V + C q̇).
  static double dissipated_power(const double* tape_value, const Item& f, const Motion& m) {
    const int n = f.place.modes;
    Sums sums{};
    add_frame_damping(sums, f, m);
    double power = 0;
    for (int j = 0; j < n; ++j) {
      add_damping_by(sums, f, m.v[j], j);
      double resistance = damping_on(f, m, j) + damping_in_time(tape_value, f, j) * m.v[j];
      for (int k = 0; k < n; ++k) resistance += f.damping[static_cast<long>(j) * n + k] * m.v[k];
      power += m.v[j] * resistance;
    }
    return power + dot(m.velocity, sums.resistance) + dot(m.omega, sums.turning);
  }
  /// Adds M q̈ of the modes to that of the frame, and writes M q̈ of the modal coordinates; accelerations are
  /// those of `m`.
  static void mass_times_acceleration(const AssemblyView& w, const Item& f, const Motion& m, double* out) {
    const int n = f.place.modes;
    Sums sums{};
    sums.c = f.moment;
    for (int j = 0; j < n; ++j) {
      const OfMode mode = of_mode(f, m, j);
      add_mode(sums, f, mode, m, j);
      double r = dot(mode.momentum, m.acceleration) + dot(mode.B, m.alpha);
      for (int k = 0; k < n; ++k) r += f.mass[static_cast<long>(j) * n + k] * m.a[k];
      out[f.place.first + j] = r;
    }
    add_to_frame(w, f.place.body, force(sums, m), turning(sums, m), out);
  }
  TRAMMEL_HD static void add_to_frame(const AssemblyView& w, int b, const Vec3d& force, const Vec3d& turning,
                                      double* out) {
    const BodyKinematics& k = w.array.body[b];
    double frame[6];
    generalized_force(w.table.inertia[b], k.H, k.A * force, k.A * turning, frame);
    for (int r = 0; r < 6; ++r) out[w.table.inertia[b].first + r] += frame[r];
  }
};

}  // namespace trammel
