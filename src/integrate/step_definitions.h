// All definitions of StepCore, for whoever instantiates it (integrate/step_core.h).
#pragma once

#include "integrate/attempts.h"
#include "integrate/corrector.h"
#include "integrate/step_core.h"
