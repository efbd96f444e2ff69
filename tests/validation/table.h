// Measured tables: printed, and written into docs/validation.md when asked to.
#pragma once

#include <string>
#include <vector>

namespace trammel {

/// A Markdown table. The destructor prints it; where the environment variable
/// TRAMMEL_VALIDATION_DOCUMENT names a file that has the lines
///   <!-- table: name -->
///   <!-- end -->
/// what stands between them is replaced by the table.
class Table {
 public:
  Table(std::string name, std::vector<std::string> header);
  ~Table();
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;
  void row(const std::vector<std::string>& cells);

 private:
  std::string name_, text_;
};

/// "1.23e-05"
std::string small(double x);
/// "1.98"
std::string two_digits(double x);

/// Least-squares slope of log y against log x.
double slope(const std::vector<double>& x, const std::vector<double>& y);
double median(std::vector<double> values);

}  // namespace trammel
