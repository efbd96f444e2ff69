// What the program has to say about its input: notes, warnings, errors, each with file:line.
#pragma once

#include <exception>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/exit_code.h"

namespace trammel {

/// A place in an input file. line 0: the file as a whole; empty file: no place.
struct Location {
  std::string file;
  int line = 0;
};

/// "slider.adm:41", "slider.adm" or "".
std::string to_string(const Location& where);

enum class Severity { note, warning, error };

struct Diagnostic {
  Severity severity;
  Location where;
  std::string text;
  ExitCode code = ExitCode::input;  ///< meaning of an error
};

/// "slider.adm:41: JOINT/3: marker 205 does not exist"
std::string to_string(const Diagnostic& diagnostic);

/// Stops the present command: thrown for errors that leave nothing sensible to do.
class Failure : public std::exception {
 public:
  Failure(ExitCode code, std::string text) : code_(code), text_(std::move(text)) {}
  ExitCode code() const { return code_; }
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  ExitCode code_;
  std::string text_;
};

template <class... Args>
[[noreturn]] void fail(ExitCode code, fmt::format_string<Args...> format, Args&&... args) {
  throw Failure(code, fmt::format(format, std::forward<Args>(args)...));
}

/// Collects diagnostics so that one pass over a deck reports every mistake.
class Diagnostics {
 public:
  /// Kept of each severity; behind them one more says so, and the others are dropped. Errors that are dropped
  /// still count for exit_code().
  static constexpr int most_kept = 1000;

  void add(Diagnostic diagnostic);
  /// Whether further errors are dropped, so that nobody need look for more.
  bool full() const { return counts_[static_cast<int>(Severity::error)] >= most_kept; }
  template <class... Args>
  void note(const Location& where, fmt::format_string<Args...> format, Args&&... args) {
    add({Severity::note, where, fmt::format(format, std::forward<Args>(args)...), ExitCode::ok});
  }
  template <class... Args>
  void warning(const Location& where, fmt::format_string<Args...> format, Args&&... args) {
    add({Severity::warning, where, fmt::format(format, std::forward<Args>(args)...), ExitCode::ok});
  }
  template <class... Args>
  void error(const Location& where, fmt::format_string<Args...> format, Args&&... args) {
    add({Severity::error, where, fmt::format(format, std::forward<Args>(args)...), ExitCode::input});
  }
  /// An error of something recognised that the program cannot do yet (exit code 4).
  template <class... Args>
  void unsupported(const Location& where, fmt::format_string<Args...> format, Args&&... args) {
    add({Severity::error, where, fmt::format(format, std::forward<Args>(args)...), ExitCode::unsupported});
  }

  const std::vector<Diagnostic>& list() const { return list_; }
  /// Diagnostics of a severity in the list.
  int count(Severity severity) const { return counts_[static_cast<int>(severity)]; }
  bool has_errors() const { return count(Severity::error) > 0; }
  /// input (3) when any error is a mistake of the deck, else unsupported (4); ok without errors.
  ExitCode exit_code() const;
  /// Throws Failure with all errors, one a line, when there are any.
  void stop_on_errors() const;

 private:
  std::vector<Diagnostic> list_;
  int counts_[3] = {0, 0, 0};  ///< by severity
  bool input_errors_ = false;
};

}  // namespace trammel
