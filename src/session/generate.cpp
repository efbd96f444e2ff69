#include "session/generate.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <optional>
#include <random>
#include <span>

#include "base/diagnostics.h"
#include "base/text.h"
#include "dataset/reader.h"
#include "expression/compile.h"
#include "output/csv_text.h"
#include "output/stream_file.h"

namespace trammel {

namespace {

constexpr double most_variants = 1e7;

/// A varied quantity: a range, or values to choose from.
struct Variable {
  std::string name;
  bool argument = false;  ///< the name is an argument, PART/2.MASS
  double from = 0, to = 0;
  int steps = 0;  ///< number of values of a grid over the range; 0: not given
  std::vector<double> values;

  std::size_t grid_size() const { return values.empty() ? static_cast<std::size_t>(steps) : values.size(); }
  double grid_value(std::size_t k) const {
    if (!values.empty()) return values[k];
    return steps == 1 ? from : from + (to - from) * static_cast<double>(k) / (steps - 1);
  }
  /// The value at u, 0 ≤ u < 1.
  double sample(double u) const {
    if (values.empty()) return from + (to - from) * u;
    return values[static_cast<std::size_t>(u * static_cast<double>(values.size()))];
  }
};

/// An argument and the text of its cells, in which expressions stand in braces.
struct Driven {
  std::string argument, cell;
};

using Samples = std::vector<std::vector<double>>;

std::pair<std::string, std::string> name_and_rest(const char* option, const std::string& text) {
  const std::size_t at = text.find('=');
  if (at == std::string::npos || trim(text.substr(0, at)).empty() || trim(text.substr(at + 1)).empty())
    fail(ExitCode::usage, "{} {}: NAME=... is expected", option, text);
  return {std::string(trim(text.substr(0, at))), std::string(trim(text.substr(at + 1)))};
}

double number_in(const std::string& option, std::string_view text) {
  const std::optional<double> value = parse_number(trim(text));
  if (!value || !std::isfinite(*value)) fail(ExitCode::usage, "{}: \"{}\" is no number", option, text);
  return *value;
}

bool is_word(std::string_view name) {
  return std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; }) &&
         !std::isdigit(static_cast<unsigned char>(name.front()));
}

Variable variable_of(const std::string& text) {
  const std::string option = "--vary " + text;
  Variable v;
  const auto [name, rest] = name_and_rest("--vary", text);
  v.name = name;
  v.argument = name.find_first_of("/.") != std::string::npos;
  const std::vector<std::string_view> known = function_names();
  if (!v.argument && !is_word(name))
    fail(ExitCode::usage, "{}: a variable has letters, digits and _, or is an argument, PART/2.MASS", option);
  if (std::any_of(known.begin(), known.end(), [&](auto other) { return equal_ignoring_case(other, name); }))
    fail(ExitCode::usage, "{}: {} is a function of expressions; choose another name", option, name);
  const std::vector<std::string_view> parts = split(rest, ':'), list = split(rest, ',');
  if (parts.size() == 1) {
    for (std::string_view part : list) v.values.push_back(number_in(option, part));
    return v;
  }
  if (parts.size() > 3)
    fail(ExitCode::usage, "{}: a range is FROM:TO, or FROM:TO:COUNT for a grid; or give values 1,2,5",
         option);
  v.from = number_in(option, parts[0]);
  v.to = number_in(option, parts[1]);
  if (parts.size() < 3) return v;
  const std::optional<int> steps = parse_integer(trim(parts[2]));
  if (!steps || *steps < 1) fail(ExitCode::usage, "{}: the number of values is a positive integer", option);
  v.steps = *steps;
  return v;
}

/// Uniformly distributed in 0 ≤ u < 1; the same numbers on every machine.
double uniform(std::mt19937_64& random) {
  return static_cast<double>(random() >> 11) * 0x1p-53;
}

Samples grid(const std::vector<Variable>& variables) {
  double count = 1;
  for (const Variable& v : variables) {
    if (v.grid_size() == 0)
      fail(ExitCode::usage, "--vary {}: a grid needs the number of values, {}={}:{}:5", v.name, v.name,
           v.from, v.to);
    count *= static_cast<double>(v.grid_size());
  }
  if (count > most_variants) fail(ExitCode::usage, "--generate grid: {} variants are too many", count);
  Samples samples;
  for (std::size_t n = 0; n < static_cast<std::size_t>(count); ++n) {
    std::vector<double>& sample = samples.emplace_back(variables.size());
    std::size_t rest = n;
    for (std::size_t k = variables.size(); k-- > 0; rest /= variables[k].grid_size())
      sample[k] = variables[k].grid_value(rest % variables[k].grid_size());
  }
  return samples;
}

Samples random_samples(const std::vector<Variable>& variables, int count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Samples samples(static_cast<std::size_t>(count));
  for (std::vector<double>& sample : samples)
    for (const Variable& v : variables) sample.push_back(v.sample(uniform(random)));
  return samples;
}

Samples latin_hypercube(const std::vector<Variable>& variables, int count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Samples samples(static_cast<std::size_t>(count));
  std::vector<int> part(samples.size());
  for (const Variable& v : variables) {
    std::iota(part.begin(), part.end(), 0);
    for (std::size_t k = part.size(); k > 1; --k)
      std::swap(part[k - 1], part[static_cast<std::size_t>(uniform(random) * static_cast<double>(k))]);
    for (std::size_t n = 0; n < samples.size(); ++n)
      samples[n].push_back(v.sample((part[n] + uniform(random)) / count));
  }
  return samples;
}

Samples samples_of(const GenerateOptions& o, const std::vector<Variable>& variables) {
  const std::size_t colon = o.method.find(':');
  const std::string method = lower(o.method.substr(0, colon));
  const std::optional<int> count =
      colon == std::string::npos ? std::nullopt : parse_integer(o.method.substr(colon + 1));
  const bool sampled = method == "random" || method == "lhs";
  if (method == "grid" && colon == std::string::npos) return grid(variables);
  if (!sampled || !count || *count < 1 || *count > most_variants)
    fail(ExitCode::usage, "--generate {}: choose from grid, random:N, lhs:N, with N variants", o.method);
  return method == "random" ? random_samples(variables, *count, o.seed)
                            : latin_hypercube(variables, *count, o.seed);
}

/// An expression with the values of the variables in place of their names.
std::string with_values(std::string_view text, const std::vector<Variable>& variables,
                        std::span<const double> values) {
  std::string out;
  for (std::size_t k = 0; k < text.size();) {
    std::size_t end = k;
    while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_'))
      ++end;
    if (end == k) {
      out += text[k++];
      continue;
    }
    const std::string_view word = text.substr(k, end - k);
    const auto v = std::find_if(variables.begin(), variables.end(),
                                [&](const Variable& one) { return equal_ignoring_case(one.name, word); });
    out += v == variables.end()
               ? std::string(word)
               : "(" + shortest(values[static_cast<std::size_t>(v - variables.begin())]) + ")";
    k = end;
  }
  return out;
}

double value_of(const std::string& option, std::string_view expression,
                const std::vector<Variable>& variables, std::span<const double> values) {
  try {
    NoModel none;
    const Tape tape = compile_expression(with_values(expression, variables, values), none);
    if (tape.constant() && tape.code.size() == 1 && std::isfinite(tape.constants.at(0)))
      return tape.constants[0];
  } catch (const ExpressionError& error) {
    fail(ExitCode::usage, "{}: {{{}}}: {}", option, expression, error.what());
  }
  fail(ExitCode::usage,
       "{}: {{{}}} is no constant number; it may have variables of --vary and mathematical functions", option,
       expression);
}

/// Whether the text beside a value makes it an operand, which a sign of its own would change: -2**2.
bool is_operand(std::string_view before, std::string_view after) {
  constexpr std::string_view operators = "+-*/";
  const std::size_t left = before.find_last_not_of(' '), right = after.find_first_not_of(' ');
  return (left != std::string_view::npos && operators.find(before[left]) != std::string_view::npos) ||
         (right != std::string_view::npos && operators.find(after[right]) != std::string_view::npos);
}

/// The text of a cell with the values of its expressions.
std::string cell_of(const Driven& d, const std::vector<Variable>& variables, std::span<const double> values) {
  const std::string option = "--drive " + d.argument + "=" + d.cell;
  std::string out;
  std::size_t at = 0;
  while (true) {
    const std::size_t open = d.cell.find('{', at);
    out += d.cell.substr(at, open - at);
    if (open == std::string::npos) return out;
    const std::size_t close = d.cell.find('}', open);
    if (close == std::string::npos) fail(ExitCode::usage, "{}: a brace is not closed", option);
    const std::string_view cell = d.cell;
    const double value = value_of(option, cell.substr(open + 1, close - open - 1), variables, values);
    at = close + 1;
    const bool in_parentheses = value < 0 && is_operand(cell.substr(0, open), cell.substr(at));
    out += in_parentheses ? "(" + shortest(value) + ")" : shortest(value);
  }
}

}  // namespace

std::string generated_table(const GenerateOptions& o) {
  std::vector<Variable> variables;
  std::vector<Driven> driven;
  for (const std::string& text : o.vary) variables.push_back(variable_of(text));
  for (const std::string& text : o.drive) {
    const auto [argument, cell] = name_and_rest("--drive", text);
    if (cell.find('{') == std::string::npos)
      fail(ExitCode::usage, "--drive {}: no variable drives it; write expressions in braces, QP={{L/2}},0,0",
           text);
    driven.push_back({argument, cell});
  }
  if (variables.empty())
    fail(ExitCode::usage, "--generate {}: --vary says what varies, PART/2.MASS=1:5", o.method);
  std::string text;
  const auto add = [&](const std::string& field) {
    text += (text.empty() || text.back() == '\n' ? "" : ",") + csv_field(field);
  };
  for (const Variable& v : variables) add(v.argument ? v.name : "#" + v.name);
  for (const Driven& d : driven) add(d.argument);
  text += '\n';
  for (const std::vector<double>& values : samples_of(o, variables)) {
    for (const double value : values) add(shortest(value));
    for (const Driven& d : driven) add(cell_of(d, variables, values));
    text += '\n';
  }
  return text;
}

GeneratedTable::GeneratedTable(const GenerateOptions& options, const std::string& path) {
  const bool idle = options.method.empty();
  if (idle && !(options.vary.empty() && options.drive.empty()))
    fail(ExitCode::usage, "--vary and --drive are for --generate grid, random:N or lhs:N");
  if (idle) return;
  const std::string text = generated_table(options);
  if (std::filesystem::exists(path)) {
    if (read_text_file(path) == text) return;
    fail(ExitCode::usage, "{} exists and holds another table; remove it, or choose another --variants", path);
  }
  StreamFile file;
  file.open(path);
  written_ = path;
  file.write(text);
  file.close();
}

GeneratedTable::~GeneratedTable() {
  std::error_code ignored;
  if (!written_.empty()) std::filesystem::remove(written_, ignored);
}

}  // namespace trammel
