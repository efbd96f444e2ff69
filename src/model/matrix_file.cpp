#include "model/matrix_file.h"

#include <sstream>

#include "base/text.h"
#include "model/text_records.h"

namespace trammel {

namespace {

/// Width of the fields of a Fortran format, "(5E16.8)" or "(1P,4E20.12)"; 0: free.
std::size_t field_width(std::string_view format) {
  const std::size_t letter = upper(format).find_first_of("EDFG");
  if (letter == std::string_view::npos) return 0;
  std::size_t width = 0;
  for (std::size_t k = letter + 1; k < format.size() && format[k] >= '0' && format[k] <= '9'; ++k)
    width = 10 * width + static_cast<std::size_t>(format[k] - '0');
  return width;
}

void read_values(TextRecords& in, std::size_t width, NamedMatrix& m) {
  const std::size_t count = static_cast<std::size_t>(m.rows) * m.columns;
  std::string line;
  while (m.values.size() < count) {
    if (!in.next(line)) in.wrong("{} ends after {} of {} values", m.name, m.values.size(), count);
    std::vector<std::string> fields;
    if (width > 0) {
      for (std::size_t k = 0; k < line.size(); k += width) fields.push_back(line.substr(k, width));
    } else {
      std::istringstream words(line);
      for (std::string w; words >> w;) fields.push_back(w);
    }
    for (const std::string& field : fields) {
      if (trim(field).empty()) continue;
      const auto value = parse_number(trim(field));
      if (!value) in.wrong("'{}' in {} is no number", trim(field), m.name);
      m.values.push_back(*value);
    }
  }
  if (m.values.size() > count) in.wrong("{} has more than {} values", m.name, count);
}

NamedMatrix read_one(TextRecords& in) {
  NamedMatrix m;
  m.name = in.word("the name of a matrix");
  const std::string form = upper(in.word("FULL"));
  if (form == "SPARSE") fail(ExitCode::unsupported, "SPARSE matrices in files are not supported");
  if (form != "FULL") in.wrong("{}: FULL is expected, found '{}'", m.name, form);
  const std::string order = upper(in.word("RORDER or CORDER"));
  if (order != "RORDER" && order != "CORDER")
    in.wrong("{}: RORDER or CORDER is expected, found '{}'", m.name, order);
  m.by_column = order == "CORDER";
  m.rows = in.integer("the number of rows");
  m.columns = in.integer("the number of columns");
  const int count = in.integer("the number of values");
  if (count != static_cast<long>(m.rows) * m.columns)
    in.wrong("{} of {} x {} cannot have {} values", m.name, m.rows, m.columns, count);
  std::string format;
  while (!in.end_of_line()) format += in.word("a format");
  read_values(in, field_width(format), m);
  return m;
}

}  // namespace

NamedMatrix read_matrix_file(std::string_view file, const std::string& dataset, std::string_view name) {
  const std::string path = beside(dataset, file);
  TextRecords in(path);
  std::string header;
  if (!in.next(header)) in.wrong("the file is empty");
  for (const char* other : {"MATRIXx", "MATSAVE"})
    if (header.starts_with(other))
      fail(ExitCode::unsupported, "the format {} is not supported; ADAMSMAT is", other);
  if (!header.starts_with("ADAMSMAT")) in.wrong("the first record must begin with ADAMSMAT");
  const int count = in.integer("the number of matrices");
  std::string names;
  bool listed = name.empty() && count == 1;
  for (int k = 0; k < count; ++k) {
    const std::string n = in.word("the name of a matrix");
    names += (k > 0 ? ", " : "") + n;
    listed = listed || equal_ignoring_case(n, name);
  }
  if (name.empty() && count > 1) in.wrong("NAME is missing; the file holds {}", names);
  if (!listed) in.wrong("there is no matrix {}; the file holds {}", name, names);
  for (int k = 0; k < count; ++k) {
    NamedMatrix m = read_one(in);
    if (name.empty() || equal_ignoring_case(m.name, name)) return m;
  }
  in.wrong("{} is listed, but does not follow", name);
}

}  // namespace trammel
