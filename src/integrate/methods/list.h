// All integration methods: a line each. X(function) with IntegrationMethod function(), of the method's own
// file.
#pragma once

#include "integrate/integrator.h"

namespace trammel {

#define TRAMMEL_METHODS(X) \
  X(hht_method)            \
  X(newmark_method)

#define TRAMMEL_DECLARE_METHOD(function) IntegrationMethod function();
TRAMMEL_METHODS(TRAMMEL_DECLARE_METHOD)
#undef TRAMMEL_DECLARE_METHOD

}  // namespace trammel
