#include "app/batch_table.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "output/number_text.h"

namespace trammel {

namespace {

constexpr const char* status_names[] = {"done", "failed", "interrupted"};

std::string first_line(const std::string& text) {
  return as_utf8(text.substr(0, text.find_first_of("\r\n")));
}

}  // namespace

void BatchTable::open(const std::string& path, const VariantTable& variants,
                      const std::vector<Watched>& watched) {
  variants_ = &variants;
  watched_ = watched.size();
  lines_.resize(variants.variants.size());
  file_.open(path);
  std::string text = "number,name";
  for (const VariedArgument& argument : variants.arguments) text += "," + argument.name;
  text += ",status,exit_code,end_time,steps,rejected_steps,jacobians,iterations,backend,wall_seconds";
  for (const Watched& w : watched) text += "," + csv_field(w.header);
  file_.write(text + ",message\n");
  file_.flush();
}

void BatchTable::add(std::size_t variant, const VariantResult& r) {
  const Variant& v = variants_->variants[variant];
  std::string text = fmt::format("{},{}", variant + 1, v.name);
  for (const std::string& value : v.values) text += "," + csv_field(as_utf8(value));
  text += fmt::format(",{},{}", status_names[static_cast<int>(r.status)], r.exit_code);
  if (r.begun) {
    const HhtCounters& c = r.counters;
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
  const std::size_t before = next_;
  for (; next_ < lines_.size() && !lines_[next_].empty(); ++next_) {
    file_.write(lines_[next_]);
    lines_[next_] = " ";  // written
    lines_[next_].shrink_to_fit();
  }
  if (next_ > before) file_.flush();
}

BatchProgress::BatchProgress(std::FILE* stream, std::size_t variants, ProgressOptions options)
    : stream_(stream), variants_(variants), options_(std::move(options)) {}

void BatchProgress::update(std::size_t done, std::size_t failed, double under_way) {
  const double now = elapsed();
  const bool terminal = options_.style == ProgressStyle::terminal;
  if (options_.style == ProgressStyle::silent) return;
  if (now - last_ < (terminal ? options_.redraw_seconds : options_.line_seconds)) return;
  last_ = now;
  const std::size_t ended = done + failed, left = variants_ - ended;
  const double all = static_cast<double>(variants_), through = static_cast<double>(ended) + under_way;
  std::string text = fmt::format("{:3.0f} %  {} done, {} failed, {} left", std::floor(100 * through / all),
                                 done, failed, left);
  if (through > 0)
    text += fmt::format("  {:.3g} variants per second  {} left", through / now,
                        duration_text(now / through * (all - through)));
  if (terminal && static_cast<int>(text.size()) >= options_.columns)
    text.resize(static_cast<std::size_t>(std::max(0, options_.columns - 1)));
  // Back to the first column, the text, and the rest of the line erased.
  text = terminal ? "\r" + text + "\x1b[K" : text + "\n";
  std::fwrite(text.data(), 1, text.size(), stream_);
  std::fflush(stream_);
  drawn_ = terminal;
}

void BatchProgress::clear() {
  if (!drawn_) return;
  std::fputs("\r\x1b[K", stream_);
  std::fflush(stream_);
  drawn_ = false;
}

}  // namespace trammel
