#include "session/batch_table.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/diagnostics.h"
#include "base/text.h"
#include "output/csv_text.h"
#include "output/number_text.h"
#include "output/read/text_input.h"

namespace trammel {

namespace {

constexpr const char* status_names[] = {"done", "failed", "interrupted"};

std::string first_line(const std::string& text) {
  return as_utf8(text.substr(0, text.find_first_of("\r\n")));
}

/// The line of headers, without its line end.
std::string head_of(const VariantTable& variants, const std::vector<Watched>& watched) {
  std::string text = "number,name";
  for (const std::string& note : variants.notes) text += "," + csv_field(as_utf8(note));
  for (const VariedArgument& argument : variants.arguments) text += "," + argument.name;
  text += ",status,exit_code,end_time,steps,rejected_steps,jacobians,iterations,backend,wall_seconds";
  for (const Watched& w : watched) text += "," + csv_field(w.header);
  return text + ",message";
}

/// The cells from the table of variants, which stand before the status.
std::string line_begin(const VariantTable& variants, std::size_t k) {
  const Variant& v = variants.variants[k];
  std::string text = fmt::format("{},{}", k + 1, v.name);
  for (const std::string& note : v.notes) text += "," + csv_field(as_utf8(note));
  for (const std::string& value : v.values) text += "," + csv_field(as_utf8(value));
  return text;
}

}  // namespace

KeptLines read_kept(const std::string& path, const VariantTable& variants,
                    const std::vector<Watched>& watched,
                    const std::function<bool(const Variant&)>& complete) {
  KeptLines kept;
  kept.lines.resize(variants.variants.size());
  const std::string head = head_of(variants, watched);
  std::vector<std::string> headers, cells;
  split_csv(head, ',', headers);
  const std::size_t status =
      static_cast<std::size_t>(std::find(headers.begin(), headers.end(), "status") - headers.begin());
  LineReader reader(path);
  std::string_view line;
  bool behind_one_another = true;
  for (std::size_t number = 0; reader.next(line); ++number) {
    if (!reader.complete()) {
      kept.notices.push_back(fmt::format("{}: the last line is cut, and is removed", reader.place()));
      break;
    }
    const bool is_head = number == 0;
    const std::size_t k = number - 1;
    const std::string wanted = is_head ? head : k < kept.lines.size() ? line_begin(variants, k) : "";
    const bool fits = is_head ? line == head : !wanted.empty() && line.starts_with(wanted + ",");
    if (!fits || !split_csv(line, ',', cells) || cells.size() != headers.size())
      fail(ExitCode::usage,
           "{}: this line is not of these {}; --resume goes on only with the table of the same variants and "
           "--channels: choose another -o, or leave --resume out to begin anew",
           reader.place(), is_head ? "columns" : "variants");
    if (is_head) {
      kept.bytes = reader.bytes_read();
      continue;
    }
    const bool done = cells[status] == status_names[0];
    const bool failed = cells[status] == status_names[1] && cells[status + 1] != "7";
    const bool keep = (done || failed) && complete(variants.variants[k]);
    behind_one_another = behind_one_another && keep;
    if (!keep) continue;
    kept.lines[k] = std::string(line) + "\n";
    if (behind_one_another) kept.bytes = reader.bytes_read();
    if (failed && kept.failed == 0) {
      kept.first_failed = k;
      kept.first_failure = fmt::format("exit code {}: {}", cells[status + 1], cells.back());
    }
    ++(done ? kept.done : kept.failed);
  }
  return kept;
}

void BatchTable::open(const std::string& path, const VariantTable& variants,
                      const std::vector<Watched>& watched, const KeptLines& kept) {
  variants_ = &variants;
  watched_ = watched.size();
  lines_ = kept.lines;
  lines_.resize(variants.variants.size());
  file_.open(path, std::size_t{1} << 20, kept.bytes);
  if (kept.bytes == 0) file_.write(head_of(variants, watched) + "\n");
  if (kept.bytes > 0)  // these lines are in the file already
    while (next_ < lines_.size() && !lines_[next_].empty()) ++next_;
  file_.flush();
}

void BatchTable::add(std::size_t variant, const VariantResult& r) {
  std::string text = line_begin(*variants_, variant);
  text += fmt::format(",{},{}", status_names[static_cast<int>(r.status)], r.exit_code);
  if (r.begun) {
    const StepCounters& c = r.counters;
    text += ',';
    append_shortest(text, r.end);
    text += fmt::format(",{},{},{},{},{},{:.4g}", c.steps, c.rejected_error + c.rejected_corrector,
                        c.jacobians, c.iterations, r.where, r.seconds);
  } else {
    text += ",,,,,,,";
  }
  for (std::size_t k = 0; k < watched_; ++k) {
    text += ',';
    if (!r.values.empty()) append_shortest(text, r.values[k]);
  }
  lines_[variant] = text + "," + csv_field(first_line(r.message)) + "\n";
  write_due();
}

void BatchTable::write_due() {
  const std::size_t before = next_;
  for (; next_ < lines_.size() && !lines_[next_].empty(); ++next_) {
    file_.write(lines_[next_]);
    lines_[next_] = " ";  // the line has been written
    lines_[next_].shrink_to_fit();
  }
  if (next_ > before) file_.flush();
}

}  // namespace trammel
