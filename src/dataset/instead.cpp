#include "dataset/instead.h"

#include "base/text.h"

namespace trammel {

std::string_view instead_of(std::string_view keyword) {
  constexpr std::string_view plant =
      "a plant is a PINPUT/id, VARIABLES=... with its inputs and a POUTPUT/id, VARIABLES=... with its "
      "outputs, "
      "which LINEAR/STATEMAT, PINPUT=id, POUTPUT=id takes";
  struct Advice {
    std::string_view keyword, text;
  };
  constexpr Advice table[] = {
      {"PLANT", plant},
      {"PLANT_INPUT", plant},
      {"PLANT_OUTPUT", plant},
      {"PLANT_STATE", "the states of a linear model are chosen by PSTATE/id, VARIABLES=..."},
      {"AUGMENTED_LAGRANGIAN_FORMULATION",
       "give POISSON a larger PENALTY, which lessens the depth of rest as much and leaves the speeds of "
       "RESTITUTION_COEFFICIENT as they are"},
      {"FRICTION_FUNCTION", "give COULOMB_FRICTION=ON with its coefficients and velocities"},
  };
  for (const Advice& row : table)
    if (equal_ignoring_case(row.keyword, keyword)) return row.text;
  return "";
}

}  // namespace trammel
