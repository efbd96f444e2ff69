// Messages about input: notes, warnings, errors, each with file:line.
#pragma once

#include <exception>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/core.h>

#include "base/exit_code.h"

namespace trammel {

/// A place in an input file. Line 0: the whole file; empty file: no place.
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
  ExitCode code = ExitCode::input;  ///< the exit code for an error
};

/// "slider.adm:41: JOINT/3: marker 205 does not exist"
std::string to_string(const Diagnostic& diagnostic);

/// What a failure is about, for programs: "equation", "PART/2 X Force".
struct Fact {
  std::string key;
  std::variant<double, std::string> value;
};

/// Thrown to end the present command on an error after which it cannot continue.
class Failure : public std::exception {
 public:
  Failure(ExitCode code, std::string text, std::vector<Fact> facts = {})
      : code_(code), text_(std::move(text)), facts_(std::move(facts)) {}
  ExitCode code() const { return code_; }
  const char* what() const noexcept override { return text_.c_str(); }
  const std::vector<Fact>& facts() const { return facts_; }

 private:
  ExitCode code_;
  std::string text_;
  std::vector<Fact> facts_;
};

template <class... Args>
[[noreturn]] void fail(ExitCode code, fmt::format_string<Args...> format, Args&&... args) {
  throw Failure(code, fmt::format(format, std::forward<Args>(args)...));
}

/// Collects diagnostics so that one pass over a deck reports every mistake.
class Diagnostics {
 public:
  /// Number of diagnostics kept of each severity; one more says that the limit is reached, later ones are
  /// dropped. Dropped errors still count for exit_code().
  static constexpr int most_kept = 1000;

  void add(Diagnostic diagnostic);
  /// Whether further errors are dropped: callers need not look for more.
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
  /// An error about a known feature that the program does not have yet (exit code 4).
  template <class... Args>
  void unsupported(const Location& where, fmt::format_string<Args...> format, Args&&... args) {
    add({Severity::error, where, fmt::format(format, std::forward<Args>(args)...), ExitCode::unsupported});
  }

  const std::vector<Diagnostic>& list() const { return list_; }
  /// Number of diagnostics of this severity in the list.
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
