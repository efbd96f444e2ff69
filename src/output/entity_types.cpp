#include "output/entity_types.h"

#include "base/text.h"

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

namespace {

struct ClassEntry {
  const char* statement;
  EntityClass value;
};

constexpr ClassEntry classes[] = {
    {"PART", EntityClass::part},
    {"POINT_MASS", EntityClass::part},
    {"FLEX_BODY", EntityClass::part},
    {"JOINT", EntityClass::reaction_force},
    {"JPRIM", EntityClass::reaction_force},
    {"MOTION", EntityClass::reaction_force},
    {"COUPLER", EntityClass::reaction_force},
    {"GEAR", EntityClass::reaction_force},
    {"GCON", EntityClass::reaction_force},
    {"UCON", EntityClass::reaction_force},
    {"PTCV", EntityClass::reaction_force},
    {"CVCV", EntityClass::reaction_force},
    {"SFORCE", EntityClass::applied_force},
    {"VFORCE", EntityClass::applied_force},
    {"VTORQUE", EntityClass::applied_force},
    {"GFORCE", EntityClass::applied_force},
    {"NFORCE", EntityClass::applied_force},
    {"MFORCE", EntityClass::applied_force},
    {"BUSHING", EntityClass::applied_force},
    {"BEAM", EntityClass::applied_force},
    {"FIELD", EntityClass::applied_force},
    {"SPRINGDAMPER", EntityClass::applied_force},
    {"FRICTION", EntityClass::applied_force},
    {"CONTACT", EntityClass::contact},
    {"VARIABLE", EntityClass::system_element},
    {"DIFF", EntityClass::system_element},
    {"LSE", EntityClass::system_element},
    {"GSE", EntityClass::system_element},
    {"TFSISO", EntityClass::system_element},
    {"REQUEST", EntityClass::request},
};

}  // namespace

EntityClass class_of(const Entity& entity) {
  for (const ClassEntry& entry : classes)
    if (equal_ignoring_case(entry.statement, entity.type)) return entry.value;
  return EntityClass::other;
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
