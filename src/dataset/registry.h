// The lists of all statements and commands: reader, writer, checks and reference run over them.
#pragma once

#include <algorithm>
#include <array>
#include <span>

#include "element/force_law.h"
#include "language/commands.h"
#include "language/control.h"
#include "language/data.h"
#include "language/elastic.h"
#include "language/field.h"
#include "language/forces.h"
#include "language/joints.h"
#include "language/output.h"
#include "language/parts.h"
#include "language/systems.h"
#include "language/units.h"

namespace trammel {

namespace statements {

inline constexpr StatementSpec general_table[] = {
    units,       accgrav,     part,     point_mass, marker,     material,    flex_body,  fe_part, fe_node,
    fe_load,     section,     joint,    jprim,      coupler,    gear,        motion,     gcon,    ptcv,
    cvcv,        ucon,        sforce,   vforce,     vtorque,    gforce,      nforce,     mforce,  tire,
    friction,    contact,     graphics, variable,   diff,       lse,         tfsiso,     gse,     array,
    string,      spline,      matrix,   curve,      surface,    pinput,      poutput,    sensor,  request,
    mrequest,    output,      results,  ic,         kinematics, equilibrium, integrator, lsolver, debug,
    preferences, environment, list,     nolist,     end,
};

/// Those, and before NFORCE the statements of forces of two markers (element/force_law.h).
template <class... Force>
constexpr auto with_forces(ForceStatementList<Force...>) {
  std::array<StatementSpec, std::size(general_table) + sizeof...(Force)> all{};
  auto next = all.begin();
  for (const StatementSpec& s : general_table) {
    if (s.keyword == nforce.keyword) ((*next++ = Force::spec), ...);
    *next++ = s;
  }
  return all;
}
inline constexpr auto dataset_table = with_forces(ForceStatements());

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
