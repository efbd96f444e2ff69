// Includes name their module.
#pragma once
#include "../math/vec3.h"
