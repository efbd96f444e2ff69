// Named arrays in one file, as numpy.load() reads it: .npz, a zip of .npy files.
#pragma once

#include <complex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace trammel {

/// Source: NumPy, "numpy.lib.format", version 1.0 of the .npy format; PKWARE, APPNOTE.TXT 6.3, stored
/// entries.
class NpzFile {
 public:
  /// `shape` of a row-major array; {} for one number. Failure(internal) where it does not fit the values.
  void add(std::string_view name, std::span<const std::size_t> shape, std::span<const double> values);
  void add(std::string_view name, std::span<const std::size_t> shape,
           std::span<const std::complex<double>> values);
  /// One-dimensional, of texts in UTF-8 (stored as UTF-32).
  void add(std::string_view name, std::span<const std::string> texts);
  void add(std::string_view name, double value) { add(name, {}, std::span(&value, 1)); }

  /// The whole file; replaces one that is there at once, or not at all. Failure(io) naming it.
  void write(const std::string& path) const;

 private:
  void add_entry(std::string_view name, std::string_view type, std::span<const std::size_t> shape,
                 std::string_view bytes);

  std::string files_, directory_;
  int entries_ = 0;
};

}  // namespace trammel
