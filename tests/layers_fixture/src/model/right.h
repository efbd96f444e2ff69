// Two that include each other.
#pragma once
#include "model/left.h"
