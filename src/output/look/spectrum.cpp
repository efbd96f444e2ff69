#include "output/look/spectrum.h"

#include <bit>
#include <cmath>
#include <numbers>
#include <unsupported/Eigen/FFT>

#include "base/text.h"

namespace trammel {
namespace {

using Complex = std::complex<double>;
constexpr double pi = std::numbers::pi;

std::vector<Complex> forward(const std::vector<Complex>& x) {
  std::vector<Complex> out;
  Eigen::FFT<double>().fwd(out, x);
  return out;
}

/// Inverse transform, divided by the length.
std::vector<Complex> inverse(const std::vector<Complex>& x) {
  std::vector<Complex> out;
  Eigen::FFT<double>().inv(out, x);
  return out;
}

std::size_t largest_prime_factor(std::size_t n) {
  std::size_t largest = 1;
  for (std::size_t p = 2; p * p <= n; ++p)
    for (; n % p == 0; n /= p) largest = p;
  return n > 1 ? n : largest;
}

// A prime factor p costs p operations per value, the chirp three transforms of twice the length.
constexpr std::size_t longest_direct_factor = 64;

struct WindowEntry {
  const char* name;
  const char* label;
  double cosines[5];  ///< w(n) = Σ (−1)^j c[j] cos(2πjn/N)
};

constexpr WindowEntry windows[] = {
    {"none", "no window", {1, 0, 0, 0, 0}},
    {"hann", "Hann window", {0.5, 0.5, 0, 0, 0}},
    {"flattop", "flat top window", {0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368}},
};

}  // namespace

std::vector<Complex> fourier(const std::vector<Complex>& x) {
  const std::size_t n = x.size();
  if (n <= 1) return x;
  if (largest_prime_factor(n) <= longest_direct_factor) return forward(x);
  // kn = (k² + n² − (k−n)²)/2: a convolution with the chirp exp(πi m²/N), done with a power of two.
  const std::size_t size = std::bit_ceil(2 * n);
  std::vector<Complex> chirp(n), a(size), b(size);
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t square = k * k % (2 * n);  // the angle has period 2N: no loss of digits
    chirp[k] = std::polar(1.0, -pi * static_cast<double>(square) / static_cast<double>(n));
    a[k] = x[k] * chirp[k];
    b[k] = std::conj(chirp[k]);
    if (k > 0) b[size - k] = b[k];
  }
  a = forward(a);
  b = forward(b);
  for (std::size_t k = 0; k < size; ++k) a[k] *= b[k];
  a = inverse(a);
  std::vector<Complex> out(n);
  for (std::size_t k = 0; k < n; ++k) out[k] = a[k] * chirp[k];
  return out;
}

std::optional<Window> parse_window_name(std::string_view name) {
  for (std::size_t k = 0; k < std::size(windows); ++k)
    if (equal_ignoring_case(windows[k].name, name)) return static_cast<Window>(k);
  return std::nullopt;
}

const char* name_of(Window window) {
  return windows[static_cast<int>(window)].label;
}

Spectrum amplitude_spectrum(std::span<const double> samples, double step, Window window) {
  const std::size_t n = samples.size();
  Spectrum out;
  if (n == 0) return out;
  out.resolution = 1.0 / (static_cast<double>(n) * step);
  double mean = 0.0, weights = 0.0;
  for (const double value : samples) mean += value / static_cast<double>(n);
  std::vector<Complex> x(n);
  for (std::size_t k = 0; k < n; ++k) {
    const double angle = 2.0 * pi * static_cast<double>(k) / static_cast<double>(n);
    double weight = 0.0, sign = 1.0;
    for (int j = 0; j < 5; ++j, sign = -sign)
      weight += sign * windows[static_cast<int>(window)].cosines[j] * std::cos(j * angle);
    weights += weight;
    x[k] = weight * (samples[k] - mean);
  }
  const std::vector<Complex> lines = fourier(x);
  for (std::size_t k = 0; k <= n / 2; ++k) {
    const bool paired = k > 0 && 2 * k != n;  // with the line at the negative frequency
    out.amplitude.push_back(std::abs(lines[k]) * (paired ? 2.0 : 1.0) / weights);
  }
  return out;
}

}  // namespace trammel
