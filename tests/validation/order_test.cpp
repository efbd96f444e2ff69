// Observed order of HHT with fixed steps, uniform and alternating 1:2, against an independent reference.
#include <gtest/gtest.h>

#include <cmath>

#include <fmt/format.h>

#include "bench.h"
#include "table.h"

namespace trammel {
namespace {

/// Steps h = coarsest/2^k, k < levels, sampled every `interval` from `first` on to `end`.
struct OrderCase {
  std::string name;
  Model (*make)();
  double coarsest;
  int levels;
  double first, end, interval;
  int reference_steps;  ///< per interval
};

const char* const spring_body = R"(Body on a spring
UNITS/, FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND
PART/1, GROUND
MARKER/1, PART=1
PART/2, QG=0.3,0.1,-1.0, REULER=30D,70D,-20D, MASS=2, CM=20, IP=0.05,0.11,0.14, VX=0.5, VY=-0.2, WX=2, WY=-3, WZ=4
MARKER/20, PART=2
MARKER/21, PART=2, QP=0.15,0.1,0.05
SPRINGDAMPER/1, TRANSLATION, I=21, J=1, K=80, LENGTH=0.6
ACCGRAV/, KGRAV=-9.81
END
)";

struct Errors {
  double value[groups] = {};
};

std::vector<Snapshot> reference_samples(Bench& bench, const OrderCase& c) {
  std::vector<Snapshot> out;
  State state = bench.initial;
  Reference reference(bench);
  const int count = static_cast<int>(std::lround(c.end / c.interval));
  for (int k = 1; k <= count; ++k) {
    reference.advance(state, k * c.interval, c.reference_steps);
    out.push_back(observe(bench, state));
  }
  return out;
}

Errors errors_of_run(Bench& bench, const OrderCase& c, const std::vector<Snapshot>& reference, const HhtOptions& options, double h, bool alternating) {
  State state = bench.initial;
  Hht hht(bench.model, bench.assembler, bench.system, options);
  hht.start(state);
  Errors out;
  double scale[groups] = {};
  for (const Snapshot& r : reference)
    for (int g = 0; g < groups; ++g)
      for (double x : group(r, g)) scale[g] = std::max(scale[g], std::abs(x));
  const int per_sample = static_cast<int>(std::lround(c.interval / h));
  for (std::size_t k = 0; k < reference.size(); ++k) {
    for (int i = 0; i < per_sample; ++i) {
      const double factor = alternating ? (i % 2 == 0 ? 2.0 / 3 : 4.0 / 3) : 1.0;
      hht.step_exactly(state, factor * h);
    }
    if ((k + 1) * c.interval < c.first * (1 - 1e-9)) continue;
    const Snapshot s = observe(bench, state);
    for (int g = 0; g < groups; ++g)
      for (std::size_t i = 0; i < group(s, g).size(); ++i)
        out.value[g] = std::max(out.value[g], std::abs(group(s, g)[i] - group(reference[k], g)[i]) / scale[g]);
  }
  return out;
}

class Order : public testing::TestWithParam<OrderCase> {};

TEST_P(Order, is_two) {
  const OrderCase& c = GetParam();
  Bench bench(c.make());
  const std::vector<Snapshot> reference = reference_samples(bench, c);
  for (const HhtForm form : {HhtForm::second_order, HhtForm::equation_10})
    for (const bool alternating : {false, true})
      for (const double alpha : {0.0, -0.05, -0.1, -0.3}) {
        std::vector<double> hs, es[groups];
        fmt::print("{} form {} alt {} alpha {}\n", c.name, int(form), alternating, alpha);
        for (int k = 0; k < c.levels; ++k) {
          const double h = c.coarsest / (1 << k);
          try {
          const Errors e = errors_of_run(bench, c, reference, fixed_step_options(alpha, form), h, alternating);
          hs.push_back(h);
          std::string line;
          for (int g = 0; g < groups; ++g) {
            es[g].push_back(e.value[g]);
            line += fmt::format("  {:.2e} ({:.2f})", e.value[g], k ? std::log2(es[g][k - 1] / es[g][k]) : 0.0);
          }
          fmt::print("  h {:.2e} {}\n", h, line);
          } catch (const Failure& f) { fmt::print("  h {} {}\n", h, f.what()); break; }
        }
      }
}

INSTANTIATE_TEST_SUITE_P(all, Order, testing::Values(
  OrderCase{"slider_crank", [] { return load_model("slider_crank/slider_crank.adm"); }, 2e-3, 6, 0.1, 0.4, 0.02, 20},
  OrderCase{"andrews", [] { return load_model("andrews/andrews.adm"); }, 2e-5, 5, 0.002, 0.01, 2e-4, 8},
  OrderCase{"heavy_top", [] { return load_model("heavy_top/heavy_top.adm"); }, 4e-4, 6, 0.02, 0.1, 0.004, 20},
  OrderCase{"spring_body", [] { return model_from_text(spring_body); }, 4e-3, 6, 0.1, 1.0, 0.04, 20},
  OrderCase{"spring_mass_diff", [] { return load_model("spring_mass_diff/spring_mass_diff.adm"); }, 4e-3, 6, 0.1, 1.0, 0.04, 20}
  ), [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace trammel
