// The force laws that depend on two markers alone. A law is a struct of parameters with
//   wrench<T>(law, I, J, last)      its wrenches; last: last accepted values of its counted angles
//   counted_angles(law)             which of AX, AY, AZ of I in J it counts revolutions of
#pragma once

#include <variant>

#include "element/bushing.h"
#include "element/elastic_field.h"
#include "element/springdamper.h"

namespace trammel {

using ForceLaw = std::variant<SpringDamper, Bushing, ElasticField>;

}  // namespace trammel
