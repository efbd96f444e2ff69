#include "output/write/npz_file.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "base/diagnostics.h"
#include "output/replacement.h"

namespace trammel {

namespace {

static_assert(std::endian::native == std::endian::little, "the headers below say little-endian numbers");

void put(std::string& to, std::uint64_t value, int bytes) {
  for (int k = 0; k < bytes; ++k) to += static_cast<char>(value >> (8 * k) & 255);
}

/// CRC-32 of zip files (ISO 3309): the reflected polynomial 0xEDB88320.
std::uint32_t crc32_of(std::string_view bytes) {
  static const auto table = [] {
    std::array<std::uint32_t, 256> out{};
    for (std::uint32_t k = 0; k < 256; ++k) {
      std::uint32_t c = k;
      for (int bit = 0; bit < 8; ++bit) c = c & 1 ? 0xEDB88320u ^ c >> 1 : c >> 1;
      out[k] = c;
    }
    return out;
  }();
  std::uint32_t crc = ~0u;
  for (const unsigned char c : bytes) crc = table[(crc ^ c) & 255] ^ crc >> 8;
  return ~crc;
}

template <class T>
std::string_view bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

std::size_t count_of(std::span<const std::size_t> shape) {
  std::size_t count = 1;
  for (const std::size_t n : shape) count *= n;
  return count;
}

/// The header of a .npy file, filled up to a multiple of 64 bytes.
std::string npy_head(std::string_view type, std::span<const std::size_t> shape) {
  std::string dict = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': (", type);
  for (const std::size_t n : shape) dict += fmt::format("{},", n);
  dict += "), }";
  dict.append(63 - (10 + dict.size()) % 64, ' ');
  dict += '\n';
  std::string head("\x93NUMPY\x01\x00", 8);
  put(head, dict.size(), 2);
  return head + dict;
}

/// Code points of a text in UTF-8; what is not UTF-8 stands byte by byte.
std::vector<std::uint32_t> code_points(const std::string& text) {
  std::vector<std::uint32_t> out;
  for (std::size_t k = 0; k < text.size();) {
    const unsigned char lead = static_cast<unsigned char>(text[k]);
    const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0;
    std::uint32_t point = more == 0 ? lead : lead & (0x3Fu >> more);
    bool good = k + static_cast<std::size_t>(more) < text.size();
    for (int i = 1; good && i <= more; ++i) {
      const unsigned char next = static_cast<unsigned char>(text[k + static_cast<std::size_t>(i)]);
      good = (next & 0xC0) == 0x80;
      point = point << 6 | (next & 0x3Fu);
    }
    out.push_back(good ? point : lead);
    k += good ? static_cast<std::size_t>(more) + 1 : 1;
  }
  return out;
}

}  // namespace

void NpzFile::add(std::string_view name, std::span<const std::size_t> shape, std::span<const double> values) {
  if (count_of(shape) != values.size()) fail(ExitCode::internal, "{}: values do not fit the shape", name);
  add_entry(name, "<f8", shape, bytes_of(values));
}

void NpzFile::add(std::string_view name, std::span<const std::size_t> shape,
                  std::span<const std::complex<double>> values) {
  if (count_of(shape) != values.size()) fail(ExitCode::internal, "{}: values do not fit the shape", name);
  add_entry(name, "<c16", shape, bytes_of(values));
}

void NpzFile::add(std::string_view name, std::span<const std::string> texts) {
  std::vector<std::vector<std::uint32_t>> points;
  std::size_t width = 1;
  for (const std::string& text : texts) {
    points.push_back(code_points(text));
    width = std::max(width, points.back().size());
  }
  std::vector<std::uint32_t> all;
  for (auto& text : points) {
    text.resize(width, 0);
    all.insert(all.end(), text.begin(), text.end());
  }
  const std::size_t shape[] = {texts.size()};
  add_entry(name, fmt::format("<U{}", width), shape, bytes_of(std::span<const std::uint32_t>(all)));
}

void NpzFile::add_entry(std::string_view name, std::string_view type, std::span<const std::size_t> shape,
                        std::string_view bytes) {
  const std::string file = fmt::format("{}.npy", name);
  std::string content = npy_head(type, shape);
  content += bytes;
  if (files_.size() + content.size() > 0xFFFFFFF0u)
    fail(ExitCode::unsupported, "{}: arrays of more than 4 GiB in one .npz file", name);
  const std::uint32_t crc = crc32_of(content), size = static_cast<std::uint32_t>(content.size()),
                      at = static_cast<std::uint32_t>(files_.size());
  // What local headers and the directory have in common: version 2.0, no flags, stored, 1980-01-01.
  std::string common;
  for (const auto& [value, width] : {std::pair{20u, 2}, {0u, 2}, {0u, 2}, {0u, 2}, {0x21u, 2}})
    put(common, value, width);
  put(common, crc, 4);
  put(common, size, 4);
  put(common, size, 4);
  put(common, file.size(), 2);
  put(common, 0, 2);
  files_ += "PK\x03\x04" + common + file + content;
  directory_ += "PK\x01\x02";
  put(directory_, 20, 2);
  directory_ += common;
  put(directory_, 0, 2);  // comment
  put(directory_, 0, 2);  // disk
  put(directory_, 0, 2);  // attributes
  put(directory_, 0, 4);
  put(directory_, at, 4);
  directory_ += file;
  ++entries_;
}

void NpzFile::write(const std::string& path) const {
  std::string end = "PK\x05\x06";
  put(end, 0, 4);
  put(end, entries_, 2);
  put(end, entries_, 2);
  put(end, directory_.size(), 4);
  put(end, files_.size(), 4);
  put(end, 0, 2);
  replace_file(path, files_ + directory_ + end);
}

}  // namespace trammel
