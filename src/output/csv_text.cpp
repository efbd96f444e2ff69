#include "output/csv_text.h"

#include "base/text.h"

namespace trammel {

char csv_separator(std::string_view line) {
  std::string bare;
  bool inside = false;
  for (const char c : line) {
    if (c == '"') inside = !inside;
    if (!inside) bare += c;
  }
  for (const char c : {'\t', ';'})
    if (bare.find(c) != std::string::npos) return c;
  return ',';
}

bool split_csv(std::string_view line, char separator, std::vector<std::string>& fields) {
  fields.assign(1, {});
  bool inside = false;
  for (std::size_t k = 0; k < line.size(); ++k) {
    const char c = line[k];
    if (c == '"' && inside && k + 1 < line.size() && line[k + 1] == '"') {
      fields.back() += c;
      ++k;
    } else if (c == '"') {
      inside = !inside;
    } else if (c == separator && !inside) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return !inside;
}

std::string csv_field(const std::string& text) {
  const bool plain = text.find_first_of(",;\"\r\n\t") == std::string::npos && trim(text) == text;
  if (plain) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

}  // namespace trammel
