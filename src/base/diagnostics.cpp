#include "base/diagnostics.h"

namespace trammel {

std::string to_string(const Location& where) {
  if (where.file.empty()) return {};
  return where.line > 0 ? fmt::format("{}:{}", where.file, where.line) : where.file;
}

std::string to_string(const Diagnostic& diagnostic) {
  const std::string place = to_string(diagnostic.where);
  return place.empty() ? diagnostic.text : fmt::format("{}: {}", place, diagnostic.text);
}

void Diagnostics::add(Diagnostic diagnostic) {
  constexpr const char* names[] = {"notes", "warnings", "mistakes"};
  const int severity = static_cast<int>(diagnostic.severity);
  if (diagnostic.severity == Severity::error && diagnostic.code == ExitCode::input) input_errors_ = true;
  if (counts_[severity] > most_kept) return;
  if (counts_[severity]++ == most_kept)
    diagnostic.text = fmt::format("{} {} so far: the others are not listed", most_kept, names[severity]);
  list_.push_back(std::move(diagnostic));
}

ExitCode Diagnostics::exit_code() const {
  if (input_errors_) return ExitCode::input;
  ExitCode code = ExitCode::ok;
  for (const Diagnostic& d : list_) {
    if (d.severity == Severity::error) code = d.code;
  }
  return code;
}

void Diagnostics::stop_on_errors() const {
  if (!has_errors()) return;
  std::string text;
  for (const Diagnostic& d : list_) {
    if (d.severity != Severity::error) continue;
    if (!text.empty()) text += '\n';
    text += to_string(d);
  }
  throw Failure(exit_code(), text);
}

}  // namespace trammel
