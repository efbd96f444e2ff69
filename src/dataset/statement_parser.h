// Inside parse.cpp and parse_values.cpp: the reader of one statement.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "dataset/description.h"
#include "dataset/lines.h"
#include "dataset/scanner.h"

namespace trammel {

/// Text for messages, in quotation marks, with the marks of joined lines replaced by what they stand for.
std::string shown(std::string_view text);

/// Walks over one statement's text from keyword to last argument.
class StatementParser {
 public:
  StatementParser(const RawStatement& raw, const SharedName& file, Diagnostics& diagnostics, Statement& out)
      : raw_(raw), file_(file), diagnostics_(diagnostics), out_(out), scan_{raw.text} {}

  bool head(std::span<const StatementSpec> known);
  void arguments();
  bool sound() const { return sound_; }

 private:
  template <class... Args>
  void mistake(std::size_t offset, fmt::format_string<Args...> format, Args&&... args) {
    sound_ = false;
    const std::string label = out_.label();
    diagnostics_.error({*file_, raw_.line_of(offset)}, "{}{}{}", label, label.empty() ? "" : ": ",
                       fmt::format(format, std::forward<Args>(args)...));
  }

  /// A number in degrees in an argument that may be a length.
  struct Degrees {
    const Field* field;
    std::size_t place;  ///< among the values, from 0
    std::string token;
    std::size_t offset;
  };

  enum class Step { go_on, end, fail };

  bool identifier();
  void raw_arguments();
  void one_argument();
  bool value_is_a_flag();
  const Field* field_named(std::string_view word, std::size_t offset);
  void value_of(const Field& field, Argument& argument);
  void number_list(const Field& field, Argument& argument);
  bool more_values(const Field& field, const Argument& argument);
  bool number(const Field& field, std::string_view token, std::size_t offset, Argument& argument);
  void refuse_degrees_of_lengths();
  void keyword_list(const Field& field, Argument& argument);
  void expression(const Field& field, Argument& argument);
  Step comma_in(const Field& field, std::string& text, const std::string& open);
  bool slash_closes(const Field& field) const;
  bool stays_in_list(const Field& field, Scanner ahead) const;
  void text_list(const Field& field, Argument& argument);
  std::string one_text(const Field& field);
  void long_text(const Field& field, Argument& argument);
  bool joins_operands(std::string_view before, std::size_t after) const;

  const RawStatement& raw_;
  const SharedName& file_;
  Diagnostics& diagnostics_;
  Statement& out_;
  Scanner scan_;
  std::vector<Degrees> degrees_;
  bool sound_ = true;
};

}  // namespace trammel
