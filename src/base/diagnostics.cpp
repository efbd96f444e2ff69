#include "base/diagnostics.h"

#include <algorithm>

namespace trammel {

std::string to_string(const Location& where) {
  if (where.file.empty()) return {};
  return where.line > 0 ? fmt::format("{}:{}", where.file, where.line) : where.file;
}

std::string to_string(const Diagnostic& diagnostic) {
  const std::string place = to_string(diagnostic.where);
  return place.empty() ? diagnostic.text : fmt::format("{}: {}", place, diagnostic.text);
}

int Diagnostics::count(Severity severity) const {
  return static_cast<int>(
      std::count_if(list_.begin(), list_.end(), [&](const Diagnostic& d) { return d.severity == severity; }));
}

ExitCode Diagnostics::exit_code() const {
  ExitCode code = ExitCode::ok;
  for (const Diagnostic& d : list_) {
    if (d.severity != Severity::error) continue;
    if (d.code == ExitCode::input) return ExitCode::input;
    code = d.code;
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
