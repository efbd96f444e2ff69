// Bodies: inertia, and the sums of the wrenches on them.
#pragma once

#include "assemble/pools/pool.h"
#include "assemble/tangent_writer.h"

namespace trammel {

/// Σ F and Σ (T + s × F) of a body.
TRAMMEL_HD inline void gather_body(const AssemblyView& w, int b) {
  Vec3d force{}, moment{};
  TRAMMEL_ROLLED
  for (int k = w.table.body_wrench_start[b]; k < w.table.body_wrench_start[b + 1]; ++k) {
    const BodyWrench& at = w.table.body_wrench[k];
    const double* x = w.array.wrench + at.at;
    const Vec3d f = load(x);
    force += f;
    moment += load(x + 3) + cross(w.array.arm[at.marker], f);
  }
  w.array.body_force[b] = force;
  w.array.body_moment[b] = moment;
}

/// Σ F̃ s̃ over a body's markers: δ(s × F) = F̃ s̃ δθ = (s Fᵀ − (s·F) 1) δθ.
TRAMMEL_HD inline Mat3d arms_of_body(const AssemblyView& w, int b) {
  Mat3d sum{};
  TRAMMEL_ROLLED
  for (int k = w.table.body_wrench_start[b]; k < w.table.body_wrench_start[b + 1]; ++k) {
    const BodyWrench& at = w.table.body_wrench[k];
    const Vec3d f = load(w.array.wrench + at.at), &s = w.array.arm[at.marker];
    const double sf = dot(s, f);
    sum += outer(s, f) - Mat3d::diagonal(sf, sf, sf);
  }
  return sum;
}

/// c ∂(Hᵀn)/∂ε: variations of ψ and θ turn the axes h1, h2 of H, which gives h0×h1·n and h0×h2·n in the
/// column of ψ, h1×h2·n in that of θ.
TRAMMEL_HD inline void add_turned_axes(Mat3d& block, double c, const Mat3d& H, const Vec3d& n) {
  const Vec3d h0 = H.column(0), h1 = H.column(1), h2 = H.column(2);
  block(1, 0) += c * dot(cross(h0, h1), n);
  block(2, 0) += c * dot(cross(h0, h2), n);
  block(2, 1) += c * dot(cross(h1, h2), n);
}

struct Bodies : PoolDefaults {
  static constexpr const char* name = "bodies";
  static constexpr bool has_wrench = false, has_residual = true;
  static constexpr int grain = 512;
  using Table = PoolPlace;

  template <class Model>
  explicit Bodies(const Model&) {}
  static const auto& elements(const auto& model) { return model.bodies; }
  template <class Place>
  Table table(Place&&) {
    return {};
  }

  /// r_x = m (ẍ − g) − F;  r_ε = Hᵀ n,  n = J α + ω × J ω − T,  J = A J_body Aᵀ; of a planar body those in
  /// the plane and about its normal, J_zz φ̈ − n·T.
  TRAMMEL_HD static void residual(const AssemblyView& w, const Table&, int b, double* out) {
    const BodyInertia& body = w.table.inertia[b];
    const BodyKinematics& k = w.array.body[b];
    double* r = out + body.first;
    const Vec3d rx = body.mass * (k.a - w.table.gravity) - w.array.body_force[b];
    if (body.planar()) [[unlikely]] {
      const Vec3d turning = body.inertia(2, 2) * k.alpha - w.array.body_moment[b];
      return generalized_force(body, k.H, rx, turning, r);
    }
    for (int i = 0; i < 3; ++i) r[i] = rx[i];
    if (!body.turns()) return;
    const Vec3d Ja = k.A * (body.inertia * transpose_times(k.A, k.alpha));
    const Vec3d Jw = k.A * (body.inertia * transpose_times(k.A, k.w));
    const Vec3d re = transpose_times(k.H, Ja + cross(k.w, Jw) - w.array.body_moment[b]);
    for (int i = 0; i < 3; ++i) r[3 + i] = re[i];
  }

  template <class Writer>
  TRAMMEL_HD static void tangent(Writer& writer, const Table&, int b) {
    double m[6][6] = {};
    if (writer.numbers()) inertia(writer.w, writer.c, b, m);
    put(writer, b, m);
  }

  template <class Writer>
  TRAMMEL_HD static void put(Writer& writer, int b, const double (&m)[6][6]) {
    const BodyInertia& body = writer.body_at(b);
    const int angles = body.translations, count = body.count();
    TRAMMEL_ROLLED
    for (int r = 0; r < count; ++r) TRAMMEL_ROLLED
    for (int k = 0; k < count; ++k)
      if (body.coupled || r == k || (r >= angles && k >= angles))
        writer.put(body.first + r, body.first + k, m[r][k]);
  }

  /// Inertia and the geometric terms of everything that acts on the body:
  ///   δ(Hᵀ n) = Hᵀ δn + ∂(Hᵀ n)/∂ε δε,   n = Jα + ω × Jω − T,   δT ∋ (Σ F̃ s̃) δθ
  TRAMMEL_HD static void inertia(const AssemblyView& w, const Coefficients& c, int b, double (&m)[6][6]) {
    const BodyInertia& body = w.table.inertia[b];
    for (int k = 0; k < body.translations; ++k) m[k][k] = c.a * body.mass;
    if (!body.turns()) return;
    const BodyKinematics& k = w.array.body[b];
    if (body.planar()) [[unlikely]] {
      const Vec3d n = k.H.column(0);
      m[2][2] = c.a * body.inertia(2, 2) - c.c * dot(n, arms_of_body(w, b) * n);
      return;
    }
    const BodyVariation& d = w.array.variation[b];
    const Mat3d J = k.A * body.inertia * transpose(k.A);
    const Vec3d Ja = J * k.alpha, Jw = J * k.w;
    //   ∂n/∂θ = J α̃ − (Jα)~ + ω̃ (J ω̃ − (Jω)~) − Σ F̃ s̃,   ∂n/∂ω = ω̃ J − (Jω)~,   ∂n/∂α = J
    const Mat3d skew_Jw = skew(Jw);
    const Mat3d K_theta = times_skew(J, k.alpha) - skew(Ja) + skew_times(k.w, times_skew(J, k.w) - skew_Jw) -
                          arms_of_body(w, b);
    const Mat3d K_omega = skew_times(k.w, J) - skew_Jw;
    const Vec3d n = Ja + cross(k.w, Jw) - w.array.body_moment[b];
    Mat3d block = transpose_times(k.H, K_theta * d.P + K_omega * d.V + J * d.Q);
    add_turned_axes(block, c.c, k.H, n);
    for (int r = 0; r < 3; ++r)
      for (int col = 0; col < 3; ++col) m[3 + r][3 + col] = block(r, col);
  }
};

}  // namespace trammel
