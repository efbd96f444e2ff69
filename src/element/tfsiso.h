// TFSISO: a transfer function from one input to one output, in observer form. With aₙ = 1,
//   ẋ_k = −a_{n−k}/w^{k−1} x₁ + w x_{k+1} + (b_{n−k} − bₙ a_{n−k})/w^{k−1} u,   y = x₁ + bₙ u,   k = 1 … n,
//   x_{n+1} = 0
// The first state is what y has of the past, and the others have its size: their time is that of the system,
// w = |a₀|^{1/n}. So ERROR of states is that of the output, whatever factor NUMERATOR and DENOMINATOR have in
// common.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

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
    const double through = b[n] / a[n], w = rate_of(a);
    LinearSystem system;
    system.rate.resize(n);
    system.output.resize(1);
    double scale = 1;  // w^{k−1}
    for (int k = 1; k <= n; ++k, scale *= w) {
      LinearRow& row = system.rate[k - 1];
      const double own = a[n - k] / a[n], by_input = b[n - k] / a[n] - through * own;
      if (own != 0) row.states.emplace_back(0, -own / scale);
      if (k < n) row.states.emplace_back(k, w);
      if (by_input != 0) row.inputs.emplace_back(0, by_input / scale);
    }
    system.output[0].states.emplace_back(0, 1.0);
    if (through != 0) system.output[0].inputs.emplace_back(0, through);
    return system;
  }

 private:
  /// (|a_k / aₙ|)^{1/(n−k)} of the first a_k that is not 0, as a power of two; 1 where all others are 0.
  static double rate_of(const std::vector<double>& a) {
    const auto n = a.size() - 1;
    for (std::size_t k = 0; k < n; ++k)
      if (a[k] != 0)
        return std::exp2(std::round(std::log2(std::fabs(a[k] / a[n])) / static_cast<double>(n - k)));
    return 1;
  }
};

}  // namespace trammel
