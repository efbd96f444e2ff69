#include "session/output_statements.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/diagnostics.h"
#include "base/text.h"

namespace trammel {

namespace {

constexpr std::pair<std::string_view, bool ResultsOptions::*> results_parts[] = {
    {"NODISPLACEMENTS", &ResultsOptions::displacements},
    {"NOVELOCITIES", &ResultsOptions::velocities},
    {"NOACCELERATIONS", &ResultsOptions::accelerations},
    {"NOAPPLIEDFORCES", &ResultsOptions::applied_forces},
    {"NOREACTIONFORCES", &ResultsOptions::reaction_forces},
    {"NOSYSTEMELEMENTS", &ResultsOptions::system_elements},
    {"NOREQUESTS", &ResultsOptions::requests},
    {"NOCONTACTS", &ResultsOptions::contacts},
};

bool has(const Statement* statement, std::string_view name) {
  return statement != nullptr && statement->has(name);
}

}  // namespace

std::vector<Format> formats_named(const std::vector<std::string>& names) {
  std::vector<Format> formats;
  bool none = false;
  for (const std::string& name : names) {
    if (equal_ignoring_case(trim(name), "none")) {
      none = true;
      continue;
    }
    const auto format = parse_format(trim(name));
    if (!format)
      fail(ExitCode::usage, "--formats: \"{}\" is no format; choose from {} (comma between), or none", name,
           fmt::join(format_names(), ", "));
    formats.push_back(*format);
  }
  if (none && !formats.empty())
    fail(ExitCode::usage, "--formats: \"none\" stands alone; leave it out or the others");
  return formats;
}

void check_every(int every) {
  if (every < 1) fail(ExitCode::usage, "--every must be 1 or more");
}

std::vector<Format> chosen_formats(const Statement* output, const Statement* results, bool contacts) {
  std::vector<Format> formats = {Format::native};
  const std::pair<bool, Format> asked[] = {
      {contacts && !has(results, "NOCONTACTS"), Format::contacts},
      {has(output, "REQSAVE"), Format::request},
      {has(results, "XRF"), Format::results},
      {has(output, "GRSAVE"), Format::graphics},
      {has(output, "PRINT"), Format::table},
  };
  for (const auto& [wanted, format] : asked)
    if (wanted) formats.push_back(format);
  return formats;
}

ResultsOptions results_options(const Statement* results) {
  ResultsOptions options;
  for (const auto& [name, member] : results_parts) options.*member = !has(results, name);
  if (has(results, "DECIMALPLACES")) options.digits = results->integer("DECIMALPLACES", options.digits);
  if (has(results, "COMMENT")) options.comment = results->text("COMMENT");
  return options;
}

TableOptions table_options(const Statement* output) {
  TableOptions options;
  options.fixed = has(output, "FIXED");
  constexpr std::string_view limits[4] = {"DZERO", "VZERO", "AZERO", "FZERO"};
  for (int k = 0; k < 4; ++k)
    if (has(output, limits[k])) options.zero[k] = output->real(limits[k], options.zero[k]);
  constexpr std::string_view scales[4] = {"DSCALE", "VSCALE", "ASCALE", "FSCALE"};
  for (int k = 0; k < 4; ++k)
    if (has(output, scales[k])) {
      const Numbers& given = output->find(scales[k])->numbers;
      std::copy(given.begin(), given.end(), options.scale[k]);
    }
  options.yaw_pitch_roll = has(output, "YPR");
  return options;
}

}  // namespace trammel
