// All of HhtCore, for whoever makes one for a machine: integrate/hht_core.h says what it does.
#pragma once

#include "integrate/hht_change.h"
#include "integrate/hht_core.h"
#include "integrate/hht_corrector.h"
#include "integrate/hht_steps.h"
