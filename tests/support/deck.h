// Decks as text: compiled models and pieces of datasets for tests.
#pragma once

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "../support/random.h"
#include "dataset/permissive.h"
#include "dataset/reader.h"
#include "math/rotation.h"
#include "model/compile.h"

namespace trammel::test {

/// Model of a dataset given as text; the title line and END are added. Throws Failure on any error.
inline Model compile_text(const std::string& body, const std::string& file = "test.adm") {
  Diagnostics diagnostics;
  const Description description = parse_dataset("title\n" + body + "END\n", file, diagnostics);
  report_unsupported(description, diagnostics);
  diagnostics.stop_on_errors();
  Model model = compile(description, diagnostics);
  diagnostics.stop_on_errors();
  return model;
}

/// What is said of a deck that does not compile, "accepted" of one that does; `code` is the expected exit
/// code.
inline std::string message_of(const std::string& body, ExitCode code = ExitCode::input) {
  try {
    compile_text(body, "deck.adm");
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), code) << failure.what();
    return failure.what();
  }
  return "accepted";
}

inline std::string list(const Vec3d& v) {
  return fmt::format("{:.17g}, {:.17g}, {:.17g}", v.x, v.y, v.z);
}

/// REULER of an orientation.
inline std::string euler(const Mat3d& a) {
  return list(angles_313(a));
}

/// "MARKER/id, PART = part, QP = ..., REULER = ...".
inline std::string marker(int id, const std::string& owner, const Vec3d& place, const Mat3d& axes) {
  return fmt::format("MARKER/{}, {}\n, QP = {}\n, REULER = {}\n", id, owner, list(place), euler(axes));
}

}  // namespace trammel::test
