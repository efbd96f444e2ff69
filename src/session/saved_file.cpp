#include "session/saved_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "dataset/reader.h"
#include "dataset/writer.h"
#include "output/io_error.h"
#include "output/stream_file.h"
#include "session/version.h"

namespace trammel {

std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t sum = 14695981039346656037u;
  for (const char c : bytes) sum = (sum ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return sum;
}

namespace {

constexpr std::string_view magic = "Trammel saved state\n";

std::string version_text() {
  return program_version() + ", " + program_build();
}

[[noreturn]] void fail_io(const char* action, const std::string& path) {
  throw Failure(ExitCode::io, io_error_text(action, path, errno));
}

/// Makes the system write the file's data from its memory to the disk.
void reach_disk(const std::string& path, int flags) {
  const int descriptor = ::open(path.c_str(), flags);
  if (descriptor < 0) fail_io("write", path);
  const bool done = ::fsync(descriptor) == 0;
  ::close(descriptor);
  if (!done) fail_io("write", path);
}

/// Writes a file completely, and to the disk.
void write_file(const std::string& path, const std::string& bytes) {
  Archive head;
  std::string version = version_text();
  std::uint64_t sum = checksum(bytes), size = bytes.size();
  head(version, size, sum);
  StreamFile file;
  file.open(path);
  file.write(std::string(magic) + head.bytes());
  file.write(bytes);
  file.close();
  reach_disk(path, O_RDONLY);
}

}  // namespace

std::string unfinished_path(const std::string& path) {
  return path + ".unfinished";
}

void write_saved(const std::string& path, const std::string& bytes) {
  const std::string unfinished = unfinished_path(path);
  try {
    write_file(unfinished, bytes);
    if (std::rename(unfinished.c_str(), path.c_str()) != 0) fail_io("write", path);
  } catch (...) {
    std::error_code error;  // the first failure is the one to tell
    std::filesystem::remove(unfinished, error);
    throw;
  }
  const std::string folder = std::filesystem::path(path).parent_path().string();
  reach_disk(folder.empty() ? "." : folder, O_RDONLY | O_DIRECTORY);
}

std::string read_saved(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) fail_io("read", path);
  if (!text.starts_with(magic)) fail(ExitCode::input, "{} is no saved state", path);
  try {
    Archive head(text.substr(magic.size()));
    std::string version;
    std::uint64_t sum = 0, size = 0;
    head(version);
    if (version != version_text())
      fail(ExitCode::input, "it was saved by {}, and this is {}: only the same program restores it", version,
           version_text());
    head(size, sum);
    std::string bytes = text.size() < size ? "" : text.substr(text.size() - size);
    if (bytes.size() != size || checksum(bytes) != sum) fail(ExitCode::input, "it is damaged");
    return bytes;
  } catch (const Failure& failure) {
    fail(ExitCode::input, "{}: {}", path, failure.what());
  }
}

void archive(Archive& a, Description& description) {
  a.section("model");
  std::string text = a.restores() ? "" : write_dataset(description);
  std::vector<std::pair<std::string, int>> inactive;
  for (const Statement& s : description.statements)
    if (!s.active) inactive.emplace_back(s.spec->keyword, s.id);
  a(text, description.file, inactive);
  if (!a.restores()) return;
  Diagnostics found;
  const std::string file = description.file;
  description = parse_dataset(text, file, found);
  found.stop_on_errors();
  for (Statement& s : description.statements)
    for (const auto& [keyword, id] : inactive)
      if (s.spec->keyword == keyword && s.id == id) s.active = false;
}

}  // namespace trammel
