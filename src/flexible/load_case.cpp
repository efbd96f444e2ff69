#include "flexible/load_case.h"

#include "base/text.h"
#include "base/text_records.h"

namespace trammel {

namespace {

std::vector<int> loaded_nodes(const TextRecords& in, std::string_view word, const InputMesh& mesh) {
  if (const auto set = mesh.set.find(upper(word)); set != mesh.set.end()) return set->second;
  const auto id = parse_integer(word);
  if (!id || *id < 1) in.wrong("'{}' is neither a node nor a set (*NSET)", word);
  return {*id};
}

}  // namespace

std::vector<NodalLoad> read_load_case(const std::string& path, const InputMesh& mesh) {
  std::vector<NodalLoad> out;
  TextRecords in(path);
  for (std::string line; in.next(line);) {
    const std::string_view text = trim(line);
    if (text.empty() || text.starts_with("*")) continue;
    const std::vector<std::string_view> words = split(text, ',');
    if (words.size() != 3) in.wrong("node or set, direction and value are expected, found '{}'", text);
    const auto direction = parse_integer(trim(words[1]));
    if (!direction || *direction < 1 || *direction > 6)
      in.wrong("the direction must be 1 to 3 of a force or 4 to 6 of a moment, found '{}'", trim(words[1]));
    const auto value = parse_number(trim(words[2]));
    if (!value) in.wrong("'{}' is no value of a load", trim(words[2]));
    for (const int node : loaded_nodes(in, trim(words[0]), mesh))
      out.push_back({node, *direction - 1, *value});
  }
  if (out.empty()) fail(ExitCode::input, "{}: there is no load in it", path);
  return out;
}

}  // namespace trammel
