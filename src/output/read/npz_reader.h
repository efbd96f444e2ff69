// Arrays of .npz files that this program or numpy.savez() has written.
#pragma once

#include <complex>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace trammel {

/// Whether the file begins as a zip does. Failure(io) for a file that cannot be read.
bool is_npz(const std::string& path);

class NpzReader {
 public:
  /// Failure(io) for a file that cannot be read, Failure(input) for one that is no zip of stored .npy files.
  explicit NpzReader(const std::string& path);

  /// Real or complex numbers in the order of the file. Failure(input) where there is no such array.
  std::vector<std::complex<double>> complex(std::string_view name) const;

 private:
  std::string path_, bytes_;
  struct Entry {
    std::size_t begin = 0, size = 0;
  };
  std::map<std::string, Entry, std::less<>> entries_;
};

}  // namespace trammel
