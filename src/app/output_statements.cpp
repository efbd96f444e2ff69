#include "app/output_statements.h"

#include <string_view>
#include <utility>

namespace trammel {

namespace {

constexpr std::pair<std::string_view, bool ResultsOptions::*> left_out[] = {
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

std::vector<Format> chosen_formats(const Statement* output, const Statement* results) {
  std::vector<Format> formats = {Format::native};
  const std::pair<bool, Format> asked[] = {
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
  for (const auto& [name, member] : left_out) options.*member = !has(results, name);
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
  return options;
}

}  // namespace trammel
