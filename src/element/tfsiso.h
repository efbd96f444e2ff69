// TFSISO: a transfer function from one input to one output, in controller form.
//   ẋ_k = x_{k+1},   ẋₙ = (u − Σ a_k x_{k+1})/aₙ,   y = Σ (b_k − bₙ a_k/aₙ) x_{k+1} + bₙ/aₙ u
#pragma once

#include "element/linear_system.h"
#include "language/field.h"

namespace trammel {

struct TfsisoStatement {
  static constexpr Field fields[] = {
      {.name = "X",
       .kind = FieldKind::id,
       .refers = "ARRAY",
       .help = "ARRAY of the states",
       .required = true},
      {.name = "U", .kind = FieldKind::id, .refers = "ARRAY", .help = "ARRAY of the input", .required = true},
      {.name = "Y",
       .kind = FieldKind::id,
       .refers = "ARRAY",
       .help = "ARRAY of the output",
       .required = true},
      {.name = "NUMERATOR",
       .kind = FieldKind::real,
       .max_count = 31,
       .help = "coefficients b0, b1 ... by ascending powers of s",
       .required = true},
      {.name = "DENOMINATOR",
       .kind = FieldKind::real,
       .min_count = 2,
       .max_count = 31,
       .help = "coefficients a0, a1 ... by ascending powers of s",
       .required = true},
      {.name = "STATIC_HOLD", .help = "the states keep their values in statics"},
  };
  static constexpr StatementSpec spec{
      .keyword = "TFSISO",
      .fields = fields,
      .help = "Transfer function from one input to one output, zero initial states.",
      .equation = "y(s) / u(s) = (b0 + b1 s + ...) / (a0 + a1 s + ...)"};

  static void check(const auto& s, auto& diagnostics) {
    const auto *numerator = s.find("NUMERATOR"), *denominator = s.find("DENOMINATOR");
    if (!numerator || !denominator) return;
    if (denominator->numbers.back() == 0)
      diagnostics.error(denominator->where,
                        "{}: the last coefficient of DENOMINATOR is 0; leave out zeros at the end",
                        s.label());
    auto coefficients = numerator->numbers.size();
    while (coefficients > 1 && numerator->numbers[coefficients - 1] == 0) --coefficients;
    if (coefficients > denominator->numbers.size())
      diagnostics.error(
          numerator->where,
          "{}: NUMERATOR has degree {}, DENOMINATOR {}; the output of such a system has no bound", s.label(),
          coefficients - 1, denominator->numbers.size() - 1);
  }

  static LinearSystem read(const auto& s, auto& data) {
    const auto *numerator = s.find("NUMERATOR"), *denominator = s.find("DENOMINATOR");
    if (!numerator || !denominator) return data.none();
    const auto& a = denominator->numbers;
    const int n = static_cast<int>(a.size()) - 1;
    data.size_must_be("X", data.states(n), n, "the degree of DENOMINATOR");
    data.size_must_be("U", data.inputs(), 1, "the one input");
    data.size_must_be("Y", data.outputs(1), 1, "the one output");
    if (a.back() == 0) return data.none();
    std::vector<double> b = numerator->numbers;
    b.resize(a.size());
    LinearSystem system;
    system.rate.resize(n);
    system.output.resize(1);
    for (int k = 0; k + 1 < n; ++k) system.rate[k].states.emplace_back(k + 1, 1.0);
    for (int k = 0; k < n; ++k) {
      if (a[k] != 0) system.rate[n - 1].states.emplace_back(k, -a[k] / a[n]);
      const double c = b[k] - b[n] * a[k] / a[n];
      if (c != 0) system.output[0].states.emplace_back(k, c);
    }
    system.rate[n - 1].inputs.emplace_back(0, 1 / a[n]);
    if (b[n] != 0) system.output[0].inputs.emplace_back(0, b[n] / a[n]);
    return system;
  }
};

}  // namespace trammel
