// All of StepCore, for whoever makes one for a method and a machine: integrate/step_core.h says what it does.
#pragma once

#include "integrate/attempts.h"
#include "integrate/corrector.h"
#include "integrate/step_core.h"
