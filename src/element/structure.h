// STRUCTURE: a linear structure given by matrices, as states x = (q, q̇).
//   M q̈ + C q̇ + K q = B u
#pragma once

#include <string>

#include "element/linear_system.h"
#include "language/field.h"

namespace trammel {

struct StructureStatement {
  static constexpr Field fields[] = {
      {.name = "X",
       .kind = FieldKind::id,
       .refers = "ARRAY",
       .help = "ARRAY of q, then q'",
       .required = true},
      {.name = "M", .kind = FieldKind::id, .refers = "MATRIX", .help = "masses, square", .required = true},
      {.name = "C", .kind = FieldKind::id, .refers = "MATRIX", .help = "dampers; none if absent"},
      {.name = "K", .kind = FieldKind::id, .refers = "MATRIX", .help = "stiffnesses; none if absent"},
      {.name = "B", .kind = FieldKind::id, .refers = "MATRIX", .help = "coordinates by inputs", .needs = "U"},
      {.name = "U", .kind = FieldKind::id, .refers = "ARRAY", .help = "ARRAY of the inputs: forces"},
      {.name = "IC",
       .kind = FieldKind::id,
       .refers = "ARRAY",
       .help = "ARRAY of q and q' at the start; zero if absent"},
      {.name = "STATIC_HOLD", .help = "the states keep their values in statics"},
  };
  static constexpr StatementSpec spec{
      .keyword = "STRUCTURE",
      .fields = fields,
      .help =
          "Linear structure, its equations of motion given by matrices (a statement of this program, not "
          "of ADAMS).",
      .equation = "M q'' + C q' + K q = B u"};

  static void check(const auto& s, auto& diagnostics) {
    if (s.has("U") && !s.has("B"))
      diagnostics.error(s.find("U")->where, "{}: U without B; say on which coordinates the inputs act",
                        s.label());
  }

  static LinearSystem read(const auto& s, auto& data) {
    const int states = data.states(2 * data.rows("M")), n = states / 2, inputs = data.inputs();
    std::string why = "as X has " + std::to_string(states) + ", q and q'";
    if (s.has("U")) why += ", U " + std::to_string(inputs);
    LinearSystem system;
    system.initial = data.array("IC", 2 * n, "as X has");
    const auto m = data.matrix("M", n, n, why), c = data.matrix("C", n, n, why),
               k = data.matrix("K", n, n, why), b = data.matrix("B", n, inputs, why);
    for (int r = 0; r < n; ++r) system.rate.push_back({{{n + r, 1.0}}, {}});
    for (int r = 0; r < n; ++r) {
      LinearRow row{k[r], {}, {}, true};
      for (const auto& [j, value] : c[r]) row.states.emplace_back(n + j, value);
      for (const auto& [j, value] : b[r]) row.inputs.emplace_back(j, -value);
      for (const auto& [j, value] : m[r]) row.rates.emplace_back(n + j, value);
      system.rate.push_back(std::move(row));
    }
    return system;
  }
};

}  // namespace trammel
