#include "table.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

namespace trammel {

namespace {

std::string line_of(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& c : cells) line += " " + c + " |";
  return line + "\n";
}

void write_into_document(const std::string& path, const std::string& name, const std::string& table) {
  std::ifstream in(path);
  std::stringstream buffer;
  buffer << in.rdbuf();
  std::string text = buffer.str();
  const std::string begin = "<!-- table: " + name + " -->\n", end = "<!-- end -->";
  const std::size_t at = text.find(begin);
  const std::size_t stop = at == std::string::npos ? at : text.find(end, at);
  if (stop == std::string::npos) {
    fmt::print(stderr, "{} has no place for the table {}\n", path, name);
    return;
  }
  text.replace(at + begin.size(), stop - at - begin.size(), table);
  std::ofstream(path) << text;
}

}  // namespace

Table::Table(std::string name, std::vector<std::string> header) : name_(std::move(name)) {
  text_ = line_of(header);
  text_ += line_of(std::vector<std::string>(header.size(), "---"));
}

void Table::row(const std::vector<std::string>& cells) {
  text_ += line_of(cells);
}

Table::~Table() {
  fmt::print("{}\n{}\n", name_, text_);
  if (const char* path = std::getenv("TRAMMEL_VALIDATION_DOCUMENT")) write_into_document(path, name_, text_);
}

std::string small(double x) {
  return fmt::format("{:.1e}", x);
}
std::string two_digits(double x) {
  return fmt::format("{:.2f}", x);
}

double slope(const std::vector<double>& x, const std::vector<double>& y) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const double n = static_cast<double>(x.size());
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double u = std::log(x[k]), v = std::log(y[k]);
    sx += u;
    sy += v;
    sxx += u * u;
    sxy += u * v;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0.0 : values[values.size() / 2];
}

}  // namespace trammel
