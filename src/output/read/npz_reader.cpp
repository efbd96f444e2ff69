#include "output/read/npz_reader.h"

#include <cstdint>
#include <cstring>

#include "base/diagnostics.h"
#include "output/read/text_input.h"

namespace trammel {

namespace {

std::string contents(const std::string& path) {
  const FileHandle file = open_for_reading(path);
  std::string out;
  char block[65536];
  while (const std::size_t n = std::fread(block, 1, sizeof block, file.get())) out.append(block, n);
  if (std::ferror(file.get())) fail(ExitCode::io, "{}: cannot be read", path);
  return out;
}

std::uint64_t number(std::string_view bytes, std::size_t at, int count) {
  std::uint64_t out = 0;
  for (int k = 0; k < count; ++k)
    out |= std::uint64_t(static_cast<unsigned char>(bytes[at + static_cast<std::size_t>(k)])) << (8 * k);
  return out;
}

}  // namespace

bool is_npz(const std::string& path) {
  char head[4] = {};
  return std::fread(head, 1, sizeof head, open_for_reading(path).get()) == sizeof head &&
         std::memcmp(head, "PK\x03\x04", 4) == 0;
}

NpzReader::NpzReader(const std::string& path) : path_(path), bytes_(contents(path)) {
  constexpr std::size_t head = 30;  // bytes before the name
  std::size_t at = 0;
  while (at + head <= bytes_.size() && std::memcmp(bytes_.data() + at, "PK\x03\x04", 4) == 0) {
    const std::size_t method = number(bytes_, at + 8, 2), size = number(bytes_, at + 18, 4),
                      name = number(bytes_, at + 26, 2), extra = number(bytes_, at + 28, 2),
                      begin = at + head + name + extra;
    if (method != 0 || begin + size > bytes_.size())
      fail(ExitCode::input, "{}: {}", path,
           method != 0 ? "is compressed: numpy.savez() writes what can be read"
                       : "ends in the middle of an array");
    entries_[bytes_.substr(at + head, name)] = {begin, size};
    at = begin + size;
  }
  if (entries_.empty()) fail(ExitCode::input, "{}: is no .npz file", path);
}

std::vector<std::complex<double>> NpzReader::complex(std::string_view name) const {
  const auto entry = entries_.find(std::string(name) + ".npy");
  if (entry == entries_.end()) fail(ExitCode::input, "{}: has no array {}", path_, name);
  const std::string_view bytes = std::string_view(bytes_).substr(entry->second.begin, entry->second.size);
  const std::size_t head = bytes.size() > 10 ? 10 + number(bytes, 8, 2) : bytes.size() + 1;
  const std::string_view dict = head <= bytes.size() ? bytes.substr(10, head - 10) : std::string_view();
  const bool real = dict.find("'<f8'") != dict.npos, pairs = dict.find("'<c16'") != dict.npos;
  if (!real && !pairs) fail(ExitCode::input, "{}: the array {} has no 64-bit numbers", path_, name);
  const std::string_view values = bytes.substr(head);
  const std::size_t width = pairs ? 16 : 8;
  std::vector<std::complex<double>> out(values.size() / width);
  for (std::size_t k = 0; k < out.size(); ++k) {
    double part[2] = {0, 0};
    std::memcpy(part, values.data() + k * width, width);
    out[k] = {part[0], part[1]};
  }
  return out;
}

}  // namespace trammel
