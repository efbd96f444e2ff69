// Reader of the results table of `trammel batch`: one record per completed variant.
#include <algorithm>
#include <limits>

#include "base/diagnostics.h"
#include "base/text.h"
#include "output/csv_text.h"
#include "output/number_text.h"
#include "output/read/result_table.h"
#include "output/read/text_input.h"

namespace trammel {

namespace {

class BatchTableReader {
 public:
  explicit BatchTableReader(const std::string& path) : lines_(path) {}

  ResultTable read() {
    table_.of_variants = true;
    table_.channels.units = {"", "", "", "", 1.0};  // the table has no units
    std::string_view line;
    if (!lines_.next(line) || !lines_.complete()) lines_.fail_here("the file ends inside its line of names");
    split(line, headers_);
    const auto status = std::find(headers_.begin(), headers_.end(), "status");
    if (status == headers_.end()) lines_.fail_here("no column is called status: no table of trammel batch");
    status_ = static_cast<std::size_t>(status - headers_.begin());
    std::vector<std::string> cells;
    while (lines_.next(line)) {
      if (!lines_.complete()) {
        table_.notices.push_back(fmt::format("{}: the last line is cut: it is not used", lines_.place()));
        break;
      }
      split(line, cells);
      if (cells.size() != headers_.size())
        lines_.fail_here(fmt::format("{} cells; the line of names has {}", cells.size(), headers_.size()));
      double number = 0;
      if (!parse_value(cells[0], number))
        lines_.fail_here(fmt::format("\"{}\" is no number of a variant", cells[0]));
      ++variants_;
      if (cells[status_] == "done") rows_.push_back(cells);
    }
    make_channels();
    return std::move(table_);
  }

 private:
  void split(std::string_view line, std::vector<std::string>& cells) const {
    if (!split_csv(line, ',', cells))
      lines_.fail_here("a quotation mark without its fellow on the same line");
  }

  /// Whether a column contains numbers only.
  bool is_numeric(std::size_t column) const {
    bool any = false;
    for (const std::vector<std::string>& row : rows_) {
      double value = 0;
      const std::string_view text = trim(row[column]);
      if (!text.empty() && !parse_value(text, value)) return false;
      any = any || !text.empty();
    }
    return any;
  }

  void make_channels() {
    std::vector<std::size_t> columns;
    for (std::size_t c = 0; c < headers_.size(); ++c) {
      if (!is_numeric(c)) continue;
      columns.push_back(c);
      table_.channels.entities.push_back(
          {"COLUMN", static_cast<int>(c + 1), headers_[c], {{"VALUE"}}, 0, 0, 0, ""});
    }
    table_.records.set_width(columns.size());
    std::vector<double> values(columns.size());
    for (const std::vector<std::string>& row : rows_) {
      for (std::size_t k = 0; k < columns.size(); ++k) values[k] = value_of(row[columns[k]]);
      table_.add(value_of(row[0]), StepKind::dynamics, values);
    }
    if (rows_.size() < variants_)
      table_.notices.push_back(fmt::format("{}: {} of {} variants are not done, and are left out",
                                           lines_.path(), variants_ - rows_.size(), variants_));
  }

  static double value_of(const std::string& cell) {
    double value = std::numeric_limits<double>::quiet_NaN();
    parse_value(trim(cell), value);
    return value;
  }

  LineReader lines_;
  ResultTable table_;
  std::vector<std::string> headers_;
  std::vector<std::vector<std::string>> rows_;  ///< rows of completed variants
  std::size_t status_ = 0, variants_ = 0;
};

}  // namespace

ResultTable read_batch_table(const std::string& path) {
  return BatchTableReader(path).read();
}

}  // namespace trammel
