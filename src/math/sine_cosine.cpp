#include "math/sine_cosine.h"

namespace trammel {

namespace {
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
[[gnu::target_clones("default", "avx2")]]
#endif
void reduced_sines_and_cosines(const double* x, int n, double* __restrict sine, double* __restrict cosine) {
  for (int i = 0; i < n; ++i) {
    const SineCosine of = sine_cosine_parts::reduced_sine_cosine(x[i]);
    sine[i] = of.sine;
    cosine[i] = of.cosine;
  }
}
}  // namespace

void sines_and_cosines(const double* x, int n, double* sine, double* cosine) {
  reduced_sines_and_cosines(x, n, sine, cosine);
  for (int i = 0; i < n; ++i) {
    if (std::fabs(x[i]) <= sine_cosine_parts::most_angle) continue;
    const SineCosine of = sine_cosine(x[i]);
    sine[i] = of.sine;
    cosine[i] = of.cosine;
  }
}

}  // namespace trammel
