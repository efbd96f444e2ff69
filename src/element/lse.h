// LSE: linear state equations given by matrices.
//   ẋ = A x + B u,   y = C x + D u
#pragma once

#include <string>

#include "element/linear_system.h"
#include "language/field.h"

namespace trammel {

struct LseStatement {
  static constexpr Field fields[] = {
      {.name = "X",
       .kind = FieldKind::id,
       .refers = "ARRAY",
       .help = "ARRAY of the states",
       .required = true},
      {.name = "A", .kind = FieldKind::id, .refers = "MATRIX", .help = "states by states", .required = true},
      {.name = "B", .kind = FieldKind::id, .refers = "MATRIX", .help = "states by inputs", .needs = "U"},
      {.name = "U", .kind = FieldKind::id, .refers = "ARRAY", .help = "ARRAY of the inputs"},
      {.name = "C", .kind = FieldKind::id, .refers = "MATRIX", .help = "outputs by states", .needs = "Y"},
      {.name = "Y", .kind = FieldKind::id, .refers = "ARRAY", .help = "ARRAY of the outputs"},
      {.name = "D", .kind = FieldKind::id, .refers = "MATRIX", .help = "outputs by inputs", .needs = "U Y"},
      {.name = "IC",
       .kind = FieldKind::id,
       .refers = "ARRAY",
       .help = "ARRAY of the initial states; zero if absent"},
      {.name = "STATIC_HOLD", .help = "the states keep their values in statics"},
  };
  static constexpr StatementSpec spec{.keyword = "LSE",
                                      .fields = fields,
                                      .help = "Linear state equations.",
                                      .equation = "x' = A x + B u,  y = C x + D u"};

  static void check(const auto& s, auto& diagnostics) {
    if (s.has("U") && !s.has("B") && !s.has("D"))
      diagnostics.error(s.find("U")->where, "{}: U without B or D; an input must act on something",
                        s.label());
    if (s.has("Y") && !s.has("C") && !s.has("D"))
      diagnostics.error(s.find("Y")->where, "{}: Y without C or D; say what the outputs are", s.label());
  }

  static LinearSystem read(const auto& s, auto& data) {
    const int n = data.states(data.rows("A")), m = data.inputs(),
              p = data.outputs(data.rows(s.has("C") ? "C" : "D"));
    std::string why = "as X has " + std::to_string(n);
    if (s.has("U")) why += ", U " + std::to_string(m);
    if (s.has("Y")) why += ", Y " + std::to_string(p);
    LinearSystem system;
    system.initial = data.array("IC", n, "as X has");
    const auto a = data.matrix("A", n, n, why), b = data.matrix("B", n, m, why),
               c = data.matrix("C", p, n, why), d = data.matrix("D", p, m, why);
    for (int r = 0; r < n; ++r) system.rate.push_back({a[r], b[r]});
    for (int r = 0; r < p; ++r) system.output.push_back({c[r], d[r]});
    return system;
  }
};

}  // namespace trammel
