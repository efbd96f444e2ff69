// Helpers of the dataset tests.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "dataset/reader.h"

namespace trammel {

/// A message without its list of valid arguments, which tests of their own look at: "unknown argument 'X';
/// PART has ..."
inline std::string shortened(std::string text) {
  const std::size_t list = text.rfind(" has ");
  if (list != std::string::npos && text.find("unknown argument '") < list)
    text.resize(list + 5), text += "...";
  return text;
}

/// All diagnostics, one a line, shortened.
inline std::string messages(const Diagnostics& diagnostics) {
  std::string out;
  for (const Diagnostic& d : diagnostics.list()) out += shortened(to_string(d)) + "\n";
  return out;
}

/// Reads statements below a title; line 1 of `body` is line 2 of "d.adm". A ground part is put behind them
/// (as PART/9999) unless `body` has one.
inline Description read_body(const std::string& body, Diagnostics& diagnostics) {
  const bool has_ground = body.find("GROUND") != std::string::npos;
  return parse_dataset("title\n" + body + (has_ground ? "" : "\nPART/9999,GROUND"), "d.adm", diagnostics);
}

/// The same, where no message is expected.
inline Description read_good(const std::string& body) {
  Diagnostics diagnostics;
  Description deck = read_body(body, diagnostics);
  EXPECT_EQ(messages(diagnostics), "") << body;
  return deck;
}

/// What a description says, without places: two readings of the same deck agree in it to the last bit.
inline std::string content(const Description& deck) {
  std::string out = deck.title + "\n";
  for (const Statement& s : deck.statements) {
    out += s.label() + "\n";
    for (const Argument& a : s.arguments) {
      out += "  " + std::string(a.field->name) + "=" + a.text;
      for (double v : a.numbers) out += fmt::format(" {:a}", v);
      for (const std::string& w : a.words) out += "|" + w;
      out += "\n";
    }
  }
  return out;
}

}  // namespace trammel
