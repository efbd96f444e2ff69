// Two that include each other.
#pragma once
#include "model/right.h"
