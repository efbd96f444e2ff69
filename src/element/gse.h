// GSE: a system of equations by user code, Gse_deriv and Gse_output.
//   ẋ = f(x, u, t),   y = g(x, u, t)
#pragma once

#include <utility>

#include "element/linear_system.h"
#include "language/field.h"

namespace trammel {

struct GseStatement {
  static constexpr Field fields[] = {
      {.name = "NS",
       .kind = FieldKind::integer,
       .check = ">=0",
       .help = "number of states; as many as X has if absent"},
      {.name = "NO",
       .kind = FieldKind::integer,
       .check = ">=0",
       .help = "number of outputs; as many as Y has if absent"},
      {.name = "ND",
       .kind = FieldKind::integer,
       .help = "number of discrete states",
       .support = Support::unsupported},
      {.name = "X", .kind = FieldKind::id, .refers = "ARRAY", .help = "ARRAY of the states"},
      {.name = "U", .kind = FieldKind::id, .refers = "ARRAY", .help = "ARRAY of the inputs"},
      {.name = "Y", .kind = FieldKind::id, .refers = "ARRAY", .help = "ARRAY of the outputs"},
      {.name = "XD",
       .kind = FieldKind::id,
       .refers = "ARRAY",
       .help = "ARRAY of the discrete states",
       .support = Support::unsupported},
      {.name = "IC",
       .kind = FieldKind::id,
       .refers = "ARRAY",
       .help = "ARRAY of the initial states; zero if absent",
       .needs = "X"},
      {.name = "ICD",
       .kind = FieldKind::id,
       .refers = "ARRAY",
       .help = "ARRAY of the initial discrete states",
       .support = Support::unsupported},
      {.name = "FUNCTION",
       .kind = FieldKind::expression,
       .help = "USER(r1, ...): by user code, with these numbers",
       .required = true,
       .needs = "ROUTINE",
       .user_call = true},
      {.name = "ROUTINE",
       .kind = FieldKind::text,
       .max_count = 4,
       .help = "library::function of rates, of updates of discrete states, of outputs, of sampling; of one "
               "library alone: Gse_deriv and Gse_output in it",
       .needs = "FUNCTION"},
      {.name = "SAMPLE_OFFSET",
       .kind = FieldKind::real,
       .unit = "time",
       .help = "time of the first sample",
       .support = Support::unsupported},
      {.name = "IMPLICIT",
       .help = "the code gives residuals of rates in place of rates",
       .support = Support::unsupported},
      {.name = "STATICS_ONLY",
       .help = "the states keep their values in dynamics",
       .support = Support::unsupported},
      {.name = "STATIC_HOLD", .help = "the states keep their values in statics"},
  };
  static constexpr StatementSpec spec{.keyword = "GSE",
                                      .fields = fields,
                                      .help = "State equations by user code.",
                                      .equation = "x' = f(x, u, t),  y = g(x, u, t)"};

  static void check(const auto& s, auto& diagnostics) {
    if (!s.has("X") && !s.has("Y"))
      diagnostics.error(s.where, "{}: neither X nor Y is given; say which ARRAYs have its states and outputs",
                        s.label());
    for (const auto& [number, array] : {std::pair{"NS", "X"}, {"NO", "Y"}})
      if (s.integer(number, 0) > 0 && !s.has(array))
        diagnostics.error(s.find(number)->where, "{}: {} without {}, the ARRAY that has them", s.label(),
                          number, array);
    if (const auto* call = s.find("FUNCTION"); call && !s.has("ROUTINE"))
      diagnostics.error(call->where,
                        "{}: FUNCTION without ROUTINE=library::function, the code of its equations",
                        s.label());
  }

  /// Rows without terms, whose sums the code gives.
  static LinearSystem read(const auto& s, auto& data) {
    LinearSystem system;
    const int wanted = s.integer("NS", 0), outputs = s.integer("NO", 0), n = data.states(wanted),
              p = data.outputs(outputs);
    if (s.has("NS")) data.size_must_be("X", n, wanted, "as NS says");
    if (s.has("NO")) data.size_must_be("Y", p, outputs, "as NO says");
    if (n == 0) data.size_must_be("X", n, 1, "at least, by SIZE or NS");
    if (p == 0) data.size_must_be("Y", p, 1, "at least, by SIZE or NO");
    system.initial = data.array("IC", n, "as X has");
    system.rate.resize(n);
    system.output.resize(p);
    system.by_code = true;
    return system;
  }
};

}  // namespace trammel
