#include "cli/compare.h"

#include <algorithm>

#include "cli/result_options.h"
#include "output/look/compare.h"
#include "terminal/print.h"

namespace trammel {

namespace {

constexpr std::size_t most_names = 20;

void print_only(const char* file, const std::vector<std::string>& names) {
  if (names.empty()) return;
  print_line(stdout, fmt::format("only in {}: {} channel{}: {}", file, names.size(),
                                 names.size() == 1 ? "" : "s", joined_names(names, most_names)));
}

void print_uncovered(const char* file, const char* other, std::size_t count) {
  if (count == 0) return;
  print_line(stdout, fmt::format("only in {}: {} record{} outside the time of {}, not compared", file, count,
                                 count == 1 ? "" : "s", other));
}

/// Prints one row per channel; the column of names and units is as wide as the longest.
void print_table(const Comparison& c, std::size_t rows) {
  std::size_t width = 7;
  const auto name_of = [](const ChannelDifference& d) {
    return d.unit.empty() ? d.name : fmt::format("{} [{}]", d.name, d.unit);
  };
  for (std::size_t k = 0; k < rows; ++k) width = std::max(width, name_of(c.channels[k]).size());
  print_line(stdout, fmt::format("  {:<{}} {:>14} {:>16} {:>16} {:>11} {:>11} {:>7}", "channel", width,
                                 "time", "a", "b", "difference", "limit", "over"));
  for (std::size_t k = 0; k < rows; ++k) {
    const ChannelDifference& d = c.channels[k];
    print_line(stdout, fmt::format("{} {:<{}} {:>14.9g} {:>16.9g} {:>16.9g} {:>11.4g} {:>11.4g} {:>7}",
                                   d.over > 0 ? '*' : ' ', name_of(d), width, d.time, d.a, d.b, d.difference,
                                   d.limit, d.over));
  }
}

std::string verdict(const Comparison& c, bool common) {
  std::string text =
      c.over > 0 ? fmt::format("{} of {} channels differ by more than the limit", c.over, c.channels.size())
                 : fmt::format("all {} channels are within the limit", c.channels.size());
  if (!c.within && c.over == 0) text += "; the files differ in what they hold";
  const bool more = !c.only_a.empty() || !c.only_b.empty() || c.uncovered_a > 0 || c.uncovered_b > 0;
  if (more && !common) text += " (--common compares only what both have)";
  return text;
}

int compare(const CompareCommand& command) {
  CompareOptions options = command.options;
  options.map = parse_map(command.map);
  const TimeWindow window = parse_window(command.times);
  options.from = window.from;
  options.to = window.to;
  if (command.worst < 0)
    fail(ExitCode::usage, "--worst {}: the number of rows is 0 (all) or more", command.worst);
  const ResultReader a(command.a), b(command.b);
  const Comparison c = compare_results(a, b, options);
  print_line(stdout, "a = " + describe(a) + "\nb = " + describe(b));
  print_notices(a.notices());
  print_notices(b.notices());
  print_notices(c.notices);
  print_only("a", c.only_a);
  print_only("b", c.only_b);
  print_uncovered("a", "b", c.uncovered_a);
  print_uncovered("b", "a", c.uncovered_b);
  print_line(stdout, fmt::format("{} channels at {} times; limit = {:g} + {:g} * {}", c.channels.size(),
                                 c.times, options.atol, c.rtol,
                                 options.pointwise ? "|a|" : "largest |a| (of the channel's vector)"));
  const std::size_t all = c.channels.size();
  const std::size_t rows = command.worst == 0 ? all : std::min<std::size_t>(all, command.worst);
  print_table(c, rows);
  if (rows < all) print_line(stdout, fmt::format("  ... and {} more (--worst 0 shows all)", all - rows));
  print_line(stdout, verdict(c, options.common));
  return static_cast<int>(c.within ? ExitCode::ok : ExitCode::comparison);
}

}  // namespace

int compare_command(const CompareCommand& command) {
  return guarded_command([&] { return compare(command); });
}

}  // namespace trammel
