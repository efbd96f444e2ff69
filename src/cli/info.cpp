#include <filesystem>
#include <map>

#include "analysis/result_channels.h"
#include "base/text.h"
#include "cli/check.h"
#include "cli/mass_table.h"
#include "model/compile.h"
#include "output/read/result_reader.h"
#include "terminal/print.h"

namespace trammel {

namespace {

void print_channels(const Channels& channels) {
  print_line(stdout, "channels:");
  for (const Entity& e : channels.entities) {
    std::string text = fmt::format("  {}{} :", e.name(), e.view_name.empty() ? "" : " (" + e.view_name + ")");
    for (const Component& c : e.components) text += " " + c.name;
    print_line(stdout, text);
  }
}

bool is_result_file(const std::string& path) {
  const std::string extension = lower(std::filesystem::path(path).extension().string());
  for (const char* known : {".nc", ".res", ".req", ".csv"})
    if (extension == known) return true;
  return false;
}

void print_result_file(const std::string& path) {
  const ResultReader file(path);
  const RunInfo& from = file.info();
  print_line(stdout, from.title);
  print_line(stdout, fmt::format("  format                {}", file.format()));
  if (!from.local_time.empty())
    print_line(stdout, fmt::format("  made                  {}{}{}", from.local_time,
                                   from.program.empty() ? "" : " by " + from.program + " " + from.version,
                                   from.input_file.empty() ? "" : " from " + from.input_file));
  const UnitNames& u = file.channels().units;
  const std::string units = fmt::format("{} {} {} {}", u.force, u.mass, u.length, u.time);
  print_line(stdout, fmt::format("  units                 {}", trim(units).empty() ? "not given" : units));
  print_line(stdout, file.records() == 0
                         ? std::string("  records               0")
                         : fmt::format("  records               {}, {} {:.9g} to {:.9g}", file.records(),
                                       file.of_variants() ? "variants" : "time", file.times().front(),
                                       file.times().back()));
  print_notices(file.notices());
  print_channels(file.channels());
}

void print_units(const Units& units) {
  if (units.force.empty())
    print_line(stdout, "  units: none given (consistent)");
  else
    print_line(stdout, fmt::format("  units: {} {} {} {}, UCF {:.6g}", units.force, units.mass, units.length,
                                   units.time, units.ucf));
}

int info(const InfoOptions& options) {
  if (is_result_file(options.job.file)) {
    print_result_file(options.job.file);
    return 0;
  }
  JobOptions lenient = options.job;
  lenient.permissive = true;
  lenient.strict = false;
  Job job = load_job(lenient);
  if (!job.read) job.diagnostics.stop_on_errors();
  print_line(stdout, job.description.title);
  print_units(read_units(job.description.find("UNITS")));
  std::map<std::string, int> counts;
  for (const Statement& s : job.description.statements) ++counts[std::string(s.spec->keyword)];
  for (const auto& [keyword, count] : counts) print_line(stdout, fmt::format("  {:<14} {}", keyword, count));
  for (const auto& [keyword, count] : job.dropped.counts)
    print_line(stdout, fmt::format("  {:<14} {}  (not supported)", keyword, count));
  for (const DroppedStatement& d : job.dropped.dropped)
    if (d.wrong)
      print_line(stdout, fmt::format("  left out: {}: {}: {}", to_string(d.where), d.label, d.reason));
  if (!job.dropped.dependents.empty())
    print_line(stdout,
               fmt::format("  {} statements depend on what is left out", job.dropped.dependents.size()));
  job.diagnostics.stop_on_errors();
  const Model model = compile(job.description, job.diagnostics);
  job.diagnostics.stop_on_errors();
  if (options.mass)
    print_line(stdout, mass_table(solids_of_parts(job.description), options.density));
  else
    print_channels(make_channels(model));
  return 0;
}

}  // namespace

int info_command(const InfoOptions& options) {
  return guarded_command([&] { return info(options); });
}

}  // namespace trammel
