// The field tables themselves: everything that they name exists, every range can be read.
#include <set>

#include "base/text.h"
#include "dataset/check.h"
#include "dataset/names.h"
#include "dataset/registry.h"
#include "support.h"

namespace trammel::tables_test {
namespace {

std::vector<const StatementSpec*> all_specs() {
  std::vector<const StatementSpec*> all;
  for (const StatementSpec& spec : dataset_statements()) all.push_back(&spec);
  for (const StatementSpec& spec : command_statements()) all.push_back(&spec);
  return all;
}

bool has_field(const StatementSpec& spec, std::string_view name) {
  for (const Field& field : spec.fields)
    if (field.name == name) return true;
  return false;
}

TEST(Tables, FieldsAreConsistent) {
  for (const StatementSpec* spec : all_specs()) {
    std::set<std::string_view> names;
    EXPECT_FALSE(spec->help.empty()) << spec->keyword;
    for (const Field& field : spec->fields) {
      const std::string where = std::string(spec->keyword) + "." + std::string(field.name);
      EXPECT_TRUE(names.insert(field.name).second) << where << " stands twice";
      EXPECT_FALSE(field.help.empty()) << where;
      EXPECT_LE(field.min_count, field.max_count) << where;
      EXPECT_NO_THROW(fulfils(field.check, 1.0)) << where;
      const bool ids = field.kind == FieldKind::id || field.kind == FieldKind::ids;
      EXPECT_EQ(ids, !field.refers.empty()) << where;
      if (ids) {
        EXPECT_NE(dataset_statement(field.refers), nullptr) << where;
      }
      const bool chooses = field.kind == FieldKind::choice || field.kind == FieldKind::choices;
      EXPECT_EQ(chooses, !field.choices.empty()) << where;
      if (!field.needs.empty()) {
        for (std::string_view one : split(field.needs, ' ')) {
          for (std::string_view name : split(one, '|')) {
            EXPECT_TRUE(has_field(*spec, name)) << where;
          }
        }
      }
      if (!field.alias.empty()) {
        for (std::string_view alias : split(field.alias, '|')) {
          EXPECT_FALSE(has_field(*spec, alias)) << where;
        }
      }
    }
  }
}

TEST(Tables, FullNamesAreFound) {
  for (const StatementSpec* spec : all_specs())
    for (std::size_t k = 0; k < spec->fields.size(); ++k) {
      EXPECT_EQ(find_field(spec->fields, spec->fields[k].name).index, static_cast<int>(k));
      EXPECT_EQ(find_field(spec->fields, lower(spec->fields[k].name)).index, static_cast<int>(k));
    }
}

TEST(Tables, EveryStatementOfTheLanguageIsKnown) {
  for (std::string_view keyword :
       {"UNITS",        "ACCGRAV", "PART",        "POINT_MASS",  "MATERIAL",   "FE_PART",     "FE_NODE",
        "FE_LOAD",      "SECTION", "MARKER",      "FLEX_BODY",   "JOINT",      "JPRIM",       "COUPLER",
        "GEAR",         "MOTION",  "GCON",        "PTCV",        "CVCV",       "UCON",        "SFORCE",
        "SPRINGDAMPER", "VFORCE",  "VTORQUE",     "GFORCE",      "BUSHING",    "FIELD",       "BEAM",
        "NFORCE",       "MFORCE",  "TIRE",        "FRICTION",    "CONTACT",    "GRAPHICS",    "VARIABLE",
        "DIFF",         "LSE",     "TFSISO",      "GSE",         "ARRAY",      "STRING",      "SPLINE",
        "MATRIX",       "CURVE",   "SURFACE",     "PINPUT",      "POUTPUT",    "SENSOR",      "REQUEST",
        "MREQUEST",     "RESULTS", "OUTPUT",      "IC",          "KINEMATICS", "EQUILIBRIUM", "INTEGRATOR",
        "LSOLVER",      "DEBUG",   "PREFERENCES", "ENVIRONMENT", "LIST",       "NOLIST",      "END"})
    EXPECT_NE(dataset_statement(keyword), nullptr) << keyword;
  for (std::string_view keyword :
       {"FILE",     "SIMULATE",   "INTEGRATOR", "EQUILIBRIUM", "IC",          "KINEMATICS",
        "ACTIVATE", "DEACTIVATE", "SAVE",       "RELOAD",      "DEBUG",       "LSOLVER",
        "LINEAR",   "OUTPUT",     "RESULTS",    "PREFERENCES", "ENVIRONMENT", "INFO",
        "SHOW",     "TIME",       "CONTROL",    "STOP"}) {
    const Lookup found = find_statement(command_statements(), keyword);
    ASSERT_GE(found.index, 0) << keyword;
    EXPECT_EQ(command_statements()[static_cast<std::size_t>(found.index)].keyword, keyword);
  }
}

/// As docs/commands.md (ACTIVATE) and docs/file_formats.md (NOREACTIONFORCES ...) list them.
TEST(Tables, KindsOfElements) {
  using Keywords = std::set<std::string_view>;
  Keywords taken, refused, reactions, forces;
  for (const Field& field : statements::activate.fields)
    if (field.group == "type") (field.support == Support::works ? taken : refused).insert(field.name);
  EXPECT_EQ(taken,
            (Keywords{"JOINT",     "JPRIM",        "MOTION", "GCON",    "COUPLER",  "GEAR",    "PTCV",
                      "CVCV",      "SFORCE",       "VFORCE", "VTORQUE", "GFORCE",   "NFORCE",  "VARIABLE",
                      "BUSHING",   "SPRINGDAMPER", "BEAM",   "FIELD",   "FRICTION", "DIFF",    "LSE",
                      "STRUCTURE", "TFSISO",       "GSE",    "REQUEST", "SENSOR",   "CONTACT", "MFORCE"}));
  EXPECT_EQ(refused, (Keywords{"UCON", "TIRE", "MREQUEST"}));
  for (const StatementSpec& spec : dataset_statements()) {
    if (spec.element == ElementClass::reaction_force) reactions.insert(spec.keyword);
    if (spec.element == ElementClass::applied_force) forces.insert(spec.keyword);
  }
  EXPECT_EQ(reactions,
            (Keywords{"JOINT", "JPRIM", "MOTION", "COUPLER", "GEAR", "GCON", "UCON", "PTCV", "CVCV"}));
  EXPECT_EQ(forces, (Keywords{"SFORCE", "VFORCE", "VTORQUE", "GFORCE", "NFORCE", "MFORCE", "BUSHING", "BEAM",
                              "FIELD", "SPRINGDAMPER", "FRICTION", "TIRE"}));
}

TEST(Tables, Ranges) {
  EXPECT_TRUE(fulfils(">0", 1e-300));
  EXPECT_FALSE(fulfils(">0", 0));
  EXPECT_TRUE(fulfils(">=0", 0));
  EXPECT_FALSE(fulfils(">=0.5", 0.4999));
  EXPECT_TRUE(fulfils("in [-1/3,0]", -1.0 / 3));
  EXPECT_FALSE(fulfils("in [-1/3,0]", -0.34));
  EXPECT_FALSE(fulfils("in [-1/3,0]", 0.01));
  EXPECT_THROW(fulfils("<7", 1), std::logic_error);
}

TEST(Names, NearestOnes) {
  const std::vector<std::string_view> names{"REVOLUTE", "SPHERICAL", "FIXED"};
  EXPECT_EQ(nearest_name(names, "REVOLTE"), "REVOLUTE");
  EXPECT_EQ(nearest_name(names, "fixd"), "FIXED");
  EXPECT_EQ(nearest_name(names, "BANANA"), "");
  EXPECT_EQ(nearest_name(names, "X"), "");
}

TEST(Names, ValidArgumentsAreTold) {
  EXPECT_EQ(arguments_instead(*dataset_statement("ACCGRAV"), "GRAV"),
            "; did you mean IGRAV? ACCGRAV has IGRAV, JGRAV, KGRAV");
  EXPECT_EQ(arguments_instead(*dataset_statement("ACCGRAV"), "EARTH"), "; ACCGRAV has IGRAV, JGRAV, KGRAV");
  for (const StatementSpec& spec : dataset_statements())
    for (const Field& field : spec.fields)
      EXPECT_EQ(
          (arguments_instead(spec, "?") + ",").find(" " + std::string(field.name) + ",") == std::string::npos,
          field.support == Support::unsupported)
          << spec.keyword << " " << field.name;
}

}  // namespace
}  // namespace trammel::tables_test
