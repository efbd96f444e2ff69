// Of use to tests that stand on model.
#pragma once
#include "model/model.h"
