// The table of commands against the field tables by which they are read, and what docs/add_command.md quotes.
#include "session/commands/table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "dataset/registry.h"

namespace trammel::command_table_test {
namespace {

TEST(CommandTable, every_command_has_one_row_and_every_row_is_a_command) {
  const auto rows_of = [](std::string_view keyword) {
    return std::count_if(command_table().begin(), command_table().end(),
                         [&](const CommandRow& row) { return row.keyword == keyword; });
  };
  for (const StatementSpec& spec : command_statements()) {
    EXPECT_EQ(rows_of(spec.keyword), 1) << spec.keyword;
    EXPECT_EQ(command_row(spec.keyword).keyword, spec.keyword);
  }
  EXPECT_EQ(command_table().size(), command_statements().size());
}

TEST(CommandTable, a_statement_of_the_dataset_alone_is_a_change) {
  const CommandRow& change = command_row("PART");
  const CommandRow& activate = command_row("ACTIVATE");
  EXPECT_EQ(change.plan, activate.plan);
  EXPECT_EQ(change.execute, activate.execute);
}

std::string text_of(const std::string& path) {
  std::ifstream file(std::string(TRAMMEL_SOURCE_DIR) + "/" + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(AddCommand, what_the_page_quotes_stands_in_the_sources) {
  const std::string page = text_of("docs/add_command.md");
  const std::string mark = "<!-- src/", fence = "```cpp\n", end = "```";
  int quotations = 0;
  for (std::size_t at = page.find(mark); at != std::string::npos; at = page.find(mark, at + 1)) {
    const std::string path = page.substr(at + 5, page.find(" -->", at) - at - 5);
    const std::size_t begin = page.find(fence, at) + fence.size();
    const std::string quoted = page.substr(begin, page.find(end, begin) - begin);
    EXPECT_NE(text_of(path).find(quoted), std::string::npos) << path << " does not have\n" << quoted;
    ++quotations;
  }
  EXPECT_EQ(quotations, 2);
  EXPECT_NE(page.find(text_of("src/session/commands/show.h")), std::string::npos) << "all of SHOW";
}

}  // namespace
}  // namespace trammel::command_table_test
