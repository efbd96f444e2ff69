// A file that breaks the rule of layers: what scripts/check_layers has to find.
#pragma once
#include <vector>
#include "base/hd.h"
#include "model/model.h"
