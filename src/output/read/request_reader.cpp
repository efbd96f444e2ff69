// Reader of .req files, format A.R3.
#include <algorithm>
#include <array>
#include <numbers>
#include <set>

#include "base/diagnostics.h"
#include "base/text.h"
#include "output/number_text.h"
#include "output/read/result_table.h"
#include "output/read/text_input.h"
#include "output/unit_names.h"

namespace trammel {
namespace {

struct RequestForm {
  std::array<const char*, 6> names;
  Quantity translational, rotational;
};

// Types 1 to 5; magnitudes (components 1 and 5) are not in the file.
constexpr RequestForm forms[] = {
    {{"X", "Y", "Z", "PSI", "THETA", "PHI"}, Quantity::length, Quantity::angle},
    {{"VX", "VY", "VZ", "WX", "WY", "WZ"}, Quantity::velocity, Quantity::angular_velocity},
    {{"ACCX", "ACCY", "ACCZ", "WDTX", "WDTY", "WDTZ"},
     Quantity::acceleration,
     Quantity::angular_acceleration},
    {{"FX", "FY", "FZ", "TX", "TY", "TZ"}, Quantity::force, Quantity::torque},
    {{"F2", "F3", "F4", "F6", "F7", "F8"}, Quantity::none, Quantity::none},
};
constexpr int slots[6] = {2, 3, 4, 6, 7, 8};
constexpr std::size_t full_line = 1 + 6 * 13;

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> out;
  for (std::size_t at = line.find_first_not_of(" \t"); at < line.size();) {
    const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
    out.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(" \t", end);
  }
  return out;
}

class RequestReader {
 public:
  explicit RequestReader(const std::string& path) : lines_(path) {}

  ResultTable read() {
    read_head();
    table_.records.set_width(6 * table_.channels.entities.size());
    std::string_view line;
    while (next(line, 14)) {
      const auto words = words_of(line);
      if (words.empty()) {  // blank lines at the end
        good_bytes_ = lines_.bytes_read();
        continue;
      }
      double time = 0;
      if (words.size() != 1 || !parse_value(words[0], time))
        lines_.fail_here("a line with one number, the time, is expected here");
      if (!read_record()) break;
      table_.add(time, StepKind::dynamics, row_);
      good_bytes_ = lines_.bytes_read();
    }
    if (cut_) table_.note_cut(lines_.place(), lines_.bytes_read(), "record");
    return std::move(table_);
  }

 private:
  /// Reads the next line; false at the end of the file and for a truncated last line, which has no line end
  /// and fewer than `full` columns.
  bool next(std::string_view& line, std::size_t full) {
    if (lines_.next(line) && (lines_.complete() || line.size() >= full)) return true;
    cut_ = cut_ || lines_.bytes_read() > good_bytes_;
    return false;
  }

  void head_line(std::string_view& line) {
    if (!next(line, ~std::size_t{0}))
      lines_.fail_here(
          fmt::format("the file ends (byte {}) before its requests are named: no results can be read from it",
                      lines_.bytes_read()));
  }

  void read_head() {
    std::string_view line;
    head_line(line);
    if (!trim(line).starts_with("A.R3")) lines_.fail_here("not a request file: it does not begin with A.R3");
    table_.info.local_time =
        std::string(trim(line.substr(std::min<std::size_t>(9, line.size())).substr(0, 19)));
    head_line(line);
    table_.info.title = std::string(trim(line));
    head_line(line);
    const auto words = words_of(line);
    const auto count = words.empty() ? std::nullopt : parse_integer(words[0]);
    if (!count || *count < 0)
      lines_.fail_here("the number of requests is expected at the start of this line");
    if (line.size() >= 22) table_.channels.units = units_of_code(line.substr(10, 12));
    if (double scale = 0; line.size() > 22 && parse_value(trim(line.substr(22)), scale) && scale > 0)
      table_.channels.units.length_per_meter = scale;
    for (int k = 0; k < *count; ++k) read_request();
    factors_.resize(6 * table_.channels.entities.size(), 1.0);
    row_.resize(factors_.size());
    good_bytes_ = lines_.bytes_read();
  }

  void read_request() {
    std::string_view line;
    head_line(line);
    const auto words = words_of(line);
    int numbers[5] = {};
    for (std::size_t k = 0; k < 5; ++k) {
      const auto number = words.size() == 5 ? parse_integer(words[k]) : std::nullopt;
      if (!number)
        lines_.fail_here("five whole numbers (request, type, I, J, length of the comment) are expected here");
      numbers[k] = *number;
    }
    if (numbers[1] < 1 || numbers[1] > 5)
      lines_.fail_here(fmt::format("a request of type {}; 1 to 5 exist", numbers[1]));
    const RequestForm& form = forms[numbers[1] - 1];
    Entity e{"REQUEST", numbers[0], "", {}, numbers[1], numbers[2], numbers[3], ""};
    if (!ids_.insert(e.id).second) lines_.fail_here(fmt::format("{} stands twice in the file", e.name()));
    for (std::size_t k = 0; k < 6; ++k)
      e.components.push_back({form.names[k], k < 3 ? form.translational : form.rotational, slots[k]});
    // angles of displacement requests are in degrees
    factors_.insert(factors_.end(), 3, 1.0);
    factors_.insert(factors_.end(), 3, numbers[1] == 1 ? std::numbers::pi / 180.0 : 1.0);
    head_line(line);
    e.comment = std::string(trim(line));
    table_.channels.entities.push_back(std::move(e));
  }

  bool read_record() {
    std::string_view line;
    for (std::size_t k = 0; k < row_.size(); k += 6) {
      if (!next(line, full_line)) return false;
      const auto words = words_of(line);
      if (words.size() != 6) lines_.fail_here(fmt::format("{} numbers where 6 are expected", words.size()));
      for (std::size_t c = 0; c < 6; ++c) {
        if (!parse_value(words[c], row_[k + c]))
          lines_.fail_here(fmt::format("\"{}\" is no number", words[c]));
        row_[k + c] *= factors_[k + c];
      }
    }
    return true;
  }

  LineReader lines_;
  ResultTable table_;
  std::vector<double> factors_, row_;
  std::set<int> ids_;
  std::uint64_t good_bytes_ = 0;  ///< end of the last complete record
  bool cut_ = false;
};

}  // namespace

ResultTable read_request_file(const std::string& path) {
  return RequestReader(path).read();
}

}  // namespace trammel
