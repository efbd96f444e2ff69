#include "session/commands/table.h"

#include "session/commands/change.h"
#include "session/commands/debug.h"
#include "session/commands/echoed.h"
#include "session/commands/info.h"
#include "session/commands/linear.h"
#include "session/commands/save.h"
#include "session/commands/settings.h"
#include "session/commands/show.h"
#include "session/commands/simulate.h"

namespace trammel {

namespace {

using namespace commands;

constexpr CommandRow command_rows[] = {
    {"SIMULATE", plan_simulate, execute_simulate, false},
    {"INTEGRATOR", plan_analysis_setting, execute_analysis_setting, false},
    {"IC", plan_analysis_setting, execute_analysis_setting, false},
    {"KINEMATICS", plan_analysis_setting, execute_analysis_setting, false},
    {"EQUILIBRIUM", plan_analysis_setting, execute_analysis_setting, false},
    {"OUTPUT", plan_file_setting},
    {"RESULTS", plan_file_setting},
    {"DEBUG", plan_debug},
    {"ACTIVATE", plan_change, execute_change},
    {"DEACTIVATE", plan_change, execute_change},
    {"INFO", plan_info, execute_info},
    {"SHOW", plan_show, execute_show},
    {"SAVE", plan_save, execute_save},
    {"RELOAD", plan_reload, execute_reload},
    // Carried out by the reader:
    {"FILE", plan_echo},
    {"STOP", plan_echo},
    // Of no effect:
    {"LSOLVER", plan_echo},
    {"PREFERENCES", plan_echo},
    {"ENVIRONMENT", plan_echo},
    {"TIME", plan_echo},
    // Carried out by the run:
    {"LINEAR", plan_linear, execute_linear},
    // Refused by the reader:
    {"CONTROL", plan_echo},
};
constexpr CommandRow redefinition{"", plan_change, execute_change};

}  // namespace

std::span<const CommandRow> command_table() {
  return command_rows;
}

const CommandRow& command_row(std::string_view keyword) {
  for (const CommandRow& row : command_rows)
    if (row.keyword == keyword) return row;
  return redefinition;
}

}  // namespace trammel
