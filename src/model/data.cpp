// Arrays, matrices and splines: numbers that other statements name.
#include <algorithm>

#include "expression/spline_table.h"
#include "flexible/matrix_file.h"
#include "model/compiler.h"
#include "model/spline_file.h"

namespace trammel {

void Compiler::compile_arrays() {
  for (const Statement& s : statements_.all("ARRAY")) {
    ArrayData a;
    a.kind = s.has("X")   ? ArrayKind::states
             : s.has("Y") ? ArrayKind::outputs
             : s.has("U") ? ArrayKind::inputs
                          : ArrayKind::numbers;
    if (const Argument* numbers = s.find("NUMBERS")) a.numbers = numbers->numbers;
    if (const Argument* variables = s.find("VARIABLES"))
      a.variables.assign(variables->numbers.begin(), variables->numbers.end());
    a.size = a.kind == ArrayKind::numbers  ? static_cast<int>(a.numbers.size())
             : a.kind == ArrayKind::inputs ? static_cast<int>(a.variables.size())
                                           : s.integer("SIZE", 0);
    arrays_[s.id] = std::move(a);
  }
}

namespace {

/// The values of a FULL matrix, row by row.
std::vector<double> by_rows(const std::vector<double>& values, int rows, int columns, bool by_column) {
  if (!by_column) return values;
  std::vector<double> out(values.size());
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c)
      out[static_cast<std::size_t>(r) * columns + c] = values[static_cast<std::size_t>(c) * rows + r];
  return out;
}

}  // namespace

void Compiler::compile_matrices() {
  for (const Statement& s : statements_.all("MATRIX")) {
    MatrixData m;
    m.rows = s.integer("ROWS", 0);
    m.columns = s.integer("COLUMNS", 0);
    const Argument* values = s.find("VALUES");
    if (s.has("FILE")) {
      try {
        NamedMatrix file = read_matrix_file(s.text("FILE"), description_.file, s.text("NAME"));
        m = {file.rows, file.columns, by_rows(file.values, file.rows, file.columns, file.by_column)};
      } catch (const Failure& failure) {
        diagnostics_.add({Severity::error, s.find("FILE")->where,
                          fmt::format("{}: FILE: {}", s.label(), failure.what()), failure.code()});
      }
    } else if (s.has("SPARSE") && values && s.has("I") && s.has("J")) {
      const Numbers &i = s.find("I")->numbers, &j = s.find("J")->numbers;
      for (double r : i) m.rows = std::max(m.rows, static_cast<int>(r));
      for (double c : j) m.columns = std::max(m.columns, static_cast<int>(c));
      m.values.resize(static_cast<std::size_t>(m.rows) * m.columns);
      for (std::size_t k = 0; k < values->numbers.size(); ++k)
        m.values[static_cast<std::size_t>(i[k] - 1) * m.columns + static_cast<std::size_t>(j[k] - 1)] =
            values->numbers[k];
    } else if (values) {
      m.values = by_rows(values->numbers, m.rows, m.columns, s.has("CORDER"));
    }
    matrices_[s.id] = std::move(m);
  }
}

namespace {

SplineTable spline_of_values(const Statement& s, const Argument& x) {
  std::vector<double> y, z;
  for (const Argument& a : s.arguments) {
    if (a.field->name != "Y") continue;
    const bool surface = a.numbers.size() == x.numbers.size() + 1;
    if (surface) z.push_back(a.numbers[0]);
    y.insert(y.end(), a.numbers.begin() + (surface ? 1 : 0), a.numbers.end());
  }
  return make_spline_table(s.id, x.numbers, z, y, s.has("LINEAR_EXTRAPOLATE"));
}

SplineTable spline_of_file(const Statement& s, const std::string& dataset) {
  TimeHistory file = read_spline_file(s.text("FILE"), dataset, s.integer("CHANNEL", 0));
  SplineTable table =
      make_spline_table(s.id, std::move(file.x), {}, std::move(file.y), s.has("LINEAR_EXTRAPOLATE"));
  table.history = true;
  table.corners = corners_of(table.x, table.y);
  return table;
}

}  // namespace

void Compiler::compile_splines() {
  for (const Statement& s : statements_.all("SPLINE")) {
    const Argument *x = s.find("X"), *file = s.find("FILE");
    if (!file && (!x || !s.has("Y"))) continue;
    try {
      model_.splines.push_back(file ? spline_of_file(s, description_.file) : spline_of_values(s, *x));
      spline_of_[s.id] = static_cast<int>(model_.splines.size()) - 1;
    } catch (const Failure& failure) {
      diagnostics_.add({Severity::error, file ? file->where : s.where,
                        fmt::format("{}: {}{}", s.label(), file ? "FILE: " : "", failure.what()),
                        failure.code()});
    }
  }
}

}  // namespace trammel
