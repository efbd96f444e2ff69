// Spectra against sums written out, and sines against their closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "output/look/spectrum.h"
#include "support.h"

namespace trammel::test::spectrum_test {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double epsilon = 2.3e-16;

/// X[k] = Σ x[n] exp(−2πi kn/N) for lengths of every kind, primes too. Rounding: the longest chain of sums is
/// N long for the reference and log N stages of a few roundings for the transform; 20 N ε of the largest
/// line.
TEST(Spectrum, TransformIsTheSum) {
  for (const std::size_t n : {1u, 2u, 3u, 4u, 5u, 7u, 8u, 12u, 17u, 31u, 64u, 97u, 100u, 128u, 501u}) {
    std::vector<std::complex<double>> x(n);
    for (std::size_t k = 0; k < n; ++k)
      x[k] = {sample_value(k, 0) * 1e-12, std::cos(2.7 * static_cast<double>(k))};
    const auto found = fourier(x);
    ASSERT_EQ(found.size(), n);
    for (std::size_t k = 0; k < n; ++k) {
      std::complex<double> sum = 0;
      for (std::size_t m = 0; m < n; ++m)
        sum += x[m] * std::polar(1.0, -2 * pi * static_cast<double>(k * m % n) / static_cast<double>(n));
      const double size = static_cast<double>(n);
      EXPECT_NEAR(std::abs(found[k] - sum), 0.0, 20 * size * epsilon * size) << n << " " << k;
    }
  }
}

/// A sine of a frequency of the spectrum: its amplitude on its line, the next lines by the cosines of the
/// window (Hann: one half), zero elsewhere; whatever the phase and the mean.
TEST(Spectrum, SineOnALine) {
  constexpr double amplitude = 2.5, mean = 100.0, phase = 0.7, step = 0.01;
  for (const std::size_t n : {200u, 201u, 256u}) {
    const double frequency = 10.0 / (static_cast<double>(n) * step);
    std::vector<double> x;
    for (std::size_t k = 0; k < n; ++k)
      x.push_back(mean + amplitude * std::sin(2 * pi * frequency * step * static_cast<double>(k) + phase));
    for (const Window window : {Window::rectangle, Window::hann, Window::flat_top}) {
      const Spectrum s = amplitude_spectrum(x, step, window);
      ASSERT_EQ(s.amplitude.size(), n / 2 + 1);
      EXPECT_DOUBLE_EQ(10 * s.resolution, frequency);
      const double rounding = 1e3 * epsilon * mean;  // the mean is taken off numbers of its size
      EXPECT_NEAR(s.amplitude[10], amplitude, rounding) << n << name_of(window);
      for (std::size_t k = 0; k < s.amplitude.size(); ++k)
        EXPECT_NEAR(k + 5 <= 10 || k >= 15 ? s.amplitude[k] : 0.0, 0.0, rounding)
            << n << name_of(window) << k;
      if (window == Window::hann) {
        EXPECT_NEAR(s.amplitude[9], amplitude / 2, rounding);
        EXPECT_NEAR(s.amplitude[11], amplitude / 2, rounding);
        EXPECT_NEAR(s.amplitude[12], 0.0, rounding);
      }
    }
  }
}

/// Half-way between two lines the largest is lower by the window's response there: without window
/// (sin(π/2)/(π/2)) = 2/π, Hann 8/(3π) (Harris 1978); any sum of cosines c[j], with δ = ½,
/// sin(πδ)/π · [c0/δ + Σ (−1)^j c[j]/2 · (1/(δ−j) + 1/(δ+j))] / c0. The image at the negative frequency,
/// 2·100 lines away, adds less than 1/(200π) without window.
TEST(Spectrum, SineBetweenLines) {
  constexpr std::size_t n = 4000;
  std::vector<double> x;
  for (std::size_t k = 0; k < n; ++k) x.push_back(std::cos(2 * pi * 100.5 * static_cast<double>(k) / n));
  const auto largest = [&](Window window) {
    const Spectrum s = amplitude_spectrum(x, 1.0, window);
    return *std::max_element(s.amplitude.begin(), s.amplitude.end());
  };
  EXPECT_NEAR(largest(Window::rectangle), 2 / pi, 1 / (200 * pi));
  EXPECT_NEAR(largest(Window::hann), 8 / (3 * pi), 1e-5);  // the image falls with the third power
  constexpr double c[] = {0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368};  // ISO 18431-2
  double sum = c[0] / 0.5;
  for (int j = 1; j < 5; ++j) sum += (j % 2 ? -1 : 1) * c[j] / 2 * (1 / (0.5 - j) + 1 / (0.5 + j));
  // The window ends at c0 − c1 + c2 − c3 + c4 = −4.2e-4, and this step lets the image through in proportion:
  // 4.2e-4/c0 of 1/(200π).
  EXPECT_NEAR(largest(Window::flat_top), sum / pi / c[0], 3.2e-6);
  EXPECT_NEAR(largest(Window::flat_top), 1.0, 1.2e-3);  // as the help of plot says
}

/// The highest frequency of an even number of samples has no fellow: ±1 in turn has amplitude 1.
TEST(Spectrum, HighestFrequency) {
  std::vector<double> x;
  for (int k = 0; k < 64; ++k) x.push_back(k % 2 == 0 ? 1.0 : -1.0);
  EXPECT_NEAR(amplitude_spectrum(x, 0.5, Window::rectangle).amplitude.back(), 1.0, 100 * epsilon);
  EXPECT_DOUBLE_EQ(amplitude_spectrum(x, 0.5, Window::rectangle).resolution * 32, 1.0);
  EXPECT_TRUE(amplitude_spectrum({}, 1.0, Window::hann).amplitude.empty());
}

}  // namespace
}  // namespace trammel::test::spectrum_test
