// The progress of a run on standard output: a line that is rewritten on a terminal, a line now and
// then otherwise. Nothing goes to standard error.
#pragma once

#include <cstdio>
#include <functional>
#include <string>

namespace trammel {

enum class ProgressStyle { silent, lines, terminal };

struct ProgressOptions {
  ProgressStyle style = ProgressStyle::lines;
  bool color = false;
  int columns = 80;               ///< width of the terminal
  double line_seconds = 30.0;     ///< between lines
  double redraw_seconds = 0.1;    ///< between redraws on a terminal
  std::function<double()> clock;  ///< s, monotonic; empty: the machine's
};

/// terminal where `stream` is one, else lines; colour unless NO_COLOR is set or TERM is "dumb".
ProgressOptions progress_options_for(std::FILE* stream);

class Progress {
 public:
  /// start and end: model time.
  Progress(std::FILE* stream, double start, double end, ProgressOptions options);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Cheap: looks at the clock, prints only when it is time to.
  void update(double t, double step_size, long long steps);
  /// Removes the line from the terminal, e.g. before other text is printed.
  void clear();
  /// The last state, whatever the clock says, and an end of line.
  void finish(double t, double step_size, long long steps);

  /// Seconds left by the progress of late: model time per second, averaged over about 20 s. Negative
  /// before anything can be said.
  double seconds_left() const;

 private:
  void measure(double t);
  std::string line(double t, double step_size, long long steps, int columns) const;
  void draw(double t, double step_size, long long steps);

  std::FILE* stream_;
  double start_, end_;
  ProgressOptions options_;
  double begin_clock_, last_clock_, last_print_;
  double last_t_;
  double distance_ = 0, duration_ = 0;  ///< model time and seconds of late, their quotient is the rate
  bool drawn_ = false;                  ///< a line stands on the terminal
};

/// "7 s", "3:07", "2:03:07", "4 d 02 h": a time left.
std::string duration_text(double seconds);

}  // namespace trammel
