#include "output/write/csv_file.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "base/diagnostics.h"
#include "base/text.h"
#include "output/channel_names.h"
#include "output/csv_text.h"
#include "output/number_text.h"
#include "output/read/result_table.h"
#include "output/read/text_input.h"
#include "output/unit_names.h"
#include "output/write/request_file.h"

namespace trammel {
namespace {

std::string header_name(const std::string& name, const std::string& unit) {
  return csv_field(as_utf8(unit.empty() ? name : name + " [" + unit + "]"));
}

}  // namespace

void CsvFile::open(const std::string& path, const Channels& channels, const FilePosition* position) {
  std::string text = header_name("TIME", time_unit(channels.units));
  for (const ChannelRef& ref : list_channels(channels)) {
    const Entity& owner = channels.entities[static_cast<std::size_t>(ref.entity)];
    // Columns of a plain table keep their header.
    text += "," + header_name(owner.type == "COLUMN" ? owner.view_name : ref.name, ref.unit);
  }
  file_.begin(path, text + "\n", position);
}

void CsvFile::record(double time, std::span<const double> values) {
  char* at = put_shortest(text_.begin(values.size() + 1), time);
  for (const double value : values) {
    *at++ = ',';
    at = put_shortest(at, value);
  }
  *at++ = '\n';
  file_.write(text_.until(at));
}

// ---- reading

namespace {

/// The name and unit of "PART/2.X [mm]" or "PART/2.X (mm)".
std::pair<std::string, std::string> name_and_unit(std::string_view text) {
  text = trim(text);
  const char last = text.empty() ? ' ' : text.back();
  const std::size_t at = last == ']'   ? text.rfind('[')
                         : last == ')' ? text.rfind('(')
                                       : std::string_view::npos;
  if (at == std::string_view::npos || at == 0) return {std::string(text), ""};
  return {std::string(trim(text.substr(0, at))),
          std::string(trim(text.substr(at + 1, text.size() - at - 2)))};
}

/// The three parts of "PART/2.X".
struct Address {
  std::string type, component;
  int id = 0;
};

std::optional<Address> address_of(const std::string& name) {
  const std::size_t slash = name.find('/'), dot = name.find('.', slash);
  if (slash == std::string::npos || slash == 0 || dot == std::string::npos || dot + 1 == name.size())
    return std::nullopt;
  const auto id = parse_integer(std::string_view(name).substr(slash + 1, dot - slash - 1));
  for (std::size_t k = 0; k < slash; ++k)
    if (!std::isalpha(static_cast<unsigned char>(name[k])) && name[k] != '_') return std::nullopt;
  if (!id || *id < 0) return std::nullopt;
  return Address{upper(name.substr(0, slash)), name.substr(dot + 1), *id};
}

class CsvReader {
 public:
  explicit CsvReader(const std::string& path) : lines_(path) {}

  ResultTable read() {
    read_head();
    std::string_view line;
    bool whole = true;
    while (whole && lines_.next(line)) {
      whole = lines_.complete();
      if (!whole) break;
      if (!trim(line).empty()) read_line(line);
    }
    if (!whole)
      table_.notices.push_back(
          fmt::format("{}: the last line has no line end, so it may be cut (byte {}): it is not used",
                      lines_.place(), lines_.bytes_read()));
    return std::move(table_);
  }

 private:
  void split_line(std::string_view line) {
    if (!split_csv(line, separator_, fields_))
      lines_.fail_here("a quotation mark without its fellow on the same line");
  }

  void read_head() {
    std::string_view line;
    do {
      if (!lines_.next(line)) lines_.fail_here("no line of names: the file is empty");
      if (lines_.line() == 1 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
    } while (trim(line).empty());
    if (!lines_.complete())
      lines_.fail_here("the file ends inside its line of names: no results can be read from it");
    separator_ = csv_separator(line);
    split_line(line);
    const auto [time, time_unit_text] = name_and_unit(fields_[0]);
    if (!has_prefix_ignoring_case(time, "time") && !equal_ignoring_case(time, "t"))
      lines_.fail_here(
          fmt::format("the first column is \"{}\"; it must be the time, with TIME as its name", time));
    units_ = {time_unit_text};
    for (std::size_t k = 1; k < fields_.size(); ++k) add_column(fields_[k], k);
    set_units();
  }

  void add_column(const std::string& text, std::size_t number) {
    const auto [name, unit] = name_and_unit(text);
    if (name.empty()) lines_.fail_here(fmt::format("column {} has no name", number + 1));
    if (!names_.insert(upper(name)).second)
      lines_.fail_here(fmt::format("the name \"{}\" stands twice", name));
    units_.push_back(unit);
    auto& entities = table_.channels.entities;
    const auto address = address_of(name);
    if (!address) {
      Entity e{"COLUMN", static_cast<int>(number), name, {{"VALUE"}}, 0, 0, 0, ""};
      entities.push_back(std::move(e));
      entity_of_column_.push_back(entities.size() - 1);
      owners_.try_emplace({"COLUMN", static_cast<int>(number)}, entities.size() - 1);
      return;
    }
    const auto [owner, is_new] = owners_.try_emplace({address->type, address->id}, entities.size());
    if (is_new) entities.push_back({address->type, address->id, "", {}, 0, 0, 0, ""});
    entities[owner->second].components.push_back({address->component});
    entity_of_column_.push_back(owner->second);
  }

  /// Sets quantities from units, and each column's index in a record (an entity's are consecutive).
  void set_units() {
    table_.channels.units = units_in(units_);
    std::vector<std::size_t> next(table_.channels.entities.size(), 0);
    for (std::size_t e = 0; e + 1 < next.size(); ++e)
      next[e + 1] = next[e] + table_.channels.entities[e].components.size();
    std::vector<std::string> units(entity_of_column_.size());
    for (std::size_t k = 0; k < entity_of_column_.size(); ++k) {
      place_.push_back(next[entity_of_column_[k]]++);
      units[place_[k]] = units_[k + 1];
    }
    factors_ = table_.set_quantities(units, lines_.path(), units_[0]);
    for (Entity& e : table_.channels.entities)
      if (e.type == "REQUEST") set_request_type(e);  // the file does not say it
    row_.resize(place_.size());
    table_.records.set_width(place_.size());
  }

  double value_of(std::string& field, std::size_t column) {
    if (separator_ != ',') std::replace(field.begin(), field.end(), ',', '.');  // decimal comma
    const std::string_view text = trim(field);
    double value = 0;
    if (text.empty()) return std::numeric_limits<double>::quiet_NaN();
    if (!parse_value(text, value))
      lines_.fail_here(fmt::format("column {}: \"{}\" is no number", column + 1, text));
    return value;
  }

  void read_line(std::string_view line) {
    split_line(line);
    if (fields_.size() != place_.size() + 1)
      lines_.fail_here(fmt::format("{} values; the line of names has {}", fields_.size(), place_.size() + 1));
    if (trim(fields_[0]).empty()) lines_.fail_here("a line without time");
    const double time = value_of(fields_[0], 0);
    for (std::size_t k = 0; k < place_.size(); ++k)
      row_[place_[k]] = value_of(fields_[k + 1], k + 1) * factors_[place_[k]];
    table_.add(time, StepKind::dynamics, row_);
  }

  LineReader lines_;
  ResultTable table_;
  char separator_ = ',';
  std::vector<std::string> fields_, units_;  ///< of the present line; of all columns, the time first
  std::set<std::string> names_;
  std::map<std::pair<std::string, int>, std::size_t> owners_;  ///< entity of each type and id
  std::vector<std::size_t> entity_of_column_, place_;          ///< per column, without the time
  std::vector<double> factors_, row_;                          ///< per index in a record
};

}  // namespace

ResultTable read_csv(const std::string& path) {
  return CsvReader(path).read();
}

}  // namespace trammel
