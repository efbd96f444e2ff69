#include "cli/flex_words.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "model/units.h"

namespace trammel {

std::vector<int> nodes_of(const InputMesh& mesh, const std::vector<std::string>& words) {
  std::vector<int> out;
  for (const std::string& word : words) {
    if (const auto set = mesh.set.find(upper(word)); set != mesh.set.end()) {
      out.insert(out.end(), set->second.begin(), set->second.end());
    } else if (const auto id = parse_integer(word); id && *id > 0) {
      out.push_back(*id);
    } else {
      std::string names;
      for (const auto& [name, ids] : mesh.set) names += (names.empty() ? "" : ", ") + name;
      fail(ExitCode::usage, "'{}' is neither a node nor a set (*NSET); sets are {}", word,
           names.empty() ? "none" : names);
    }
  }
  return out;
}

NamedPoint point_of(const InputMesh& mesh, const std::string& text) {
  const std::size_t equals = text.find('=');
  const auto id = parse_integer(text.substr(0, equals));
  if (equals == text.npos || !id || *id < 1)
    fail(ExitCode::usage, "'{}': ID=nodes or sets with commas between is expected, like 1001=HOLE", text);
  std::vector<std::string> words;
  for (const std::string_view word : split(std::string_view(text).substr(equals + 1), ','))
    words.emplace_back(trim(word));
  NamedPoint out{*id, nodes_of(mesh, words)};
  std::sort(out.nodes.begin(), out.nodes.end());
  out.nodes.erase(std::unique(out.nodes.begin(), out.nodes.end()), out.nodes.end());
  std::erase(out.nodes, *id);
  return out;
}

ModalUnits units_of(const std::string& text) {
  if (text.empty()) return {};
  std::vector<std::string> names;
  for (const std::string_view word : split(text, ',')) names.push_back(upper(trim(word)));
  constexpr const char* kinds[] = {"MASS", "LENGTH", "TIME", "FORCE"};
  if (names.size() != 4)
    fail(ExitCode::usage,
         "--units: mass, length, time and force are expected, like "
         "TONNE,MILLIMETER,SECOND,NEWTON");
  double si[4];
  for (int k = 0; k < 4; ++k) si[k] = unit_in_si(kinds[k], names[k]);
  const double ratio = si[3] * si[2] * si[2] / (si[0] * si[1]);
  if (!(std::abs(ratio - 1) < 1e-6))
    fail(ExitCode::usage,
         "--units: finite elements need consistent units, force = mass length / time^2; of {} it is {:.6g} "
         "times that",
         text, ratio);
  return {names[0], names[1], names[2], names[3]};
}

}  // namespace trammel
