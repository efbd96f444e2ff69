#include "output/message_file.h"

#include <cmath>

#include <fmt/format.h>

#include "base/text.h"
#include "output/number_text.h"

namespace trammel {
namespace {

constexpr int box_width = 77;  // without the bars of the outer box
const std::string rule(79, '-');
const std::string stars(69, '*');

std::string boxed(std::string_view text) {
  return fmt::format("|{:<{}}|\n", text, box_width);
}

/// A line of the starred inner box; text is cut to its 67 columns.
std::string starred(std::string_view text, char align = '<') {
  const std::string_view part = text.substr(0, 67);
  return boxed(align == '^' ? fmt::format("    *{:^67}*", part) : fmt::format("    *{:<67}*", part));
}

std::string starred_rule() {
  return boxed("    " + stars);
}

/// The text with control characters (line ends, tabs, escapes) replaced by blanks.
std::string one_line(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  return out;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  if (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  return split(text, '\n');
}

/// Format 1PE11.5 of the step table. Its readers expect two exponent digits without sign: other values are
/// clipped (a time below 1E-99 is 0).
std::string table_number(double value) {
  std::string text;
  append_fortran_e(text, std::min(value, 9.99999e99), 11);
  return text;
}

std::string capitalized(std::string_view name) {
  std::string text = lower(name);
  if (!text.empty()) text[0] = upper(text.substr(0, 1))[0];
  return text;
}

/// The integrator's name in the performing line: "HHT" stays, "GSTIFF" becomes "Gstiff".
std::string integrator_title(std::string_view name) {
  return equal_ignoring_case(name, "HHT") ? "HHT" : capitalized(name);
}

}  // namespace

std::string list_scientific(double value) {
  return fmt::format("{:15.6e}", value);
}
std::string list_shortest(double value) {
  return fmt::format("{:g}", value);
}
std::string list_fixed(double value) {
  return fmt::format("{:.6f}", value);
}

void MessageFile::put(std::string_view text) {
  file_.write(text);
  file_.flush();
  if (echo_) echo_(text);
}

void MessageFile::open(const std::string& path, const RunInfo& info) {
  file_.open(path);
  std::string out = "\n" + rule + "\n" + boxed("");
  out += boxed(fmt::format("{:^77}", one_line(info.program)));
  out += boxed(fmt::format("{:^77}", "solver for constrained mechanical systems"));
  out += boxed("");
  out += boxed(
      fmt::format("    Build:   {}", one_line(info.build.empty() ? "-unknown-" : info.build)).substr(0, 77));
  out +=
      boxed(fmt::format("    Version: {} {}", one_line(info.program), one_line(info.version)).substr(0, 77));
  out += boxed("") + starred_rule() + starred("");
  const bool long_directory = info.directory.size() > 50;
  const NamedValue lines[] = {
      {"Local Time", info.local_time},
      {"Host Name", info.host},
      {"Uname", info.system},
      {"OS Info", info.system_release},
      {"User", info.user},
      {"Back end", info.backend},
      {"Current dir", long_directory ? "(See below)" : info.directory},
      {"Process ID", std::to_string(info.process_id)},
  };
  for (const NamedValue& line : lines)
    if (!line.value.empty()) out += starred(fmt::format("  {:>11}: {}", line.name, one_line(line.value)));
  out += starred("") + starred_rule() + boxed("") + rule + "\n\n";
  if (long_directory) out += fmt::format(" Current dir:\n    {}\n\n", one_line(info.directory));
  if (!info.command_line.empty())
    out += fmt::format(" Command line:\n    {}\n\n", one_line(info.command_line));
  put(out);
}

void MessageFile::command(std::string_view text) {
  std::string out;
  for (const std::string_view line : lines_of(text)) out += fmt::format(" command: {}\n", one_line(line));
  put(out);
}

void MessageFile::model_title(std::string_view title) {
  std::string out = "\n" + rule + "\n" + boxed(fmt::format("{:^77}", "Model Title"));
  out += fmt::format("|{:=<77}|\n", "") + boxed("");
  out += boxed(fmt::format("{:^77}", one_line(title).substr(0, 77)));
  put(out + boxed("") + rule + "\n\n");
}

void MessageFile::note(std::string_view text) {
  std::string out;
  for (const std::string_view line : lines_of(text)) out += fmt::format("  {}\n", line);
  put(out);
}

void MessageFile::block(const char* kind, std::string_view text) {
  std::string out = fmt::format("\n---- START: {} ----\n", kind);
  for (const std::string_view line : lines_of(text)) out += fmt::format("{}\n", line);
  put(out + fmt::format("\n---- END: {} ----\n", kind));
}

void MessageFile::warning(std::string_view text) {
  block("WARNING", text);
}
void MessageFile::error(std::string_view text) {
  block("ERROR", text);
}

void MessageFile::begin_simulation(const SimulationHeader& header) {
  if (header.finds_state) return put(fmt::format("\n\n  Begin {}\n", header.title));
  std::string what(header.title);
  if (!header.integrator.empty())
    what += fmt::format(" using {} {} Integrator", integrator_title(header.integrator), header.formulation);
  put(fmt::format("\n\n  Begin Simulation\n\n  ****** Performing {} ******\n", what));
}

void MessageFile::degrees_of_freedom(int count, double time,
                                     const std::vector<RedundantEquation>& redundant) {
  std::string out =
      fmt::format("   The system has {} kinematic degree{} of freedom.\n", count, count == 1 ? "" : "s");
  if (!redundant.empty()) {
    out += fmt::format("  Time T={:.9E}.\n", time);
    out += "  Degree-of-freedom analysis identified redundant constraints in the model:\n";
    out += "  -------------------------------------------------------------------------\n";
    for (const RedundantEquation& one : redundant)
      out += fmt::format("   -  deactivating constraint equation  {} in {}\n", one.equation, one.owner);
    out += "\n";
  }
  put(out);
}

void MessageFile::begin_steps(const SimulationHeader& header) {
  std::string out;
  if (!header.integrator.empty()) {
    out += fmt::format("   The system is modelled with INDEX-{} DAEs.\n", header.index);
    out += fmt::format("   The integrator is {}, CORRECTOR = {}\n", upper(header.integrator),
                       lower(header.corrector));
  }
  if (header.error >= 0)
    out += fmt::format("   Integration error = {:>15}\n", fmt::format("{:.6E}", header.error));
  out +=
      "\n"
      "   Simulation   Step          Function     Cumulative    Integration   Elapsed \n"
      "   Time         Size          Evaluations  Steps Taken   Order         Time    \n"
      "   ___________  ___________   ___________  ___________   ___________   ________\n";
  put(out);
}

void MessageFile::step(const StepRow& row) {
  put(fmt::format("   {}  {}  {:11}  {:11}  {:12}{:>11} \n", table_number(row.time),
                  table_number(row.step_size), row.evaluations, row.steps, row.order,
                  elapsed_text(row.elapsed)));
}

void MessageFile::end_simulation(const SimulationHeader& header) {
  put(fmt::format("\n  End {}\n", header.finds_state ? header.title : "Simulation"));
}

void MessageFile::settings(std::string_view statement, const std::vector<NamedValue>& list) {
  std::size_t width = 0;
  for (const NamedValue& entry : list) width = std::max(width, entry.name.size());
  std::string out = fmt::format("\nCurrent {} settings are:\n", upper(statement));
  for (const NamedValue& entry : list) out += fmt::format("   {:<{}} = {}\n", entry.name, width, entry.value);
  put(out + "\n");
}

void MessageFile::statistics(const std::vector<NamedValue>& list) {
  std::string out =
      "                     Simulation Statistics \n"
      "                     ========== ========== \n";
  for (const NamedValue& entry : list)
    out += fmt::format("          {:<34} ----   {}\n", entry.name, entry.value);
  put(out + "\n");
}

void MessageFile::finish(double elapsed, double cpu) {
  const double load = elapsed > 0 ? 100.0 * cpu / elapsed : 0.0;
  put(fmt::format(
      "\n\nFinished -----\nElapsed time = {:.2f}s,  CPU time = {:.2f}s,  Average CPU load = {:.2f}%\n\n",
      elapsed, cpu, load));
  file_.close();
}

}  // namespace trammel
