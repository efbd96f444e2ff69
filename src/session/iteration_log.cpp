#include "session/iteration_log.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "output/number_text.h"

namespace trammel {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* names_of_ends[] = {"accepted", "error",   "corrector", "no value",
                                         "singular", "refused", "no advance"};

}  // namespace

std::string name_of(const ErrorPlace& place, const Model& model) {
  if (place.kind == ErrorPlace::Kind::none || place.unknown < 0) return {};
  std::string name = model.unknown_name(place.unknown);
  if (place.rotation) name = name.substr(0, name.rfind(' ')) + " rotation";
  return name;
}

std::string outcome_of(const AttemptSeen& seen, const Model& model) {
  const CorrectorState& corrector = seen.steps.corrector;
  const SolveReport& report = seen.steps.failure.report;
  std::string limit = name_of(seen.largest, model);
  if (!limit.empty()) limit.insert(0, ", largest in ");
  switch (seen.end) {
    case AttemptEnd::accepted:
      return fmt::format("accepted: error {:.3g} of ERROR{}", seen.error, limit);
    case AttemptEnd::error_too_large:
      return fmt::format("refused: the error is {:.3g} times ERROR{}", seen.error, limit);
    case AttemptEnd::leap:
      return "refused: surfaces that stick would slide, past the peak of their friction";
    case AttemptEnd::not_converged:
      return fmt::format("refused: no convergence in {} iteration{}{}", corrector.iterations,
                         corrector.iterations == 1 ? "" : "s",
                         seen.steps.jacobian.fresh ? "" : "; the same step again, with a new Jacobian");
    case AttemptEnd::no_value:
      return "refused: a function has no value on the way";
    case AttemptEnd::singular:
      return fmt::format("refused: the matrix is singular (equation {}, variable {}, relative pivot {:.3g})",
                         model.equation_name(report.row), model.unknown_name(report.column), report.pivot);
    case AttemptEnd::refused:
      return "refused: the linear system has no accurate solution";
    case AttemptEnd::no_advance:
      break;
  }
  return "refused: the step is too small to change the time";
}

void IterationLog::watch(const Model& model, const DebugWords& words) {
  model_ = &model;
  words_ = words;
  equations_.assign(model.unknowns(), "");
  variables_.assign(model.unknowns(), "");
  rows_.clear();
  matrices_.clear();
}

const std::string& IterationLog::equation(int k) {
  if (equations_[k].empty()) equations_[k] = model_->equation_name(k);
  return equations_[k];
}

const std::string& IterationLog::variable(int k) {
  if (variables_[k].empty()) variables_[k] = model_->unknown_name(k);
  return variables_[k];
}

void IterationLog::steps_begin(const StepsSeen& seen) {
  steps_before_ = seen.before.steps;
  iterations_before_ = seen.before.iterations;
  if (seen.anew) independent_.clear();
  in_rows_ = false;
  if (words_.jmdump && seen.method == "RADAU" && seen.anew && messages_.is_open())
    messages_.note("JMDUMP: of the two matrices of RADAU the real one is shown, not the complex one.");
}

/// The entry of largest magnitude over all stages, times `sign`; NaN counts as largest.
IterationLog::Entry IterationLog::largest_of(const IterationSeen::Arrays& arrays, int stages, double sign) {
  Entry largest;
  for (int i = 0; i < stages; ++i)
    for (std::size_t k = 0; k < arrays[i].size(); ++k)
      if (largest.index < 0 || !(std::fabs(arrays[i][k]) <= std::fabs(largest.value)))
        largest = {sign * arrays[i][k], static_cast<int>(k)};
  return largest;
}

void IterationLog::jacobian(const JacobianSeen& seen) {
  if (!words_.jmdump || !messages_.is_open()) return;
  const SparsePattern& pattern = seen.pattern;
  matrices_ += fmt::format(" Jacobian of {} nonzeros (the program's own equations: docs/theory.md)\n",
                           pattern.nonzeros());
  matrices_ += fmt::format("   {:<16}  {:<30}{}\n", "Value", "Row (equation)", "Column (variable)");
  for (int j = 0; j < pattern.n; ++j)
    for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k)
      matrices_ +=
          fmt::format("   {:16.9E}  {:<30}{}\n", seen.values[k], equation(pattern.row[k]), variable(j));
}

std::string IterationLog::dump_of(const IterationSeen& seen) {
  std::string out;
  for (int i = 0; i < seen.stages; ++i) {
    const bool corrected = !seen.correction[i].empty();
    const std::string stage = seen.stages > 1 ? fmt::format(", stage {}", i + 1) : "";
    out +=
        fmt::format("   {:<16}  {:<30}{:<16}  {}{}\n", "Residual", "Equation", "Change", "Variable", stage);
    for (std::size_t k = 0; k < seen.residual[i].size(); ++k) {
      const int at = static_cast<int>(k);
      out += fmt::format("   {:16.9E}  {:<30}", seen.sign * seen.residual[i][k], equation(at));
      out += corrected ? fmt::format("{:16.9E}  {}\n", seen.correction[i][k], variable(at)) : "\n";
    }
  }
  return out;
}

void IterationLog::iteration(const IterationSeen& seen) {
  Row row;
  row.iteration = seen.iteration;
  row.residual = largest_of(seen.residual, seen.stages, seen.sign);
  row.corrected = !seen.correction[0].empty();
  if (row.corrected) row.correction = largest_of(seen.correction, seen.stages, 1);
  row.new_jacobian = seen.new_jacobian;
  row.dumps = std::move(matrices_);
  matrices_.clear();
  if (words_.rhsdump && messages_.is_open()) row.dumps += dump_of(seen);
  rows_.push_back(std::move(row));
}

std::string IterationLog::text_of_rows() {
  std::string out;
  if (words_.eprint)
    out +=
        " Iteration   Residual (or equation error)             Change in the variable                  "
        "Jacobian\n"
        " count      Maximum   Element/ID Equation             Maximum   Element/ID Variable           new?\n"
        " -----\n";
  for (const Row& row : rows_) {
    if (words_.eprint) {
      out += fmt::format(" {:<5} {:>12.1E}   {:<28}", row.iteration, row.residual.value,
                         row.residual.index < 0 ? "-" : equation(row.residual.index));
      out += row.corrected && row.correction.index >= 0
                 ? fmt::format("{:>12.1E}   {:<28}  {}\n", row.correction.value,
                               variable(row.correction.index), row.new_jacobian ? "yes" : "no")
                 : "         no correction\n";
    }
    out += row.dumps;
  }
  return out + matrices_;
}

nlohmann::ordered_json IterationLog::json_of_rows() {
  Json list = Json::array();
  for (const Row& row : rows_) {
    Json entry = {{"iteration", row.iteration}, {"residual", row.residual.value}};
    if (row.residual.index >= 0) entry["equation"] = as_utf8(equation(row.residual.index));
    if (row.corrected && row.correction.index >= 0) {
      entry["correction"] = row.correction.value;
      entry["variable"] = as_utf8(variable(row.correction.index));
      entry["new_jacobian"] = row.new_jacobian;
    }
    list.push_back(std::move(entry));
  }
  return list;
}

void IterationLog::end(const std::string& head, const std::string& outcome) {
  if (messages_.is_open()) messages_.table("\n" + head + text_of_rows() + " " + outcome + "\n");
  rows_.clear();
  matrices_.clear();
  in_rows_ = false;
}

std::string IterationLog::changed_choice(std::span<const unsigned char> independent) {
  constexpr int most = 12;
  const auto list = [&](auto&& taken) {
    std::string out;
    int count = 0;
    for (std::size_t k = 0; k < independent.size(); ++k)
      if (taken(k) && ++count <= most) out += (count > 1 ? ", " : "") + variable(static_cast<int>(k));
    return count > most ? out + fmt::format(" and {} more", count - most) : out;
  };
  std::string out;
  if (independent_.size() != independent.size()) {
    out = list([&](std::size_t k) { return independent[k] != 0; });
  } else if (!std::equal(independent.begin(), independent.end(), independent_.begin())) {
    out = fmt::format("{} for {}", list([&](std::size_t k) { return independent[k] > independent_[k]; }),
                      list([&](std::size_t k) { return independent[k] < independent_[k]; }));
  }
  independent_.assign(independent.begin(), independent.end());
  return out;
}

/// Writes the row of an attempt by an explicit method, which has no iterations, but an error and its largest
/// place.
void IterationLog::explicit_attempt(const AttemptSeen& seen, long number) {
  if (!words_.eprint || !messages_.is_open()) return;
  std::string text;
  if (!in_rows_)
    text +=
        "\n Step No.   From                Step          Order   Error      Largest in                    "
        "Outcome\n"
        "                                                        of ERROR\n ----\n";
  in_rows_ = true;
  if (const std::string choice = changed_choice(seen.independent); !choice.empty())
    text += fmt::format(" Independent coordinates: {}\n", choice);
  const bool has_error = seen.end == AttemptEnd::accepted || seen.end == AttemptEnd::error_too_large;
  std::string largest = has_error ? name_of(seen.largest, *model_) : "";
  if (!largest.empty() && seen.largest.kind == ErrorPlace::Kind::velocity) largest += ", velocity";
  text +=
      fmt::format(" {:<8} {:18.9E} {:13.5E}  {:>5} {:>10}   {:<28}  {}\n", number, seen.t, seen.h, seen.order,
                  has_error ? fmt::format("{:.2E}", seen.error) : "-", largest.empty() ? "-" : largest,
                  seen.end == AttemptEnd::accepted          ? "accepted"
                  : seen.end == AttemptEnd::error_too_large ? "refused: the error is too large"
                                                            : outcome_of(seen, *model_));
  messages_.table(text);
}

void IterationLog::attempt(const AttemptSeen& seen) {
  const StepCounters& counters = seen.steps.counters;
  const long number = steps_before_ + counters.steps + 1, sum = iterations_before_ + counters.iterations;
  if (words_.eprint && json_.is_open()) {
    Json fields = {{"number", number},
                   {"t", seen.t},
                   {"h", seen.h},
                   {"order", seen.order},
                   {"accepted", seen.end == AttemptEnd::accepted},
                   {"end", names_of_ends[static_cast<int>(seen.end)]},
                   {"iterations", json_of_rows()},
                   {"cumulative_iterations", sum}};
    if (seen.end == AttemptEnd::accepted || seen.end == AttemptEnd::error_too_large) {
      fields["error"] = seen.error;
      fields["limited_by"] = as_utf8(name_of(seen.largest, *model_));
    }
    json_.event("step", wall_(), fields);
  }
  if (!seen.iterates) return explicit_attempt(seen, number);
  end(fmt::format(" Integration step No. {},          Order = {}          Cumulative iterations of\n"
                  " From {:.9E}, Step = {:.5E}          the corrector: {}\n",
                  number, seen.order, seen.t, seen.h, sum),
      outcome_of(seen, *model_));
}

void IterationLog::point(const PointSeen& seen) {
  if (words_.eprint && json_.is_open())
    json_.event("iterations", wall_(),
                {{"what", seen.what}, {"converged", seen.converged}, {"iterations", json_of_rows()}});
  end(fmt::format(" Iteration table: {}\n", seen.what),
      seen.converged
          ? fmt::format("done after {} correction{}", seen.iterations, seen.iterations == 1 ? "" : "s")
          : "no convergence");
}

}  // namespace trammel
