// docs/statements.md against the tables that it is made of.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "base/text.h"
#include "cli/reference.h"
#include "dataset/registry.h"

namespace trammel::reference_test {
namespace {

std::string document() {
  std::ifstream file(TRAMMEL_SOURCE_DIR "/docs/statements.md");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The first line in which two texts differ, for the message.
std::string first_difference(const std::string& a, const std::string& b) {
  std::istringstream x(a), y(b);
  std::string p, q;
  for (int line = 1;; ++line) {
    const bool more_x = bool(std::getline(x, p)), more_y = bool(std::getline(y, q));
    if (!more_x && !more_y) return "";
    if (!more_x || !more_y || p != q)
      return "line " + std::to_string(line) + "\nin docs: " + p + "\nnow:     " + q;
  }
}

TEST(Reference, the_document_is_what_the_program_prints) {
  EXPECT_EQ(first_difference(document(), statement_reference()), "")
      << "make it again: build/bin/trammel reference > docs/statements.md";
}

/// Every statement and command has a section, a sentence, and a line of the overview that leads there.
TEST(Reference, nothing_is_left_out) {
  const std::string text = statement_reference();
  std::set<std::string_view> seen;
  for (const auto& table : {dataset_statements(), command_statements()})
    for (const StatementSpec& spec : table) {
      const std::string keyword(spec.keyword);
      EXPECT_NE(text.find("\n### " + keyword + "\n\n" + std::string(spec.help)), std::string::npos)
          << keyword;
      EXPECT_NE(text.find("| [" + keyword + "](#"), std::string::npos) << keyword;
      ASSERT_FALSE(spec.help.empty()) << keyword;
      EXPECT_EQ(spec.help.back(), '.') << keyword << ": one sentence";
      for (const Field& f : spec.fields) {
        EXPECT_NE(text.find("\n| `" + std::string(f.name) + "`"), std::string::npos)
            << keyword << ' ' << f.name;
        EXPECT_TRUE(f.kind == FieldKind::flag || !f.help.empty()) << keyword << ' ' << f.name;
        EXPECT_EQ(f.help.find('|'), std::string_view::npos)
            << keyword << ' ' << f.name << ": splits the table";
      }
    }
}

/// A chapter whose first statement is renamed would vanish, and two of the same name (links ignore case)
/// cannot both be linked.
TEST(Reference, heads_are_unique) {
  std::istringstream lines(statement_reference());
  std::set<std::string> heads;
  int chapters = 0;
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("## ") || line.starts_with("### ")) {
      EXPECT_TRUE(heads.insert(lower(line.substr(line.find(' ')))).second) << line;
      chapters += line.starts_with("## ");
    }
  EXPECT_EQ(chapters, 13);  // overview, ten chapters of statements, commands, functions
}

}  // namespace
}  // namespace trammel::reference_test
