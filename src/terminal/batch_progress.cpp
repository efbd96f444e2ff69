#include "terminal/batch_progress.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace trammel {

BatchProgress::BatchProgress(std::FILE* stream, std::size_t variants, std::size_t kept,
                             ProgressOptions options)
    : stream_(stream), variants_(variants), kept_(kept), options_(std::move(options)) {}

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
  const double anew = through - static_cast<double>(kept_);
  if (anew > 0)
    text += fmt::format("  {:.3g} variants per second  {} left", anew / now,
                        duration_text(now / anew * (all - through)));
  if (terminal && static_cast<int>(text.size()) >= options_.columns)
    text.resize(static_cast<std::size_t>(std::max(0, options_.columns - 1)));
  // To the first column, then the text; then erases the rest of the line.
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
