#include "flexible/matrix_file.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "base/decimal.h"
#include "base/text.h"
#include "base/text_records.h"

namespace trammel {

namespace {

/// Widths of the fields of one record by a Fortran format: "(1I8, 3E22.14)" or "(1P,4E20.12)"; none: free.
std::vector<std::size_t> field_widths(std::string_view format) {
  constexpr std::size_t most = 1000;
  const auto number = [&](std::size_t& k) {
    std::size_t n = 0;
    for (; k < format.size() && format[k] >= '0' && format[k] <= '9'; ++k)
      n = std::min(most, 10 * n + static_cast<std::size_t>(format[k] - '0'));
    return n;
  };
  std::vector<std::size_t> out;
  for (std::size_t k = 0; k < format.size();) {
    const std::size_t repeat = number(k);
    if (k >= format.size()) break;
    const char letter = upper(format.substr(k++, 1))[0];
    if (std::string_view("IEDFG").find(letter) == std::string_view::npos) continue;
    const std::size_t width = number(k);
    if (k < format.size() && format[k] == '.') number(++k);
    if (width > 0 && out.size() < most) out.insert(out.end(), std::max<std::size_t>(repeat, 1), width);
  }
  return out;
}

/// The fields of the next record, without blank ones at its end.
std::vector<std::string> fields_of(const std::string& line, const std::vector<std::size_t>& widths) {
  std::vector<std::string> fields;
  if (widths.empty()) {
    std::istringstream words(line);
    for (std::string w; words >> w;) fields.push_back(w);
    return fields;
  }
  std::size_t at = 0;
  for (std::size_t k = 0; at < line.size(); at += widths[k++ % widths.size()]) {
    const std::string field(trim(std::string_view(line).substr(at, widths[k % widths.size()])));
    if (!field.empty()) fields.push_back(field);
  }
  return fields;
}

std::vector<double> read_numbers(TextRecords& in, const std::string& format, std::size_t count,
                                 const std::string& name) {
  const std::vector<std::size_t> widths = field_widths(format);
  std::vector<double> values;
  std::string line;
  while (values.size() < count) {
    if (!in.next(line)) in.wrong("{} ends after {} of {} values", name, values.size(), count);
    for (const std::string& field : fields_of(line, widths)) {
      double value = 0;
      if (!parse_value(field, value) || !std::isfinite(value))
        in.wrong("'{}' in {} is no number", field, name);
      values.push_back(value);
    }
  }
  if (values.size() > count) in.wrong("{} has more than {} values", name, count);
  return values;
}

/// Enters the numbers of a SPARSE matrix: a row, a column and a value each.
void place_triplets(TextRecords& in, const std::vector<double>& triplets, NamedMatrix& m) {
  m.values.resize(static_cast<std::size_t>(m.rows) * m.columns);
  std::vector<bool> given(m.values.size());
  for (std::size_t k = 0; k + 2 < triplets.size(); k += 3) {
    const double r = triplets[k], c = triplets[k + 1];
    if (!(r >= 1 && r <= m.rows && c >= 1 && c <= m.columns) || r != static_cast<int>(r) ||
        c != static_cast<int>(c))
      in.wrong("{} of {} x {} has no entry ({}, {})", m.name, m.rows, m.columns, r, c);
    const std::size_t at = static_cast<std::size_t>(r - 1) * m.columns + static_cast<std::size_t>(c - 1);
    if (given[at]) in.wrong("{}: entry ({}, {}) is given twice", m.name, r, c);
    given[at] = true;
    m.values[at] = triplets[k + 2];
  }
}

NamedMatrix read_one(TextRecords& in) {
  constexpr long most = 1L << 28;  // values: 2 GiB
  NamedMatrix m;
  m.name = in.word("the name of a matrix");
  m.line = in.line();
  const std::string form = upper(in.word("FULL or SPARSE"));
  const bool sparse = form == "SPARSE";
  if (!sparse && form != "FULL") in.wrong("{}: FULL or SPARSE is expected, found '{}'", m.name, form);
  const std::string order = upper(in.word("RORDER or CORDER"));
  const bool ordered = order == "RORDER" || order == "CORDER";
  if (!ordered && !sparse) in.wrong("{}: RORDER or CORDER is expected, found '{}'", m.name, order);
  m.by_column = order == "CORDER" && !sparse;
  m.rows = ordered ? in.integer("the number of rows") : parse_integer(order).value_or(0);
  if (m.rows < 1) in.wrong("{}: the number of rows is expected, found '{}'", m.name, order);
  m.columns = in.integer("the number of columns");
  const int count = in.integer("the number of values");
  const long all = static_cast<long>(m.rows) * m.columns;
  if (all > most) in.wrong("{} of {} x {} is too large", m.name, m.rows, m.columns);
  if (sparse ? count > all : count != all)
    in.wrong("{} of {} x {} cannot have {} values", m.name, m.rows, m.columns, count);
  std::string format;
  while (!in.end_of_line()) format += in.word("a format");
  std::vector<double> numbers =
      read_numbers(in, format, (sparse ? 3u : 1u) * static_cast<std::size_t>(count), m.name);
  if (sparse)
    place_triplets(in, numbers, m);
  else
    m.values = std::move(numbers);
  return m;
}

}  // namespace

const NamedMatrix* MatrixSet::find(std::initializer_list<std::string_view> names) const {
  for (const std::string_view name : names)
    for (const NamedMatrix& m : matrices)
      if (equal_ignoring_case(m.name, name)) return &m;
  return nullptr;
}

MatrixSet read_matrices(const std::string& path) {
  TextRecords in(path);
  std::string header;
  if (!in.next(header)) in.wrong("the file is empty");
  for (const char* other : {"MATRIXx", "MATSAVE"})
    if (header.starts_with(other))
      fail(ExitCode::unsupported, "the format {} is not supported; ADAMSMAT is", other);
  if (!header.starts_with("ADAMSMAT")) in.wrong("the first record must begin with ADAMSMAT");
  MatrixSet file;
  std::istringstream words(header);
  std::string word;
  for (words >> word; words >> word;) file.header.push_back(word);
  const int count = in.integer("the number of matrices");
  std::vector<std::string> names;
  for (int k = 0; k < count; ++k) names.push_back(in.word("the name of a matrix"));
  for (int k = 0; k < count; ++k) file.matrices.push_back(read_one(in));
  for (const std::string& name : names)
    if (!file.find({name})) in.wrong("{} is listed, but does not follow", name);
  return file;
}

NamedMatrix read_matrix_file(std::string_view file, const std::string& dataset, std::string_view name) {
  const std::string path = beside(dataset, file);
  MatrixSet all = read_matrices(path);
  std::string names;
  for (const NamedMatrix& m : all.matrices) names += (names.empty() ? "" : ", ") + m.name;
  if (name.empty() && all.matrices.size() > 1)
    fail(ExitCode::input, "{}: NAME is missing; the file holds {}", path, names);
  for (NamedMatrix& m : all.matrices)
    if (name.empty() || equal_ignoring_case(m.name, name)) return std::move(m);
  fail(ExitCode::input, "{}: there is no matrix {}; the file holds {}", path, name, names);
}

}  // namespace trammel
