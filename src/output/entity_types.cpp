#include "output/entity_types.h"

#include "base/text.h"
#include "dataset/names.h"

namespace trammel {
namespace {

struct EntityType {
  const char* statement;
  const char* type;
};

// Types seen in files: Part, Joint, Motion, Single_Component_Force, ADAMS_Variable, Plant_Input,
// Plant_Output, Request. Other statements have their keyword as type.
constexpr EntityType entity_types[] = {
    {"PART", "Part"},
    {"JOINT", "Joint"},
    {"MOTION", "Motion"},
    {"SFORCE", "Single_Component_Force"},
    {"VARIABLE", "ADAMS_Variable"},
    {"PINPUT", "Plant_Input"},
    {"POUTPUT", "Plant_Output"},
    {"REQUEST", "Request"},
};

}  // namespace

std::string xrf_type(const Entity& entity) {
  for (const EntityType& entry : entity_types)
    if (equal_ignoring_case(entry.statement, entity.type)) return entry.type;
  return entity.type;
}

std::string statement_of_xrf_type(std::string_view type) {
  for (const EntityType& entry : entity_types)
    if (equal_ignoring_case(entry.type, type)) return entry.statement;
  return upper(type);
}

ElementClass class_of(const Entity& entity) {
  const StatementSpec* statement = dataset_statement(upper(entity.type));
  return statement ? statement->element : ElementClass::none;
}

int rate_order(Quantity quantity) {
  switch (quantity) {
    case Quantity::velocity:
    case Quantity::angular_velocity:
      return 1;
    case Quantity::acceleration:
    case Quantity::angular_acceleration:
      return 2;
    default:
      return 0;
  }
}

}  // namespace trammel
