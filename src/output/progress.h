// The progress of a run on standard output: on a terminal one line that is rewritten, else a line at
// intervals. Nothing goes to standard error.
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
  std::function<double()> clock;  ///< monotonic clock, s; empty: the machine's
};

/// For a terminal if `stream` is one, else lines; colour unless NO_COLOR is set or TERM is "dumb".
ProgressOptions progress_options_for(std::FILE* stream);

/// The time that is left of a simulation, from the rate of model time averaged over about 20 s.
class TimeLeft {
 public:
  /// `clock`: monotonic, s; empty: the machine's.
  explicit TimeLeft(std::function<double()> clock = {});
  /// The simulation that began at `start` is at t; another start begins anew.
  void measure(double start, double t);
  /// Until `end`, s. Negative when unknown.
  double seconds(double end) const;

 private:
  std::function<double()> clock_;
  double start_ = 0, last_t_ = 0, last_clock_;
  double distance_ = 0, duration_ = 0;  ///< averaged model time and seconds; the quotient is the rate
};

class Progress {
 public:
  /// start and end: model time.
  Progress(std::FILE* stream, double start, double end, ProgressOptions options);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Prints if enough time has passed since the last output; cheap otherwise.
  void update(double t, double step_size, long long steps);
  /// Erases the line on the terminal, e.g. before other text is printed.
  void clear();
  /// Prints the last state, whatever the time, and ends the line.
  void finish(double t, double step_size, long long steps);

  /// Estimated time left, s, from the rate of model time averaged over about 20 s. Negative when unknown.
  double seconds_left() const { return left_.seconds(end_); }

 private:
  std::string line(double t, double step_size, long long steps, int columns) const;
  void draw(double t, double step_size, long long steps);

  std::FILE* stream_;
  double start_, end_;
  ProgressOptions options_;
  TimeLeft left_;
  double begin_clock_, last_print_;
  bool drawn_ = false;  ///< the terminal shows a progress line
};

/// A duration as "7 s", "3:07", "2:03:07", "4 d 02 h".
std::string duration_text(double seconds);

}  // namespace trammel
