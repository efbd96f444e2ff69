// The lists of all statements and commands: reader, writer, checks and reference run over them.
#pragma once

#include <algorithm>
#include <array>
#include <span>

#include "element/contact.h"
#include "element/coupling_statements.h"
#include "element/force_law.h"
#include "element/multi_point_law.h"
#include "element/system_statements.h"
#include "language/commands.h"
#include "language/control.h"
#include "language/data.h"
#include "language/elastic.h"
#include "language/field.h"
#include "language/flexible.h"
#include "language/forces.h"
#include "language/friction.h"
#include "language/joints.h"
#include "language/output.h"
#include "language/parts.h"
#include "language/systems.h"
#include "language/units.h"

namespace trammel {

namespace statements {

inline constexpr StatementSpec general_table[] = {
    units,       accgrav,    part,    point_mass, marker,      material,    flex_body, fe_part, fe_node,
    fe_load,     section,    joint,   jprim,      motion,      gcon,        ptcv,      cvcv,    ucon,
    sforce,      vforce,     vtorque, gforce,     mforce,      tire,        friction,  contact, graphics,
    variable,    diff,       array,   string,     spline,      matrix,      curve,     surface, pinput,
    poutput,     pstate,     sensor,  request,    mrequest,    output,      results,   ic,      kinematics,
    equilibrium, integrator, lsolver, debug,      preferences, environment, list,      nolist,  end,
};

/// Those; before MOTION the statements that couple joints (element/coupling_statements.h), before MFORCE
/// those of forces that are laws (element/force_law.h, multi_point_law.h), before ARRAY those that are
/// systems (element/system_statements.h).
template <class... Coupling, class... Force, class... MultiPoint, class... System>
constexpr auto with_lists(CouplingStatementList<Coupling...>, ForceStatementList<Force...>,
                          MultiPointStatementList<MultiPoint...>, SystemStatementList<System...>) {
  constexpr std::size_t listed =
      sizeof...(Coupling) + sizeof...(Force) + sizeof...(MultiPoint) + sizeof...(System);
  std::array<StatementSpec, std::size(general_table) + listed> all{};
  auto next = all.begin();
  const auto add = [&](StatementSpec spec, ElementClass element) {
    spec.element = element;
    *next++ = spec;
  };
  for (const StatementSpec& s : general_table) {
    if (s.keyword == motion.keyword) (add(Coupling::spec, ElementClass::reaction_force), ...);
    if (s.keyword == mforce.keyword)
      (add(Force::spec, ElementClass::applied_force), ...),
          (add(MultiPoint::spec, ElementClass::applied_force), ...);
    if (s.keyword == array.keyword) (add(System::spec, ElementClass::system_element), ...);
    *next++ = s;
  }
  return all;
}
inline constexpr auto dataset_table =
    with_lists(CouplingStatements(), ForceStatements(), MultiPointStatements(), SystemStatements());

/// Whether elements of a statement may go out of force.
constexpr bool has_activity(const StatementSpec& s) {
  return s.element != ElementClass::none && s.element != ElementClass::part;
}
/// The arguments of ACTIVATE and DEACTIVATE: a kind of elements, and which of them.
inline constexpr auto activity_fields = [] {
  constexpr auto kinds = std::count_if(dataset_table.begin(), dataset_table.end(), has_activity);
  std::array<Field, kinds + std::size(which_elements)> all{};
  auto next = all.begin();
  for (const StatementSpec& s : dataset_table)
    if (has_activity(s))
      *next++ = {.name = s.keyword, .help = "these elements", .group = "type", .support = s.support};
  std::copy(std::begin(which_elements), std::end(which_elements), next);
  all[0].required = true;
  return all;
}();
inline constexpr StatementSpec activate{.keyword = "ACTIVATE",
                                        .has_id = false,
                                        .fields = activity_fields,
                                        .help = "Brings elements back into force."};
inline constexpr StatementSpec deactivate{.keyword = "DEACTIVATE",
                                          .has_id = false,
                                          .fields = activity_fields,
                                          .help = "Takes elements out of force; they keep their places."};

inline constexpr StatementSpec command_table[] = {
    file,       simulate, integrator, output,  stop,        ic,          kinematics,   equilibrium,
    lsolver,    debug,    show,       results, preferences, environment, time_command, activate,
    deactivate, linear,   save,       reload,  info,        control,
};

}  // namespace statements

/// Every statement of a dataset, in no particular order of meaning.
inline constexpr std::span<const StatementSpec> dataset_statements() {
  return statements::dataset_table;
}

/// Every command of a command file. Redefinitions (PART/2, MASS=3) are statements of the dataset.
inline constexpr std::span<const StatementSpec> command_statements() {
  return statements::command_table;
}

}  // namespace trammel
