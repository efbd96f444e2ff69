// .npz files: what is written is read back, and its bytes are those of the format.
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/diagnostics.h"
#include "output/read/npz_reader.h"
#include "output/write/npz_file.h"

namespace trammel::npz_test {
namespace {

namespace fs = std::filesystem;
using Complex = std::complex<double>;

class Npz : public ::testing::Test {
 protected:
  Npz()
      : path_((fs::temp_directory_path() / ("trammel_npz_" + std::to_string(getpid()) + ".npz")).string()) {}
  ~Npz() override { fs::remove(path_); }

  std::string bytes() const {
    std::ifstream in(path_, std::ios::binary);
    std::stringstream out;
    out << in.rdbuf();
    return out.str();
  }

  const std::string path_;
};

TEST_F(Npz, numbers_come_back) {
  NpzFile file;
  const std::vector<double> real = {1.5, -2, 0, 1e300, 5, 6};
  const std::vector<Complex> pairs = {{1, 2}, {-3, 0.5}};
  const std::size_t matrix[] = {2, 3}, two[] = {2};
  file.add("time", 0.25);
  file.add("A", matrix, real);
  file.add("eigenvalue", two, pairs);
  file.write(path_);
  const NpzReader back(path_);
  EXPECT_EQ(back.complex("time"), std::vector<Complex>{0.25});
  EXPECT_EQ(back.complex("A"), std::vector<Complex>(real.begin(), real.end()));
  EXPECT_EQ(back.complex("eigenvalue"), pairs);
  EXPECT_THROW(back.complex("B"), Failure);
}

/// Headers as NumPy's format says: magic, version 1.0, a dictionary that ends with a newline at a multiple of
/// 64 bytes; the CRC-32 of "123456789" is 0xCBF43926, which the entry of these nine bytes would have: here
/// that of a whole array is computed bit by bit.
TEST_F(Npz, bytes_are_those_of_the_format) {
  NpzFile file;
  const std::string texts[] = {"PART/2 DX", "\xc3\xa4"};
  file.add("state", texts);
  file.write(path_);
  const std::string all = bytes();
  const auto number = [&](std::size_t at, int count) {
    std::uint64_t n = 0;
    for (int k = 0; k < count; ++k) n |= std::uint64_t(static_cast<unsigned char>(all[at + k])) << (8 * k);
    return n;
  };
  ASSERT_EQ(all.substr(0, 4), "PK\x03\x04");
  EXPECT_EQ(all.substr(30, 9), "state.npy");
  const std::size_t size = number(18, 4), begin = 30 + number(26, 2);
  const std::string array = all.substr(begin, size);
  EXPECT_EQ(array.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  const std::size_t dict = number(begin + 8, 2);
  EXPECT_EQ((10 + dict) % 64, 0u);
  EXPECT_EQ(array[10 + dict - 1], '\n');
  EXPECT_EQ(array.substr(10, 60).find("{'descr': '<U9', 'fortran_order': False, 'shape': (2,), }"), 0u);
  EXPECT_EQ(size, 10 + dict + 2 * 9 * 4);
  EXPECT_EQ(static_cast<unsigned char>(array[10 + dict + 36]), 0xE4);  // ä
  std::uint32_t crc = ~0u;
  for (const unsigned char c : array)
    for (int bit = 0; bit < 8; ++bit) {
      const bool one = ((crc ^ (c >> bit)) & 1) != 0;
      crc = (crc >> 1) ^ (one ? 0xEDB88320u : 0);
    }
  EXPECT_EQ(number(14, 4), ~crc);
  EXPECT_EQ(all.substr(all.size() - 22, 4), "PK\x05\x06");
  EXPECT_EQ(number(all.size() - 12, 2), 1u);
}

TEST_F(Npz, other_files_are_refused) {
  for (const std::string& text : {std::string("no zip"), std::string("PK\x03\x04", 4), std::string()}) {
    std::ofstream(path_, std::ios::binary) << text;
    EXPECT_THROW(NpzReader{path_}, Failure);
  }
  EXPECT_THROW(NpzReader{path_ + ".not"}, Failure);
}

}  // namespace
}  // namespace trammel::npz_test
