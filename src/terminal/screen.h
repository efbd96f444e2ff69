// The messages and the progress of a run or batch, on standard output and standard error.
#pragma once

#include <optional>

#include "output/progress.h"
#include "session/listener.h"
#include "terminal/batch_progress.h"

namespace trammel {

class Screen {
 public:
  /// `quiet`: prints errors only.
  explicit Screen(bool quiet) : quiet_(quiet) {}

  /// A listener that prints on this screen, which must outlive it.
  Listener listener();

 private:
  void say(const std::string& text);
  void error(const std::string& text);
  void begin_steps(double begin, double end);
  void begin_variants(std::size_t variants, std::size_t kept);
  /// Draws the progress; gives up drawing where standard output cannot be written to.
  template <class Draw>
  void draw(Draw draw);

  bool quiet_;
  std::optional<Progress> progress_;
  std::optional<BatchProgress> batch_;
};

}  // namespace trammel
