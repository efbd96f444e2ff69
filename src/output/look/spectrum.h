// Amplitude spectra of sampled channels.
#pragma once

#include <complex>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace trammel {

/// Discrete Fourier transform X[k] = Σ x[n] exp(−2πi kn/N) for any length N in O(N log N): Eigen's for small
/// prime factors, else a chirp transform (Bluestein 1970).
std::vector<std::complex<double>> fourier(const std::vector<std::complex<double>>& values);

/// Window weights over the samples, of period N: rectangle 1; Hann ½ − ½cos(2πn/N); flat top: five cosines
/// with the coefficients of ISO 18431-2.
enum class Window { rectangle, hann, flat_top };
/// "none", "hann", "flattop" (case ignored).
std::optional<Window> parse_window_name(std::string_view name);
/// The name on labels: "no window", "Hann window", "flat top window".
const char* name_of(Window window);

struct Spectrum {
  double resolution = 0;          ///< frequency of amplitude[1], cycles per time unit
  std::vector<double> amplitude;  ///< at k·resolution, 0 to half of the sampling frequency
};

/// One-sided amplitudes |X[k]| · 2/Σw (· 1/Σw at 0 and N/2) of samples `step` apart, their mean subtracted: a
/// sine of frequency k·resolution shows its amplitude. For frequencies in between the largest line is lower:
/// by up to 36 % without window, 15 % with Hann, 0.12 % with flat top.
Spectrum amplitude_spectrum(std::span<const double> samples, double step, Window window);

}  // namespace trammel
