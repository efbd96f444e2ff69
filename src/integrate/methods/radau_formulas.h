// Radau IIA with three stages: its numbers, and kernels over the unknowns of the stages. Source: E. Hairer,
// G. Wanner, Solving Ordinary Differential Equations II (1996), section IV.8.
#pragma once

#include <complex>

#include "device_api/kernel.h"
#include "integrate/step_control.h"
#include "integrate/step_terms.h"

namespace trammel::radau {

inline constexpr int stages = 3;
inline constexpr double root6 = 2.449489742783178098;
/// t_i = t_n + c_i h; the last stage is the end of the step.
inline constexpr double c[stages] = {(4 - root6) / 10, (4 + root6) / 10, 1};
/// y_i = y_n + h Σ a_ij ẏ_j.
inline constexpr double a[stages][stages] = {
    {(88 - 7 * root6) / 360, (296 - 169 * root6) / 1800, (-2 + 3 * root6) / 225},
    {(296 + 169 * root6) / 1800, (88 + 7 * root6) / 360, (-2 - 3 * root6) / 225},
    {(16 - root6) / 36, (16 + root6) / 36, 1.0 / 9}};
/// A⁻¹ = T Λ T⁻¹, Λ = [γ 0 0; 0 α −β; 0 β α].
inline constexpr double gamma = 3.637834252744495732208418513577775;
inline constexpr double alpha = 2.681082873627752133895790743211112;
inline constexpr double beta = 3.050430199247410569426377624787569;
inline constexpr double T[stages][stages] = {
    {9.1232394870892942792e-02, -0.14125529502095420843, -3.0029194105147424492e-02},
    {0.24171793270710701896, 0.20412935229379993199, 0.38294211275726193779},
    {0.96604818261509293619, 1, 0}};
inline constexpr double inverse_T[stages][stages] = {
    {4.3255798900631553510, 0.33919925181580986954, 0.54177053993587487119},
    {-4.1787185915519047273, -0.32768282076106238708, 0.47662355450055045196},
    {-0.50287263494578687595, 2.5719269498556054292, -0.59603920482822492497}};
/// Of the embedded formula of order 3: ŷ − y_{n+1} = (h ẏ_n + Σ e_i (y_i − y_n))/γ.
inline constexpr double e[stages] = {-(13 + 7 * root6) / 3, (-13 + 7 * root6) / 3, -1.0 / 3};

/// Three numbers by stage.
struct Weights {
  double w[stages];
  TRAMMEL_HD constexpr Weights times(double factor) const {
    return {{factor * w[0], factor * w[1], factor * w[2]}};
  }
};
/// w A
TRAMMEL_HD constexpr Weights times_a(const Weights& w) {
  Weights out{};
  for (int i = 0; i < stages; ++i)
    for (int j = 0; j < stages; ++j) out.w[j] += w.w[i] * a[i][j];
  return out;
}
TRAMMEL_HD constexpr Weights row_of_a(int i) {
  return {{a[i][0], a[i][1], a[i][2]}};
}
inline constexpr Weights e_a = times_a({{e[0], e[1], e[2]}}), e_a2 = times_a(e_a);

/// A vector per stage; one entry per unknown: q̈, λ, Ẋ of states with a rate, values of others.
struct Stages {
  double* u[stages];
  TRAMMEL_HD double sum(const Weights& w, int k) const {
    return w.w[0] * u[0][k] + w.w[1] * u[1][k] + w.w[2] * u[2][k];
  }
};

struct Extrapolate {
  static constexpr const char* name = "radau_extrapolate";
  Extrapolation past;
  double* u;
  TRAMMEL_HD void operator()(int k) const { u[k] = past(k); }
};

/// q, v, q̈ of stage i: q_n + c_i h v_n + h² Σ (A²)_ij q̈_j, v_n + h Σ a_ij q̈_j; by = h a_i, by2 = h² (A²)_i.
struct StageCoordinates {
  static constexpr const char* name = "radau_stage_coordinates";
  Stages stage;
  int i;
  Weights by, by2;
  double ch;
  const double *q_begin, *v_begin;
  double *q, *v, *a;
  TRAMMEL_HD void operator()(int k) const {
    q[k] = q_begin[k] + (ch * v_begin[k] + stage.sum(by2, k));
    v[k] = v_begin[k] + stage.sum(by, k);
    a[k] = stage.u[i][k];
  }
};
struct StageScalars {
  static constexpr const char* name = "radau_stage_scalars";
  Stages stage;
  int i, first;
  Weights by;
  const unsigned char* differential;
  const double* s_begin;
  double *s, *sdot;
  TRAMMEL_HD void operator()(int k) const {
    const double u = stage.u[i][first + k];
    if (differential[k]) sdot[k] = u;
    s[k] = differential[k] ? s_begin[k] + stage.sum(by, first + k) : u;
  }
};

/// −T⁻¹ of the residuals of the stages, whose constraint rows are φ/h² and, in velocities, φ/h: they are
/// divided by μ² and μ as well, 1/μ the eigenvalue (power: 2, 1, else 0, an entry per unknown).
struct TransformResiduals {
  static constexpr const char* name = "radau_transform_residuals";
  Stages residual;
  const unsigned char* power;
  double* real;
  std::complex<double>* complex;
  void operator()(int k) const {
    double w[stages] = {};
    for (int i = 0; i < stages; ++i)
      for (int j = 0; j < stages; ++j) w[i] -= inverse_T[i][j] * residual.u[j][k];
    for (int p = 0; p < power[k]; ++p) {
      const double x = alpha * w[1] - beta * w[2], y = beta * w[1] + alpha * w[2];
      w[0] *= gamma;
      w[1] = x;
      w[2] = y;
    }
    real[k] = w[0];
    complex[k] = {w[1], w[2]};
  }
};

/// The corrections of the stages from those of the transformed systems; they are added to the stages.
struct CorrectStages {
  static constexpr const char* name = "radau_correct_stages";
  const double* real;
  const std::complex<double>* complex;
  Stages correction, stage;
  void operator()(int k) const {
    const double w[stages] = {real[k], complex[k].real(), complex[k].imag()};
    for (int i = 0; i < stages; ++i) {
      const double d = T[i][0] * w[0] + T[i][1] * w[1] + T[i][2] * w[2];
      correction.u[i][k] = d;
      stage.u[i][k] += d;
    }
  }
};

/// Of each body 1/s², s² the mean square of its velocities, at least 1; of modes that of their frame where it
/// is larger.
struct InverseSquaredSpeeds {
  static constexpr const char* name = "radau_inverse_squared_speeds";
  BodyMeanSquare mean;
  double* out;
  TRAMMEL_HD void operator()(int b) const {
    out[b] = 1 / most(1.0, most(mean.of(b), mean.of(mean.place[b].frame)));
  }
};
/// The mean square of a body's x, over s².
struct MeanSquareBesideSpeed {
  using Value = Largest;
  static constexpr const char* name = "radau_mean_square_beside_speed";
  BodyMeanSquare mean;
  const double* inverse_squared_speed;
  TRAMMEL_HD Largest operator()(int b) const { return size_of(mean.of(b) * inverse_squared_speed[b], b); }
};
/// sum_b += factor times the mean square of each body, or this over s².
struct AddMeanSquares {
  static constexpr const char* name = "radau_add_mean_squares";
  BodyMeanSquare mean;
  const double* inverse_squared_speed;  ///< null: as it is
  double factor;
  double* sum;
  TRAMMEL_HD void operator()(int b) const {
    sum[b] += factor * mean.of(b) * (inverse_squared_speed ? inverse_squared_speed[b] : 1.0);
  }
};

struct SumOfStages {
  static constexpr const char* name = "radau_sum_of_stages";
  Stages x;
  Weights w;
  double* out;
  TRAMMEL_HD void operator()(int k) const { out[k] = x.sum(w, k); }
};

/// Corrections of the scalars of a stage: of states h Σ a_ij, of others their own.
struct ScalarCorrection {
  static constexpr const char* name = "radau_scalar_correction";
  Stages correction;
  int i, first;
  Weights by;
  const unsigned char* differential;
  double* out;
  TRAMMEL_HD void operator()(int k) const {
    out[k] = differential[k] ? correction.sum(by, first + k) : correction.u[i][first + k];
  }
};

/// The end of the step moved by what the embedded formula misses, b = h/γ: velocities by ρ_q/b, accelerations
/// by ρ_q/b² + ρ_v/b.
struct MoveByEmbedded {
  static constexpr const char* name = "radau_move_by_embedded";
  Stages stage;
  double h;
  const double* a_begin;
  double *v, *a;
  TRAMMEL_HD void operator()(int k) const {
    const double second = stage.sum(e_a2, k);
    v[k] += h * second;
    a[k] += gamma * second + a_begin[k] + stage.sum(e_a, k);
  }
};
struct MoveScalarsByEmbedded {
  static constexpr const char* name = "radau_move_scalars_by_embedded";
  Stages stage;
  int first;
  const unsigned char* differential;
  const double* sdot_begin;
  double* sdot;
  TRAMMEL_HD void operator()(int k) const {
    if (differential[k]) sdot[k] += sdot_begin[k] + stage.sum(e_a, first + k);
  }
};

struct AddToStates {
  static constexpr const char* name = "radau_add_to_states";
  const double* x;
  const unsigned char* differential;
  double* s;
  TRAMMEL_HD void operator()(int k) const {
    if (differential[k]) s[k] += x[k];
  }
};

/// Moves residuals of constraints: those of φ(q), of power 2, to `out`, others are dropped.
struct MoveConstraintRows {
  static constexpr const char* name = "radau_move_constraint_rows";
  double* rows;
  const unsigned char* power;
  double* out;
  TRAMMEL_HD void operator()(int k) const {
    out[k] = power[k] == 2 ? rows[k] : 0.0;
    rows[k] = 0;
  }
};

}  // namespace trammel::radau
