#include "math/sine_cosine.h"

namespace trammel {

namespace {

using Angles = void (*)(const double* x, int n, double* sine, double* cosine);

/// Of |x| ≤ most_angle.
inline void reduced_angles(const double* x, int n, double* __restrict sine, double* __restrict cosine) {
  for (int i = 0; i < n; ++i) {
    const SineCosine of = sine_cosine_parts::reduced_sine_cosine(x[i]);
    sine[i] = of.sine;
    cosine[i] = of.cosine;
  }
}

void portable(const double* x, int n, double* sine, double* cosine) {
  reduced_angles(x, n, sine, cosine);
}

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
/// These without fused multiply-add, so that their bits are those of portable().
[[gnu::target("avx2")]] void four_at_once(const double* x, int n, double* sine, double* cosine) {
  reduced_angles(x, n, sine, cosine);
}

[[gnu::target("avx512f,avx512vl,avx512dq,prefer-vector-width=512")]] void eight_at_once(const double* x,
                                                                                        int n, double* sine,
                                                                                        double* cosine) {
  reduced_angles(x, n, sine, cosine);
}

Angles best() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq"))
    return eight_at_once;
  return __builtin_cpu_supports("avx2") ? four_at_once : portable;
}
#else
Angles best() {
  return portable;
}
#endif

}  // namespace

void sines_and_cosines(const double* x, int n, double* sine, double* cosine) {
  static const Angles reduced = best();
  reduced(x, n, sine, cosine);
  for (int i = 0; i < n; ++i) {
    if (std::fabs(x[i]) <= sine_cosine_parts::most_angle) continue;
    const SineCosine of = sine_cosine(x[i]);
    sine[i] = of.sine;
    cosine[i] = of.cosine;
  }
}

}  // namespace trammel
