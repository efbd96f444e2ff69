// Runs CalculiX in a folder of its own and reads what it leaves, for tests of finite-element models.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace trammel::test {

/// The folder is removed at the end.
class CalculixFolder {
 public:
  CalculixFolder()
      : folder_(std::filesystem::temp_directory_path() / fmt::format("trammel_calculix_{}", ::getpid())) {
    std::filesystem::create_directories(folder_);
  }
  ~CalculixFolder() { std::filesystem::remove_all(folder_); }
  CalculixFolder(const CalculixFolder&) = delete;
  CalculixFolder& operator=(const CalculixFolder&) = delete;

  std::string path(const std::string& name = "") const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }
  /// Runs it on NAME.inp; what it prints (NAME.dat).
  std::string run(const std::string& name, const std::string& inp) const {
    write(name + ".inp", inp);
    const std::string command =
        fmt::format("cd '{}' && OMP_NUM_THREADS=1 ccx {} > {}.log 2>&1", folder_.string(), name, name);
    if (std::system(command.c_str()) != 0)
      ADD_FAILURE() << "CalculiX did not run; scripts/setup installs it (calculix-ccx)";
    std::ifstream in(path(name + ".dat"));
    return {std::istreambuf_iterator<char>(in), {}};
  }
  /// Six numbers per node, counted from 1, of STRESS or TOSTRAIN in NAME.frd: [6 (id − 1) + component], five
  /// digits. Fails where a node is missing.
  std::vector<double> tensors(const std::string& name, const std::string& block, int nodes) const {
    std::vector<double> out(6 * static_cast<std::size_t>(nodes));
    std::ifstream in(path(name + ".frd"));
    bool inside = false;
    int found = 0;
    for (std::string line; std::getline(in, line);) {
      if (line.starts_with(" -4")) inside = line.find(block) != line.npos;
      if (!inside || !line.starts_with(" -1")) continue;
      const int id = std::stoi(line.substr(3, 10));
      for (int c = 0; c < 6; ++c)
        out[6 * static_cast<std::size_t>(id - 1) + c] = std::stod(line.substr(13 + 12 * c, 12));
      ++found;
    }
    EXPECT_EQ(found, nodes) << block << " of " << name;
    return out;
  }

 private:
  std::filesystem::path folder_;
};

/// Three displacements per node of what CalculiX prints (*NODE PRINT, U), seven digits. Fails where a node is
/// missing.
inline std::vector<double> printed_displacements(const std::string& dat, int nodes) {
  std::vector<double> out(3 * static_cast<std::size_t>(nodes));
  std::istringstream lines(dat);
  int found = 0;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    int id;
    double u[3];
    if (!(words >> id >> u[0] >> u[1] >> u[2])) continue;
    std::copy_n(u, 3, out.begin() + 3 * (id - 1));
    ++found;
  }
  EXPECT_EQ(found, nodes) << dat;
  return out;
}

}  // namespace trammel::test
