#include "output/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "base/clock.h"

namespace trammel {
namespace {

double machine_clock() {
  return 1e-9 * static_cast<double>(nanoseconds_now());
}

constexpr double memory_seconds = 20.0;  // time constant of the rate: many steps, but short phases
constexpr int bar_columns = 20;

std::string bar(double part, bool color) {
  const int full = static_cast<int>(std::lround(part * bar_columns));
  const std::string done(static_cast<std::size_t>(full), '='),
      rest(static_cast<std::size_t>(bar_columns - full), ' ');
  return color ? fmt::format("[\x1b[32m{}\x1b[0m{}]", done, rest) : fmt::format("[{}{}]", done, rest);
}

}  // namespace

std::string duration_text(double seconds) {
  if (!(seconds < 100.0 * 86400.0 * 365.0)) return "-";
  const auto whole = static_cast<long long>(std::llround(std::max(0.0, seconds)));
  const long long days = whole / 86400, hours = whole / 3600 % 24, minutes = whole / 60 % 60,
                  rest = whole % 60;
  if (days > 0) return fmt::format("{} d {:02} h", days, hours);
  if (hours > 0) return fmt::format("{}:{:02}:{:02}", hours, minutes, rest);
  if (minutes > 0) return fmt::format("{}:{:02}", minutes, rest);
  return fmt::format("{} s", rest);
}

ProgressOptions progress_options_for(std::FILE* stream) {
  ProgressOptions options;
  const int descriptor = fileno(stream);
  if (descriptor < 0 || isatty(descriptor) == 0) return options;
  options.style = ProgressStyle::terminal;
  // https://no-color.org: any non-empty value disables colour.
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  options.color =
      (no_color == nullptr || *no_color == '\0') && terminal && std::strcmp(terminal, "dumb") != 0;
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) options.columns = size.ws_col;
  return options;
}

TimeLeft::TimeLeft(std::function<double()> clock)
    : clock_(clock ? std::move(clock) : machine_clock), last_clock_(clock_()) {}

/// Rate of model time per wall time; both are averaged with weights e^(-age/T).
void TimeLeft::measure(double start, double t) {
  const double now = clock_();
  if (start != start_ || t < last_t_) {
    start_ = last_t_ = start;
    distance_ = duration_ = 0;
  }
  const double elapsed = now - last_clock_;
  if (!(elapsed > 0.0)) return;
  const double kept = std::exp(-elapsed / memory_seconds);
  distance_ = distance_ * kept + (t - last_t_);
  duration_ = duration_ * kept + elapsed;
  last_clock_ = now;
  last_t_ = t;
}

double TimeLeft::seconds(double end) const {
  if (!(distance_ > 0.0)) return -1.0;
  return std::max(0.0, (end - last_t_) * duration_ / distance_);
}

Progress::Progress(std::FILE* stream, double start, double end, ProgressOptions options)
    : stream_(stream), start_(start), end_(end), options_(std::move(options)), left_(options_.clock) {
  if (!options_.clock) options_.clock = machine_clock;
  left_.measure(start, start);
  begin_clock_ = last_print_ = options_.clock();
}

std::string Progress::line(double t, double step_size, long long steps, int columns) const {
  const double whole = end_ - start_;
  const double part = whole > 0 ? std::clamp((t - start_) / whole, 0.0, 1.0) : 0.0;
  std::string text = fmt::format("{:3.0f} %  t = {:.4g} of {:.4g}  h = {:.2e}  {} steps",
                                 std::floor(100 * part), t, end_, step_size, steps);
  const double left = seconds_left();
  if (t >= end_)
    text += "  in " + duration_text(options_.clock() - begin_clock_);
  else if (left >= 0)
    text += "  " + duration_text(left) + " left";
  const bool room = static_cast<int>(text.size()) + bar_columns + 3 < columns;
  if (static_cast<int>(text.size()) >= columns)
    text.resize(static_cast<std::size_t>(std::max(0, columns - 1)));
  return room && options_.style == ProgressStyle::terminal ? bar(part, options_.color) + " " + text : text;
}

void Progress::draw(double t, double step_size, long long steps) {
  last_print_ = options_.clock();
  left_.measure(start_, t);
  if (options_.style == ProgressStyle::terminal) {
    // to the first column, text, erase the rest of the line
    fmt::print(stream_, "\r{}\x1b[K", line(t, step_size, steps, options_.columns));
    drawn_ = true;
  } else {
    fmt::print(stream_, "{}\n", line(t, step_size, steps, 1000));
  }
  std::fflush(stream_);
}

void Progress::update(double t, double step_size, long long steps) {
  if (options_.style == ProgressStyle::silent) return;
  const double interval =
      options_.style == ProgressStyle::terminal ? options_.redraw_seconds : options_.line_seconds;
  if (options_.clock() - last_print_ >= interval) draw(t, step_size, steps);
}

void Progress::clear() {
  if (!drawn_) return;
  fmt::print(stream_, "\r\x1b[K");
  std::fflush(stream_);
  drawn_ = false;
}

void Progress::finish(double t, double step_size, long long steps) {
  if (options_.style == ProgressStyle::silent) return;
  draw(t, step_size, steps);
  if (options_.style != ProgressStyle::terminal) return;
  fmt::print(stream_, "\n");
  std::fflush(stream_);
  drawn_ = false;
}

}  // namespace trammel
