// Flexible bodies: inertia and stiffness of modal coordinates q beside the frame, whose rigid part (I1, I7)
// is that of its Body. In the axes of the frame, with w = Aᵀ(ẍ − g), c = I2 + I3 q, B = I4 + Σ q_k I5_k, J' =
// Σ q_j (J1_j + ½ Σ q_k J2_jk) and its derivatives J_j = J1_j + Σ q_k J2_jk:
//
//   r_x += A (α × c + ω × (ω × c) + 2 ω × ċ + I3 q̈)
//   n   += c × w + J'α + ω × J'ω + J̇ω + ω × Bq̇ + Bq̈                       about the origin of the frame
//   r_j  = I3_j·w + B_j·α + (I6 q̈)_j − 2 ω·(I5_j q̇) − ½ ω·J_jω + (K q + C q̇)_j − Σ (Aφ_j·F + ATφ*_j·T)
//          − P_j − Σ e L_j                                       preload, modal forces
//          (pools/applied_forces.h)
//
// The rates and accelerations of modes without inertia are 0 in all of this but C q̇.
// These are Lagrange's equations of the kinetic energy (65) that the invariants give, so that energy and
// momentum are kept whichever invariants are left out (INVARIANTS). I5 is antisymmetric in its modes.
#pragma once

#include "assemble/pools/flexible_inertia.h"

namespace trammel {

struct FlexibleBodies : PoolDefaults, FlexibleInertia {
  static constexpr const char* name = "flexible_bodies";
  static constexpr bool has_wrench = false, has_residual = true;
  static constexpr bool by_modes = true;
  static constexpr int grain = 1;

  struct Table : PoolPlace {
    const Item* item;
    OfMode* of_mode;  ///< per modal coordinate
    /// Terms of the modes of one body.
    TRAMMEL_HD OfMode* modes_of(const Item& f) const { return of_mode + f.first_mode; }
  };

  template <class Model>
  explicit FlexibleBodies(const Model& model) {
    for (const ModalTables& f : model.flexible_bodies) bodies_.push_back(&f);
    of_mode_.resize(model.modal_coordinates);
    loads_.resize(bodies_.size());
    for (const auto& f : model.expression_forces)
      if (f.flexible >= 0 && f.name.active && f.components[0] >= 0)
        loads_[f.flexible].push_back({f.components[0], &f.load});
  }
  static const auto& elements(const auto& model) { return model.flexible_bodies; }
  template <class Place>
  Table table(Place&& place) {
    const auto given = [&](const auto& v) { return v.empty() ? nullptr : place.table(v); };
    std::vector<Item> items;
    long block = 0;
    int first_mode = 0;
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
      const ModalTables* f = bodies_[k];
      std::vector<ModalLoad> loads;
      for (const Load& load : loads_[k]) loads.push_back({load.tape, place.table(*load.on_mode)});
      const int count = static_cast<int>(loads.size());
      const long begin = block;
      block += static_cast<long>(f->modes) * padded_modes(f->modes);
      items.push_back({*f,
                       f->moment,
                       given(f->momentum),
                       given(f->spin),
                       given(f->spin_by_q),
                       given(f->mass),
                       given(f->inertia1),
                       given(f->inertia2),
                       given(f->stiffness),
                       given(f->damping),
                       given(f->preload),
                       given(f->frame_damping),
                       given(f->damping_by_modes),
                       given(f->damping_on_modes),
                       begin,
                       first_mode,
                       place.keep(std::move(loads)),
                       count,
                       given(f->damped),
                       static_cast<int>(f->damped.size())});
      first_mode += f->modes;
    }
    return {{}, place.keep(std::move(items)), place.array(of_mode_)};
  }

  /// Generalized force of all wrenches at nodes on q_j: Σ Aφ_j·F + ATφ*_j·T.
  TRAMMEL_HD static double modal_force(const AssemblyView& w, int body, int j) {
    double sum = 0;
    for_node_wrenches(w, body, [&](const ModeShape* shape, const Vec3d& f, const Vec3d& t, int) {
      sum += dot(shape[j].r, f) + dot(shape[j].turn, t);
    });
    return sum;
  }

  /// f(shapes, force, moment, node) of every wrench at a node of the body.
  template <class F>
  TRAMMEL_HD static void for_node_wrenches(const AssemblyView& w, int body, F&& f) {
    for (int i = w.table.body_wrench_start[body]; i < w.table.body_wrench_start[body + 1]; ++i) {
      const BodyWrench& at = w.table.body_wrench[i];
      const int node = w.table.marker[at.marker].node;
      if (node < 0) continue;
      const double* x = w.array.wrench + at.at;
      f(w.array.mode_shape + w.table.node[node].shape, load(x), load(x + 3), node);
    }
  }

  /// r_j, the row of modal coordinate j.
  [[gnu::always_inline]] TRAMMEL_HD static double residual_of_mode(const AssemblyView& w, const Item& f,
                                                                   const Motion& m, const OfMode& mode,
                                                                   int j) {
    const FlexiblePlace& place = f.place;
    double r = dot(mode.momentum, m.acceleration) + dot(mode.B, m.alpha) -
               2.0 * dot(m.omega, mode.moved_rate) - 0.5 * dot(m.omega, mode.inertia * m.omega) -
               modal_force(w, place.body, j) + damping_on(f, m, j);
    const long row = static_cast<long>(j) * place.modes;
    for (int k = 0; k < place.modes; ++k)
      r += f.mass[row + k] * m.a[k] + f.stiffness[row + k] * m.q[k] + f.damping[row + k] * m.v[k];
    r += damping_in_time(w.array.tape_value, f, j) * m.v[j];
    if (f.preload) r -= f.preload[j];
    for (int k = 0; k < f.load_count; ++k)
      r -= w.array.tape_value[3 * f.loads[k].tape] * f.loads[k].on_mode[j];
    return r;
  }
  /// Adds to r_x and r_ε of the frame.
  TRAMMEL_HD static void add_frame_residual(const AssemblyView& w, const Item& f, const Motion& m,
                                            const OfMode* modes, double* out) {
    const Sums sums = sums_of(f, m, modes);
    add_to_frame(w, f.place.body, force(sums, m), turning(sums, m), out);
  }
  TRAMMEL_HD static void residual(const AssemblyView& w, const Table& t, int i, double* out) {
    const Item& f = t.item[i];
    const Motion m = motion_of(w, f.place);
    OfMode* modes = t.modes_of(f);
    for (int j = 0; j < f.place.modes; ++j) {
      const OfMode mode = of_mode(f, m, j);
      out[f.place.first + j] = residual_of_mode(w, f, m, mode, j);
      modes[j] = mode;
    }
    add_frame_residual(w, f, m, modes, out);
  }

  /// Variations of the frame's motion in its own axes by the variations of its angles, 3 × 3 each.
  struct FrameVariation {
    Mat3d acceleration, omega, alpha;  ///< δ(Aᵀ(ẍ − g)), δω, δα
    Mat3d velocity;                    ///< δ(Aᵀẋ)
  };
  TRAMMEL_HD static FrameVariation variation_of(const AssemblyView& w, const FlexiblePlace& place) {
    const BodyKinematics& k = w.array.body[place.body];
    const BodyVariation& d = w.array.variation[place.body];
    // components in turning axes: δ(Aᵀu) = Aᵀ(δu + u × δθ)
    return {transpose_times(k.A, skew_times(k.a - w.table.gravity, d.P)),
            transpose_times(k.A, d.V + skew_times(k.w, d.P)),
            transpose_times(k.A, d.Q + skew_times(k.alpha, d.P)), transpose_times(k.A, skew_times(k.v, d.P))};
  }

  /// Column j and row j of the entries between mode j and the frame; with put_modal_row() they are all
  /// entries of the mode.
  static constexpr int entries_with_frame = 12;
  template <class Writer>
  TRAMMEL_HD static void put_with_frame(Writer& writer, const Item& f, const Motion& m, const OfMode& mode,
                                        const FrameVariation& by_angles, int j) {
    put_column(writer, f, m, mode, j);
    put_row(writer, f, m, mode, by_angles, j);
  }
  template <class Writer>
  TRAMMEL_HD static void tangent(Writer& writer, const Table& t, int i) {
    const Item& f = t.item[i];
    const Motion m = motion_of(writer.w, f.place);
    const bool numbers = writer.numbers();
    FrameVariation by_angles{};
    Sums sums{};
    OfMode* modes = t.modes_of(f);
    if (numbers) by_angles = variation_of(writer.w, f.place);
    for (int j = 0; j < f.place.modes; ++j) {
      if (numbers) modes[j] = of_mode(f, m, j);
      put_with_frame(writer, f, m, modes[j], by_angles, j);
      put_modal_row(writer, f, m, j);
    }
    if (numbers) sums = sums_of(f, m, modes);
    put_frame(writer, f, m, sums, by_angles);
  }

  /// Writes W of initial conditions instead of the tangent: `weight`, one number per coordinate, on the
  /// diagonal of the modal coordinates, and with a writer of numbers whose coefficients are a alone, a times
  /// the mass matrix; W of the frame is written with its body.
  template <class Writer>
  static void weights(Writer& writer, const Table& t, int i, const double* weight) {
    const Item& f = t.item[i];
    const int n = f.place.modes, with_inertia = writer.numbers() ? f.place.dynamic : 0;
    Motion m{};
    FrameVariation by_angles{};
    Sums sums{};
    OfMode* modes = t.modes_of(f);
    if (writer.numbers()) {
      m = motion_of(writer.w, f.place);
      by_angles = variation_of(writer.w, f.place);
      for (int j = 0; j < n; ++j) modes[j] = of_mode(f, m, j);
      sums = sums_of(f, m, modes);
    }
    for (int j = 0; j < n; ++j) {
      put_with_frame(writer, f, m, j < with_inertia ? modes[j] : OfMode{}, by_angles, j);
      for (int k = 0; k < n; ++k) {
        double value = j == k ? weight[f.place.first + j] : 0.0;
        if (j < with_inertia && k < with_inertia) value += modal_entry(writer.w, f, m, j, k);
        writer.put(f.place.first + j, f.place.first + k, value);
      }
    }
    put_frame(writer, f, m, sums, by_angles);
  }

  /// What the damping of the file adds to the block of the frame.
  template <class Writer>
  TRAMMEL_HD static void damp_frame(Writer& writer, const Item& f, const FrameVariation& by, Mat3d& x_angles,
                                    Mat3d& angles_x, Mat3d& angles) {
    if (!f.frame_damping) return;
    const BodyInertia& body = writer.w.table.inertia[f.place.body];
    Mat3d x_x{};
    if (writer.numbers()) {
      const BodyKinematics& k = writer.w.array.body[f.place.body];
      const Mat3d xv = damping_block(f, 0, 0), nv = damping_block(f, 1, 0);
      x_x = writer.c.b * (k.A * (xv * transpose(k.A)));
      x_angles += k.A * (xv * by.velocity + damping_block(f, 0, 1) * by.omega);
      angles_x += writer.c.b * transpose_times(k.H, k.A * (nv * transpose(k.A)));
      angles += transpose_times(k.H, k.A * (nv * by.velocity + damping_block(f, 1, 1) * by.omega));
    }
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) writer.put(body.first + r, body.first + c, x_x(r, c));
  }

  /// The column of q_j in the rows of the frame.
  template <class Writer>
  TRAMMEL_HD static void put_column(Writer& writer, const Item& f, const Motion& m, const OfMode& mode,
                                    int j) {
    const AssemblyView& w = writer.w;
    const BodyInertia& body = w.table.inertia[f.place.body];
    Vec3d x{}, n{};
    if (writer.numbers()) {
      const Coefficients c = coefficients_of_mode(w, f.place, j);
      const double b = j < f.place.dynamic ? c.b : 0.0, a = j < f.place.dynamic ? c.a : 0.0;
      const BodyKinematics& k = w.array.body[f.place.body];
      const RatesOfMode rates = rates_of_mode(f, m, j);
      const Vec3d &p = mode.momentum, Jw = mode.inertia * m.omega;
      x = c.c * (cross(m.alpha, p) + cross(m.omega, cross(m.omega, p))) + b * (2.0 * cross(m.omega, p)) +
          a * p;
      n = c.c * (cross(p, m.acceleration) + mode.inertia * m.alpha + cross(m.omega, Jw) +
                 rates.inertia * m.omega + cross(m.omega, mode.moved_rate) + rates.moved_second) +
          b * (Jw + cross(m.omega, mode.B)) + a * mode.B;
      if (f.frame_damping) {
        x += c.b * load(f.damping_by_modes + 6 * j);
        n += c.b * load(f.damping_by_modes + 6 * j + 3);
      }
      x = k.A * x;
      n = k.A * n;
      for_node_wrenches(w, f.place.body, [&](const ModeShape* shape, const Vec3d& force, const Vec3d&, int) {
        n -= c.c * cross(shape[j].r, force);
      });
    }
    put_generalized_force(body, w.array.body[f.place.body].H, x, n, all_axes,
                          [&](int r, double value) { writer.put(body.first + r, f.place.first + j, value); });
  }

  /// Row j in the columns of the frame.
  template <class Writer>
  TRAMMEL_HD static void put_row(Writer& writer, const Item& f, const Motion& m, const OfMode& mode,
                                 const FrameVariation& by_angles, int j) {
    const AssemblyView& w = writer.w;
    const BodyInertia& body = w.table.inertia[f.place.body];
    Vec3d x{}, e{};
    if (writer.numbers()) {
      x = writer.c.a * (w.array.body[f.place.body].A * mode.momentum);
      if (f.frame_damping)
        x += writer.c.b * (w.array.body[f.place.body].A * load(f.damping_on_modes + 6 * j));
      e = transpose_times(by_angles.acceleration, mode.momentum) + transpose_times(by_angles.alpha, mode.B) -
          transpose_times(by_angles.omega, 2.0 * mode.moved_rate + mode.inertia * m.omega);
      if (f.frame_damping)
        e += transpose_times(by_angles.velocity, load(f.damping_on_modes + 6 * j)) +
             transpose_times(by_angles.omega, load(f.damping_on_modes + 6 * j + 3));
      Vec3d turned{};
      for_node_wrenches(w, f.place.body,
                        [&](const ModeShape* shape, const Vec3d& force, const Vec3d& moment, int) {
                          turned += cross(shape[j].r, force) + cross(shape[j].turn, moment);
                        });
      e -= transpose_times(w.array.variation[f.place.body].P, turned);
    }
    for (int k = 0; k < 3; ++k) writer.put(f.place.first + j, body.first + k, x[k]);
    for (int k = 0; k < 3; ++k) writer.put(f.place.first + j, body.angles() + k, e[k]);
  }

  /// ∂r_j/∂q_k without the part of forces at nodes (modal_products.h).
  TRAMMEL_HD static double modal_entry(const AssemblyView& w, const Item& f, const Motion& m, int j, int k) {
    const Coefficients c = coefficients_of_mode(w, f.place, k);
    const long pair = static_cast<long>(j) * f.place.modes + k;
    double value = c.a * f.mass[pair] + c.b * f.damping[pair] + c.c * f.stiffness[pair];
    if (k == j) value += c.b * damping_in_time(w.array.tape_value, f, j);
    if (f.spin_by_q)
      value -= c.c * dot(f.spin_by_q[pair], m.alpha) +
               2.0 * (k < f.place.dynamic ? c.b : 0.0) * dot(m.omega, f.spin_by_q[pair]);
    if (f.inertia2) value -= 0.5 * c.c * dot(m.omega, f.inertia2[pair] * m.omega);
    return value;
  }
  /// Row j in the columns of the modal coordinates.
  template <class Writer>
  TRAMMEL_HD static void put_modal_row(Writer& writer, const Item& f, const Motion& m, int j) {
    const int n = f.place.modes;
    for (int k = 0; k < n; ++k) {
      double value = 0;
      if (writer.numbers())
        value = modal_entry(writer.w, f, m, j, k) +
                writer.w.array.modal_block[f.block + static_cast<long>(j) * padded_modes(n) + k];
      writer.put(f.place.first + j, f.place.first + k, value);
    }
  }

  /// What the body adds to the block of its frame.
  template <class Writer>
  TRAMMEL_HD static void put_frame(Writer& writer, const Item& f, const Motion& m, const Sums& s,
                                   const FrameVariation& by) {
    const AssemblyView& w = writer.w;
    const BodyInertia& body = w.table.inertia[f.place.body];
    Mat3d x_angles{}, angles_x{}, angles{};
    if (writer.numbers()) {
      const BodyKinematics& k = w.array.body[f.place.body];
      const Mat3d& P = w.array.variation[f.place.body].P;
      const Vec3d x = k.A * force(s, m), n = k.A * turning(s, m);
      const Mat3d c_skew = skew(s.c), J = matrix_of(s.inertia);
      const Vec3d Jw = s.inertia * m.omega;
      //   δ(Aᵀr_x) = −c̃ δα − ((ω × c)~ + ω̃ c̃ + 2 ċ~) δω
      const Mat3d by_spin = skew(cross(m.omega, s.c)) + skew_times(m.omega, c_skew) + skew(2.0 * s.c_rate);
      x_angles = -(k.A * (c_skew * by.alpha + by_spin * by.omega)) - skew_times(x, P);
      //   δ(Aᵀn) = c̃ δw + J' δα + (ω̃ J' − (J'ω)~ + J̇ − (Bq̇)~) δω
      const Mat3d n_by_spin = skew_times(m.omega, J) - skew(Jw) + matrix_of(s.inertia_rate) - skew(s.spin);
      angles_x = writer.c.a * transpose_times(k.H, k.A * (c_skew * transpose(k.A)));
      angles = transpose_times(
          k.H, k.A * (c_skew * by.acceleration + J * by.alpha + n_by_spin * by.omega) - skew_times(n, P));
      add_turned_axes(angles, writer.c.c, k.H, n);
    }
    damp_frame(writer, f, by, x_angles, angles_x, angles);
    for (int r = 0; r < 3; ++r)
      for (int k = 0; k < 3; ++k) {
        writer.put(body.first + r, body.angles() + k, x_angles(r, k));
        writer.put(body.angles() + r, body.first + k, angles_x(r, k));
        writer.put(body.angles() + r, body.angles() + k, angles(r, k));
      }
  }

 private:
  struct Load {
    int tape;
    const std::vector<double>* on_mode;
  };
  std::vector<const ModalTables*> bodies_;
  std::vector<std::vector<Load>> loads_;  ///< per body
  std::vector<OfMode> of_mode_;
};

}  // namespace trammel
