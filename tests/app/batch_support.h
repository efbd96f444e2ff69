// What tests of `trammel batch` share: decks, tables of variants, tables of results.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <sstream>

#include "support.h"

namespace trammel_test {

/// A line of a CSV file by its headers (RFC 4180 without line ends in cells).
using Line = std::map<std::string, std::string>;

inline std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t k = 0; k < line.size(); ++k) {
    if (line[k] == '"' && quoted && k + 1 < line.size() && line[k + 1] == '"')
      cells.back() += line[++k];
    else if (line[k] == '"')
      quoted = !quoted;
    else if (line[k] == ',' && !quoted)
      cells.emplace_back();
    else
      cells.back() += line[k];
  }
  return cells;
}

/// Fails where a line is not whole: other cells than headers, or no end of line.
inline std::vector<Line> table(const Folder& f, const std::string& name) {
  const std::string text = f.read(name);
  EXPECT_EQ(text.empty() ? ' ' : text.back(), '\n');
  std::istringstream in(text);
  std::string line;
  std::getline(in, line);
  const std::vector<std::string> headers = cells_of(line);
  std::vector<Line> out;
  while (std::getline(in, line)) {
    const std::vector<std::string> cells = cells_of(line);
    EXPECT_EQ(cells.size(), headers.size()) << line;
    Line& entry = out.emplace_back();
    for (std::size_t k = 0; k < std::min(cells.size(), headers.size()); ++k) entry[headers[k]] = cells[k];
  }
  return out;
}

inline double number(const Line& line, const std::string& header) {
  const auto found = line.find(header);
  EXPECT_NE(found, line.end()) << header;
  return found == line.end() || found->second.empty() ? std::nan("") : std::stod(found->second);
}

inline std::string column(const std::vector<Line>& lines, const std::string& header) {
  std::string text;
  for (const Line& line : lines) text += (text.empty() ? "" : " ") + line.at(header);
  return text;
}

inline Outcome batch(const Folder& f, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "batch");
  return run(f, arguments);
}

/// x = F t²/(2 m), z = −g t²/2, F = 1, m = 2, g = 10, for 1 s.
inline Folder& with_stone(Folder& f, const std::string& more = "") {
  f.write("stone.adm", falling_body(more));
  f.write("stone.acf", "stone\nstone\nSIMULATE/DYNAMIC, END=1, STEPS=10\nSTOP\n");
  return f;
}

/// x = a cos(ωt + φ), ω² = k/m, ERROR 1E-8.
inline const std::string oscillator =
    "mass on a spring\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\n"
    "MARKER/1, PART=1\nPART/2, QG=3,0,0, MASS=1, CM=2, IP=1,1,1\nMARKER/2, PART=2\n"
    "SPRINGDAMPER/1, TRANSLATION, I=2, J=1, K=1, C=0, LENGTH=2\n"
    "INTEGRATOR/HHT, ERROR=1E-8\nEND\n";

/// Falls for 100 s: a few steps with HMAX=50, a hundred million with 1E-6.
inline Folder& with_slow_variants(Folder& f) {
  f.write("stone.adm", falling_body("INTEGRATOR/HHT, HMAX=50\n"));
  f.write("stone.acf", "stone\nstone\nSIMULATE/DYNAMIC, END=100, STEPS=2\n");
  f.write("t.csv", "name,INTEGRATOR.HMAX\na,50\nb,25\nslow,1E-6\nd,50\n");
  return f;
}

inline std::size_t lines_written(const Folder& f, const std::string& name) {
  if (!f.has(name)) return 0;
  const std::string text = f.read(name);
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// The text without a column.
inline std::string without(const std::string& text, const std::string& header) {
  std::istringstream in(text);
  std::string line, out;
  std::size_t at = std::string::npos;
  while (std::getline(in, line)) {
    const std::vector<std::string> cells = cells_of(line);
    for (std::size_t k = 0; k < cells.size(); ++k) {
      if (at == std::string::npos && cells[k] == header) at = k;
      if (k != at) out += cells[k] + "|";
    }
    out += "\n";
  }
  return out;
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace trammel_test
