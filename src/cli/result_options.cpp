#include "cli/result_options.h"

#include <cmath>

#include "base/text.h"

namespace trammel {

TimeWindow parse_window(const std::string& text) {
  TimeWindow window;
  if (trim(text).empty()) return window;
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos)
    fail(ExitCode::usage, "--times {}: a window is FROM:TO, such as 0.5:2, 0.5: or :2", text);
  const auto bound = [&](std::string_view part) -> std::optional<double> {
    if (trim(part).empty()) return std::nullopt;
    const auto value = parse_number(trim(part));
    if (!value || !std::isfinite(*value)) fail(ExitCode::usage, "--times {}: \"{}\" is no time", text, part);
    return value;
  };
  window.from = bound(std::string_view(text).substr(0, colon));
  window.to = bound(std::string_view(text).substr(colon + 1));
  if (window.from && window.to && *window.from > *window.to)
    fail(ExitCode::usage, "--times {}: the window ends before it begins", text);
  return window;
}

std::vector<std::pair<std::string, std::string>> parse_map(const std::vector<std::string>& texts) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const std::string& text : texts) {
    const std::size_t at = text.find('=');
    if (at == std::string::npos || at == 0 || at + 1 == text.size())
      fail(ExitCode::usage, "--map {}: a pair of names is expected, such as PART/2.X=front_travel", text);
    out.emplace_back(text.substr(0, at), text.substr(at + 1));
  }
  return out;
}

std::string describe(const ResultReader& file) {
  const std::string range =
      file.records() == 0 ? std::string()
                          : fmt::format(", time {:.9g} to {:.9g}", file.times().front(), file.times().back());
  return fmt::format("{}: {}, {} records{}, {} channels", file.path(), file.format(), file.records(), range,
                     file.width());
}

}  // namespace trammel
