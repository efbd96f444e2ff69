#include "flexible/fem_file.h"

#include <array>
#include <cmath>
#include <numbers>
#include <sstream>

#include "base/diagnostics.h"
#include "base/text.h"
#include "base/text_records.h"
#include "flexible/invariants.h"

namespace trammel {

namespace {

constexpr int record_groups = 13;
constexpr std::string_view mark = "** RECORD GROUP";

/// Words of each record group, and where they stand.
struct Groups {
  struct Word {
    std::string text;
    int line;
  };
  std::string path;
  std::array<std::vector<Word>, record_groups + 1> words;

  explicit Groups(const std::string& file) : path(file) {
    TextRecords in(file);
    int group = 0;
    for (std::string line; in.next(line);) {
      if (const std::string text = upper(line); text.starts_with(mark)) {
        group = std::atoi(text.c_str() + mark.size());
        if (group < 1 || group > record_groups) in.wrong("there are record groups 1 to {}", record_groups);
      } else if (!line.starts_with("**")) {
        std::istringstream of_line(line);
        for (std::string w; of_line >> w;) {
          if (group == 0) in.wrong("'{}' stands before the first record group", w);
          words[group].push_back({w, in.line()});
        }
      }
    }
  }
  /// The numbers of a group, `count` of them.
  std::vector<double> numbers(int group, std::size_t count) const {
    std::vector<double> out;
    for (const Word& w : words[group]) {
      const auto value = parse_number(w.text);
      if (!value) fail(ExitCode::input, "{}:{}: '{}' is no number", path, w.line, w.text);
      out.push_back(*value);
    }
    if (out.size() != count)
      fail(ExitCode::input, "{}{}: record group {} has {} numbers, {} are expected", path,
           words[group].empty() ? "" : fmt::format(":{}", words[group].back().line), group, out.size(),
           count);
    return out;
  }
  int integer(int group, std::size_t k, int least) const {
    if (k >= words[group].size()) fail(ExitCode::input, "{}: record group {} is too short", path, group);
    const Word& w = words[group][k];
    const auto value = parse_integer(w.text);
    if (!value || *value < least || *value > 100000000)
      fail(ExitCode::input, "{}:{}: a number not below {} is expected, found '{}'", path, w.line, least,
           w.text);
    return *value;
  }
};

void read_nodes(const Groups& in, int nodes, ModalBody& out) {
  const auto n = static_cast<std::size_t>(nodes), m = static_cast<std::size_t>(out.modes);
  for (std::size_t p = 0; p < n; ++p) out.node_id.push_back(in.integer(2, p, 1));
  if (in.words[2].size() != n) in.numbers(2, n);
  const std::vector<double> x = in.numbers(5, n), y = in.numbers(6, n), z = in.numbers(7, n),
                            shape = in.numbers(8, 6 * n * m), mass = in.numbers(11, 6 * n);
  out.translation.resize(n * m);
  out.rotation.resize(n * m);
  for (std::size_t p = 0; p < n; ++p) {
    out.position.push_back({x[p], y[p], z[p]});
    for (std::size_t j = 0; j < m; ++j) {
      const double* of = &shape[6 * (j * n + p)];
      out.translation[p * m + j] = {of[0], of[1], of[2]};
      out.rotation[p * m + j] = {of[3], of[4], of[5]};
    }
    const double* of = &mass[6 * p];
    out.node_mass.push_back((of[0] + of[1] + of[2]) / 3);
    out.node_inertia.push_back(Mat3d::diagonal(of[3], of[4], of[5]));
  }
}

}  // namespace

ModalBody read_fem(const std::string& path) {
  const Groups in(path);
  ModalBody out;
  out.source = path;
  if (in.words[1].empty()) fail(ExitCode::input, "{}: record group 1 is missing", path);
  const int nodes = in.integer(1, 1, 1);
  out.modes = in.integer(1, 2, 0) + in.integer(1, 3, 0) + in.integer(1, 4, 0) - in.integer(1, 5, 0);
  if (out.modes < 0)
    fail(ExitCode::input, "{}:{}: more modes are rejected than there are", path, in.words[1][5].line);
  if (static_cast<double>(nodes) * out.modes > 1e8)
    fail(ExitCode::input, "{}:{}: {} nodes with {} modes are too many", path, in.words[1][1].line, nodes,
         out.modes);
  read_nodes(in, nodes, out);
  const auto n = static_cast<std::size_t>(out.modes);
  const std::vector<double> mass = in.numbers(9, n * n);
  out.stiffness = in.numbers(10, n * n);
  if (!in.words[13].empty()) out.damping = in.numbers(13, n * n);
  out.invariants = lumped_invariants(out);
  out.invariants.I6 = mass;
  out.tells_frequencies = false;
  for (std::size_t j = 0; j < n; ++j) {
    out.mode_id.push_back(static_cast<int>(j) + 1);
    const double k = out.stiffness[j * n + j], m = mass[j * n + j];
    out.frequency.push_back(k > 0 && m > 0 ? std::sqrt(k / m) / (2 * std::numbers::pi) : 0.0);
  }
  return out;
}

std::string write_fem(const ModalBody& b) {
  if (b.node_mass.empty())
    fail(ExitCode::input, "{}: the masses of its nodes are not told, which a .fem has; write a .mtx",
         b.source);
  const int n = b.modes, nodes = b.nodes();
  std::string out = "** modes of a flexible body, by trammel\n";
  const auto group = [&](int k, const char* what) { out += fmt::format("**\n{} {}, {}\n", mark, k, what); };
  const auto list = [&](int count, int in_line, auto value) {
    for (int k = 0; k < count; ++k)
      out += fmt::format("{:.17g}{}", static_cast<double>(value(k)),
                         (k + 1) % in_line && k + 1 < count ? " " : "\n");
  };
  group(1, "revision, nodes, modes: normal, attachment, constraint, rejected");
  out += fmt::format("REV0 {} {} 0 0 0\n", nodes, n);
  group(2, "node ids");
  list(nodes, 10, [&](int p) { return b.node_id[p]; });
  for (const int k : {3, 4}) {
    group(k, k == 3 ? "modal displacements" : "modal velocities");
    list(n, 10, [](int) { return 0; });
  }
  for (const int k : {0, 1, 2}) {
    group(5 + k, k == 0 ? "x" : k == 1 ? "y" : "z");
    list(nodes, 3, [&](int p) { return b.position[p][k]; });
  }
  group(8, "mode shapes");
  for (int j = 0; j < n; ++j)
    list(6 * nodes, 6, [&](int k) {
      const std::size_t at = static_cast<std::size_t>(k / 6) * n + j;
      return k % 6 < 3 ? b.translation[at][k % 6] : b.rotation.empty() ? 0.0 : b.rotation[at][k % 6 - 3];
    });
  group(9, "modal mass");
  list(n * n, n > 0 ? n : 1, [&](int k) { return b.invariants.I6[k]; });
  group(10, "modal stiffness");
  list(n * n, n > 0 ? n : 1, [&](int k) { return b.stiffness[k]; });
  group(11, "lumped masses");
  list(6 * nodes, 6, [&](int k) {
    const int p = k / 6, i = k % 6;
    return i < 3 ? b.node_mass[p] : b.node_inertia.empty() ? 0.0 : b.node_inertia[p](i - 3, i - 3);
  });
  if (!b.damping.empty()) {
    group(13, "modal damping");
    list(n * n, n, [&](int k) { return b.damping[k]; });
  }
  return out;
}

}  // namespace trammel
