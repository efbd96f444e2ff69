// Flexible bodies of files that name no units: those of the deck.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "../support/deck.h"
#include "../support/temporary_file.h"

namespace trammel::flexible_units_test {
namespace {

using namespace test;

/// Two masses of 1 kg at ±1/3 m on a spring, with one mode: modal mass 18 and 500 cycles per second. Lengths
/// of the file are in `length` m, masses in kg, forces in N.
std::string two_masses(double length) {
  const double k = 18 * std::pow(2 * std::numbers::pi * 500, 2), J = 0.1 / (length * length);
  const auto group = [](const char* number, const std::string& lines) {
    return fmt::format("** RECORD GROUP {}\n{}\n", number, lines);
  };
  return group("1, HEADER", "REV0 2 1 0 0 0") + group("2", "1 2") + group("3", "0") + group("4", "0") +
         group("5", fmt::format("0 {:.17g}", 1 / length)) + group("6", "0 0") + group("7", "0 0") +
         group("8", fmt::format("{0:.17g} 0 0 0 0 0\n-{0:.17g} 0 0 0 0 0", 3 / length)) +
         group("9", fmt::format("{:.17g}", 18 / (length * length))) +
         group("10", fmt::format("{:.17g}", k / length)) +
         group("11", fmt::format("1 1 1 {0:.17g} {0:.17g} {0:.17g}\n1 1 1 {0:.17g} {0:.17g} {0:.17g}", J));
}

/// A mode of 500 cycles per second is damped by a tenth of critical damping, and is above a DYNAMIC_LIMIT of
/// 100, in metres and in millimetres, where the bare √(k/m) of the file is 1/31.6 of its frequency.
TEST(FlexibleUnits, frequencies_of_a_file_without_units_are_those_of_the_deck) {
  for (const auto& [unit, length] : {std::pair{"METER", 1.0}, {"MILLIMETER", 1e-3}}) {
    const TemporaryFile file("two.fem", two_masses(length));
    for (const std::string limit : {"", ",DYNAMIC_LIMIT=100"}) {
      SCOPED_TRACE(unit + limit);
      Diagnostics diagnostics;
      const std::string deck = fmt::format(
          "two masses\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH={},TIME=SECOND\nPART/1,GROUND\n"
          "MARKER/1,PART=1\nFLEX_BODY/2,MNF_FILE={}{}\nEND\n",
          unit, file.path(), limit);
      const Model model = compile(parse_dataset(deck, "two.adm", diagnostics), diagnostics);
      diagnostics.stop_on_errors();
      EXPECT_EQ(diagnostics.count(Severity::warning), 0);
      ASSERT_EQ(model.flexible_bodies.size(), 1u);
      const FlexibleBody& f = model.flexible_bodies[0];
      ASSERT_EQ(f.modes, 1);
      EXPECT_NEAR(f.frequency[0], 500, 1e-9);
      if (limit.empty()) {
        EXPECT_NEAR(f.damping[0], 2 * 0.1 * std::sqrt(f.stiffness[0] * f.mass[0]), 1e-9 * f.damping[0]);
      }
      EXPECT_EQ(f.dynamic, limit.empty() ? 1 : 0);
    }
  }
}

}  // namespace
}  // namespace trammel::flexible_units_test
