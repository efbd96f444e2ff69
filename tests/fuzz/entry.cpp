#include "entry.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace trammel::fuzz {

namespace fs = std::filesystem;

namespace {

/// Removed when the process ends in an orderly way.
struct Folder {
  Folder() {
    const fs::path memory = "/dev/shm";
    std::error_code none;
    std::string name =
        ((fs::is_directory(memory, none) ? memory : fs::temp_directory_path()) / "trammel_fuzz_XXXXXX");
    require(mkdtemp(name.data()) != nullptr, "no temporary folder");
    path = name;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  fs::path path;
};

}  // namespace

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "fuzz: %s\n", what);
  std::abort();
}

std::string file_with(const std::string& name, std::string_view bytes) {
  static const Folder folder;
  const std::string path = folder.path / name;
  std::FILE* file = std::fopen(path.c_str(), "wb");
  require(file != nullptr, "no temporary file");
  const bool written = bytes.empty() || std::fwrite(bytes.data(), bytes.size(), 1, file) == 1;
  require(std::fclose(file) == 0 && written, "the temporary file cannot be written");
  return path;
}

}  // namespace trammel::fuzz
